// The picture of a piece, 100 units wide and 108 high around its centre.
//
// drawPiece({ side, kind }, style, turned) -> <g>; style is "kanji" or "letters"; a turned piece points down.

import { svgElement } from "./dom.js";

const KANJI = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};

// Pieces of little value are smaller, as on a real board.
const SIZE = { K: 1, R: 0.97, B: 0.97, G: 0.94, S: 0.94, N: 0.9, L: 0.87, P: 0.84 };

function mark({ side, kind }, style) {
  if (style === "letters") return kind;
  // The player of higher rank has the king 王; by custom the second player here.
  return kind === "K" && side === "white" ? "王" : KANJI[kind];
}

export function drawPiece(piece, style, turned) {
  const size = SIZE[piece.kind.replace("+", "")];
  const text = mark(piece, style);
  const promoted = piece.kind.length > 1 ? " promoted" : "";
  const fontSize = style === "letters" ? (text.length > 1 ? 42 : 50) : 57;
  const turn = turned ? "rotate(180)" : "";
  const outline = "M0-47 28-36 41 45H-41L-28-36Z";
  return svgElement("g", { class: "piece", transform: `scale(${size})` },
    // The light comes from above for both players.
    svgElement("path", { class: "shade", d: outline, transform: "translate(0 4) " + turn }),
    svgElement("g", { transform: turn },
      svgElement("path", { class: "face", d: outline }),
      svgElement("text", { class: style + promoted, lang: "ja", x: 0, y: 8 + fontSize * 0.37, "font-size": fontSize }, text)));
}
