/** Settings of {@link createEngine}; all are optional. */
export interface EngineSettings {
  /** Takes diagnostics; by default `console.error`. */
  printErr?: (line: string) => void;
  /** Gives the address of a file of this package; by default the one beside the script. */
  locateFile?: (path: string) => string;
  /** The WebAssembly module, if it is at hand already. */
  wasm?: BufferSource | WebAssembly.Module;
}

/** The error of a call, for the user: `message` is in English. */
export interface CallError extends Error {
  /** The message in Japanese. */
  ja: string;
}

/** An engine with the interface `shogihome-wasm-engine/1`. */
export interface Engine {
  /** Takes one line of USI. */
  postMessage(line: string): void;
  /** Adds a listener, which gets each line of the engine without its line end. */
  addMessageListener(listener: (line: string) => void): void;
  removeMessageListener(listener: (line: string) => void): void;
  /**
   * Searches for some ten milliseconds. After `go` and `ponderhit` call it again and again until `bestmove`
   * or `checkmate` comes.
   */
  poll(): void;
  /** Ends the engine. Nothing is written any more. */
  terminate(): void;
  /**
   * Asks the library about games and positions without the search: `readGames`, `writeGame`, `position` and
   * others.
   *
   * @throws {@link CallError}
   */
  call(name: string, argument?: unknown): unknown;
}

/**
 * Starts an engine.
 *
 * @throws Error if the module cannot be loaded or there is no memory.
 */
export default function createEngine(settings?: EngineSettings): Promise<Engine>;
