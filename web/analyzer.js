// Runs the analyses that the user asks for: the lines of a position, the scores of a whole game, a hint, a mate.
//
// One of these runs at a time. Lines are { id, score, depth, nodes, moves } with moves { usi, ja, en }, scores from
// Black's side.

import { analysisOptions } from "./levels.js";
import { parseInfo, scoreForBlack } from "./usi.js";

const HINT_TIME = 1500;
const MATE_TIME = 180_000;
// Milliseconds between two updates of what is shown.
const REFRESH = 300;
const REFRESH_GAME = 1500;

export class Analyzer {
  /** @param {import("./game_cursor.js").GameCursor} cursor */
  constructor(cursor) {
    this.cursor = cursor;
    this.engine = cursor.engine;
    /** What runs: { what }, or null. A run that was replaced may still wait for an answer, and then changes nothing. */
    this.run = null;
    this.lines = [];
    /** The game and the node that the lines belong to: the nodes of every game have the same numbers. */
    this.game = null;
    this.node = null;
    /** @type {{usi: string, ja: string, en: string} | null} */
    this.hint = null;
    this.progress = null;
    this.outcome = null;
    this.lineCount = 3;
    this.moveTime = 1000;
    /** The timer of the next update of the list of moves and the graph, or null. */
    this.gameTimer = null;
    this.onChange = () => {};
  }

  /** "position", "game", "mate", "hint", or null. */
  get running() {
    return this.run?.what ?? null;
  }

  get options() {
    return analysisOptions(this.lineCount);
  }

  clear() {
    this.lines = [];
    this.node = null;
    this.hint = null;
    this.outcome = null;
    this.progress = null;
  }

  begin(what) {
    this.clear();
    this.run = { what };
    this.takePlace();
    this.onChange();
    return this.run;
  }

  /** Ends a run, unless another has replaced it. */
  end(run) {
    if (this.run !== run) return;
    this.run = null;
    this.progress = null;
    this.onChange();
  }

  async stop() {
    this.end(this.run);
    await this.engine.stop();
  }

  /** Stops, and forgets what was found. */
  async reset() {
    this.clear();
    await this.stop();
  }

  /** The lines belong to the position that is shown. */
  takePlace() {
    this.game = this.cursor.game;
    this.node = this.cursor.current;
  }

  /** Lets the user look elsewhere: the analysis of a position follows, a hint goes. */
  cursorMoved() {
    if (this.cursor.game === this.game && this.cursor.current === this.node) return;
    this.hint = null;
    this.outcome = null;
    if (this.running === "position") return void this.analysePosition();
    if (this.running !== null) return;
    const { analysis } = this.cursor.game.nodes[this.cursor.current];
    if (!analysis && this.followed) return;
    this.lines = analysis ?? [];
    this.takePlace();
  }

  /** The line that leads from its position to the one that is shown, and how many of its moves: { id, at }, or null. */
  get followed() {
    const { game, current } = this.cursor;
    const path = game.path(current);
    const from = game === this.game ? path.indexOf(this.node) : -1;
    if (from < 0) return null;
    const moves = path.slice(from + 1).map((id) => game.nodes[id].usi);
    const line = this.lines.find((line) => moves.every((usi, index) => line.moves[index]?.usi === usi));
    return line ? { id: line.id, at: moves.length } : null;
  }

  /** Analyses the current position until it is stopped. */
  async analysePosition() {
    const run = this.begin("position");
    const { node } = this;
    const { game } = this.cursor;
    await this.search(node, "go infinite", (lines) => {
      game.nodes[node].analysis = lines;
      if (this.run === run) this.lines = lines;
    });
    // Also without an answer: a match may have stopped the search.
    this.end(run);
  }

  /** Analyses every position of the line that is shown, from its end, as `kawasemi analyze` does. */
  async analyseGame() {
    const run = this.begin("game");
    const { game, current } = this.cursor;
    const line = game.line(current).reverse();
    for (const [done, node] of line.entries()) {
      this.progress = { done, all: line.length };
      this.onChange();
      const onLines = (lines) => (game.nodes[node].analysis = lines);
      const answer = await this.search(node, `go movetime ${this.moveTime}`, onLines, { MultiPV: "1" });
      if (answer === null || this.run !== run) return this.end(run);
    }
    this.outcome = { kind: "analysed" };
    this.takePlace();
    this.lines = game.nodes[this.node].analysis ?? [];
    this.end(run);
  }

  /** Finds a move for the user, to be shown as an arrow. */
  async findHint() {
    const run = this.begin("hint");
    const { node } = this;
    let best = [];
    const answer = await this.search(node, `go movetime ${HINT_TIME}`, (lines) => (best = lines), { MultiPV: "1" });
    const isWanted = answer !== null && this.run === run && this.cursor.current === node;
    if (isWanted) this.hint = best[0]?.moves[0] ?? null;
    this.end(run);
  }

  /** Looks for a mate by checks. */
  async solveMate() {
    const run = this.begin("mate");
    const { sfen, moves } = this.cursor.query;
    const { node } = this;
    const options = { MateAim: "Shortest" };
    const answer = await this.engine.search({ start: sfen, moves, go: `go mate ${MATE_TIME}`, options });
    if (answer === null) return this.end(run);
    const words = answer.split(/\s+/).slice(1);
    if (["nomate", "timeout", "notimplemented"].includes(words[0])) {
      this.outcome = { kind: words[0] === "nomate" ? "noMate" : "mateTimeout" };
    } else {
      await this.showMate(run, node, words);
    }
    this.end(run);
  }

  async showMate(run, node, moves) {
    const [named] = await this.engine.call("spell", { ...this.queryAt(node), lines: [moves] });
    if (this.run !== run) return;
    const winner = this.cursor.game.sideAfter(node) === "black" ? 1 : -1;
    const score = { mate: winner * moves.length, bound: "exact" };
    this.lines = [{ id: 1, score, depth: moves.length, nodes: 0, moves: named }];
    this.outcome = { kind: "mateFound", plies: moves.length };
  }

  queryAt(node) {
    const { game } = this.cursor;
    return { sfen: game.start, moves: game.moves(node) };
  }

  /**
   * Searches a position of the game; `onLines` gets the lines with the names of their moves now and then, and in the
   * end.
   * @returns {Promise<string | null>} null if the search was replaced
   */
  async search(node, go, onLines, options = {}) {
    const query = this.queryAt(node);
    const side = this.cursor.game.sideAfter(node);
    const lines = new NewestLines(side);
    let [isBusy, isStale] = [false, false];
    const show = async () => {
      [isBusy, isStale] = [true, false];
      const found = lines.list();
      const names = await this.engine.call("spell", { ...query, lines: found.map(({ moves }) => moves) });
      onLines(found.map((line, index) => ({ ...line, moves: names[index] })));
      this.showChange();
      setTimeout(() => {
        isBusy = false;
        if (isStale) show();
      }, REFRESH);
    };
    const answer = await this.engine.search({
      start: query.sfen, moves: query.moves, go, options: { ...this.options, ...options },
      onInfo: (text) => {
        // Lines come one by one, several at a time, and after the last ones there may be no more.
        isStale = lines.add(text) || isStale;
        if (isStale && !isBusy) show();
      },
    });
    if (answer !== null && lines.list().length > 0) await show();
    isStale = false;
    this.showGame();
    return answer;
  }

  /** Shows new lines at once, but the list of moves and the graph not so often: they are long. */
  showChange() {
    this.cursor.changed();
    this.gameTimer ??= setTimeout(() => this.showGame(), REFRESH_GAME);
  }

  showGame() {
    clearTimeout(this.gameTimer);
    this.gameTimer = null;
    this.cursor.gameChanged();
  }
}

/** The newest line of each rank; no two begin with one move. */
export class NewestLines {
  constructor(side) {
    this.side = side;
    this.byRank = new Map();
  }

  /** Returns whether the line of USI had anything to show. */
  add(text) {
    const info = parseInfo(text);
    if (!info?.score) return false;
    const { rank, depth, nodes, moves } = info;
    const same = [...this.byRank.values()].filter((line) => line.id === rank || line.moves[0] === moves[0]);
    // A bound, or a win by declaration, says less than the line of the iteration before. A mated side has no line.
    if ((info.score.bound !== "exact" || moves.length === 0) && same.length > 0) return false;
    // A move that gets another rank has two for a while: the newest counts.
    for (const { id } of same) this.byRank.delete(id);
    this.byRank.set(rank, { id: rank, score: scoreForBlack(info.score, this.side), depth, nodes, moves });
    return true;
  }

  /** In the order of the ranks. */
  list() {
    return [...this.byRank.values()].sort((a, b) => a.id - b.id);
  }
}
