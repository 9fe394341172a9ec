//! Scores that the rules give without search.

use super::worker::Worker;
use crate::position::{EnteringKingRule, Repetition};
use crate::types::Score;

/// A superior repetition is worth at least this much more than a draw: a cycle that gained a piece.
const SUPERIOR_MARGIN: i32 = 300;

impl Worker {
    /// The score of a position that repetition or the limit of moves ends, seen at `ply` plies
    /// from the root.
    #[inline]
    pub(super) fn ending_score(&mut self, ply: usize) -> Option<Score> {
        let repetition = match self.game_may_end {
            true => self.position.search_repetition(ply),
            false => self.position.recent_repetition(ply),
        };
        if let Some(repetition) = repetition {
            return Some(self.repetition_score(repetition, ply));
        }
        let max_moves = self.shared.request.options.max_moves?;
        if self.position.ply() <= max_moves {
            return None;
        }
        let mated = self.position.in_check() && !self.position.has_legal_move();
        Some(if mated { Score::mated_in(ply) } else { self.draw_score() })
    }

    /// A superior or inferior repetition is no end of the game but a wasted cycle, so it scores as
    /// the position stands, and no less than a draw for the side that gained. That keeps absurd
    /// numbers out of the analysis.
    fn repetition_score(&mut self, repetition: Repetition, ply: usize) -> Score {
        match repetition {
            Repetition::Draw => self.draw_score(),
            Repetition::Win => Score::mate_in(ply),
            Repetition::Loss => Score::mated_in(ply),
            Repetition::Superior => self.evaluate().max(self.draw_score()) + SUPERIOR_MARGIN,
            Repetition::Inferior => self.evaluate().min(self.draw_score()) - SUPERIOR_MARGIN,
        }
    }

    /// Whether the side to move may declare the entering-king win, or win by the try rule.
    #[inline]
    pub(super) fn can_declare(&self) -> bool {
        let rule = self.shared.request.options.entering_king;
        match rule {
            EnteringKingRule::None => false,
            EnteringKingRule::Try => self.position.try_rule_move().is_some(),
            _ => self.position.declaration_win(rule),
        }
    }
}
