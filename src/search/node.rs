//! A node of the main search; [`SearchWorker::search`] lists its steps in order. The prunings by
//! evaluation and ProbCut are in `pruning`, the moves in `move_loop`, the updates of the histories in
//! `update_histories`.
//!
//! The depth of a node changes in two places only: in [`SearchWorker::search`] by hindsight and by
//! internal iterative reduction, and in the move loop by a singular move and by a raised alpha.

use super::correction_history::corrected;
use super::params::*;
use super::qsearch::{DEPTH_UNSEARCHED, eval_only};
use super::worker::SearchWorker;
use crate::tt::{TtEntry, TtProbe};
use crate::types::{Depth, MAX_PLY, Move, Score};

/// The state of a node before it searches its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) is_pv: bool,
    /// A fail-high is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Move,
    /// The entry of the transposition table, with its score counted from the root.
    pub(super) tt: Option<TtEntry>,
    /// The move of the entry if it is legal, else none; at the root the best move so far. None before
    /// `SearchWorker::set_tt_move`, because most cutoffs by the table need no move.
    pub(super) tt_move: Move,
    pub(super) tt_capture: bool,
    /// The static evaluation before corrections; none in check and in a singular search.
    pub(super) raw_eval: Score,
    /// The best estimate before the search: the corrected evaluation, or the score of the entry.
    pub(super) eval: Score,
    /// See `CorrectionHistory::value`.
    pub(super) correction: i32,
    /// The static evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The static evaluation from the view of the opponent is worse than one ply ago.
    pub(super) opponent_worsening: bool,
    /// The reduction of the move that led here, in plies.
    pub(super) prior_reduction: i32,
}

impl SearchNode {
    pub(super) fn is_root(&self) -> bool {
        self.ply == 0
    }

    pub(super) fn tt_score(&self) -> Option<Score> {
        self.tt.map(|entry| entry.score).filter(|&score| score != Score::NONE)
    }

    pub(super) fn tt_depth(&self) -> Depth {
        self.tt.map_or(DEPTH_UNSEARCHED - 1, |entry| entry.depth)
    }
}

impl SearchWorker {
    /// The score of the position within the window, searched to `depth`. `PV` nodes keep the principal
    /// variation; `cut_node` means that a fail-high is expected.
    pub(super) fn search<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.qsearch::<PV>(ply, alpha, beta);
        }
        if PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.is_interrupted() {
            return Score::ZERO;
        }
        if ply > 0 {
            if let Some(score) = self.game_end_score(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { self.draw_score() } else { self.evaluate() };
            }
            // Mate distance pruning.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let probe = self.context.table.probe(self.position.key());
        let depth = depth.min(MAX_PLY as Depth);
        let mut node = self.init_node::<PV>(ply, alpha, beta, depth, cut_node, &probe);
        if let Some(score) = self.tt_cutoff(&node) {
            return score;
        }
        self.set_tt_move(&mut node);
        if node.tt_move.is_some() {
            self.prefetch_after(node.tt_move);
        }
        if let Some(score) = self.immediate_win(&node, &probe) {
            return score;
        }
        self.evaluate_node(&mut node, &probe);
        if !node.in_check {
            node.depth += self.hindsight_adjustment(&node);
            if let Some(score) = self.prune_by_eval(&node) {
                return score;
            }
            node.improving |= self.stack.at(ply).static_eval >= node.beta;
            node.depth -= internal_iterative_reduction(&node);
            if let Some(score) = self.probcut(&node, &probe) {
                return score;
            }
        }
        if let Some(score) = self.small_probcut(&node) {
            return score;
        }
        let base = self.moves.len();
        let score = self.move_loop::<PV>(node, &probe);
        self.moves.truncate(base);
        score
    }

    /// Initialises the stack frame and the node.
    fn init_node<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: Score,
        beta: Score,
        depth: Depth,
        cut_node: bool,
        probe: &TtProbe,
    ) -> SearchNode {
        let in_check = self.position.in_check();
        let prior_reduction = self.stack.back(ply, 1).reduction;
        self.stack.back_mut(ply, 1).reduction = 0;
        self.stack.at_mut(ply + 2).cutoff_count = 0;
        let tt = probe.hit.map(|entry| entry.at_ply(ply));
        let frame = self.stack.at_mut(ply);
        let excluded = frame.excluded;
        frame.in_check = in_check;
        frame.move_count = 0;
        frame.stat_score = 0;
        frame.tt_hit = tt.is_some();
        if excluded.is_none() {
            frame.tt_pv = PV || tt.is_some_and(|entry| entry.is_pv);
        }
        SearchNode {
            ply,
            depth,
            alpha,
            beta,
            is_pv: PV,
            cut_node,
            in_check,
            excluded,
            tt,
            tt_move: Move::NONE,
            tt_capture: false,
            raw_eval: Score::NONE,
            eval: Score::NONE,
            correction: 0,
            improving: false,
            opponent_worsening: false,
            prior_reduction,
        }
    }

    fn set_tt_move(&self, node: &mut SearchNode) {
        let tt_move = if node.is_root() {
            self.root_moves[self.pv_index].mv()
        } else {
            self.legal_tt_move(node.tt)
        };
        node.tt_move = tt_move;
        node.tt_capture = tt_move.is_some() && self.position.is_capture(tt_move);
    }

    /// The score of the table entry if it is deep enough and its bound allows a cutoff. If the entry has a quiet move
    /// that fails high, the move gets a history bonus, and the quiet move before it a malus if it was an early one.
    /// Near the leaves a score on the side that is not expected is not trusted. (The limits of 5 plies and 4 moves
    /// are YaneuraOu's.)
    fn tt_cutoff(&mut self, node: &SearchNode) -> Option<Score> {
        if node.is_pv || node.excluded.is_some() {
            return None;
        }
        let TtEntry { score, depth, .. } = node.tt.filter(|entry| entry.decides(node.beta))?;
        let fails_high = score >= node.beta;
        if depth <= node.depth - (score <= node.beta) as Depth
            || node.cut_node != fails_high && node.depth <= 5
        {
            return None;
        }
        let tt_move = if fails_high { self.legal_tt_move(node.tt) } else { Move::NONE };
        if tt_move.is_some() && !self.position.is_capture(tt_move) {
            let bonus =
                (TT_CUT_BONUS * node.depth + TT_CUT_BONUS_BASE).min(value(TT_CUT_BONUS_MAX));
            self.update_quiet_histories(node, tt_move, bonus);
            if self.stack.back(node.ply, 1).move_count <= 4 {
                self.update_previous_quiet(node.ply, -TT_CUT_MALUS);
            }
        }
        Some(score)
    }

    /// The score of a node that is won at once: by a mate in one, by declaration or by the try rule.
    fn immediate_win(&mut self, node: &SearchNode, probe: &TtProbe) -> Option<Score> {
        if node.is_root() || node.excluded.is_some() {
            return None;
        }
        if node.tt.is_none()
            && !node.in_check
            && let Some(mv) = self.position.mate_in_one()
        {
            return Some(self.store_mate_in_one(probe.slot, node.ply, mv));
        }
        if (node.is_pv || node.tt_move.is_none()) && self.can_declare_win() {
            return Some(Score::mate_in(node.ply + 1));
        }
        None
    }

    /// Sets the correction, the static evaluation, `improving` and `opponent_worsening`. Updates the histories of
    /// the previous move by the change of the evaluation.
    fn evaluate_node(&mut self, node: &mut SearchNode, probe: &TtProbe) {
        let ply = node.ply;
        node.correction = self.correction(ply);
        if node.in_check {
            // In check there is no evaluation; the frame takes that of two plies ago.
            let inherited = self.stack.back(ply, 2).static_eval;
            self.stack.at_mut(ply).static_eval = inherited;
            return;
        }
        if node.excluded.is_some() {
            node.eval = self.stack.at(ply).static_eval;
        } else {
            self.set_static_eval(node, probe);
        }
        let here = self.stack.at(ply).static_eval;
        let parent_eval = self.stack.back(ply, 1).static_eval;
        let grandparent_eval = self.stack.back(ply, 2).static_eval;
        node.improving = grandparent_eval == Score::NONE || here > grandparent_eval;
        node.opponent_worsening = parent_eval != Score::NONE && here > -parent_eval;
        self.update_histories_by_eval(node);
    }

    /// The change of the depth of a node after a late move reduction, judged by its static evaluation: one ply
    /// more if the opponent's position has not worsened, one less if the sum of the evaluations before and
    /// after the move is high (Stockfish's idea).
    fn hindsight_adjustment(&self, node: &SearchNode) -> Depth {
        let parent_eval = self.stack.back(node.ply, 1).static_eval;
        if parent_eval == Score::NONE {
            return 0;
        }
        if node.prior_reduction >= 3 && !node.opponent_worsening {
            return 1;
        }
        let here = self.stack.at(node.ply).static_eval;
        let is_reduced = node.prior_reduction >= 2 && node.depth >= 2;
        -((is_reduced && here.0 + parent_eval.0 > HINDSIGHT_MARGIN) as Depth)
    }

    /// Takes the static evaluation from the table entry or the network, and corrects it.
    fn set_static_eval(&mut self, node: &mut SearchNode, probe: &TtProbe) {
        let ply = node.ply;
        node.raw_eval = match node.tt {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        node.eval = corrected(node.raw_eval, node.correction);
        self.stack.at_mut(ply).static_eval = node.eval;
        match node.tt {
            Some(entry) if entry.decides(node.eval + 1) => node.eval = entry.score,
            Some(_) => {}
            None => {
                let is_pv = self.stack.at(ply).tt_pv;
                self.store_tt(probe.slot, ply, TtEntry { is_pv, ..eval_only(node.raw_eval) });
            }
        }
    }
}

/// The reduction, in plies, of a node that should have a TT move and has none: its moves are ordered badly, so a
/// deep search would cost too much.
fn internal_iterative_reduction(node: &SearchNode) -> Depth {
    let expects_move = node.is_pv || node.cut_node;
    let applies = expects_move
        && node.tt_move.is_none()
        && node.depth >= IIR_DEPTH
        && node.prior_reduction <= 3;
    applies as Depth
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{START, context, request};
    use super::super::worker::ThreadData;
    use super::*;
    use crate::types::Bound;

    const BETA: Score = Score(100);

    /// A worker one ply from its root.
    fn worker() -> SearchWorker {
        let context =
            Arc::new(context(request(START, Limits::default(), SearchOptions::for_tests())));
        let mut worker = SearchWorker::new(0, context.clone(), ThreadData::new().unwrap(), None);
        worker.do_move(0, context.root_moves[0]);
        worker
    }

    fn known(score: Score, bound: Bound, depth: Depth) -> TtEntry {
        TtEntry { score, bound, depth, ..eval_only(Score::ZERO) }
    }

    /// The cutoff of the worker's node by this entry.
    fn cutoff<const PV: bool>(
        worker: &mut SearchWorker,
        depth: Depth,
        cut_node: bool,
        known: TtEntry,
    ) -> Option<Score> {
        let context = worker.context.clone();
        let key = worker.position.key();
        context.table.clear(1);
        context.table.store(context.table.probe(key).slot, known);
        let probe = context.table.probe(key);
        let node = worker.init_node::<PV>(1, BETA - 1, BETA, depth, cut_node, &probe);
        worker.tt_cutoff(&node)
    }

    #[test]
    fn a_deep_enough_entry_causes_a_cutoff_only_if_its_bound_allows_it() {
        let mut worker = worker();
        for (score, bound, depth, cuts) in [
            (200, Bound::Lower, 9, true),
            (200, Bound::Exact, 9, true),
            (200, Bound::Lower, 8, false),
            (200, Bound::Upper, 20, false),
            (200, Bound::None, 20, false),
            (100, Bound::Lower, 8, true),
            (100, Bound::Lower, 7, false),
            (50, Bound::Upper, 8, true),
            (50, Bound::Exact, 8, true),
            (50, Bound::Upper, 7, false),
            (50, Bound::Lower, 20, false),
        ] {
            let score = Score(score);
            let found = cutoff::<false>(&mut worker, 8, true, known(score, bound, depth));
            assert_eq!(found, cuts.then_some(score), "{score:?} {bound:?} {depth}");
        }
    }

    #[test]
    fn a_mate_of_an_entry_is_counted_from_the_root() {
        let mate = known(Score::mate_in(4), Bound::Exact, 20);
        assert_eq!(cutoff::<false>(&mut worker(), 8, true, mate), Some(Score::mate_in(5)));
    }

    #[test]
    fn a_shallow_node_is_cut_off_only_on_the_expected_side() {
        let mut worker = worker();
        let high = known(Score(200), Bound::Lower, 20);
        let low = known(Score(50), Bound::Upper, 20);
        for depth in [5, 6] {
            for (cut_node, entry) in [(true, high), (true, low), (false, high), (false, low)] {
                let found = cutoff::<false>(&mut worker, depth, cut_node, entry);
                let is_expected = cut_node == (entry == high);
                assert_eq!(found.is_some(), is_expected || depth > 5, "{depth} {cut_node}");
            }
        }
    }

    #[test]
    fn pv_nodes_and_singular_searches_have_no_tt_cutoff() {
        let mut worker = worker();
        let exact = known(Score(200), Bound::Exact, 20);
        assert_eq!(cutoff::<true>(&mut worker, 8, true, exact), None);
        worker.stack.at_mut(1).excluded = worker.position.legal_moves().moves().next().unwrap();
        assert_eq!(cutoff::<false>(&mut worker, 8, true, exact), None);
        worker.stack.at_mut(1).excluded = Move::NONE;
        assert_eq!(cutoff::<false>(&mut worker, 8, true, exact), Some(Score(200)));
    }
}
