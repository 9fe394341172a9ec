//! The goal that the answer of a puzzle reaches, and whether it is the only move that does.

use crate::analysis::{AnalysisScore, WinReason, win_rate};

/// Minimum difference in win rate between the answer and every other move.
pub const UNIQUE_MARGIN: f64 = 0.15;
/// A clear win begins at this win rate.
pub const CLEAR_WIN: f64 = 0.75;
/// With this win rate or less a move misses the win. Between the two values a deeper search often
/// decides otherwise.
const NO_CLEAR_WIN: f64 = 0.70;
/// A saved game has at least this win rate.
pub const SAVED: f64 = 0.40;
/// A game with this win rate or less is lost.
pub const LOST: f64 = 0.30;

/// Maximum length in plies of a mate that is a goal of its own. A longer one is judged as a win.
const MAX_MATE_PLIES: u32 = 15;

/// The goal that the answer of a puzzle reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PuzzleGoal {
    /// A proven mate by checks that is not too long.
    Mate,
    /// A clear win.
    Win,
    /// A game that is not lost.
    Save,
}

impl PuzzleGoal {
    /// Whether a move with this score reaches the goal.
    pub(super) fn is_reached_by(self, score: AnalysisScore) -> bool {
        match self {
            PuzzleGoal::Mate => matches!(score, AnalysisScore::Win(WinReason::Mate { .. })),
            PuzzleGoal::Win => win_rate(score) >= CLEAR_WIN,
            PuzzleGoal::Save => win_rate(score) >= SAVED,
        }
    }
}

/// The goal that the best move reaches and the second best does not; `None` if that is not a puzzle.
/// Without a second best move there is only one legal move.
pub fn goal(best: AnalysisScore, second: Option<AnalysisScore>) -> Option<PuzzleGoal> {
    let (best_rate, other) = (win_rate(best), second.map_or(0.0, win_rate));
    let is_unique = best_rate - other >= UNIQUE_MARGIN;
    match best {
        AnalysisScore::Win(WinReason::Mate { plies, .. })
            if is_unique && plies <= MAX_MATE_PLIES =>
        {
            Some(PuzzleGoal::Mate)
        }
        _ if is_unique && best_rate >= CLEAR_WIN && other <= NO_CLEAR_WIN => Some(PuzzleGoal::Win),
        _ if is_unique && best_rate >= SAVED && other <= LOST => Some(PuzzleGoal::Save),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_best_move_must_miss_the_goal_by_a_margin() {
        let goal = |best, second| {
            let score = AnalysisScore::Centipawns;
            super::goal(score(best), Some(score(second)))
        };
        assert_eq!(goal(1500, 0), Some(PuzzleGoal::Win));
        assert_eq!(goal(1500, 1000), None, "both win");
        assert_eq!(goal(900, 800), None, "the margin is small");
        assert_eq!(goal(2000, 850), None, "the second may win after all");
        assert_eq!(goal(2000, 600), Some(PuzzleGoal::Win));
        assert_eq!(goal(0, -1500), Some(PuzzleGoal::Save));
        assert_eq!(goal(0, -500), None, "the second is not lost");
        assert_eq!(goal(-600, -3000), None, "lost anyway");
        assert_eq!(goal(400, -100), None, "neither a clear win nor saved from a loss");
    }

    #[test]
    fn a_mate_is_a_puzzle_only_if_no_other_move_mates_or_is_nearly_as_good() {
        let mate = AnalysisScore::Win(WinReason::Mate { plies: 5, is_shortest: true });
        let other = |centipawns| Some(AnalysisScore::Centipawns(centipawns));
        assert_eq!(goal(mate, other(0)), Some(PuzzleGoal::Mate));
        assert_eq!(goal(mate, other(1300)), Some(PuzzleGoal::Mate));
        assert_eq!(goal(mate, other(2000)), None);
        assert_eq!(goal(mate, Some(mate)), None);
        assert_eq!(goal(mate, None), Some(PuzzleGoal::Mate));
        let long = AnalysisScore::Win(WinReason::Mate { plies: 35, is_shortest: true });
        assert_eq!(goal(long, other(0)), Some(PuzzleGoal::Win));
        assert_eq!(goal(long, other(1300)), None);
        let unproven = AnalysisScore::Win(WinReason::Unproven);
        assert_eq!(goal(unproven, other(0)), Some(PuzzleGoal::Win));
    }
}
