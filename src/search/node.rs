//! A node of the main search, step by step. What may cut the whole node short is in `prune`, what
//! happens to a single move in `moves`, what is learned from the result in `learn`.

use super::correction_history::corrected;
use super::params::*;
use super::qsearch::{DEPTH_UNSEARCHED, eval_only};
use super::worker::SearchWorker;
use crate::tt::{TtEntry, TtProbe};
use crate::types::{Depth, MAX_PLY, Move, Score};

/// What a node knows before it tries its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) is_pv: bool,
    /// A node where a fail-high is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    pub(super) excluded: Move,
    /// What the table knows; the score counts from this node.
    pub(super) tt: Option<TtEntry>,
    /// The table's move, legal here, or none.
    pub(super) tt_move: Move,
    pub(super) tt_capture: bool,
    /// Evaluation before corrections.
    pub(super) raw_eval: Score,
    /// BestMove guess before searching: the corrected evaluation, or the table's score.
    pub(super) eval: Score,
    pub(super) correction: i32,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
    /// The opponent stands worse than a ply ago.
    pub(super) opponent_worsening: bool,
    /// Reduction under which this node is searched, in plies.
    pub(super) prior_reduction: i32,
}

impl SearchNode {
    pub(super) fn is_root(&self) -> bool {
        self.ply == 0
    }

    /// The table's score, if there is one.
    pub(super) fn tt_score(&self) -> Option<Score> {
        self.tt.map(|entry| entry.score).filter(|&score| score != Score::NONE)
    }

    pub(super) fn tt_depth(&self) -> Depth {
        self.tt.map_or(DEPTH_UNSEARCHED - 1, |entry| entry.depth)
    }
}

impl SearchWorker {
    /// The score of the present position within the window, searched to `depth`.
    ///
    /// `PV` nodes keep the principal variation; `cut_node` says that a fail-high is expected.
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
        if self.is_stopped() {
            return Score::ZERO;
        }
        if ply > 0 {
            if let Some(score) = self.game_end_score(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { self.draw_score() } else { self.evaluate() };
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let probe = self.shared.table.probe(self.position.key());
        let mut node =
            self.init_node::<PV>(ply, alpha, beta, depth.min(MAX_PLY as Depth), cut_node, &probe);
        if let Some(score) = self.tt_cutoff(&node) {
            return score;
        }
        if node.tt_move.is_some() {
            self.prefetch_after(node.tt_move);
        }
        if let Some(score) = self.immediate_win(&node, &probe) {
            return score;
        }
        self.evaluate_node(&mut node, &probe);
        if let Some(score) = self.prune_node(&mut node, &probe) {
            return score;
        }
        let base = self.moves.len();
        let score = self.move_loop::<PV>(&node, &probe);
        self.moves.truncate(base);
        score
    }

    /// Prepares the frame and gathers what the table knows.
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
        let tt_move =
            if ply == 0 { self.root_moves[self.pv_index].mv() } else { self.legal_tt_move(tt) };
        let frame = self.stack.at_mut(ply);
        let excluded = frame.excluded;
        frame.in_check = in_check;
        frame.move_count = 0;
        frame.stat_score = 0;
        frame.tt_hit = tt.is_some();
        if !excluded.is_some() {
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
            tt_move,
            tt_capture: tt_move.is_some() && self.position.is_capture(tt_move),
            raw_eval: Score::NONE,
            eval: Score::NONE,
            correction: 0,
            improving: false,
            opponent_worsening: false,
            prior_reduction,
        }
    }

    /// The table's score where it decides the node. A quiet move that refutes the line again is
    /// credited for it, and the quiet move before it blamed.
    fn tt_cutoff(&mut self, node: &SearchNode) -> Option<Score> {
        if node.is_pv || node.excluded.is_some() {
            return None;
        }
        let TtEntry { score, depth, .. } =
            node.tt.filter(|entry| entry.allows_cutoff(node.beta))?;
        let fails_high = score >= node.beta;
        if depth <= node.depth - (score <= node.beta) as Depth
            || node.cut_node != fails_high && node.depth <= 5
        {
            return None;
        }
        if node.tt_move.is_some() && fails_high && !node.tt_capture {
            let bonus =
                (TT_CUT_BONUS * node.depth + TT_CUT_BONUS_BASE).min(value(TT_CUT_BONUS_MAX));
            self.update_quiet_histories(node, node.tt_move, bonus);
            if self.stack.back(node.ply, 1).move_count <= 4 {
                self.update_previous_quiet(node.ply, -TT_CUT_MALUS);
            }
        }
        Some(score)
    }

    /// The score where the rules or a mate in one end the game at once in the side's favour.
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
        if (node.is_pv || !node.tt_move.is_some()) && self.can_declare_win() {
            return Some(Score::mate_in(node.ply + 1));
        }
        None
    }

    /// Evaluates the node, and what the evaluation says about the line.
    fn evaluate_node(&mut self, node: &mut SearchNode, probe: &TtProbe) {
        let ply = node.ply;
        node.correction = self.correction(ply);
        if node.in_check {
            // No evaluation in check; the one of two plies ago stands for it.
            let inherited = self.stack.back(ply, 2).static_eval;
            self.stack.at_mut(ply).static_eval = inherited;
            return;
        }
        if node.excluded.is_some() {
            node.eval = self.stack.at(ply).static_eval;
            node.raw_eval = node.eval;
        } else {
            self.set_static_eval(node, probe);
        }
        let here = self.stack.at(ply).static_eval;
        let parent = self.stack.back(ply, 1);
        let (parent_eval, parent_in_check) = (parent.static_eval, parent.in_check);
        let grandparent_eval = self.stack.back(ply, 2).static_eval;
        node.improving = grandparent_eval == Score::NONE || here > grandparent_eval;
        node.opponent_worsening = parent_eval != Score::NONE && here > -parent_eval;
        if parent_eval == Score::NONE {
            return;
        }
        // How the evaluation moved tells about the quiet move before.
        if !parent_in_check && self.previous_move_was_quiet(ply) && !node.excluded.is_some() {
            let gained = -(parent_eval.0 + here.0);
            let gained = gained.clamp(-EVAL_HISTORY_LOSS, value(EVAL_HISTORY_GAIN));
            let bonus = gained + EVAL_HISTORY_BASE;
            let pawn = if node.tt.is_none() { bonus * EVAL_HISTORY_PAWN } else { 0 };
            self.update_previous_main_and_pawn(ply, bonus * EVAL_HISTORY, pawn);
        }
        if node.prior_reduction >= 3 && !node.opponent_worsening {
            node.depth += 1;
        } else if node.prior_reduction >= 2
            && node.depth >= 2
            && here.0 + parent_eval.0 > HINDSIGHT_MARGIN
        {
            node.depth -= 1;
        }
    }

    fn set_static_eval(&mut self, node: &mut SearchNode, probe: &TtProbe) {
        let ply = node.ply;
        node.raw_eval = match node.tt {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        node.eval = corrected(node.raw_eval, node.correction);
        self.stack.at_mut(ply).static_eval = node.eval;
        match node.tt {
            Some(entry) if entry.allows_cutoff(node.eval + 1) => node.eval = entry.score,
            Some(_) => {}
            None => {
                let is_pv = self.stack.at(ply).tt_pv;
                self.store_tt(probe.slot, ply, TtEntry { is_pv, ..eval_only(node.raw_eval) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::request::{Limits, SearchOptions};
    use super::super::tests::{START, request, shared};
    use super::super::worker::ThreadData;
    use super::*;
    use crate::types::Bound;

    const BETA: Score = Score(100);

    /// A worker a ply from its root.
    fn worker() -> SearchWorker {
        let shared =
            Arc::new(shared(request(START, Limits::default(), SearchOptions::for_tests())));
        let mut worker = SearchWorker::new(0, shared.clone(), ThreadData::new().unwrap(), None);
        worker.do_move(0, shared.root_moves[0]);
        worker
    }

    fn known(score: Score, bound: Bound, depth: Depth) -> TtEntry {
        TtEntry { score, bound, depth, ..eval_only(Score::ZERO) }
    }

    /// What the table decides of the worker's node, if this is all that it knows of it.
    fn cutoff<const PV: bool>(
        worker: &mut SearchWorker,
        depth: Depth,
        cut_node: bool,
        known: TtEntry,
    ) -> Option<Score> {
        let shared = worker.shared.clone();
        let key = worker.position.key();
        shared.table.clear(1);
        shared.table.store(shared.table.probe(key).slot, known);
        let probe = shared.table.probe(key);
        let node = worker.init_node::<PV>(1, BETA - 1, BETA, depth, cut_node, &probe);
        worker.tt_cutoff(&node)
    }

    #[test]
    fn the_table_cuts_a_node_by_a_bound_of_the_right_side_that_is_deep_enough() {
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
    fn a_mate_of_the_table_is_counted_from_the_root_where_it_cuts_a_node() {
        let mate = known(Score::mate_in(4), Bound::Exact, 20);
        assert_eq!(cutoff::<false>(&mut worker(), 8, true, mate), Some(Score::mate_in(5)));
    }

    #[test]
    fn a_shallow_node_is_cut_by_the_table_only_to_the_side_that_is_expected() {
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
    fn the_table_cuts_no_node_that_has_to_show_its_line_or_leaves_a_move_out() {
        let mut worker = worker();
        let exact = known(Score(200), Bound::Exact, 20);
        assert_eq!(cutoff::<true>(&mut worker, 8, true, exact), None);
        worker.stack.at_mut(1).excluded = worker.position.legal_moves().moves().next().unwrap();
        assert_eq!(cutoff::<false>(&mut worker, 8, true, exact), None);
        worker.stack.at_mut(1).excluded = Move::NONE;
        assert_eq!(cutoff::<false>(&mut worker, 8, true, exact), Some(Score(200)));
    }
}
