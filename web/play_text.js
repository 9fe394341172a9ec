// The texts of the play page, in Japanese and English, in addition to those of the shared
// components (text.js).
//
// pageText(lang) -> the strings; endText(result, user, lang, isHandicap) -> how a match ended;
// handicapName(handicap, lang); errorText(error, lang).

import { sharedText } from "./text.js";

const TEXT = {
  en: {
    title: "Kawasemi – shogi in the browser",
    newGame: "New game", record: "Records", settings: "Settings", close: "Close", cancel: "Cancel",
    loading: "Loading the engine …", engineFailed: (why) => `The engine is not running: ${why}. Try reloading the page.`,
    failures: { load: "its files cannot be loaded", unsupported: "this browser has no WebAssembly with SIMD",
      memory: "there is not enough memory", crash: "it has crashed" },
    // Actions.
    takeBack: "Take back", hint: "Hint", resign: "Resign", declare: "Declare win", moveNow: "Move now",
    analyse: "Analyse", analyseGame: "Analyse game", solve: "Find mate", editPosition: "Edit position", playFromHere: "Play from here",
    // The form of a new game.
    level: "Strength", side: "You play", handicap: "Handicap", clock: "Clock", start: "Start",
    sides: { black: "Black (first)", white: "White", random: "random" },
    handicapSides: { black: "receive the handicap", white: "give the handicap", random: "random" },
    clocks: { none: "none", byoyomi: "byoyomi", increment: "main time and increment" },
    mainTime: "Main time (minutes)", byoyomi: "Byoyomi (seconds)", increment: "Increment (seconds)",
    noTime: "Without any time you would lose at once.",
    levelNote: "Grades are estimates.",
    // What is going on.
    you: "You", engine: (level) => `Kawasemi (${level})`,
    yourTurn: "Your move.", thinking: "Kawasemi is thinking …", check: "Check!",
    isOver: (reason) => ({ mate: "Mate.", no_moves: "No legal move.", repetition: "Repetition." })[reason] ?? "Perpetual check.",
    lookingBack: "Go to the last position to play on.",
    bothSidesCanMove: "Moves of both sides can be played.", analysing: "Analysing …",
    analysingGame: (done, all) => `Analysing the game: ${done} of ${all}`, analysed: "The game is analysed.",
    solving: "Looking for a mate …",
    mateFound: (plies) => `Mate in ${plies}.`, noMate: "There is no mate by checks.", mateTimeout: "No mate was found in time.",
    hintIs: (move) => `Hint: ${move}`,
    depth: (depth, nodes) => `depth ${depth}, ${nodes} nodes`,
    noLines: "Analyse shows the best lines here.",
    drop: "Drop a record here",
    yes: "Yes", no: "No", reallyResign: "Resign the game?",
    endsMatch: "A game is in progress. End it and open the record?", matchGoesOn: "The game continues.",
    // Records.
    openFile: "Open a file", paste: "Paste a record (KIF, KI2, CSA, USI, SFEN, JKF)", read: "Read",
    previousGame: "Previous game",
    format: "Notation", copy: "Copy", save: "Save", whichGame: "Game",
    copied: "Copied.", notCopied: "It could not be copied; the text is in the field above.",
    readOne: (moves) => `Read: ${moves} move${moves === 1 ? "" : "s"}.`, readMany: (games) => `${games} games were read.`,
    unreadable: (why) => `This could not be read: ${why}`, unwritable: (why) => `This could not be written: ${why}`,
    tooLarge: "This is more than 4 MB, which is too much for a record.",
    fileFailed: "the file cannot be opened", unexpectedError: "an unexpected error",
    left: "Lost in this notation:",
    // The position editor.
    finish: "Finish", undo: "Undo", sideToMove: "Side to move", setUpHandicap: "Set up the handicap", setUpTsume: "Mate problem",
    clearBoard: "All to the box", handOutBox: "Rest to White's hand", discardsEdits: "Discard the edited position?",
    edited: "The position has changed.",
    editorHelp: "Tap a piece, then an empty square or the free part of a hand or the box. A tap on the selected piece promotes it, "
      + "and the next one gives it to the other side. A piece dragged onto another one sends that one to the box. The Delete key "
      + "sends a piece there too.",
    editorBoard: {
      box: "Piece box", freePlace: (stand) => `${stand}, free place`,
      inBox: (side, piece, count) => `Piece box, ${side} ${piece}, ${count} left`,
      keysOfBoard: "Arrow keys move between squares, hands and box. Enter selects a piece and puts it elsewhere. Enter on the "
        + "selected piece promotes it or gives it to the other side. Delete puts a piece into the box. Escape cancels.",
    },
    // Settings.
    language: "Language", theme: "Colours", pieces: "Pieces", coordinates: "Coordinates",
    themes: { auto: "as the system", light: "light", dark: "dark" },
    pieceStyles: { kanji: "kanji", letters: "letters" }, coordinateStyles: { japanese: "７六", western: "7f" },
    lineCount: "Lines of analysis", moveTime: "Analysis of a game: seconds per move",
    offline: "Once loaded, this page works without a network.", noUpload: "Nothing leaves your machine.",
    won: "You win", lost: "Kawasemi wins", drawn: "Draw",
    ends: { resign: "resignation", mate: "mate", repetition: "repetition", declaration: "declaration", time_up: "time",
      foul_by_black: "perpetual check by Black", foul_by_white: "perpetual check by White", interrupted: "interrupted" },
    handicaps: { HIRATE: "none (even)", KY: "lance", KY_R: "right lance", KA: "bishop", HI: "rook", HIKY: "rook and lance",
      2: "two pieces", 3: "three pieces", 4: "four pieces", 5: "five pieces", "5_L": "five pieces (left)", 6: "six pieces",
      "7_L": "seven pieces (left)", "7_R": "seven pieces (right)", 8: "eight pieces", 10: "ten pieces" },
  },
  ja: {
    title: "Kawasemi – ブラウザで指す将棋",
    newGame: "新しい対局", record: "棋譜", settings: "設定", close: "閉じる", cancel: "やめる",
    loading: "エンジンを読み込んでいます…", engineFailed: (why) => `エンジンが動いていません（${why}）。ページを再読み込みしてみてください。`,
    failures: { load: "ファイルを読み込めません", unsupported: "このブラウザではWebAssemblyのSIMDが使えません",
      memory: "メモリが足りません", crash: "異常終了しました" },
    takeBack: "待った", hint: "ヒント", resign: "投了", declare: "宣言勝ち", moveNow: "すぐ指させる",
    analyse: "検討", analyseGame: "棋譜解析", solve: "詰み探索", editPosition: "局面編集", playFromHere: "ここから対局",
    level: "棋力", side: "あなたの手番", handicap: "手合割", clock: "持ち時間", start: "対局開始",
    sides: { black: "先手", white: "後手", random: "振り駒" },
    handicapSides: { black: "下手", white: "上手", random: "ランダム" },
    clocks: { none: "無制限", byoyomi: "秒読み", increment: "1手ごとに加算" },
    mainTime: "持ち時間（分）", byoyomi: "秒読み（秒）", increment: "加算（秒）",
    noTime: "持ち時間がないと、すぐに時間切れになります。",
    levelNote: "段級位は目安です。",
    you: "あなた", engine: (level) => `Kawasemi（${level}）`,
    yourTurn: "あなたの番です。", thinking: "Kawasemiが考えています…", check: "王手！",
    isOver: (reason) => ({ mate: "詰みです。", no_moves: "指せる手がありません。", repetition: "千日手です。" })[reason] ?? "連続王手の千日手です。",
    lookingBack: "最終局面に戻ると続きを指せます。",
    bothSidesCanMove: "どちらの駒も動かせます。", analysing: "検討しています…",
    analysingGame: (done, all) => `棋譜を解析しています：${done}／${all}`, analysed: "棋譜の解析が終わりました。",
    solving: "詰みを探しています…",
    mateFound: (plies) => `${plies}手詰です。`, noMate: "詰みはありません（不詰）。", mateTimeout: "時間内に詰みが見つかりませんでした。",
    hintIs: (move) => `ヒント：${move}`,
    depth: (depth, nodes) => `深さ${depth}、${nodes}ノード`,
    noLines: "「検討」を押すと、ここに読み筋を表示します。",
    drop: "ここに棋譜をドロップしてください",
    yes: "はい", no: "いいえ", reallyResign: "投了しますか？",
    endsMatch: "対局中です。対局を中断して棋譜を開きますか？", matchGoesOn: "対局を続けます。",
    openFile: "ファイルを開く", paste: "棋譜の貼り付け（KIF、KI2、CSA、USI、SFEN、JKF）", read: "読み込む",
    previousGame: "前の棋譜に戻る",
    format: "形式", copy: "コピー", save: "保存", whichGame: "対局",
    copied: "コピーしました。", notCopied: "コピーできませんでした。上の欄の文字を選んでコピーしてください。",
    readOne: (moves) => `${moves}手の棋譜を読み込みました。`, readMany: (games) => `${games}局の棋譜を読み込みました。`,
    unreadable: (why) => `読み込めませんでした：${why}`, unwritable: (why) => `書き出せませんでした：${why}`,
    tooLarge: "4MBを超えているので、棋譜として読み込めません。",
    fileFailed: "ファイルを開けません", unexpectedError: "予期しないエラーです",
    left: "この形式では表せない内容：",
    finish: "完了", undo: "元に戻す", sideToMove: "手番", setUpHandicap: "手合割で並べる", setUpTsume: "詰将棋の初期配置",
    clearBoard: "全駒を駒箱へ", handOutBox: "残りを後手の持ち駒に", discardsEdits: "編集した局面を破棄しますか？",
    edited: "局面が変わりました。",
    editorHelp: "駒をタップし、次に空いた場所（マス、駒台、駒箱）をタップします。選んだ駒をもう一度タップすると、成り、"
      + "相手の駒、の順に変わります。ドラッグして重ねると、下の駒は駒箱に戻ります。Deleteキーでも駒箱に戻せます。",
    editorBoard: {
      box: "駒箱", freePlace: (stand) => `${stand} 空いた場所`,
      inBox: (side, piece, count) => `駒箱 ${side}の${piece} ${count}枚`,
      keysOfBoard: "矢印キーでマス、持ち駒、駒箱の間を移動し、Enterキーで駒を選んで置きます。選んだ駒の上でEnterキーを押すと、成り、"
        + "相手の駒、の順に変わります。Deleteキーで駒箱に戻し、Escapeキーで取り消します。",
    },
    language: "言語", theme: "配色", pieces: "駒", coordinates: "座標",
    themes: { auto: "システムに従う", light: "明るい", dark: "暗い" },
    pieceStyles: { kanji: "漢字", letters: "英字" }, coordinateStyles: { japanese: "７六", western: "7f" },
    lineCount: "検討の候補手の数", moveTime: "棋譜解析の1手の時間（秒）",
    offline: "一度開けば、通信なしで使えます。", noUpload: "データが外に送られることはありません。",
    won: "あなたの勝ち", lost: "Kawasemiの勝ち", drawn: "引き分け",
    ends: { resign: "投了", mate: "詰み", repetition: "千日手", declaration: "入玉宣言", time_up: "時間切れ",
      foul_by_black: "先手の連続王手の千日手", foul_by_white: "後手の連続王手の千日手", interrupted: "中断" },
    handicaps: null,
  },
};

export const pageText = (lang) => TEXT[lang] ?? TEXT.en;

/** @param {{end: string, winner: string | null}} result @param {string} user the user's side */
export function endText({ end, winner }, user, lang, isHandicap) {
  const text = pageText(lang);
  const outcome = winner === null ? text.drawn : winner === user ? text.won : text.lost;
  const reason = text.ends[end] ?? end;
  // In Japanese the sides have other names in a handicap game.
  const named = isHandicap ? reason.replace("先手", "下手").replace("後手", "上手") : reason;
  return outcome + sharedText(lang).inParentheses(named);
}

/** An error of a call has texts. Any other one is a fault of the page, and the browser tells it in its own language. */
export function errorText(error, lang) {
  if (error.ja) return lang === "ja" ? error.ja : error.message;
  console.error(error);
  return pageText(lang).unexpectedError;
}

/** @param {{name: string, preset: string}} handicap */
export function handicapName({ name, preset }, lang) {
  return pageText(lang).handicaps?.[preset] ?? name;
}
