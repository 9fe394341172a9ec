// The play page: connects the engine, the game, the match, the analyzer and the view.

import { Analyzer } from "./analyzer.js";
import { NewGameDialog, SettingsDialog, askYesNo } from "./dialogs.js";
import { Engine } from "./engine_client.js";
import { Game } from "./game.js";
import { GameCursor } from "./game_cursor.js";
import { Match, matchHeaders } from "./match.js";
import { pageText } from "./play_text.js";
import { PositionEditor } from "./position_editor.js";
import { applyTheme, currentLanguage, preference, remember } from "./preferences.js";
import { RecordDialog } from "./record_dialog.js";
import { SavedGames } from "./saved_games.js";
import { sharedText } from "./text.js";
import { View } from "./view.js";

const byId = (id) => document.getElementById(id);
// Milliseconds between two looks at the clock.
const TICK = 200;

export class Page {
  constructor() {
    this.engine = new Engine();
    this.cursor = new GameCursor(this.engine);
    this.analyzer = new Analyzer(this.cursor);
    /** @type {Match | null} */
    this.match = null;
    this.isReady = false;
    /** Why the engine is not running, or null. @type {import("./engine_client.js").EngineFailure | null} */
    this.failure = null;
    this.savedGames = new SavedGames();
    /** The game that the one on the page has replaced. @type {import("./saved_games.js").SavedGame | null} */
    this.previous = null;
    /** The games of the file that was opened last, and the revision of the cursor when one of them was shown. */
    this.opened = { games: null, revision: 0 };
    this.isFlipped = false;
    this.isDrawScheduled = false;
    this.preferences = this.readPreferences();
    this.applyPreferences();
    this.view = new View(this);
    this.newGameDialog = new NewGameDialog(byId("new-game"), (settings, sfen) => this.startMatch(settings, sfen));
    this.settingsDialog = new SettingsDialog(byId("settings"), (name, value) => this.changePreference(name, value));
    this.recordDialog = new RecordDialog(byId("record"), this.cursor, {
      onOpen: (game, games) => this.openGame(game, games),
      onPrevious: () => this.openPrevious(),
      hasPrevious: () => this.previous !== null,
    });
    this.positionEditor = new PositionEditor(byId("position-editor"), this.engine, {
      onFinish: (sfen) => this.openPosition(sfen),
      ask: (question) => askYesNo(byId("confirm"), question),
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
    return pageText(this.preferences.language);
  }

  get isMatchOn() {
    return this.match !== null && !this.match.isOver;
  }

  get canPlay() {
    const { report } = this.cursor;
    if (!this.isReady || !report || report.end) return false;
    return this.isMatchOn ? this.match.canPlay : true;
  }

  /** The side at the bottom of the board. */
  get below() {
    const user = this.match?.settings.user ?? "black";
    return (user === "black") === this.isFlipped ? "white" : "black";
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

  changePreference(name, value) {
    this.preferences[name] = value;
    remember({ lineCount: "line-count", moveTime: "move-time" }[name] ?? name, value);
    this.applyPreferences();
    this.applyWords();
    this.settingsDialog.fill(this.preferences);
    if (name === "lineCount" && this.analyzer.running === "position") this.analyzer.analysePosition();
    this.show();
  }

  applyPreferences() {
    applyTheme(this.preferences.theme);
    this.analyzer.lineCount = Number(this.preferences.lineCount);
    this.analyzer.moveTime = 1000 * Number(this.preferences.moveTime);
  }

  applyWords() {
    document.documentElement.lang = this.preferences.language;
    document.title = this.text.title;
    for (const element of document.querySelectorAll("[data-text]")) element.textContent = this.text[element.dataset.text];
    for (const { button, name, symbol } of this.buttons) {
      const word = this.text[name] ?? sharedText(this.preferences.language)[name];
      button.textContent = symbol || word;
      if (symbol) button.setAttribute("aria-label", word);
      button.title = symbol ? word : "";
    }
  }

  // Buttons.

  makeButtons() {
    const { cursor, analyzer } = this;
    const isFree = () => this.isReady && !this.isMatchOn;
    const toggle = (what, start) => () => (analyzer.running === what ? analyzer.stop() : start());
    // With U+FE0E, without which phones draw some of the symbols as emoji.
    const rows = {
      navigation: [
        { name: "first", symbol: "|◀\uFE0E", act: () => cursor.first() },
        { name: "back", symbol: "◀\uFE0E", act: () => cursor.back() },
        { name: "forward", symbol: "▶\uFE0E", act: () => cursor.forward() },
        { name: "last", symbol: "▶\uFE0E|", act: () => cursor.last() },
        { name: "flip", symbol: "⇅", act: () => this.flip() },
      ],
      "match-actions": [
        { name: "takeBack", can: () => this.match?.canTakeBack, act: () => this.takeBack() },
        { name: "hint", can: () => this.match?.canPlay, act: () => analyzer.findHint() },
        { name: "moveNow", can: () => this.match?.isEnginesTurn, act: () => this.engine.moveNow() },
        { name: "declare", isRare: true, can: () => this.match?.canDeclare, act: () => this.match.declare() },
        { name: "resign", can: () => this.match?.isUsersTurn, act: () => this.resign() },
      ],
      "analysis-actions": [
        { name: "analyse", pressed: "position", can: isFree, act: toggle("position", () => analyzer.analysePosition()) },
        { name: "analyseGame", pressed: "game", can: isFree, act: toggle("game", () => analyzer.analyseGame()) },
        { name: "solve", pressed: "mate", can: isFree, act: toggle("mate", () => analyzer.solveMate()) },
        { name: "editPosition", can: () => isFree() && cursor.sfen !== null, act: () => this.editPosition() },
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
    this.cursor.onChange(() => this.cursorMoved());
    this.analyzer.onChange = () => this.show();
    byId("open-new-game").addEventListener("click", () => this.newGameDialog.open(this.handicaps, this.preferences.language));
    byId("open-record").addEventListener("click", () => this.openRecords());
    byId("open-settings").addEventListener("click", () => this.settingsDialog.open(this.preferences));
    this.recordDialog.acceptDrops(byId("drop"), () => this.openRecords());
    addEventListener("keydown", (event) => this.keyPressed(event));
    addEventListener("paste", (event) => this.pasted(event));
    setInterval(() => this.tick(), TICK);
    addEventListener("pagehide", () => this.leavePage());
    // A phone ends a page in the background without another event.
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.leavePage());
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    // The focus may be outside an open dialog, as after a click on its text.
    if (document.querySelector("dialog[open]")) return;
    const acts = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
    if (!(event.key in acts)) return;
    event.preventDefault();
    this.cursor[acts[event.key]]();
  }

  /** A record can be pasted anywhere. */
  pasted(event) {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (!text) return;
    if (this.openRecords()) this.recordDialog.read({ text });
  }

  /** Returns whether the dialog is open: not before the engine is ready, nor above the position editor. */
  openRecords() {
    const canOpen = this.isReady && !byId("position-editor").open;
    if (canOpen) this.recordDialog.open(this.preferences.language);
    return canOpen;
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.show();
  }

  // What the user does with the game.

  /** A move on the board, which may still show another position: during a drag, or until the next frame. */
  async userMoved(usi) {
    if (!this.canPlay || !this.cursor.report.legal.includes(usi)) return;
    if (this.isMatchOn) return this.match.move(usi);
    await this.cursor.play(usi);
    this.save();
  }

  /** Begins a match from a start position, or from the position that is shown. */
  async startMatch(settings, sfen) {
    this.keepPrevious();
    await this.stopAll();
    await this.engine.newGame();
    this.isFlipped = false;
    const { cursor } = this;
    if (sfen) await cursor.open(new Game(sfen), 0);
    // The buttons of the analysis can be pressed until here.
    await this.analyzer.reset();
    this.attachMatch(new Match(cursor, settings, cursor.current));
    if (!sfen) cursor.game.setAside(cursor.current);
    const [you, engine] = [this.text.you, "Kawasemi"];
    const players = settings.user === "black" ? { black: you, white: engine } : { black: engine, white: you };
    cursor.game.headers = matchHeaders(cursor.game.headers, players, settings.limits);
    this.view.board.focus();
    await this.match.proceed();
  }

  /** Also after the end of a match, when an analysis may run: a match goes on without one. */
  async takeBack() {
    if (!this.match.canTakeBack) return;
    this.analyzer.reset();
    await this.match.takeBack();
  }

  /** Asks first: the button is beside others, which a tap may miss. */
  async resign() {
    const { match } = this;
    if (await askYesNo(byId("confirm"), this.text.reallyResign)) match.resign();
  }

  attachMatch(match) {
    this.match = match;
    match.onChange = () => this.show();
    match.onMove = () => {
      this.analyzer.reset();
      this.save();
    };
    match.onEnd = () => {
      this.analyzer.reset();
      // Both sides can be played from now on, but not by a move that was begun in the match.
      this.view.board.cancel();
      this.cursor.gameChanged();
      this.save();
    };
  }

  /** Ends what goes on, for another game. */
  async stopAll() {
    this.match?.abandon();
    this.match = null;
    await this.analyzer.reset();
  }

  /** Shows one of the games of a file; asks before that ends a match. Returns whether it is shown. */
  async openGame(game, games) {
    if (this.isMatchOn && !(await askYesNo(byId("confirm"), this.text.endsMatch))) return false;
    const { cursor, opened } = this;
    // Whoever leafs through the games of a file wants back what was there before the file.
    if (opened.games !== games || opened.revision !== cursor.revision) this.keepPrevious();
    await this.stopAll();
    await cursor.open(game, 0);
    this.opened = { games, revision: cursor.revision };
    this.save();
    return true;
  }

  editPosition() {
    const { language, pieces, coordinates } = this.preferences;
    const appearance = { lang: language, below: this.below, pieces, coordinates };
    this.positionEditor.open(this.cursor.sfen, this.handicaps, appearance);
  }

  /** Begins a game from a position that was set up. */
  openPosition(sfen) {
    const game = new Game(sfen);
    return this.openGame(game, [game]);
  }

  /** Whether the user may want the game on the page back when another one has replaced it. */
  get isWorthKeeping() {
    return !this.cursor.game.isEmpty && !(this.isMatchOn && !this.match.hasBegun);
  }

  /** Keeps the game on the page, and its match as it is, before another one replaces it. */
  keepPrevious() {
    if (!this.isWorthKeeping) return;
    this.previous = this.snapshot({ withAnalysis: true });
    // What has no room there either is kept until the page is closed.
    if (!this.savedGames.savePrevious(this.previous)) this.savedGames.savePrevious(this.snapshot({ withAnalysis: false }));
  }

  /** Exchanges the game on the page with the previous one. */
  async openPrevious() {
    const { previous } = this;
    this.previous = null;
    this.savedGames.savePrevious(null);
    this.keepPrevious();
    await this.stopAll();
    await this.restore(previous);
    this.save();
  }

  /** Goes to a position of a line that was found: its moves become a branch of the game. */
  goToLine(id, at) {
    const line = this.analyzer.lines.find((line) => line.id === id);
    if (!line || this.isMatchOn) return;
    this.cursor.go(this.cursor.addLine(this.analyzer.node, line.moves.slice(0, at)));
  }

  // What is shown and kept.

  cursorMoved() {
    this.analyzer.cursorMoved();
    this.show();
  }

  /** Draws the page before the browser next shows it: once, however much has changed. */
  show() {
    if (this.isDrawScheduled) return;
    this.isDrawScheduled = true;
    requestAnimationFrame(() => {
      this.isDrawScheduled = false;
      this.draw();
    });
  }

  draw() {
    for (const { button, can, pressed, isRare } of this.buttons) {
      if (can) button.disabled = !this.isReady || !can();
      // After a match only what can still be done is of use.
      button.hidden = button.disabled && (isRare || this.match?.isOver === true);
      if (pressed) button.setAttribute("aria-pressed", String(this.analyzer.running === pressed));
    }
    for (const id of ["open-new-game", "open-record"]) byId(id).disabled = !this.isReady;
    byId("match-actions").hidden = !this.match;
    for (const id of ["analysis-actions", "lines"]) byId(id).hidden = this.isMatchOn;
    // For whoever opens the page to play.
    byId("open-new-game").classList.toggle("main", !this.match && this.cursor.game.isEmpty);
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
    if (isSaved({ withAnalysis: true }) || isSaved({ withAnalysis: false })) return;
    this.savedGames.removeOldest().then((hasRoom) => hasRoom && this.save());
  }

  /** The game as plain values. @returns {import("./saved_games.js").SavedGame} */
  snapshot(what) {
    const { game, current } = this.cursor;
    return { game: game.toTree(what), path: game.moves(current), match: this.match?.save() ?? null };
  }

  /** Saves the place and the clock too. */
  leavePage() {
    if (this.match || !this.cursor.game.isEmpty) this.save();
  }

  /** Shows a saved game, and goes on with its match. */
  async restore(saved) {
    try {
      if (!saved) return await this.cursor.go(0);
      const { game: tree, path, match } = saved;
      const game = Game.fromTree(tree);
      const isShown = this.cursor.open(game, game.walk(path));
      // At once: a page that is left while the rules are asked keeps the match too.
      if (match) this.attachMatch(Match.restore(this.cursor, match));
      await isShown;
      if (this.isMatchOn) await this.match.proceed();
    } catch {
      // Of another version, or damaged: a new game instead.
      this.match = null;
      await this.cursor.open(new Game(), 0);
    }
  }
}

const page = new Page();
page.start();

// Lets the page work without a network. Browsers refuse that at an address that is not secure.
async function workOffline() {
  try {
    await navigator.serviceWorker.register(new URL("./service_worker.js", import.meta.url));
  } catch {
    byId("offline").hidden = true;
  }
}

workOffline();
