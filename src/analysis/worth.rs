//! What a position is worth, with ends of games kept apart from numbers.
//!
//! The search has one scale for everything: a mate, a perpetual check and a declaration are all very
//! large scores. People want to know which of them it is, and no number where there is none.

use crate::types::{Bound, Move, Score};

/// How a game is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
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
    Unshown,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    Centipawns(i32),
    Won(Means),
    Lost(Means),
}

impl Worth {
    /// A score of the search that is no mate.
    ///
    /// # Panics
    /// In debug builds, if it is one.
    pub fn of_score(score: Score) -> Worth {
        debug_assert!(!score.is_mate());
        Worth::Centipawns(score.centipawns())
    }

    /// Whether the game is decided.
    pub const fn is_decided(self) -> bool {
        !matches!(self, Worth::Centipawns(_))
    }

    /// Whether it is a mate with its line, for either side.
    pub const fn is_mate(self) -> bool {
        matches!(self, Worth::Won(Means::Mate { .. }) | Worth::Lost(Means::Mate { .. }))
    }

    /// A number that is the larger the better this is: shorter mates above longer ones, mates above
    /// other wins, and those above all scores.
    pub fn rank(self) -> i64 {
        const MATE: i64 = 1 << 40;
        const OTHER: i64 = 1 << 36;
        match self {
            Worth::Centipawns(value) => i64::from(value),
            Worth::Won(Means::Mate { plies, .. }) => MATE - i64::from(plies),
            Worth::Lost(Means::Mate { plies, .. }) => i64::from(plies) - MATE,
            Worth::Won(_) => OTHER,
            Worth::Lost(_) => -OTHER,
        }
    }

    /// The same as the other side sees it.
    pub const fn turned(self) -> Worth {
        match self {
            Worth::Centipawns(value) => Worth::Centipawns(-value),
            Worth::Won(means) => Worth::Lost(means),
            Worth::Lost(means) => Worth::Won(means),
        }
    }
}

/// A worth, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub worth: Worth,
    /// `Lower`: at least so much. `Upper`: at most.
    pub bound: Bound,
}

impl Estimate {
    pub const fn exact(worth: Worth) -> Estimate {
        Estimate { worth, bound: Bound::Exact }
    }

    /// The same as the other side sees it.
    pub const fn turned(self) -> Estimate {
        let bound = match self.bound {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
            bound => bound,
        };
        Estimate { worth: self.worth.turned(), bound }
    }

    /// What a move is worth to its player, if the position after it is worth this to the other.
    pub fn of_the_move_before(self) -> Estimate {
        let later = |means| match means {
            // Another move may mate sooner, and nobody has looked; but none sooner than the next.
            Means::Mate { plies, .. } => Means::Mate { plies: plies + 1, is_shortest: plies <= 1 },
            means => means,
        };
        let turned = self.turned();
        let worth = match turned.worth {
            Worth::Won(means) => Worth::Won(later(means)),
            Worth::Lost(means) => Worth::Lost(later(means)),
            worth => worth,
        };
        Estimate { worth, ..turned }
    }
}

/// A line with the move before it.
pub(super) fn behind(mv: Move, line: &[Move]) -> Vec<Move> {
    [&[mv], line].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(plies: u32) -> Means {
        Means::Mate { plies, is_shortest: true }
    }

    #[test]
    fn what_is_better_ranks_higher() {
        let best_first = [
            Worth::Won(mate(1)),
            Worth::Won(mate(31)),
            Worth::Won(Means::Declaration),
            Worth::Centipawns(30_000),
            Worth::Centipawns(-1),
            Worth::Lost(Means::PerpetualCheck),
            Worth::Lost(mate(8)),
            Worth::Lost(mate(0)),
        ];
        assert!(best_first.is_sorted_by(|better, worse| better.rank() > worse.rank()));
        for worth in best_first {
            assert_eq!(worth.turned().rank(), -worth.rank());
        }
    }

    #[test]
    fn a_mate_is_a_ply_longer_before_the_move_and_a_bound_changes_its_side() {
        let after = Estimate::exact(Worth::Lost(mate(0)));
        assert_eq!(after.of_the_move_before(), Estimate::exact(Worth::Won(mate(1))));
        let after = Estimate::exact(Worth::Won(mate(3)));
        let lost = Worth::Lost(Means::Mate { plies: 4, is_shortest: false });
        assert_eq!(after.of_the_move_before(), Estimate::exact(lost));
        let after = Estimate { worth: Worth::Centipawns(50), bound: Bound::Lower };
        let before = Estimate { worth: Worth::Centipawns(-50), bound: Bound::Upper };
        assert_eq!(after.of_the_move_before(), before);
    }
}
