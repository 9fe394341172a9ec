// Shows the state of the page: board, players with their clocks, status, graph, lines, list of moves.

import { createBoard } from "./board.js";
import { setText } from "./dom.js";
import { createGraph } from "./graph.js";
import { levelName } from "./levels.js";
import { createLines, createMoveList } from "./movelist.js";
import { endText, pageText } from "./play_text.js";
import { otherSide, parseSfen } from "./sfen.js";
import { columnsOf, moveText, partOf, pointsOf, rowsOf } from "./move_analysis.js";
import { duration, moveInWords, sharedText, sideName } from "./text.js";
import { winRateOf, scoreText } from "./usi.js";

const byId = (id) => document.getElementById(id);
// Seconds that are shown as few.
const SHORT_TIME = 10;

export class View {
  /** @param {import("./play.js").Page} page */
  constructor(page) {
    this.page = page;
    const { cursor } = page;
    this.shown = {};
    this.isPressed = false;
    this.board = createBoard(byId("board"), { onMove: (usi) => page.userMoved(usi) });
    this.graph = createGraph(byId("graph"), { onGo: (index) => cursor.go(this.line[index]) });
    this.moveList = createMoveList(byId("movelist"), { onGo: (id) => cursor.go(id) });
    this.lines = createLines(byId("lines"), { onGo: (id, at) => page.goToLine(id, at) });
    byId("board").addEventListener("pointerdown", () => (this.isPressed = true));
    // Where a context menu opens at once, no release of the button follows.
    for (const type of ["pointerup", "pointercancel", "contextmenu"]) {
      addEventListener(type, () => {
        this.isPressed = false;
        this.showBoard();
      });
    }
  }

  show() {
    this.line = this.page.cursor.game.line(this.page.cursor.current);
    this.showBoard();
    this.showPlayers();
    this.showStatus();
    this.showGame();
    // Of one position there is nothing to show.
    byId("graph").hidden = this.page.isMatchOn || this.line.length < 2;
    this.showLines();
    this.showComment();
  }

  /** Gives the board what has changed only, because it redraws and drops what the user has begun. */
  showBoard() {
    // A drag would end if the board were drawn anew.
    const { cursor, preferences } = this.page;
    if (this.isPressed || cursor.sfen === null) return;
    const wanted = {
      sfen: cursor.sfen,
      below: this.page.below,
      lastMove: cursor.lastMove,
      check: cursor.report?.check ?? false,
      legal: this.page.canPlay ? cursor.report.legal : null,
      arrows: this.arrows(),
      lang: preferences.language,
      isHandicap: cursor.game.isHandicap,
      pieces: preferences.pieces,
      coordinates: preferences.coordinates,
    };
    const changes = Object.entries(wanted).filter(([name, value]) => {
      const text = JSON.stringify(value);
      const isNew = this.shown[name] !== text;
      this.shown[name] = text;
      return isNew;
    });
    if (changes.length === 0) return;
    const isMoved = changes.some(([name]) => name === "sfen");
    this.board.set({ ...Object.fromEntries(changes), announcement: isMoved ? this.lastMoveInWords() : null });
  }

  /** For a screen reader; null if the position before is not known: then the board tells the square and its piece. */
  lastMoveInWords() {
    const { game, lastMove, sfenBefore } = this.page.cursor;
    const { language } = this.page.preferences;
    if (!lastMove) return sharedText(language).start;
    return sfenBefore && moveInWords(parseSfen(sfenBefore), lastMove, language, game.isHandicap);
  }

  arrows() {
    const { analyzer, cursor } = this.page;
    if (analyzer.hint) return [{ usi: analyzer.hint.usi, weight: 1, kind: "hint" }];
    if (this.page.isMatchOn || analyzer.node !== cursor.current) return [];
    const lines = analyzer.lines.filter(({ moves }) => moves.length > 0);
    if (lines.length === 0) return [];
    const mover = cursor.game.sideAfter(cursor.current) === "black" ? 1 : -1;
    const best = winRateOf(lines[0].score);
    return lines.map(({ score, moves }, index) => {
      const loss = Math.max(0, mover * (best - winRateOf(score)));
      return { usi: moves[0].usi, weight: Math.max(0.1, 1 - 6 * loss), kind: index === 0 ? "best" : "other" };
    });
  }

  showPlayers() {
    const { below } = this.page;
    this.showPlayer(byId("player-above"), otherSide(below));
    this.showPlayer(byId("player-below"), below);
  }

  showPlayer(row, side) {
    const { match, cursor, preferences, text } = this.page;
    const name = match
      ? side === match.settings.user ? text.you : text.engine(levelName(match.settings.level, preferences.language))
      : cursor.game.header(side === "black" ? "先手" : "後手");
    setText(row.querySelector(".name"), `${sideName(side, preferences.language, cursor.game.isHandicap)} ${name}`.trim());
    row.classList.toggle("to-move", side === cursor.game.sideAfter(cursor.current));
    this.showClock(row.querySelector(".clock"), side);
  }

  showClock(element, side) {
    const { match } = this.page;
    if (!match?.settings.limits) return setText(element, "");
    const { main, byoyomi } = match.clock.remaining(side);
    const seconds = Math.ceil((main > 0 ? main : byoyomi) / 1000);
    const isRunning = match.clock.running === side;
    const extra = main > 0 && byoyomi > 0 ? ` +${Math.round(byoyomi / 1000)}` : "";
    setText(element, duration(seconds) + extra);
    element.classList.toggle("running", isRunning);
    element.classList.toggle("short", isRunning && seconds <= SHORT_TIME && extra === "");
  }

  showStatus() {
    const status = byId("status");
    // A screen reader tells that the analysis of a game begins and ends, but not every position on the way.
    status.setAttribute("aria-live", this.page.analyzer.progress?.done > 0 ? "off" : "polite");
    setText(status, this.statusText());
  }

  statusText() {
    const { match, analyzer, cursor, text, preferences } = this.page;
    const lang = preferences.language;
    if (this.page.failure) return text.engineFailed(text.failures[this.page.failure]);
    if (!this.page.isReady) return text.loading;
    if (analyzer.progress) return text.analysingGame(analyzer.progress.done, analyzer.progress.all);
    if (analyzer.running === "mate") return text.solving;
    if (analyzer.running === "position" || analyzer.running === "hint") return text.analysing;
    if (analyzer.hint) return text.hintIs(moveText(analyzer.hint, lang));
    if (analyzer.outcome && analyzer.node === cursor.current) return this.outcomeText(analyzer.outcome);
    if (match?.isOver) return endText(match.result, match.settings.user, lang, cursor.game.isHandicap);
    if (!match) return cursor.report?.end ? text.isOver(cursor.report.end.reason) : text.bothSidesCanMove;
    if (match.isEnginesTurn) return text.thinking;
    if (!match.isShown) return text.lookingBack;
    return (cursor.report?.check ? text.check + " " : "") + text.yourTurn;
  }

  outcomeText({ kind, plies }) {
    const { text } = this.page;
    return kind === "mateFound" ? text.mateFound(plies) : text[kind];
  }

  /** Draws list and graph anew if the game has changed, and marks the place in them. */
  showGame() {
    const { cursor, preferences } = this.page;
    const lang = preferences.language;
    const { isHandicap } = cursor.game;
    const index = this.line.indexOf(cursor.current);
    const part = partOf(this.line, index);
    const state = `${lang} ${isHandicap} ${cursor.revision} ${part.from} ${this.line.length} ${this.line.at(-1)}`;
    if (state === this.gameState && cursor.game === this.drawnGame) {
      this.moveList.set({ current: cursor.current });
      this.graph.set({ current: index });
      return;
    }
    [this.gameState, this.drawnGame] = [state, cursor.game];
    const rows = rowsOf(cursor.game, this.line, part, lang);
    this.moveList.set({ rows, columns: columnsOf(rows), current: cursor.current, lang, isHandicap });
    this.graph.set({ points: pointsOf(cursor.game, this.line, lang), current: index, lang, isHandicap });
  }

  showLines() {
    const { analyzer, cursor, preferences, text } = this.page;
    const lang = preferences.language;
    const { isHandicap } = cursor.game;
    const current = this.page.isMatchOn ? null : analyzer.followed;
    const lines = (current ? analyzer.lines : []).map(({ id, score, depth, nodes, moves }) => ({
      id, kind: "", label: "",
      score: scoreText(score, lang),
      moves: moves.map((move) => moveText(move, lang)),
      note: nodes > 0 ? text.depth(depth, nodes.toLocaleString(lang)) : "",
    }));
    const state = JSON.stringify([lines, lang, isHandicap, current]);
    if (state === this.linesState) return;
    this.linesState = state;
    this.lines.set({ lines, lang, isHandicap, empty: text.noLines, current: current?.at > 0 ? current : null });
  }

  showComment() {
    const { cursor } = this.page;
    const comments = cursor.game.nodes[cursor.current].comments ?? [];
    setText(byId("comment"), comments.join("\n"));
    byId("comment").hidden = comments.length === 0;
  }
}
