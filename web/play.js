// The play page: connects the engine, the game, the match, the study and the view.

import { NewGameDialog, SettingsDialog, isAgreed } from "./dialogs.js";
import { Engine } from "./engine_client.js";
import { Game } from "./game.js";
import { Match, matchHeaders } from "./match.js";
import { pageWords } from "./play_text.js";
import { applyTheme, currentLanguage, preference, remember } from "./preferences.js";
import { RecordDialog } from "./record_dialog.js";
import { SavedGames } from "./saved_games.js";
import { Session } from "./session.js";
import { Study } from "./study.js";
import { words } from "./text.js";
import { View } from "./view.js";

const byId = (id) => document.getElementById(id);
// Milliseconds between two looks at the clock.
const TICK = 200;

export class Page {
  constructor() {
    this.engine = new Engine();
    this.session = new Session(this.engine);
    this.study = new Study(this.session);
    /** @type {Match | null} */
    this.match = null;
    this.isReady = false;
    /** Why the engine is not running, or null. @type {import("./engine_client.js").EngineFailure | null} */
    this.failure = null;
    this.savedGames = new SavedGames();
    /** The game that the one on the page has replaced. @type {import("./saved_games.js").SavedGame | null} */
    this.previous = null;
    this.isTurned = false;
    this.isToBeDrawn = false;
    this.preferences = this.readPreferences();
    this.applyPreferences();
    this.view = new View(this);
    this.newGame = new NewGameDialog(byId("new-game"), (settings, sfen) => this.begin(settings, sfen));
    this.settings = new SettingsDialog(byId("settings"), (name, value) => this.prefer(name, value));
    this.record = new RecordDialog(byId("record"), this.session, {
      onOpen: (game) => this.openGame(game), onPrevious: () => this.openPrevious(), hasPrevious: () => this.previous !== null,
    });
    this.buttons = this.makeButtons();
    this.listen();
    this.applyWords();
    this.show();
  }

  async start() {
    this.engine.onFailure = (why) => {
      // What is kept stays as it was after the last move: a reload goes on from there.
      this.isReady = false;
      this.failure = why;
      this.show();
    };
    const opening = this.savedGames.open();
    await this.engine.start();
    this.handicaps = await this.engine.call("handicaps", null);
    const { game, previous } = await opening;
    this.previous = previous;
    this.isReady = true;
    await this.restore(game);
    this.show();
  }

  get text() {
    return pageWords(this.preferences.language);
  }

  get isMatchOn() {
    return this.match !== null && !this.match.isOver;
  }

  get canPlay() {
    const { report } = this.session;
    if (!this.isReady || !report || report.end) return false;
    return this.isMatchOn ? this.match.canPlay : true;
  }

  /** The side at the bottom of the board. */
  get below() {
    const user = this.match?.settings.user ?? "black";
    return (user === "black") === this.isTurned ? "white" : "black";
  }

  // Preferences.

  readPreferences() {
    return {
      language: currentLanguage(),
      theme: preference("theme", "auto"),
      pieces: preference("pieces", "kanji"),
      coordinates: preference("coordinates", currentLanguage() === "ja" ? "japanese" : "western"),
      lineCount: preference("line-count", "3"),
      moveTime: preference("move-time", "1"),
    };
  }

  prefer(name, value) {
    this.preferences[name] = value;
    remember({ lineCount: "line-count", moveTime: "move-time" }[name] ?? name, value);
    this.applyPreferences();
    this.applyWords();
    this.settings.fill(this.preferences);
    if (name === "lineCount" && this.study.running === "position") this.study.analyse();
    this.show();
  }

  applyPreferences() {
    applyTheme(this.preferences.theme);
    this.study.lineCount = Number(this.preferences.lineCount);
    this.study.moveTime = 1000 * Number(this.preferences.moveTime);
  }

  applyWords() {
    document.documentElement.lang = this.preferences.language;
    document.title = this.text.title;
    for (const element of document.querySelectorAll("[data-text]")) element.textContent = this.text[element.dataset.text];
    for (const { button, name, symbol } of this.buttons) {
      const word = this.text[name] ?? words(this.preferences.language)[name];
      button.textContent = symbol || word;
      if (symbol) button.setAttribute("aria-label", word);
      button.title = symbol ? word : "";
    }
  }

  // Buttons.

  makeButtons() {
    const { session, study } = this;
    const isFree = () => this.isReady && !this.isMatchOn;
    const toggle = (what, start) => () => (study.running === what ? study.stop() : start());
    const rows = {
      navigation: [
        { name: "first", symbol: "|◀", act: () => session.first() },
        { name: "back", symbol: "◀", act: () => session.back() },
        { name: "forth", symbol: "▶", act: () => session.forth() },
        { name: "last", symbol: "▶|", act: () => session.last() },
        { name: "flip", symbol: "⇅", act: () => this.turn() },
      ],
      "match-actions": [
        { name: "takeBack", can: () => this.match?.canTakeBack, act: () => this.takeBack() },
        { name: "hint", can: () => this.match?.canPlay, act: () => study.giveHint() },
        { name: "moveNow", can: () => this.match?.isThinking, act: () => this.engine.hurry() },
        { name: "declare", isRare: true, can: () => this.match?.canDeclare, act: () => this.match.declare() },
        { name: "resign", can: () => this.match?.isUsersTurn, act: () => this.match.resign() },
      ],
      "study-actions": [
        { name: "analyse", pressed: "position", can: isFree, act: toggle("position", () => study.analyse()) },
        { name: "analyseGame", pressed: "game", can: isFree, act: toggle("game", () => study.analyseGame()) },
        { name: "solve", pressed: "mate", can: isFree, act: toggle("mate", () => study.solve()) },
      ],
    };
    return Object.entries(rows).flatMap(([id, row]) => row.map((properties) => {
      const button = document.createElement("button");
      button.type = "button";
      button.id = `button-${properties.name}`;
      button.addEventListener("click", () => properties.act());
      byId(id).append(button);
      return { ...properties, button };
    }));
  }

  listen() {
    this.session.onChange(() => this.placeChanged());
    this.study.onChange = () => this.show();
    byId("open-new-game").addEventListener("click", () => this.isReady && this.newGame.open(this.handicaps, this.preferences.language));
    byId("open-record").addEventListener("click", () => this.openRecords());
    byId("open-settings").addEventListener("click", () => this.settings.open(this.preferences));
    this.record.acceptDrops(byId("drop"), () => this.openRecords());
    addEventListener("keydown", (event) => this.keyPressed(event));
    addEventListener("paste", (event) => this.pasted(event));
    setInterval(() => this.tick(), TICK);
    addEventListener("pagehide", () => this.leavePage());
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("dialog, input, select, textarea")) return;
    const acts = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last" };
    if (!(event.key in acts)) return;
    event.preventDefault();
    this.session[acts[event.key]]();
  }

  /** A record can be pasted anywhere. */
  pasted(event) {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (!text) return;
    if (this.openRecords()) this.record.read({ text });
  }

  /** Returns whether the dialog is open: there is none before the engine is ready. */
  openRecords() {
    if (this.isReady) this.record.open(this.preferences.language);
    return this.isReady;
  }

  turn() {
    this.isTurned = !this.isTurned;
    this.show();
  }

  // What the user does with the game.

  async userMoved(usi) {
    if (this.isMatchOn) return this.match.canPlay && this.match.move(usi);
    await this.session.play(usi);
    this.save();
  }

  /** Begins a match from a start position, or from the position that is shown. */
  async begin(settings, sfen) {
    this.keepPrevious();
    await this.leave();
    await this.engine.newGame();
    this.isTurned = false;
    const { session } = this;
    if (sfen) await session.show(new Game(sfen), 0);
    // The buttons of the analysis can be pressed until here.
    await this.study.reset();
    this.join(new Match(session, settings, session.current));
    if (!sfen) session.game.setAside(session.current);
    const [you, engine] = [this.text.you, "Kawasemi"];
    const players = settings.user === "black" ? { black: you, white: engine } : { black: engine, white: you };
    session.game.headers = matchHeaders(session.game.headers, players);
    this.view.board.focus();
    await this.match.proceed();
  }

  /** Also after the end of a match, when an analysis may run: a match goes on without one. */
  async takeBack() {
    if (!this.match.canTakeBack) return;
    this.study.reset();
    await this.match.takeBack();
  }

  join(match) {
    this.match = match;
    match.onChange = () => this.show();
    match.onMove = () => {
      this.study.reset();
      this.save();
    };
    match.onEnd = () => {
      this.study.reset();
      // Both sides can be played from now on, but not by a move that was begun in the match.
      this.view.board.cancel();
      this.session.gameChanged();
      this.save();
    };
  }

  /** Ends what goes on, for another game. */
  async leave() {
    this.match?.abandon();
    this.match = null;
    await this.study.reset();
  }

  /** Shows a record; asks before that ends a match. Returns whether it is shown. */
  async openGame(game) {
    if (this.isMatchOn && !(await isAgreed(byId("confirm"), this.text.endsMatch))) return false;
    this.keepPrevious();
    await this.leave();
    await this.session.show(game, 0);
    this.save();
    return true;
  }

  /** Whether the user may want the game on the page back when another one has replaced it. */
  get isWorthKeeping() {
    return !this.session.game.isEmpty && !(this.isMatchOn && !this.match.hasBegun);
  }

  /** Keeps the game on the page, and its match as it is, before another one replaces it. */
  keepPrevious() {
    if (!this.isWorthKeeping) return;
    this.previous = this.snapshot({ withFound: true });
    // What has no room there either is kept until the page is closed.
    if (!this.savedGames.savePrevious(this.previous)) this.savedGames.savePrevious(this.snapshot({ withFound: false }));
  }

  /** Exchanges the game on the page with the one before. */
  async openPrevious() {
    const { previous } = this;
    this.previous = null;
    this.savedGames.savePrevious(null);
    this.keepPrevious();
    await this.leave();
    await this.restore(previous);
    this.save();
  }

  /** Goes to a position of a line that was found: its moves become a branch of the game. */
  follow(id, at) {
    const line = this.study.lines.find((line) => line.id === id);
    if (!line || this.isMatchOn) return;
    this.session.go(this.session.graft(this.study.node, line.moves.slice(0, at)));
  }

  // What is shown and kept.

  placeChanged() {
    this.study.placeChanged();
    this.show();
  }

  /** Draws the page before the browser next shows it: once, however much has changed. */
  show() {
    if (this.isToBeDrawn) return;
    this.isToBeDrawn = true;
    requestAnimationFrame(() => {
      this.isToBeDrawn = false;
      this.draw();
    });
  }

  draw() {
    for (const { button, can, pressed, isRare } of this.buttons) {
      if (can) button.disabled = !this.isReady || !can();
      // After a match only what can still be done is of use.
      button.hidden = button.disabled && (isRare || this.match?.isOver === true);
      if (pressed) button.setAttribute("aria-pressed", String(this.study.running === pressed));
    }
    byId("match-actions").hidden = !this.match;
    for (const id of ["study-actions", "graph", "lines"]) byId(id).hidden = this.isMatchOn;
    this.view.show();
  }

  tick() {
    if (!this.isReady || !this.isMatchOn) return;
    this.match.checkFlag();
    this.view.showPlayers();
  }

  save() {
    if (!this.isReady) return;
    const isSaved = (what) => this.savedGames.save(this.snapshot(what));
    // The analysis of a long game can be more than the browser keeps.
    if (isSaved({ withFound: true }) || isSaved({ withFound: false })) return;
    this.savedGames.removeOldest().then((hasRoom) => hasRoom && this.save());
  }

  /** The game as plain values. @returns {import("./saved_games.js").SavedGame} */
  snapshot(what) {
    const { game, current } = this.session;
    return { game: game.toTree(what), path: game.moves(current), match: this.match?.save() ?? null };
  }

  /** Saves the place and the clock too. */
  leavePage() {
    if (this.match || !this.session.game.isEmpty) this.save();
  }

  /** Shows a saved game, and goes on with its match. */
  async restore(saved) {
    try {
      if (!saved) return await this.session.go(0);
      const { game: tree, path, match } = saved;
      const game = Game.fromTree(tree);
      const isShown = this.session.show(game, game.walk(path));
      // At once: a page that is left while the rules are asked keeps the match too.
      if (match) this.join(Match.restore(this.session, match));
      await isShown;
      if (this.isMatchOn) await this.match.proceed();
    } catch {
      // Of another version, or damaged: a new game instead.
      this.match = null;
      await this.session.show(new Game(), 0);
    }
  }
}

const page = new Page();
page.start();

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("./service_worker.js", import.meta.url)).catch(() => {
    // Without it, from a file or in a private window, the page needs its network.
  });
}
