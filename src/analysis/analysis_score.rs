//! What a position is worth, with ends of games kept apart from numbers.
//!
//! The search has one scale for everything: a mate, a perpetual check and a declaration are all very
//! large scores. People want to know which of them it is, and no number where there is none.

use crate::types::{Bound, Move, Score};

/// How a game is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// Mate on the board.
    Mate {
        /// So many plies at most.
        plies: u32,
        /// It is proven that there is no shorter one by checks alone: a quiet move might mate
        /// sooner still.
        is_shortest: bool,
    },
    /// The loser gives perpetual check.
    PerpetualCheck,
    /// The winner's king has entered: by a declaration, or by the try rule.
    Declaration,
    /// The search has seen an end, but no line to it can be shown.
    Unproven,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisScore {
    Centipawns(i32),
    Win(WinReason),
    Loss(WinReason),
}

impl AnalysisScore {
    /// A score of the search that is no mate.
    ///
    /// # Panics
    /// In debug builds, if it is one.
    pub fn of_score(score: Score) -> AnalysisScore {
        debug_assert!(!score.is_mate());
        AnalysisScore::Centipawns(score.centipawns())
    }

    /// Whether the game is decided.
    pub const fn is_decided(self) -> bool {
        !matches!(self, AnalysisScore::Centipawns(_))
    }

    /// Whether it is a mate with its line, for either side.
    pub const fn is_mate(self) -> bool {
        matches!(
            self,
            AnalysisScore::Win(WinReason::Mate { .. })
                | AnalysisScore::Loss(WinReason::Mate { .. })
        )
    }

    /// A number that is the larger the better this is: shorter mates above longer ones, mates above
    /// other wins, and those above all scores.
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

    /// The same as the other side sees it.
    pub const fn negated(self) -> AnalysisScore {
        match self {
            AnalysisScore::Centipawns(value) => AnalysisScore::Centipawns(-value),
            AnalysisScore::Win(means) => AnalysisScore::Loss(means),
            AnalysisScore::Loss(means) => AnalysisScore::Win(means),
        }
    }
}

/// A worth, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedScore {
    pub score: AnalysisScore,
    /// `Lower`: at least so much. `Upper`: at most.
    pub bound: Bound,
}

impl BoundedScore {
    pub const fn exact(score: AnalysisScore) -> BoundedScore {
        BoundedScore { score, bound: Bound::Exact }
    }

    /// The same as the other side sees it.
    pub const fn negated(self) -> BoundedScore {
        let bound = match self.bound {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
            bound => bound,
        };
        BoundedScore { score: self.score.negated(), bound }
    }

    /// What a move is worth to its player, if the position after it is worth this to the other.
    pub fn before_move(self) -> BoundedScore {
        let later = |means| match means {
            // Another move may mate sooner, and nobody has looked; but none sooner than the next.
            WinReason::Mate { plies, .. } => {
                WinReason::Mate { plies: plies + 1, is_shortest: plies <= 1 }
            }
            means => means,
        };
        let negated = self.negated();
        let score = match negated.score {
            AnalysisScore::Win(means) => AnalysisScore::Win(later(means)),
            AnalysisScore::Loss(means) => AnalysisScore::Loss(later(means)),
            score => score,
        };
        BoundedScore { score, ..negated }
    }
}

/// A line with the move before it.
pub(super) fn behind(mv: Move, line: &[Move]) -> Vec<Move> {
    [&[mv], line].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(plies: u32) -> WinReason {
        WinReason::Mate { plies, is_shortest: true }
    }

    #[test]
    fn what_is_better_ranks_higher() {
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
