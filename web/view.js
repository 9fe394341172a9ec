// Shows the state of the page: board, players with their clocks, status, graph, lines, list of moves.

import { createBoard } from "./board.js";
import { setText } from "./dom.js";
import { createGraph } from "./graph.js";
import { levelName } from "./levels.js";
import { createLines, createMoveList } from "./movelist.js";
import { endText, pageWords } from "./play_text.js";
import { otherSide } from "./sfen.js";
import { columnsOf, moveText, partOf, pointsOf, rowsOf } from "./move_analysis.js";
import { duration } from "./text.js";
import { winRateOf, scoreText } from "./usi.js";

const byId = (id) => document.getElementById(id);
// Seconds that are shown as few.
const SHORT_TIME = 10;

export class View {
  /** @param {import("./play.js").Page} page */
  constructor(page) {
    this.page = page;
    const { session } = page;
    this.shown = {};
    this.isPressed = false;
    this.board = createBoard(byId("board"), { onMove: (usi) => page.userMoved(usi) });
    this.graph = createGraph(byId("graph"), { onGo: (index) => session.go(this.line[index]) });
    this.moveList = createMoveList(byId("movelist"), { onGo: (id) => session.go(id) });
    this.lines = createLines(byId("lines"), { onGo: (id, at) => page.follow(id, at) });
    byId("board").addEventListener("pointerdown", () => (this.isPressed = true));
    for (const type of ["pointerup", "pointercancel"]) {
      addEventListener(type, () => {
        this.isPressed = false;
        this.showBoard();
      });
    }
  }

  show() {
    this.line = this.page.session.game.line(this.page.session.current);
    this.showBoard();
    this.showPlayers();
    this.showStatus();
    this.showGame();
    this.showLines();
    this.showComment();
  }

  /** Gives the board what has changed only, because it redraws and drops what the user has begun. */
  showBoard() {
    // A drag would end if the board were drawn anew.
    const { session, preferences } = this.page;
    if (this.isPressed || session.sfen === null) return;
    const wanted = {
      sfen: session.sfen,
      below: this.page.below,
      lastMove: session.lastMove,
      check: session.report?.check ?? false,
      legal: this.page.canPlay ? session.report.legal : null,
      arrows: this.arrows(),
      lang: preferences.language,
      pieces: preferences.pieces,
      coordinates: preferences.coordinates,
    };
    const changes = Object.entries(wanted).filter(([name, value]) => {
      const text = JSON.stringify(value);
      const isNew = this.shown[name] !== text;
      this.shown[name] = text;
      return isNew;
    });
    if (changes.length > 0) this.board.set(Object.fromEntries(changes));
  }

  arrows() {
    const { study, session } = this.page;
    if (study.hint) return [{ usi: study.hint.usi, weight: 1, kind: "hint" }];
    if (this.page.isMatchOn || study.node !== session.current) return [];
    const lines = study.lines.filter(({ moves }) => moves.length > 0);
    if (lines.length === 0) return [];
    const mover = session.game.sideAfter(session.current) === "black" ? 1 : -1;
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
    const { match, session, preferences, text } = this.page;
    const name = match
      ? side === match.settings.user ? text.you : text.engine(levelName(match.settings.level, preferences.language))
      : session.game.header(side === "black" ? "先手" : "後手");
    const sides = session.game.isHandicap ? text.handicapPlayers : text.players;
    setText(row.querySelector(".name"), `${sides[side]} ${name}`.trim());
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
    setText(byId("status"), this.statusText());
  }

  statusText() {
    const { match, study, session, text, preferences } = this.page;
    const lang = preferences.language;
    if (this.page.failure) return text.engineFailed(text.failures[this.page.failure]);
    if (!this.page.isReady) return text.loading;
    if (study.progress) return text.analysingGame(study.progress.done, study.progress.all);
    if (study.running === "mate") return text.solving;
    if (study.running === "position") return text.analysing;
    if (study.hint) return text.hintIs(moveText(study.hint, lang));
    if (study.outcome) return text[study.outcome.kind] instanceof Function ? text.mateFound(study.outcome.plies) : text[study.outcome.kind];
    if (match?.isOver) return endText(match.result, match.settings.user, lang, session.game.isHandicap);
    if (!match) return session.report?.end ? text.isOver(session.report.end.reason) : text.studying;
    if (match.isThinking) return text.thinking;
    if (!match.isShown) return text.lookingBack;
    return (session.report?.check ? text.check + " " : "") + text.yourTurn;
  }

  /** Draws list and graph anew if the game has changed, and marks the place in them. */
  showGame() {
    const { session, preferences } = this.page;
    const lang = preferences.language;
    const index = this.line.indexOf(session.current);
    const part = partOf(this.line, index);
    const state = `${lang} ${session.revision} ${part.from} ${this.line.length} ${this.line.at(-1)}`;
    if (state === this.gameState && session.game === this.drawnGame) {
      this.moveList.set({ current: session.current });
      this.graph.set({ current: index });
      return;
    }
    [this.gameState, this.drawnGame] = [state, session.game];
    const rows = rowsOf(session.game, this.line, part, lang);
    this.moveList.set({ rows, columns: columnsOf(rows), current: session.current, lang });
    this.graph.set({ points: pointsOf(session.game, this.line, lang), current: index, lang });
  }

  showLines() {
    const { study, preferences, text } = this.page;
    const lang = preferences.language;
    const current = this.page.isMatchOn ? null : study.followed;
    const lines = (current ? study.lines : []).map(({ id, score, depth, nodes, moves }) => ({
      id, kind: "", label: "",
      score: scoreText(score, lang),
      moves: moves.map((move) => moveText(move, lang)),
      note: nodes > 0 ? text.depth(depth, nodes.toLocaleString(lang)) : "",
    }));
    const state = JSON.stringify([lines, lang, current]);
    if (state === this.linesState) return;
    this.linesState = state;
    this.lines.set({ lines, lang, empty: text.noLines, current: current?.at > 0 ? current : null });
  }

  showComment() {
    const { session } = this.page;
    const comments = session.game.nodes[session.current].comments ?? [];
    setText(byId("comment"), comments.join("\n"));
    byId("comment").hidden = comments.length === 0;
  }
}
