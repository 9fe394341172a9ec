//! Scores of an analysis, with decided games separate from centipawns.
//!
//! In the search a mate, a perpetual check and a declaration are all very large scores. A report
//! distinguishes them.

use crate::mate::{MateResult, Solution};
use crate::types::{Bound, Move, Score};

/// How a game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// Checkmate.
    Mate {
        /// An upper bound of the length.
        plies: u32,
        /// Whether no mate by checks alone is shorter. A quiet move might still mate sooner.
        is_shortest: bool,
    },
    /// The loser gives perpetual check.
    PerpetualCheck,
    /// An entering-king declaration, or the try rule.
    Declaration,
    /// The search reports a win, but there is no line to the end of the game.
    Unproven,
}

impl WinReason {
    /// The mate that the solver found, with its line.
    pub fn of_solution(solution: Solution) -> Option<(WinReason, Vec<Move>)> {
        let MateResult::Mate(moves) = solution.result else { return None };
        let plies = solution.within.map_or(moves.len() as u32, u32::from);
        Some((WinReason::Mate { plies, is_shortest: solution.is_shortest }, moves))
    }
}

/// The score of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisScore {
    Centipawns(i32),
    Win(WinReason),
    Loss(WinReason),
}

impl AnalysisScore {
    /// Converts a search score that is not decisive.
    ///
    /// # Panics
    /// In debug builds, if it is decisive.
    pub fn of_score(score: Score) -> AnalysisScore {
        debug_assert!(!score.is_decisive());
        AnalysisScore::Centipawns(score.centipawns())
    }

    /// Whether the game is decided.
    pub const fn is_decided(self) -> bool {
        !matches!(self, AnalysisScore::Centipawns(_))
    }

    /// Whether it is a mate, for either side.
    pub const fn is_mate(self) -> bool {
        matches!(
            self,
            AnalysisScore::Win(WinReason::Mate { .. })
                | AnalysisScore::Loss(WinReason::Mate { .. })
        )
    }

    /// A number for sorting: shorter mates above longer ones, mates above other wins, and wins above
    /// all centipawns.
    pub fn rank(self) -> i64 {
        const MATE: i64 = 1 << 40;
        const OTHER: i64 = 1 << 36;
        match self {
            AnalysisScore::Centipawns(value) => i64::from(value),
            AnalysisScore::Win(WinReason::Mate { plies, .. }) => MATE - i64::from(plies),
            AnalysisScore::Loss(WinReason::Mate { plies, .. }) => i64::from(plies) - MATE,
            AnalysisScore::Win(_) => OTHER,
            AnalysisScore::Loss(_) => -OTHER,
        }
    }

    /// The score from the other side.
    pub const fn negated(self) -> AnalysisScore {
        match self {
            AnalysisScore::Centipawns(value) => AnalysisScore::Centipawns(-value),
            AnalysisScore::Win(reason) => AnalysisScore::Loss(reason),
            AnalysisScore::Loss(reason) => AnalysisScore::Win(reason),
        }
    }
}

/// A score that may be a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedScore {
    pub score: AnalysisScore,
    /// `Lower`: at least this score. `Upper`: at most.
    pub bound: Bound,
}

impl BoundedScore {
    pub const fn exact(score: AnalysisScore) -> BoundedScore {
        BoundedScore { score, bound: Bound::Exact }
    }

    /// The score from the other side.
    pub const fn negated(self) -> BoundedScore {
        let bound = match self.bound {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
            bound => bound,
        };
        BoundedScore { score: self.score.negated(), bound }
    }

    /// The score of a move for its player, if `self` is the score of the next position for its side to move.
    pub fn before_move(self) -> BoundedScore {
        let later = |reason| match reason {
            // Another move may mate sooner, unless this is a mate in one.
            WinReason::Mate { plies, .. } => {
                WinReason::Mate { plies: plies + 1, is_shortest: plies <= 1 }
            }
            reason => reason,
        };
        let negated = self.negated();
        let score = match negated.score {
            AnalysisScore::Win(reason) => AnalysisScore::Win(later(reason)),
            AnalysisScore::Loss(reason) => AnalysisScore::Loss(later(reason)),
            score => score,
        };
        BoundedScore { score, ..negated }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(plies: u32) -> WinReason {
        WinReason::Mate { plies, is_shortest: true }
    }

    #[test]
    fn better_scores_rank_higher() {
        let best_first = [
            AnalysisScore::Win(mate(1)),
            AnalysisScore::Win(mate(31)),
            AnalysisScore::Win(WinReason::Declaration),
            AnalysisScore::Centipawns(30_000),
            AnalysisScore::Centipawns(-1),
            AnalysisScore::Loss(WinReason::PerpetualCheck),
            AnalysisScore::Loss(mate(8)),
            AnalysisScore::Loss(mate(0)),
        ];
        assert!(best_first.is_sorted_by(|better, worse| better.rank() > worse.rank()));
        for score in best_first {
            assert_eq!(score.negated().rank(), -score.rank());
        }
    }

    #[test]
    fn a_mate_is_a_ply_longer_before_the_move_and_a_bound_changes_its_side() {
        let after = BoundedScore::exact(AnalysisScore::Loss(mate(0)));
        assert_eq!(after.before_move(), BoundedScore::exact(AnalysisScore::Win(mate(1))));
        let after = BoundedScore::exact(AnalysisScore::Win(mate(3)));
        let lost = AnalysisScore::Loss(WinReason::Mate { plies: 4, is_shortest: false });
        assert_eq!(after.before_move(), BoundedScore::exact(lost));
        let after = BoundedScore { score: AnalysisScore::Centipawns(50), bound: Bound::Lower };
        let before = BoundedScore { score: AnalysisScore::Centipawns(-50), bound: Bound::Upper };
        assert_eq!(after.before_move(), before);
    }
}
