// Positions without rules: reading and writing SFEN, and playing moves that are known to be legal.
//
// A position is { squares: { "7g": { side, kind } }, hands: { black: { P: 2 }, white: {} }, side, number }:
// occupied squares by their USI names, hands without zeros, and the number of the next move. Sides are
// "black" and "white"; kinds are letters of USI, "+P" if promoted. Positions are never changed.
//
// parseSfen(sfen) -> position; writeSfen(position) -> SFEN; playUsi(position, usi) -> position.
// START_SFEN; FILES "987654321" and RANKS "abcdefghi" in the order of SFEN; HAND_KINDS, most valuable first;
// otherSide(side); moverOf(position, usi): the piece { side, kind } that a move moves or drops.

export const START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
export const FILES = "987654321";
export const RANKS = "abcdefghi";
export const HAND_KINDS = ["R", "B", "G", "S", "N", "L", "P"];

export const otherSide = (side) => (side === "black" ? "white" : "black");

const pieceOf = (letters) => {
  const kind = letters.toUpperCase();
  return { side: kind === letters ? "black" : "white", kind };
};

export function parseSfen(sfen) {
  const [board, side, hands = "-", number = "1"] = sfen.trim().replace(/^sfen\s+/, "").split(/\s+/);
  const squares = {};
  board.split("/").forEach((row, rank) => {
    let file = 0;
    for (const [text] of row.matchAll(/\+?[A-Za-z]|\d/g)) {
      if (/\d/.test(text)) {
        file += Number(text);
      } else {
        squares[FILES[file] + RANKS[rank]] = pieceOf(text);
        file += 1;
      }
    }
  });
  const held = { black: {}, white: {} };
  for (const [, count, letter] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
    const piece = pieceOf(letter);
    held[piece.side][piece.kind] = Number(count || 1);
  }
  return { squares, hands: held, side: side === "w" ? "white" : "black", number: Number(number) || 1 };
}

export function writeSfen({ squares, hands, side, number }) {
  const letters = ({ side, kind }) => (side === "black" ? kind : kind.toLowerCase());
  const row = (rank) => {
    const marks = [...FILES].map((file) => squares[file + rank]).map((piece) => (piece ? letters(piece) : " "));
    return marks.join("").replace(/ +/g, (gap) => String(gap.length));
  };
  const held = ["black", "white"].flatMap((side) => HAND_KINDS.map((kind) => {
    const count = hands[side][kind] ?? 0;
    return (count > 1 ? count : "") + (count > 0 ? letters({ side, kind }) : "");
  }));
  const board = [...RANKS].map(row).join("/");
  return `${board} ${side === "black" ? "b" : "w"} ${held.join("") || "-"} ${number}`;
}

export function moverOf(position, usi) {
  return usi[1] === "*" ? { side: position.side, kind: usi[0] } : position.squares[usi.slice(0, 2)];
}

export function playUsi(position, usi) {
  const { side } = position;
  const squares = { ...position.squares };
  const hands = { black: { ...position.hands.black }, white: { ...position.hands.white } };
  const add = (kind, count) => {
    hands[side][kind] = (hands[side][kind] ?? 0) + count;
    if (hands[side][kind] <= 0) delete hands[side][kind];
  };
  const { kind } = moverOf(position, usi);
  const to = usi.slice(2, 4);
  if (usi[1] === "*") {
    add(kind, -1);
  } else {
    delete squares[usi.slice(0, 2)];
    if (squares[to]) add(squares[to].kind.replace("+", ""), 1);
  }
  squares[to] = { side, kind: usi[4] === "+" ? "+" + kind : kind };
  return { squares, hands, side: otherSide(side), number: position.number + 1 };
}
