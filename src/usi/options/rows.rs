//! The rows themselves: every option of the engine, once.
//!
//! Defaults are not here; they are those of [`Settings`].

use super::{Group, Kind, Row, Word, both};
use crate::engine::Settings;
use crate::mate::Aim;
use crate::nnue::Isa;
use crate::position::EnteringKingRule;
use crate::types::MAX_PLY;

macro_rules! check {
    ($($field:tt)+) => {
        Kind::Check {
            get: |settings| settings.$($field)+,
            set: |settings, value| settings.$($field)+ = value,
        }
    };
}

// The casts lose nothing: a value set is within the range, and every range within the field's type.
macro_rules! spin {
    ($min:expr, $max:expr, $($field:tt)+) => {
        Kind::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field)+ as i64,
            set: |settings, value| settings.$($field)+ = value as _,
        }
    };
}

// Words and values are in the same order. The first stands for a value that has no word.
macro_rules! combo {
    ($words:ident, $values:ident, $field:ident) => {
        Kind::Combo {
            words: &$words,
            get: |settings| {
                $values.iter().position(|&value| value == settings.$field).unwrap_or_default()
            },
            set: |settings, index| settings.$field = $values[index],
        }
    };
}

macro_rules! path {
    ($field:ident, $what:expr) => {
        Kind::File {
            what: $what,
            get: |settings| settings.$field.as_deref(),
            set: |settings, value| settings.$field = value,
        }
    };
}

macro_rules! text {
    ($field:ident) => {
        Kind::Text {
            get: |settings| settings.$field.as_deref(),
            set: |settings, value| settings.$field = value,
        }
    };
}

/// A row as most are: no other names, and the same default on every machine.
const fn row(
    name: &'static str,
    group: Group,
    kind: Kind,
    en: &'static str,
    ja: &'static str,
) -> Row {
    Row { name, aliases: &[], group, kind, varying_default: None, help: both(en, ja) }
}

/// The entering-king rules in the order of the words of the option.
const KING_RULES: [EnteringKingRule; 6] = [
    EnteringKingRule::None,
    EnteringKingRule::Csa24,
    EnteringKingRule::Csa24Handicap,
    EnteringKingRule::Csa27,
    EnteringKingRule::Csa27Handicap,
    EnteringKingRule::Try,
];

/// The instructions in the order of the words of the option; none is the best there are.
const KERNELS: [Option<Isa>; 1 + Isa::ALL.len()] = {
    let mut kernels = [None; 1 + Isa::ALL.len()];
    let mut index = 0;
    while index < Isa::ALL.len() {
        kernels[1 + index] = Some(Isa::ALL[index]);
        index += 1;
    }
    kernels
};

const KERNEL_WORDS: [Word; KERNELS.len()] = {
    let mut words = [("auto", both("the best", "最速の命令")); KERNELS.len()];
    let mut index = 0;
    while index < Isa::ALL.len() {
        let name = Isa::ALL[index].name();
        words[1 + index] = (name, both(name, name));
        index += 1;
    }
    words
};

/// When a mate is good enough, in the order of the words of the option.
const AIMS: [Aim; 3] = [Aim::First, Aim::Short, Aim::Shortest];

const AIM_WORDS: [Word; 3] = [
    ("First", both("the first one found", "最初に見つけた詰み")),
    ("Short", both("shorter where that is cheap", "手軽な範囲で短くした詰み")),
    ("Shortest", both("proven to be the shortest", "最短と証明した詰み")),
];

const KING_RULE_WORDS: [Word; 6] = [
    ("NoEnteringKing", both("no declaration", "宣言なし")),
    ("CSARule24", both("24 points", "24点法")),
    ("CSARule24H", both("24 points with handicap", "24点法（駒落ち）")),
    ("CSARule27", both("27 points", "27点法")),
    ("CSARule27H", both("27 points with handicap", "27点法（駒落ち）")),
    ("TryRule", both("try rule", "トライルール")),
];

/// All options, in the order in which they are declared.
pub static ROWS: [Row; 51] = [
    Row {
        name: "USI_Hash",
        aliases: &["Hash"],
        group: Group::Engine,
        kind: spin!(1, 33_554_432, hash_mb),
        varying_default: None,
        help: both(
            "MiB for the transposition table; less if the system refuses. go mate takes up to as much again.",
            "置換表の大きさ（MiB）。メモリを確保できないときは小さくする。go mate は別に同じ大きさまで使う。",
        ),
    },
    Row {
        name: "Threads",
        aliases: &[],
        group: Group::Engine,
        kind: spin!(1, 1024, threads),
        varying_default: Some(both(
            "one for each processor, at most 32",
            "CPUのスレッド数（最大32）",
        )),
        help: both("Processors to think with.", "思考に使うスレッド数。"),
    },
    row(
        "USI_Ponder",
        Group::Engine,
        check!(ponder),
        "The GUI lets the engine think on the opponent's time; own moves may then take longer.",
        "相手の手番中にGUIが先読み（ponder）をさせる。自分の手番で長めに考えることがある。",
    ),
    row(
        "Stochastic_Ponder",
        Group::Engine,
        check!(stochastic_ponder),
        "Ponder on the position before the expected move, so that no reply is a surprise.",
        "予想手を指す前の局面から先読みし、予想が外れても無駄にならないようにする。",
    ),
    row(
        "USI_LimitStrength",
        Group::Strength,
        check!(limit_strength),
        "Play weaker, as USI_Strength says.",
        "USI_Strengthの棋力まで弱くする。",
    ),
    row(
        "USI_Strength",
        Group::Strength,
        spin!(-15, 9, strength),
        "Level when limited: -15 is 15 kyu (beginner), -1 is 1 kyu, 1 is 1 dan, 9 is 9 dan. Estimates.",
        "弱くするときの棋力。-15は15級（初心者）、-1は1級、1は初段、9は九段。いずれも目安。",
    ),
    row(
        "DepthLimit",
        Group::Strength,
        spin!(0, MAX_PLY as i64, depth_limit),
        "Most plies to search when the GUI asks for no depth; 0 for no limit.",
        "GUIが深さを指定しないときの探索の深さの上限（手）。0なら無制限。",
    ),
    row(
        "NodesLimit",
        Group::Strength,
        spin!(0, i64::MAX, nodes_limit),
        "Most positions to search when the GUI asks for no count; 0 for no limit.",
        "GUIがノード数を指定しないときの探索ノード数の上限。0なら無制限。",
    ),
    row(
        "ResignValue",
        Group::Strength,
        spin!(0, Settings::NEVER_RESIGN as i64, resign_value),
        "Resign when this many centipawns behind twice in a row; 99999 to play on to the mate.",
        "探索の評価値が2回続けてこれだけ不利なら投了する。99999なら詰まされるまで指す。",
    ),
    Row {
        name: "MultiPV",
        aliases: &["USI_MultiPV"],
        group: Group::Analysis,
        kind: spin!(1, 600, multi_pv),
        varying_default: None,
        help: both("Candidate moves to show.", "表示する候補手の数。"),
    },
    row(
        "MateAim",
        Group::Analysis,
        combo!(AIM_WORDS, AIMS, mate_aim),
        "When go mate ends: at any mate, after a cheap look for a shorter one, or with the shortest.",
        "詰将棋（go mate）の探索を終える条件。詰みの発見、手軽な範囲での短縮、最短の証明から選ぶ。",
    ),
    row(
        "USI_AnalyseMode",
        Group::Analysis,
        check!(analysis),
        "Judge as in analysis, the same from both sides, not as in a game.",
        "対局用ではなく検討用に、先手と後手を同じ基準で評価する。",
    ),
    row(
        "ConsiderationMode",
        Group::Analysis,
        check!(consideration),
        "End lines by rep_draw, win and the like where the rules end them. Not every GUI copes.",
        "読み筋の終わりが千日手や勝ちなどなら、rep_drawやwinなどの語を付ける。対応していないGUIもある。",
    ),
    row(
        "OutputFailLHPV",
        Group::Analysis,
        check!(report_bounds),
        "Show scores too that are only known to be at least or at most so high.",
        "下限または上限しか分かっていない評価値も表示する。",
    ),
    row(
        "PvInterval",
        Group::Analysis,
        spin!(0, 100_000, pv_interval_ms),
        "Milliseconds at least between two reports; 0 for every one.",
        "読み筋を出力する間隔の最小値（ミリ秒）。0なら毎回出力する。",
    ),
    row(
        "RootMateSearch",
        Group::Analysis,
        check!(root_mates),
        "Look for long mates beside the search: own ones, and those that the best move allows.",
        "探索と並行して長い詰みを調べる。自玉に生じる詰みも調べる。",
    ),
    row(
        "GenerateAllLegalMoves",
        Group::Analysis,
        check!(all_legal_moves),
        "Consider pointless non-promotions too.",
        "通常は指す意味のない不成の手も読む。",
    ),
    row(
        "USI_ShowCurrLine",
        Group::Analysis,
        check!(show_current_line),
        "Report the line being searched. Not every GUI copes.",
        "探索中の手順を出力する。対応していないGUIもある。",
    ),
    row(
        "USI_ShowRefutations",
        Group::Analysis,
        check!(show_refutations),
        "Report what refutes each move. Not every GUI copes.",
        "それぞれの指し手をとがめる手順を出力する。対応していないGUIもある。",
    ),
    row(
        "EnteringKingRule",
        Group::Rules,
        combo!(KING_RULE_WORDS, KING_RULES, entering_king),
        "How an entered king wins by declaration.",
        "入玉宣言勝ちのルール。",
    ),
    row(
        "MaxMovesToDraw",
        Group::Rules,
        spin!(0, 100_000, max_moves_to_draw),
        "The game is a draw after this many moves; 0 for no limit.",
        "引き分けになる手数。0なら手数による引き分けはない。",
    ),
    row(
        "DrawValueBlack",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[0]),
        "Centipawns that a draw is worth to the engine as Black (sente).",
        "エンジンが先手のときの、引き分け（千日手など）の評価値。",
    ),
    row(
        "DrawValueWhite",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[1]),
        "Centipawns that a draw is worth to the engine as White (gote).",
        "エンジンが後手のときの、引き分け（千日手など）の評価値。",
    ),
    row(
        "NetworkDelay",
        Group::Time,
        spin!(0, 10_000, network_delay_ms),
        "Milliseconds that every move loses on its way. About 120 for play over a network.",
        "1手ごとに通信で失われる時間（ミリ秒）。ネットワーク対局では120程度にする。",
    ),
    row(
        "NetworkDelay2",
        Group::Time,
        spin!(0, 10_000, network_delay2_ms),
        "Milliseconds kept back of the time for a move, at most a tenth. About 1120 over a network.",
        "切れ負けにならないように残す時間（ミリ秒）。ただし使える時間の1割まで。ネットワーク対局では1120程度にする。",
    ),
    row(
        "MinimumThinkingTime",
        Group::Time,
        spin!(0, 100_000, minimum_thinking_ms),
        "Milliseconds to think on a move at least, where the clock allows.",
        "持ち時間の許す限り、1手にかける最短の時間（ミリ秒）。",
    ),
    row(
        "SlowMover",
        Group::Time,
        spin!(1, 1000, slow_mover_percent),
        "Percent of the usual time to take early in the game.",
        "序盤にかける時間の割合（％）。100が標準。",
    ),
    row(
        "RoundUpToFullSecond",
        Group::Time,
        check!(round_up_to_full_second),
        "Use each second begun to its end, for clocks that count whole seconds only.",
        "1秒未満を切り上げて秒単位で計る対局で、切り上げられる分まで考える。",
    ),
    row(
        "USI_OwnBook",
        Group::Book,
        check!(own_book),
        "Play from the opening book where there is one. A small one is shipped in the folder book.",
        "定跡ファイルがあれば定跡の手を指す。小さな定跡がbookフォルダに付属している。",
    ),
    row(
        "BookFile",
        Group::Book,
        path!(book_file, both("a file", "ファイル")),
        "Opening book in BookDir, of any known format; no_book for none. See docs/book.md.",
        "BookDirにある定跡ファイル。形式は自動で判別する。no_bookなら使わない。docs/book.mdを参照。",
    ),
    row(
        "BookDir",
        Group::Book,
        path!(book_dir, both("a folder", "フォルダ")),
        "Folder of the opening book.",
        "定跡ファイルを置くフォルダ。",
    ),
    row(
        "BookMoves",
        Group::Book,
        spin!(0, 10_000, book.last_ply),
        "Play from the book up to this move of the game.",
        "この手数までは定跡の手を指す。",
    ),
    row(
        "BookIgnoreRate",
        Group::Book,
        spin!(0, 100, book.ignore_percent),
        "How many times in a hundred to think in spite of the book.",
        "定跡の手があっても自分で考える割合（％）。",
    ),
    row(
        "BookEvalDiff",
        Group::Book,
        spin!(0, 99_999, book.eval_diff),
        "Choose among moves that the book has at most this many centipawns below its first.",
        "定跡の第1候補との評価値の差がこの値以内の手から選ぶ。",
    ),
    row(
        "BookEvalBlackLimit",
        Group::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[0]),
        "Think for yourself as Black (sente) where the book gives fewer centipawns than this.",
        "先手番で定跡の評価値がこの値より低いときは、自分で考える。",
    ),
    row(
        "BookEvalWhiteLimit",
        Group::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[1]),
        "Think for yourself as White (gote) where the book gives fewer centipawns than this.",
        "後手番で定跡の評価値がこの値より低いときは、自分で考える。",
    ),
    row(
        "BookDepthLimit",
        Group::Book,
        spin!(0, 99_999, book.depth_limit),
        "Think for yourself where the book says that its first move was searched less deep; 0 never.",
        "定跡の第1候補の探索の深さがこの値より浅いときは、自分で考える。0なら深さを問わない。",
    ),
    row(
        "BookOnTheFly",
        Group::Book,
        check!(book_on_the_fly),
        "Look only at parts of the book before using it. For books of gibibytes.",
        "定跡ファイルの一部だけを確かめて使い始める。数GiBもある定跡のための設定。",
    ),
    row(
        "BookPvMoves",
        Group::Book,
        spin!(1, MAX_PLY as i64, book.pv_moves),
        "Moves to show of each line of the book.",
        "定跡の読み筋として表示する手数。",
    ),
    row(
        "IgnoreBookPly",
        Group::Book,
        check!(book.ignore_ply),
        "Find a position in the book whatever number its move has there.",
        "定跡に登録された手数が違っても、同じ局面なら使う。",
    ),
    row(
        "FlippedBook",
        Group::Book,
        check!(book.flipped),
        "Find a position also where the book has it with the sides exchanged.",
        "先後を入れ替えた局面の定跡も使う。",
    ),
    row(
        "ConsiderBookMoveCount",
        Group::Book,
        check!(book.by_count),
        "Choose the move the more often the more often it stands counted in the book.",
        "定跡での採択回数が多い手ほど高い確率で選ぶ。",
    ),
    row(
        "NarrowBook",
        Group::Book,
        check!(book.narrow),
        "Leave out moves with less than a tenth of all counts.",
        "採択回数が全体の1割に満たない定跡の手を除く。",
    ),
    row(
        "EvalFile",
        Group::Evaluation,
        path!(eval_file, both("a file", "ファイル")),
        "Network file (nn.bin) to judge positions with. Counts before EvalDir.",
        "評価関数のファイル（nn.bin）。EvalDirより優先する。",
    ),
    row(
        "EvalDir",
        Group::Evaluation,
        path!(eval_dir, both("a folder", "フォルダ")),
        "Folder with a network called nn.bin and perhaps its eval_options.txt. Need not exist.",
        "評価関数nn.binと、必要ならeval_options.txtを置くフォルダ。なくてもよい。",
    ),
    row(
        "FV_SCALE",
        Group::Evaluation,
        spin!(0, 128, fv_scale),
        "Divisor of the network's scores; 0 for what eval_options.txt or the file says, else 16.",
        "評価関数の出力を割る数。0ならeval_options.txtかファイルの指定に従い、指定がなければ16。",
    ),
    row(
        "LS_BUCKET_MODE",
        Group::Evaluation,
        text!(ls_bucket_mode),
        "How a network with several stacks chooses among them, if its files do not say.",
        "層の組を複数持つ評価関数で、使う組を選ぶ方法。ファイルに指定がないときに使う。",
    ),
    row(
        "LS_PROGRESS_COEFF",
        Group::Evaluation,
        path!(ls_progress_coeff, both("a file", "ファイル")),
        "Coefficients (progress.bin) for a network that chooses by the progress of the game.",
        "進行度で層の組を選ぶ評価関数の係数ファイル（progress.bin）。",
    ),
    row(
        "EvalKernel",
        Group::Evaluation,
        combo!(KERNEL_WORDS, KERNELS, eval_kernel),
        "Instructions to run the network with. Scores are the same with each.",
        "評価関数の計算に使うCPUの命令。どれを選んでも評価値は変わらない。",
    ),
    row(
        "DebugLogFile",
        Group::Files,
        path!(debug_log, both("a file", "ファイル")),
        "Write all lines from and to the GUI into this file.",
        "GUIとの通信をすべて書き出すファイル。",
    ),
    row(
        "ThinkingLog",
        Group::Files,
        path!(thinking_log, both("a file", "ファイル")),
        "Write the session into this file in the Thinking Log Format.",
        "対局や検討の記録をThinking Log Formatで書き出すファイル。",
    ),
];
