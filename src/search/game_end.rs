//! Scores of positions in which the game ends by the rules, and of superior and inferior repetitions, with which the
//! search ends a line although the game goes on.

use super::worker::SearchWorker;
use crate::position::Repetition;
use crate::types::{Move, Score};

/// Added to the score of a superior repetition, because its cycle gained a piece, and subtracted from that of an
/// inferior one. (A large score instead of the evaluation, as YaneuraOu's `VALUE_SUPERIOR`, gained nothing.)
const SUPERIOR_MARGIN: i32 = 300;

impl SearchWorker {
    /// The score at `ply` if a repetition or the move limit decides the node.
    #[inline]
    pub(super) fn game_end_score(&mut self, ply: usize) -> Option<Score> {
        if let Some(max_moves) = self.context.request.options.max_moves
            && self.position.game_ply() >= max_moves
        {
            return Some(self.score_at_max_moves(ply, max_moves));
        }
        let repetition = if self.has_threefold_position {
            self.position.search_repetition(ply)
        } else {
            self.position.recent_repetition(ply)
        };
        repetition.map(|repetition| self.repetition_score(repetition, ply))
    }

    /// The score at the move limit or beyond: a draw, unless the game ends by another rule.
    #[cold]
    fn score_at_max_moves(&mut self, ply: usize, max_moves: u32) -> Score {
        if let Some(repetition) = self.position.repetition() {
            return self.repetition_score(repetition, ply);
        }
        if self.position.game_ply() > max_moves {
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

    /// A legal move that mates at once, also out of check.
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

    /// The score of a repetition. A superior or inferior one does not end the game: its score is the larger of static
    /// evaluation and draw score plus [`SUPERIOR_MARGIN`], or the smaller minus [`SUPERIOR_MARGIN`].
    fn repetition_score(&mut self, repetition: Repetition, ply: usize) -> Score {
        match repetition {
            Repetition::Draw => self.draw_score(),
            Repetition::Win => Score::mate_in(ply),
            Repetition::Loss => Score::mated_in(ply),
            Repetition::Superior => self.evaluate().max(self.draw_score()) + SUPERIOR_MARGIN,
            Repetition::Inferior => self.evaluate().min(self.draw_score()) - SUPERIOR_MARGIN,
        }
    }

    /// Whether the side to move wins by declaration or by the try rule.
    #[inline]
    pub(super) fn can_declare_win(&self) -> bool {
        let rule = self.context.request.options.entering_king;
        self.position.declaration_win(rule) || self.position.try_rule_win(rule).is_some()
    }
}
