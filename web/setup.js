// Changes of a position that is set up by hand. They know no rules: the engine checks the position at the end.
//
// Every piece of the set is on the board, in a hand or in the box: the box holds what the position does not. So a piece
// that another one replaces goes to the box. Positions are those of sfen.js and are never changed. Places have the keys of
// board.js: "7g", "black:P" for pawns in a hand, "box:P" for pawns in the box; as a target "black:" and "box:" are enough.
//
// boxOf(position) -> { P: 2 }, with zeros; movePiece(position, from, to, piece), turnPiece(position, square),
// handOutBox(position, side) and clear(position) -> position; turned(piece) -> piece; BOX; SET_KINDS, most valuable first;
// TSUME_SFEN: one king, and all other pieces in the defender's hand.

import { HAND_KINDS, otherSide } from "./sfen.js";

export const BOX = "box";
export const SET_KINDS = ["K", ...HAND_KINDS];
export const TSUME_SFEN = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";

const SET = { K: 2, R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };
const WITHOUT_PROMOTION = ["K", "G"];

const unpromoted = (kind) => kind.replace("+", "");

export function boxOf({ squares, hands }) {
  const box = { ...SET };
  for (const { kind } of Object.values(squares)) box[unpromoted(kind)] -= 1;
  for (const hand of [hands.black, hands.white]) {
    for (const [kind, count] of Object.entries(hand)) box[kind] -= count;
  }
  return box;
}

/** @param {{side: string, kind: string}} piece what it is in its new place: a piece from the box has any side */
export function movePiece(position, from, to, piece) {
  return put(take(position, from), to, piece);
}

function take(position, key) {
  const [owner, kind] = key.split(":");
  if (kind !== undefined) return addToHand(position, owner, kind, -1);
  const squares = { ...position.squares };
  delete squares[key];
  return { ...position, squares };
}

function put(position, key, piece) {
  const [owner, kind] = key.split(":");
  if (kind !== undefined) return addToHand(position, owner, unpromoted(piece.kind), 1);
  return { ...position, squares: { ...position.squares, [key]: piece } };
}

function addToHand(position, owner, kind, count) {
  // The box follows from the rest.
  if (owner === BOX) return position;
  const hand = { ...position.hands[owner] };
  hand[kind] = (hand[kind] ?? 0) + count;
  if (hand[kind] === 0) delete hand[kind];
  return { ...position, hands: { ...position.hands, [owner]: hand } };
}

/** The next form of a piece: promoted, then of the other side. */
export function turned({ side, kind }) {
  if (kind === unpromoted(kind) && !WITHOUT_PROMOTION.includes(kind)) return { side, kind: "+" + kind };
  return { side: otherSide(side), kind: unpromoted(kind) };
}

export function turnPiece(position, square) {
  return put(position, square, turned(position.squares[square]));
}

/** Gives a player all that is in the box, except kings. */
export function handOutBox(position, side) {
  const box = boxOf(position);
  return HAND_KINDS.reduce((at, kind) => addToHand(at, side, kind, box[kind]), position);
}

/** Puts all pieces into the box. */
export function clear(position) {
  return { ...position, squares: {}, hands: { black: {}, white: {} } };
}
