// A shogi board with the hands of both players, by mouse, touch, keyboard and screen reader.
//
// createBoard(element, properties) fills an empty <div> and returns { set, focus, cancel }.
// set({...}) takes any of these properties, keeps the others, and redraws:
//   sfen          the position
//   below         the side at the bottom: "black" (default) or "white"
//   legal         the legal moves in USI; null (default) if nothing can be played
//   lastMove      the move in USI that led to the position, or null
//   check         true marks the king of the side to move
//   arrows        [{ usi, weight, kind }], weight from 0 to 1, kind "best", "other", "hint" or "bad"
//   lang          "ja" or "en"
//   isHandicap    true if White gives a handicap, which changes the names of the sides (default false)
//   pieces        "kanji" or "letters"
//   coordinates   "japanese" or "western"
//   announcement  text for the live region; without it a new lastMove is announced by its square and piece
//   onMove(usi)   called when the user plays a move, after the promotion was asked. The board does not play
//                 it: the page sets the new position.
// focus() puts the keyboard's focus on the board; cancel() withdraws a selection, a drag, or the question for promotion.
//
// The board is one grid and one tab stop: a row for each hand and each rank. Arrow keys move the focus, Home and
// End go to the ends of a row, Enter or Space selects and plays, Escape cancels.
//
// `Board` is the board for a class that does something else with the pieces (editor_board.js).

import { htmlElement, svgElement } from "./dom.js";
import { drawPiece } from "./piece.js";
import { FILES, HAND_KINDS, RANKS, START_SFEN, moverOf, otherSide, parseSfen } from "./sfen.js";
import { pieceName, squareName, sharedText } from "./text.js";

// Measures of the drawing.
const SQUARE = { width: 100, height: 108 };
const RIM = { left: 16, right: 44, top: 42, bottom: 16 };
export const HAND = { height: 116, width: 122, gap: 6 };
const WOOD = {
  top: HAND.height + HAND.gap,
  width: RIM.left + 9 * SQUARE.width + RIM.right,
  height: RIM.top + 9 * SQUARE.height + RIM.bottom,
};
export const DRAWING = { width: WOOD.width, height: WOOD.height + 2 * WOOD.top };
const DRAG_AFTER_PIXELS = 5;

// The properties that change nothing in the cells.
const WITHOUT_CELLS = new Set(["arrows", "announcement", "onMove"]);

let boards = 0;

export function createBoard(element, properties) {
  const board = new Board(element);
  board.set(properties);
  return {
    set: (changes) => board.set(changes),
    focus: () => board.cells.get(board.focused).group.focus(),
    cancel: () => board.cancel(),
  };
}

// Cells have keys: "7g" is a square, "black:P" the pawns in Black's hand, "black:" the empty rest of its row.
export const isHand = (key) => key.includes(":");
// "P*" for a drop, which is no key.
const originOf = (usi) => usi.slice(0, 2);
const targetOf = (usi) => usi.slice(2, 4);

export class Board {
  constructor(element) {
    this.number = boards++;
    this.properties = {
      sfen: START_SFEN, below: "black", legal: null, lastMove: null, check: false, arrows: [],
      lang: "en", isHandicap: false, pieces: "kanji", coordinates: "western", announcement: null, onMove: () => {},
    };
    this.selected = null;
    this.focused = "5e";
    this.drag = null;
    this.element = element;
    element.classList.add("board");
    this.svg = svgElement("svg", { viewBox: `0 0 ${DRAWING.width} ${DRAWING.height}` });
    this.description = htmlElement("p", "visually-hidden");
    this.description.id = `board-${this.number}-description`;
    this.live = htmlElement("p", "visually-hidden");
    this.live.setAttribute("aria-live", "polite");
    this.question = new PromotionQuestion();
    element.replaceChildren(this.svg, this.description, this.live, this.question.element);
    this.listen();
  }

  set(changes) {
    const before = this.properties;
    this.properties = { ...before, announcement: null, ...changes };
    const { sfen, lastMove, announcement } = this.properties;
    if (sfen !== before.sfen || "legal" in changes) this.abandon();
    this.position = parseSfen(sfen);
    this.sortMoves();
    // What an engine finds meanwhile does not disturb a piece that is being dragged.
    if (this.cells && Object.keys(changes).every((name) => WITHOUT_CELLS.has(name))) this.drawArrows();
    else this.draw();
    if (announcement) this.announce(announcement);
    else if (lastMove && (lastMove !== before.lastMove || sfen !== before.sfen)) this.announce(this.lastMoveInWords());
  }

  announce(text) {
    this.live.textContent = text;
  }

  cancel() {
    this.abandon();
    this.markSelection();
  }

  // Forgets what the user has begun.
  abandon() {
    this.selected = null;
    this.drag = null;
    this.question.hide();
  }

  // What can be played: the legal moves by the cells where they begin.

  sortMoves() {
    this.moves = new Map();
    for (const usi of this.properties.legal ?? []) {
      const key = usi[1] === "*" ? `${this.position.side}:${usi[0]}` : originOf(usi);
      this.moves.set(key, [...(this.moves.get(key) ?? []), usi]);
    }
  }

  movesFrom(key) {
    return this.moves.get(key) ?? [];
  }

  movesTo(target) {
    return this.selected ? this.movesFrom(this.selected).filter((usi) => targetOf(usi) === target) : [];
  }

  get isPlayable() {
    return this.moves.size > 0;
  }

  canMove(key) {
    return this.movesFrom(key).length > 0;
  }

  // Whether a tap moves the selected piece to the target, or a drag.

  canTapTo(target) {
    return this.movesTo(target).length > 0;
  }

  canDragTo(target) {
    return this.canTapTo(target);
  }

  select(key) {
    this.selected = key !== null && this.canMove(key) ? key : null;
    this.markSelection();
  }

  // The user has chosen the selected piece once more.
  selectAgain() {
    this.select(null);
  }

  // Plays the selected piece to the target; asks if it may promote.
  play(target) {
    const moves = this.movesTo(target);
    if (moves.length < 2) return this.commit(moves[0]);
    const { side, kind } = moverOf(this.position, moves[0]);
    const { x, y } = this.cells.get(target);
    const returnTo = this.element.contains(document.activeElement) ? this.cells.get(target).group : null;
    const choices = ["+", ""].map((promotion) => {
      const usi = moves.find((move) => (move[4] ?? "") === promotion);
      return { usi, piece: { side, kind: promotion + kind } };
    });
    this.question.ask({
      choices, x, y, properties: this.properties,
      answer: (usi) => {
        returnTo?.focus();
        if (usi) this.commit(usi);
        else this.select(null);
      },
    });
  }

  commit(usi) {
    this.select(null);
    if (usi) this.properties.onMove(usi);
  }

  // Drawing.

  draw() {
    const hadFocus = this.svg.contains(document.activeElement);
    const { lang } = this.properties;
    this.cells = new Map();
    this.rows = this.makeRows();
    const grid = svgElement("g", { role: "grid", "aria-label": this.label(), "aria-describedby": this.description.id });
    for (const { label, keys } of this.rows) {
      const row = svgElement("g", { role: "row" }, ...keys.map((key) => this.cells.get(key).group));
      if (label) row.setAttribute("aria-label", label);
      grid.append(row);
    }
    if (!this.cells.has(this.focused)) this.focused = this.nearest(this.focused);
    this.cells.get(this.focused).group.setAttribute("tabindex", "0");
    this.arrows = svgElement("g", { class: "arrows", "aria-hidden": "true" });
    this.ghost = svgElement("g", { class: "ghost", "aria-hidden": "true" });
    this.drawArrows();
    this.markSelection();
    this.svg.replaceChildren(this.gradients(), this.wood(), grid, this.arrows, this.ghost);
    this.svg.setAttribute("lang", lang);
    this.element.classList.toggle("playable", this.isPlayable);
    this.description.textContent = this.wholePosition();
    if (hadFocus) this.cells.get(this.focused).group.focus({ preventScroll: true });
  }

  isTurned() {
    return this.properties.below === "white";
  }

  makeRows() {
    const { below } = this.properties;
    const ranks = this.isTurned() ? [...RANKS].reverse() : [...RANKS];
    return [this.handRow(otherSide(below)), ...ranks.map((rank) => this.rankRow(rank)), this.handRow(below)];
  }

  handRow(side) {
    const kinds = HAND_KINDS.filter((kind) => this.position.hands[side][kind] > 0);
    if (side === this.properties.below) return this.standRow(side, kinds, DRAWING.height - HAND.height / 2, "right");
    // Like everything of the player above, the hand begins on the other side.
    return this.standRow(side, kinds.reverse(), HAND.height / 2, "left");
  }

  // Pieces beside the board, at one end of a row, in cells of a size.
  standRow(owner, kinds, y, end, size = HAND) {
    const width = size.width * kinds.length;
    const free = { width: DRAWING.width - width, height: size.height };
    const left = end === "right" ? free.width : 0;
    const keys = kinds.map((kind, index) => this.cell(`${owner}:${kind}`, left + (index + 0.5) * size.width, y, size));
    if (this.hasFreeCell(kinds)) {
      const key = this.cell(owner + ":", (end === "right" ? 0 : width) + free.width / 2, y, free);
      keys.splice(end === "right" ? 0 : kinds.length, 0, key);
    }
    return { label: this.standWord(owner), keys };
  }

  // Whether the rest of the row is a cell too. The row of an empty hand has no other.
  hasFreeCell(kinds) {
    return kinds.length === 0;
  }

  rankRow(rank) {
    const files = this.isTurned() ? [...FILES].reverse() : [...FILES];
    const row = this.isTurned() ? 8 - RANKS.indexOf(rank) : RANKS.indexOf(rank);
    const keys = files.map((file, column) => {
      const x = RIM.left + (column + 0.5) * SQUARE.width;
      const y = WOOD.top + RIM.top + (row + 0.5) * SQUARE.height;
      return this.cell(file + rank, x, y, SQUARE);
    });
    return { label: "", keys };
  }

  // The piece of a cell, and how many of it are there.
  contentOf(key) {
    if (!isHand(key)) return { piece: this.position.squares[key], count: 1 };
    const [side, kind] = key.split(":");
    return { piece: kind ? { side, kind } : null, count: this.position.hands[side][kind] ?? 0 };
  }

  // Makes a cell and returns its key.
  cell(key, x, y, { width, height }) {
    const { lastMove, pieces, check } = this.properties;
    const { piece, count } = this.contentOf(key);
    const classes = {
      movable: this.canMove(key),
      from: lastMove !== null && originOf(lastMove) === key,
      to: lastMove !== null && targetOf(lastMove) === key,
      check: check && piece?.kind === "K" && piece.side === this.position.side && !isHand(key),
    };
    const names = Object.keys(classes).filter((name) => classes[name]);
    const group = svgElement("g", {
      role: "gridcell", tabindex: "-1", class: names.join(" "), "data-key": key, transform: `translate(${x} ${y})`,
    });
    const box = { x: -width / 2, y: -height / 2, width, height };
    group.append(svgElement("rect", { class: "ground", ...box }));
    if (piece) group.append(drawPiece(piece, pieces, piece.side !== this.properties.below));
    group.append(svgElement("circle", { class: "dot", r: piece ? 46 : 14 }));
    if (count > 1) {
      group.append(svgElement("circle", { class: "count", cx: 36, cy: 34, r: 20 }),
        svgElement("text", { class: "count", x: 36, y: 43 }, String(count)));
    }
    group.append(svgElement("rect", { class: "ring", x: box.x + 3, y: box.y + 3, width: width - 6, height: height - 6, rx: 6 }));
    this.cells.set(key, { group, x, y, width, height, piece, label: this.cellLabel(key, piece, count, classes) });
    return key;
  }

  // Marks the selected cell and where its piece can go. The elements stay: a touch ends if its element goes.
  markSelection() {
    const { text } = this;
    for (const [key, { group, label }] of this.cells) {
      const [isSelected, isTarget] = [key === this.selected, this.canTapTo(key)];
      group.classList.toggle("selected", isSelected);
      group.classList.toggle("target", isTarget);
      group.classList.remove("lifted", "over");
      // Not "false" elsewhere, which would be read aloud on every square.
      if (isSelected) group.setAttribute("aria-selected", "true");
      else group.removeAttribute("aria-selected");
      group.setAttribute("aria-label", [label, isSelected && text.selected, isTarget && text.target].filter(Boolean).join(text.comma));
    }
    this.ghost.replaceChildren();
  }

  // What lies under the pieces: hands, wood, lines, star points, coordinates.
  wood() {
    const group = svgElement("g", { "aria-hidden": "true" });
    const add = (tag, attributes, ...text) => group.append(svgElement(tag, attributes, ...text));
    for (const y of [0, DRAWING.height - HAND.height]) {
      add("rect", { class: "stand", x: 0, y, width: DRAWING.width, height: HAND.height, rx: 10 });
    }
    const area = { x: 0, y: WOOD.top, width: WOOD.width, height: WOOD.height, rx: 6 };
    add("rect", { fill: `url(#board-${this.number}-wood)`, class: "wood", ...area });
    const x = (column) => RIM.left + column * SQUARE.width;
    const y = (row) => WOOD.top + RIM.top + row * SQUARE.height;
    for (let i = 0; i <= 9; i++) {
      const className = i % 9 === 0 ? "line border" : "line";
      add("path", { class: className, d: `M${x(i)} ${y(0)}V${y(9)}M${x(0)} ${y(i)}H${x(9)}` });
    }
    for (const [column, row] of [[3, 3], [6, 3], [3, 6], [6, 6]]) add("circle", { class: "star", cx: x(column), cy: y(row), r: 6 });
    for (let i = 0; i < 9; i++) {
      const at = this.isTurned() ? 8 - i : i;
      const rank = this.properties.coordinates === "japanese" ? "一二三四五六七八九"[at] : RANKS[at];
      add("text", { class: "axis", x: x(i + 0.5), y: y(0) - 11 }, FILES[at]);
      add("text", { class: "axis", lang: "ja", x: x(9) + 22, y: y(i + 0.5) + 10 }, rank);
    }
    return group;
  }

  // Straight grain: stripes of unequal width.
  gradients() {
    const stripes = [0, 3, 9, 13, 22, 26, 38, 43, 57, 61, 70, 78, 84, 91, 96, 100].map((offset, index) =>
      svgElement("stop", { offset: offset + "%", class: index % 2 ? "grain" : "plain" }));
    return svgElement("defs", {}, svgElement("linearGradient", {
      id: `board-${this.number}-wood`, gradientUnits: "userSpaceOnUse", spreadMethod: "repeat", x1: 0, x2: 310, y1: 0, y2: 9,
    }, ...stripes));
  }

  drawArrows() {
    this.arrows.replaceChildren();
    // The most important last, above the others.
    for (const arrow of [...this.properties.arrows].sort((one, other) => one.weight - other.weight)) {
      const { usi, kind } = arrow;
      const from = this.cells.get(usi[1] === "*" ? `${this.position.side}:${usi[0]}` : originOf(usi));
      const to = this.cells.get(targetOf(usi));
      if (from && to) this.arrows.append(drawArrow(from, to, arrow.weight, kind, usi[4] === "+"));
    }
  }

  // Words.

  get text() {
    return sharedText(this.properties.lang, this.properties.isHandicap);
  }

  sideWord(side) {
    return this.text[side];
  }

  standWord(side) {
    return this.text.handOf(this.sideWord(side));
  }

  squareWord(square) {
    return squareName(square, this.properties.lang === "ja" ? "japanese" : "western");
  }

  pieceWord(kind) {
    return pieceName(kind, this.properties.lang);
  }

  cellLabel(key, piece, count, classes) {
    const { text } = this;
    const parts = [];
    if (isHand(key)) {
      const [side] = key.split(":");
      parts.push(piece ? text.inHand(this.sideWord(side), this.pieceWord(piece.kind), count) : `${this.standWord(side)} ${text.none}`);
    } else {
      const square = this.squareWord(key);
      parts.push(piece ? text.pieceAt(this.sideWord(piece.side), this.pieceWord(piece.kind), square) : text.emptyAt(square));
    }
    if (classes.to) parts.push(text.lastMoveHere);
    if (classes.check) parts.push(text.check);
    return parts.join(text.comma);
  }

  lastMoveInWords() {
    const to = targetOf(this.properties.lastMove);
    const piece = this.position.squares[to];
    return piece ? this.text.pieceAt(this.sideWord(piece.side), this.pieceWord(piece.kind), this.squareWord(to)) : "";
  }

  label() {
    const { text } = this;
    const parts = [text.board, text.toMove(this.sideWord(this.position.side))];
    if (this.properties.check) parts.push(text.check);
    if (this.properties.lastMove) parts.push(text.lastMoveHere + text.colon + this.lastMoveInWords());
    return parts.join(text.stop);
  }

  // All pieces by side and kind, as one would read a position aloud.
  wholePosition() {
    const { squares, hands } = this.position;
    const { text } = this;
    const { comma, colon, stop } = text;
    const sides = ["black", "white"].map((side) => {
      const byKind = new Map();
      for (const kind of ["K", "+R", "R", "+B", "B", "G", "+S", "S", "+N", "N", "+L", "L", "+P", "P"]) byKind.set(kind, []);
      for (const [square, piece] of Object.entries(squares)) {
        if (piece.side === side) byKind.get(piece.kind).push(this.squareWord(square));
      }
      const pieces = [...byKind].filter(([, at]) => at.length > 0).map(([kind, at]) => `${this.pieceWord(kind)} ${at.join(" ")}`);
      const held = HAND_KINDS.filter((kind) => hands[side][kind] > 0).map((kind) => `${this.pieceWord(kind)} ${hands[side][kind]}`);
      return [this.sideWord(side), colon, pieces.join(comma), stop, this.standWord(side), colon, held.join(comma) || text.none, stop].join("");
    });
    return [...sides, this.isPlayable ? text.keysOfBoard : ""].join("").trim();
  }

  // Input.

  listen() {
    const { svg } = this;
    const acts = { pointerdown: "pressed", pointermove: "dragged", pointerup: "released", pointercancel: "cancel" };
    for (const [type, act] of Object.entries(acts)) svg.addEventListener(type, (event) => this.isOfOtherFinger(event) || this[act](event));
    // A click is not to take the focus, so that the keys keep their meaning for the page.
    svg.addEventListener("mousedown", (event) => event.preventDefault());
    // A touch that moves a piece is not to scroll the page (`touch-action` works for the whole board only), and one that
    // opens the question is not to click on the button that appears under the finger.
    svg.addEventListener("touchstart", (event) => (this.drag || this.question.isOpen()) && event.preventDefault(), { passive: false });
    svg.addEventListener("keydown", (event) => this.keyPressed(event));
    // Not of the drawing: Chromium makes it a tab stop if it listens for the focus.
    this.element.addEventListener("focusin", (event) => this.focusOn(event.target.dataset.key));
  }

  // A second finger, as of a hand that zooms, neither moves nor plays the piece that the first one drags.
  isOfOtherFinger({ isPrimary, pointerId }) {
    return this.drag !== null && !isPrimary && pointerId !== this.drag.pointerId;
  }

  pressed(event) {
    if (event.button !== 0 || !this.isPlayable) return;
    if (this.question.isOpen()) {
      this.question.hide();
      return this.select(null);
    }
    const key = this.keyOf(event);
    if (key && this.canTapTo(key)) return this.play(key);
    const wasSelected = this.selected !== null && this.selected === key;
    this.select(key);
    if (!this.selected) return;
    this.drag = { key, pointerId: event.pointerId, x: event.clientX, y: event.clientY, moved: false, wasSelected };
    this.svg.setPointerCapture(event.pointerId);
  }

  dragged(event) {
    const { drag } = this;
    if (!drag) return;
    drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_AFTER_PIXELS;
    if (!drag.moved) return;
    const { group, piece } = this.cells.get(drag.key);
    if (!this.ghost.hasChildNodes()) {
      group.classList.add("lifted");
      this.ghost.append(drawPiece(piece, this.properties.pieces, piece.side !== this.properties.below));
    }
    const { x, y } = this.pointIn(event);
    this.ghost.setAttribute("transform", `translate(${x} ${y}) scale(1.15)`);
    const over = this.keyAt(event);
    for (const [key, cell] of this.cells) cell.group.classList.toggle("over", key === over && this.canDragTo(key));
  }

  released(event) {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    const key = this.keyAt(event);
    if (drag.moved && key && this.canDragTo(key)) this.play(key);
    else if (drag.moved && key !== drag.key) this.select(null);
    else if (!drag.moved && drag.wasSelected) this.selectAgain();
    else this.markSelection();
  }

  pointIn(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // The cell that is pressed. A screen reader presses an element, without a point.
  keyOf(event) {
    return event.target.closest("[data-key]")?.dataset.key ?? this.keyAt(event);
  }

  keyAt(event) {
    const { x, y } = this.pointIn(event);
    for (const [key, cell] of this.cells) {
      if (Math.abs(x - cell.x) <= cell.width / 2 && Math.abs(y - cell.y) <= cell.height / 2) return key;
    }
    return null;
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const row = this.rows.findIndex(({ keys }) => keys.includes(this.focused));
    const { keys } = this.rows[row];
    if (steps[event.key]) this.step(row, ...steps[event.key]);
    else if (event.key === "Home") this.goTo(keys[0]);
    else if (event.key === "End") this.goTo(keys[keys.length - 1]);
    else if (event.key === "Enter" || event.key === " ") this.activate(this.focused);
    else if (event.key === "Escape" && this.selected) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(row, down, right) {
    const { keys } = this.rows[row];
    if (right !== 0) return this.goTo(keys[keys.indexOf(this.focused) + right]);
    const next = this.rows[row + down];
    if (!next) return;
    const { x } = this.cells.get(this.focused);
    const distance = (key) => Math.abs(this.cells.get(key).x - x);
    this.goTo(next.keys.reduce((best, key) => (distance(key) < distance(best) ? key : best)));
  }

  goTo(key) {
    this.cells.get(key)?.group.focus();
  }

  focusOn(key) {
    if (!key || key === this.focused) return;
    this.cells.get(this.focused)?.group.setAttribute("tabindex", "-1");
    this.focused = key;
    this.cells.get(key).group.setAttribute("tabindex", "0");
  }

  activate(key) {
    if (this.canTapTo(key)) this.play(key);
    else if (this.selected === key) this.selectAgain();
    else this.select(key);
  }

  // The cell that takes the focus of one that is gone: another of the same hand.
  nearest(key) {
    return this.rows.flatMap(({ keys }) => keys).find((other) => other.startsWith(key.split(":")[0] + ":")) ?? "5e";
  }
}

function drawArrow(from, to, weight, kind, promotes) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const width = 9 + 15 * weight;
  const [start, head, tip] = [30, length - 12 - 2 * width, length - 12];
  const points = [
    [start, -width / 2], [head, -width / 2], [head, -1.35 * width], [tip, 0],
    [head, 1.35 * width], [head, width / 2], [start, width / 2],
  ];
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const arrow = svgElement("g", { class: "arrow " + kind, opacity: (0.4 + 0.45 * weight).toFixed(2) },
    svgElement("polygon", { points: points.join(" "), transform: `translate(${from.x} ${from.y}) rotate(${angle.toFixed(2)})` }));
  if (promotes) {
    arrow.append(svgElement("circle", { cx: to.x + 32, cy: to.y - 34, r: 17 }),
      svgElement("path", { class: "plus", d: `M${to.x + 22} ${to.y - 34}h20m-10-10v20` }));
  }
  return arrow;
}

// Asks on the board whether a piece promotes.
class PromotionQuestion {
  constructor() {
    this.element = htmlElement("div", "promotion");
    this.element.hidden = true;
    this.element.setAttribute("role", "dialog");
    this.element.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  ask({ choices, x, y, properties, answer }) {
    const text = sharedText(properties.lang);
    this.answer = answer;
    this.element.setAttribute("aria-label", text.promotionQuestion);
    this.element.replaceChildren(...choices.map(({ usi, piece }) => {
      const button = htmlElement("button");
      button.type = "button";
      button.setAttribute("aria-label", piece.kind.startsWith("+") ? text.promotes : text.stays);
      button.append(svgElement("svg", { viewBox: "-50 -54 100 108", "aria-hidden": "true" },
        drawPiece(piece, properties.pieces, piece.side !== properties.below)));
      button.addEventListener("click", () => this.close(usi));
      return button;
    }));
    // Beside the target, but within the board.
    const share = (value, least, whole) => (100 * Math.min(Math.max(value, least), whole - least)) / whole;
    this.element.style.left = share(x, 190, DRAWING.width) + "%";
    this.element.style.top = share(y, 80, DRAWING.height) + "%";
    this.element.hidden = false;
    this.element.firstChild.focus({ preventScroll: true });
  }

  isOpen() {
    return !this.element.hidden;
  }

  hide() {
    this.element.hidden = true;
  }

  // Without a move the answer is that none is played.
  close(usi) {
    this.hide();
    this.answer(usi);
  }

  keyPressed(event) {
    const buttons = [...this.element.children];
    const at = buttons.indexOf(document.activeElement);
    if (event.key === "Escape") this.close();
    else if (event.key === "Tab" || event.key.startsWith("Arrow")) buttons[(at + 1) % buttons.length].focus();
    else if (event.key !== "Enter" && event.key !== " ") return;
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  }
}
