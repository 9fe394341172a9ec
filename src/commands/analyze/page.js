// The page of an analysis: shows the report with the shared components.

import { createBoard } from "../../../web/board.js";
import { htmlElement } from "../../../web/dom.js";
import { createGraph } from "../../../web/graph.js";
import { createLines, createMoveList, gradeMark } from "../../../web/movelist.js";
import { applyTheme } from "../../../web/preferences.js";
import { otherSide, parseSfen, playUsi, writeSfen } from "../../../web/sfen.js";
import { duration, endingName, fileName, moveInWords, sharedText, sideName } from "../../../web/text.js";
import { copyText, download } from "../../../web/transfer.js";
import { choiceActions, drawButtons, readerChoices } from "../page_controls.js";
import { PAGE_TEXT } from "./page_text.js";

const ARROW_WEIGHTS = [1, 0.55, 0.35, 0.2];

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

// Every line of every game as a game of its own: the main line, then the branches, each with the moves
// that lead to it.
const games = data.games.flatMap((one, index) => {
  const lines = [{ ...one, of: index }];
  for (const branch of one.branches) {
    const before = lines[branch.of].moves.slice(0, branch.after);
    const { moves, ending, end, after } = branch;
    const formations = [...lines[branch.of].formations.filter(({ number }) => number <= after), ...branch.formations];
    lines.push({ ...lines[0], moves: [...before, ...moves], formations, ending, end, after });
  }
  return lines;
});

// The line of a game that is shown, the moves played in it, and the move of a principal variation if one is shown:
// { id, line, base, at } with the position where it begins and how many of its moves are played.
const state = {
  game: 0, ply: 0, shown: null, turned: false,
  ...readerChoices(),
};
let positions = [];

const text = () => sharedText(state.lang);
const pageText = () => PAGE_TEXT[state.lang] ?? PAGE_TEXT.en;
const game = () => games[state.game];
// The report tells a handicap by the names of the sides.
const hasHandicap = () => game().side_names.black.ja !== sharedText("ja").black;
const spelled = (move) => (state.lang === "ja" ? move.ja : move.ja[0] + move.en);
const percent = (rate) => Math.round(rate * 100) + "%";

// The analysis of the position after this number of moves; null where the analysis was stopped before it.
function found(ply) {
  const { moves, end } = game();
  if (ply === moves.length) return end;
  const analysis = moves[ply].analysis;
  return analysis && analysis.before;
}

// Positions and moves on the board.

// The position on the board, with the move that led to it and the position before that.
function shownStep() {
  const { shown, ply } = state;
  const base = shown ? shown.base : ply;
  const first = { position: positions[base], before: positions[base - 1], move: base > 0 ? game().moves[base - 1].move : null };
  const played = shown ? shown.line.moves.slice(0, shown.at) : [];
  return played.reduce(({ position }, move) => ({ position: playUsi(position, move.usi), before: position, move }), first);
}

// For a screen reader: the move, and what was thought of it.
function announcement({ before, move }) {
  if (!move) return text().start;
  const judged = state.shown ? null : game().moves[state.ply - 1].analysis;
  const grade = judged && judged.grade ? text().comma + text()[judged.grade] : "";
  return moveInWords(before, move.usi, state.lang, hasHandicap()) + grade;
}

// The best moves of the position, or the next move of the line that is shown.
function arrows() {
  const { shown, ply } = state;
  if (shown) {
    const next = shown.line.moves[shown.at];
    return next ? [{ usi: next.usi, weight: 0.55, kind: "hint" }] : [];
  }
  const finding = found(ply);
  if (!finding) return [];
  const first = finding.lines.filter(({ moves }) => moves.length > 0).slice(0, ARROW_WEIGHTS.length);
  return first.map(({ moves }, index) => ({ usi: moves[0].usi, weight: ARROW_WEIGHTS[index], kind: index === 0 ? "best" : "other" }));
}

// Texts.

const nameOfSide = (side) => sideName(side, state.lang, hasHandicap());

function scoreText(score) {
  const bound = { lower: "≥", upper: "≤", exact: "" }[score.bound];
  if (score.centipawns !== null) {
    return bound + (score.centipawns > 0 ? "+" : "") + score.centipawns;
  }
  const side = nameOfSide(score.winner);
  if (score.plies === 0) return pageText().mated(side);
  if (score.by === "mate") return pageText().mate(side, score.is_shortest ? "" : "≤", score.plies);
  return pageText()[score.by](side);
}

// For narrow columns: a mate by its sign and length.
function shortScore(score) {
  if (score.centipawns !== null) return scoreText(score);
  const sign = score.winner === "black" ? "+" : "-";
  if (score.by !== "mate") return sign + pageText().shortWin;
  if (score.plies === 0) return sign + pageText().shortMated;
  const most = score.is_shortest ? "" : "≤";
  return sign + pageText().shortMate + most + score.plies;
}

const namesOf = (one) => (one.black || one.white ? `▲${one.black || "?"} △${one.white || "?"}` : "");

// The parts of the page.

function drawBoard() {
  const shown = shownStep();
  const { position, move } = shown;
  const below = state.turned ? "white" : "black";
  board.set({
    sfen: writeSfen(position), lastMove: move ? move.usi : null, below, arrows: arrows(),
    lang: state.lang, isHandicap: hasHandicap(), pieces: state.pieces,
    coordinates: state.lang === "ja" ? "japanese" : "western",
    announcement: announcement(shown),
  });
  drawPlayer(byId("bottom"), below, position);
  drawPlayer(byId("top"), otherSide(below), position);
}

// With the time that the player has used up to here.
function drawPlayer(row, side, position) {
  const name = game()[side];
  row.querySelector(".name").textContent = nameOfSide(side) + (name ? " " + name : "");
  row.classList.toggle("to-move", position.side === side);
  const moves = game().moves.slice(0, state.ply).filter((move) => move.side === side && move.seconds !== null);
  const seconds = moves.reduce((sum, move) => sum + move.seconds, 0);
  row.querySelector(".small").textContent = moves.length > 0 ? `${pageText().timeUsed} ${duration(seconds)}` : "";
}

function pointOf(ply) {
  const finding = found(ply);
  const move = ply > 0 ? game().moves[ply - 1] : null;
  return {
    winRate: finding ? finding.lines[0].score.win_rate : null,
    grade: move && move.analysis ? move.analysis.grade : null,
    seconds: move ? move.seconds : null,
    side: move ? move.side : "black",
    text: move ? `${move.number} ${spelled(move.move)}` : "",
  };
}

function drawGraph() {
  const points = Array.from({ length: game().moves.length + 1 }, (_, ply) => pointOf(ply));
  graph.set({ points, current: state.ply, lang: state.lang, isHandicap: hasHandicap() });
}

function drawVerdict() {
  const box = byId("verdict");
  box.replaceChildren();
  const { moves, ending } = game();
  if (state.ply === 0) {
    box.append(htmlElement("b", "", text().start));
  } else {
    const move = moves[state.ply - 1];
    box.append(htmlElement("b", "", `${move.number} ${spelled(move.move)}`));
    if (move.analysis) drawJudgement(box, move.analysis);
    else box.append(pageText().none);
    if (move.seconds !== null) box.append(` · ${text().seconds} ${duration(move.seconds)}`);
    const reason = move.analysis?.reason;
    if (reason) box.append(htmlElement("div", "", state.lang === "ja" ? reason.ja : reason.en));
  }
  if (ending && state.ply === moves.length) box.append(" · " + endingName(ending, state.lang, hasHandicap()));
  const names = formationNames();
  if (names) box.append(htmlElement("div", "small", names));
}

// The opening and the castle that each side has built up to here: the last of each kind.
function formationNames() {
  const last = new Map();
  for (const one of game().formations) {
    if (one.number <= state.ply) last.set(`${one.kind} ${one.side}`, one);
  }
  const named = (side) => ["opening", "castle"].map((kind) => last.get(`${kind} ${side}`)).filter(Boolean)
    .map((one) => (state.lang === "ja" ? one.ja : one.en)).join(state.lang === "ja" ? "・" : ", ");
  const marked = [["", null], ["▲", "black"], ["△", "white"]].map(([mark, side]) => [mark, named(side)]);
  return marked.filter(([, names]) => names).map(([mark, names]) => mark + names).join("  ");
}

function drawJudgement(box, judged) {
  if (judged.grade) box.append(htmlElement("b", judged.grade, `${gradeMark(judged.grade)} ${text()[judged.grade]}`));
  else if (judged.is_best) box.append(htmlElement("b", "", text().best));
  if (judged.is_book) box.append(htmlElement("b", "", text().book));
  const { score } = judged;
  const { comma, inParentheses } = text();
  const { people } = pageText();
  const winRates = [`▲${percent(score.win_rate)}`, `${people} ${percent(score.human_win_rate)}`];
  const parts = [scoreText(score) + inParentheses(winRates.join(comma))];
  if (judged.win_rate_loss > 0) {
    const loss = judged.loss === null ? "" : `-${judged.loss}${comma}`;
    parts.push(`${pageText().lost} ${loss}-${(judged.win_rate_loss * 100).toFixed(1)}%`);
  }
  if (judged.misses_mate && !judged.reason) parts.push(pageText().missesMate);
  box.append(parts.join(" · "));
}

// The lines of the position, after that which would have been better than the move that led to it.
function knownLines() {
  const finding = found(state.ply);
  const known = finding ? finding.lines.map((line, index) => ({ id: "line" + index, line, base: state.ply })) : [];
  const judged = state.ply > 0 && game().moves[state.ply - 1].analysis;
  if (judged && !judged.is_best) known.unshift({ id: "instead", line: judged.before.lines[0], base: state.ply - 1 });
  return known;
}

function drawLines() {
  const rows = knownLines().map(({ id, line }) => ({
    id, label: id === "instead" ? pageText().instead : "", kind: id === "instead" ? "instead" : "",
    score: scoreText(line.score), moves: line.moves.map(spelled), note: lineNote(line),
  }));
  const { shown } = state;
  const current = shown && { id: shown.id, at: shown.at };
  lines.set({ lines: rows, current, empty: pageText().none, lang: state.lang, isHandicap: hasHandicap() });
  byId("return").hidden = !shown;
  byId("return").textContent = "↩\uFE0E " + pageText().back;
}

function lineNote(line) {
  const remarks = [];
  if (line.ending && !(line.ending === "mate" && line.score.by === "mate")) remarks.push(pageText().ends[line.ending]);
  if (line.solved) remarks.push(pageText().solver);
  else if (line.depth > 0) remarks.push(`${pageText().depth} ${line.depth}/${line.selective_depth}`);
  return remarks.join(" · ");
}

function drawSummary() {
  const names = pageText();
  byId("details").querySelector("summary").textContent = names.details;
  const head = ["", names.moves, names.bests, names.dubiousMoves, names.mistakes, names.blunders, names.meanLoss, names.accuracy];
  const known = (value, shown) => (value === null ? "–" : shown(value));
  const rows = ["black", "white"].map((side) => {
    const report = game().summary[side];
    return [nameOfSide(side), report.moves, report.best, report.dubious, report.mistakes, report.blunders,
      known(report.mean_loss, (loss) => loss.toFixed(0)),
      known(report.accuracy, (accuracy) => (accuracy * 100).toFixed(1) + "%")];
  });
  const table = htmlElement("table");
  [head, ...rows].forEach((cells, row) => {
    const made = htmlElement("tr");
    made.append(...cells.map((cell, column) => htmlElement(row === 0 || column === 0 ? "th" : "td", "", String(cell))));
    table.append(made);
  });
  byId("summary").replaceChildren(table);
}

// The list of moves. The id of a row is the address of its position.

const address = (index, ply) => (index === 0 ? `#${ply}` : `#${index + 1}/${ply}`);

function rowOf(index, ply, isBranch) {
  const move = ply > 0 ? games[index].moves[ply - 1] : null;
  const judged = move && move.analysis;
  const finding = !judged && !isBranch ? found(ply) : null;
  const score = judged ? judged.score : finding && finding.lines[0].score;
  return {
    id: address(index, ply), isBranch, number: move ? move.number : "", text: move ? spelled(move.move) : text().start,
    grade: judged && judged.grade, best: Boolean(judged && judged.is_best), book: Boolean(judged && judged.is_book),
    score: score ? shortScore(score) : "", winRate: score ? percent(score.win_rate) : "",
    loss: judged && judged.win_rate_loss >= 0.001 ? `-${(judged.win_rate_loss * 100).toFixed(1)}%` : "",
    seconds: move ? move.seconds : null,
  };
}

// Where the other lines of the game leave this one: their first own moves by ply, each move once.
function departures() {
  const own = game().moves;
  const byPly = new Map();
  games.forEach((other, index) => {
    if (index === state.game || other.of !== game().of) return;
    const { moves } = other;
    let same = 0;
    while (same < own.length && same < moves.length && own[same].move.usi === moves[same].move.usi) same += 1;
    if (same === moves.length) return;
    const known = byPly.get(same + 1) ?? [];
    if (known.some((one) => games[one].moves[same].move.usi === moves[same].move.usi)) return;
    byPly.set(same + 1, [...known, index]);
  });
  return byPly;
}

function drawMoves() {
  const leaving = departures();
  const rows = [];
  for (let ply = 0; ply <= game().moves.length + 1; ply++) {
    if (ply <= game().moves.length) rows.push(rowOf(state.game, ply, false));
    for (const index of leaving.get(ply) ?? []) rows.push(rowOf(index, ply, true));
  }
  const hasTimes = game().moves.some(({ seconds }) => seconds !== null);
  const columns = ["score", "winRate", "loss", ...(hasTimes ? ["seconds"] : [])];
  movelist.set({ rows, columns, current: address(state.game, state.ply), lang: state.lang, isHandicap: hasHandicap() });
}

function drawAbout() {
  const one = game();
  document.documentElement.lang = state.lang;
  const names = namesOf(one) || fileName(one.file, state.lang);
  byId("title").textContent = [one.event, names, one.date].filter(Boolean).join(" · ");
  document.title = `${names} – ${pageText().title}`;
  const { limit } = data;
  const { nodes, toDepth, moveTime, threads } = pageText();
  const effort = limit.nodes ? nodes(limit.nodes) : limit.depth ? toDepth(limit.depth) : moveTime(limit.movetime_ms);
  byId("about").replaceChildren(
    htmlElement("p", "", `${data.engine} · ${data.network} · ${effort} · MultiPV ${data.multipv} · ${threads(data.threads)}`),
    htmlElement("p", "", [pageText().note, !data.complete && pageText().partial,
      one.branches_left_out > 0 && pageText().leftOut(one.branches_left_out)].filter(Boolean).join(" ")),
  );
}

function drawControls() {
  const { first, back, forward, last } = text();
  drawButtons(state, { first, back, forward, last, bad: pageText().nextBad, games: pageText().games });
  for (const [id, name, hint] of [["copy-kif", "copyKif", "kifHint"], ["save-kif", "saveKif", "kifHint"],
    ["copy-sfen", "copySfen", "sfenHint"], ["save-sfen", "saveSfen", "movesHint"]]) {
    byId(id).textContent = pageText()[name];
    byId(id).title = pageText()[hint];
  }
}

function drawPieces() {
  drawControls();
  drawBoard();
}

// Games by their names, and below each its branches by where they begin.
function drawChooser() {
  const chooser = byId("games");
  chooser.hidden = games.length < 2;
  chooser.replaceChildren(...games.map((one, index) => {
    const label = one.after === undefined
      ? [fileName(one.file, state.lang), one.number && pageText().numberInFile(one.number), namesOf(one)].filter(Boolean).join(" ")
      : `　${pageText().branch(one.after + 1)} ${spelled(one.moves[one.after].move)}`;
    return new Option(label, String(index), false, index === state.game);
  }));
}

// What changes with every step, and all that hangs on game and language.

function step() {
  drawBoard();
  graph.set({ current: state.ply });
  drawVerdict();
  drawLines();
  movelist.set({ current: address(state.game, state.ply) });
}

function drawAll() {
  drawAbout();
  drawControls();
  drawChooser();
  drawSummary();
  drawGraph();
  drawMoves();
  step();
}

// Going about.

function goTo(ply) {
  state.ply = Math.max(0, Math.min(ply, game().moves.length));
  state.shown = null;
  step();
  if ((location.hash || "#0") !== address(state.game, state.ply)) replaceAddress();
}

function replaceAddress() {
  try {
    history.replaceState(null, "", address(state.game, state.ply));
  } catch {
    // A page without an address of its own, as in a preview, works without.
  }
}

function goInLine(shown) {
  state.shown = shown;
  step();
}

function go(steps) {
  const { shown } = state;
  if (!shown) return goTo(state.ply + steps);
  const at = shown.at + steps;
  goInLine(at <= 0 ? null : { ...shown, at: Math.min(at, shown.line.moves.length) });
}

function nextBadMove() {
  const { moves } = game();
  for (let count = 1; count <= moves.length; count++) {
    const move = moves[(state.ply - 1 + count) % moves.length];
    if (move.analysis && move.analysis.grade) return goTo(move.number);
  }
}

function openGame(index, ply) {
  state.game = index;
  positions = [parseSfen(game().start)];
  for (const { move } of game().moves) positions.push(playUsi(positions.at(-1), move.usi));
  state.ply = 0;
  state.shown = null;
  drawAll();
  goTo(ply);
}

// "#12" is a move of the first line, "#2/12" one of the second.
function openAddress(hash) {
  const [, line, ply] = /^#(?:(\d+)\/)?(\d+)$/.exec(hash) ?? [];
  const index = line === undefined ? 0 : Number(line) - 1;
  if (ply === undefined || !games[index]) return false;
  if (index === state.game && positions.length > 0) goTo(Number(ply));
  else openGame(index, Number(ply));
  return true;
}

// The record for others.

async function copy(content) {
  byId("told").textContent = (await copyText(content)) ? text().copied : text().notCopied;
}

function save(content, extension) {
  const { file, number } = game();
  const stem = file === "-" ? "game" : file.replace(/\.[^.]*$/, "");
  download(stem + (number ? `-${number}` : "") + extension, content);
}

const lineAsSfen = () => `sfen ${game().start} moves ${game().moves.map(({ move }) => move.usi).join(" ")}\n`;

const board = createBoard(byId("board"), {});
const graph = createGraph(byId("graph"), { onGo: goTo });
const lines = createLines(byId("lines"), {
  onGo: (id, at) => {
    const known = knownLines().find((one) => one.id === id);
    if (known) goInLine({ ...known, at });
  },
});
const movelist = createMoveList(byId("moves"), { onGo: openAddress });

const actions = {
  first: () => goTo(0),
  back: () => go(-1),
  forward: () => go(1),
  last: () => goTo(game().moves.length),
  bad: nextBadMove,
  flip: () => {
    state.turned = !state.turned;
    drawBoard();
  },
  return: () => goInLine(null),
  ...choiceActions(state, { theme: drawControls, pieces: drawPieces, language: drawAll }),
  "copy-kif": () => copy(game().kif),
  "save-kif": () => save(game().kif, ".kifu"),
  "copy-sfen": () => copy(writeSfen(shownStep().position)),
  "save-sfen": () => save(lineAsSfen(), ".sfen"),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
byId("games").addEventListener("change", (event) => {
  const index = Number(event.target.value);
  openGame(index, games[index].after ?? 0);
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
  const keys = {
    ArrowLeft: actions.back, ArrowRight: actions.forward, Home: actions.first, End: actions.last,
    Escape: () => state.shown && goInLine(null),
  };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
window.addEventListener("hashchange", () => openAddress(location.hash));

applyTheme(state.theme);
if (!openAddress(location.hash)) openGame(0, 0);
