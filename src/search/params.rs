//! The tunable parameters of the search, one row each: name, default, minimum, maximum, step. A row is
//! a constant in normal builds. With the feature `tuning` it is a `Tunable`, which can change at run
//! time and acts like a number; where an `i32` is needed, `value` gives one in both builds.
//!
//! The starting values follow the published magnitudes of Stockfish, YaneuraOu and Reckless.
//! Depths are plies, reductions 1024ths of a ply, margins score units (a pawn is 90).

#[cfg(feature = "tuning")]
mod tunable;
#[cfg(feature = "tuning")]
pub use tunable::ParamAccessor;
#[cfg(feature = "tuning")]
use tunable::Tunable;

/// Prefix of the option names in builds with `tuning`.
pub const OPTION_PREFIX: &str = "Tune_";

/// A parameter and its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// As in the code; [`OPTION_PREFIX`] is not part of it.
    pub name: &'static str,
    /// The value of normal builds.
    pub default: i32,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// The perturbation at the end of a tuning (fishtest's `c_end`) if the tuner's `--c-end` is 1.
    pub step: i32,
}

macro_rules! params {
    ($($name:ident = $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        $(
            #[cfg(not(feature = "tuning"))]
            pub(super) const $name: i32 = $default;
            #[cfg(feature = "tuning")]
            pub(super) const $name: Tunable = Tunable::at(ParamIndex::$name as usize);
        )*
        /// Index of each parameter.
        #[cfg(feature = "tuning")]
        #[allow(
            non_camel_case_types,
            clippy::upper_case_acronyms,
            reason = "the variants are the names of the parameters"
        )]
        enum ParamIndex { $($name),* }
        /// All parameters.
        pub const PARAMS: &[ParamSpec] = &[$(ParamSpec {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
        }),*];
        /// Accessors of all parameters, for a registry of options whose other values are in an `S`.
        #[cfg(feature = "tuning")]
        pub fn accessors<S>() -> Vec<ParamAccessor<S>> {
            vec![$(ParamAccessor {
                spec: &PARAMS[ParamIndex::$name as usize],
                get: |_| i64::from(value($name)),
                set: |_, value| $name.set(value),
            }),*]
        }
    };
}

params! {
    // Aspiration window: delta = DELTA + worker id % 8 + mean squared score / DIVISOR; after a fail it grows by WIDEN
    // 1024ths.
    ASPIRATION_DELTA = 29, 4, 40, 2;
    ASPIRATION_DIVISOR = 8556, 4000, 30000, 1000;
    ASPIRATION_WIDEN = 340, 200, 1024, 32;
    // Razoring: eval < alpha - BASE - SQUARE * depth^2.
    RAZOR_BASE = 448, 100, 900, 40;
    RAZOR_SQUARE = 272, 100, 500, 20;
    // Reverse futility: eval - MARGIN * depth + ... >= beta. IMPROVING and WORSENING are 1024ths of the margin of one
    // ply.
    RFP_DEPTH = 15, 6, 20, 1;
    RFP_MARGIN = 76, 30, 150, 6;
    RFP_NO_TT = 20, 0, 60, 4;
    RFP_IMPROVING = 701, 0, 5000, 250;
    RFP_WORSENING = 603, 0, 1500, 80;
    RFP_CORRECTION_DIVISOR = 173425, 60000, 600000, 12000;
    // Null move: static eval >= beta - SLOPE * depth - IMPROVING * improving + BASE, depth - REDUCTION - depth / 3.
    NULL_BASE = 449, 0, 700, 30;
    NULL_SLOPE = 21, 0, 40, 2;
    NULL_IMPROVING = 50, 0, 150, 10;
    NULL_REDUCTION = 7, 3, 9, 1;
    NULL_VERIFICATION_DEPTH = 16, 10, 24, 1;
    // Internal iterative reduction.
    IIR_DEPTH = 3, 2, 10, 1;
    // ProbCut.
    PROBCUT_MARGIN = 187, 80, 400, 16;
    PROBCUT_IMPROVING = 61, 0, 150, 8;
    SMALL_PROBCUT_MARGIN = 469, 200, 800, 30;
    // Late move pruning: (BASE + depth^2) / (2 - improving).
    LMP_BASE = 4, 1, 8, 1;
    // Pruning of quiets and captures in the move loop: by futility, by history, and by static exchange. The two weights
    // of the capture history, CAPTURE_FUTILITY_HISTORY and SEE_CAPTURE_HISTORY, are 1024ths. Quiet checks are pruned by
    // SEE_CAPTURE_MARGIN alone.
    FUTILITY_DEPTH = 13, 6, 18, 1;
    FUTILITY_BASE = 42, 0, 200, 10;
    FUTILITY_NO_BEST = 110, 0, 300, 15;
    FUTILITY_MARGIN = 123, 40, 220, 8;
    FUTILITY_ABOVE_ALPHA = 89, 0, 200, 10;
    CAPTURE_FUTILITY_DEPTH = 7, 3, 12, 1;
    CAPTURE_FUTILITY_BASE = 273, 80, 400, 16;
    CAPTURE_FUTILITY_MARGIN = 261, 80, 400, 16;
    CAPTURE_FUTILITY_HISTORY = 78, 0, 400, 16;
    CONTINUATION_PRUNING = 4507, 1000, 8000, 300;
    QUIET_HISTORY_DIVISOR = 4718, 1500, 7000, 250;
    SEE_CAPTURE_MARGIN = 167, 60, 300, 10;
    SEE_CAPTURE_HISTORY = 26, 0, 120, 5;
    SEE_QUIET_MARGIN = 22, 8, 60, 3;
    // Singular extensions: beta = tt score - (MARGIN + TT_PV) * depth / DIVISOR. The extension is two plies if the
    // score is below beta - (PV - BASE - QUIET_TT - TT move history / DIVISOR) with the values of DOUBLE, and three if
    // it is also below beta - (BASE + PV - QUIET_TT + TT_PV) with those of TRIPLE.
    SINGULAR_DEPTH = 6, 4, 10, 1;
    SINGULAR_MARGIN = 43, 20, 120, 5;
    SINGULAR_TT_PV = 66, 0, 140, 8;
    SINGULAR_DIVISOR = 52, 30, 100, 4;
    DOUBLE_BASE = 7, 0, 60, 3;
    DOUBLE_PV = 212, 50, 400, 16;
    DOUBLE_QUIET_TT = 202, 50, 400, 16;
    DOUBLE_TT_HISTORY_DIVISOR = 93, 40, 400, 15;
    TRIPLE_BASE = 73, 0, 200, 10;
    TRIPLE_PV = 320, 100, 500, 20;
    TRIPLE_QUIET_TT = 218, 50, 400, 16;
    TRIPLE_TT_PV = 92, 0, 250, 12;
    MULTI_CUT_MALUS_BASE = 400, 0, 1200, 50;
    MULTI_CUT_MALUS_SLOPE = 100, 0, 300, 12;
    MULTI_CUT_MALUS_MAX = 4000, 1000, 8000, 300;
    // Late move reductions: table(depth) * table(move count), where table(n) = LMR_TABLE / 128 * ln(n), plus terms.
    // These five count for the pruning of moves too. NOT_IMPROVING is 512ths of the product of the two.
    LMR_TABLE = 2968, 2000, 3600, 80;
    LMR_BASE = 1382, 400, 2000, 60;
    LMR_DELTA = 585, 200, 1200, 40;
    LMR_NOT_IMPROVING = 307, 50, 400, 16;
    LMR_TT_PV_EARLY = 870, 300, 1800, 60;
    // The others count only for the reduction. STAT_SCORE is 4096ths of the history score of the move.
    LMR_TT_PV = 2531, 1200, 4500, 150;
    LMR_PV = 569, 200, 2000, 80;
    LMR_TT_SCORE = 766, 200, 2000, 80;
    LMR_TT_DEPTH = 1000, 200, 2000, 80;
    LMR_TT_DEPTH_CUT = 996, 200, 2000, 80;
    LMR_OFFSET = 796, 0, 1500, 60;
    LMR_MOVE_COUNT = 65, 20, 140, 6;
    LMR_CORRECTION_DIVISOR = 22118, 12000, 60000, 2000;
    LMR_CUT_NODE = 4082, 1500, 6000, 200;
    LMR_CUT_NO_TT = 466, 0, 2500, 100;
    LMR_TT_CAPTURE = 1071, 200, 2500, 80;
    LMR_CUTOFFS = 1286, 200, 2500, 100;
    LMR_CUTOFF_BASE = 79, 0, 1000, 50;
    LMR_TT_MOVE = 2338, 800, 4000, 120;
    LMR_STAT_SCORE = 428, 200, 900, 30;
    LMR_ALL_NODE = 95, 0, 600, 25;
    // The history score of a capture: its capture history plus VICTIM tenths of the value of the captured piece.
    STAT_SCORE_VICTIM = 58, 20, 140, 6;
    // The full-depth search of a move without LMR is one ply or two shallower if the reduction exceeds this.
    FULL_DEPTH_MINUS_1 = 3409, 2500, 8000, 250;
    FULL_DEPTH_MINUS_2 = 5500, 2500, 9000, 250;
    // A node after a move reduced by two plies or more loses a ply if its static evaluation and its parent's sum to
    // more than this.
    HINDSIGHT_MARGIN = 208, 60, 400, 15;
    // After a reduced search fails high, the full-depth search goes a ply deeper if the score exceeds the best score
    // by more than DEEPER, and a ply less deep if by less than SHALLOWER.
    DEEPER_MARGIN = 63, 10, 120, 5;
    SHALLOWER_MARGIN = 13, 0, 40, 2;
    // Histories: bonus = min(SLOPE * depth + BASE, MAX), malus in the same way.
    BONUS_SLOPE = 128, 40, 300, 10;
    BONUS_BASE = -77, -300, 200, 20;
    BONUS_MAX = 1529, 600, 3000, 100;
    BONUS_TT = 442, 0, 800, 30;
    BONUS_STAT_SCORE_DIVISOR = 32, 10, 120, 4;
    // Shares of the bonus for each history, in 1024ths; the malus of each later quiet move falls by
    // NEXT.
    BONUS_CAPTURE = 1286, 400, 2600, 90;
    BONUS_QUIET = 806, 300, 1800, 60;
    MALUS_SLOPE = 782, 200, 1400, 50;
    MALUS_BASE = -154, -500, 200, 25;
    MALUS_MAX = 1408, 800, 4000, 120;
    MALUS_CAPTURE = 1559, 500, 3000, 100;
    MALUS_QUIET = 1251, 400, 2400, 80;
    MALUS_QUIET_NEXT = 977, 800, 1024, 12;
    MALUS_PREVIOUS = 616, 100, 1500, 60;
    LOW_PLY_BONUS = 761, 200, 1800, 60;
    PAWN_BONUS = 1106, 200, 2000, 70;
    PAWN_MALUS = 550, 100, 1500, 60;
    CONTINUATION_BONUS = 1112, 300, 2000, 70;
    // By plies back, in 1024ths of the bonus; the constant is added for the last move.
    CONTINUATION_1 = 1465, 400, 2200, 80;
    CONTINUATION_2 = 528, 200, 1600, 60;
    CONTINUATION_3 = 288, 0, 1000, 40;
    CONTINUATION_4 = 576, 100, 1500, 50;
    CONTINUATION_5 = 210, 0, 700, 40;
    CONTINUATION_6 = 441, 0, 1200, 50;
    CONTINUATION_CONSTANT = 88, 0, 300, 12;
    // The history of TT moves, by whether they were best.
    TT_MOVE_BONUS = 805, 200, 2000, 70;
    TT_MOVE_MALUS = 787, 200, 2000, 70;
    // After a TT cutoff: bonus of the quiet TT move, malus of the quiet move before it.
    TT_CUT_BONUS = 130, 40, 240, 10;
    TT_CUT_BONUS_BASE = -75, -300, 200, 20;
    TT_CUT_BONUS_MAX = 1043, 300, 1800, 60;
    TT_CUT_MALUS = 2142, 800, 3600, 120;
    // After a fail-low the previous move gets a bonus: min(SLOPE * depth + BASE, MAX) times a sum of
    // weights.
    FAIL_LOW_CAPTURE = 1018, 300, 2000, 80;
    FAIL_LOW_SLOPE = 135, 40, 300, 10;
    FAIL_LOW_BASE = -80, -300, 200, 20;
    FAIL_LOW_MAX = 1400, 500, 3000, 100;
    FAIL_LOW_SCALE = -230, -600, 100, 25;
    FAIL_LOW_STAT_SCORE_DIVISOR = 108, 40, 400, 12;
    FAIL_LOW_SCALE_DEPTH = 59, 10, 140, 5;
    FAIL_LOW_SCALE_DEPTH_MAX = 454, 150, 900, 35;
    FAIL_LOW_MOVE_COUNT = 169, 0, 400, 15;
    FAIL_LOW_EVAL_MARGIN = 110, 0, 300, 12;
    FAIL_LOW_EVAL_WEIGHT = 145, 0, 400, 15;
    FAIL_LOW_PARENT_EVAL_MARGIN = 73, 0, 250, 10;
    FAIL_LOW_PARENT_EVAL_WEIGHT = 154, 0, 400, 15;
    FAIL_LOW_CONTINUATION_DIVISOR = 74, 25, 220, 8;
    FAIL_LOW_MAIN_DIVISOR = 140, 50, 420, 15;
    FAIL_LOW_PAWN_DIVISOR = 28, 10, 90, 4;
    // Bonus of the previous quiet move by how it changed the static evaluation.
    EVAL_HISTORY_LOSS = 214, 60, 500, 20;
    EVAL_HISTORY_GAIN = 171, 60, 500, 20;
    EVAL_HISTORY_BASE = 22, -60, 200, 10;
    EVAL_HISTORY = 3, 2, 30, 1;
    EVAL_HISTORY_PAWN = 12, 2, 36, 2;
    // Continuation bonus of a move whose reduced search failed high.
    LMR_FAIL_HIGH_BONUS = 1426, 400, 2800, 100;
    // Correction history: the bonus is (score - evaluation) * depth * BEST / 123, or NO_BEST without a
    // best move; then weights of the tables in 131072ths, and of their bonuses in 128ths.
    CORRECTION_BEST = 15, 4, 30, 1;
    CORRECTION_NO_BEST = 17, 4, 40, 2;
    CORRECTION_PAWN = 9322, 4000, 24000, 800;
    CORRECTION_MINOR = 9901, 2000, 20000, 700;
    CORRECTION_NON_PAWN = 15266, 4000, 24000, 800;
    CORRECTION_CONTINUATION = 9044, 2000, 18000, 600;
    CORRECTION_MINOR_BONUS = 153, 40, 320, 12;
    CORRECTION_NON_PAWN_BONUS = 187, 60, 360, 14;
    CORRECTION_CONTINUATION_BONUS_2 = 126, 30, 300, 12;
    CORRECTION_CONTINUATION_BONUS_4 = 63, 10, 200, 8;
    // Starting values of the histories.
    CAPTURE_START = -678, -2000, 1000, 60;
    PAWN_START = -1558, -4000, 1000, 100;
    CONTINUATION_START = -356, -2500, 1000, 60;
    // Move ordering. A check that loses at most SEE by static exchange gets BONUS.
    CHECK_BONUS = 16384, 4000, 32000, 1000;
    CHECK_SEE = 75, 0, 300, 12;
    // The attack counts: a move that leaves a square that the opponent controls gets a bonus of this times the piece
    // value; a move that enters one gets it as a malus.
    CONTROL_WEIGHT = 30, 0, 40, 2;
    // Quiet moves with a score above GOOD_QUIET come before the bad captures, the others after them. Only quiet moves
    // with a score of at least -SORT_LIMIT * depth are sorted. A capture is good if its static exchange gains at least
    // minus its score / DIVISOR.
    GOOD_QUIET = -12710, -24000, -4000, 800;
    SORT_LIMIT = 3996, 1500, 7000, 250;
    GOOD_CAPTURE_DIVISOR = 15, 8, 40, 2;
    // Quiescence. A capture is searched if the static evaluation + FUTILITY + its victim's value exceeds alpha. A move
    // that loses more than SEE by static exchange is not searched.
    QS_FUTILITY = 287, 100, 600, 20;
    QS_SEE = 46, 0, 200, 10;
    // Time. (HORIZON - min(game ply, HORIZON_PLIES)) / 2 moves share a clock with increments or byoyomi. For a clock
    // without, the SUDDEN_DEATH parameters replace them. All others are percent, unless stated otherwise.
    TIME_HORIZON = 180, 60, 300, 10;
    TIME_HORIZON_PLIES = 80, 0, 200, 10;
    TIME_SUDDEN_DEATH_HORIZON = 200, 60, 300, 10;
    TIME_SUDDEN_DEATH_HORIZON_PLIES = 140, 0, 200, 10;
    // The maximum of a move: this multiple of its average time, and this share of the time for the game.
    TIME_MAX_OVER_AVERAGE = 500, 150, 1000, 40;
    TIME_MAX_SHARE = 30, 5, 80, 3;
    // Falling evaluation: BASE + AVERAGE / 10 * (fall since the previous search) + RECENT / 10 * (fall in the last four
    // iterations), from MIN to MAX.
    TIME_FALLING_BASE = 67, 20, 150, 5;
    TIME_FALLING_AVERAGE = 22, 0, 80, 4;
    TIME_FALLING_RECENT = 9, 0, 80, 4;
    TIME_FALLING_MIN = 57, 10, 100, 5;
    TIME_FALLING_MAX = 165, 100, 400, 15;
    // Stable best move: BASE + RANGE / (1 + exp(SLOPE * (iterations - MIDPOINT))), the midpoint in tenths of one.
    TIME_STABLE_BASE = 65, 20, 120, 5;
    TIME_STABLE_RANGE = 95, 0, 250, 10;
    TIME_STABLE_SLOPE = 55, 10, 200, 8;
    TIME_STABLE_MIDPOINT = 60, 0, 150, 8;
    // Changes of the best move: 1 + SLOPE * changes, at most MAX.
    TIME_INSTABILITY_SLOPE = 190, 0, 500, 20;
    TIME_INSTABILITY_MAX = 300, 100, 600, 25;
    // The factor for a best move with more than SHARE of the nodes.
    TIME_EFFORT_SHARE = 92, 50, 100, 2;
    TIME_EFFORT_FACTOR = 67, 20, 100, 5;
    // After this share of the time that the move needs the next iteration goes no deeper.
    TIME_NEXT_ITERATION = 50, 20, 100, 5;
}

/// The value of a parameter, in both builds.
#[inline(always)]
pub(super) fn value(parameter: impl Into<i32>) -> i32 {
    parameter.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_every_name_is_unique() {
        for (i, row) in PARAMS.iter().enumerate() {
            assert!(row.min < row.max && row.step > 0, "{}", row.name);
            assert!((row.min..=row.max).contains(&row.default), "{}", row.name);
            assert!(PARAMS[..i].iter().all(|other| other.name != row.name), "{}", row.name);
        }
    }
}
