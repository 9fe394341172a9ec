// The texts that the pages share, in Japanese and English.
//
// sharedText(lang, isHandicap) -> the strings of a language ("ja" or "en"), some of them functions. In Japanese the
// sides have other names in a handicap game; without `isHandicap`, here and below, the game is an even one.
// sideName("black", lang, isHandicap) -> "▲先手"; pieceName("+P", lang) -> "と金"; squareName("7g", style) -> "７七" or
// "7g", where style is "japanese" or "western". spokenMark("▲７六歩", lang, isHandicap) -> "先手 ７六歩".
// moveInWords(position, usi, lang, isHandicap) -> a move as it is spoken.
// endingName("time_up", lang, isHandicap) -> "切れ負け". duration(seconds) -> "1:23".
// fileName("-", lang) -> "標準入力"; other files have their own names.
// Strings of one page alone are in that page's own files.

import { moverOf } from "./sfen.js";

const TEXT = {
  en: {
    otherLanguage: "日本語", black: "Black", white: "White",
    // Between the parts of a list, after the name of one, after a sentence.
    comma: ", ", colon: ": ", stop: ". ", inParentheses: (words) => ` (${words})`,
    pieces: { P: "pawn", L: "lance", N: "knight", S: "silver", G: "gold", B: "bishop", R: "rook", K: "king",
      "+P": "tokin", "+L": "promoted lance", "+N": "promoted knight", "+S": "promoted silver", "+B": "horse", "+R": "dragon" },
    // The board.
    board: "Shogi board", empty: "empty", none: "none",
    toMove: (side) => side + " to move", check: "check",
    pieceAt: (side, piece, square) => `${square}, ${side} ${piece}`,
    emptyAt: (square) => `${square}, empty`,
    handOf: (side) => `${side}'s hand`,
    inHand: (side, piece, count) => `${side} holds ${count} ${piece}${count === 1 ? "" : "s"}`,
    selected: "selected", target: "can move here", lastMoveHere: "last move",
    promotes: "promote", stays: "do not promote", promotionQuestion: "Promote?",
    spokenMove: ({ side, piece, square, drops, promotes, takes }) =>
      `${side}: ${piece} ${drops ? "dropped on" : takes ? "takes on" : "to"} ${square}${promotes ? ", promotes" : ""}`,
    keysOfBoard: "Arrow keys move between squares, Enter selects a piece and plays, Escape cancels.",
    // The graph, the list of moves, and the lines.
    graph: (side) => `Win rate of ${side} by move`, moveList: "Moves", lines: "Lines",
    start: "Start", move: "Move", score: "Score", winRate: "Win", loss: "Loss", seconds: "Time",
    dubious: "dubious", mistake: "mistake", blunder: "blunder", best: "best move", book: "book",
    branch: "branch",
    // How a record ends.
    endings: { resign: "resigns", mate: "mate", no_mate: "no mate", repetition: "repetition", declaration: "declaration",
      impasse: "impasse", draw: "draw", max_moves: "move limit", time_up: "out of time", foul: "illegal move",
      foul_by_black: "foul by Black", foul_by_white: "foul by White", interrupted: "interrupted",
      win_by_default: "win by default", loss_by_default: "loss by default", matta: "taken back", error: "error" },
    // Controls.
    first: "First position", back: "Back", forward: "Forward", last: "Last position", flip: "Flip the board",
    theme: { auto: "Colours: as the system", light: "Colours: light", dark: "Colours: dark" },
    pieceStyle: { kanji: "Pieces: kanji", letters: "Pieces: letters" },
    language: "Language: English",
    copied: "copied", notCopied: "could not be copied",
    standardInput: "standard input",
  },
  ja: {
    otherLanguage: "English", black: "先手", white: "後手",
    comma: "、", colon: "：", stop: "。", inParentheses: (words) => `（${words}）`,
    pieces: { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛車", K: "玉",
      "+P": "と金", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "龍" },
    board: "将棋盤", empty: "空き", none: "なし",
    toMove: (side) => side + "の手番", check: "王手",
    pieceAt: (side, piece, square) => `${square} ${side}の${piece}`,
    emptyAt: (square) => `${square} 空き`,
    handOf: (side) => `${side}の持ち駒`,
    inHand: (side, piece, count) => `${side}の持ち駒 ${piece}${count}枚`,
    selected: "選択中", target: "ここに指せる", lastMoveHere: "直前の手",
    promotes: "成る", stays: "成らない", promotionQuestion: "成りますか？",
    spokenMove: ({ side, piece, square, drops, promotes }) =>
      `${side} ${square} ${piece}${drops ? " 打つ" : promotes ? " 成る" : ""}`,
    keysOfBoard: "矢印キーでマスを移動し、Enterキーで駒を選んで指します。Escapeキーで取り消します。",
    graph: (side) => `${side}の勝率の推移`, moveList: "指し手", lines: "読み筋",
    start: "開始局面", move: "指し手", score: "評価値", winRate: "勝率", loss: "損失", seconds: "時間",
    dubious: "疑問手", mistake: "悪手", blunder: "大悪手", best: "最善手", book: "定跡",
    branch: "分岐",
    endings: { resign: "投了", mate: "詰み", no_mate: "不詰", repetition: "千日手", declaration: "入玉宣言",
      impasse: "持将棋", draw: "引き分け", max_moves: "最大手数", time_up: "切れ負け", foul: "反則",
      foul_by_black: "先手の反則", foul_by_white: "後手の反則", interrupted: "中断",
      win_by_default: "不戦勝", loss_by_default: "不戦敗", matta: "待った", error: "エラー" },
    first: "開始局面", back: "一手戻る", forward: "一手進む", last: "最終局面", flip: "盤面を反転",
    theme: { auto: "配色：システムに従う", light: "配色：明るい", dark: "配色：暗い" },
    pieceStyle: { kanji: "駒：漢字", letters: "駒：英字" },
    language: "言語：日本語",
    copied: "コピーしました", notCopied: "コピーできませんでした",
    standardInput: "標準入力",
  },
};

const HANDICAP_TEXT = { ...TEXT.ja, black: "下手", white: "上手",
  endings: { ...TEXT.ja.endings, foul_by_black: "下手の反則", foul_by_white: "上手の反則" } };

export const sharedText = (lang, isHandicap = false) => (isHandicap && lang === "ja" ? HANDICAP_TEXT : TEXT[lang] ?? TEXT.en);

export const sideName = (side, lang, isHandicap) => (side === "black" ? "▲" : "△") + sharedText(lang, isHandicap)[side];

export const pieceName = (kind, lang) => sharedText(lang).pieces[kind];

export function squareName(square, style) {
  if (style !== "japanese") return square;
  return "１２３４５６７８９"[Number(square[0]) - 1] + "一二三四五六七八九"["abcdefghi".indexOf(square[1])];
}

// A screen reader names the triangle, not the player.
export const spokenMark = (text, lang, isHandicap) =>
  text.replace(/[▲△]/g, (mark) => sharedText(lang, isHandicap)[mark === "▲" ? "black" : "white"] + " ");

// `position` is that before the move.
export function moveInWords(position, usi, lang, isHandicap) {
  const to = usi.slice(2, 4);
  const text = sharedText(lang, isHandicap);
  return text.spokenMove({
    side: text[position.side],
    piece: pieceName(moverOf(position, usi).kind, lang),
    square: squareName(to, lang === "ja" ? "japanese" : "western"),
    drops: usi[1] === "*",
    promotes: usi[4] === "+",
    takes: to in position.squares,
  });
}

// A word that only the record has is shown as it is.
export const endingName = (ending, lang, isHandicap) =>
  sharedText(lang, isHandicap).endings[ending] ?? ending.replace("other:", "");

export const fileName = (file, lang) => (file === "-" ? sharedText(lang).standardInput : file);

export function duration(seconds) {
  const whole = Math.round(seconds);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return (hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)) + ":" + two(whole % 60);
}
