// The practice page: a puzzle on the board, the moves of the user, and the replies.

import { createBoard } from "../../../web/board.js";
import { htmlElement, setText } from "../../../web/dom.js";
import { createLines } from "../../../web/movelist.js";
import { applyTheme } from "../../../web/preferences.js";
import { otherSide, moverOf, parseSfen, playUsi, writeSfen } from "../../../web/sfen.js";
import { fileName, pieceName, sideName, sharedText } from "../../../web/text.js";
import { copyText } from "../../../web/transfer.js";
import { choiceActions, drawButtons, readerChoices } from "../page_controls.js";
import { PRACTICE_TEXT } from "./page_text.js";
import { createProgress } from "./progress.js";

const STATE_MARKS = { solved: "✓", helped: "△", shown: "✗" };
// The reply comes after the eye has seen the move.
const REPLY_MS = 450;
/** The text for each kind of another move that is right too. */
const ALSO_RIGHT = { also_mates: "alsoMates", also_right: "alsoRight" };

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { problems } = data;
const progress = createProgress();

// The problem, the move to find, and how far one is. The phase is "solve", "reply" while the opponent's move is
// awaited, "wrong" after a wrong move, or "done". `line` is what can be followed then: { base, moves, at, label } with the
// step where it begins and how many of its moves are shown.
const state = {
  index: 0, step: 0, phase: "solve", isHelped: false, hints: 0, line: null, told: null, timer: 0, isForgetting: false,
  turned: false, filter: "all",
  ...readerChoices(),
};

const text = () => sharedText(state.lang);
const pageText = () => PRACTICE_TEXT[state.lang] ?? PRACTICE_TEXT.en;
const problem = () => problems[state.index];
const step = () => problem().steps[state.step];
const usiOf = ([usi]) => usi;
const spelled = ([usi, japanese, english]) => (state.lang === "ja" ? japanese : english ?? usi);
const percent = (rate) => Math.round(rate * 100) + "%";

// Positions.

// The moves from the start of the problem to the move to find.
const movesBefore = (count) => problem().steps.slice(0, count).flatMap(({ answer, reply }) => (reply ? [answer, reply] : [answer]));

// The position after moves of the problem, and the move that led to it.
function placeAfter(moves) {
  const start = { position: parseSfen(problem().start), move: problem().previous };
  return moves.reduce(({ position }, move) => ({ position: playUsi(position, usiOf(move)), move: usiOf(move) }), start);
}

function shownPlace() {
  const { line, phase } = state;
  if (line) return placeAfter([...movesBefore(line.base), ...line.moves.slice(0, line.at)]);
  const before = movesBefore(state.step);
  return placeAfter(phase === "reply" ? [...before, step().answer] : before);
}

const solver = () => parseSfen(problem().start).side;

// Texts.

function scoreWords({ centipawns, plies, win_rate: winRate }) {
  if (centipawns !== null) return pageText().winRate(percent(winRate));
  const result = winRate > 0.5 ? pageText().isWon : pageText().isLost;
  return plies ? result + text().inParentheses(pageText().toMate(plies)) : result;
}

const stars = (grade) => "★".repeat(grade) + "☆".repeat(5 - grade);

function goalWords() {
  const { goal, plies, is_handicap: isHandicap } = problem();
  const side = sideName(solver(), state.lang, isHandicap);
  return pageText().goals[goal](side, plies);
}

// What is told of the answer only when the problem is over.
function factWords() {
  const { difficulty, depth, nodes, steps, goal, plies, tags, human_win_rates: human } = problem();
  const isOver = state.phase === "done";
  return [
    difficulty && `${pageText().difficulty} ${stars(difficulty)}`,
    goal !== "tsume" && pageText().movesToFind(steps.length),
    isOver && goal === "mate" && plies && pageText().mateIn(plies),
    isOver && tags.map((tag) => tag[state.lang] ?? tag.en).join(" "),
    isOver && human && pageText().human(...human.map(percent)),
    isOver && nodes && pageText().foundAt(depth, nodes.toLocaleString(state.lang)),
  ].filter(Boolean).join(" · ");
}

function originWords() {
  const { source, played, title } = problem();
  if (state.phase !== "done") return "";
  if (!source) return title ?? "";
  const names = source.black || source.white ? `▲${source.black ?? "?"} △${source.white ?? "?"}` : "";
  const origin = pageText().from({ ...source, file: fileName(source.file, state.lang) });
  return [origin, names, source.date, played && pageText().instead(spelled(played))].filter(Boolean).join(" · ");
}

// The parts of the page.

function drawBoard() {
  const { position, move } = shownPlace();
  const canPlay = state.phase === "solve";
  const below = state.turned ? otherSide(solver()) : solver();
  board.set({
    sfen: writeSfen(position), lastMove: move, below, arrows: arrows(),
    legal: canPlay ? [step().answer, ...step().others.map((other) => other.move)].map(usiOf) : null,
    lang: state.lang, isHandicap: problem().is_handicap, pieces: state.pieces,
    coordinates: state.lang === "ja" ? "japanese" : "western",
  });
}

function arrows() {
  if (state.phase === "solve" && state.hints > 1) return [{ usi: usiOf(step().answer), weight: 0.8, kind: "hint" }];
  const next = state.line?.moves[state.line.at];
  return next ? [{ usi: usiOf(next), weight: 0.5, kind: state.phase === "wrong" ? "bad" : "best" }] : [];
}

function drawTask() {
  setText(byId("name"), pageText().number(state.index + 1, problems.length));
  setText(byId("goal"), goalWords());
  setText(byId("facts"), factWords());
  setText(byId("told"), state.told.words());
  byId("told").className = state.told.kind;
  setText(byId("origin"), originWords());
  setText(byId("copy"), pageText().copySfen);
  const { line } = state;
  byId("lines").hidden = !line;
  const rows = line ? [{ id: "line", label: pageText()[line.label], score: "", moves: line.moves.map(spelled), note: "", kind: "" }] : [];
  const current = line && { id: "line", at: line.at };
  lines.set({ lines: rows, current, empty: "", lang: state.lang, isHandicap: problem().is_handicap });
}

function drawControls() {
  const names = pageText();
  const { previous, next, hint, answer, again } = names;
  drawButtons(state, { previous, next, hint, answer, again });
  for (const id of ["hint", "answer", "again"]) setText(byId(id), names[id]);
  byId("hint").disabled = state.phase !== "solve" || state.hints > 1;
  byId("answer").disabled = state.phase === "done";
  byId("again").disabled = state.phase === "solve" && state.step === 0;
}

// The problems that the choice shows, by their indices.
function chosen() {
  const all = problems.map((_, index) => index);
  const [kind, value] = state.filter.split(":");
  const fits = {
    all: () => true,
    open: (one) => !["solved", "helped"].includes(progress.of(one)),
    grade: (one) => one.difficulty === Number(value),
    goal: (one) => one.goal === value,
  }[kind];
  return all.filter((index) => fits(problems[index]));
}

function drawChoice() {
  const names = pageText();
  const grades = [...new Set(problems.map(({ difficulty }) => difficulty).filter(Boolean))].sort();
  const goals = [...new Set(problems.map(({ goal }) => goal))];
  const options = [
    ["all", names.all], ["open", names.open],
    ...grades.map((grade) => ["grade:" + grade, names.grade(grade)]),
    ...(goals.length > 1 ? goals.map((goal) => ["goal:" + goal, names.kinds[goal]]) : []),
  ];
  const { filter } = state;
  byId("show").replaceChildren(...options.map(([value, name]) => new Option(name, value, false, value === filter)));
  setText(document.querySelector("#choice label"), names.show);
  drawForget();
}

const drawForget = () => setText(byId("forget"), state.isForgetting ? pageText().forgetQuestion : pageText().forget);

function drawProblems() {
  const names = pageText();
  const list = byId("problems");
  const hadFocus = list.contains(document.activeElement);
  list.setAttribute("aria-label", names.problems);
  const buttons = chosen().map((index) => {
    const one = problems[index];
    const reached = progress.of(one);
    const button = htmlElement("button", index === state.index ? "here" : "");
    button.type = "button";
    button.append(String(index + 1), htmlElement("span", "mark", STATE_MARKS[reached] ?? "·"));
    if (one.difficulty) button.append(htmlElement("span", "", "★" + one.difficulty));
    const parts = [names.number(index + 1, problems.length), one.difficulty && names.grade(one.difficulty), names.states[reached ?? "open"]];
    button.setAttribute("aria-label", parts.filter(Boolean).join(text().comma));
    if (index === state.index) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => begin(index));
    return button;
  });
  list.replaceChildren(...buttons);
  if (hadFocus) list.querySelector(".here")?.focus();
  const count = (reached) => problems.filter((one) => progress.of(one) === reached).length;
  setText(byId("progress"), names.progress(count("solved"), count("helped"), problems.length));
}

function drawAbout() {
  document.documentElement.lang = state.lang;
  const title = data.title[state.lang] ?? data.title.en;
  setText(byId("title"), title);
  document.title = `${title} – Kawasemi`;
  byId("about").replaceChildren(...[data.engine, pageText().keys, pageText().note].map((line) => htmlElement("p", "", line)));
}

function draw() {
  drawBoard();
  drawTask();
  drawControls();
}

function drawAll() {
  drawAbout();
  drawChoice();
  drawProblems();
  draw();
}

// Solving. What is told is kept as a function, because the language may change.

const tell = (kind, said) => (state.told = { kind, words: said });

function begin(index) {
  clearTimeout(state.timer);
  Object.assign(state, { index, step: 0, phase: "solve", isHelped: false, hints: 0, line: null });
  keepProgress();
  tell("", () => pageText().yourMove);
  setText(byId("copied"), "");
  drawProblems();
  draw();
  replaceAddress();
}

function replaceAddress() {
  try {
    history.replaceState(null, "", "#" + (state.index + 1));
  } catch {
    // A page without an address of its own, as in a preview, works without.
  }
}

function reach(name) {
  progress.reach(problem(), name);
  drawProblems();
}

function play(usi) {
  const { answer, others } = step();
  if (usi === usiOf(answer)) return playedRight();
  const other = others.find(({ move }) => usiOf(move) === usi);
  if (other.kind in ALSO_RIGHT) return playedAlsoRight(other);
  playedWrong(other);
}

function playedRight() {
  const { reply } = step();
  if (!reply) return finish(state.isHelped ? "helped" : "solved");
  state.phase = "reply";
  state.hints = 0;
  draw();
  state.timer = setTimeout(() => {
    state.phase = "solve";
    state.step += 1;
    tell("right", () => pageText().goOn(spelled(reply)));
    draw();
  }, REPLY_MS);
}

function playedAlsoRight({ move, kind, line }) {
  showLine(state.step, [move, ...line], 1, "solution");
  end(state.isHelped ? "helped" : "solved", () => pageText()[ALSO_RIGHT[kind]](spelled(move)));
}

function playedWrong({ move, kind, score, line }) {
  state.isHelped = true;
  state.phase = "wrong";
  showLine(state.step, [move, ...line], Math.min(2, line.length + 1), "refutation");
  const isPlayed = state.step === 0 && problem().played && usiOf(problem().played) === usiOf(move);
  tell("wrong", () => {
    const names = pageText();
    if (kind === "no_check") return names.noCheck(spelled(move));
    if (kind === "undecided") return names.undecided(spelled(move));
    const first = names.wrong(spelled(move), line.length > 0 ? spelled(line[0]) : "");
    return [first, score && names.wouldBe(scoreWords(score)), isPlayed && names.played(spelled(move))].filter(Boolean).join(" ");
  });
  draw();
}

const showLine = (base, moves, at, label) => (state.line = { base, moves, at, label });

// Ends the problem and shows the whole solution: at its first move if the user gave up, else at the last move to find.
function finish(name) {
  const { steps, rest } = problem();
  const moves = [...movesBefore(steps.length), ...rest];
  showLine(0, moves, name === "shown" ? 1 : 2 * steps.length - 1, "solution");
  end(name, () => pageText()[name]);
}

function end(name, said) {
  state.phase = "done";
  tell(name === "shown" ? "hint" : "right", said);
  reach(name);
  draw();
}

// Back to the move to find, or when the problem is over, to its start.
function again() {
  if (state.phase !== "wrong") return begin(state.index);
  Object.assign(state, { phase: "solve", line: null });
  tell("", () => pageText().yourMove);
  draw();
}

function giveHint() {
  if (state.phase !== "solve" || state.hints > 1) return;
  state.isHelped = true;
  state.hints += 1;
  const { answer } = step();
  const { kind } = moverOf(shownPlace().position, usiOf(answer));
  const isDrop = usiOf(answer)[1] === "*";
  tell("hint", () => {
    if (state.hints > 1) return pageText().hintMove(spelled(answer));
    const piece = pieceName(kind, state.lang);
    return isDrop ? pageText().hintDrop(piece) : pageText().hintPiece(piece);
  });
  draw();
}

function showAnswer() {
  if (state.phase === "done") return;
  clearTimeout(state.timer);
  finish("shown");
}

// Going about.

function goBy(count) {
  const all = chosen();
  if (all.length === 0) return;
  const at = all.indexOf(state.index);
  const behind = all.findIndex((index) => index > state.index);
  const from = at >= 0 ? at : (behind < 0 ? all.length : behind) - (count > 0 ? 1 : 0);
  begin(all[(from + count + all.length) % all.length]);
}

function followLine(at) {
  if (!state.line) return;
  state.line.at = Math.max(0, Math.min(at, state.line.moves.length));
  draw();
}

function openAddress() {
  const index = Number(location.hash.slice(1)) - 1;
  if (!problems[index]) return false;
  begin(index);
  return true;
}

async function copyPosition() {
  const isCopied = await copyText(writeSfen(shownPlace().position));
  setText(byId("copied"), isCopied ? text().copied : text().notCopied);
}

// A second press forgets, unless something else comes between.
function forget() {
  state.isForgetting = !state.isForgetting;
  if (!state.isForgetting) progress.forget(problems);
  drawChoice();
  drawProblems();
}

function keepProgress() {
  state.isForgetting = false;
  drawForget();
}

/** Shows that there are no problems, and nothing to press. */
function showNoProblems() {
  for (const element of document.querySelectorAll("button, #table, #choice")) element.remove();
  setText(byId("goal"), pageText().none);
  drawAbout();
}

function startPage() {
  applyTheme(state.theme);
  tell("", () => pageText().yourMove);
  if (problems.length === 0) return showNoProblems();
  drawAll();
  if (!openAddress()) begin(Math.max(0, problems.findIndex((one) => progress.of(one) === null)));
}

const board = createBoard(byId("board"), { onMove: play });
const lines = createLines(byId("lines"), { onGo: (_, at) => followLine(at) });

const actions = {
  previous: () => goBy(-1),
  next: () => goBy(1),
  hint: giveHint,
  answer: showAnswer,
  again,
  forget,
  copy: copyPosition,
  flip: () => {
    state.turned = !state.turned;
    drawBoard();
  },
  ...choiceActions(state, { theme: drawControls, pieces: draw, language: drawAll }),
};
if (problems.length > 0) {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("forget").addEventListener("blur", keepProgress);
  byId("show").addEventListener("change", (event) => {
    state.filter = event.target.value;
    drawProblems();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
    const keys = {
      n: actions.next, p: actions.previous, h: giveHint, a: showAnswer, r: again,
      ArrowLeft: state.line && (() => followLine(state.line.at - 1)),
      ArrowRight: state.line && (() => followLine(state.line.at + 1)),
      Escape: state.phase === "wrong" && again,
    };
    // Letters with Shift or Caps Lock too.
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  window.addEventListener("hashchange", openAddress);
}
startPage();
