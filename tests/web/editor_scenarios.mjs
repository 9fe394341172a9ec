// What must hold of the position editor. ONLY=position_editor runs those that make screenshots.

import { strict as assert } from "node:assert";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const EDITOR = "#position-editor";
const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

const cell = (key) => `${EDITOR} [data-key="${key}"]`;
const label = ({ page }, key) => page.getAttribute(cell(key), "aria-label");
const told = ({ page }) => page.textContent(`${EDITOR} [aria-live]`);
const press = ({ page }, name) => page.click(`${EDITOR} button[name="${name}"]`);
const isOpen = ({ page }) => page.locator(EDITOR).evaluate((dialog) => dialog.open);

async function open(visit) {
  await visit.press("editPosition");
  await visit.page.waitForSelector(`${EDITOR}[open]`);
}

async function tap({ page }, ...keys) {
  for (const key of keys) await page.click(cell(key));
}

async function keys({ page }, ...names) {
  for (const name of names) await page.keyboard.press(name);
}

async function centre({ page }, key) {
  const box = await page.locator(`${cell(key)} > .ground`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(visit, from, to) {
  await visit.page.mouse.move(...await centre(visit, from));
  await visit.page.mouse.down();
  await visit.page.mouse.move(...await centre(visit, to), { steps: 5 });
  await visit.page.mouse.up();
}

/** Finishes, and returns the position with which the new game begins. */
async function finish(visit) {
  await press(visit, "finish");
  await visit.page.waitForSelector(EDITOR, { state: "hidden" });
  return (await visit.copied("sfen")).trim();
}

export async function what_a_position_does_not_hold_is_in_the_box({ visit }) {
  const seen = await visit.page.evaluate(async () => {
    const { BOX, boxOf, clear, handOutBox, movePiece, turnPiece, turned } = await import("./setup.js");
    const { START_SFEN, parseSfen, writeSfen } = await import("./sfen.js");
    const start = parseSfen(START_SFEN);
    const rookTakes = movePiece(start, "2h", "2b", start.squares["2h"]);
    const promoted = turnPiece(rookTakes, "2b");
    const held = movePiece(promoted, "2b", "white:", promoted.squares["2b"]);
    const boxed = movePiece(held, "white:R", "box:", { side: "white", kind: "R" });
    const dropped = movePiece(boxed, `${BOX}:B`, "5e", { side: "white", kind: "+B" });
    const cycle = (piece, times) => (times === 0 ? [] : [piece, ...cycle(turned(piece), times - 1)]);
    const forms = ["N", "G"].map((kind) => cycle({ side: "black", kind }, 5).map(({ side, kind }) => side[0] + kind).join(" "));
    return {
      isUnchanged: writeSfen(start) === START_SFEN,
      boxes: [start, rookTakes, held, boxed, dropped].map((position) => ["R", "B"].map((kind) => boxOf(position)[kind]).join("")),
      sfens: [promoted, held, dropped, clear(start), handOutBox(clear(start), "white")].map(writeSfen),
      forms,
    };
  });
  assert.deepEqual(seen, {
    isUnchanged: true,
    boxes: ["00", "01", "01", "11", "10"],
    sfens: [
      "lnsgkgsnl/1r5+R1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1",
      "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b r 1",
      "lnsgkgsnl/1r7/ppppppppp/9/4+b4/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1",
      "9/9/9/9/9/9/9/9/9 b - 1",
      "9/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    ],
    forms: ["bN b+N wN w+N bN", "bG wG bG wG bG"],
  });
}

export async function a_mate_problem_is_set_up_by_taps_and_solved({ visit }) {
  await visit.read("position startpos moves 7g7f");
  await open(visit);
  await press(visit, "tsume");
  await tap(visit, "white:P", "5c");
  assert.equal(await label(visit, "5c"), "５三 後手の歩");
  assert.equal(await label(visit, "white:P"), "後手の持ち駒 歩17枚、選択中");
  await tap(visit, "5c", "5c", "5c");
  assert.equal(await label(visit, "5c"), "５三 先手の歩、選択中");
  await tap(visit, "white:G", "black:");
  assert.equal(await finish(visit), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  await visit.press("solve");
  await visit.status(/1手詰/);
  // The game that the position has replaced is kept.
  await visit.page.click("#open-record");
  await visit.page.click('#record [name="previous"]');
  await visit.waitForMoves(1);
  assert.deepEqual(await visit.moves(), ["▲７六歩"]);
}

export async function pieces_of_the_box_are_put_one_after_the_other_in_the_form_in_which_they_were_turned({ visit }) {
  await open(visit);
  await press(visit, "clear");
  await tap(visit, "box:P", "box:P", "box:P", "9c", "8c", "7c");
  assert.equal(await label(visit, "box:P"), "駒箱 後手の歩 15枚、選択中");
  await tap(visit, "box:K", "5a", "box:K", "5i", "box:P", "box:P", "5h");
  assert.equal(await finish(visit), "4k4/9/ppp6/9/9/9/9/4+P4/4K4 b - 1");
}

export async function a_piece_that_is_dragged_onto_another_one_sends_it_to_the_box_until_that_is_undone({ visit }) {
  await open(visit);
  await drag(visit, "2h", "2b");
  assert.equal(await label(visit, "2b"), "２二 先手の飛車");
  assert.equal(await label(visit, "box:B"), "駒箱 先手の角 1枚");
  assert.equal(await visit.page.locator(`${EDITOR} .selected`).count(), 0);
  await press(visit, "undo");
  assert.equal(await label(visit, "2b"), "２二 後手の角");
  assert(await visit.page.locator(`${EDITOR} [name="undo"]`).isDisabled());
  await drag(visit, "5i", "black:");
  assert.equal(await label(visit, "5i"), "５九 先手の玉", "no hand holds a king");
  await drag(visit, "5i", "box:");
  assert.equal(await label(visit, "box:K"), "駒箱 先手の玉 1枚");
}

/** Regression: with Caps Lock nothing was undone. */
export async function the_key_that_undoes_does_so_with_caps_lock_too({ visit }) {
  await open(visit);
  await keys(visit, "ArrowDown", "ArrowDown", "Delete");
  const pressZ = (shiftKey) => visit.page.locator(EDITOR).evaluate((dialog, shiftKey) =>
    dialog.dispatchEvent(new KeyboardEvent("keydown", { key: "Z", ctrlKey: true, shiftKey, cancelable: true })), shiftKey);
  await pressZ(true);
  assert.equal(await label(visit, "5g"), "５七 空き");
  await pressZ(false);
  assert.equal(await label(visit, "5g"), "５七 先手の歩");
}

export async function a_position_is_set_up_by_the_keyboard_alone({ visit }) {
  await open(visit);
  await keys(visit, "ArrowDown", "ArrowDown", "Delete");
  assert.equal(await told(visit), "駒箱 先手の歩 1枚");
  // Over the last ranks and the hand to the box.
  await keys(visit, ...Array(4).fill("ArrowDown"), "Home", "Enter", "Enter");
  assert.equal(await told(visit), "駒箱 先手のと金 1枚");
  await keys(visit, "ArrowUp", "ArrowUp", "ArrowUp", "Enter");
  assert.equal(await told(visit), "５八 先手のと金");
  await keys(visit, "Control+z");
  assert.equal(await label(visit, "5h"), "５八 空き");
  assert.equal(await told(visit), "局面が変わりました。");
  // Escape leaves the selection at first, and then the editor, but asks.
  await keys(visit, "ArrowDown", "Enter");
  assert.match(await label(visit, "5i"), /選択中/);
  await keys(visit, "Escape");
  assert.equal(await visit.page.locator(`${EDITOR} .selected`).count(), 0);
  await keys(visit, "Escape");
  await visit.page.waitForSelector("#confirm[open]");
  await keys(visit, "Enter");
  await visit.page.waitForSelector("#confirm", { state: "hidden" });
  assert(await isOpen(visit));
  assert.equal(await finish(visit), START.replace("/PPPPPPPPP/", "/PPPP1PPPP/"));
}

/** Regression: Delete meant the square of the focus, and Escape left the editor. */
export async function keys_mean_the_piece_that_was_tapped_last({ visit }) {
  await open(visit);
  await tap(visit, "7g");
  await keys(visit, "Delete");
  assert.equal(await label(visit, "7g"), "７七 空き");
  await press(visit, "undo");
  await tap(visit, "2h");
  await keys(visit, "Escape");
  assert.equal(await visit.page.locator(`${EDITOR} .selected`).count(), 0);
  assert(await isOpen(visit));
}

export async function an_illegal_position_gives_a_message_and_can_be_mended({ visit }) {
  await open(visit);
  await tap(visit, "8g", "7f");
  await press(visit, "finish");
  const message = visit.page.locator(`${EDITOR} .message`);
  await message.filter({ hasText: "7筋に先手の歩が2枚あります（二歩）" }).waitFor();
  assert(await isOpen(visit));
  await tap(visit, "7f", "8f");
  assert.equal(await message.textContent(), "");
  assert.equal(await finish(visit), START.replace("PPPPPPPPP/", "P1PPPPPPP/").replace("/9/P1", "/1P7/P1"));
}

export async function an_edited_position_is_discarded_only_if_the_user_agrees({ visit }) {
  await visit.read("position startpos moves 7g7f");
  await open(visit);
  await press(visit, "cancel");
  assert.equal(await isOpen(visit), false, "nothing was edited");
  // Regression: a second press, which changes nothing, had to be undone too.
  await open(visit);
  for (const name of ["clear", "clear", "undo", "cancel"]) await press(visit, name);
  assert.equal(await isOpen(visit), false, "all was undone");
  await open(visit);
  await press(visit, "clear");
  await press(visit, "cancel");
  await visit.page.click('#confirm button[value="no"]');
  assert(await isOpen(visit));
  await press(visit, "cancel");
  await visit.page.click('#confirm button[value="yes"]');
  await visit.page.waitForSelector(EDITOR, { state: "hidden" });
  assert.deepEqual(await visit.moves(), ["▲７六歩"]);
}

/** Regression: the dialog for records opened above, and the editor replaced what it had read. */
export async function a_record_is_not_read_while_a_position_is_edited({ visit }) {
  await open(visit);
  await visit.page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "position startpos moves 7g7f");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  assert(await visit.page.locator("#record").isHidden());
  assert(await isOpen(visit));
}

/** Regression: they did once the focus was outside the dialog, as after a click on its text. */
export async function arrow_keys_do_not_go_through_the_game_behind_a_dialog({ visit }) {
  await visit.read("position startpos moves 7g7f");
  await open(visit);
  await visit.page.evaluate(() => document.activeElement.blur());
  await keys(visit, "ArrowRight");
  await press(visit, "cancel");
  assert.equal((await visit.copied("sfen")).trim(), START);
}

export async function a_handicap_and_the_side_to_move_are_set_up({ visit }) {
  await open(visit);
  await visit.page.selectOption(`${EDITOR} [name="handicap"]`, { label: "香落ち" });
  await press(visit, "setUp");
  const side = visit.page.locator(`${EDITOR} [name="side"]`);
  assert.equal(await side.inputValue(), "white");
  await side.selectOption("black");
  await press(visit, "undo");
  assert.equal(await side.inputValue(), "white");
  await press(visit, "finish");
  await visit.page.waitForFunction(() => /上手/.test(document.querySelector("#player-above").textContent));
  await visit.newGame({ level: "-15", side: "black", clock: "none" }, "here");
  await visit.waitForMoves(1);
  assert(await visit.page.locator("#button-editPosition").isHidden(), "no position is edited during a match");
}

export async function the_position_editor_fits_on_a_desktop({ visit, shoot }) {
  await open(visit);
  await press(visit, "tsume");
  await tap(visit, "white:G", "5c");
  await shoot("position-editor");
  const [height, shown] = await visit.page.locator(EDITOR).evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight]);
  assert(height <= shown, `${height} pixels are higher than the dialog`);
}

export async function the_position_editor_is_used_by_touch_on_a_phone({ begin, shoot }) {
  for (const locale of ["ja-JP", "en-GB"]) {
    const visit = await begin({ ...PHONE, locale });
    const { page } = visit;
    await page.tap("#button-editPosition");
    const { dialog, width, bottom } = await page.locator(EDITOR).evaluate((dialog) => ({
      dialog: dialog.scrollWidth - dialog.clientWidth, width: document.documentElement.scrollWidth,
      bottom: dialog.querySelector('[name="finish"]').getBoundingClientRect().bottom,
    }));
    assert(dialog <= 0 && width <= 390, `the editor is wider than the phone in ${locale}`);
    assert(bottom <= 844, `the button to finish is at ${bottom}`);
    await visit.swipe(await centre(visit, "2g"), await centre(visit, "3c"));
    assert.equal(await page.locator(EDITOR).evaluate((dialog) => dialog.scrollTop), 0, "a drag scrolls");
    await page.tap(cell("box:P"));
    await page.tap(cell("black:"));
    await page.tap(cell("3c"));
    await page.tap(cell("3c"));
    await shoot(`position-editor-phone-${locale.slice(0, 2)}`, visit);
    assert.equal(await finish(visit), START.replace("ppppppppp", "pppppp+Ppp").replace("PPPPPPPPP", "PPPPPPP1P").replace("b -", "b P"));
    await visit.end();
  }
}
