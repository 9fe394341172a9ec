//! The rows themselves: every option of the engine, once.
//!
//! Defaults are not here; they are those of [`Settings`].

use super::{Group, Kind, Row, Word};
use crate::engine::mate::Aim;
use crate::engine::{Isa, Settings};
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
const fn row(name: &'static str, group: Group, kind: Kind, help: &'static str) -> Row {
    Row { name, aliases: &[], group, kind, varying_default: None, help }
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
    let mut words = [("auto", "the best"); KERNELS.len()];
    let mut index = 0;
    while index < Isa::ALL.len() {
        let name = Isa::ALL[index].name();
        words[1 + index] = (name, name);
        index += 1;
    }
    words
};

const KERNEL: Kind = Kind::Combo {
    words: &KERNEL_WORDS,
    get: |settings| KERNELS.iter().position(|&isa| isa == settings.eval_kernel).unwrap_or_default(),
    set: |settings, index| settings.eval_kernel = KERNELS[index],
};

/// When a mate is good enough, in the order of the words of the option.
const AIMS: [Aim; 3] = [Aim::First, Aim::Short, Aim::Shortest];

const AIM_WORDS: [Word; 3] = [
    ("First", "the first one found"),
    ("Short", "shorter where that is cheap"),
    ("Shortest", "proven to be the shortest"),
];

const AIM: Kind = Kind::Combo {
    words: &AIM_WORDS,
    get: |settings| AIMS.iter().position(|&aim| aim == settings.mate_aim).unwrap_or_default(),
    set: |settings, index| settings.mate_aim = AIMS[index],
};

const KING_RULE_WORDS: [Word; 6] = [
    ("NoEnteringKing", "no declaration"),
    ("CSARule24", "24 points"),
    ("CSARule24H", "24 points with handicap"),
    ("CSARule27", "27 points"),
    ("CSARule27H", "27 points with handicap"),
    ("TryRule", "try rule"),
];

const KING_RULE: Kind = Kind::Combo {
    words: &KING_RULE_WORDS,
    get: |settings| {
        KING_RULES.iter().position(|&rule| rule == settings.entering_king).unwrap_or_default()
    },
    set: |settings, index| settings.entering_king = KING_RULES[index],
};

/// All options, in the order in which they are declared.
pub static ROWS: [Row; 51] = [
    Row {
        name: "USI_Hash",
        aliases: &["Hash"],
        group: Group::Engine,
        kind: spin!(1, 33_554_432, hash_mb),
        varying_default: None,
        help: "Memory for the transposition table in MiB. Less is used if the system refuses.",
    },
    Row {
        name: "Threads",
        aliases: &[],
        group: Group::Engine,
        kind: spin!(1, 1024, threads),
        varying_default: Some("one for each processor, at most 32"),
        help: "Processors to think with.",
    },
    row(
        "USI_Ponder",
        Group::Engine,
        check!(ponder),
        "The GUI lets the engine think on the opponent's time; own moves may then take longer.",
    ),
    row(
        "Stochastic_Ponder",
        Group::Engine,
        check!(stochastic_ponder),
        "Ponder on the position before the expected move, so that no reply is a surprise.",
    ),
    row(
        "USI_LimitStrength",
        Group::Strength,
        check!(limit_strength),
        "Play weaker, as USI_Strength says.",
    ),
    row(
        "USI_Strength",
        Group::Strength,
        spin!(-15, 9, strength),
        "Level when limited: -15 is 15 kyu (beginner), -1 is 1 kyu, 1 is 1 dan, 9 is 9 dan. Estimates.",
    ),
    row(
        "DepthLimit",
        Group::Strength,
        spin!(0, MAX_PLY as i64, depth_limit),
        "Most plies to search when the GUI asks for no depth; 0 for no limit.",
    ),
    row(
        "NodesLimit",
        Group::Strength,
        spin!(0, i64::MAX, nodes_limit),
        "Most positions to search when the GUI asks for no count; 0 for no limit.",
    ),
    row(
        "ResignValue",
        Group::Strength,
        spin!(0, Settings::NEVER_RESIGN as i64, resign_value),
        "Resign when this many centipawns behind; 99999 to play on to the mate.",
    ),
    Row {
        name: "MultiPV",
        aliases: &["USI_MultiPV"],
        group: Group::Analysis,
        kind: spin!(1, 600, multi_pv),
        varying_default: None,
        help: "Candidate moves to show.",
    },
    row(
        "MateAim",
        Group::Analysis,
        AIM,
        "When go mate ends: at any mate, after a cheap look for a shorter one, or with the shortest.",
    ),
    row(
        "USI_AnalyseMode",
        Group::Analysis,
        check!(analysis),
        "Judge as in analysis, the same from both sides, not as in a game.",
    ),
    row(
        "ConsiderationMode",
        Group::Analysis,
        check!(consideration),
        "Show lines to their full length, ended by rep_draw, win and the like. Not every GUI copes.",
    ),
    row(
        "OutputFailLHPV",
        Group::Analysis,
        check!(report_bounds),
        "Show scores too that are only known to be at least or at most so high.",
    ),
    row(
        "PvInterval",
        Group::Analysis,
        spin!(0, 100_000, pv_interval_ms),
        "Milliseconds at least between two reports; 0 for every one.",
    ),
    row(
        "RootMateSearch",
        Group::Analysis,
        check!(root_mates),
        "Let the mate solver look at the position beside the search.",
    ),
    row(
        "GenerateAllLegalMoves",
        Group::Analysis,
        check!(all_legal_moves),
        "Consider pointless non-promotions too.",
    ),
    row(
        "USI_ShowCurrLine",
        Group::Analysis,
        check!(show_current_line),
        "Report the line being searched. Not every GUI copes.",
    ),
    row(
        "USI_ShowRefutations",
        Group::Analysis,
        check!(show_refutations),
        "Report what refutes each move. Not every GUI copes.",
    ),
    row("EnteringKingRule", Group::Rules, KING_RULE, "How an entered king wins by declaration."),
    row(
        "MaxMovesToDraw",
        Group::Rules,
        spin!(0, 100_000, max_moves_to_draw),
        "The game is a draw after this many moves; 0 for no limit.",
    ),
    row(
        "DrawValueBlack",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[0]),
        "Centipawns that a draw is worth to the engine as Black (sente).",
    ),
    row(
        "DrawValueWhite",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[1]),
        "Centipawns that a draw is worth to the engine as White (gote).",
    ),
    row(
        "NetworkDelay",
        Group::Time,
        spin!(0, 10_000, network_delay_ms),
        "Milliseconds that every move loses on its way. About 120 for play over a network.",
    ),
    row(
        "NetworkDelay2",
        Group::Time,
        spin!(0, 10_000, network_delay2_ms),
        "Milliseconds kept back from the last reserve. About 1120 for play over a network.",
    ),
    row(
        "MinimumThinkingTime",
        Group::Time,
        spin!(0, 100_000, minimum_thinking_ms),
        "Milliseconds to think on a move at least, where the clock allows.",
    ),
    row(
        "SlowMover",
        Group::Time,
        spin!(1, 1000, slow_mover_percent),
        "Percent of the usual time to take early in the game.",
    ),
    row(
        "RoundUpToFullSecond",
        Group::Time,
        check!(round_up_to_full_second),
        "Use each second begun to its end, for clocks that count whole seconds only.",
    ),
    row(
        "USI_OwnBook",
        Group::Book,
        check!(own_book),
        "Play from the opening book where there is one. None is shipped yet.",
    ),
    row(
        "BookFile",
        Group::Book,
        path!(book_file, "a file"),
        "Opening book in BookDir, of any known format; no_book for none. See docs/books.md.",
    ),
    row("BookDir", Group::Book, path!(book_dir, "a folder"), "Folder of the opening book."),
    row(
        "BookMoves",
        Group::Book,
        spin!(0, 10_000, book.last_ply),
        "Play from the book up to this move of the game.",
    ),
    row(
        "BookIgnoreRate",
        Group::Book,
        spin!(0, 100, book.ignore_percent),
        "How many times in a hundred to think in spite of the book.",
    ),
    row(
        "BookEvalDiff",
        Group::Book,
        spin!(0, 99_999, book.eval_diff),
        "Choose among moves that the book has at most this many centipawns below its first.",
    ),
    row(
        "BookEvalBlackLimit",
        Group::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[0]),
        "Think for yourself as Black (sente) where the book gives fewer centipawns than this.",
    ),
    row(
        "BookEvalWhiteLimit",
        Group::Book,
        spin!(-99_999, 99_999, book.eval_limit.0[1]),
        "Think for yourself as White (gote) where the book gives fewer centipawns than this.",
    ),
    row(
        "BookDepthLimit",
        Group::Book,
        spin!(0, 99_999, book.depth_limit),
        "Think for yourself where the book says that its first move was searched less deep; 0 never.",
    ),
    row(
        "BookOnTheFly",
        Group::Book,
        check!(book_on_the_fly),
        "Look only at parts of the book before using it. For books of gibibytes.",
    ),
    row(
        "BookPvMoves",
        Group::Book,
        spin!(1, MAX_PLY as i64, book.pv_moves),
        "Moves to show of each line of the book.",
    ),
    row(
        "IgnoreBookPly",
        Group::Book,
        check!(book.ignore_ply),
        "Find a position in the book whatever number its move has there.",
    ),
    row(
        "FlippedBook",
        Group::Book,
        check!(book.flipped),
        "Find a position also where the book has it with the sides exchanged.",
    ),
    row(
        "ConsiderBookMoveCount",
        Group::Book,
        check!(book.by_count),
        "Choose the move the more often the more often it stands counted in the book.",
    ),
    row(
        "NarrowBook",
        Group::Book,
        check!(book.narrow),
        "Leave out moves with less than a tenth of all counts.",
    ),
    row(
        "EvalFile",
        Group::Evaluation,
        path!(eval_file, "a file"),
        "Network file (nn.bin) to judge positions with. Counts before EvalDir.",
    ),
    row(
        "EvalDir",
        Group::Evaluation,
        path!(eval_dir, "a folder"),
        "Folder with a network called nn.bin and perhaps its eval_options.txt. Need not exist.",
    ),
    row(
        "FV_SCALE",
        Group::Evaluation,
        spin!(0, 128, fv_scale),
        "Divisor of the network's scores; 0 for what eval_options.txt or the file says, else 16.",
    ),
    row(
        "LS_BUCKET_MODE",
        Group::Evaluation,
        text!(ls_bucket_mode),
        "How a network with several stacks chooses among them, if its files do not say.",
    ),
    row(
        "LS_PROGRESS_COEFF",
        Group::Evaluation,
        path!(ls_progress_coeff, "a file"),
        "Coefficients (progress.bin) for a network that chooses by the progress of the game.",
    ),
    row(
        "EvalKernel",
        Group::Evaluation,
        KERNEL,
        "Instructions to run the network with. Scores are the same with each.",
    ),
    row(
        "DebugLogFile",
        Group::Files,
        path!(debug_log, "a file"),
        "Write all lines from and to the GUI into this file.",
    ),
    row(
        "ThinkingLog",
        Group::Files,
        path!(thinking_log, "a file"),
        "Write the session into this file in the Thinking Log Format.",
    ),
];
