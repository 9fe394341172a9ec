// What must hold for single modules of the page, run in the page itself.

import { strict as assert } from "node:assert";
import { readFile, readdir } from "node:fs/promises";
import { runInNewContext } from "node:vm";

const STYLES = ["web/shogi.css", "web/play.css", "src/commands/page_layout.css", "src/commands/analyze/page.css", "src/commands/practice/page.css"];

export async function a_clock_takes_the_main_time_first_and_gives_byoyomi_anew({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { Clock } = await import("./clock.js");
    let now = 0;
    const clock = new Clock({ main: 10_000, byoyomi: 5000, increment: 0 }, () => now);
    const move = (side, time) => {
      clock.start(side);
      now += time;
      const seen = { ...clock.remaining(side), flagged: clock.hasFlagged };
      clock.endMove();
      return seen;
    };
    return [move("black", 4000), move("black", 8000), move("black", 4999), move("white", 15_000), clock.goLine()];
  });
  assert.deepEqual(seen, [
    { main: 6000, byoyomi: 5000, flagged: false },
    { main: 0, byoyomi: 3000, flagged: false },
    { main: 0, byoyomi: 1, flagged: false },
    { main: 0, byoyomi: 0, flagged: true },
    "go btime 0 wtime 0 byoyomi 5000",
  ]);
}

export async function a_clock_adds_the_increment_after_a_move_in_time({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { Clock } = await import("./clock.js");
    let now = 0;
    const clock = new Clock({ main: 10_000, byoyomi: 0, increment: 2000 }, () => now);
    clock.start("black");
    now += 3000;
    const used = clock.endMove();
    clock.start("white");
    now += 10_000;
    return [used, clock.left.black, clock.hasFlagged, clock.goLine()];
  });
  assert.deepEqual(seen, [3000, 9000, true, "go btime 9000 wtime 10000 binc 2000 winc 2000"]);
}

/** Regression: after a take-back in the time of the engine, or with a main time below the increment, the engine counted
 * on the increment of the move, and could lose on time. */
export async function the_engine_is_told_of_no_more_time_than_its_clock_shows({ visit }) {
  const lines = await visit.page.evaluate(async () => {
    const { Clock } = await import("./clock.js");
    let now = 0;
    const clock = new Clock({ main: 6000, byoyomi: 0, increment: 10_000 }, () => now);
    const first = clock.goLine();
    clock.start("black");
    now += 1000;
    clock.endMove();
    clock.start("white");
    now += 4000;
    clock.stop();
    return [first, clock.goLine()];
  });
  assert.deepEqual(lines, [
    "go btime 6000 wtime 6000 binc 6000 winc 6000",
    "go btime 15000 wtime 2000 binc 10000 winc 2000",
  ]);
}

/** Regression: whoever took back a move or resigned got an increment. */
export async function a_clock_that_is_stopped_without_a_move_adds_no_increment({ visit }) {
  const left = await visit.page.evaluate(async () => {
    const { Match } = await import("./match.js");
    const { Game } = await import("./game.js");
    const game = new Game();
    const cursor = { game, current: 0, engine: { stop: () => {} }, go: () => Promise.resolve({ end: null }) };
    const limits = { main: 10_000, byoyomi: 0, increment: 2000 };
    const match = new Match(cursor, { user: "black", level: "-15", limits });
    let now = 0;
    match.clock.now = () => now;
    match.lastNode = game.extend(game.extend(0, "7g7f"), "3c3d");
    match.clock.start("black");
    now += 3000;
    await match.takeBack();
    const afterTakingBack = match.clock.left.black;
    now += 1000;
    match.resign();
    return [afterTakingBack, match.clock.left.black];
  });
  assert.deepEqual(left, [7000, 6000]);
}

export async function a_clock_that_has_run_out_shows_no_time({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { Clock } = await import("./clock.js");
    let now = 0;
    const clock = new Clock({ main: 0, byoyomi: 5000, increment: 0 }, () => now);
    clock.start("black");
    now += 5000;
    clock.stop();
    return [clock.remaining("black"), clock.remaining("white")];
  });
  assert.deepEqual(seen, [{ main: 0, byoyomi: 0 }, { main: 0, byoyomi: 5000 }]);
}

/** Regression: the engine lost on time if a phone slept during its turn. */
export async function only_the_clock_of_the_user_runs_while_a_phone_sleeps({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const [{ Game }, { Match }] = [await import("./game.js"), await import("./match.js")];
    const game = new Game();
    const cursor = { game, current: 0, engine: { stop: () => {} } };
    const match = new Match(cursor, { user: "white", level: "-15", limits: { main: 10_000, byoyomi: 0, increment: 0 } });
    let now = 0;
    match.clock.now = () => now;
    const lookAfter = (time) => {
      now += time;
      return [match.checkFlag(), match.clock.remaining("black").main];
    };
    lookAfter(0);
    match.clock.start("black");
    const seen = [lookAfter(1000), lookAfter(600_000), lookAfter(1000)];
    match.clock.endMove();
    match.lastNode = game.extend(0, "7g7f");
    match.clock.start("white");
    return [...seen, lookAfter(600_000)];
  });
  assert.deepEqual(seen, [[false, 9000], [false, 9000], [false, 8000], [true, 8000]]);
}

/** Regression: the record of a match had neither. */
export async function the_time_limit_and_the_end_of_a_match_are_headers_of_its_record({ visit }) {
  const [begun, over, again] = await visit.page.evaluate(async () => {
    const [{ Game }, { Match, matchHeaders }] = [await import("./game.js"), await import("./match.js")];
    const game = new Game();
    const limits = { main: 300_000, byoyomi: 30_000, increment: 0 };
    game.headers = matchHeaders([["終了日時", "2001/02/03"], ["棋戦", "A"]], { black: "B", white: "W" }, limits);
    const cursor = { game, current: 0, engine: { stop: () => {} }, go: () => Promise.resolve({ end: null }) };
    const match = new Match(cursor, { user: "black", level: "-15", limits });
    const begun = game.headers;
    match.lastNode = game.extend(0, "7g7f");
    match.finish("resign", "black");
    const over = game.headers;
    await match.takeBack();
    return [begun, over, game.headers];
  });
  assert.deepEqual(begun.map(([name]) => name), ["先手", "後手", "開始日時", "持ち時間", "棋戦"]);
  assert.equal(begun[3][1], "300+30+0");
  assert.deepEqual(over.slice(0, -1), begun);
  assert.equal(over.at(-1)[0], "終了日時");
  assert.match(over.at(-1)[1], /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/);
  assert.deepEqual(again, begun);
}

export async function sides_have_their_names_of_a_handicap_game_in_its_end({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const [{ endText }, { endingName }] = [await import("./play_text.js"), await import("./text.js")];
    const result = { end: "foul_by_black", winner: "white" };
    return [true, false].flatMap((isHandicap) =>
      [endText(result, "black", "ja", isHandicap), endingName("foul_by_white", "ja", isHandicap)]);
  });
  assert.deepEqual(seen, ["Kawasemiの勝ち（下手の連続王手の千日手）", "上手の反則", "Kawasemiの勝ち（先手の連続王手の千日手）", "後手の反則"]);
}

/** Regression: the board, the moves and the graph called them 先手 and 後手 there too. */
export async function sides_have_their_names_of_a_handicap_game_wherever_they_are_named({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { moveInWords, sharedText, sideName, spokenMark } = await import("./text.js");
    const { START_SFEN, parseSfen } = await import("./sfen.js");
    return [true, undefined].map((isHandicap) => [
      sharedText("ja", isHandicap).white, sideName("black", "ja", isHandicap), spokenMark("△３四歩", "ja", isHandicap),
      moveInWords(parseSfen(START_SFEN), "7g7f", "ja", isHandicap), sideName("white", "en", isHandicap),
    ]);
  });
  assert.deepEqual(seen, [
    ["上手", "▲下手", "上手 ３四歩", "下手 ７六 歩", "△White"], ["後手", "▲先手", "後手 ３四歩", "先手 ７六 歩", "△White"],
  ]);
}

export async function every_text_is_in_both_languages({ visit }) {
  const [pages, english] = await visit.page.evaluate(async () => {
    const [{ pageText }, { sharedText }] = [await import("./play_text.js"), await import("./text.js")];
    const isTable = (value) => value !== null && typeof value === "object";
    const flat = (texts) => Object.entries(texts).flatMap(([name, value]) => (isTable(value) ? flat(value) : [[name, value]]));
    // The Japanese names of handicaps come from the engine.
    const tables = [pageText, sharedText].map((table) => ["en", "ja"].map((lang) => flat({ ...table(lang), handicaps: null })));
    const names = tables.map((languages) => languages.map((texts) => texts.map(([name]) => name).sort()));
    const japanese = tables.flatMap(([, texts]) => texts.map(([, text]) => text));
    return [names, japanese.filter((text) => /[a-z]{2,} [a-z]{2,}/.test(text) && typeof text === "string")];
  });
  for (const [en, ja] of pages) assert.deepEqual(en, ja);
  assert.deepEqual(english, []);
}

/** Regression: the bars of a phone's browser covered the lower edge of dialogs and pages. */
export async function heights_do_not_count_the_bars_of_the_browser() {
  for (const file of STYLES) {
    const rules = (await readFile(file, "utf8")).replace(/\/\*[^]*?\*\//g, "");
    assert.doesNotMatch(rules, /\dvh\b/, file);
  }
}

/** Regression: after a tap, which leaves the pointer there, "Analyse" looked as if it still ran. */
export async function only_a_pointer_that_hovers_changes_colours() {
  for (const file of STYLES) {
    const rules = (await readFile(file, "utf8")).replace(/@media \(hover: hover\) \{([^{}]|\{[^{}]*\})*\}/g, "");
    assert.doesNotMatch(rules, /:hover/, file);
  }
}

/** Regression: phones drew the arrows below the board as emoji. */
export async function symbols_are_drawn_as_text() {
  for (const folder of ["web", "src/commands", "src/commands/analyze", "src/commands/practice"]) {
    for (const file of (await readdir(folder)).filter((name) => /\.(js|html)$/.test(name))) {
      const source = await readFile(`${folder}/${file}`, "utf8");
      assert.doesNotMatch(source, /[^\P{Emoji}\d#*](?!\\uFE0E|&#xFE0E;)/u, file);
    }
  }
}

/** What the service worker answers to a request for a file of the page: "new" for the response of the server. */
async function answerOfServiceWorker(cache, response, url = "http://page/play.js") {
  const open = () => (cache ? Promise.resolve(cache) : Promise.reject(new DOMException("internal error", "UnknownError")));
  const handlers = {};
  runInNewContext(await readFile("web/service_worker.js", "utf8"), {
    URL, self: { location: "http://page/" }, caches: { open }, fetch: () => Promise.resolve(response),
    addEventListener: (type, handler) => (handlers[type] = handler),
  });
  let answer = null;
  handlers.fetch({ request: { method: "GET", url }, respondWith: (promise) => (answer = promise) });
  return (await answer) === response ? "new" : answer;
}

/** What the service worker answers if its cache takes no file, and holds an older copy. */
function answerWithoutKeeping(failure, isWhole) {
  const cache = { put: () => Promise.reject(new DOMException("no copy", failure)), match: () => Promise.resolve("kept") };
  const read = () => (isWhole ? Promise.resolve() : Promise.reject(new TypeError("broken off")));
  const response = { ok: true, status: 200, clone: () => response, arrayBuffer: read };
  return answerOfServiceWorker(cache, response);
}

/** Regression: a file of the page was not loaded if the browser had no room for a copy. */
export async function the_page_is_loaded_without_room_for_its_copy() {
  const answers = [await answerWithoutKeeping("QuotaExceededError", true), await answerWithoutKeeping("NetworkError", false)];
  assert.deepEqual(answers, ["new", "kept"]);
}

/** Regression: if the storage failed, the page was an old one, or none at all, although there was a network. */
export async function the_page_is_loaded_where_the_storage_of_the_browser_fails() {
  const [whole, failed] = [{ ok: true, status: 200 }, { ok: false, status: 503 }];
  const unreadable = { match: () => Promise.reject(new DOMException("internal error", "UnknownError")) };
  const answers = [await answerWithoutKeeping("UnknownError", true), await answerOfServiceWorker(null, whole),
    await answerOfServiceWorker(null, failed), await answerOfServiceWorker(unreadable, failed)];
  assert.deepEqual(answers, Array(4).fill("new"));
}

/** Regression: the error of a server replaced the page, although there was a copy. */
export async function a_copy_of_the_page_is_preferred_to_an_error_of_the_server() {
  const answerOf = (status, copy) => answerOfServiceWorker({ match: () => Promise.resolve(copy) }, { ok: false, status });
  const answers = [await answerOf(503, "kept"), await answerOf(503, undefined), await answerOf(0, "kept")];
  assert.deepEqual(answers, ["kept", "new", "new"]);
}

/** Regression: an address with a query had a copy of its own, which replaced the newer one of the page without a network. */
export async function addresses_that_differ_in_the_query_have_one_copy() {
  const keys = [];
  const cache = { put: (key) => Promise.resolve(keys.push(key.url ?? key)), match: (key) => Promise.resolve(keys.push(key.url ?? key)) };
  const response = { ok: true, status: 200, clone: () => response };
  for (const answer of [response, { ok: false, status: 503 }]) await answerOfServiceWorker(cache, answer, "http://page/?from=feed#top");
  assert.deepEqual(keys, ["http://page/", "http://page/"]);
}

/** Regression: the end of a run that was replaced ended its successor as well. */
export async function the_last_analysis_of_quick_clicks_runs({ visit }) {
  const click = (...names) => visit.page.evaluate((names) => {
    for (const name of names) document.querySelector(`#button-${name}`).click();
  }, names);
  await visit.read("position startpos moves 7g7f");
  await click("analyse", "analyseGame", "analyseGame", "analyseGame");
  await visit.status(/解析が終わりました/);
  await visit.read("7kg/9/8R/9/9/9/9/9/9 b BG 1");
  await click("analyse", "solve", "solve", "solve");
  await visit.status(/5手詰/);
}

/** Regression: a screen reader told every position. */
export async function the_analysis_of_a_game_is_told_at_its_begin_and_its_end_only({ visit }) {
  await visit.read("position startpos moves 7g7f 3c3d");
  await visit.page.evaluate(() => {
    const status = document.querySelector("#status");
    window.told = [];
    const tell = () => status.getAttribute("aria-live") === "polite" && window.told.push(status.textContent);
    new MutationObserver(tell).observe(status, { childList: true, characterData: true, subtree: true });
  });
  await visit.press("analyseGame");
  await visit.status(/解析が終わりました/);
  assert.deepEqual(await visit.page.evaluate(() => window.told), ["棋譜を解析しています：0／3", "棋譜の解析が終わりました。"]);
}

/** The status line of the page in a state that is given in part. */
function statusIn(visit, state) {
  return visit.page.evaluate(async (state) => {
    const [{ View }, { pageText }] = [await import("./view.js"), await import("./play_text.js")];
    const analyzer = { progress: null, running: null, hint: null, outcome: null, node: 0, ...state.analyzer };
    const cursor = { current: 0, report: null, game: { isHandicap: false } };
    const page = { isReady: true, failure: null, match: state.match ?? null, analyzer, cursor, text: pageText("en"), preferences: { language: "en" } };
    return Object.assign(Object.create(View.prototype), { page }).statusText();
  }, state);
}

/** Regression: the length of a mate was told of the position to which the user had gone while it was searched. */
export async function the_result_of_a_search_is_told_of_its_own_position_only({ visit }) {
  const statusAt = (node) => statusIn(visit, { analyzer: { node, outcome: { kind: "mateFound", plies: 5 } } });
  assert.deepEqual([await statusAt(0), await statusAt(1)], ["Mate in 5.", "Moves of both sides can be played."]);
}

/** Regression: it asked the user to move until the rules of the position after the user's move were known. */
export async function the_status_line_tells_whose_turn_it_is_before_the_rules_are_known({ visit }) {
  const statusIf = (isEnginesTurn) => statusIn(visit, { match: { isOver: false, isShown: true, isEnginesTurn } });
  assert.deepEqual([await statusIf(false), await statusIf(true)], ["Your move.", "Kawasemi is thinking …"]);
}

/** Regression: nothing told that a hint was searched. */
export async function the_search_for_a_hint_is_told({ visit }) {
  assert.equal(await statusIn(visit, { analyzer: { running: "hint" } }), "Analysing …");
}

/** Regression: lines whose moves were named after the end of an analysis were shown at the start of the next game. */
export async function lines_that_come_late_are_not_shown({ visit }) {
  const [shown, kept] = await visit.page.evaluate(async () => {
    const { Game } = await import("./game.js");
    const { Analyzer } = await import("./analyzer.js");
    let giveNames = null;
    const engine = {
      search: ({ onInfo }) => {
        onInfo("info depth 5 score cp 10 pv 7g7f");
        return new Promise(() => {});
      },
      call: () => new Promise((resolve) => (giveNames = resolve)),
      stop: () => {},
    };
    const cursor = { engine, game: new Game(), current: 0, changed: () => {}, gameChanged: () => {} };
    const analyzer = new Analyzer(cursor);
    analyzer.analysePosition();
    await analyzer.reset();
    giveNames([[{ usi: "7g7f", ja: "▲７六歩", en: "P-7f" }]]);
    await new Promise(setTimeout);
    return [analyzer.lines.length, cursor.game.nodes[0].analysis.length];
  });
  assert.deepEqual([shown, kept], [0, 1]);
}

export async function scores_are_read_from_every_form_and_turned_to_black({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { winRateOf, parseInfo, scoreForBlack, scoreText } = await import("./usi.js");
    const lines = ["cp 120", "cp -35 upperbound", "mate 5", "mate -4", "mate +", "mate -", "mate -0"];
    return lines.map((score) => {
      const info = parseInfo(`info depth 9 score ${score} nodes 5 pv 7g7f P*5e 2b3c+`);
      const seen = scoreForBlack(info.score, "white");
      return [info.moves.length, scoreText(seen, "en"), Math.sign(winRateOf(seen) - 0.5)];
    });
  });
  assert.deepEqual(seen, [
    [3, "-120", -1], [3, "≥+35", 1], [3, "△ mate 5", -1], [3, "▲ mate 4", 1], [3, "△ wins", -1], [3, "▲ wins", 1],
    [3, "▲ wins", 1],
  ]);
}

/** Regression: the last position of a game that ended by mate had none, so the mating move was not judged. */
export async function a_mated_position_has_a_score_that_is_kept({ visit }) {
  const [isTaken, rates, declared] = await visit.page.evaluate(async () => {
    const [{ NewestLines }, { scoreOf }] = [await import("./analyzer.js"), await import("./move_analysis.js")];
    const { winRateOf } = await import("./usi.js");
    const taken = [];
    const rates = ["black", "white"].map((side) => {
      const lines = new NewestLines(side);
      taken.push(lines.add("info depth 1 seldepth 1 multipv 1 score mate -0 time 1 nodes 0 nps 0 hashfull 0"));
      return winRateOf(scoreOf(JSON.parse(JSON.stringify({ analysis: lines.list() }))));
    });
    const lines = new NewestLines("black");
    lines.add("info depth 5 multipv 1 score mate 3 nodes 2000 pv R*5c 5i6i");
    lines.add("info depth 1 multipv 1 score mate 1 nodes 2000");
    return [taken, rates, lines.list().map(({ moves }) => moves.length)];
  });
  assert.deepEqual([isTaken, rates, declared], [[true, true], [0, 1], [2]]);
}

/** Regression: of lines that came together only the first was shown, and the others never if the engine had no more to say. */
export async function all_lines_of_an_engine_that_falls_silent_are_shown({ visit }) {
  await visit.page.evaluate(async () => {
    const [{ Analyzer }, { Game }] = [await import("./analyzer.js"), await import("./game.js")];
    const engine = {
      search: ({ onInfo }) => {
        for (const [index, move] of ["7g7f", "2g2f", "6i7h"].entries()) onInfo(`info depth 9 multipv ${index + 1} score cp 9 pv ${move}`);
        return new Promise(() => {});
      },
      call: (_, { lines }) => Promise.resolve(lines.map((moves) => moves.map((usi) => ({ usi })))),
    };
    const cursor = { engine, game: new Game(), current: 0, changed: () => {}, gameChanged: () => (window.isListed = true) };
    window.analyzer = new Analyzer(cursor);
    window.analyzer.analysePosition();
  });
  await visit.page.waitForFunction(() => window.analyzer.lines.length === 3);
  // The list of moves and the graph show the best score.
  await visit.page.waitForFunction(() => window.isListed);
}

/** Regression: an analysis stayed hidden if its position had the number of the position that was left. */
export async function the_lines_of_a_game_that_is_shown_again_are_shown({ visit }) {
  const shown = await visit.page.evaluate(async () => {
    const [{ Analyzer }, { Game }] = [await import("./analyzer.js"), await import("./game.js")];
    const cursor = { engine: { stop: () => {} }, game: new Game(), current: 0 };
    const analyzer = new Analyzer(cursor);
    analyzer.cursorMoved();
    await analyzer.reset();
    cursor.game = new Game();
    cursor.game.nodes[0].analysis = [{ id: 1, score: { centipawns: 30, bound: "exact" }, depth: 5, nodes: 9, moves: [] }];
    analyzer.cursorMoved();
    return analyzer.lines.length;
  });
  assert.equal(shown, 1);
}

/** Regression: lines and arrows of an analysis of a start position were shown at the start of the next game. */
export async function the_lines_of_an_analysis_do_not_follow_into_the_next_game({ visit }) {
  const counts = await visit.page.evaluate(async () => {
    const [{ Analyzer }, { Game }, { GameCursor }] = [await import("./analyzer.js"), await import("./game.js"), await import("./game_cursor.js")];
    let answer = null;
    const engine = {
      search: ({ onInfo }) => {
        onInfo("info depth 5 score cp 10 pv 7g7f");
        return new Promise((resolve) => (answer = resolve));
      },
      call: (name, { lines }) => Promise.resolve(lines ? [[{ usi: "7g7f" }]] : { end: null }),
      // A search that is stopped answers before its successor begins.
      stop: async () => {
        answer(null);
        await new Promise(setTimeout);
      },
    };
    const cursor = new GameCursor(engine);
    const analyzer = new Analyzer(cursor);
    cursor.onChange(() => analyzer.cursorMoved());
    analyzer.analysePosition();
    await new Promise(setTimeout);
    const before = analyzer.lines.length;
    await analyzer.reset();
    await cursor.open(new Game(), 0);
    return [before, analyzer.lines.length];
  });
  assert.deepEqual(counts, [1, 0]);
}

export async function a_move_has_one_line_while_a_deeper_search_goes_on({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { NewestLines } = await import("./analyzer.js");
    const lines = new NewestLines("black");
    const said = ["depth 8 multipv 1 score cp 9 pv 7g7f", "depth 8 multipv 2 score cp 5 pv 2g2f", "depth 8 multipv 3 score cp 1 pv 6i7h",
      "depth 9 multipv 1 score cp 30 lowerbound pv 6i7h", "depth 9 multipv 1 score cp 20 pv 6i7h 8c8d", "string hello"];
    said.forEach((text) => lines.add("info " + text));
    return lines.list().map(({ id, depth, moves }) => [id, depth, moves[0]]);
  });
  assert.deepEqual(seen, [[1, 9, "6i7h"], [2, 8, "2g2f"]]);
}

/** Regression: a move that changed its rank without a deeper search was shown twice. */
export async function a_move_has_one_line_while_lines_change_their_ranks({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { NewestLines } = await import("./analyzer.js");
    const lines = new NewestLines("black");
    const add = (rank, score, move) => lines.add(`info depth 9 multipv ${rank} score cp ${score} pv ${move}`);
    add(1, "9", "7g7f");
    add(2, "5", "2g2f");
    add(1, "12", "2g2f");
    const between = lines.list().map(({ id, moves }) => [id, moves[0]]);
    add(2, "9", "7g7f");
    const isTaken = add(3, "30 lowerbound", "7g7f");
    return [between, lines.list().map(({ id, moves }) => [id, moves[0]]), isTaken];
  });
  assert.deepEqual(seen, [[[1, "2g2f"]], [[1, "2g2f"], [2, "7g7f"]], false]);
}

export async function a_tree_of_moves_is_written_as_it_was_read({ visit }) {
  const [tree, again, line] = await visit.page.evaluate(async () => {
    const { Game } = await import("./game.js");
    const tree = {
      start: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", handicap: false,
      headers: [["先手", "A"]],
      nodes: [{ comments: ["!"] }, { parent: 0, usi: "7g7f", seconds: 3 }, { parent: 1, usi: "3c3d" }, { parent: 2, end: "resign" },
        { parent: 1, usi: "8c8d" }, { parent: 0, usi: "2g2f" }],
    };
    const game = Game.fromTree(tree);
    return [tree, game.toTree(), game.line(4)];
  });
  assert.deepEqual(again, tree);
  assert.deepEqual(line, [0, 1, 4]);
}

/** Regression: the record of a match that began where a record had ended could be neither copied nor saved. */
export async function a_position_where_both_the_record_and_the_match_ended_has_the_end_of_the_match({ visit }) {
  const [atOnce, later] = await visit.page.evaluate(async () => {
    const { Game } = await import("./game.js");
    const endsOf = (game) => game.toTree().nodes.filter(({ end }) => end).map(({ end, parent }) => [end, parent]);
    const record = () => Game.fromTree({ start: new Game().start, headers: [],
      nodes: [{}, { parent: 0, usi: "7g7f" }, { parent: 1, usi: "3c3d" }, { parent: 2, end: "time_up" }, { parent: 1, end: "interrupted" }] });
    const [atOnce, later] = [record(), record()];
    atOnce.setAside(2);
    atOnce.finish(2, "resign");
    later.setAside(0);
    later.finish(later.extend(later.extend(0, "7g7f"), "3c3d"), "resign");
    return [endsOf(atOnce), endsOf(later)];
  });
  assert.deepEqual(atOnce, [["resign", 2], ["interrupted", 1]]);
  // The record's own moves to another end are a branch.
  assert.deepEqual(later, [["resign", 2], ["interrupted", 4]]);
}

/** Regression: any game in which White moves first was one, also a problem that a record names 先手 and 後手. */
export async function a_game_that_was_read_is_a_handicap_game_if_the_readers_say_so({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { Game } = await import("./game.js");
    const of = (start, handicap) => Game.fromTree({ start, handicap, headers: [], nodes: [{}] });
    const problem = of("4k4/9/9/9/9/9/9/9/4K4 w - 1", false);
    const later = of("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 5", true);
    const chosen = new Game("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    const games = [problem, Game.fromTree(problem.toTree()), later, Game.fromTree(later.toTree()), chosen, new Game()];
    return games.map((game) => game.isHandicap);
  });
  assert.deepEqual(seen, [false, false, true, true, true, false]);
}

export async function a_long_game_is_listed_in_parts_around_the_place({ visit }) {
  const parts = await visit.page.evaluate(async () => {
    const { partOf } = await import("./move_analysis.js");
    const line = Array.from({ length: 1000 }, (_, index) => index);
    return [partOf(line.slice(0, 400), 3), ...[0, 99, 100, 499, 999].map((at) => partOf(line, at))];
  });
  assert.deepEqual(parts.map(({ from, to }) => [from, to]), [[0, 400], [0, 200], [0, 200], [0, 400], [200, 600], [800, 1000]]);
}

/** Regression: the list counted from the number of the start position, but the KIF that the page writes from 1. */
export async function moves_are_numbered_from_the_start_of_the_record({ visit }) {
  const numbers = await visit.page.evaluate(async () => {
    const [{ Game }, { rowsOf }] = [await import("./game.js"), await import("./move_analysis.js")];
    const game = new Game("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 31");
    const first = game.append(0, { usi: "7g7f" });
    const second = game.append(first, { usi: "3c3d" });
    game.append(first, { usi: "8c8d" });
    game.append(second, { usi: "2g2f" });
    return rowsOf(game, [0, first, second], { from: 0, to: 3 }, "en").map(({ number }) => number);
  });
  assert.deepEqual(numbers, ["", 1, 2, 2, 3]);
}
