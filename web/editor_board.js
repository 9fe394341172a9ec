// A board on which pieces are set up by hand, with a row for the piece box below it.
//
// createEditorBoard(element, properties) is as createBoard (board.js), except that `onEdit(position)` takes the place of
// `legal` and `onMove`: it is called with each position that the user makes, and sets it as `sfen`. It returns
// { set, begin, focus }: begin(changes) is `set` that keeps nothing of what was done on the board before.
//
// Any piece can be put anywhere: a tap selects it, and taps on empty squares and on the free part of a hand or the box put
// it there, one after the other as long as there are more in its place. A piece that is dragged replaces another one. A
// tap on the selected piece turns it: promoted, then of the other side; what is taken from the box has the side to which
// it was turned there. Delete puts the piece of a square or a hand into the box.

import { Board, DRAWING, HAND, isHand } from "./board.js";
import { svgElement } from "./dom.js";
import { pageText } from "./play_text.js";
import { BOX, SET_KINDS, boxOf, movePiece, turnPiece, turned } from "./setup.js";

const BOX_TOP = DRAWING.height + HAND.gap;
// All kinds leave a free part in their row.
const BOX_CELL = { width: 105, height: HAND.height };
const UNTURNED = { side: "black", kind: "K" };

const ownerOf = (key) => key.split(":")[0];
const isBox = (key) => ownerOf(key) === BOX;
const isHandOfPlayer = (key) => isHand(key) && !isBox(key);

export function createEditorBoard(element, properties) {
  const board = new EditorBoard(element);
  board.set(properties);
  return {
    set: (changes) => board.set(changes),
    begin: (changes) => board.begin(changes),
    focus: () => board.goTo(board.focused),
  };
}

class EditorBoard extends Board {
  constructor(element) {
    super(element);
    /** The piece of the box that was turned last; the others there have its side. */
    this.turnedInBox = UNTURNED;
    element.classList.add("editing");
    this.svg.setAttribute("viewBox", `0 0 ${DRAWING.width} ${BOX_TOP + HAND.height}`);
  }

  begin(changes) {
    this.abandon();
    this.turnedInBox = UNTURNED;
    this.focusOn("5e");
    this.set(changes);
  }

  // Where pieces are and can go.

  get isPlayable() {
    return true;
  }

  contentOf(key) {
    if (!isBox(key)) return super.contentOf(key);
    const [, kind] = key.split(":");
    return { piece: kind ? this.pieceInBox(kind) : null, count: boxOf(this.position)[kind] ?? 0 };
  }

  pieceInBox(kind) {
    const { side, kind: last } = this.turnedInBox;
    return { side, kind: last === "+" + kind ? last : kind };
  }

  canMove(key) {
    const { piece, count } = this.contentOf(key);
    return Boolean(piece) && count > 0;
  }

  canTapTo(target) {
    // A tap on another piece selects that one.
    return this.canDragTo(target) && !this.canMove(target);
  }

  canDragTo(target) {
    if (!this.selected || ownerOf(target) === ownerOf(this.selected)) return false;
    return !(isHandOfPlayer(target) && this.contentOf(this.selected).piece.kind === "K");
  }

  // What the user does.

  play(target) {
    const from = this.selected;
    this.move(from, target);
    // If there are more of it, the next tap puts another one.
    this.select(from);
  }

  move(from, target) {
    const { piece } = this.contentOf(from);
    this.properties.onEdit(movePiece(this.position, from, target, piece));
    this.tell(isHand(target) ? `${ownerOf(target)}:${piece.kind.replace("+", "")}` : target);
  }

  selectAgain() {
    const key = this.selected;
    if (isHandOfPlayer(key)) return super.selectAgain();
    if (isBox(key)) {
      this.turnedInBox = turned(this.contentOf(key).piece);
      this.draw();
    } else {
      this.properties.onEdit(turnPiece(this.position, key));
      this.select(key);
    }
    this.tell(key);
  }

  // The focus follows, so that Delete and Escape mean the piece that was tapped.
  pressed(event) {
    super.pressed(event);
    this.cells.get(this.keyOf(event))?.group.focus({ preventScroll: true });
  }

  // Only taps put one piece after the other.
  released(event) {
    const { drag } = this;
    const target = this.keyAt(event);
    super.released(event);
    if (drag?.moved && target !== drag.key) this.select(null);
  }

  keyPressed(event) {
    if (event.key !== "Delete" && event.key !== "Backspace") return super.keyPressed(event);
    event.preventDefault();
    if (this.canMove(this.focused) && !isBox(this.focused)) this.move(this.focused, BOX + ":");
  }

  tell(key) {
    this.announce(this.cells.get(key).label);
  }

  // Drawing.

  makeRows() {
    const box = boxOf(this.position);
    const kinds = SET_KINDS.filter((kind) => box[kind] > 0);
    return [...super.makeRows(), this.standRow(BOX, kinds, BOX_TOP + HAND.height / 2, "left", BOX_CELL)];
  }

  // It takes the pieces that are put into the hand or the box.
  hasFreeCell() {
    return true;
  }

  wood() {
    const group = super.wood();
    group.prepend(svgElement("rect", { class: "stand", x: 0, y: BOX_TOP, width: DRAWING.width, height: HAND.height, rx: 10 }));
    return group;
  }

  // Words.

  get text() {
    // Nearly every place is a target: naming them all would say nothing.
    return { ...super.text, ...pageText(this.properties.lang).editorBoard, target: "" };
  }

  standWord(owner) {
    return owner === BOX ? this.text.box : super.standWord(owner);
  }

  cellLabel(key, piece, count, classes) {
    const { text } = this;
    if (isHand(key) && !piece) return text.freePlace(this.standWord(ownerOf(key)));
    if (!isBox(key)) return super.cellLabel(key, piece, count, classes);
    return text.inBox(this.sideWord(piece.side), this.pieceWord(piece.kind), count);
  }
}
