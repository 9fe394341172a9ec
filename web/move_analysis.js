// The analysis of the moves of a line, for the list of moves and the graph.
//
// scoreOf(node): the score after a move from Black's side, from the page's analysis or else from the record;
// rowsOf, pointsOf: the properties `rows` of a list of moves and `points` of a graph.

import { endingName, sharedText } from "./text.js";
import { UNKNOWN_LENGTH, winRateOf, scoreText } from "./usi.js";

// The win rate that a move loses, as in `kawasemi analyze`.
const GRADES = [[0.1, "blunder"], [0.05, "mistake"], [0.025, "dubious"]];
// A list with more rows shows this many before and after the place, and moves on by half of them.
const ROWS_AROUND = 200;
const MAX_BARS = 1000;

export function scoreOf(node) {
  if (node.analysis?.[0]) return node.analysis[0].score;
  const evaluation = node.evaluations?.[0];
  if (!evaluation) return null;
  if (!evaluation.winner) return { centipawns: evaluation.centipawns ?? 0, bound: "exact" };
  const plies = evaluation.plies || UNKNOWN_LENGTH;
  return { mate: evaluation.winner === "black" ? plies : -plies, bound: "exact" };
}

const winRateAt = (node) => {
  const score = scoreOf(node);
  return score ? winRateOf(score) : null;
};

/** How much win rate a move lost, and its grade; null where that is not known. */
function lossOf(game, id) {
  const node = game.nodes[id];
  const before = game.nodes[node.parent];
  if (before.analysis?.[0]?.moves[0]?.usi === node.usi) return { loss: 0, grade: null, best: true };
  const [old, now] = [winRateAt(before), winRateAt(node)];
  if (old === null || now === null) return { loss: null, grade: null, best: false };
  const loss = game.sideAfter(node.parent) === "black" ? old - now : now - old;
  const grade = GRADES.find(([least]) => loss >= least)?.[1] ?? null;
  return { loss, grade, best: false };
}

export const moveText = (node, lang) => node[lang] ?? node.usi;

/** The part of a line that is listed, given the index of the place in it: { from, to }. */
export function partOf(line, at) {
  if (line.length <= 2 * ROWS_AROUND) return { from: 0, to: line.length };
  const middle = Math.round(at / ROWS_AROUND) * ROWS_AROUND;
  return { from: Math.max(0, middle - ROWS_AROUND), to: Math.min(line.length, middle + ROWS_AROUND) };
}

/**
 * Moves are numbered from the start of the record, as in KIF and in ShogiHome, whatever number the start position has.
 * @param {import("./game.js").Game} game @param {number[]} line @param {{from: number, to: number}} part
 */
export function rowsOf(game, line, { from, to }, lang) {
  const rows = from > 0 ? [] : [{ id: 0, number: "", text: sharedText(lang).start }];
  for (let index = Math.max(1, from); index < to; index += 1) {
    const id = line[index];
    rows.push(row(game, id, index, false, lang));
    for (const other of game.nodes[game.nodes[id].parent].children) {
      if (other !== id) rows.push(row(game, other, index, true, lang));
    }
  }
  if (to < line.length) return rows;
  const last = game.nodes[line.at(-1)].children;
  return [...rows, ...last.map((child) => row(game, child, line.length, game.nodes[child].aside === true, lang))];
}

function row(game, id, number, isBranch, lang) {
  const node = game.nodes[id];
  if (node.end) return { id, number: "", text: endingName(node.end, lang, game.isHandicap), isBranch };
  const score = scoreOf(node);
  const { loss, grade, best } = lossOf(game, id);
  return {
    id, number, isBranch, grade, best,
    text: moveText(node, lang),
    score: score ? scoreText(score, lang) : "",
    loss: loss > 0.005 ? `${Math.round(loss * 100)}%` : "",
    seconds: node.seconds ?? null,
  };
}

/** The columns that have anything to show. */
export function columnsOf(rows) {
  return ["score", "loss", "seconds"].filter((name) => rows.some((row) => typeof row[name] === "number" || row[name]));
}

/** @param {import("./game.js").Game} game @param {number[]} line */
export function pointsOf(game, line, lang) {
  const first = game.startPosition.side === "black" ? 1 : 0;
  return line.map((id, index) => {
    const node = game.nodes[id];
    return {
      winRate: winRateAt(node),
      grade: index > 0 ? lossOf(game, id).grade : null,
      seconds: line.length > MAX_BARS ? null : node.seconds ?? null,
      side: index % 2 === first ? "black" : "white",
      text: index > 0 ? moveText(node, lang) : "",
    };
  });
}
