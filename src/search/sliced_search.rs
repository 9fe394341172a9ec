//! A searcher without threads, for a browser: one worker on the thread that runs its jobs. The
//! worker yields periodically ([`crate::sys::pause_if_due`]); a stop or a ponder hit may arrive
//! meanwhile.

use std::sync::Arc;

use crossbeam::channel::Sender;
use parking_lot::Mutex;

use super::answer::{AnswerWithLines, answer_from_results};
use super::previous_scores::PreviousScores;
use super::request::{Clock, Event, Report, Request};
use super::root_mate::{self, RootMateSearch};
use super::search_context::SearchContext;
use super::search_manager::{RootMates, SearchManager};
use super::shared_state::SharedState;
use super::worker::{SearchWorker, ThreadData};
use crate::nnue::Network;
use crate::sys::{AllocationError, Instant};
use crate::types::message::Message;

/// Starts searches as [`SearchJob`]s, one at a time, and keeps the table and the histories between them.
#[derive(Debug)]
pub struct SlicedSearcher {
    shared: SharedState,
    thread_data: Arc<Mutex<Option<ThreadData>>>,
    events: Sender<Event>,
}

impl SlicedSearcher {
    /// A searcher with a small table and the built-in network. `events` receives the reports of all
    /// searches.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn new(events: Sender<Event>) -> Result<SlicedSearcher, AllocationError> {
        let shared = SharedState::new(|| None)?;
        shared.clear(1);
        let thread_data = Arc::new(Mutex::new(Some(ThreadData::new()?)));
        Ok(SlicedSearcher { shared, thread_data, events })
    }

    /// Sets the size of the transposition table and clears it. Only while idle. Returns a message if the
    /// table is smaller than asked for.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Option<Message> {
        self.shared.resize_hash(hash_mib, 1)
    }

    /// Sets the network and clears the table and the histories. Only while idle.
    pub fn set_network(&mut self, network: Network) {
        self.shared.set_network(network);
        self.clear();
    }

    /// Clears the table and the histories, as for a new game. Only while idle.
    pub fn clear(&mut self) {
        self.shared.clear(1);
        if let Some(data) = self.thread_data.lock().as_mut() {
            data.clear();
            data.drop_evaluator();
        }
    }

    /// The job of a search, which begins when it is run. Only while idle.
    pub fn job(&mut self, search_id: u64, request: Request) -> SearchJob {
        let (context, immediate) = self.shared.begin(search_id, request, 1);
        SearchJob {
            context,
            immediate,
            thread_data: self.thread_data.clone(),
            previous_scores: self.shared.previous_scores.clone(),
            events: self.events.clone(),
        }
    }

    /// Stops the search as soon as it has an answer. Later searches are not affected.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Tells the search that the move it ponders on was played. Its clock runs from `received`.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        self.shared.ponder_hit(clock, received);
    }
}

/// A search to run. Owns what it needs, so that the searcher can be told to stop while it runs.
#[derive(Debug)]
pub struct SearchJob {
    context: Arc<SearchContext>,
    immediate: Option<AnswerWithLines>,
    thread_data: Arc<Mutex<Option<ThreadData>>>,
    previous_scores: Arc<Mutex<PreviousScores>>,
    events: Sender<Event>,
}

impl SearchJob {
    /// Searches to the end. Exactly one `Report::Done` follows as the last event.
    pub fn run(mut self) {
        if self.immediate.is_none() {
            // Not in the condition: the lock must not be held while the search is suspended.
            let data = self.thread_data.lock().take();
            if let Some(data) = data {
                let data = self.search(data);
                *self.thread_data.lock() = Some(data);
            }
        }
        let immediate = self.immediate.take();
        let (answer, lines) =
            immediate.unwrap_or_else(|| answer_from_results(&self.context, &self.previous_scores));
        let outcome = self.context.outcome(answer, lines);
        // A closed channel means that the session is over.
        let _ = self
            .events
            .send(Event { search_id: self.context.search_id, report: Report::Done(outcome) });
    }

    fn search(&self, data: ThreadData) -> ThreadData {
        let context = &self.context;
        let previous_scores = *self.previous_scores.lock();
        let root_mates = if root_mate::is_enabled(&context.request) {
            RootMates::Interleaved(RootMateSearch::begin(context.clone(), Vec::new()).into())
        } else {
            RootMates::Off
        };
        let manager =
            SearchManager::new(Some(self.events.clone()), root_mates, context, previous_scores);
        let mut worker = SearchWorker::new(0, context.clone(), data, Some(manager));
        worker.iterative_deepening();
        context.stop();
        worker.into_thread_data()
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::super::request::{Answer, Limits, SearchOptions};
    use super::super::testing::{START, request};
    use super::super::thread_pool::ThreadPool;
    use super::*;

    fn done(events: &crossbeam::channel::Receiver<Event>) -> (Answer, u64) {
        loop {
            if let Report::Done(outcome) = events.recv().unwrap().report {
                return (outcome.answer, outcome.nodes);
            }
        }
    }

    #[test]
    fn one_worker_without_threads_finds_what_a_pool_of_one_finds() {
        let limits = || Limits { depth: Some(6), ..Limits::default() };
        let ask = || request(START, limits(), SearchOptions::for_tests());
        let ((sender, events), (pool_sender, pool_events)) = (unbounded(), unbounded());
        let mut searcher = SlicedSearcher::new(sender).unwrap();
        let mut pool = ThreadPool::new(pool_sender).unwrap();
        for search_id in [1, 2] {
            searcher.job(search_id, ask()).run();
            pool.go(search_id, ask());
            assert_eq!(done(&events), done(&pool_events), "{search_id}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_before_it_runs_has_one_iteration() {
        let (sender, events) = unbounded();
        let mut searcher = SlicedSearcher::new(sender).unwrap();
        let limits = Limits { infinite: true, ..Limits::default() };
        let job = searcher.job(1, request(START, limits, SearchOptions::for_tests()));
        searcher.stop();
        job.run();
        assert!(matches!(done(&events), (Answer::Move { .. }, nodes) if nodes > 0));
    }

    #[test]
    fn a_mate_at_the_root_is_proven_between_the_nodes() {
        let (sender, events) = unbounded();
        let mut searcher = SlicedSearcher::new(sender).unwrap();
        let mate = "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1";
        searcher.job(1, request(mate, Limits::default(), SearchOptions::for_tests())).run();
        // The mate ends a search without limits.
        assert!(matches!(done(&events), (Answer::Move { .. }, _)));
    }

    #[test]
    fn a_position_without_moves_is_answered_without_a_search() {
        let (sender, events) = unbounded();
        let mut searcher = SlicedSearcher::new(sender).unwrap();
        let mated = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1";
        searcher.job(1, request(mated, Limits::default(), SearchOptions::for_tests())).run();
        assert_eq!(done(&events), (Answer::Resign, 0));
    }
}
