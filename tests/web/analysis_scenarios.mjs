// What must hold of the page that `kawasemi analyze --html` makes, here of `game.kif`.

import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";

import { paleTexts } from "./contrast.mjs";

const verdict = (page) => page.locator("#verdict").textContent();
const hash = (page) => page.evaluate(() => location.hash);
const grid = (page) => page.locator("#board [role=grid]").getAttribute("aria-label");

async function shows(page, number) {
  await page.waitForFunction(([start]) => document.querySelector("#verdict").textContent.startsWith(start), [`${number} `]);
}

async function open(page, fragment) {
  await page.goto(page.url().replace(/#.*/, "") + fragment);
  await page.reload();
}

export async function names_and_comments_are_shown_as_text({ page }) {
  assert.match(await page.locator("#title").textContent(), /<b onmouseover=.*><img src=x.*<\/script><script>/);
  assert.equal(await page.locator("img, b[onmouseover]").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
}

export async function the_address_follows_the_move_and_leads_to_it({ page }) {
  assert.equal(await hash(page), "");
  await page.keyboard.press("ArrowRight");
  assert.equal(await hash(page), "#1");
  await open(page, "#4");
  await shows(page, 4);
  await page.keyboard.press("End");
  assert.equal(await hash(page), "#8");
  await page.evaluate(() => (location.hash = "#2/5"));
  await shows(page, 5);
  assert.equal(await page.locator("#games").inputValue(), "1");
}

export async function a_wrong_address_changes_nothing({ page }) {
  await open(page, "#4");
  for (const wrong of ["#x", "#9/1", "#-1", "#1/2/3", "#"]) await page.evaluate((it) => (location.hash = it), wrong);
  await shows(page, 4);
  await page.evaluate(() => (location.hash = "#1000"));
  await shows(page, 8);
}

export async function best_moves_are_arrows_and_lines_are_played_on_the_board({ page }) {
  await open(page, "#4");
  assert.equal(await page.locator("#board .arrow.best").count(), 1);
  const before = await grid(page);
  const move = page.locator("#lines .instead .move").first();
  await move.click();
  assert.notEqual(await grid(page), before);
  assert.match(await move.getAttribute("class"), /here/);
  await page.keyboard.press("Escape");
  assert.equal(await grid(page), before);
  assert.equal(await hash(page), "#4");
}

export async function bad_moves_are_marked_and_found({ page }) {
  await page.locator("#bad").click();
  assert.match(await verdict(page), /\?/);
  assert((await page.locator("#graph circle").count()) >= 2, "White gives two bishops away");
  await open(page, "#8");
  assert.match(await page.locator("#moves .row.here .mark").textContent(), /^\?\??$/);
}

// Regression: the sides of a handicap game were 先手 and 後手.
export async function the_sides_have_the_names_that_the_report_gives({ page }) {
  await page.route("**/analysis.html*", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"ja":"先手"', '"ja":"下手"').replaceAll('"ja":"後手"', '"ja":"上手"');
    await route.fulfill({ response, body });
  });
  await page.reload();
  assert.match(await page.locator("#bottom .name").textContent(), /^▲下手/);
  assert.match(await page.locator("#summary").textContent(), /▲下手.*△上手/);
  assert.match(await grid(page), /下手の手番/);
  assert.equal(await page.locator("#graph").getAttribute("aria-label"), "下手の勝率の推移");
}

/** Regression: a game from standard input had the title "- – 棋譜解析", and its record was saved as "-.kifu". */
export async function a_game_from_standard_input_has_a_title_and_a_file_name({ page }) {
  await page.route("**/analysis.html*", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"file":"game.kif"', '"file":"-"');
    // Without the players.
    await route.fulfill({ response, body: body.replace(/"(black|white)":"(\\.|[^"\\])*"/g, '"$1":null') });
  });
  await page.reload();
  assert.equal(await page.title(), "標準入力 – 棋譜解析");
  assert.match(await page.locator("#title").textContent(), /標準入力/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-kif").click()]);
  assert.equal(saved.suggestedFilename(), "game.kifu");
}

// Regression: the time stood alone below the reason.
export async function the_reason_of_a_mistake_stands_below_the_move_and_its_time({ page }) {
  await open(page, "#8");
  const [first, reason] = (await page.locator("#verdict").innerText()).split("\n");
  assert.match(first, /0:01$/);
  assert(reason.length > 5, "the reason of a lost bishop");
}

export async function a_screen_reader_hears_the_move_and_its_grade({ page }) {
  await open(page, "#7");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#board [aria-live]").textContent(), /^後手 ７七 角 成る、大?悪手$/);
}

export async function times_are_shown_by_move_and_by_player({ page }) {
  await open(page, "#7");
  assert.match(await verdict(page), /1:10/);
  assert.match(await page.locator("#bottom").textContent(), /1:24/);
  assert.equal(await page.locator("#moves .row.here .seconds").textContent(), "1:10");
  assert.equal(await page.locator("#graph .bar").count(), 9);
}

/** Regression: a long name cut off the mark. */
export async function the_player_to_move_is_marked({ page }) {
  const marked = () => page.locator(".player.to-move").getAttribute("id");
  await open(page, "#7");
  assert.equal(await marked(), "top");
  await page.keyboard.press("ArrowRight");
  assert.equal(await marked(), "bottom");
}

export async function branches_are_listed_where_they_leave({ page }) {
  const branch = page.locator("#moves .row.branch");
  assert.match(await branch.textContent(), /^4△８四歩/);
  await branch.click();
  assert.equal(await hash(page), "#2/4");
  assert.match(await branch.textContent(), /^4△８八角成/);
  await branch.click();
  assert.equal(await hash(page), "#4");
}

export async function the_record_and_the_position_are_copied_and_saved({ page }) {
  await open(page, "#1");
  const copied = async (id) => {
    await page.evaluate(() => (document.querySelector("#told").textContent = ""));
    await page.locator(id).click();
    await page.waitForFunction(() => document.querySelector("#told").textContent !== "");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.match(await copied("#copy-kif"), /先手："><img.*変化：4手/s);
  assert.equal(await copied("#copy-sfen"), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
  const saved = async (id) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(id).click()]);
    return [download.suggestedFilename(), await readFile(await download.path(), "utf8")];
  };
  const [name, record] = await saved("#save-kif");
  assert.equal(name, "game.kifu");
  assert.match(record, /1 ７六歩\(77\) +\( 0:12/);
  const [other, moves] = await saved("#save-sfen");
  assert.equal(other, "game.sfen");
  assert.match(moves, /^sfen lnsgkgsnl.* b - 1 moves 7g7f 3c3d 2g2f 2b8h\+ .*\n$/);
}

export async function a_browser_that_denies_the_clipboard_copies_the_old_way({ page }) {
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException("denied"));
  });
  await page.locator("#copy-sfen").click();
  await page.waitForFunction(() => document.querySelector("#told").textContent === "コピーしました");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^lnsgkgsnl.* b - 1$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-sfen");
}

export async function language_colours_and_pieces_are_the_readers({ page, begin }) {
  const visit = await begin({ locale: "en-GB", colorScheme: "dark" });
  const english = visit.page;
  assert.match(await english.locator("#moves .rows").getAttribute("aria-label"), /^Moves$/);
  const background = (shown) => shown.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.notEqual(await background(english), await background(page));
  await page.locator("#language").click();
  await page.locator("#theme").click();
  await page.locator("#theme").click();
  await page.locator("#pieces").click();
  await page.reload();
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal(await background(page), await background(english));
  await visit.end();
  assert.equal(await page.locator('#board [data-key="8h"] text').textContent(), "B");
}

export async function a_desktop_shows_all_without_scrolling_the_page({ page, begin, shoot }) {
  await shoot("report");
  for (const size of [[1280, 800], [1366, 768], [1920, 1080]]) {
    await page.setViewportSize({ width: size[0], height: size[1] });
    const [list, toolbar] = await page.evaluate(() => ["#moves", "nav"].map((part) => document.querySelector(part).getBoundingClientRect().bottom));
    assert(list <= size[1] && toolbar <= size[1], `at ${size}: ${list}, ${toolbar}`);
    assert(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), `${size} scrolls`);
  }
  const phone = await begin({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  assert(await phone.page.evaluate(() => document.documentElement.scrollWidth <= 390), "the page is wider than a phone");
  await shoot("report-phone", phone);
  await phone.end();
}

/** Regression: the board filled the screen, and the moves were far below it. */
export async function a_phone_on_its_side_shows_the_board_beside_the_moves({ begin, shoot }) {
  for (const size of [[667, 331], [740, 340], [844, 390]]) {
    const phone = await begin({ viewport: { width: size[0], height: size[1] }, hasTouch: true, isMobile: true });
    await open(phone.page, "#4");
    await phone.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [table, buttons, list] = await phone.page.evaluate(() => ["#table", "nav", "#moves"]
      .map((part) => document.querySelector(part).getBoundingClientRect()));
    assert(table.right <= list.left && list.right <= size[0], `at ${size} they are not side by side`);
    assert(buttons.top >= 0 && buttons.bottom <= size[1], `at ${size} the buttons are not seen at the end of the page`);
    assert(list.height <= size[1], `at ${size} the list is higher than the screen`);
    if (size[0] === 740) await shoot("report-phone-landscape", phone);
    await phone.end();
  }
}

export async function all_text_has_a_contrast_of_at_least_4_5({ begin }) {
  for (const colorScheme of ["light", "dark"]) {
    const visit = await begin({ colorScheme });
    await open(visit.page, "#4");
    assert.deepEqual(await visit.page.evaluate(paleTexts), [], colorScheme);
    await visit.end();
  }
}
