// A game between the user and the engine: whose turn it is, the clock, and how the game ends.
//
// It plays at the end of one line of the cursor's game. While it runs, the user may look at earlier positions, but
// plays at the end only.

import { Clock } from "./clock.js";
import { gameOptions } from "./levels.js";
import { otherSide } from "./sfen.js";

// Milliseconds for a move of the engine in a game without a clock.
const UNLIMITED_MOVE = 2000;
// Milliseconds without a look at the clock that tell that the page has slept, as on a phone, and the engine with it.
const ASLEEP = 2000;

/**
 * @typedef {{user: "black" | "white", level: string, limits: {main: number, byoyomi: number, increment: number} | null}}
 *   MatchSettings
 */

// Headers of a record that are false for a match from one of its positions. So are all about a player.
const HEADERS_OF_GAME = new Set(["場所", "対局日", "開始日時", "終了日時", "持ち時間", "秒読み", "消費時間", "最大手数", "持将棋", "戦型",
  "記録係", "手数", "結果"]);
const PLAYER = /^[先後上下]手/;

const END = "終了日時";

const now = () => new Date().toLocaleString("sv").replaceAll("-", "/");

/** Main time, byoyomi and increment in seconds, as in CSA 3. The writers of records convert it. */
function timeLimit({ main, byoyomi, increment }) {
  return [main, byoyomi, increment].map((milliseconds) => Math.round(milliseconds) / 1000).join("+");
}

/**
 * The headers of a match that begins in a game with these headers: what is still true stays, such as the event.
 * @param {[string, string][]} headers @param {{black: string, white: string}} players
 * @param {MatchSettings["limits"]} limits
 */
export function matchHeaders(headers, { black, white }, limits) {
  const kept = headers.filter(([name]) => !HEADERS_OF_GAME.has(name) && !PLAYER.test(name));
  const clock = limits ? [["持ち時間", timeLimit(limits)]] : [];
  return [["先手", black], ["後手", white], ["開始日時", now()], ...clock, ...kept];
}

export class Match {
  /** @param {import("./game_cursor.js").GameCursor} cursor @param {MatchSettings} settings */
  constructor(cursor, settings, start = cursor.current, lastNode = start) {
    this.cursor = cursor;
    this.game = cursor.game;
    this.settings = settings;
    /** The position where the match began. Moves before it belong to a record and are not taken back. */
    this.start = start;
    /** The last position of the game, which the next move leaves. */
    this.lastNode = lastNode;
    this.clock = new Clock(settings.limits);
    /** When somebody last looked at the clock. */
    this.checkedAt = this.clock.now();
    /** Once the game is over: { end, winner }, where winner is null for a draw. */
    this.result = null;
    this.onEnd = () => {};
    this.onChange = () => {};
    this.onMove = () => {};
  }

  get side() {
    return this.game.sideAfter(this.lastNode);
  }

  /** Whether a move has been made. */
  get hasBegun() {
    return this.lastNode !== this.start;
  }

  get isOver() {
    return this.result !== null;
  }

  get isUsersTurn() {
    return !this.isOver && this.side === this.settings.user;
  }

  get isEnginesTurn() {
    return !this.isOver && !this.isUsersTurn;
  }

  /** Whether the page shows the last position of the game. */
  get isShown() {
    return this.cursor.game === this.game && this.cursor.current === this.lastNode;
  }

  /** Whether the user can play on the board now. */
  get canPlay() {
    return this.isUsersTurn && this.isShown && this.cursor.report?.end === null;
  }

  /** Goes on from the last position of the game: the first time, and after a move. */
  async proceed() {
    const turn = (this.turn = Symbol("turn"));
    const report = await this.cursor.go(this.lastNode);
    // Ended, left or taken back meanwhile. That the user looks elsewhere by now does not stop the game.
    if (this.isOver || this.turn !== turn) return;
    if (report.end) return this.finish(endWord(report.end), report.end.winner);
    this.clock.start(this.side);
    this.onChange();
    if (this.isEnginesTurn) await this.think();
  }

  async think() {
    const { lastNode } = this;
    const go = this.settings.limits ? this.clock.goLine() : `go btime 0 wtime 0 byoyomi ${UNLIMITED_MOVE}`;
    const line = await this.cursor.engine.search({
      start: this.game.start, moves: this.game.moves(lastNode), go, options: gameOptions(this.settings.level),
    });
    // Taken back or ended meanwhile.
    if (line === null || this.lastNode !== lastNode || this.isOver) return;
    const move = line.split(" ")[1];
    if (move === "resign") return this.finish("resign", this.settings.user);
    if (move === "win") return this.finish("declaration", this.side);
    await this.move(move);
  }

  /** The user's or the engine's move in the last position of the game. */
  async move(usi) {
    if (this.checkFlag()) return;
    const used = this.clock.endMove();
    this.lastNode = this.game.extend(this.lastNode, usi);
    if (this.settings.limits) this.game.nodes[this.lastNode].seconds = Math.floor(used / 1000);
    this.onMove();
    await this.proceed();
  }

  /** Takes back the user's last move, and the engine's answer to it. */
  async takeBack() {
    if (!this.canTakeBack) return;
    this.clock.stop();
    // A game that was over goes on with a new clock: the old one may have run out.
    if (this.isOver) this.clock = new Clock(this.settings.limits);
    this.removeEndTime();
    this.result = null;
    this.cursor.engine.stop();
    // At once, so that taking back twice in a row takes back two moves.
    do {
      this.lastNode = this.game.nodes[this.lastNode].parent;
    } while (this.side !== this.settings.user);
    this.game.removeAfter(this.lastNode);
    await this.proceed();
  }

  /** Whether the user has made a move in this match. */
  get canTakeBack() {
    const path = this.game.path(this.lastNode);
    return path.slice(path.indexOf(this.start), -1).some((id) => this.game.sideAfter(id) === this.settings.user);
  }

  /** In a record it is always the side to move that resigns. */
  resign() {
    if (this.isUsersTurn) this.finish("resign", otherSide(this.settings.user));
  }

  declare() {
    if (this.canDeclare) this.finish("declaration", this.settings.user);
  }

  get canDeclare() {
    return this.canPlay && this.cursor.report.declaration;
  }

  /** Ends the game if the time is over. The page asks several times a second. */
  checkFlag() {
    const unseen = this.clock.now() - this.checkedAt;
    this.checkedAt += unseen;
    if (unseen > ASLEEP && this.isEnginesTurn) this.clock.skip(unseen);
    if (this.isOver || !this.clock.hasFlagged) return false;
    this.finish("time_up", otherSide(this.clock.running));
    return true;
  }

  /** Leaves the game as it is: another one begins. */
  abandon() {
    this.clock.stop();
    this.result ??= { end: "interrupted", winner: null };
    this.cursor.engine.stop();
  }

  finish(end, winner) {
    if (this.isOver) return;
    this.clock.stop();
    this.result = { end, winner };
    this.cursor.engine.stop();
    this.game.finish(this.lastNode, end);
    this.removeEndTime();
    this.game.headers.push([END, now()]);
    this.onEnd();
    this.onChange();
  }

  removeEndTime() {
    this.game.headers = this.game.headers.filter(([name]) => name !== END);
  }

  /** Plain values from which `restore` makes the match again. */
  save() {
    const { settings, result, game } = this;
    const left = { ...this.clock.left };
    if (this.clock.running) left[this.clock.running] = this.clock.remaining(this.clock.running).main;
    return { settings, start: game.moves(this.start), lastNode: game.moves(this.lastNode), result, left };
  }

  /** Makes the match again on the game of the cursor. */
  static restore(cursor, { settings, start, lastNode, result, left }) {
    const match = new Match(cursor, settings, cursor.game.walk(start), cursor.game.walk(lastNode));
    match.result = result;
    match.clock.left = left;
    if (result?.end === "time_up") match.clock.flagged = otherSide(result.winner);
    return match;
  }
}

// In a record a loss by perpetual check is a foul.
const endWord = ({ reason, winner }) => ({
  mate: "mate", no_moves: "mate", repetition: "repetition",
  perpetual_check: winner === "black" ? "foul_by_white" : "foul_by_black",
})[reason];
