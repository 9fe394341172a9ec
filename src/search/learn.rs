//! What a finished node teaches: credit for the move that was best, blame for those tried before
//! it, and how far the evaluation was off.

use super::history::LOW_PLIES;
use super::moves::{Best, Tried};
use super::node::Node;
use super::params::*;
use super::worker::Worker;
use crate::types::{Move, Piece, Score, Square};

impl Worker {
    /// Credits the best move of a node and blames the others.
    pub(super) fn learn_best(
        &mut self,
        node: &Node,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        count: i32,
    ) {
        let depth = node.depth;
        let is_tt_move = best == node.tt_move;
        let bonus =
            (BONUS_SLOPE * depth + BONUS_BASE).min(value(BONUS_MAX)) + BONUS_TT * is_tt_move as i32;
        let malus = (MALUS_SLOPE * depth + MALUS_BASE).min(value(MALUS_MAX)) - 16 * count.min(64);
        let malus = malus.max(0);
        if self.position.is_capture(best) {
            self.credit_capture(best, bonus);
        } else {
            self.credit_quiet(node, best, bonus * 900 / 1024);
            for mv in quiets.iter() {
                self.credit_quiet(node, mv, -malus);
            }
        }
        for mv in captures.iter() {
            self.credit_capture(mv, -malus * 1100 / 1024);
        }
        // The quiet move before let this happen although it was tried first.
        let parent = self.stack.back(node.ply, 1);
        if parent.move_count == 1 + parent.tt_hit as i32 && self.last_was_quiet(node.ply) {
            self.credit_last_continuations(node.ply, -malus * 550 / 1024);
        }
        if node.is_pv || node.tt_move.is_some() {
            self.history.update_tt_move(if is_tt_move { 800 } else { -870 });
        }
    }

    /// No move was good enough: the quiet move that led here was.
    pub(super) fn learn_fail_low(&mut self, node: &Node, best: Score) {
        if !self.last_was_quiet(node.ply) || node.is_root() || node.excluded.is_some() {
            return;
        }
        let parent = *self.stack.back(node.ply, 1);
        let here = self.stack.at(node.ply).static_eval;
        let depth = node.depth;
        let mut scale = -220
            + (-parent.stat_score / 100).min(340)
            + (60 * depth).min(430)
            + 170 * (parent.move_count > 8) as i32;
        if !node.in_check && best <= here - 100 {
            scale += 120;
        }
        let scale = scale.max(0);
        let bonus = (140 * depth - 90).min(1350) * scale;
        self.credit_last_continuations(node.ply, bonus / 700);
        self.credit_last_main(node.ply, bonus / 330);
    }

    /// Moves the correction tables towards what the search found.
    pub(super) fn learn_correction(&mut self, node: &Node, best: &Best) {
        let static_eval = self.stack.at(node.ply).static_eval;
        let capture = best.mv.is_some() && self.position.is_capture(best.mv);
        if node.in_check
            || node.excluded.is_some()
            || capture
            || best.score.is_mate()
            || (best.score > static_eval) != best.mv.is_some()
        {
            return;
        }
        let weight = if best.mv.is_some() { 12 } else { 17 };
        let bonus = (best.score - static_eval) * node.depth * weight / 128;
        let before = |plies| self.stack.back(node.ply, plies).continuation;
        let (last, earlier) = (before(1), [before(2), before(4)]);
        self.history.update_correction(&self.position, last, earlier, bonus);
    }

    /// Credits a quiet move of the side to move in every table.
    pub(super) fn credit_quiet(&mut self, node: &Node, mv: Move, bonus: i32) {
        let side = self.position.side_to_move();
        let (piece, to) = (self.position.moved_piece(mv), mv.to());
        self.history.update_main(side, mv, bonus);
        if node.ply < LOW_PLIES {
            self.history.update_low_ply(node.ply, mv, bonus);
        }
        self.history.update_pawn(&self.position, piece, to, bonus * 600 / 1024);
        self.credit_continuations(node.ply, piece, to, bonus);
    }

    fn credit_capture(&mut self, mv: Move, bonus: i32) {
        let (piece, to) = (self.position.moved_piece(mv), mv.to());
        if let Some(victim) = self.position.piece_at(to) {
            self.history.update_capture(piece, to, victim.kind(), bonus);
        }
    }

    /// Credits a move at `ply` to the moves before it.
    fn credit_continuations(&mut self, ply: usize, piece: Piece, to: Square, bonus: i32) {
        let in_check = self.stack.at(ply).in_check;
        let stack = &self.stack;
        let before = |plies| stack.back(ply, plies).continuation;
        self.history.update_continuations(before, in_check, piece, to, bonus);
    }

    /// A reduced move that proved better than expected, played at `ply`.
    pub(super) fn credit_after_reduction(&mut self, ply: usize, mv: Move) {
        if let Some(piece) = self.position.piece_at(mv.to()) {
            self.credit_continuations(ply, piece, mv.to(), value(LMR_HISTORY));
        }
    }

    /// Whether the move that led to `ply` was made on the board and took nothing.
    pub(super) fn last_was_quiet(&self, ply: usize) -> bool {
        self.stack.back(ply, 1).mv.is_some() && self.position.captured().is_none()
    }

    /// Credits the move that led to `ply` in the continuation tables.
    fn credit_last_continuations(&mut self, ply: usize, bonus: i32) {
        let to = self.stack.back(ply, 1).mv.to();
        if let Some(piece) = self.position.piece_at(to)
            && ply > 0
        {
            self.credit_continuations(ply - 1, piece, to, bonus);
        }
    }

    /// Credits the move that led to `ply` in the main and pawn tables.
    pub(super) fn credit_last_main(&mut self, ply: usize, bonus: i32) {
        let mv = self.stack.back(ply, 1).mv;
        self.history.update_main(!self.position.side_to_move(), mv, bonus);
        if let Some(piece) = self.position.piece_at(mv.to()) {
            self.history.update_pawn(&self.position, piece, mv.to(), bonus);
        }
    }

    /// Blames or credits the quiet move that led to `ply`.
    pub(super) fn credit_last_quiet(&mut self, ply: usize, bonus: i32) {
        if self.last_was_quiet(ply) {
            self.credit_last_continuations(ply, bonus);
        }
    }
}
