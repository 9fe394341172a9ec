//! The two lines that a reason compares.

use crate::analysis::analysis_score::{AnalysisScore, BoundedScore};
use crate::analysis::motifs::LineReplay;
use crate::analysis::position_analysis::{PositionAnalysis, Variation, with_first_move};
use crate::position::Position;
use crate::types::{Bound, Color, Move};

/// The lines of a bad move, with their scores as far as known.
pub(super) struct Comparison {
    pub(super) side: Color,
    /// The move and its refutation.
    pub(super) played: LineReplay,
    /// The refutation alone; its first move is the reply to the played move.
    pub(super) refutation: LineReplay,
    pub(super) better: LineReplay,
    pub(super) played_score: Option<AnalysisScore>,
    pub(super) better_score: Option<AnalysisScore>,
}

/// A line from which one side profits: the opponent in the played line, or the player in the better line.
#[derive(Clone, Copy)]
pub(super) struct Opportunity<'a> {
    /// The side that profits.
    pub(super) side: Color,
    /// The line with the opportunity, from the position before the mistake.
    pub(super) line: &'a LineReplay,
    /// The same line from the first move of `side`.
    pub(super) own: &'a LineReplay,
    /// The line without the opportunity.
    pub(super) other: &'a LineReplay,
    /// Whether the player misses the opportunity; otherwise the move allows it to the opponent.
    pub(super) is_missed: bool,
}

impl Opportunity<'_> {
    /// The ply in `own` of a ply in `line`; `None` before the first move of `side`.
    pub(super) fn own_ply(&self, ply: usize) -> Option<usize> {
        ply.checked_sub(usize::from(!self.is_missed))
    }
}

impl Comparison {
    /// The opportunity that the move allows the opponent.
    pub(super) fn allowed(&self) -> Opportunity<'_> {
        Opportunity {
            side: !self.side,
            line: &self.played,
            own: &self.refutation,
            other: &self.better,
            is_missed: false,
        }
    }

    /// The opportunity that the player misses.
    pub(super) fn missed(&self) -> Opportunity<'_> {
        Opportunity {
            side: self.side,
            line: &self.better,
            own: &self.better,
            other: &self.played,
            is_missed: true,
        }
    }

    /// `None` if there is nothing to compare.
    pub(super) fn new(
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Comparison> {
        let (best, reply) = (before.best(), after.best());
        let played = LineReplay::new(position, &with_first_move(mv, &reply.moves));
        let better = LineReplay::new(position, &best.moves);
        if played.moves().len() < 2 || better.moves().is_empty() || before.best_move() == Some(mv) {
            return None;
        }
        let refutation = LineReplay::new(played.after(0), &reply.moves);
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

    /// Whether the mistake costs at least about half of `value`, which is in units of `see_value` (a pawn is
    /// 90). It is compared with centipawns without conversion: the limit is too rough for the difference to
    /// matter.
    pub(super) fn is_worth(&self, value: i32) -> bool {
        use AnalysisScore::Centipawns;
        match (self.better_score, self.played_score) {
            (Some(Centipawns(better)), Some(Centipawns(played))) => (better - played) * 2 >= value,
            _ => false,
        }
    }

    /// Whether one of the scores is a mate.
    pub(super) fn is_decided(&self) -> bool {
        let mates = |score: Option<AnalysisScore>| score.is_some_and(AnalysisScore::is_mate);
        mates(self.played_score) || mates(self.better_score)
    }
}
