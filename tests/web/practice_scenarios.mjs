// What must hold of the page for practice, here with the problems of `missed.usi` (`kawasemi puzzles`) and a mate problem
// (`kawasemi mate --check`).

import { strict as assert } from "node:assert";

import { paleTexts } from "./contrast.mjs";

const text = (page, id) => page.locator("#" + id).textContent();
const grid = (page) => page.locator("#board [role=grid]").getAttribute("aria-label");
const piece = (page, square) => page.locator(`#board [data-key="${square}"] text`).first().textContent();

async function tells(page, pattern) {
  await page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector("#told").textContent), [pattern.source]);
}

/** Opens the problem with this answer. */
async function openProblem(page, answer) {
  const index = await page.evaluate((usi) => {
    const { problems } = JSON.parse(document.querySelector("#data").textContent);
    return problems.findIndex(({ steps }) => steps[0].answer[0] === usi);
  }, answer);
  assert(index >= 0, "no problem with " + answer);
  await page.evaluate((number) => (location.hash = "#" + number), index + 1);
  await page.waitForFunction(([number]) => document.querySelector("#name").textContent.includes(` ${number} `), [index + 1]);
}

const marks = (page) => page.locator("#problems .mark").allTextContents();

export async function the_right_move_solves_the_problem({ visit, page }) {
  await openProblem(page, "G*5b");
  assert.match(await text(page, "goal"), /先手番。詰みがある/);
  assert.equal(await text(page, "origin"), "", "where it comes from would tell what was played");
  await visit.play("G*5b");
  await tells(page, /^正解です。$/);
  assert.match(await text(page, "origin"), /missed\.usi 第1局 1手目.*実戦の手：▲５八玉/);
  assert.match(await text(page, "facts"), /頭金/);
  assert((await marks(page)).includes("✓"));
  assert.equal(await piece(page, "5b"), "金");
}

/** Regression: the players of a handicap game were 先手 and 後手. */
export async function a_problem_from_a_handicap_game_names_its_sides({ page }) {
  await page.route("**/practice.html", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"is_handicap":false', '"is_handicap":true') });
  });
  await page.reload();
  await openProblem(page, "G*5b");
  assert.match(await text(page, "goal"), /^▲下手番。詰みがある/);
  assert.match(await grid(page), /下手の手番/);
}

/** Regression: the game of such a problem had the name "-". */
export async function a_problem_from_standard_input_says_so({ visit, page }) {
  await page.route("**/practice.html", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"file":"missed.usi"', '"file":"-"') });
  });
  await page.reload();
  await openProblem(page, "G*5b");
  await visit.play("G*5b");
  await tells(page, /^正解です。$/);
  assert.match(await text(page, "origin"), /^標準入力 第1局 1手目/);
}

export async function several_moves_are_asked_for_and_the_opponent_replies({ visit, page }) {
  await openProblem(page, "R*2a");
  await visit.play("R*2a");
  await tells(page, /△１二玉と応じられました/);
  assert.equal(await piece(page, "1b"), "王");
  // The board asks whether the rook promotes. Here it has to.
  await visit.play("2a2b+");
  await tells(page, /^正解です。$/);
  assert.equal(await piece(page, "2b"), "龍");
}

export async function a_wrong_promotion_is_wrong({ visit, page }) {
  await openProblem(page, "R*2a");
  await visit.play("R*2a");
  await tells(page, /応じられました/);
  await visit.play("2a2b");
  await tells(page, /▲２二飛不成は.*失敗です/);
  await page.locator("#again").click();
  await visit.play("2a2b+");
  await tells(page, /^正解です（ヒントあり）。$/);
}

/** The move is wrong in this problem; the page follows its data. */
export async function the_answer_without_promotion_is_accepted_where_it_is_right_too({ visit, page }) {
  await page.route("**/practice.html", async (route) => {
    const response = await route.fetch();
    const accepting = (_, begin, json, end) => {
      const data = JSON.parse(json);
      const others = data.problems.flatMap(({ steps }) => steps.flatMap((step) => step.others));
      others.find(({ move }) => move[0] === "2a2b").kind = "also_right";
      return begin + JSON.stringify(data) + end;
    };
    const body = (await response.text()).replace(/(<script type="application\/json" id="data">)(.*?)(<\/script>)/s, accepting);
    await route.fulfill({ response, body });
  });
  await page.reload();
  await openProblem(page, "R*2a");
  await visit.play("R*2a");
  await tells(page, /応じられました/);
  await visit.play("2a2b");
  await tells(page, /▲２二飛不成でも正解です。/);
}

export async function a_wrong_move_is_refuted_on_the_board_and_can_be_tried_again({ visit, page }) {
  await openProblem(page, "G*5b");
  const before = await grid(page);
  await visit.play("5i5h");
  await tells(page, /▲５八玉は.+で失敗です。.*実戦の手です/);
  assert.equal(await page.locator("#board .movable").count(), 0, "the board waits");
  assert((await page.locator("#lines .move").count()) >= 2, "the refutation is shown");
  await page.locator("#lines .move").first().click();
  assert.equal(await piece(page, "5h"), "玉");
  assert.equal(await page.locator("#board .arrow.bad").count(), 1);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#lines .move").nth(1).getAttribute("class"), /here/);
  await page.keyboard.press("Escape");
  assert.equal(await grid(page), before);
  await visit.play("G*5b");
  await tells(page, /^正解です（ヒントあり）。$/);
  assert((await marks(page)).includes("△"));
}

export async function hints_name_the_piece_and_then_the_move({ page }) {
  await openProblem(page, "G*5b");
  await page.keyboard.press("h");
  await tells(page, /^ヒント：金を打ちます。$/);
  assert.equal(await page.locator("#board .arrow").count(), 0);
  await page.keyboard.press("h");
  await tells(page, /^ヒント：▲５二金打?。$/);
  assert.equal(await page.locator("#board .arrow.hint").count(), 1);
  assert(await page.locator("#hint").isDisabled());
}

/** Regression: letters with Shift or Caps Lock did nothing. */
export async function keys_are_letters_of_either_case({ page }) {
  await openProblem(page, "G*5b");
  await page.keyboard.press("H");
  await tells(page, /^ヒント：金を打ちます。$/);
}

export async function the_answer_can_be_shown_and_followed({ page }) {
  await openProblem(page, "R*2a");
  await page.locator("#answer").click();
  await tells(page, /^正解はこの手順です。$/);
  assert((await marks(page)).includes("✗"));
  const moves = page.locator("#lines .move");
  assert((await moves.count()) >= 3);
  await moves.nth(2).click();
  assert.equal(await piece(page, "2b"), "龍");
}

export async function what_was_solved_survives_a_reload_and_is_forgotten_when_asked_for({ visit, page }) {
  await openProblem(page, "G*5b");
  await visit.play("G*5b");
  await tells(page, /^正解です。$/);
  await page.goto(page.url().replace(/#.*/, ""));
  await page.reload();
  assert.deepEqual((await marks(page)).sort(), ["·", "✓"].sort());
  // The next open problem is shown.
  assert.match(await page.locator("#problems .here .mark").textContent(), /·/);
  await page.locator("#show").selectOption("open");
  assert.equal(await page.locator("#problems button").count(), 1);
  await page.locator("#forget").click();
  assert.equal(await text(page, "forget"), "消しますか？");
  await page.locator("#forget").click();
  assert.deepEqual(await marks(page), ["·", "·"]);
}

/** Regression: after the first press the next one forgot, whenever it came. */
export async function starting_over_is_asked_for_again_after_anything_else({ visit, page }) {
  await openProblem(page, "G*5b");
  await visit.play("G*5b");
  await tells(page, /^正解です。$/);
  const usual = await text(page, "forget");
  for (const key of ["Tab", "n"]) {
    await page.locator("#forget").click();
    assert.equal(await text(page, "forget"), "消しますか？");
    await page.keyboard.press(key);
    assert.equal(await text(page, "forget"), usual);
  }
  assert((await marks(page)).includes("✓"));
}

/** Regression: of two pages that were open at a time, the one that wrote last erased what the other had kept. */
export async function two_open_pages_keep_what_is_solved_in_both({ visit, page }) {
  const other = await visit.context.newPage();
  await other.goto(page.url().replace(/#.*/, ""));
  await openProblem(page, "G*5b");
  await visit.play("G*5b");
  await tells(page, /^正解です。$/);
  await openProblem(other, "R*2a");
  await other.locator("#answer").click();
  await tells(other, /^正解はこの手順です。$/);
  await page.goto(page.url().replace(/#.*/, ""));
  await page.reload();
  assert.deepEqual((await marks(page)).sort(), ["✓", "✗"].sort());
}

export async function problems_are_solved_by_the_keyboard_alone({ page }) {
  await openProblem(page, "G*5b");
  await page.locator('#board [data-key="5e"]').focus();
  for (let count = 0; count < 12; count += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  for (let count = 0; count < 8; count += 1) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  for (let count = 0; count < 4; count += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await tells(page, /^正解です。$/);
  await page.evaluate(() => document.activeElement.blur());
  const name = await text(page, "name");
  await page.keyboard.press("n");
  assert.notEqual(await text(page, "name"), name);
}

/** Regression: the button of the problem was made anew, and the next Tab began at the top of the page. */
export async function the_keyboard_keeps_its_place_in_the_list_of_problems({ page }) {
  const buttons = page.locator("#problems button");
  for (const index of [1, 0]) {
    await buttons.nth(index).focus();
    await page.keyboard.press("Enter");
    assert(await buttons.nth(index).evaluate((button) => button === document.activeElement && button.matches(".here")));
  }
}

export async function the_language_colours_and_pieces_are_the_readers({ begin }) {
  const visit = await begin({ locale: "en-GB", colorScheme: "dark" });
  const { page } = visit;
  await openProblem(page, "G*5b");
  assert.match(await text(page, "goal"), /Black to play: there is a mate/);
  await visit.play("5i5h");
  await tells(page, /is wrong: .+ follows\..*was played in the game/);
  await page.locator("#language").click();
  await tells(page, /失敗です/);
  await page.locator("#pieces").click();
  assert.equal(await piece(page, "5c"), "G");
  await visit.end();
}

export async function a_phone_shows_it_without_scrolling_to_the_side({ begin, shoot, page }) {
  await shoot("practice");
  assert(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "a desktop scrolls");
  const phone = await begin({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await openProblem(phone.page, "R*2a");
  assert(await phone.page.evaluate(() => document.documentElement.scrollWidth <= 390), "the page is wider than a phone");
  const toolbar = await phone.page.evaluate(() => document.querySelector("#table .toolbar").getBoundingClientRect().bottom);
  assert(toolbar <= 844, "board and buttons do not fit");
  await phone.page.locator('#board .movable[data-key$=":R"]').tap();
  await phone.page.locator('#board .target[data-key="2a"]').tap();
  await tells(phone.page, /応じられました/);
  await shoot("practice-phone", phone);
  await phone.end();
}

/** Regression: the board filled the screen, and the task was far below it. */
export async function a_phone_on_its_side_shows_the_board_beside_the_task({ begin, shoot }) {
  for (const size of [[667, 331], [740, 340], [844, 390]]) {
    const phone = await begin({ viewport: { width: size[0], height: size[1] }, hasTouch: true, isMobile: true });
    const places = () => phone.page.evaluate(() => ["#table", "nav", "#task"]
      .map((part) => document.querySelector(part).getBoundingClientRect()));
    const [table, , task] = await places();
    assert(table.right <= task.left && task.right <= size[0], `at ${size} they are not side by side`);
    await phone.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [, buttons] = await places();
    assert(buttons.top >= 0 && buttons.bottom <= size[1], `at ${size} the buttons are not seen at the end of the page`);
    if (size[0] === 740) await shoot("practice-phone-landscape", phone);
    await phone.end();
  }
}

/** Regression: where there was no room to keep a result, each one removed the one before. */
export async function results_without_room_in_the_storage_hold_until_the_page_is_closed({ page }) {
  await page.evaluate(() => {
    localStorage.setItem("kawasemi-practice", "{}");
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  for (const answer of ["G*5b", "R*2a"]) {
    await openProblem(page, answer);
    await page.locator("#answer").click();
  }
  assert.deepEqual((await marks(page)).filter((mark) => mark !== "·"), ["✗", "✗"]);
}

/** Regression: such a page had buttons without texts, which did nothing. */
export async function a_page_without_problems_says_so_and_has_nothing_to_press({ page }) {
  await page.route("**/practice.html", async (route) => {
    const response = await route.fetch();
    const emptied = (_, begin, data, end) => begin + JSON.stringify({ ...JSON.parse(data), problems: [] }) + end;
    const body = (await response.text()).replace(/(<script type="application\/json" id="data">)(.*?)(<\/script>)/s, emptied);
    await route.fulfill({ response, body });
  });
  await page.reload();
  assert.equal(await text(page, "goal"), "問題がありません。");
  assert.equal(await page.locator("button").count(), 0);
}

export async function mate_problems_are_practised_on_the_same_page({ visit, page }) {
  await page.goto(new URL("tsume.html", page.url()).href);
  assert.match(await text(page, "goal"), /先手番。3手詰。/);
  await visit.play("9c9d");
  await tells(page, /▲９四玉は王手ではありません/);
  await page.keyboard.press("r");
  const { answer, others } = await page.evaluate(() => JSON.parse(document.querySelector("#data").textContent).problems[0].steps[0]);
  const also = others.find(({ kind }) => kind === "also_mates");
  await visit.play(also.move[0]);
  await tells(page, /でも詰みます/);
  await page.keyboard.press("r");
  const wrong = others.find(({ kind }) => kind === "wrong");
  await visit.play(wrong.move[0]);
  await tells(page, /で失敗です/);
  await page.keyboard.press("r");
  await visit.play(answer[0]);
  await tells(page, /応じられました/);
}

export async function names_are_shown_as_text({ page }) {
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator("img, b[onmouseover]").count(), 0);
}

export async function all_words_have_a_contrast_of_at_least_4_5({ begin }) {
  for (const colorScheme of ["light", "dark"]) {
    const visit = await begin({ colorScheme });
    await openProblem(visit.page, "G*5b");
    await visit.play("5i5h");
    await tells(visit.page, /失敗です/);
    assert.deepEqual(await visit.page.evaluate(paleTexts), [], colorScheme);
    await visit.end();
  }
}
