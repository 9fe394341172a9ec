//! The options of the engine, one row each; `book_v2` has the few that only the second set of book options has. The
//! defaults are those of [`Settings`].

use super::option::{OptionGroup, OptionType, UsiOption};
use crate::engine::Settings;
use crate::mate::Aim;
use crate::nnue::Isa;
use crate::position::EnteringKingRule;
use crate::session::ComboChoice;
use crate::types::MAX_PLY;
use crate::types::language::localized;

macro_rules! check {
    ($($field:tt)+) => {
        OptionType::Check {
            get: |settings| settings.$($field)+,
            set: |settings, value| settings.$($field)+ = value,
        }
    };
}

// The casts lose nothing: values are within the range, and every range is within the field's type.
macro_rules! spin {
    ($min:expr, $max:expr, $($field:tt)+) => {
        OptionType::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field)+ as i64,
            set: |settings, value| settings.$($field)+ = value as _,
        }
    };
}
pub(super) use spin;

// One number for both colours.
macro_rules! both {
    ($min:expr, $max:expr, $($field:tt)+) => {
        OptionType::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field)+.0[0] as i64,
            set: |settings, value| settings.$($field)+.0 = [value as _; 2],
        }
    };
}

// Choices and values are in the same order. A value without a choice is shown as the first choice.
macro_rules! combo {
    ($choices:ident, $values:ident, $field:ident) => {
        OptionType::Combo {
            choices: &$choices,
            get: |settings| {
                $values.iter().position(|&value| value == settings.$field).unwrap_or_default()
            },
            set: |settings, index| settings.$field = $values[index],
        }
    };
}

macro_rules! path {
    ($field:ident, $what:expr) => {
        OptionType::File {
            what: $what,
            get: |settings| settings.$field.as_deref(),
            set: |settings, value| settings.$field = value,
        }
    };
}

macro_rules! text {
    ($field:ident) => {
        OptionType::Text {
            get: |settings| settings.$field.as_deref(),
            set: |settings, value| settings.$field = value,
        }
    };
}

/// An option without aliases, with the same default on every machine.
pub(super) const fn option(
    name: &'static str,
    group: OptionGroup,
    kind: OptionType,
    en: &'static str,
    ja: &'static str,
) -> UsiOption {
    UsiOption { name, aliases: &[], group, kind, varying_default: None, help: localized(en, ja) }
}

/// The entering-king rules in the order of the choices of the option.
const KING_RULES: [EnteringKingRule; 6] = [
    EnteringKingRule::None,
    EnteringKingRule::Csa24,
    EnteringKingRule::Csa24Handicap,
    EnteringKingRule::Csa27,
    EnteringKingRule::Csa27Handicap,
    EnteringKingRule::Try,
];

/// The instruction sets in the order of the choices of the option; `None` selects the fastest.
const KERNELS: [Option<Isa>; 1 + Isa::ALL.len()] = {
    let mut kernels = [None; 1 + Isa::ALL.len()];
    let mut index = 0;
    while index < Isa::ALL.len() {
        kernels[1 + index] = Some(Isa::ALL[index]);
        index += 1;
    }
    kernels
};

const KERNEL_CHOICES: [ComboChoice; KERNELS.len()] = {
    let mut values = [("auto", localized("fastest available", "最速の命令")); KERNELS.len()];
    let mut index = 0;
    while index < Isa::ALL.len() {
        let name = Isa::ALL[index].name();
        values[1 + index] = (name, localized(name, name));
        index += 1;
    }
    values
};

/// The aims of `go mate` in the order of the choices of the option.
const MATE_AIMS: [Aim; 3] = [Aim::First, Aim::Short, Aim::Shortest];

const MATE_AIM_CHOICES: [ComboChoice; 3] = [
    ("First", localized("the first mate found", "最初に見つけた詰み")),
    ("Short", localized("shortened by a quick search", "短い探索で短縮した詰み")),
    ("Shortest", localized("proven shortest", "最短と証明した詰み")),
];

const KING_RULE_CHOICES: [ComboChoice; 6] = [
    ("NoEnteringKing", localized("no declaration", "宣言なし")),
    ("CSARule24", localized("24 points", "24点法")),
    ("CSARule24H", localized("24 points with handicap", "24点法（駒落ち）")),
    ("CSARule27", localized("27 points", "27点法")),
    ("CSARule27H", localized("27 points with handicap", "27点法（駒落ち）")),
    ("TryRule", localized("try rule", "トライルール")),
];

/// The largest transposition table, in MiB.
const MAX_HASH_MIB: i64 =
    if cfg!(target_family = "wasm") { BROWSER_MAX_HASH_MIB } else { 33_554_432 };
/// The largest one in a browser, which ends a page that takes too much memory.
pub const BROWSER_MAX_HASH_MIB: i64 = 256;

/// All options, in the order in which they are declared.
pub static OPTIONS: [UsiOption; 52] = [
    UsiOption {
        name: "USI_Hash",
        aliases: &["Hash"],
        group: OptionGroup::General,
        kind: spin!(1, MAX_HASH_MIB, hash_mib),
        varying_default: None,
        help: localized(
            "Transposition table size in MiB, reduced if memory is short. go mate uses up to as much again.",
            "置換表のサイズ（MiB）。メモリが足りなければ小さくする。go mateは別に同じサイズまで使う。",
        ),
    },
    UsiOption {
        name: "Threads",
        aliases: &[],
        group: OptionGroup::General,
        kind: spin!(1, 1024, threads),
        varying_default: Some(localized(
            "number of CPU threads, at most 32",
            "CPUのスレッド数（最大32）",
        )),
        help: localized("Number of search threads.", "探索に使うスレッド数。"),
    },
    option(
        "USI_Ponder",
        OptionGroup::General,
        check!(ponder),
        "Think on the opponent's time, if the GUI supports it. Own moves may then take longer.",
        "相手の手番中も考える（先読み）。その分、自分の手番で長く考えることがある。GUIの対応が必要。",
    ),
    option(
        "Stochastic_Ponder",
        OptionGroup::General,
        check!(stochastic_ponder),
        "Ponder on the position before the expected reply, so that no reply wastes the search.",
        "予想手を指す前の局面で先読みし、予想が外れても読みを無駄にしない。",
    ),
    option(
        "ClusterWorker",
        OptionGroup::General,
        spin!(0, 1024, cluster_worker),
        "Set by kawasemi cluster: the number of a worker that exchanges search results; 0 for none.",
        "kawasemi clusterが設定する、探索結果を交換するワーカーの番号。0なら交換しない。",
    ),
    option(
        "USI_LimitStrength",
        OptionGroup::Strength,
        check!(limit_strength),
        "Limit the playing strength to USI_Strength.",
        "USI_Strengthの棋力に制限する。",
    ),
    option(
        "USI_Strength",
        OptionGroup::Strength,
        spin!(-20, 9, strength),
        "Playing level: -20 is 20 kyu (first games), -1 is 1 kyu, 1 is 1 dan, 9 is 9 dan. Estimates.",
        "制限する棋力。-20は20級（初心者）、-1は1級、1は初段、9は九段。いずれも目安。",
    ),
    option(
        "DepthLimit",
        OptionGroup::Strength,
        spin!(0, MAX_PLY as i64, depth_limit),
        "Maximum search depth in plies if the GUI sets none; 0 for no limit.",
        "GUIが深さを指定しないときの探索の深さの上限（手数）。0なら無制限。",
    ),
    option(
        "NodesLimit",
        OptionGroup::Strength,
        spin!(0, i64::MAX, nodes_limit),
        "Maximum number of nodes to search if the GUI sets none; 0 for no limit.",
        "GUIがノード数を指定しないときの探索ノード数の上限。0なら無制限。",
    ),
    option(
        "ResignValue",
        OptionGroup::Strength,
        spin!(0, Settings::NEVER_RESIGN as i64, resign_value),
        "Resign when behind by this many centipawns twice in a row; 99999 to play on until mate.",
        "2手続けて評価値がこの値以上不利なら投了する。99999なら詰まされるまで指す。",
    ),
    UsiOption {
        name: "MultiPV",
        aliases: &["USI_MultiPV"],
        group: OptionGroup::Analysis,
        kind: spin!(1, 600, multi_pv),
        varying_default: None,
        help: localized("Number of candidate moves to show.", "表示する候補手の数。"),
    },
    option(
        "MateAim",
        OptionGroup::Analysis,
        combo!(MATE_AIM_CHOICES, MATE_AIMS, mate_aim),
        "When go mate stops: at any mate, after a quick search for a shorter one, or at the shortest.",
        "詰将棋（go mate）の探索をどこで終えるか。最初の詰み、短縮した詰み、最短の詰みから選ぶ。",
    ),
    option(
        "USI_AnalyseMode",
        OptionGroup::Analysis,
        check!(analysis),
        "For analysis: no book moves, no resignation, and a draw is worth 0 for both sides.",
        "検討用。定跡を使わず、投了もせず、引き分けの評価値を先手後手とも0とする。",
    ),
    option(
        "ConsiderationMode",
        OptionGroup::Analysis,
        check!(consideration),
        "End lines with rep_draw, win and so on where the rules end them. Some GUIs fail on it.",
        "読み筋が千日手や勝ちなどで終わるとき、末尾にrep_drawやwinなどを付ける。対応しないGUIもある。",
    ),
    option(
        "OutputFailLHPV",
        OptionGroup::Analysis,
        check!(report_bounds),
        "Also show scores that are only lower or upper bounds.",
        "下限または上限しかわかっていない評価値も表示する。",
    ),
    option(
        "PvInterval",
        OptionGroup::Analysis,
        spin!(0, 100_000, pv_interval_ms),
        "Minimum time between two reports in milliseconds; 0 to report everything.",
        "読み筋を出力する間隔の最小値（ミリ秒）。0なら毎回出力する。",
    ),
    option(
        "RootMateSearch",
        OptionGroup::Analysis,
        check!(root_mates),
        "Search for long mates in parallel: own mates, and mates that the best move allows.",
        "探索と並行して、相手玉の長い詰みと、最善手の後の自玉の詰みを調べる。",
    ),
    option(
        "GenerateAllLegalMoves",
        OptionGroup::Analysis,
        check!(all_legal_moves),
        "Also search non-promotions that are almost never useful.",
        "通常は指す意味のない不成の手も読む。",
    ),
    option(
        "USI_ShowCurrLine",
        OptionGroup::Analysis,
        check!(show_current_line),
        "Report the line being searched. Some GUIs fail on it.",
        "探索中の手順を出力する。対応しないGUIもある。",
    ),
    option(
        "USI_ShowRefutations",
        OptionGroup::Analysis,
        check!(show_refutations),
        "Report the refutation of each move. Some GUIs fail on it.",
        "それぞれの指し手をとがめる手順を出力する。対応しないGUIもある。",
    ),
    option(
        "EnteringKingRule",
        OptionGroup::Rules,
        combo!(KING_RULE_CHOICES, KING_RULES, entering_king),
        "Rule for winning by declaration with an entered king.",
        "入玉宣言勝ちのルール。",
    ),
    option(
        "MaxMovesToDraw",
        OptionGroup::Rules,
        spin!(0, 100_000, max_moves_to_draw),
        "The game is a draw after this many moves; 0 for no limit.",
        "引き分けになる手数。0なら手数による引き分けはない。",
    ),
    option(
        "DrawValueBlack",
        OptionGroup::Rules,
        spin!(-30_000, 30_000, draw_value.0[0]),
        "Value of a draw in centipawns when the engine plays Black (sente).",
        "エンジンが先手のときの、引き分け（千日手など）の評価値。",
    ),
    option(
        "DrawValueWhite",
        OptionGroup::Rules,
        spin!(-30_000, 30_000, draw_value.0[1]),
        "Value of a draw in centipawns when the engine plays White (gote).",
        "エンジンが後手のときの、引き分け（千日手など）の評価値。",
    ),
    option(
        "NetworkDelay",
        OptionGroup::Time,
        spin!(0, 10_000, network_delay_ms),
        "Milliseconds lost in transmission with every move. About 120 for play over a network.",
        "1手ごとに通信で失われる時間（ミリ秒）。ネットワーク対局では120程度にする。",
    ),
    option(
        "NetworkDelay2",
        OptionGroup::Time,
        spin!(0, 10_000, network_delay2_ms),
        "Safety margin of a move in milliseconds, at most a tenth of its time. About 1120 over a network.",
        "時間切れを避けるために残す時間（ミリ秒）。使える時間の1割まで。ネットワーク対局では1120程度にする。",
    ),
    option(
        "MinimumThinkingTime",
        OptionGroup::Time,
        spin!(0, 100_000, minimum_thinking_ms),
        "Minimum time of a search in milliseconds, where the clock allows; at full strength a mate ends it.",
        "持ち時間の許す限り、1手の探索にかける最短の時間（ミリ秒）。棋力を制限しないときは、詰みが見つかれば終わる。",
    ),
    option(
        "SlowMover",
        OptionGroup::Time,
        spin!(1, 1000, slow_mover_percent),
        "Time per move, in percent of the standard; above 100 uses more of the clock early in the game.",
        "序盤重視率（％）。100が標準で、大きいほど序盤に持ち時間を多く使う。",
    ),
    option(
        "RoundUpToFullSecond",
        OptionGroup::Time,
        check!(round_up_to_full_second),
        "Use every started second in full, for clocks that count whole seconds.",
        "消費時間を1秒単位で数える対局（1秒未満切り捨てなど）で、始まった1秒を使い切る。",
    ),
    option(
        "USI_OwnBook",
        OptionGroup::Book,
        check!(own_book),
        "Play book moves. Without a book file, those of the small built-in book.",
        "定跡の手を指す。定跡ファイルがなければ、内蔵の小さな定跡を使う。",
    ),
    option(
        "BookFile",
        OptionGroup::Book,
        path!(book_file, localized("a file", "ファイル")),
        "Opening book in BookDir, of any supported format; no_book for none. See docs/book.md.",
        "BookDirにある定跡ファイル。形式は自動で判別する。no_bookなら使わない。docs/book.mdを参照。",
    ),
    option(
        "BookDir",
        OptionGroup::Book,
        path!(book_dir, localized("a folder", "フォルダ")),
        "Folder of the opening book.",
        "定跡ファイルを置くフォルダ。",
    ),
    option(
        "BookMoves",
        OptionGroup::Book,
        spin!(0, 10_000, book.last_ply),
        "Use the book up to this move of the game.",
        "この手数までは定跡の手を指す。",
    ),
    option(
        "BookIgnoreRate",
        OptionGroup::Book,
        spin!(0, 100, book.ignore_percent),
        "Probability of ignoring the book, in percent.",
        "定跡の手があっても自分で考える割合（％）。",
    ),
    option(
        "BookEvalDiff",
        OptionGroup::Book,
        both!(0, 99_999, book.eval_diff),
        "Choose among book moves at most this many centipawns below the first.",
        "定跡の第1候補との評価値の差がこの値以内の手から選ぶ。",
    ),
    option(
        "BookEvalBlackLimit",
        OptionGroup::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[0]),
        "As Black (sente), leave out book moves with a score below this, in centipawns.",
        "先手番では、評価値がこの値より低い定跡の手を除く。",
    ),
    option(
        "BookEvalWhiteLimit",
        OptionGroup::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[1]),
        "As White (gote), leave out book moves with a score below this, in centipawns.",
        "後手番では、評価値がこの値より低い定跡の手を除く。",
    ),
    option(
        "BookDepthLimit",
        OptionGroup::Book,
        both!(0, 99_999, book.depth_limit),
        "Ignore the book where its first move was searched less deeply than this; 0 to use it always.",
        "定跡の第1候補の探索の深さがこの値より浅いときは、自分で考える。0なら深さを問わない。",
    ),
    option(
        "BookOnTheFly",
        OptionGroup::Book,
        check!(book_on_the_fly),
        "Check only samples of the book before using it. For books of several GiB.",
        "定跡ファイルの一部だけを確かめて使い始める。数GiBもある定跡のための設定。",
    ),
    option(
        "BookPvMoves",
        OptionGroup::Book,
        spin!(1, MAX_PLY as i64, book.pv_moves),
        "Number of moves to show of each book line.",
        "定跡の読み筋として表示する手数。",
    ),
    option(
        "IgnoreBookPly",
        OptionGroup::Book,
        check!(book.ignore_ply),
        "Find a position in the book regardless of its move number.",
        "定跡に登録された手数が違っても、同じ局面なら使う。",
    ),
    option(
        "FlippedBook",
        OptionGroup::Book,
        check!(book.flipped),
        "Also use book positions with the sides exchanged.",
        "先後を入れ替えた局面の定跡も使う。",
    ),
    option(
        "ConsiderBookMoveCount",
        OptionGroup::Book,
        check!(book.by_count),
        "Choose book moves with higher counts more often.",
        "定跡での採択回数が多い手ほど高い確率で選ぶ。",
    ),
    option(
        "NarrowBook",
        OptionGroup::Book,
        check!(book.narrow),
        "Leave out book moves with less than a tenth of all counts.",
        "採択回数が全体の1割に満たない定跡の手を除く。",
    ),
    option(
        "EvalFile",
        OptionGroup::Evaluation,
        path!(eval_file, localized("a file", "ファイル")),
        "Network file (nn.bin) of the evaluation. Takes precedence over EvalDir.",
        "評価関数のファイル（nn.bin）。EvalDirより優先する。",
    ),
    option(
        "EvalDir",
        OptionGroup::Evaluation,
        path!(eval_dir, localized("a folder", "フォルダ")),
        "Folder with nn.bin and optionally its eval_options.txt. The default folder need not exist.",
        "評価関数nn.binと、必要ならeval_options.txtを置くフォルダ。既定のフォルダはなくてもよい。",
    ),
    option(
        "FV_SCALE",
        OptionGroup::Evaluation,
        spin!(0, Settings::MAX_FV_SCALE as i64, fv_scale),
        "Divisor of the network output; 0 for the value of eval_options.txt or the file, or else 16.",
        "評価関数の出力を割る数。0ならeval_options.txtかファイルの指定に従い、指定がなければ16。",
    ),
    option(
        "LS_BUCKET_MODE",
        OptionGroup::Evaluation,
        text!(ls_bucket_mode),
        "How a network with several layer stacks selects one; overrides what its files say.",
        "複数の層スタックを持つ評価関数で、使うスタックを選ぶ方法。ファイルの指定より優先する。",
    ),
    option(
        "LS_PROGRESS_COEFF",
        OptionGroup::Evaluation,
        path!(ls_progress_coeff, localized("a file", "ファイル")),
        "Coefficients (progress.bin) for a network that selects layer stacks by game progress.",
        "進行度で層スタックを選ぶ評価関数の係数ファイル（progress.bin）。",
    ),
    option(
        "EvalKernel",
        OptionGroup::Evaluation,
        combo!(KERNEL_CHOICES, KERNELS, eval_kernel),
        "CPU instructions for the evaluation. Scores are the same with all of them.",
        "評価関数の計算に使うCPUの命令。どれを選んでも評価値は変わらない。",
    ),
    option(
        "DebugLogFile",
        OptionGroup::Logs,
        path!(debug_log, localized("a file", "ファイル")),
        "Log all lines from and to the GUI to this file.",
        "GUIとの通信をすべて記録するファイル。",
    ),
    option(
        "ThinkingLog",
        OptionGroup::Logs,
        path!(thinking_log, localized("a file", "ファイル")),
        "Log the session to this file in the Thinking Log Format.",
        "対局や検討の経過をThinking Log Formatで記録するファイル。",
    ),
];
