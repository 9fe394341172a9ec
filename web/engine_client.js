// The engine for the page: calls with one result each. It hides the worker and the protocol.

import { positionLine } from "./usi.js";

// The message of web/engine/kawasemi.js when the engine has crashed.
const FAILURE = "info string error: the engine has failed: ";

/** Why the engine is not running. @typedef {"load" | "unsupported" | "memory" | "crash"} EngineFailure */

/** The error of a call: `message` is in English, `ja` in Japanese. */
class CallError extends Error {
  constructor({ en, ja }) {
    super(en);
    this.ja = ja;
  }
}

/**
 * One search at a time: a new one stops the one before it and waits for its answer.
 */
export class Engine {
  constructor(worker = new Worker(new URL("./engine_worker.js", import.meta.url), { type: "module" })) {
    this.worker = worker;
    this.pendingCalls = new Map();
    this.nextCallId = 0;
    this.sentOptions = new Map();
    this.optionNames = new Set();
    this.expected = null;
    this.currentSearch = null;
    this.hasFailed = false;
    /** @type {(why: EngineFailure) => void} */
    this.onFailure = () => {};
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      // A worker that does not start has no message.
      this.fail(event.message ? "crash" : "load", event.message || "the worker of the engine did not start");
    };
  }

  receive(data) {
    if ("failed" in data) return this.fail(data.failed, data.detail);
    if ("line" in data) return this.handleLine(data.line);
    const pending = this.pendingCalls.get(data.id);
    this.pendingCalls.delete(data.id);
    if ("error" in data) pending.reject(new CallError(data.error));
    else pending.resolve(data.result);
  }

  handleLine(line) {
    if (line.startsWith(FAILURE)) return this.fail("crash", line.slice(FAILURE.length));
    const option = /^option name (\S+) type/.exec(line);
    if (option) this.optionNames.add(option[1]);
    if (this.expected?.word === line) this.expected.resolve();
    if (!this.currentSearch) return;
    if (/^(bestmove|checkmate)\b/.test(line)) this.currentSearch.finish(line);
    else if (line.startsWith("info ")) this.currentSearch.onInfo(line);
  }

  /** The engine has ended. The answer with which it ends a search does not count; of several reasons the first is told. */
  fail(why, detail) {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.searchToken = null;
    // For developers, in the words of the browser.
    console.error(`the engine is not running: ${detail}`);
    this.onFailure(why);
  }

  send(line) {
    this.worker.postMessage({ line });
  }

  /** Sends a line and waits for the line that answers it. */
  request(line, word) {
    return new Promise((resolve) => {
      this.expected = { word, resolve };
      this.send(line);
    });
  }

  async start() {
    await this.request("usi", "usiok");
    await this.request("isready", "readyok");
  }

  async newGame() {
    await this.stop();
    await this.request("isready", "readyok");
    this.send("usinewgame");
  }

  /** A question about rules or records; see docs/browser.md. */
  call(name, argument) {
    return new Promise((resolve, reject) => {
      const id = this.nextCallId++;
      this.pendingCalls.set(id, { resolve, reject });
      this.worker.postMessage({ id, call: name, argument });
    });
  }

  /** Sets the options that the engine has and that differ from what was set before. */
  setOptions(options) {
    for (const [name, value] of Object.entries(options)) {
      if (!this.optionNames.has(name) || this.sentOptions.get(name) === value) continue;
      this.sentOptions.set(name, value);
      this.send(`setoption name ${name} value ${value}`);
    }
  }

  /**
   * Searches and resolves with the last line of the answer, `bestmove ...` or `checkmate ...`; with null if another
   * search or `stop` came before, or if the engine has failed.
   * @param {{start: string, moves: string[], go: string, options?: object, onInfo?: (line: string) => void}} request
   * @returns {Promise<string | null>}
   */
  async search({ start, moves, go, options = {}, onInfo = () => {} }) {
    const token = (this.searchToken = Symbol("search"));
    await this.stopSearch();
    if (this.searchToken !== token) return null;
    this.setOptions(options);
    this.send(positionLine(start, moves));
    const line = await new Promise((finish) => {
      this.currentSearch = { finish, onInfo: (text) => this.searchToken === token && onInfo(text) };
      this.send(go);
    });
    this.currentSearch = null;
    return this.searchToken === token ? line : null;
  }

  /** Stops the search, whose answer is dropped. */
  async stop() {
    this.searchToken = null;
    await this.stopSearch();
  }

  /** Ends the search early; its answer counts. */
  moveNow() {
    if (this.currentSearch) this.send("stop");
  }

  stopSearch() {
    if (!this.currentSearch) return this.ending;
    const search = this.currentSearch;
    if (!search.isStopping) {
      search.isStopping = true;
      const { finish } = search;
      this.ending = new Promise((resolve) => {
        search.finish = (line) => {
          finish(line);
          // After the answer has been taken.
          setTimeout(resolve);
        };
      });
      search.onInfo = () => {};
      this.send("stop");
    }
    return this.ending;
  }
}
