//! Scores that the rules give without search.

use super::worker::SearchWorker;
use crate::position::{EnteringKingRule, Repetition};
use crate::types::{Move, Score};

/// A superior repetition is worth at least this much more than a draw: a cycle that gained a piece.
const SUPERIOR_MARGIN: i32 = 300;

impl SearchWorker {
    /// The score of a position that repetition or the limit of moves ends, seen at `ply` plies
    /// from the root.
    #[inline]
    pub(super) fn game_end_score(&mut self, ply: usize) -> Option<Score> {
        if let Some(max_moves) = self.shared.request.options.max_moves
            && self.position.ply() >= max_moves
        {
            return Some(self.score_at_max_moves(ply, max_moves));
        }
        let repetition = match self.near_fourfold {
            true => self.position.search_repetition(ply),
            false => self.position.recent_repetition(ply),
        };
        repetition.map(|repetition| self.repetition_score(repetition, ply))
    }

    /// The score where the last move before the limit is due, or after it: a draw, whatever the
    /// evaluation says, but for what ends the game at once.
    #[cold]
    fn score_at_max_moves(&mut self, ply: usize, max_moves: u32) -> Score {
        if let Some(repetition) = self.position.repetition() {
            return self.repetition_score(repetition, ply);
        }
        if self.position.ply() > max_moves {
            let mated = self.position.in_check() && !self.position.has_legal_move();
            return if mated { Score::mated_in(ply) } else { self.draw_score() };
        }
        if !self.position.has_legal_move() {
            return Score::mated_in(ply);
        }
        if self.can_declare_win() {
            return Score::mate_in(ply + 1);
        }
        let Some(mv) = self.mating_move() else { return self.draw_score() };
        self.pv.clear(ply + 1);
        self.pv.update(ply, mv);
        Score::mate_in(ply + 1)
    }

    /// A legal move that mates at once; in check too.
    fn mating_move(&mut self) -> Option<Move> {
        let position = &mut self.position;
        let moves = position.legal_moves();
        moves.moves().find(|&mv| {
            position.gives_check(mv) && {
                position.do_move_with(mv, true);
                let mates = !position.has_legal_move();
                position.undo_move(mv);
                mates
            }
        })
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
    pub(super) fn can_declare_win(&self) -> bool {
        let rule = self.shared.request.options.entering_king;
        match rule {
            EnteringKingRule::None => false,
            EnteringKingRule::Try => self.position.try_rule_move().is_some(),
            _ => self.position.declaration_win(rule),
        }
    }
}
