// Lines of the USI protocol, read and written.
//
// parseInfo(line) -> { depth, rank, nodes, score, moves } or null for another line.
// A score is { centipawns, bound } or { mate, bound }: mate is the plies to the mate, negative if the side to move is
// mated, and +-UNKNOWN_LENGTH if only the winner is known, or if it is mate already; bound is "exact", "lower" or "upper".
// All from the side to move.
// positionLine(start, moves) -> the command; scoreForBlack(score, side) -> the same from Black's side;
// winRateOf(score) -> the win rate from 0 to 1; scoreText(score) -> "+123", "mate 5".

// As in src/analysis/win_rate.rs.
const CENTIPAWNS_PER_E = 800;
/** A number, so that a score survives JSON. */
export const UNKNOWN_LENGTH = 100_000;

/** @param {string} line */
export function parseInfo(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "info") return null;
  const info = { depth: 0, rank: 1, nodes: 0, score: null, moves: [] };
  for (let at = 1; at < words.length; at += 1) {
    const number = Number(words[at + 1]);
    switch (words[at]) {
      case "depth": info.depth = number; break;
      case "multipv": info.rank = number; break;
      case "nodes": info.nodes = number; break;
      case "score": info.score = parseScore(words.slice(at + 1, at + 4)); break;
      case "pv": return { ...info, moves: words.slice(at + 1).filter(isMove) };
      case "string": return info;
    }
  }
  return info;
}

const isMove = (word) => /^([1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]\+?$/.test(word);

function parseScore([kind, value, bound]) {
  const side = { lowerbound: "lower", upperbound: "upper" }[bound] ?? "exact";
  if (kind === "cp") return { centipawns: Number(value), bound: side };
  if (value === "+" || value === "-") return { mate: value === "+" ? UNKNOWN_LENGTH : -UNKNOWN_LENGTH, bound: side };
  // "mate -0": the side to move is mated already. JSON has no -0.
  return { mate: Number(value) || -UNKNOWN_LENGTH, bound: side };
}

/** @param {string} start @param {string[]} moves */
export function positionLine(start, moves) {
  return `position sfen ${start}` + (moves.length > 0 ? " moves " + moves.join(" ") : "");
}

export function scoreForBlack(score, side) {
  if (!score || side === "black") return score;
  const bound = { lower: "upper", upper: "lower", exact: "exact" }[score.bound];
  return "mate" in score ? { mate: -score.mate, bound } : { centipawns: 0 - score.centipawns, bound };
}

/** The win rate of the side that the score belongs to. */
export function winRateOf(score) {
  if ("mate" in score) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.centipawns / CENTIPAWNS_PER_E));
}

export function scoreText(score, lang) {
  const bound = { lower: "≥", upper: "≤", exact: "" }[score.bound];
  if ("centipawns" in score) {
    const sign = score.centipawns > 0 ? "+" : "";
    return bound + sign + score.centipawns;
  }
  const winner = score.mate > 0 ? "▲" : "△";
  const plies = Math.abs(score.mate);
  if (plies === UNKNOWN_LENGTH) return winner + (lang === "ja" ? "勝ち" : " wins");
  return winner + (lang === "ja" ? `${plies}手詰` : ` mate ${plies}`);
}
