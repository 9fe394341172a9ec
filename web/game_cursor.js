// The cursor in the game on the page: its current node is the position on the board. Views listen for changes.
//
// The engine provides the rules: until its answer arrives, the position is shown, but no move can
// be played.

import { Game } from "./game.js";
import { parseSfen, playUsi, writeSfen } from "./sfen.js";

export class GameCursor {
  /** @param {import("./engine_client.js").Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.game = new Game();
    this.current = 0;
    /** What the rules say about the current position; null until they have been asked. */
    this.report = null;
    this.listeners = new Set();
    /** Grows whenever the game or what is known about it changes. */
    this.revision = 0;
    /** The positions that have been shown, as SFEN. */
    this.positions = new Map();
  }

  /** @param {() => void} listener */
  onChange(listener) {
    this.listeners.add(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  /** Notes that the game has changed, and shows it. */
  gameChanged() {
    this.revision += 1;
    this.changed();
  }

  /** The current position, or null as long as neither it nor the one before is known. */
  get sfen() {
    if (this.report) return this.report.sfen;
    const known = this.positions.get(this.current);
    if (known) return known;
    const { lastMove, sfenBefore } = this;
    return sfenBefore && lastMove ? writeSfen(playUsi(parseSfen(sfenBefore), lastMove)) : null;
  }

  get lastMove() {
    return this.game.nodes[this.current].usi ?? null;
  }

  /** The position before the last move, as SFEN; null if it has not been shown. */
  get sfenBefore() {
    return this.positions.get(this.game.nodes[this.current].parent) ?? null;
  }

  get query() {
    return { sfen: this.game.start, moves: this.game.moves(this.current) };
  }

  /** Shows another game, or the same one elsewhere. Resolves when the rules have been asked. */
  async open(game, node) {
    this.game = game;
    this.positions.clear();
    this.revision += 1;
    await this.go(node);
  }

  /** Resolves with what the rules say about the position of the node, also if the user is elsewhere by then. */
  async go(node) {
    const { game } = this;
    this.current = game.nodes[node].end ? game.nodes[node].parent : node;
    node = this.current;
    this.report = null;
    this.changed();
    const report = await this.engine.call("position", this.query);
    const { last } = report;
    if (last && game.nodes[node].ja !== last.ja) {
      Object.assign(game.nodes[node], { ja: last.ja, en: last.en });
      this.revision += 1;
    }
    if (this.game !== game) return report;
    this.positions.set(node, report.sfen);
    if (this.current !== node) return report;
    this.report = report;
    game.isHandicap = report.handicap ?? game.isHandicap;
    this.changed();
    return report;
  }

  /** Plays a legal move. */
  play(usi) {
    this.revision += 1;
    return this.go(this.game.play(this.current, usi));
  }

  back() {
    const { parent } = this.game.nodes[this.current];
    if (parent !== null) this.go(parent);
  }

  forward() {
    const next = this.game.nextMove(this.current);
    if (next !== null) this.go(next);
  }

  first() {
    this.go(0);
  }

  last() {
    this.go(this.game.line(this.current).at(-1));
  }

  /** Plays moves after a node, with their names, without going there. Returns the last node. */
  addLine(node, moves) {
    this.revision += 1;
    return moves.reduce((at, move) => {
      const id = this.game.play(at, move.usi);
      Object.assign(this.game.nodes[id], { ja: move.ja, en: move.en });
      return id;
    }, node);
  }
}
