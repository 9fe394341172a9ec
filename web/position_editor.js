// The dialog in which a position is set up by hand.

import { fillSelect } from "./dialogs.js";
import { createEditorBoard } from "./editor_board.js";
import { errorText, handicapName, pageText } from "./play_text.js";
import { TSUME_SFEN, clear, handOutBox } from "./setup.js";
import { parseSfen, writeSfen } from "./sfen.js";
import { sideName } from "./text.js";

export class PositionEditor {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("./engine_client.js").Engine} engine
   * @param {object} handlers
   * @param {(sfen: string) => void} handlers.onFinish called with a position that can be played
   * @param {(question: string) => Promise<boolean>} handlers.ask whether the user agrees
   */
  constructor(dialog, engine, { onFinish, ask }) {
    Object.assign(this, { dialog, engine, onFinish, ask });
    this.form = dialog.querySelector("form");
    this.message = dialog.querySelector(".message");
    this.lang = "en";
    /** The positions before the edits, for undo. */
    this.past = [];
    this.board = createEditorBoard(dialog.querySelector(".board-to-edit"), { onEdit: (position) => this.edit(position) });
    this.listen();
  }

  listen() {
    const acts = {
      finish: () => this.finish(),
      undo: () => this.undo(),
      cancel: () => this.leave(),
      setUp: () => this.edit(parseSfen(this.field("handicap").value)),
      tsume: () => this.edit(parseSfen(TSUME_SFEN)),
      clear: () => this.edit(clear(this.position)),
      handOut: () => this.edit(handOutBox(this.position, "white")),
    };
    for (const [name, act] of Object.entries(acts)) this.field(name).addEventListener("click", act);
    this.field("side").addEventListener("change", ({ target }) => this.edit({ ...this.position, side: target.value }));
    // By Escape, or the gesture of a phone. The second time in a row a browser closes the dialog whatever the page says.
    this.dialog.addEventListener("cancel", (event) => {
      if (!event.cancelable) return;
      event.preventDefault();
      this.leave();
    });
    this.dialog.addEventListener("keydown", (event) => {
      // With Caps Lock it is a capital. Ctrl+Shift+Z is the usual key to redo.
      if (event.key.toLowerCase() !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.undo();
    });
  }

  field(name) {
    return this.form.elements.namedItem(name);
  }

  /**
   * @param {string} sfen the position to begin with
   * @param {{name: string, preset: string, sfen: string}[]} handicaps
   * @param {{lang: string, below: string, pieces: string, coordinates: string}} appearance of the board
   */
  open(sfen, handicaps, appearance) {
    this.lang = appearance.lang;
    fillSelect(this.field("side"), ["black", "white"].map((side) => [side, sideName(side, this.lang)]));
    fillSelect(this.field("handicap"), handicaps.map((one) => [one.sfen, handicapName(one, this.lang)]));
    // First, because it focuses the first cell of the board.
    this.dialog.showModal();
    this.board.begin(appearance);
    this.past = [];
    this.show(parseSfen(sfen));
    this.board.focus();
  }

  edit(position) {
    // As by a button that is pressed twice: there is nothing to undo.
    if (writeSfen(position) === writeSfen(this.position)) return;
    this.past.push(this.position);
    this.show(position, pageText(this.lang).edited);
  }

  undo() {
    if (this.past.length > 0) this.show(this.past.pop(), pageText(this.lang).edited);
  }

  /** @param {string | null} announcement for a screen reader, unless the board tells more */
  show(position, announcement = null) {
    this.position = position;
    this.field("side").value = position.side;
    this.field("undo").disabled = this.past.length === 0;
    this.message.textContent = "";
    this.board.set({ sfen: writeSfen(position), announcement });
  }

  /** The engine knows what can be played. */
  async finish() {
    const sfen = writeSfen({ ...this.position, number: 1 });
    try {
      await this.engine.call("position", { sfen });
    } catch (error) {
      this.message.textContent = errorText(error, this.lang);
      return;
    }
    // Two clicks in a row finish once.
    if (!this.dialog.open) return;
    this.dialog.close();
    this.onFinish(sfen);
  }

  async leave() {
    const isEdited = this.past.length > 0;
    if (!isEdited || (await this.ask(pageText(this.lang).discardsEdits))) this.dialog.close();
  }
}
