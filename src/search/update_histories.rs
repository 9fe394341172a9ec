//! Updates of the histories by the result of a node: a bonus for the best move, a malus for the moves
//! that were searched before it, and the error of the static evaluation.

use super::history::LOW_PLIES;
use super::move_loop::{BestSoFar, SearchedMoves};
use super::node::SearchNode;
use super::params::*;
use super::worker::SearchWorker;
use crate::types::{Move, Piece, PieceKind, Score, Square};

/// Divisor of the bonus of the correction history: YaneuraOu multiplies by 1069 / 1024 / 128.
const CORRECTION_BONUS_DIVISOR: i32 = 123;

impl SearchWorker {
    /// Gives the best move a bonus and the other searched moves a malus.
    pub(super) fn update_histories(
        &mut self,
        node: &SearchNode,
        best: Move,
        quiets_searched: &SearchedMoves,
        captures_searched: &SearchedMoves,
    ) {
        let depth = node.depth;
        let is_tt_move = best == node.tt_move;
        let parent = *self.stack.back(node.ply, 1);
        let bonus = (BONUS_SLOPE * depth + BONUS_BASE).min(value(BONUS_MAX))
            + BONUS_TT * is_tt_move as i32
            + parent.stat_score / BONUS_STAT_SCORE_DIVISOR;
        let malus = (MALUS_SLOPE * depth + MALUS_BASE).min(value(MALUS_MAX));
        if self.position.is_capture(best) {
            self.update_capture_history(best, bonus * BONUS_CAPTURE / 1024);
        } else {
            self.update_quiet_histories(node, best, bonus * BONUS_QUIET / 1024);
            // The later a move, the smaller its malus.
            let mut quiet_malus = malus * MALUS_QUIET / 1024;
            for mv in quiets_searched.iter() {
                quiet_malus = quiet_malus * MALUS_QUIET_NEXT / 1024;
                self.update_quiet_histories(node, mv, -quiet_malus);
            }
        }
        for mv in captures_searched.iter() {
            self.update_capture_history(mv, -malus * MALUS_CAPTURE / 1024);
        }
        // The previous move was the first one that did not come from the table, and it was refuted.
        if parent.move_count == 1 + parent.tt_hit as i32 {
            self.update_previous_quiet(node.ply, -malus * MALUS_PREVIOUS / 1024);
        }
        if !node.is_pv {
            let credit = if is_tt_move { value(TT_MOVE_BONUS) } else { -TT_MOVE_MALUS };
            self.history.update_tt_move(credit);
        }
    }

    /// After a fail-low, gives a bonus to the move that led to the node.
    pub(super) fn update_histories_fail_low(&mut self, node: &SearchNode, best: Score) {
        let SearchNode { ply, depth, .. } = *node;
        let parent = *self.stack.back(ply, 1);
        if !parent.mv.is_ok() || node.excluded.is_some() {
            return;
        }
        if let Some(victim) = self.position.captured() {
            let to = parent.mv.to();
            if let Some(piece) = self.position.piece_at(to) {
                self.history.update_capture(piece, to, victim.kind(), value(FAIL_LOW_CAPTURE));
            }
            return;
        }
        let static_eval = self.stack.at(ply).static_eval;
        let below_eval = !node.in_check && best <= static_eval - FAIL_LOW_EVAL_MARGIN;
        let below_parent_eval =
            !parent.in_check && best <= -parent.static_eval - FAIL_LOW_PARENT_EVAL_MARGIN;
        let scale = FAIL_LOW_SCALE - parent.stat_score / FAIL_LOW_STAT_SCORE_DIVISOR
            + (FAIL_LOW_SCALE_DEPTH * depth).min(value(FAIL_LOW_SCALE_DEPTH_MAX))
            + FAIL_LOW_MOVE_COUNT * (parent.move_count > 8) as i32
            + FAIL_LOW_EVAL_WEIGHT * below_eval as i32
            + FAIL_LOW_PARENT_EVAL_WEIGHT * below_parent_eval as i32;
        let bonus =
            (FAIL_LOW_SLOPE * depth + FAIL_LOW_BASE).min(value(FAIL_LOW_MAX)) * scale.max(0);
        self.update_previous_continuation(ply, bonus / FAIL_LOW_CONTINUATION_DIVISOR);
        self.update_previous_main_and_pawn(
            ply,
            bonus / FAIL_LOW_MAIN_DIVISOR,
            bonus / FAIL_LOW_PAWN_DIVISOR,
        );
    }

    /// Updates the histories of the quiet move that led to the node by how it changed the static evaluation.
    #[inline(always)]
    pub(super) fn update_histories_by_eval(&mut self, node: &SearchNode) {
        let here = self.stack.at(node.ply).static_eval;
        let parent = self.stack.back(node.ply, 1);
        if parent.static_eval == Score::NONE
            || parent.in_check
            || !self.previous_move_was_quiet(node.ply)
            || node.excluded.is_some()
        {
            return;
        }
        // The gain of the side that made the move.
        let gain = -(parent.static_eval.0 + here.0);
        let bonus = gain.clamp(-EVAL_HISTORY_LOSS, value(EVAL_HISTORY_GAIN)) + EVAL_HISTORY_BASE;
        let pawn = if node.tt.is_none() { bonus * EVAL_HISTORY_PAWN } else { 0 };
        self.update_previous_main_and_pawn(node.ply, bonus * EVAL_HISTORY, pawn);
    }

    /// Updates the correction history by the difference of score and static evaluation.
    pub(super) fn update_correction_history(&mut self, node: &SearchNode, best: &BestSoFar) {
        let static_eval = self.stack.at(node.ply).static_eval;
        let capture = best.mv.is_some() && self.position.is_capture(best.mv);
        if node.in_check
            || capture
            || best.score.is_decisive()
            || (best.score > static_eval) != best.mv.is_some()
        {
            return;
        }
        let weight = if best.mv.is_some() { CORRECTION_BEST } else { CORRECTION_NO_BEST };
        let bonus = (best.score - static_eval) * node.depth * weight / CORRECTION_BONUS_DIVISOR;
        let previous = self.previous_moves(node.ply);
        self.correction_history.update(&self.position, previous, bonus);
    }

    /// Updates all histories of a quiet move of the side to move.
    pub(super) fn update_quiet_histories(&mut self, node: &SearchNode, mv: Move, bonus: i32) {
        let side = self.position.side_to_move();
        let (piece, to) = (self.position.moved_piece_after(mv), mv.to());
        self.history.update_main(side, mv, bonus);
        if node.ply < LOW_PLIES {
            self.history.update_low_ply(node.ply, mv, bonus * LOW_PLY_BONUS / 1024);
        }
        let share = if bonus > 0 { PAWN_BONUS } else { PAWN_MALUS };
        self.history.update_pawn(&self.position, piece, to, bonus * share / 1024);
        self.update_continuation_history(node.ply, piece, to, bonus * CONTINUATION_BONUS / 1024);
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        let (piece, to) = (self.position.moved_piece_after(mv), mv.to());
        if let Some(victim) = self.position.piece_at(to) {
            self.history.update_capture(piece, to, victim.kind(), bonus);
        }
    }

    /// Updates the continuation histories of a move at `ply`.
    fn update_continuation_history(&mut self, ply: usize, piece: Piece, to: Square, bonus: i32) {
        let in_check = self.stack.at(ply).in_check;
        let stack = &self.stack;
        let previous = |plies| stack.back(ply, plies).continuation;
        self.history.update_continuations(previous, in_check, piece, to, bonus);
    }

    /// Gives a bonus to a move at `ply` whose reduced search failed high.
    pub(super) fn update_after_lmr(&mut self, ply: usize, mv: Move) {
        if let Some(piece) = self.position.piece_at(mv.to()) {
            self.update_continuation_history(ply, piece, mv.to(), value(LMR_FAIL_HIGH_BONUS));
        }
    }

    /// Whether the move that led to `ply` captured nothing. Drops are quiet too. False at the root, and after a null
    /// move.
    fn previous_move_was_quiet(&self, ply: usize) -> bool {
        self.stack.back(ply, 1).mv.is_ok() && self.position.captured().is_none()
    }

    /// Updates the continuation histories of the move that led to `ply`.
    fn update_previous_continuation(&mut self, ply: usize, bonus: i32) {
        let to = self.stack.back(ply, 1).mv.to();
        if let Some(piece) = self.position.piece_at(to) {
            self.update_continuation_history(ply - 1, piece, to, bonus);
        }
    }

    /// Updates the main and pawn histories of the quiet move that led to `ply`. Pawn moves and
    /// promotions are left out of the pawn history, because they change the pawn structure.
    fn update_previous_main_and_pawn(&mut self, ply: usize, main: i32, pawn: i32) {
        let mv = self.stack.back(ply, 1).mv;
        self.history.update_main(!self.position.side_to_move(), mv, main);
        // The bonus is often zero, and reading the large table would be slow.
        if pawn != 0
            && let Some(piece) = self.position.piece_at(mv.to())
            && piece.kind() != PieceKind::Pawn
            && !mv.is_promotion()
        {
            self.history.update_pawn(&self.position, piece, mv.to(), pawn);
        }
    }

    /// Updates the continuation histories of the move that led to `ply` if it was quiet.
    pub(super) fn update_previous_quiet(&mut self, ply: usize, bonus: i32) {
        if self.previous_move_was_quiet(ply) {
            self.update_previous_continuation(ply, bonus);
        }
    }
}
