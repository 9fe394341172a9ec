// A visit to the page: what a user does there, and what must never happen.

import { strict as assert } from "node:assert";

// The words of the page in both languages.
const READY = /動かせます|can be played|あなたの番|Your move|です。/;
const DESKTOP = { width: 1280, height: 800 };
// Milliseconds of the processor for a task of the page's main thread: by the clock a busy machine would count too.
const LONGEST_TASK = 100;
const TASKS = { categories: ["toplevel", "__metadata"] };

/** Runs in the page before its scripts. */
function watch() {
  window.violations = [];
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    window.violations.push(`${violatedDirective} ${blockedURI}`);
  });
}

export class Visit {
  /** Opens the page and waits until its status line matches `shows`. */
  static async begin(browser, address, { shows = READY, prepare = () => {}, ...options } = {}) {
    const permissions = ["clipboard-read", "clipboard-write"];
    const context = await browser.newContext({ viewport: DESKTOP, locale: "ja-JP", permissions, ...options });
    const visit = new this(context, await context.newPage(), address);
    await context.addInitScript(watch);
    await prepare(context);
    await visit.page.goto(address);
    await visit.status(shows);
    return visit;
  }

  constructor(context, page, address) {
    Object.assign(this, { context, page, address, faults: [] });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.faults.push(message.text());
    });
    page.on("pageerror", (error) => this.faults.push(error.stack));
    page.on("dialog", (dialog) => {
      this.faults.push("a dialog of the browser: " + dialog.message());
      dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(new URL(address).origin) && !/^(blob|data):/.test(url)) this.faults.push("a request to " + url);
    });
  }

  async reload() {
    await this.page.reload();
    await this.status(READY);
  }

  /** Waits until the status line matches. */
  async status(pattern) {
    await this.page.waitForFunction(
      ([source]) => new RegExp(source).test(document.querySelector("#status").textContent), [pattern.source]);
  }

  /** Ends the visit: fails if anything happened that must not. */
  async end() {
    const violations = await this.page.evaluate(() => window.violations);
    await this.context.close();
    assert.deepEqual(violations, [], "violations of the content security policy");
    assert.deepEqual(this.faults, [], "errors of the page");
  }

  /** Does something, and fails if a task of the page's main thread takes too long meanwhile. Returns the longest. */
  async smoothly(act) {
    const browser = this.context.browser();
    await browser.startTracing(this.page, TASKS);
    try {
      await act();
    } finally {
      this.trace = JSON.parse((await browser.stopTracing()).toString());
    }
    const longest = longestTask(this.trace.traceEvents);
    assert(longest > 0, "no task of the main thread was seen");
    assert(longest <= LONGEST_TASK, `a task of the main thread took ${longest} ms`);
    return longest;
  }

  // What a user does.

  press(name) {
    return this.page.click(`#button-${name}`);
  }

  /** Resigns, and answers the question whether to. */
  async resign(answer = "yes") {
    await this.press("resign");
    await this.page.click(`#confirm button[value="${answer}"]`);
  }

  /** Begins a game with these choices in the form. */
  async newGame(choices = {}, button = "start") {
    await this.page.click("#open-new-game");
    for (const [name, value] of Object.entries(choices)) {
      const field = this.page.locator(`#new-game [name="${name}"]`);
      if (["main", "byoyomi", "increment"].includes(name)) await field.fill(value);
      else await field.selectOption(value);
    }
    await this.page.click(`#new-game button[value="${button}"]`);
  }

  /** Plays the move by taps on the board. */
  async play(usi) {
    const drops = usi[1] === "*";
    const from = drops ? `#board .movable[data-key$=":${usi[0]}"]` : `#board [data-key="${usi.slice(0, 2)}"]`;
    await this.page.click(from);
    await this.page.click(`#board .target[data-key="${usi.slice(2, 4)}"]`);
    const question = this.page.locator("#board .promotion button");
    if (await question.first().isVisible()) await question.nth(usi[4] === "+" ? 0 : 1).click();
  }

  /** Plays some legal move by taps. */
  async playAnything() {
    await this.page.locator("#board .movable").last().click();
    await this.page.locator("#board .target").first().click();
    const question = this.page.locator("#board .promotion button");
    if (await question.first().isVisible()) await question.first().click();
  }

  /** The moves in the list, without the start and the end. */
  moves() {
    return this.page.locator("#movelist .row .move").allTextContents().then((texts) => texts.filter((text) => /[▲△]|^[A-Z+]+\d?/.test(text)));
  }

  async waitForMoves(count) {
    await this.page.waitForFunction(([least]) => {
      const texts = (part) => [...document.querySelectorAll(`#movelist .row .${part}`)].map((cell) => cell.textContent);
      // A new move has no name until the engine has been asked.
      return Math.max(...texts("number").map(Number)) >= least && !texts("move").some((text) => /^[1-9PLNSGBR][a-i*]/.test(text));
    }, [count]);
  }

  /** Moves a finger over the screen from one point to another. */
  async swipe(from, to) {
    const session = await this.page.context().newCDPSession(this.page);
    const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    await touch("touchStart", from);
    for (let part = 1; part <= 8; part++) await touch("touchMove", from.map((value, axis) => value + ((to[axis] - value) * part) / 8));
    await touch("touchEnd");
  }

  /** Reads a record by the dialog. Returns the message. */
  async read(text) {
    await this.page.click("#open-record");
    await this.page.fill("#record textarea", text);
    const before = await this.page.textContent("#record .message");
    await this.page.click('#record button[name="read"]');
    await this.page.waitForFunction(([old]) => document.querySelector("#record .message").textContent !== old, [before]);
    const message = await this.page.textContent("#record .message");
    await this.page.click('#record button[value="close"]');
    return message;
  }

  /** What the page copies in a notation. */
  async copied(format) {
    await this.page.click("#open-record");
    await this.page.selectOption('#record [name="format"]', format);
    await this.page.click('#record button[name="copy"]');
    await this.page.waitForFunction(() => /コピーしました|Copied/.test(document.querySelector("#record .message").textContent));
    await this.page.click('#record button[value="close"]');
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}

/** The longest task of a page's main thread, in milliseconds of the processor. */
function longestTask(events) {
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(thread));
  const times = events.filter((event) => main.has(thread(event)) && event.tdur).map(({ tdur }) => tdur / 1000);
  return Math.ceil(Math.max(0, ...times));
}

/** A visit to a page without a status line, which can be used as soon as it is loaded. */
export class PageVisit extends Visit {
  async status() {}
}
