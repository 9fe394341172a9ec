"use strict";

const WORDS = {
  en: {
    other: "日本語", title: "Analysis", black: "Black", white: "White", start: "Start",
    move: "Move", score: "Score", win: "Win", loss: "Loss", instead: "instead of the move", best: "best move", bests: "Best", book: "book",
    dubious: "dubious", mistake: "mistake", blunder: "blunder", missesMate: "misses mate",
    lost: "lost", chance: "winning chance", none: "not analysed", depth: "depth",
    solver: "mate solver", to: (side) => side + " to move", back: "back to the game",
    mate: (side, most, plies) => side + " mates in " + most + plies,
    perpetual_check: (side) => side + " wins: perpetual check",
    declaration: (side) => side + " wins by entry",
    unshown: (side) => side + " wins (line not known)",
    ends: { repetition: "repetition", perpetual_check: "perpetual check", declaration: "declaration",
      repetition_with_other_hands: "position repeated with other pieces in hand", mate: "mate" },
    endings: { resign: "resigns", mate: "mate", no_mate: "no mate", declaration: "declaration",
      repetition: "draw by repetition", impasse: "impasse", draw: "draw", max_moves: "limit of moves",
      time_up: "time up", foul: "foul", interrupted: "interrupted", default: "default" },
    details: "Both sides", moves: "Moves", dubiouss: "?!", mistakes: "?", blunders: "??",
    meanLoss: "Mean loss", accuracy: "Accuracy",
    note: "Scores (centipawns) and winning chances are Black's; losses are those of the player who "
      + "moved. Chances are those of engines' games.",
    partial: "The analysis was stopped before its end.",
    branch: (number) => "branch from move " + number,
    leftOut: (count) => "Branches of the record that were not analysed: " + count + ".",
    buttons: ["First position", "Back", "Forward", "Last position", "Next bad move", "Turn the board"],
    graph: "Winning chance of Black by move", board: "Board",
  },
  ja: {
    other: "English", title: "棋譜解析", black: "先手", white: "後手", start: "開始局面",
    move: "指し手", score: "評価値", win: "勝率", loss: "損失", instead: "代わりに", best: "最善手", bests: "最善手", book: "定跡",
    dubious: "疑問手", mistake: "悪手", blunder: "大悪手", missesMate: "詰みを逃す",
    lost: "損失", chance: "勝率", none: "未解析", depth: "深さ",
    solver: "詰将棋ソルバー", to: (side) => side + "番", back: "本譜に戻る",
    mate: (side, most, plies) => side + "勝ち " + (most ? plies + "手以内の詰み" : plies + "手詰み"),
    perpetual_check: (side) => side + "勝ち（連続王手の千日手）",
    declaration: (side) => side + "勝ち（入玉）",
    unshown: (side) => side + "勝ち（手順未確認）",
    ends: { repetition: "千日手", perpetual_check: "連続王手の千日手", declaration: "入玉宣言",
      repetition_with_other_hands: "持ち駒の違う同一局面", mate: "詰み" },
    endings: { resign: "投了", mate: "詰み", no_mate: "不詰", declaration: "入玉勝ち",
      repetition: "千日手", impasse: "持将棋", draw: "引き分け", max_moves: "最大手数",
      time_up: "切れ負け", foul: "反則", interrupted: "中断", default: "不戦" },
    details: "両対局者", moves: "手数", dubiouss: "疑問手", mistakes: "悪手", blunders: "大悪手",
    meanLoss: "平均損失", accuracy: "精度",
    note: "評価値（歩1枚が100）と勝率は先手側の値、損失は指し手側の値。勝率はエンジン同士の対局のもの。",
    partial: "解析は途中で止められた。",
    branch: (number) => "変化：" + number + "手",
    leftOut: (count) => "解析しなかった変化：" + count + "。",
    buttons: ["開始局面", "一手戻る", "一手進む", "最終局面", "次の悪い手", "盤を回す"],
    graph: "先手の勝率の推移", board: "盤面",
  },
};

const KANJI = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};
const HAND = ["R", "B", "G", "S", "N", "L", "P"];
const RANKS = "一二三四五六七八九";

const data = JSON.parse(document.getElementById("data").textContent);

// Every line of every game as a game of its own: the main line, then the branches, each with the moves
// that lead to it.
const games = data.games.flatMap((one) => {
  const lines = [one];
  for (const branch of one.branches) {
    const before = lines[branch.of].moves.slice(0, branch.after);
    const { moves, ending, end, after } = branch;
    lines.push({ ...one, moves: [...before, ...moves], ending, end, after });
  }
  return lines;
});

// Where the reader is: after so many moves of the line shown or, of a line that begins at `base`, at a move.
const state = { game: 0, ply: 0, line: null, base: 0, at: 0, turned: false, lang: document.documentElement.lang };
let positions = [];

const byId = (id) => document.getElementById(id);
const words = () => WORDS[state.lang] || WORDS.en;
const game = () => games[state.game];
const spelled = (move) => (state.lang === "ja" ? move.ja : (move.ja[0] === "▲" ? "▲" : "△") + move.en);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Positions: squares by [rank][file from the left], each { side, kind } or null; hands by side.

function parse(sfen) {
  const [board, side, hands] = sfen.split(" ");
  const squares = board.split("/").map((row) => {
    const cells = [];
    for (const [text] of row.matchAll(/\+?[A-Za-z]|\d/g)) {
      if (/\d/.test(text)) {
        for (let i = 0; i < Number(text); i++) cells.push(null);
      } else {
        const kind = text.toUpperCase();
        cells.push({ side: kind === text ? "black" : "white", kind });
      }
    }
    return cells;
  });
  const held = { black: {}, white: {} };
  for (const [, count, letter] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
    const kind = letter.toUpperCase();
    held[kind === letter ? "black" : "white"][kind] = Number(count || 1);
  }
  return { squares, hands: held, side: side === "b" ? "black" : "white", from: null, to: null };
}

const place = (text) => ({ row: text.charCodeAt(1) - 97, column: 9 - Number(text[0]) });

function play(before, usi) {
  const squares = before.squares.map((row) => row.slice());
  const hands = { black: { ...before.hands.black }, white: { ...before.hands.white } };
  const side = before.side;
  const to = place(usi.slice(2));
  let from = null;
  if (usi[1] === "*") {
    hands[side][usi[0]] -= 1;
    squares[to.row][to.column] = { side, kind: usi[0] };
  } else {
    from = place(usi);
    const piece = squares[from.row][from.column];
    const taken = squares[to.row][to.column];
    if (taken) {
      const kind = taken.kind.replace("+", "");
      hands[side][kind] = (hands[side][kind] || 0) + 1;
    }
    squares[from.row][from.column] = null;
    squares[to.row][to.column] = { side, kind: usi[4] === "+" ? "+" + piece.kind : piece.kind };
  }
  return { squares, hands, side: side === "black" ? "white" : "black", from, to };
}

function shownPosition() {
  let position = positions[state.line ? state.base : state.ply];
  if (state.line) {
    for (const move of state.line.moves.slice(0, state.at)) position = play(position, move.usi);
  }
  return position;
}

// What was found of the position after so many moves; null where the analysis was stopped before it.
function found(ply) {
  const { moves, end } = game();
  if (ply === moves.length) return end;
  const analysis = moves[ply].analysis;
  return analysis && analysis.before;
}

function sideName(side) {
  const mark = side === "black" ? "▲" : "△";
  return mark + words()[side];
}

function scoreText(score) {
  const bound = { lower: "≥", upper: "≤", exact: "" }[score.bound];
  if (score.centipawns !== null) {
    return bound + (score.centipawns > 0 ? "+" : "") + score.centipawns;
  }
  const side = sideName(score.winner);
  if (score.by === "mate") return words().mate(side, score.is_shortest ? "" : "≤", score.plies);
  return words()[score.by](side);
}

// For narrow columns: a mate by its sign and length.
function shortScore(score) {
  if (score.centipawns !== null) return scoreText(score);
  const sign = score.winner === "black" ? "+" : "-";
  if (score.by !== "mate") return sign + (state.lang === "ja" ? "勝ち" : "wins");
  const most = score.is_shortest ? "" : "≤";
  return sign + (state.lang === "ja" ? "詰" : "mate ") + most + score.plies;
}

const percent = (chance) => Math.round(chance * 100) + "%";
const MARK = { dubious: "?!", mistake: "?", blunder: "??" };

// Parts of the page.

function pieceMark(piece) {
  const promoted = piece.kind.length > 1;
  const text = piece.kind === "K" && piece.side === "white" ? "王" : KANJI[piece.kind];
  return element("span", (promoted ? "promoted " : "") + (piece.side === bottomSide() ? "" : "turned"), text);
}

const bottomSide = () => (state.turned ? "white" : "black");

function drawBoard() {
  const position = shownPosition();
  const board = byId("board");
  board.replaceChildren();
  board.setAttribute("aria-label", words().board);
  const order = [...Array(9).keys()];
  if (state.turned) order.reverse();
  for (const column of order) board.append(element("span", "axis", String(9 - column)));
  board.append(element("span", "axis", ""));
  for (const row of order) {
    for (const column of order) {
      const is = (square) => square && square.row === row && square.column === column;
      const mark = is(position.to) ? " to" : is(position.from) ? " from" : "";
      const square = element("div", "square" + mark);
      const piece = position.squares[row][column];
      if (piece) square.append(pieceMark(piece));
      board.append(square);
    }
    board.append(element("span", "axis", state.lang === "ja" ? RANKS[row] : "abcdefghi"[row]));
  }
  drawPlayer(byId("bottom"), bottomSide(), position);
  drawPlayer(byId("top"), bottomSide() === "black" ? "white" : "black", position);
}

function drawPlayer(box, side, position) {
  const name = game()[side];
  box.querySelector(".name").textContent = sideName(side) + (name ? " " + name : "")
    + (position.side === side ? " ●" : "");
  const hand = box.querySelector(".hand");
  hand.replaceChildren();
  for (const kind of HAND) {
    const count = position.hands[side][kind] || 0;
    if (count === 0) continue;
    hand.append(KANJI[kind]);
    hand.append(element("small", "", count > 1 ? String(count) : ""));
  }
}

function drawGraph() {
  const svg = byId("graph");
  const make = (tag, attributes, text) => {
    const made = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
  };
  svg.replaceChildren();
  svg.setAttribute("aria-label", words().graph);
  const width = svg.clientWidth || 600;
  const height = svg.clientHeight || 160;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const moves = game().moves;
  const x = (ply) => 36 + (width - 46) * (moves.length ? ply / moves.length : 0);
  const y = (chance) => 8 + (height - 16) * (1 - chance);
  for (const [chance, label] of [[1, "▲100"], [0.75, "75"], [0.5, "50"], [0.25, "25"], [0, "△100"]]) {
    make("line", { class: chance === 0.5 ? "even" : "grid", x1: 36, x2: width - 10, y1: y(chance), y2: y(chance) });
    make("text", { x: 32, y: y(chance) + 4, "text-anchor": "end" }, label);
  }
  // Runs of positions that were analysed.
  const runs = [[]];
  for (let ply = 0; ply <= moves.length; ply++) {
    const finding = found(ply);
    if (finding) runs[runs.length - 1].push([ply, finding.lines[0].score.chance]);
    else if (runs[runs.length - 1].length) runs.push([]);
  }
  for (const run of runs.filter((points) => points.length)) {
    const points = run.map(([ply, chance]) => `${x(ply).toFixed(1)},${y(chance).toFixed(1)}`).join(" ");
    const [first, last] = [run[0][0], run[run.length - 1][0]];
    make("polygon", { class: "area", points: `${x(first)},${y(0.5)} ${points} ${x(last)},${y(0.5)}` });
    make("polyline", { class: "curve", points });
  }
  moves.forEach((move, index) => {
    if (!move.analysis || !move.analysis.grade) return;
    const { grade, score } = move.analysis;
    make("circle", { class: grade, cx: x(index + 1), cy: y(score.chance), r: grade === "blunder" ? 5 : 4 });
  });
  make("line", { class: "here", x1: x(state.ply), x2: x(state.ply), y1: 4, y2: height - 4 });
}

function drawVerdict() {
  const box = byId("verdict");
  box.replaceChildren();
  const text = words();
  if (state.ply === 0) {
    box.append(element("b", "", text.start));
  } else {
    const move = game().moves[state.ply - 1];
    box.append(element("b", "", `${move.number} ${spelled(move.move)}`));
    const judged = move.analysis;
    if (!judged) {
      box.append(text.none);
    } else {
      if (judged.grade) box.append(element("b", judged.grade, `${MARK[judged.grade]} ${text[judged.grade]}`));
      else if (judged.is_best) box.append(element("b", "", text.best));
      if (judged.is_book) box.append(element("b", "", text.book));
      const parts = [`${scoreText(judged.score)} (▲${percent(judged.score.chance)})`];
      if (judged.chance_loss > 0) {
        const loss = judged.loss === null ? "" : `-${judged.loss}, `;
        parts.push(`${text.lost} ${loss}-${(judged.chance_loss * 100).toFixed(1)}%`);
      }
      if (judged.misses_mate) parts.push(text.missesMate);
      box.append(parts.join(" · "));
    }
  }
  const { moves, ending } = game();
  if (ending && state.ply === moves.length) box.append(" · " + text.endings[ending]);
}

// A line whose moves can be clicked; it begins at the position after `base` moves.
function lineRow(line, base, label) {
  const text = words();
  const row = element("li");
  if (label) row.append(element("span", "small", label));
  row.append(element("span", "score", scoreText(line.score)));
  line.moves.forEach((move, index) => {
    const button = element("button", state.line === line && state.at === index + 1 ? "shown" : "", spelled(move));
    button.type = "button";
    button.addEventListener("click", () => show({ line, base, at: index + 1 }));
    row.append(button);
  });
  const remarks = [];
  if (line.ending && !(line.ending === "mate" && line.score.by === "mate")) remarks.push(text.ends[line.ending]);
  if (line.solved) remarks.push(text.solver);
  else if (line.depth > 0) remarks.push(`${text.depth} ${line.depth}/${line.selective_depth}`);
  row.append(element("span", "small", remarks.join(" · ")));
  return row;
}

function drawLines() {
  const box = byId("lines");
  const text = words();
  const finding = found(state.ply);
  const rows = finding ? finding.lines.map((line) => lineRow(line, state.ply)) : [element("li", "", text.none)];
  const judged = state.ply > 0 && game().moves[state.ply - 1].analysis;
  if (judged && !judged.is_best) {
    rows.unshift(lineRow(judged.before.lines[0], state.ply - 1, text.instead));
    rows[0].className = "instead";
  }
  if (state.line) {
    const row = element("li");
    const button = element("button", "", "↩ " + text.back);
    button.type = "button";
    button.addEventListener("click", () => show({ line: null }));
    row.append(button);
    rows.push(row);
  }
  box.replaceChildren(...rows);
}

function drawTally() {
  const text = words();
  byId("details").querySelector("summary").textContent = text.details;
  const table = element("table");
  const head = element("tr");
  for (const word of ["", text.moves, text.bests, text.dubiouss, text.mistakes, text.blunders, text.meanLoss, text.accuracy]) {
    head.append(element("th", "", word));
  }
  table.append(head);
  for (const side of ["black", "white"]) {
    const row = element("tr");
    const tally = game().summary[side];
    const share = (value, shown) => (value === null ? "–" : shown(value));
    row.append(element("th", "", sideName(side)));
    for (const cell of [tally.moves, tally.best, tally.dubious, tally.mistakes, tally.blunders,
      share(tally.mean_loss, (loss) => loss.toFixed(0)),
      share(tally.accuracy, (accuracy) => (accuracy * 100).toFixed(1) + "%")]) {
      row.append(element("td", "", String(cell)));
    }
    table.append(row);
  }
  byId("tally").replaceChildren(table);
}

function moveRow(ply) {
  const row = element("li");
  row.addEventListener("click", () => show({ ply, line: null }));
  const move = ply > 0 ? game().moves[ply - 1] : null;
  row.append(element("span", "", move ? String(move.number) : ""));
  const name = element("span", "move", move ? spelled(move.move) : words().start);
  row.append(name);
  const judged = move && move.analysis;
  const finding = found(ply);
  const score = judged ? judged.score : finding && finding.lines[0].score;
  row.append(element("span", "", score ? shortScore(score) : ""));
  row.append(element("span", "", score ? percent(score.chance) : ""));
  const cell = element("span");
  if (judged) {
    if (judged.grade) name.append(element("span", "mark " + judged.grade, MARK[judged.grade]));
    else if (judged.is_best) name.append(element("span", "book", "✓"));
    if (judged.is_book) name.append(element("span", "book", words().book));
    if (judged.chance_loss >= 0.001) {
      cell.textContent = "-" + (judged.chance_loss * 100).toFixed(1) + "%";
      if (judged.grade) cell.className = judged.grade;
    }
  }
  row.append(cell);
  return row;
}

function drawMoves() {
  const list = byId("moves");
  const text = words();
  const head = element("li", "head");
  for (const [word, name] of [["", ""], [text.move, "move"], [text.score, ""], [text.win, ""], [text.loss, ""]]) {
    head.append(element("span", name, word));
  }
  list.replaceChildren(head);
  for (let ply = 0; ply <= game().moves.length; ply++) list.append(moveRow(ply));
}

function markMove() {
  const list = byId("moves");
  for (const row of list.querySelectorAll(".here")) row.classList.remove("here");
  const row = list.children[state.ply + 1];
  row.classList.add("here");
  // Only the list is to scroll, not the page.
  const top = row.offsetTop - list.children[0].offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}

function drawAbout() {
  const text = words();
  const one = game();
  document.documentElement.lang = state.lang;
  const names = one.black || one.white ? `▲${one.black || "?"} △${one.white || "?"}` : one.file;
  byId("title").textContent = [one.event, names, one.date].filter(Boolean).join(" · ");
  document.title = `${names} – ${text.title}`;
  byId("language").textContent = text.other;
  ["first", "back", "forth", "last", "bad", "flip"].forEach((id, index) => {
    byId(id).title = text.buttons[index];
    byId(id).setAttribute("aria-label", text.buttons[index]);
  });
  const { limit } = data;
  const effort = limit.nodes ? `${limit.nodes} nodes` : limit.depth ? `depth ${limit.depth}` : `${limit.movetime_ms} ms`;
  byId("about").replaceChildren(
    element("p", "", `${data.engine} · ${data.network} · ${effort} · MultiPV ${data.multipv} · Threads ${data.threads}`),
    element("p", "", [text.note, !data.complete && text.partial,
      one.branches_left_out > 0 && text.leftOut(one.branches_left_out)].filter(Boolean).join(" ")),
  );
}

// Games by their names, and below each its branches by where they begin.
function drawChooser() {
  games.forEach((one, index) => {
    const names = one.black || one.white ? ` ▲${one.black || "?"} △${one.white || "?"}` : "";
    byId("games").options[index].textContent = one.after === undefined
      ? one.file + (one.number ? " " + one.number : "") + names
      : `　${words().branch(one.after + 1)} ${spelled(one.moves[one.after].move)}`;
  });
}

// What changes with every step, and all that hangs on game and language.

function step() {
  drawBoard();
  drawGraph();
  drawVerdict();
  drawLines();
  markMove();
}

function drawAll() {
  drawAbout();
  drawChooser();
  drawTally();
  drawMoves();
  step();
}

function show(change) {
  const fresh = { ...change };
  if (fresh.ply !== undefined) fresh.ply = Math.max(0, Math.min(fresh.ply, game().moves.length));
  Object.assign(state, fresh);
  step();
}

function go(steps) {
  if (!state.line) return show({ ply: state.ply + steps });
  const at = state.at + steps;
  show(at <= 0 ? { line: null } : { at: Math.min(at, state.line.moves.length) });
}

function nextBadMove() {
  const { moves } = game();
  for (let count = 1; count <= moves.length; count++) {
    const index = (state.ply - 1 + count) % moves.length;
    const move = moves[(index + moves.length) % moves.length];
    if (move.analysis && move.analysis.grade) return show({ ply: move.number, line: null });
  }
}

function openGame(index) {
  state.game = index;
  positions = [parse(game().start)];
  for (const move of game().moves) positions.push(play(positions[positions.length - 1], move.move.usi));
  Object.assign(state, { ply: game().after || 0, line: null, at: 0 });
  drawAll();
}

byId("first").addEventListener("click", () => show({ ply: 0, line: null }));
byId("back").addEventListener("click", () => go(-1));
byId("forth").addEventListener("click", () => go(1));
byId("last").addEventListener("click", () => show({ ply: game().moves.length, line: null }));
byId("bad").addEventListener("click", nextBadMove);
byId("flip").addEventListener("click", () => show({ turned: !state.turned }));
byId("language").addEventListener("click", () => {
  state.lang = state.lang === "ja" ? "en" : "ja";
  drawAll();
});
byId("graph").addEventListener("click", (event) => {
  const box = byId("graph").getBoundingClientRect();
  const share = (event.clientX - box.left - 36) / (box.width - 46);
  show({ ply: Math.round(share * game().moves.length), line: null });
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
  const keys = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    Home: () => show({ ply: 0, line: null }),
    End: () => show({ ply: game().moves.length, line: null }),
  };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
window.addEventListener("resize", drawGraph);

const chooser = byId("games");
chooser.append(...games.map((one, index) => new Option("", String(index))));
chooser.hidden = games.length < 2;
chooser.addEventListener("change", () => openGame(Number(chooser.value)));
openGame(0);
