// The list of moves of a game, and principal variations. Each is one tab stop with arrow keys inside.
//
// createMoveList(element, properties) fills an empty <div> and returns { set }. Properties:
//   rows      [{ id, number, text, grade, best, book, score, winRate, loss, seconds, isBranch, spoken }]: number and
//             text of a move, grade null, "dubious", "mistake" or "blunder", whether it is the best move or in a book,
//             texts for the columns, seconds as a number or null, whether it begins a branch (which is indented), and
//             what a screen reader says, by default what is shown
//   current   the id of the row that is shown elsewhere; the list scrolls to it
//   columns   what is shown beside the move, some of ["score", "winRate", "loss", "seconds"]
//   lang, isHandicap  as for the board
//   onGo(id)  called when the user chooses a move: by a click, by the arrow keys, or for a branch by Enter
//
// createLines(element, properties) likewise. Properties:
//   lines         [{ id, label, score, moves, note, kind }]: texts, with the moves in an array; kind "" or "instead"
//   current       { id, at } of the move shown elsewhere, at from 1, or null
//   empty         what to say if there are no lines
//   lang, isHandicap, onGo(id, at)

import { htmlElement, setText } from "./dom.js";
import { duration, spokenMark, sharedText } from "./text.js";

const GRADE_MARKS = { dubious: "?!", mistake: "?", blunder: "??" };

export const gradeMark = (grade) => GRADE_MARKS[grade] ?? "";

let movelists = 0;

export function createMoveList(element, properties) {
  const list = new MoveList(element);
  list.set(properties);
  return { set: (changes) => list.set(changes) };
}

export function createLines(element, properties) {
  const lines = new Lines(element);
  lines.set(properties);
  return { set: (changes) => lines.set(changes) };
}

class MoveList {
  constructor(element) {
    this.properties = { rows: [], current: null, columns: [], lang: "en", isHandicap: false, onGo: () => {} };
    this.number = movelists++;
    /** The id of the branch that the arrow keys have reached, or null: they enter none, to go on along the line. */
    this.reached = null;
    this.states = [];
    element.classList.add("movelist");
    this.head = htmlElement("div", "head");
    this.head.setAttribute("aria-hidden", "true");
    this.list = htmlElement("div", "rows");
    this.list.setAttribute("role", "listbox");
    this.list.tabIndex = 0;
    element.replaceChildren(this.head, this.list);
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  set(changes) {
    const isChanged = (name) => name in changes && changes[name] !== this.properties[name];
    const isNew = ["rows", "columns", "lang", "isHandicap"].some(isChanged);
    if (isChanged("current")) this.reached = null;
    Object.assign(this.properties, changes);
    if (isNew) this.draw();
    this.mark();
  }

  draw() {
    const { rows, columns, lang, isHandicap } = this.properties;
    const text = sharedText(lang);
    this.list.setAttribute("aria-label", text.moveList);
    this.head.replaceChildren(htmlElement("span", "number"), htmlElement("span", "move", text.move), htmlElement("span", "mark"),
      ...columns.map((column) => htmlElement("span", column, text[column])));
    this.keep(rows.map((row) => JSON.stringify([row, columns, lang, isHandicap])));
  }

  // Makes only those rows anew that have changed: a click on a row that goes meanwhile would be lost.
  keep(states) {
    const { rows } = this.properties;
    while (this.list.children.length > rows.length) this.list.lastChild.remove();
    states.forEach((state, index) => {
      if (state === this.states[index] && this.list.children[index]) return;
      const made = this.row(rows[index], index);
      if (this.list.children[index]) this.list.children[index].replaceWith(made);
      else this.list.append(made);
    });
    this.states = states;
  }

  row(row, index) {
    const { columns, lang } = this.properties;
    const text = sharedText(lang);
    const made = htmlElement("div", row.isBranch ? "row branch" : "row");
    made.setAttribute("role", "option");
    made.id = `movelist-${this.number}-${index}`;
    const move = htmlElement("span", "move", row.text);
    if (row.book) move.append(" ", htmlElement("span", "small", text.book));
    const mark = htmlElement("span", "mark " + (row.grade ?? "best"), row.grade ? gradeMark(row.grade) : row.best ? "✓" : "");
    made.append(htmlElement("span", "number", String(row.number ?? "")), move, mark);
    for (const column of columns) {
      const cell = htmlElement("span", column, this.cellText(row, column));
      if (column === "loss" && row.grade) cell.classList.add(row.grade);
      made.append(cell);
    }
    made.setAttribute("aria-label", row.spoken ?? this.rowInWords(row));
    return made;
  }

  cellText(row, column) {
    const value = row[column] ?? "";
    return typeof value === "number" ? duration(value) : value;
  }

  rowInWords(row) {
    const { columns, lang, isHandicap } = this.properties;
    const text = sharedText(lang);
    const remarks = [row.isBranch && text.branch, spokenMark(`${row.number ?? ""} ${row.text}`.trim(), lang, isHandicap),
      row.grade ? text[row.grade] : row.best && text.best, row.book && text.book];
    const cells = columns.map((column) => [text[column], this.cellText(row, column)]);
    return [...remarks, ...cells.filter(([, value]) => value).map((cell) => cell.join(" "))].filter(Boolean).join(text.comma);
  }

  mark() {
    const { rows, current } = this.properties;
    const indexOf = (wanted) => rows.findIndex(({ id }) => id === wanted);
    const here = indexOf(current);
    const reached = indexOf(this.reached);
    this.at = reached < 0 ? here : reached;
    for (const row of this.list.querySelectorAll(".here, .reached")) {
      row.classList.remove("here", "reached");
      row.removeAttribute("aria-selected");
    }
    this.list.children[here]?.classList.add("here");
    this.list.children[here]?.setAttribute("aria-selected", "true");
    this.list.children[reached]?.classList.add("reached");
    const row = this.list.children[this.at];
    if (!row) return this.list.removeAttribute("aria-activedescendant");
    this.list.setAttribute("aria-activedescendant", row.id);
    // Only the list is to scroll, not the page.
    const { list } = this;
    const isSeen = row.offsetTop >= list.scrollTop && row.offsetTop + row.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (row) this.goTo([...this.list.children].indexOf(row));
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { rows } = this.properties;
    const isInLine = (row) => !row?.isBranch;
    const targets = {
      ArrowUp: this.at - 1, ArrowDown: this.at + 1, PageUp: this.at - 10, PageDown: this.at + 10,
      Home: 0, End: rows.findLastIndex(isInLine), Enter: this.at, " ": this.at,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    const index = Math.max(0, Math.min(targets[event.key], rows.length - 1));
    if (isInLine(rows[index]) || event.key === "Enter" || event.key === " ") return this.goTo(index);
    this.reached = rows[index].id;
    this.mark();
  }

  goTo(index) {
    const row = this.properties.rows[index];
    if (!row) return;
    this.reached = null;
    this.mark();
    this.properties.onGo(row.id);
  }
}

// A grid with a row for each line and a cell for each move. One cell has the focus.
class Lines {
  constructor(element) {
    this.properties = { lines: [], current: null, empty: "", lang: "en", isHandicap: false, onGo: () => {} };
    this.focused = [0, 0];
    this.element = element;
    element.classList.add("lines");
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.keyPressed(event));
    // A click is not to take the focus, so that the keys keep their meaning for the page.
    element.addEventListener("mousedown", (event) => event.target.closest(".move") && event.preventDefault());
  }

  set(changes) {
    Object.assign(this.properties, changes);
    const { lines, empty, lang, current } = this.properties;
    const { element } = this;
    if (lines.length === 0) {
      // Without a role an element has no name.
      for (const name of ["role", "aria-label"]) element.removeAttribute(name);
      this.cells = [];
      return element.replaceChildren(htmlElement("p", "line", empty));
    }
    element.setAttribute("role", "grid");
    element.setAttribute("aria-label", sharedText(lang).lines);
    element.querySelector("p")?.remove();
    fill(element, lines, makeLine);
    this.cells = lines.map((line, index) => this.update(element.children[index], line));
    const row = lines.findIndex(({ id }) => id === current?.id);
    if (row >= 0) this.focused = [row, current.at - 1];
    this.focusOn(...this.focused);
  }

  // Changes a row in place: a click on a move that goes meanwhile would be lost. Returns its cells.
  update(row, { id, label, score, moves, note, kind }) {
    const { current, lang, isHandicap } = this.properties;
    row.className = "line " + (kind ?? "");
    const [head, list, remark] = row.children;
    setText(head.children[0], label ?? "");
    setText(head.children[1], score);
    setText(remark, note ?? "");
    fill(list, moves, makeCell);
    const cells = [...list.children];
    cells.forEach((cell, index) => {
      const isHere = current?.id === id && current.at === index + 1;
      setText(cell, moves[index]);
      cell.setAttribute("aria-label", spokenMark(moves[index], lang, isHandicap));
      cell.classList.toggle("here", isHere);
      if (isHere) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
    });
    return cells;
  }

  focusedCell() {
    return this.cells[this.focused[0]]?.[this.focused[1]];
  }

  // Makes a cell, or the one nearest to it, the tab stop.
  focusOn(row, column) {
    const filled = this.cells.map((cells, index) => index).filter((index) => this.cells[index].length > 0);
    if (filled.length === 0) return;
    const nearest = filled.reduce((best, index) => (Math.abs(index - row) < Math.abs(best - row) ? index : best));
    for (const cell of this.cells.flat()) cell.tabIndex = -1;
    this.focused = [nearest, Math.max(0, Math.min(column, this.cells[nearest].length - 1))];
    this.focusedCell().tabIndex = 0;
  }

  goTo(row, column) {
    this.focusOn(row, column);
    this.properties.onGo(this.properties.lines[this.focused[0]].id, this.focused[1] + 1);
    this.focusedCell()?.focus();
  }

  clicked(event) {
    const cell = event.target.closest(".move");
    const row = this.cells.findIndex((cells) => cells.includes(cell));
    if (row < 0) return;
    this.focusOn(row, this.cells[row].indexOf(cell));
    this.properties.onGo(this.properties.lines[row].id, this.focused[1] + 1);
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = this.focused;
    const end = (this.cells[row]?.length ?? 1) - 1;
    const targets = {
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], Home: [row, 0], End: [row, end],
      ArrowUp: [Math.max(0, row - 1), 0], ArrowDown: [Math.min(this.cells.length - 1, row + 1), 0], Enter: [row, column], " ": [row, column],
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    this.goTo(...targets[event.key]);
  }
}

// Gives an element as many children as there are items.
function fill(element, items, make) {
  while (element.children.length > items.length) element.lastElementChild.remove();
  while (element.children.length < items.length) element.append(make());
}

function makeLine() {
  const row = htmlElement("div");
  row.setAttribute("role", "row");
  const head = htmlElement("span", "head");
  head.setAttribute("role", "rowheader");
  head.append(htmlElement("span", "small"), htmlElement("span", "score"));
  const moves = htmlElement("span", "moves");
  moves.setAttribute("role", "presentation");
  row.append(head, moves, htmlElement("span", "small"));
  return row;
}

function makeCell() {
  const cell = htmlElement("span", "move");
  cell.setAttribute("role", "gridcell");
  return cell;
}
