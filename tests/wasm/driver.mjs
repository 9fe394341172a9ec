/** Drives the WebAssembly build as a page does. */

import createEngine from "../../web/engine/kawasemi.js";

/** An engine with its lines. */
export class Driver {
  lines = [];

  static async start(options = {}) {
    const driver = new Driver();
    driver.engine = await createEngine({ printErr: (line) => driver.lines.push(`ERR ${line}`) });
    driver.engine.addMessageListener((line) => driver.lines.push(line));
    driver.send("usi");
    for (const [name, value] of Object.entries(options)) {
      driver.send(`setoption name ${name} value ${value}`);
    }
    driver.send("isready");
    return driver;
  }

  send(line) {
    this.engine.postMessage(line);
  }

  /** The last line with this beginning; polls until there is one. */
  async answer(beginning = /^(bestmove|checkmate) /) {
    for (;;) {
      const found = this.lines.findLast((line) => beginning.test(line));
      if (found !== undefined) return found;
      this.engine.poll();
      // Other work of the page.
      await new Promise(setImmediate);
    }
  }

  /** Sends a position and a `go`; the answer. */
  async go(position, go) {
    this.lines.length = 0;
    this.send(`position ${position}`);
    this.send(go);
    return this.answer();
  }

  /** The nodes of the last search. */
  nodes() {
    const info = this.lines.findLast((line) => / nodes \d+/.test(line));
    return Number(/ nodes (\d+)/.exec(info)[1]);
  }
}
