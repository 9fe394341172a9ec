// What must hold of the games that the page saves, in one tab and in several.

import { strict as assert } from "node:assert";

import { Visit } from "./visit.mjs";

/** Opens the page in another tab of the visit's browser. */
async function openTab({ context, address }) {
  const tab = new Visit(context, await context.newPage(), address);
  await tab.page.goto(address);
  await tab.status(/動かせます|あなたの番です/);
  return tab;
}

/** Regression: a game whose analysis had no room in the storage of the browser was not kept at all. */
export async function a_game_is_kept_without_its_analysis_if_there_is_no_room({ visit }) {
  await visit.page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, value) {
      if (value.includes('"analysis"')) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, name, value);
    };
  });
  await visit.press("analyse");
  await visit.page.waitForSelector("#lines .line");
  await visit.press("analyse");
  await visit.play("2g2f");
  await visit.waitForMoves(1);
  await visit.reload();
  assert.deepEqual(await visit.moves(), ["▲２六歩"]);
}

/** Regression: two tabs had one saved game, and overwrote it for each other. */
export async function two_tabs_keep_their_games_and_new_tabs_show_them_again({ visit }) {
  await visit.newGame({ level: "-15", side: "black", clock: "none" });
  await visit.page.waitForSelector("#button-resign:enabled");
  await visit.play("7g7f");
  await visit.waitForMoves(2);
  await visit.page.waitForSelector("#button-resign:enabled");
  const other = await openTab(visit);
  assert.deepEqual(await other.moves(), []);
  await other.read("position startpos moves 2g2f");
  await Promise.all([visit.reload(), other.reload()]);
  assert.equal((await visit.moves())[0], "▲７六歩");
  assert.deepEqual(await other.moves(), ["▲２六歩"]);
  // The tab that is closed last has the newest game.
  const firstMoves = [];
  for (const { page } of [visit, other]) await page.goto("about:blank");
  const tabs = [];
  for (let count = 0; count < 3; count += 1) {
    const tab = await openTab(visit);
    firstMoves.push((await tab.moves())[0]);
    tabs.push(tab);
  }
  assert.deepEqual(firstMoves, ["▲２六歩", "▲７六歩", undefined]);
  visit.page = tabs[1].page;
  await visit.status(/あなたの番です/);
  visit.faults.push(...tabs.flatMap(({ faults }) => faults));
}

/** Regression: a duplicated tab, which has the storage of the other one, overwrote the game of that one. */
export async function a_duplicated_tab_begins_with_the_same_game_and_keeps_its_own({ visit }) {
  await visit.read("position startpos moves 2g2f");
  const id = await visit.page.evaluate(() => sessionStorage.getItem("kawasemi-tab"));
  const page = await visit.context.newPage();
  await page.addInitScript((id) => sessionStorage.getItem("kawasemi-tab") ?? sessionStorage.setItem("kawasemi-tab", id), id);
  const copy = new Visit(visit.context, page, visit.address);
  await page.goto(visit.address);
  await copy.waitForMoves(1);
  assert.deepEqual(await copy.moves(), ["▲２六歩"]);
  await copy.read("position startpos moves 7g7f");
  await visit.reload();
  await copy.reload();
  assert.deepEqual([await visit.moves(), await copy.moves()], [["▲２六歩"], ["▲７六歩"]]);
  visit.faults.push(...copy.faults);
}

/** At an address that is not secure there are no locks. */
export async function a_new_tab_without_locks_begins_with_a_copy_of_the_newest_game({ begin }) {
  const prepare = (context) => context.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  const visit = await begin({ prepare });
  await visit.read("position startpos moves 2g2f");
  const other = await openTab(visit);
  assert.deepEqual(await other.moves(), ["▲２六歩"]);
  await other.read("position startpos moves 7g7f");
  await Promise.all([visit.reload(), other.reload()]);
  assert.deepEqual([await visit.moves(), await other.moves()], [["▲２六歩"], ["▲７六歩"]]);
  visit.faults.push(...other.faults);
  await visit.end();
}

export async function a_new_game_replaces_a_damaged_saved_game({ visit }) {
  await visit.read("position startpos moves 2g2f");
  await visit.read("position startpos moves 7g7f 3c3d");
  await visit.page.addInitScript(() => {
    const damage = sessionStorage.getItem("damage");
    const names = Object.keys(localStorage).filter((name) => /^kawasemi-(saved|previous)-game-/.test(name));
    if (damage) names.forEach((name) => localStorage.setItem(name, damage));
  });
  const illegal = { game: { start: "startpos", headers: [], nodes: [{}, { parent: 0, usi: "7g7e" }] }, path: ["7g7e"], match: null };
  for (const damage of ["{", "5", '{"game":{}}', JSON.stringify(illegal)]) {
    await visit.page.evaluate((text) => sessionStorage.setItem("damage", text), damage);
    await visit.reload();
    await visit.play("7g7f");
    await visit.waitForMoves(1);
    assert.deepEqual(await visit.moves(), ["▲７六歩"], damage);
  }
  await visit.page.click("#open-record");
  await visit.page.click('#record [name="previous"]');
  await visit.page.waitForFunction(() => !/７六歩/.test(document.querySelector("#movelist").textContent));
  await visit.play("2g2f");
  await visit.waitForMoves(1);
}

export async function games_of_closed_tabs_make_room_for_the_game_of_this_one({ visit }) {
  await visit.page.evaluate(() => {
    for (const [index, name] of ["old", "older"].entries()) {
      const game = { game: null, savedAt: 2 - index, padding: "x".repeat(2_000_000) };
      localStorage.setItem(`kawasemi-saved-game-${name}`, JSON.stringify(game));
    }
    localStorage.setItem("filling", "x".repeat(5 * 1024 * 1024 - 4_000_000 - 2000));
  });
  await visit.read("position startpos moves " + "4i4h 6a6b 4h4i 6b6a ".repeat(50));
  await visit.page.waitForFunction(() => !localStorage.getItem("kawasemi-saved-game-older"));
  assert(await visit.page.evaluate(() => localStorage.getItem("kawasemi-saved-game-old") !== null), "only as many as needed");
  await visit.reload();
  assert.equal((await visit.moves()).length, 200);
}

export async function a_game_that_another_one_replaces_can_be_shown_again({ visit }) {
  const back = async () => {
    await visit.page.click("#open-record");
    await visit.page.click('#record [name="previous"]');
  };
  await visit.newGame({ level: "-15", side: "black", clock: "none" });
  await visit.page.waitForSelector("#button-resign:enabled");
  await visit.page.click("#open-record");
  assert(await visit.page.locator('#record [name="previous"]').isHidden(), "there is no previous game");
  await visit.page.click('#record button[value="close"]');
  await visit.play("7g7f");
  await visit.waitForMoves(2);
  await visit.page.waitForSelector("#button-resign:enabled");
  await visit.newGame({ level: "-15", side: "white", clock: "none" });
  await visit.page.waitForFunction(() => /▲先手 Kawasemi/.test(document.querySelector("#player-above").textContent));
  await visit.reload();
  await back();
  await visit.page.waitForFunction(() => /７六歩/.test(document.querySelector("#movelist").textContent));
  await visit.status(/あなたの番です/);
  await visit.play("2g2f");
  await visit.waitForMoves(4);
}

/** Regression: it was lost with the second game of the file. */
export async function the_game_before_a_file_can_be_shown_again_after_leafing_through_the_file({ visit }) {
  const listed = (move) => visit.page.waitForFunction(([move]) => document.querySelector("#movelist").textContent.includes(move), [move]);
  await visit.read("position startpos moves 9g9f");
  await visit.read("startpos moves 2g2f\nstartpos moves 7g7f\nstartpos moves 5g5f");
  await visit.page.click("#open-record");
  for (const [index, move] of [["1", "７六歩"], ["2", "５六歩"]]) {
    await visit.page.selectOption('#record [name="game"]', index);
    await listed(move);
  }
  await visit.page.click('#record [name="previous"]');
  await listed("９六歩");
  // The exchange works both ways.
  await visit.page.click("#open-record");
  await visit.page.click('#record [name="previous"]');
  await listed("５六歩");
}

/** Regression: a second press on the button to read made the record its own previous game. */
export async function the_game_before_a_record_can_be_shown_again_after_the_record_is_read_twice({ visit }) {
  await visit.read("position startpos moves 9g9f");
  for (let count = 0; count < 2; count += 1) await visit.read("position startpos moves 2g2f");
  await visit.page.click("#open-record");
  await visit.page.click('#record [name="previous"]');
  await visit.page.waitForFunction(() => document.querySelector("#movelist").textContent.includes("９六歩"));
}

/** Regression: a phone that ended the page in the background took the analysis since the last move with it. */
export async function a_page_in_the_background_has_saved_its_analysis({ visit }) {
  await visit.read("position startpos moves 7g7f");
  await visit.press("analyse");
  await visit.page.waitForSelector("#lines .line .move");
  await visit.press("analyse");
  const saved = await visit.page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
    const key = Object.keys(localStorage).find((key) => key.startsWith("kawasemi-saved-game-"));
    return localStorage.getItem(key);
  });
  assert.match(saved, /"analysis"/);
}
