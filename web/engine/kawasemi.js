/**
 * Kawasemi as a WebAssembly module with the interface `shogihome-wasm-engine/1`: an object that takes and
 * gives lines of USI.
 *
 *     import createEngine from "./kawasemi.js";
 *     const engine = await createEngine();
 *     engine.addMessageListener(console.log);
 *     engine.postMessage("go byoyomi 1000");
 *     const timer = setInterval(() => engine.poll(), 10); // until bestmove or checkmate comes
 *
 * The module has one thread. A search runs in slices: each `poll` searches for some ten milliseconds. To
 * suspend it, the module calls `pause`, which has Asyncify (https://kripken.github.io/blog/wasm/2019/07/16/asyncify.html)
 * save the stack and return; the next `poll` restores it.
 *
 * @typedef {object} Settings
 * @property {(line: string) => void} [printErr] takes diagnostics.
 * @property {(path: string) => string} [locateFile] gives the address of a file beside this one.
 * @property {BufferSource | WebAssembly.Module} [wasm] the module, if it is at hand already.
 */

/** How long a slice of a search lasts, in milliseconds. */
const SLICE_MS = 10;
/** Room for the saved stack of a search, in bytes: its locals take about a kilobyte a ply. */
const SAVED_STACK_BYTES = 1 << 20;
/** What Asyncify does at the moment. */
const NORMAL = 0;
const REWINDING = 2;
/** Commands that end a search. */
const ENDS_SEARCH = /^\s*(stop|gameover|quit|go|position|isready)\b/;

/** The error of a call: `message` is in English, `ja` in Japanese. */
class CallError extends Error {
  /** @param {{en: string, ja: string}} message */
  constructor({ en, ja }) {
    super(en);
    this.name = "CallError";
    this.ja = ja;
  }
}

class Engine {
  #exports;
  #decoder = new TextDecoder();
  #encoder = new TextEncoder();
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();
  #printErr;
  /** When the slice ends, by `performance.now()`. */
  #sliceEnd = 0;
  /** Whether a search is suspended. */
  #suspended = false;
  /** Address of the saved stack. */
  #saved = 0;
  #ended = false;
  /** Whether a function of the module runs: listeners are called only when it has returned. */
  #busy = false;
  /** What to do when it has returned: lines to take, and polls. @type {(() => void)[]} */
  #tasks = [];
  /** Lines of the engine that no listener has got yet. @type {string[]} */
  #written = [];
  /** The answer to the last call. */
  #response = "";

  /** @param {(line: string) => void} printErr */
  constructor(printErr) {
    this.#printErr = printErr;
  }

  /** What the module imports. */
  get imports() {
    return {
      kawasemi: {
        now: () => performance.now(),
        pause: () => this.#pause(performance.now() >= this.#sliceEnd),
        wait: () => this.#pause(true),
        write: (text, length) => this.#write(this.#text(text, length)),
        respond: (text, length) => (this.#response = this.#text(text, length)),
        fail: (text, length) => this.#printErr(this.#text(text, length)),
      },
    };
  }

  /** @param {WebAssembly.Exports} exports */
  start(exports) {
    this.#exports = exports;
    if (!exports.kawasemi_start()) throw new RangeError("there is no memory for the engine");
    this.#saved = exports.kawasemi_saved_stack(SAVED_STACK_BYTES);
  }

  /** Takes one line of USI. From a listener too: then it is handled after the lines before it. */
  postMessage(line) {
    if (/^\s*quit\b/.test(line)) return this.terminate();
    this.#run(() => {
      this.#fill(this.#encoder.encode(line));
      this.#exports.kawasemi_line();
      // A search that is to end does so at once.
      if (this.#suspended && ENDS_SEARCH.test(line)) this.#slice();
    });
  }

  /** Adds a listener, which gets each line of the engine without its line end. */
  addMessageListener(listener) {
    this.#listeners.add(listener);
  }

  removeMessageListener(listener) {
    this.#listeners.delete(listener);
  }

  /** Searches for some ten milliseconds, if there is something to search. */
  poll() {
    // One that comes from a listener adds nothing.
    if (!this.#busy) this.#run(() => this.#slice());
  }

  /** Ends the engine. Nothing is written any more. */
  terminate() {
    this.#ended = true;
    this.#listeners.clear();
    this.#tasks = [];
    this.#written = [];
  }

  /**
   * Asks the library about games and positions: see docs/browser.md.
   *
   * @param {string} name
   * @param {unknown} argument
   * @returns {unknown}
   */
  call(name, argument) {
    if (this.#ended) throw new CallError({ en: "the engine has ended", ja: "エンジンは終了しています" });
    const request = this.#encoder.encode(JSON.stringify({ call: name, argument }));
    this.#guard(() => {
      this.#fill(request);
      this.#exports.kawasemi_call();
    });
    const { result, error } = JSON.parse(this.#response);
    if (error !== undefined) throw new CallError(error);
    return result;
  }

  /** Does a task with the module, or puts it off while another is done, and hands on what is written. */
  #run(task) {
    if (this.#ended) return;
    this.#tasks.push(task);
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#tasks.length > 0) {
        this.#guard(this.#tasks.shift());
        this.#deliver();
      }
    } finally {
      this.#busy = false;
    }
  }

  /** Calls the listeners. One that fails harms neither the engine nor the others. */
  #deliver() {
    while (this.#written.length > 0) {
      const line = this.#written.shift();
      for (const listener of [...this.#listeners]) {
        try {
          listener(line);
        } catch (error) {
          this.#printErr(`a listener has failed: ${error?.stack ?? error}`);
        }
      }
    }
  }

  #slice() {
    this.#sliceEnd = performance.now() + SLICE_MS;
    if (this.#suspended) this.#exports.asyncify_start_rewind(this.#saved);
    this.#exports.kawasemi_search();
    this.#suspended = this.#exports.asyncify_get_state() !== NORMAL;
    if (this.#suspended) this.#exports.asyncify_stop_unwind();
    this.#exports.kawasemi_poll();
  }

  /** Called by a search: suspends it, or has it go on after it was suspended. */
  #pause(suspend) {
    if (this.#exports.asyncify_get_state() === REWINDING) {
      this.#exports.asyncify_stop_rewind();
    } else if (suspend) {
      this.#exports.asyncify_start_unwind(this.#saved);
    }
  }

  /** Runs a part of the module. A fault in it ends the engine: the state of the module is unknown. */
  #guard(run) {
    try {
      run();
    } catch (error) {
      const searching = this.#suspended;
      this.#write(`info string error: the engine has failed: ${error.message}\n`);
      if (searching) this.#write("bestmove resign\n");
      this.#deliver();
      this.terminate();
      throw error;
    }
  }

  /** Puts a text into the buffer of the module. */
  #fill(bytes) {
    const buffer = this.#exports.kawasemi_buffer(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, buffer, bytes.length).set(bytes);
  }

  #text(address, length) {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }

  #write(lines) {
    this.#written.push(...lines.split("\n").slice(0, -1));
  }
}

/** The module, from the network or, in Node.js, from a file. */
async function load(address) {
  if (address.startsWith("file:")) {
    const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
    return readFile(new URL(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/**
 * Starts an engine.
 *
 * @param {Settings} [settings]
 * @returns {Promise<Engine>}
 */
export default async function createEngine(settings = {}) {
  const { printErr = console.error, locateFile } = settings;
  const locate = locateFile ?? ((path) => new URL(path, import.meta.url).href);
  const wasm = settings.wasm ?? (await load(locate("kawasemi.wasm")));
  const engine = new Engine(printErr);
  const loaded = await WebAssembly.instantiate(wasm, engine.imports);
  engine.start((loaded.instance ?? loaded).exports);
  return engine;
}
