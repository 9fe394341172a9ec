//! The two lines that a reason compares.

use crate::analysis::analysis_score::{AnalysisScore, BoundedScore, behind};
use crate::analysis::motifs::Replay;
use crate::analysis::position_analysis::{PositionAnalysis, Variation};
use crate::position::Position;
use crate::types::{Bound, Color, Move};

/// The lines about a bad move, and what is known of their scores.
pub(super) struct Comparison {
    pub(super) side: Color,
    /// The move and its refutation.
    pub(super) played: Replay,
    /// The refutation alone.
    pub(super) refutation: Replay,
    pub(super) better: Replay,
    pub(super) played_score: Option<AnalysisScore>,
    pub(super) better_score: Option<AnalysisScore>,
}

impl Comparison {
    /// `None` if there is nothing to compare.
    pub(super) fn new(
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Comparison> {
        let (best, reply) = (before.best(), after.best());
        let played = Replay::new(position, &behind(mv, &reply.moves));
        let better = Replay::new(position, &best.moves);
        if played.moves().len() < 2 || better.moves().is_empty() || before.best_move() == Some(mv) {
            return None;
        }
        let refutation = Replay::new(played.after(0), &reply.moves);
        let exact = |variation: &Variation| {
            let BoundedScore { score, bound } = variation.estimate;
            (bound == Bound::Exact).then_some(score)
        };
        Some(Comparison {
            side: position.side_to_move(),
            played,
            refutation,
            better,
            // For the player of the move.
            played_score: exact(reply).map(AnalysisScore::negated),
            better_score: exact(best),
        })
    }

    /// Whether the scores differ by at least half of what the pieces are worth, in hundredths of pawns.
    pub(super) fn is_worth(&self, value: i32) -> bool {
        use AnalysisScore::Centipawns;
        match (self.better_score, self.played_score) {
            (Some(Centipawns(better)), Some(Centipawns(played))) => (better - played) * 2 >= value,
            _ => false,
        }
    }

    pub(super) fn is_decided(&self) -> bool {
        let mates = |score: Option<AnalysisScore>| score.is_some_and(AnalysisScore::is_mate);
        mates(self.played_score) || mates(self.better_score)
    }
}
