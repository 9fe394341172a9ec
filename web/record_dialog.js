// The dialog for records: opens files and pasted text, and writes the game in any notation. Files can be dropped
// anywhere on the page.

import { Game } from "./game.js";
import { errorText, pageText } from "./play_text.js";
import { fillSelect } from "./dialogs.js";
import { copyText, download } from "./transfer.js";
import { UNKNOWN_LENGTH } from "./usi.js";

// The engine's readers take as much.
const MAX_BYTES = 4 << 20;
/** Notations with their names, and how a saved file is called and encoded, as by `kawasemi convert`. */
const FORMATS = [
  { format: "kif", name: "KIF", file: "game.kifu", encoding: "utf-8" },
  { format: "ki2", name: "KI2", file: "game.ki2u", encoding: "utf-8" },
  { format: "csa", name: "CSA", file: "game.csa", encoding: "shift_jis" },
  { format: "usi", name: "USI (position … moves …)", file: "game.sfen", encoding: "utf-8" },
  { format: "sfen", name: "SFEN", file: "position.sfen", encoding: "utf-8" },
  { format: "jkf", name: "JKF", file: "game.jkf", encoding: "utf-8" },
];

export class RecordDialog {
  /**
   * @param {import("./game_cursor.js").GameCursor} cursor
   * @param {object} handlers
   * @param {(game: Game, games: object[]) => Promise<boolean>} handlers.onOpen with a game that the user opens, and all
   *   games of its file, the same array for each of them; whether the game is shown
   * @param {() => void} handlers.onPrevious called when the user goes back to the previous game
   * @param {() => boolean} handlers.hasPrevious whether there is one
   */
  constructor(dialog, cursor, { onOpen, onPrevious, hasPrevious }) {
    this.dialog = dialog;
    this.cursor = cursor;
    this.onOpen = onOpen;
    this.hasPrevious = hasPrevious;
    this.form = dialog.querySelector("form");
    this.message = dialog.querySelector(".message");
    this.lang = "en";
    /** What was opened last: the text, or the file in base64, and its games. */
    this.content = null;
    this.games = [];
    /** The index of the game that is shown. */
    this.chosen = 0;
    this.field("read").addEventListener("click", () => this.read({ text: this.field("text").value }));
    // The button of a file field is in the language of the browser.
    this.field("openFile").addEventListener("click", () => this.field("file").click());
    // The same file can be opened again, for example after the user has kept on playing at first.
    this.field("file").addEventListener("click", ({ target }) => (target.value = ""));
    this.field("file").addEventListener("change", ({ target }) => this.readFile(target.files[0]));
    this.field("game").addEventListener("change", ({ target }) => this.choose(Number(target.value)));
    this.field("previous").addEventListener("click", () => {
      this.dialog.close();
      onPrevious();
    });
    this.field("copy").addEventListener("click", () => this.copy());
    this.field("save").addEventListener("click", () => this.save());
  }

  field(name) {
    return this.form.elements.namedItem(name);
  }

  get text() {
    return pageText(this.lang);
  }

  open(lang) {
    this.lang = lang;
    this.offerPrevious();
    fillSelect(this.field("format"), FORMATS.map(({ format, name }) => [format, name]));
    this.showMessage("");
    if (!this.dialog.open) this.dialog.showModal();
  }

  showMessage(text) {
    this.message.textContent = text;
  }

  /**
   * Takes files that are dropped on the page.
   * @param {HTMLElement} sign shown while a file is above the page
   * @param {() => boolean} open opens this dialog if it can be used
   */
  acceptDrops(sign, open) {
    const hasFile = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      sign.hidden = false;
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) sign.hidden = true;
    });
    addEventListener("drop", (event) => {
      sign.hidden = true;
      if (!hasFile(event)) return;
      event.preventDefault();
      if (open()) this.readFile(event.dataTransfer.files[0]);
    });
  }

  async readFile(file) {
    if (!file) return;
    if (file.size > MAX_BYTES) return this.showMessage(this.text.tooLarge);
    const base64 = await base64Of(file).catch(() => null);
    // A folder, or a file that is gone.
    if (base64 === null) return this.showMessage(this.text.unreadable(this.text.fileFailed));
    await this.read({ base64, name: file.name });
  }

  async read(source) {
    if ((source.text ?? "").length > MAX_BYTES) return this.showMessage(this.text.tooLarge);
    try {
      // A program that cuts a comment within an emoji leaves half of it, which is no text to the engine.
      const query = { ...source, text: source.text?.toWellFormed() };
      const { games: found, notes } = await this.cursor.engine.call("readGames", query);
      const content = source.text ?? source.base64;
      // A second press on the button opens no other file.
      const games = content === this.content ? this.games : found;
      if (!(await this.onOpen(Game.fromTree(games[0]), games))) return this.showMessage(this.text.matchGoesOn);
      [this.games, this.chosen, this.content] = [games, 0, content];
      this.offerGames();
      this.offerPrevious();
      this.showMessage([this.readText(), ...this.inLanguage(notes)].join("\n"));
    } catch (error) {
      this.showMessage(this.text.unreadable(errorText(error, this.lang)));
    }
  }

  readText() {
    if (this.games.length > 1) return this.text.readMany(this.games.length);
    const game = Game.fromTree(this.games[0]);
    return this.text.readOne(game.continuation(0).length);
  }

  offerGames() {
    const select = this.field("game");
    select.closest("label").hidden = this.games.length < 2;
    fillSelect(select, this.games.map(({ headers }, index) => {
      const header = (name) => headers.find(([key]) => key === name)?.[1] ?? "";
      return [String(index), `${index + 1}. ${header("先手")} – ${header("後手")}`];
    }), "0");
  }

  offerPrevious() {
    this.field("previous").hidden = !this.hasPrevious();
  }

  async choose(index) {
    if (await this.onOpen(Game.fromTree(this.games[index]), this.games)) {
      this.chosen = index;
      this.offerPrevious();
      return;
    }
    this.field("game").value = String(this.chosen);
    this.showMessage(this.text.matchGoesOn);
  }

  get format() {
    return FORMATS.find(({ format }) => format === this.field("format").value);
  }

  /** The position that is shown is written as SFEN, the whole game otherwise. */
  async write(encoding) {
    const { game, engine, query } = this.cursor;
    const { format } = this.format;
    const isPosition = format === "sfen";
    const tree = isPosition ? new Game((await engine.call("position", query)).sfen).toTree() : game.toTree();
    if (!isPosition) addEvaluations(tree, game.toTree({ withAnalysis: true }));
    return engine.call("writeGame", { game: tree, format, ...(encoding && { encoding }) });
  }

  async copy() {
    try {
      const written = this.write();
      const isCopied = await copyText(written.then(({ text }) => text));
      const { text, losses } = await written;
      this.field("text").value = text;
      if (!isCopied) this.field("text").select();
      this.showMessage([isCopied ? this.text.copied : this.text.notCopied, ...this.lossText(losses)].join("\n"));
    } catch (error) {
      this.showMessage(this.text.unwritable(errorText(error, this.lang)));
    }
  }

  async save() {
    try {
      const { base64, losses } = await this.write(this.format.encoding);
      download(this.format.file, bytesOf(base64));
      this.showMessage(this.lossText(losses).join("\n"));
    } catch (error) {
      this.showMessage(this.text.unwritable(errorText(error, this.lang)));
    }
  }

  lossText(losses) {
    return losses.length > 0 ? [this.text.left, ...this.inLanguage(losses)] : [];
  }

  /** @param {{en: string, ja: string}[]} messages of the engine */
  inLanguage(messages) {
    return messages.map((message) => message[this.lang] ?? message.en);
  }
}

/** Adds what the page has found to the evaluations of a tree, in place of those of the record. */
function addEvaluations(tree, withAnalysis) {
  tree.nodes.forEach((node, index) => {
    const [best] = withAnalysis.nodes[index].analysis ?? [];
    if (!best) return;
    const { centipawns, mate } = best.score;
    const value = mate === undefined ? { centipawns } : {
      winner: mate > 0 ? "black" : "white",
      ...(Math.abs(mate) !== UNKNOWN_LENGTH && { plies: Math.abs(mate) }),
    };
    const line = best.moves.map(({ usi }) => usi);
    node.evaluations = [{ ...value, depth: best.depth, nodes: best.nodes, heading: "解析", line }];
  });
}

async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces = [];
  // As arguments of a function the bytes of a large file would be too many.
  for (let at = 0; at < bytes.length; at += 0x6000) pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
  return pieces.join("");
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
