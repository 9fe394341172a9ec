// What must hold of the components that pages share, on a page that has nothing else.

import { strict as assert } from "node:assert";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function centre(page, key) {
  const box = await page.locator(`[data-key="${key}"] > .ground`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function click(page, key) {
  await page.mouse.click(...await centre(page, key));
}

async function drag(page, from, to) {
  await page.mouse.move(...await centre(page, from));
  await page.mouse.down();
  await page.mouse.move(...await centre(page, to), { steps: 5 });
  await page.mouse.up();
}

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const told = (page) => page.evaluate(() => window.tested.told.splice(0));
const label = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
const isAsked = (page) => page.locator(".promotion").isVisible();

export async function a_tap_selects_a_piece_and_the_next_plays_it({ page }) {
  await click(page, "2b");
  assert.deepEqual(await page.locator(".target").evaluateAll((cells) => cells.map((cell) => cell.dataset.key)), ["3b"]);
  await click(page, "3b");
  assert.deepEqual(await told(page), ["move 2b3b"]);
}

export async function a_second_tap_on_a_piece_leaves_it({ page }) {
  await click(page, "2b");
  await click(page, "2b");
  assert.equal(await page.locator(".selected, .target").count(), 0);
}

export async function a_piece_dropped_where_it_cannot_go_stays({ page }) {
  await drag(page, "6f", "5e");
  assert.equal(await page.locator(".selected, .lifted").count(), 0);
  await drag(page, "white:N", "4e");
  assert.deepEqual(await told(page), ["move N*4e"]);
}

/** Regression: the board was drawn anew whenever the engine changed its mind. */
export async function an_arrow_that_changes_does_not_end_a_drag({ page }) {
  await page.mouse.move(...await centre(page, "white:N"));
  await page.mouse.down();
  await page.mouse.move(...await centre(page, "5d"), { steps: 3 });
  await page.evaluate(() => {
    window.tested.cell = document.querySelector('[data-key="white:N"]');
    window.tested.board.set({ arrows: [{ usi: "2b3b", weight: 1, kind: "best" }] });
  });
  assert.equal(await page.locator(".arrow.best").count(), 1);
  assert(await page.evaluate(() => window.tested.cell.isConnected && window.tested.cell.classList.contains("lifted")));
  await page.mouse.move(...await centre(page, "4e"), { steps: 3 });
  await page.mouse.up();
  assert.deepEqual(await told(page), ["move N*4e"]);
}

/** Regression: a click is lost if what was pressed is gone when the button is released. */
export async function a_click_on_a_line_or_a_move_survives_its_update({ page }) {
  const clickDuring = async (target, update) => {
    await page.locator(target).first().scrollIntoViewIfNeeded();
    const box = await page.locator(target).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.evaluate(update);
    await page.mouse.up();
  };
  await clickDuring("#lines .line:nth-child(2) .move", () => window.tested.lines.set({
    lines: [{ id: "a", score: "+2", moves: ["A"] }, { id: "b", score: "-1", moves: ["F", "G", "H"], note: "depth 3" }],
  }));
  assert.deepEqual(await told(page), ["line b 1"]);
  assert.equal(await page.locator("#lines").textContent(), "+2A-1FGHdepth 3");
  await clickDuring("#moves .row:nth-child(2)", () => window.tested.moves.set({
    rows: ["a", "▲７六歩", "c", "d"].map((text, id) => ({ id, number: id, text, grade: id === 1 ? "mistake" : null, score: "+10", seconds: 65, isBranch: false })),
  }));
  assert.deepEqual(await told(page), ["list 1"]);
  assert.equal(await page.locator("#moves .row").count(), 4);
}

export async function promotion_is_asked_on_the_board({ page }) {
  await drag(page, "6f", "9i");
  assert(await isAsked(page));
  const box = await page.locator(".promotion").boundingBox();
  const whole = await page.locator(".board").boundingBox();
  assert(box.x >= whole.x && box.y + box.height <= whole.y + whole.height, "the question is not on the board");
  await page.locator(".promotion button").nth(1).click();
  assert.deepEqual(await told(page), ["move 6f9i"]);
  await drag(page, "6f", "8h");
  await page.locator(".promotion button").first().click();
  assert.deepEqual(await told(page), ["move 6f8h+"]);
}

/** Regression: a tap is a click too, and that was one on the button that had appeared under the finger. */
export async function a_tap_that_asks_for_promotion_does_not_answer({ begin }) {
  const visit = await begin(PHONE);
  const { page } = visit;
  const tap = (x, y) => page.touchscreen.tap(x, y);
  await tap(...await centre(page, "6f"));
  const [x, y] = await centre(page, "8h");
  // Not in the middle, between the two buttons.
  await tap(x - 8, y);
  await page.locator(".promotion button").nth(1).click();
  assert.deepEqual(await told(page), ["move 6f8h"]);
  await visit.end();
}

export async function a_click_beside_the_question_or_a_new_position_withdraws_it({ page }) {
  await drag(page, "6f", "8h");
  await click(page, "1i");
  assert.equal(await isAsked(page), false);
  await drag(page, "6f", "8h");
  await page.evaluate(() => window.tested.board.set({ sfen: window.tested.sfen.START_SFEN, legal: [] }));
  assert.equal(await isAsked(page), false);
  assert.deepEqual(await told(page), []);
}

/** Regression: after a loss on time the moves of both sides are legal, so a choice of the match stayed open. */
export async function what_is_begun_on_the_board_can_be_cancelled({ page }) {
  const cancel = () => page.evaluate(() => window.tested.board.cancel());
  await drag(page, "6f", "8h");
  assert(await isAsked(page));
  await cancel();
  assert.equal(await isAsked(page), false);
  await click(page, "2b");
  await cancel();
  assert.equal(await page.locator(".selected, .target").count(), 0);
  await page.mouse.move(...await centre(page, "2b"));
  await page.mouse.down();
  await page.mouse.move(...await centre(page, "3b"), { steps: 3 });
  await cancel();
  await page.mouse.up();
  await drag(page, "6f", "8h");
  await page.evaluate(() => window.tested.board.set({ legal: null }));
  assert.equal(await isAsked(page), false);
  assert.deepEqual(await told(page), []);
}

export async function the_keyboard_plays_and_hears_what_is_on_the_squares({ page }) {
  await page.evaluate(() => window.tested.board.focus());
  assert.equal(await label(page), "５五 空き");
  await press(page, "ArrowLeft", "ArrowDown");
  assert.equal(await label(page), "６六 後手の角");
  await press(page, "Enter");
  assert.match(await label(page), /選択中/);
  await press(page, "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft");
  assert.match(await label(page), /ここに指せる/);
  await press(page, "Enter");
  assert.equal(await label(page), "成る");
  await press(page, "Tab");
  assert.equal(await label(page), "成らない");
  await press(page, "Escape");
  assert.equal(await isAsked(page), false);
  assert.match(await label(page), /^８八/);
  await press(page, "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "Enter", "Escape");
  assert.equal(await page.locator(".selected").count(), 0);
  assert.deepEqual(await told(page), []);
}

/** Regression: nothing happened, because Chromium gives the events of a screen reader no point in a drawing. */
export async function a_screen_reader_presses_a_piece_and_a_square({ page }) {
  await page.evaluate(() => {
    for (const key of ["2b", "3b"]) {
      const cell = document.querySelector(`[data-key="${key}"]`);
      for (const type of ["pointerdown", "pointerup"]) cell.dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true }));
    }
  });
  assert.deepEqual(await told(page), ["move 2b3b"]);
}

/** Regression: a second finger took over the piece, and played it where it was put down or lifted. */
export async function a_second_finger_does_not_play_the_piece_that_is_dragged({ page }) {
  await page.mouse.move(...await centre(page, "white:N"));
  await page.mouse.down();
  await page.mouse.move(...await centre(page, "5d"), { steps: 3 });
  const [clientX, clientY] = await centre(page, "4e");
  await page.evaluate((point) => {
    const cell = document.querySelector('[data-key="4e"]');
    for (const type of ["pointermove", "pointerup", "pointerdown", "pointercancel"]) {
      cell.dispatchEvent(new PointerEvent(type, { pointerId: 7, isPrimary: false, pointerType: "touch", bubbles: true, ...point }));
    }
  }, { clientX, clientY });
  assert.deepEqual(await told(page), []);
  await page.mouse.move(clientX, clientY, { steps: 3 });
  await page.mouse.up();
  assert.deepEqual(await told(page), ["move N*4e"]);
}

export async function arrow_keys_reach_the_hands_and_follow_what_is_seen({ page }) {
  await page.evaluate(() => window.tested.board.focus());
  await press(page, ...Array(5).fill("ArrowUp"));
  assert.match(await label(page), /^後手の持ち駒/);
  await page.evaluate(() => window.tested.board.set({ below: "white", lang: "en" }));
  await press(page, ...Array(5).fill("ArrowUp"));
  assert.match(await label(page), /^\d[a-i], /);
  const here = await page.evaluate(() => document.activeElement.dataset.key);
  await press(page, "ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), String(Number(here[0]) + 1) + here[1]);
}

export async function the_whole_position_and_every_move_are_in_words({ page }) {
  const grid = page.locator("#board [role=grid]");
  assert.match(await grid.getAttribute("aria-label"), /^将棋盤。後手の手番/);
  const description = await page.locator(`#${await grid.getAttribute("aria-describedby")}`).textContent();
  assert.match(description, /先手：玉 ２九、飛車 ９八/);
  assert.match(description, /後手の持ち駒：金 1、銀 1、桂 1、歩 5/);
  const start = await page.evaluate(() => window.tested.sfen.START_SFEN);
  await page.evaluate(() => {
    const { board, sfen } = window.tested;
    board.set({ sfen: sfen.writeSfen(sfen.playUsi(sfen.parseSfen(sfen.START_SFEN), "7g7f")), lastMove: "7g7f", legal: null });
  });
  assert.equal(await page.locator("#board [aria-live]").textContent(), "７六 先手の歩");
  await page.evaluate((sfen) => window.tested.board.set({ sfen, lastMove: null, check: true }), start);
  assert.match(await grid.getAttribute("aria-label"), /王手/);
  await page.evaluate(() => window.tested.board.set({ isHandicap: true }));
  assert.match(await grid.getAttribute("aria-label"), /下手の手番/);
}

export async function each_component_is_one_tab_stop({ page }) {
  const stops = [];
  for (let count = 0; count < 5; count++) {
    await press(page, "Tab");
    stops.push(await page.evaluate(() => document.activeElement.getAttribute("role")));
  }
  assert.deepEqual(stops, ["gridcell", "slider", "gridcell", "listbox", null]);
}

export async function lines_list_and_graph_are_used_by_keys({ page }) {
  await page.locator("#lines .move").first().focus();
  await press(page, "ArrowRight", "End", "ArrowRight", "ArrowDown", "ArrowUp", "Enter");
  assert.deepEqual(await told(page), ["line a 2", "line a 3", "line a 3", "line b 1", "line a 1", "line a 1"]);
  await page.locator("#moves [role=listbox]").focus();
  await press(page, "End", "ArrowUp", "ArrowUp", "ArrowUp");
  assert.deepEqual(await told(page), ["list 1", "list 0", "list 0", "list 0"]);
  await page.locator("#graph").focus();
  await press(page, "ArrowRight", "PageUp", "Home");
  assert.deepEqual(await told(page), ["graph 2", "graph 4", "graph 0"]);
  assert.equal(await page.locator("#graph").getAttribute("aria-valuetext"), "Start, Black 50%, 0:00");
}

/** Regression: they went to and fro between a move and its branch, and never beyond. */
export async function the_arrow_keys_pass_a_branch_and_enter_goes_into_it({ page }) {
  await page.evaluate(() => {
    const rows = [false, false, true, false, true].map((isBranch, id) => ({ id, number: id, text: `move ${id}`, isBranch }));
    window.tested.moves.set({ rows, current: 0 });
  });
  await page.locator("#moves [role=listbox]").focus();
  await press(page, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp");
  assert.deepEqual(await told(page), ["list 1", "list 3", "list 1"]);
  await press(page, "ArrowDown");
  const active = await page.locator("#moves [role=listbox]").getAttribute("aria-activedescendant");
  assert.match(await page.locator(`#${active}`).getAttribute("aria-label"), /^branch, 2 move 2/);
  await press(page, "Enter");
  assert.deepEqual(await told(page), ["list 2"]);
  await press(page, "End", "ArrowDown", "ArrowDown");
  assert.deepEqual(await told(page), ["list 3"]);
}

/** Regression: they kept a name without a role, which no screen reader may tell. */
export async function lines_have_a_name_only_while_there_are_any({ page }) {
  const nameWith = (lines) => page.evaluate((lines) => {
    window.tested.lines.set({ lines });
    return document.querySelector("#lines").getAttribute("aria-label");
  }, lines);
  assert.deepEqual([await nameWith([]), await nameWith([{ id: "a", score: "+1", moves: ["A"] }])], [null, "Lines"]);
}

export async function a_click_on_the_graph_goes_to_the_move_below_it({ page }) {
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + box.width - 12, box.y + 30);
  assert.deepEqual(await told(page), ["graph 4"]);
  // What is not known interrupts the curve.
  assert.equal(await page.locator("#graph .curve").count(), 2);
  assert.equal(await page.locator("#graph circle.blunder").count(), 1);
}

/** Regression: the edge of the drawing cut the number. */
export async function the_number_of_a_piece_in_hand_is_within_the_board({ page }) {
  await page.evaluate(() => window.tested.board.set({ sfen: "4k4/9/9/9/9/9/9/9/4K4 b 2P 1", legal: null }));
  const [count, board] = await Promise.all(["circle.count", "svg"].map((part) => page.locator(`#board ${part}`).boundingBox()));
  assert(count.x + count.width < board.x + board.width);
}

export async function text_of_a_row_is_never_markup({ page }) {
  assert.equal(await page.locator("#moves .row .move").first().textContent(), "<img src=x onerror=alert(1)>");
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("#moves .row").nth(1).getAttribute("aria-label"), "1 Black ７六歩, mistake, Score +10, Time 1:05");
}

export async function positions_are_played_and_written_as_sfen({ page }) {
  const written = await page.evaluate(() => {
    const { parseSfen, playUsi, writeSfen, START_SFEN } = window.tested.sfen;
    const moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"];
    return [writeSfen(parseSfen(START_SFEN)), writeSfen(moves.reduce(playUsi, parseSfen(START_SFEN)))];
  });
  assert.deepEqual(written, [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6",
  ]);
}

export async function both_languages_have_the_same_texts({ page }) {
  const keys = await page.evaluate(() => {
    const names = (texts, path) => Object.entries(texts).flatMap(([name, text]) =>
      (typeof text === "object" ? names(text, `${path}${name}.`) : [`${path}${name} ${typeof text}`]));
    return ["en", "ja"].map((lang) => names(window.tested.sharedText(lang), "").sort());
  });
  assert.deepEqual(keys[0], keys[1]);
}

/** Regression: elements were made anew when a piece was selected, which ended the touch. */
export async function a_finger_drags_a_piece_and_scrolls_the_page_elsewhere({ begin }) {
  const visit = await begin(PHONE);
  const { page } = visit;
  await visit.swipe(await centre(page, "white:N"), await centre(page, "4e"));
  assert.deepEqual(await told(page), ["move N*4e"]);
  assert.equal(await page.evaluate(() => scrollY), 0);
  const [x, y] = await centre(page, "5e");
  await visit.swipe([x, y], [x, y - 200]);
  await page.waitForFunction(() => scrollY > 50);
  await visit.end();
}
