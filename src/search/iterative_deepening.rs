//! Iterative deepening at the root, with an aspiration window for each of several lines.

use std::sync::atomic::Ordering::Relaxed;

use super::node::SearchNode;
use super::params::*;
use super::pv_lines::{SearchStats, better_known_win, pv_line, pv_lines};
use super::root_move::{RootMove, restore_previous_results, settle_aborted_iteration};
use super::search_context::{STOP, WorkerResult};
use super::shared_search::{is_skipped, share_depth};
use super::strength::StrengthLevel;
use super::worker::SearchWorker;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

/// If delta exceeds this, in score units, the aspiration window is opened fully.
const MAX_DELTA: i32 = 3000;

impl SearchWorker {
    /// Searches with increasing depth until a limit is reached. The result is in the root moves, and in the
    /// context after each finished iteration; the first of several lines is there as soon as it is searched.
    pub(super) fn iterative_deepening(&mut self) {
        let options = &self.context.request.options;
        let candidates =
            options.strength.map_or(1, |strength| StrengthLevel::new(strength).candidates());
        // A level searches more lines than it shows.
        let multi_pv = options.multi_pv.max(candidates).clamp(1, self.root_moves.len().max(1));
        let deepest = MAX_PLY as Depth;
        let max_depth = self.context.request.limits.depth.unwrap_or(deepest).clamp(1, deepest);
        let mut search_again_count = 0;
        let mut all_lose = false;
        let cluster_worker = options.cluster_worker;
        for iteration in 1..=max_depth {
            if self.completed_depth > 0
                && iteration < max_depth
                && cluster_worker.is_some_and(|number| is_skipped(iteration, number))
            {
                continue;
            }
            self.share_depth = cluster_worker.map_or(Depth::MAX, |_| share_depth(iteration));
            if !self.run_iteration(multi_pv, iteration, search_again_count) {
                // The moves that an aborted iteration has finished still count.
                settle_aborted_iteration(&mut self.root_moves, multi_pv);
                break;
            }
            self.completed_depth = iteration;
            all_lose = self.root_moves[..multi_pv].iter().all(|line| line.score.is_loss());
            self.publish_root_result(multi_pv);
            if self.end_iteration() {
                search_again_count += 1;
            }
            if self.context.is_stopped() || self.is_mate_final(iteration) {
                break;
            }
        }
        self.apply_proven_losses(multi_pv, all_lose);
        self.publish_root_result(multi_pv);
    }

    /// Applies losses that the mate solver proved after the lines were searched. If all lines lose,
    /// the best of the other moves becomes the first, unless the search itself found that `all_lose`: then
    /// the other moves lose no later.
    fn apply_proven_losses(&mut self, multi_pv: usize, all_lose: bool) {
        let loss_of = |mv| self.context.proof_of(mv).filter(|proof| proof.score.is_loss());
        let losses = self.root_moves[..multi_pv].iter().map(|line| loss_of(line.mv()));
        let losses: Vec<Option<RootMove>> = losses.collect();
        if losses.iter().all(Option::is_none) {
            return;
        }
        let better =
            self.root_moves.iter().position(|line| !self.context.is_proven_loss(line.mv()));
        let old_best_score = self.root_moves[0].known_score();
        for (line, loss) in self.root_moves.iter_mut().zip(losses) {
            if let Some(loss) = loss {
                *line = loss;
            }
        }
        self.root_moves[..multi_pv].sort_by_key(|line| std::cmp::Reverse(line.score));
        if let Some(better) = better.filter(|&better| better >= multi_pv && !all_lose) {
            let line = &mut self.root_moves[better];
            if let Some(old_best_score) = old_best_score.filter(|_| line.known_score().is_none()) {
                // The move has no score. It is worse than the move that was best.
                (line.score, line.bound) = (old_best_score, Bound::Upper);
            }
            self.root_moves[..=better].rotate_right(1);
        }
    }

    /// Runs an iteration, and starts it again whenever the mate solver proves during it that a root move loses.
    /// Returns false if the search is stopped before the iteration is finished.
    fn run_iteration(
        &mut self,
        multi_pv: usize,
        iteration: Depth,
        search_again_count: Depth,
    ) -> bool {
        while !self.search_root_lines(multi_pv, iteration, search_again_count) {
            if self.context.is_stopped() {
                return false;
            }
            debug_assert_eq!(self.position.key(), self.context.request.position.key());
            restore_previous_results(&mut self.root_moves);
        }
        true
    }

    /// Searches all lines of one iteration. Returns whether all are finished, even if the search is stopped after
    /// that.
    fn search_root_lines(
        &mut self,
        multi_pv: usize,
        iteration: Depth,
        search_again_count: Depth,
    ) -> bool {
        self.seen_interrupts = self.context.interrupts() & !STOP;
        self.poll_interrupts();
        self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
        // A level chooses among all lines, so it needs all of them.
        let is_level = self.context.request.options.strength.is_some();
        for index in 0..multi_pv {
            self.pv_index = index;
            self.selective_depth = 0;
            self.root_depth = iteration;
            self.aspiration_window(adjusted_depth(iteration, search_again_count));
            self.root_moves[..=index].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.is_interrupted() {
                return false;
            }
            if self.completed_depth == 0 && index + 1 < multi_pv && !is_level {
                // One line is an answer: a stop need not wait for the others.
                self.completed_depth = iteration;
                self.publish_root_result(multi_pv);
                self.poll_interrupts();
            }
        }
        self.store_win();
        self.report();
        true
    }

    /// Stores a win of the first line, so that no slower win is reported later. A strength level chooses
    /// among all lines, so it stores none.
    fn store_win(&self) {
        if self.manager.is_some() && self.context.request.options.strength.is_none() {
            self.context.store_win(&self.root_moves[0]);
        }
    }

    /// Searches the root with a window around the expected score, and widens it until the score is
    /// inside.
    fn aspiration_window(&mut self, depth: Depth) {
        let expected = &self.root_moves[self.pv_index];
        let average = expected.average_score;
        let mut delta = ASPIRATION_DELTA
            + (self.id % 8) as i32
            + (expected.mean_squared_score.abs() / i64::from(value(ASPIRATION_DIVISOR))) as i32;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if average != -Score::INFINITE && depth > 1 {
            alpha = (average - delta).max(-Score::INFINITE);
            beta = (average + delta).min(Score::INFINITE);
        }
        let mut fail_high_count = 0;
        loop {
            self.root_delta = (beta - alpha).max(1);
            let search_depth = (depth - fail_high_count).max(1);
            let score = self.search::<true>(0, alpha, beta, search_depth, false);
            // Stable, so that moves that were not searched keep their order.
            self.root_moves[self.pv_index..]
                .sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.is_interrupted() {
                return;
            }
            if let Some(manager) = self.manager.as_mut().filter(|_| self.pv_index == 0) {
                manager.time.set_failing_low(score <= alpha);
            }
            if score <= alpha {
                self.report_bound();
                beta = alpha;
                alpha = (score - delta).max(-Score::INFINITE);
                fail_high_count = 0;
            } else if score >= beta {
                self.report_bound();
                alpha = (beta - delta).max(alpha);
                beta = (score + delta).min(Score::INFINITE);
                fail_high_count += 1;
            } else {
                return;
            }
            delta += delta * ASPIRATION_WIDEN / 1024;
            if delta > MAX_DELTA {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether a root move is not yet the move of an earlier line.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv() == mv)
    }

    /// Reports the root move that is searched next; `move_count` is its number in this line.
    pub(super) fn report_current_move(&self, mv: Move, move_count: i32) {
        if let Some(manager) = &self.manager {
            let number = move_count as usize + self.pv_index;
            manager.reporter.report_current_move(&self.context, self.root_depth, mv, number);
        }
    }

    /// The score of a root move that is proven, with its line as the PV.
    pub(super) fn proven_score(&mut self, mv: Move) -> Option<Score> {
        let proof = self.context.proof_of(mv)?;
        self.pv.set(1, &proof.pv[1..]);
        Some(proof.score)
    }

    /// Stores the result of a root move; `is_proven` means that it is final.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        move_count: i32,
        node: &SearchNode,
        nodes: u64,
        is_proven: bool,
    ) {
        let line = self.pv.line(1);
        let selective_depth = self.selective_depth;
        let index = self.pv_index;
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv() == mv)
        else {
            return;
        };
        root_move.effort += nodes;
        if move_count > 1 && score <= node.alpha {
            // The score is only an upper bound. The stable sort keeps the place of the move.
            root_move.score = -Score::INFINITE;
            if let Some(manager) = &self.manager {
                manager.reporter.report_refutation(&self.context, mv);
            }
            return;
        }
        root_move.score = score;
        root_move.bound = match score {
            _ if is_proven => Bound::Exact,
            score if score >= node.beta => Bound::Lower,
            score if score <= node.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root_move.selective_depth = selective_depth;
        root_move.average_score = match root_move.average_score {
            average if average == -Score::INFINITE => score,
            average => Score((average.0 + score.0) / 2),
        };
        let squared = score.0 as i64 * score.0.abs() as i64;
        root_move.mean_squared_score = (root_move.mean_squared_score + squared) / 2;
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(line);
        if move_count > 1 && index == 0 {
            self.context.best_move_changes.fetch_add(1, Relaxed);
        }
    }

    /// Publishes the first `multi_pv` root moves as the result of this worker.
    fn publish_root_result(&self, multi_pv: usize) {
        let (depth, root_moves) = (self.completed_depth, self.root_moves[..multi_pv].to_vec());
        self.context.publish_nodes(self.id, self.nodes);
        self.context.publish_result(self.id, WorkerResult { depth, root_moves });
    }

    /// Records the finished iteration in the search manager, which may stop the search. Returns whether the next
    /// iteration should not go deeper.
    fn end_iteration(&mut self) -> bool {
        let Some(manager) = &mut self.manager else { return false };
        let best = &self.root_moves[0];
        let nodes_effort = best.effort as f64 / self.nodes.max(1) as f64;
        let (mv, score) = (best.mv(), best.score);
        manager.end_iteration(&self.context, mv, score, nodes_effort)
    }

    /// Whether a mate ends the search: a proven one, or one in fewer plies than two fifths of the depth, which a
    /// deeper search would hardly change (YaneuraOu's rule). Not in infinite analysis, with several lines or with a
    /// depth limit, and not at a strength level, which may miss the mate and takes its time for any move.
    fn is_mate_final(&self, iteration: Depth) -> bool {
        let (limits, options) = (&self.context.request.limits, &self.context.request.options);
        let Some(distance) = self.root_moves[0].score.mate_distance() else { return false };
        let proven =
            self.context.proven_win().is_some_and(|win| win.mv() == self.root_moves[0].mv());
        let settled = proven || iteration * 2 > distance.abs() * 5;
        settled
            && !limits.infinite
            && limits.depth.is_none()
            && options.reported_lines() == 1
            && options.strength.is_none()
            && self.manager.is_some()
    }

    /// Reports a score outside the window.
    fn report_bound(&mut self) {
        self.store_win();
        let options = &self.context.request.options;
        // A strength level searches several lines and shows one.
        let wanted = options.report_bounds && options.reported_lines() == 1 && self.pv_index == 0;
        let Some(manager) = &mut self.manager else { return };
        if wanted
            && manager.reporter.may_report(&self.context)
            && self.root_depth > 5
            && better_known_win(&self.context, &self.root_moves).is_none()
            && !self.context.declares_win
        {
            self.context.publish_nodes(self.id, self.nodes);
            let (context, best) = (&self.context, &self.root_moves[0]);
            let line = pv_line(context, SearchStats::now(context), best, self.root_depth, 0);
            manager.reporter.report_lines(context, vec![line]);
        }
    }

    /// Reports the lines of the finished iteration, now or later.
    fn report(&mut self) {
        let Some(manager) = self.manager.as_mut().filter(|manager| manager.reporter.is_enabled())
        else {
            return;
        };
        if !manager.reporter.may_report(&self.context) {
            return manager.reporter.defer_report();
        }
        self.context.publish_nodes(self.id, self.nodes);
        let lines = pv_lines(&self.context, &self.root_moves, self.root_depth);
        manager.reporter.report_lines(&self.context, lines);
    }
}

/// The depth of an iteration. With little time left it searches again at about the depth of the one before,
/// because a deeper search would not finish (Stockfish's idea; its `searchAgainCounter`).
fn adjusted_depth(iteration: Depth, search_again_count: Depth) -> Depth {
    (iteration - 3 * (search_again_count + 1) / 4).max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{START, context, request};
    use super::super::worker::ThreadData;
    use super::*;

    #[test]
    fn the_first_iteration_that_begins_late_goes_no_deeper_than_the_one_before() {
        assert_eq!(adjusted_depth(12, 0), 12);
        assert_eq!(adjusted_depth(13, 1), 12);
        assert_eq!(adjusted_depth(14, 2), 12);
        assert_eq!(adjusted_depth(16, 4), 13);
        assert_eq!(adjusted_depth(1, 1), 1);
    }

    /// Regression: a stop waited for all lines of the first iteration, with 593 of them half a second.
    #[test]
    fn a_stop_in_the_first_iteration_waits_for_one_line_or_at_a_level_for_all() {
        for (strength, needs_all) in [(None, false), (Some(-20), true)] {
            let limits = Limits { infinite: true, ..Limits::default() };
            let options = SearchOptions { multi_pv: 30, strength, ..SearchOptions::for_tests() };
            let context = Arc::new(context(request(START, limits, options)));
            context.request_stop();
            let thread_data = ThreadData::new().unwrap();
            let mut worker = SearchWorker::new(0, context.clone(), thread_data, None);
            worker.iterative_deepening();
            let WorkerResult { depth, root_moves } = context.main_result().unwrap();
            assert_eq!((depth, root_moves.len()), (1, 30));
            assert!(root_moves[0].known_score().is_some());
            let has_all = root_moves.iter().all(|line| line.known_score().is_some());
            assert_eq!(has_all, needs_all, "{strength:?}");
        }
    }

    #[test]
    fn a_move_proven_lost_after_the_last_iteration_is_replaced_by_the_next_best() {
        let (limits, options) = (Limits::default(), SearchOptions::for_tests());
        let context = Arc::new(context(request("4k4/9/9/9/9/9/9/9/4K4 b - 1", limits, options)));
        let moves = &context.root_moves;
        context.add_proof(RootMove::proven(vec![moves[0]; 6], Score::mated_in(6)));
        for (lines, order) in [(1, [1, 0]), (2, [1, 0]), (3, [1, 2])] {
            let thread_data = ThreadData::new().unwrap();
            let mut worker = SearchWorker::new(0, context.clone(), thread_data, None);
            worker.root_moves[0].score = Score(30);
            worker.root_moves[1..lines].iter_mut().for_each(|line| line.score = Score(10));
            worker.apply_proven_losses(lines, false);
            let first = worker.root_moves[..2].iter().map(RootMove::mv);
            assert_eq!(first.collect::<Vec<_>>(), order.map(|index: usize| moves[index]));
            let lost = worker.root_moves.iter().find(|line| line.mv() == moves[0]).unwrap();
            assert_eq!((lost.score, lost.pv.len()), (Score::mated_in(6), 6));
            if lines == 1 {
                // Regression: it was reported with the static evaluation of the root.
                let best = &worker.root_moves[0];
                assert_eq!((best.score, best.bound), (Score(30), Bound::Upper));
            }
        }
    }

    /// Regression: the iteration continued with a lost move, and at its end a move was played that had
    /// not been searched.
    #[test]
    fn a_proven_loss_ends_the_iteration_and_not_the_search() {
        let (limits, options) = (Limits::default(), SearchOptions::for_tests());
        let context = Arc::new(context(request("4k4/9/9/9/9/9/9/9/4K4 b - 1", limits, options)));
        let mut worker = SearchWorker::new(0, context.clone(), ThreadData::new().unwrap(), None);
        let mv = context.root_moves[0];
        context.add_proof(RootMove::proven(vec![mv; 5], Score::mate_in(5)));
        worker.poll_interrupts();
        assert!(!worker.is_interrupted());
        context.add_proof(RootMove::proven(vec![mv; 6], Score::mated_in(6)));
        worker.poll_interrupts();
        assert!(worker.is_interrupted() && !context.is_stopped());
        assert!(worker.search_root_lines(1, 1, 0), "the next iteration knows of it");
        context.stop();
        assert!(!worker.search_root_lines(1, 2, 0));
    }

    #[test]
    fn a_proven_loss_that_the_search_knows_does_not_promote_another_losing_move() {
        // Black mates after every move.
        let sfen = "lnk5l/2ss2R2/pSp4p1/5p2p/3pK2N1/PpP4PP/3Pp+n1B1/3GL3R/LNS6 w B3G2P3p 106";
        let (limits, options) =
            (Limits { depth: Some(20), ..Limits::default() }, SearchOptions::for_tests());
        let context = Arc::new(context(request(sfen, limits, options)));
        let mut worker = SearchWorker::new(0, context.clone(), ThreadData::new().unwrap(), None);
        worker.iterative_deepening();
        let best = worker.root_moves[0].clone();
        assert!(best.score.is_loss());
        context.add_proof(RootMove::proven(best.pv.clone(), best.score));
        worker.iterative_deepening();
        assert_eq!(worker.root_moves[0].mv(), best.mv());
    }
}
