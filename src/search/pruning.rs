//! Pruning: the steps that cut a whole node before its moves are searched, and the test by which the
//! move loop skips a single move (late move pruning is in the move loop itself). Each step returns the score of the
//! cutoff, or `None`.

use super::move_loop::{BestSoFar, CurrentMove};
use super::movepick::MovePicker;
use super::node::SearchNode;
use super::params::*;
use super::worker::SearchWorker;
use crate::position::{is_safe_quiet, see_value};
use crate::tt::{TtEntry, TtProbe};
use crate::types::{Bitboard, Bound, Depth, Move, PieceKind, Score};

/// The smallest depth of ProbCut, and the plies by which its search is shallower (YaneuraOu's values).
const PROBCUT_DEPTH: Depth = 3;
const PROBCUT_REDUCTION: Depth = 4;

impl SearchWorker {
    /// The prunings by the static evaluation: razoring, reverse futility pruning and null move pruning.
    pub(super) fn prune_by_eval(&mut self, node: &SearchNode) -> Option<Score> {
        if let Some(score) = self.razoring(node) {
            return Some(score);
        }
        if let Some(score) = self.reverse_futility(node) {
            return Some(score);
        }
        self.null_move_pruning(node)
    }

    /// If the evaluation is far below alpha near the leaves, only captures can raise the score to alpha: the
    /// quiescence search replaces the search.
    fn razoring(&mut self, node: &SearchNode) -> Option<Score> {
        let margin = RAZOR_BASE + RAZOR_SQUARE * node.depth * node.depth;
        if node.is_pv || node.eval >= node.alpha - margin {
            return None;
        }
        Some(self.qsearch::<false>(node.ply, node.alpha, node.beta))
    }

    /// If the evaluation is far above beta near the leaves, the node is expected to fail high (Stockfish: futility
    /// pruning of a child node).
    fn reverse_futility(&self, node: &SearchNode) -> Option<Score> {
        let tt_allows = node.tt_move.is_none() || node.tt_capture;
        if self.stack.at(node.ply).tt_pv
            || node.depth >= RFP_DEPTH
            || !tt_allows
            || node.eval < node.beta
            || node.beta.is_loss()
            || node.eval.is_win()
        {
            return None;
        }
        let per_ply = RFP_MARGIN - if node.tt.is_none() { value(RFP_NO_TT) } else { 0 };
        let trend =
            RFP_IMPROVING * node.improving as i32 + RFP_WORSENING * node.opponent_worsening as i32;
        let margin = per_ply * node.depth - per_ply * trend / 1024
            + node.correction.abs() / RFP_CORRECTION_DIVISOR;
        (node.eval - margin >= node.beta).then(|| Score((2 * node.beta.0 + node.eval.0) / 3))
    }

    /// If even passing fails high, the node does too. Shogi has hardly any zugzwang, so there is no condition on
    /// material; at a large depth a search without null moves verifies the result.
    fn null_move_pruning(&mut self, node: &SearchNode) -> Option<Score> {
        let SearchNode { ply, depth, beta, .. } = *node;
        let static_eval = self.stack.at(ply).static_eval;
        let needed = beta - NULL_SLOPE * depth - NULL_IMPROVING * node.improving as i32 + NULL_BASE;
        if !node.cut_node
            || self.stack.back(ply, 1).mv == Move::NULL
            || node.eval < beta
            || static_eval < needed
            || beta.is_loss()
            || node.excluded.is_some()
            || ply < self.null_move_min_ply
        {
            return None;
        }
        let null_depth = depth - NULL_REDUCTION - depth / 3;
        self.do_null_move(ply);
        let score = -self.search::<false>(ply + 1, -beta, -beta + 1, null_depth, false);
        self.undo_null_move();
        if self.is_interrupted() {
            // The score is not used. Going on with the node would count nodes beyond the limit.
            return Some(Score::ZERO);
        }
        if score < beta || score.is_win() {
            return None;
        }
        if self.null_move_min_ply > 0 || depth < NULL_VERIFICATION_DEPTH {
            return Some(score);
        }
        self.null_move_min_ply = ply + (3 * null_depth.max(0) / 4) as usize;
        let verified = self.search::<false>(ply, beta - 1, beta, null_depth, false);
        self.null_move_min_ply = 0;
        (verified >= beta || self.is_interrupted()).then_some(score)
    }

    /// A capture whose shallow search fails high against a raised beta cuts the node. A singular search stores no
    /// entry, because its score is that of the node without the excluded move.
    pub(super) fn probcut(&mut self, node: &SearchNode, probe: &TtProbe) -> Option<Score> {
        let SearchNode { ply, depth, beta, .. } = *node;
        let probcut_beta = beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * node.improving as i32;
        let tt_refutes = node.tt_score().is_some_and(|score| score < probcut_beta);
        if node.is_pv || depth < PROBCUT_DEPTH || beta.is_decisive() || tt_refutes {
            return None;
        }
        let threshold = probcut_beta - self.stack.at(ply).static_eval;
        let probcut_depth = depth - PROBCUT_REDUCTION;
        let base = self.moves.len();
        let mut picker = MovePicker::probcut(self, node.tt_move, threshold, ply);
        let mut cutoff = None;
        while let Some(scored) = picker.next(self) {
            let mv = scored.mv();
            if mv == node.excluded {
                continue;
            }
            let gives_check = self.position.gives_check(mv);
            self.do_move_with(ply, mv, scored.piece(), gives_check);
            let mut score = -self.qsearch::<false>(ply + 1, -probcut_beta, -probcut_beta + 1);
            if score >= probcut_beta && probcut_depth > 0 {
                score = -self.search::<false>(
                    ply + 1,
                    -probcut_beta,
                    -probcut_beta + 1,
                    probcut_depth,
                    !node.cut_node,
                );
            }
            self.undo_move(mv);
            if self.is_interrupted() {
                cutoff = Some(Score::ZERO);
                break;
            }
            if score >= probcut_beta {
                if node.excluded.is_none() {
                    let depth = (probcut_depth + 1).max(1);
                    let (eval, is_pv) = (node.raw_eval, self.stack.at(ply).tt_pv);
                    let bound = Bound::Lower;
                    self.store_tt(
                        probe.slot,
                        ply,
                        TtEntry { mv, score, eval, depth, bound, is_pv },
                    );
                }
                // The search used the raised beta: the margin is subtracted, except from a mate score.
                cutoff =
                    Some(if score.is_decisive() { score } else { score - (probcut_beta - beta) });
                break;
            }
        }
        self.moves.truncate(base);
        cutoff
    }

    /// A cutoff by a table entry that is a little too shallow for `tt_cutoff`, but whose lower bound is far above beta.
    pub(super) fn small_probcut(&self, node: &SearchNode) -> Option<Score> {
        let probcut_beta = node.beta + SMALL_PROBCUT_MARGIN;
        let score = node.tt_score()?;
        let tt_confirms = node.tt.is_some_and(|entry| entry.bound.is_lower())
            && node.tt_depth() >= node.depth - PROBCUT_REDUCTION
            && score >= probcut_beta;
        (!node.is_root() && tt_confirms && !node.beta.is_decisive() && !score.is_decisive())
            .then_some(probcut_beta)
    }

    /// Whether the move loop skips a move at this depth. `attacked` holds at least all squares that the
    /// opponent attacks.
    pub(super) fn can_prune_move(
        &self,
        node: &SearchNode,
        current: &CurrentMove,
        best: &BestSoFar,
        attacked: Bitboard,
    ) -> bool {
        let &CurrentMove { mv, piece, gives_check, new_depth, reduction, .. } = current;
        // The depth after the late move reduction.
        let mut lmr_depth = new_depth - reduction / 1024;
        if let Some(victim) = self.position.piece_at(mv.to()) {
            return self.can_prune_capture(node, current, victim.kind(), lmr_depth);
        }
        let loses_more_than =
            |margin: i32| !is_safe_quiet(mv, attacked) && !self.position.see_ge(mv, -margin);
        if gives_check {
            return loses_more_than((SEE_CAPTURE_MARGIN * node.depth).max(0));
        }
        let to = mv.to();
        let previous = |plies| self.stack.back(node.ply, plies).continuation;
        let history = self.history.continuation(previous(1), piece, to)
            + self.history.continuation(previous(2), piece, to)
            + self.history.pawn(&self.position, piece, to);
        if history < -CONTINUATION_PRUNING * node.depth {
            return true;
        }
        let history = history + 2 * self.history.main(self.position.side_to_move(), mv);
        lmr_depth += history / QUIET_HISTORY_DIVISOR;
        let static_eval = self.stack.at(node.ply).static_eval;
        let futility_value = static_eval
            + FUTILITY_BASE
            + if best.mv.is_some() { 0 } else { value(FUTILITY_NO_BEST) }
            + FUTILITY_MARGIN * lmr_depth
            + if static_eval > node.alpha { value(FUTILITY_ABOVE_ALPHA) } else { 0 };
        if !node.in_check && lmr_depth < FUTILITY_DEPTH && futility_value <= node.alpha {
            return true;
        }
        let lmr_depth = lmr_depth.max(0);
        loses_more_than(SEE_QUIET_MARGIN * lmr_depth * lmr_depth)
    }

    /// Futility pruning and pruning by static exchange of a capture of a `victim`.
    #[inline(always)]
    fn can_prune_capture(
        &self,
        node: &SearchNode,
        current: &CurrentMove,
        victim: PieceKind,
        lmr_depth: Depth,
    ) -> bool {
        let &CurrentMove { mv, piece, gives_check, .. } = current;
        let history = self.history.capture(piece, mv.to(), victim);
        if !gives_check && lmr_depth < CAPTURE_FUTILITY_DEPTH && !node.in_check {
            let futility_value = self.stack.at(node.ply).static_eval
                + CAPTURE_FUTILITY_BASE
                + CAPTURE_FUTILITY_MARGIN * lmr_depth
                + see_value(victim)
                + history * CAPTURE_FUTILITY_HISTORY / 1024;
            if futility_value <= node.alpha {
                return true;
            }
        }
        let margin =
            (SEE_CAPTURE_MARGIN * node.depth + history * SEE_CAPTURE_HISTORY / 1024).max(0);
        !self.position.see_ge(mv, -margin)
    }
}
