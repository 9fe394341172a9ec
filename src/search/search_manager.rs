//! The state of the main worker only: the time manager, the reporter, and the other limits of a
//! search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::Sender;

use super::previous_scores::PreviousScores;
use super::reporter::Reporter;
use super::request::Event;
use super::root_mate::RootMateSearch;
use super::search_context::SearchContext;
use super::strength::StrengthLevel;
use super::time_budget::ms;
use super::time_manager::TimeManager;
use crate::sys;
use crate::types::{Depth, Move, Score};

/// Nodes between two polls: about a millisecond.
const NODES_PER_POLL: u64 = 512;

#[derive(Debug)]
pub(super) struct SearchManager {
    pub(super) time: TimeManager,
    pub(super) reporter: Reporter,
    /// Node count at which to poll again.
    pub(super) next_poll: u64,
    node_limit: Option<u64>,
    level: Option<StrengthLevel>,
    root_mates: RootMates,
    /// Stops the search when it is set.
    pub(super) stop_flag: Option<Arc<AtomicBool>>,
}

/// Where the root mate search of this search runs.
#[derive(Debug)]
pub(super) enum RootMates {
    Off,
    /// On a thread that receives each new best move.
    OnThread(Sender<Move>),
    /// Between the nodes of the main worker.
    Interleaved(Box<RootMateSearch>),
}

impl SearchManager {
    /// `events` receives the reports.
    pub(super) fn new(
        events: Option<Sender<Event>>,
        root_mates: RootMates,
        context: &SearchContext,
        previous_scores: PreviousScores,
    ) -> SearchManager {
        let request = &context.request;
        let mut manager = SearchManager {
            time: TimeManager::new(context, previous_scores),
            reporter: Reporter::new(events),
            next_poll: 0,
            node_limit: request.limits.nodes,
            level: request.options.strength.map(StrengthLevel::new),
            root_mates,
            stop_flag: None,
        };
        manager.schedule_poll(0, context.worker_count());
        manager
    }

    fn schedule_poll(&mut self, nodes: u64, workers: usize) {
        self.next_poll = nodes + NODES_PER_POLL;
        if workers > 1 {
            return;
        }
        // The only worker knows the exact node of a limit.
        for limit in self.node_limit.into_iter().chain(self.level.map(StrengthLevel::nodes)) {
            self.next_poll = self.next_poll.min(limit.max(nodes + 1));
        }
    }

    /// The work due every [`NODES_PER_POLL`] nodes: ponder hit, a slice of the root mate search, reports, limits.
    /// `nodes` and `completed_depth` are those of the main worker.
    pub(super) fn poll(&mut self, context: &SearchContext, nodes: u64, completed_depth: Depth) {
        self.schedule_poll(nodes, context.worker_count());
        self.time.handle_ponder_hit(context);
        if let RootMates::Interleaved(search) = &mut self.root_mates {
            search.run_slice();
        }
        if !matches!(self.root_mates, RootMates::Off) {
            self.reporter.report_proven_win(context, completed_depth);
        }
        self.reporter.report_pending_lines(context);
        self.reporter.report_entries(context);
        let is_flagged = self.stop_flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_flagged || self.node_limit.is_some_and(|limit| context.nodes() >= limit) {
            context.stop();
        }
        if self.has_searched_level_nodes(nodes, completed_depth) {
            self.wait_for_move_time(context);
            context.stop();
        }
        if let Some(end) = self.time.end_reached() {
            context.stop_by_clock(end);
        }
    }

    /// Whether a strength level has used up its nodes. It always finishes the first iteration, which
    /// compares each move with all others.
    fn has_searched_level_nodes(&self, nodes: u64, completed_depth: Depth) -> bool {
        completed_depth > 0 && self.level.is_some_and(|level| nodes >= level.nodes())
    }

    /// Waits until the time that a strength level takes for a move is over.
    fn wait_for_move_time(&mut self, context: &SearchContext) {
        const POLL_INTERVAL: Duration = Duration::from_millis(2);
        let minimum_thinking_ms = ms(context.request.options.time.minimum_thinking);
        while !context.is_stopped() {
            // Read first: a hit that comes after this is seen the next time.
            let is_pondering = context.is_pondering();
            self.time.start_clock_on_ponder_hit(context);
            let move_time_ms = match (self.level, self.time.budget()) {
                (Some(level), Some(budget)) => {
                    let move_time_ms =
                        level.move_time_ms(budget.optimum_ms, context.request.position.key());
                    move_time_ms.max(minimum_thinking_ms.min(budget.minimum_ms))
                }
                _ if is_pondering => f64::INFINITY,
                _ => 0.0,
            };
            if self.time.elapsed_ms() >= move_time_ms {
                return;
            }
            sys::sleep(POLL_INTERVAL);
        }
    }

    /// Records a finished iteration, and stops the search if the move is due. Returns whether the next iteration should
    /// not go deeper.
    pub(super) fn end_iteration(
        &mut self,
        context: &SearchContext,
        best: Move,
        score: Score,
        nodes_effort: f64,
    ) -> bool {
        let has_changed = self.time.end_iteration(context, best, score, nodes_effort);
        match &mut self.root_mates {
            // A closed channel means that the root mate search has nothing left to prove.
            RootMates::OnThread(best_moves) if has_changed => _ = best_moves.send(best),
            RootMates::Interleaved(search) if has_changed => search.set_best_move(best),
            _ => {}
        }
        self.time.should_search_again(context)
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::super::request::{Clock, Limits, Report, SearchOptions};
    use super::super::root_move::RootMove;
    use super::super::testing::{START, context, request};
    use super::*;
    use crate::types::ByColor;

    /// Regression: the depth was the number of iterations, of which an engine of a cluster leaves some out.
    #[test]
    fn a_proven_win_is_reported_with_the_depth_of_the_last_iteration() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        let ((sender, events), (best_moves, _receiver)) = (unbounded(), unbounded());
        let root_mates = RootMates::OnThread(best_moves);
        let mut manager =
            SearchManager::new(Some(sender), root_mates, &context, PreviousScores::default());
        context.add_proof(RootMove::proven(vec![context.root_moves[0]], Score::mate_in(1)));
        manager.poll(&context, 0, 12);
        let reports: Vec<Report> = events.try_iter().map(|event| event.report).collect();
        let [Report::Lines(lines)] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!((lines[0].depth, lines[0].score), (12, Score::mate_in(1)));
    }

    #[test]
    fn a_weak_player_respects_the_minimum_time_too() {
        let mut options = SearchOptions { strength: Some(-10), ..SearchOptions::for_tests() };
        options.time.minimum_thinking = Duration::from_millis(60);
        let time = ByColor([Duration::from_secs(1); 2]);
        let limits =
            Limits { clock: Some(Clock { time, ..Clock::default() }), ..Limits::default() };
        let context = context(request(START, limits, options));
        let mut manager =
            SearchManager::new(None, RootMates::Off, &context, PreviousScores::default());
        manager.wait_for_move_time(&context);
        assert!(manager.time.elapsed_ms() >= 60.0);
    }
}
