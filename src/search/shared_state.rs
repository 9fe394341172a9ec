//! The state that is kept from search to search, apart from thread data, and the start of a search
//! with it.

use std::sync::Arc;

use parking_lot::Mutex;

use super::answer::{AnswerWithLines, immediate_answer, winning_try_move};
use super::previous_scores::PreviousScores;
use super::request::{Clock, Request};
use super::root_move::{RootMove, put_first, root_moves};
use super::search_context::{PonderHit, SearchContext};
use super::shared_history::SharedHistories;
use super::time_manager;
use crate::nnue::Network;
use crate::sys::{AllocationError, Instant};
use crate::tt::TranspositionTable;
use crate::types::Score;
use crate::types::message::Message;

/// Size of the transposition table before the option is set.
const INITIAL_HASH_MIB: usize = 1;
/// A search with a node limit uses one worker for each so many nodes. With fewer nodes the workers all search the
/// same, and together they play worse than one worker with all nodes (measured by uuunuuun, 2018); the workers
/// would also update the shared node count too rarely to stop near the limit.
const NODES_PER_WORKER: u64 = 4096;

/// The transposition table, the network, the histories, the previous scores and the last search.
#[derive(Debug)]
pub(super) struct SharedState {
    pub(super) table: Arc<TranspositionTable>,
    network: Network,
    pub(super) histories: SharedHistories,
    pub(super) previous_scores: Arc<Mutex<PreviousScores>>,
    /// Receives a stop or a ponder hit. Holds the table, the network and the histories with which it began.
    last_search: Option<Arc<SearchContext>>,
}

impl SharedState {
    /// A small table, the built-in network, and histories for one thread, which must be cleared. `available`
    /// returns the bytes of free memory.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub(super) fn new(
        available: impl FnMut() -> Option<u64>,
    ) -> Result<SharedState, AllocationError> {
        let (table, _) = TranspositionTable::with_fallback(INITIAL_HASH_MIB);
        Ok(SharedState {
            table: Arc::new(table),
            network: Network::built_in(),
            histories: SharedHistories::new(1, available)?,
            previous_scores: Arc::default(),
            last_search: None,
        })
    }

    /// Sets the size of the transposition table and clears it with this many threads. Returns a message
    /// for the user if the memory was refused and a smaller table was made.
    pub(super) fn resize_hash(&mut self, hash_mib: usize, threads: usize) -> Option<Message> {
        if self.table.size_mib() == hash_mib {
            self.table.clear(threads);
            return None;
        }
        // Drop the old table first: there may be no memory for both.
        self.forget_last_search();
        let (smallest, _) = TranspositionTable::with_fallback(INITIAL_HASH_MIB);
        self.table = Arc::new(smallest);
        let (table, message) = TranspositionTable::with_fallback(hash_mib);
        self.table = Arc::new(table);
        self.table.clear(threads);
        message
    }

    /// Sets the network. What was learned with the old one must be cleared.
    pub(super) fn set_network(&mut self, network: Network) {
        self.forget_last_search();
        self.network = network;
    }

    /// Drops what only the last search still holds.
    pub(super) fn forget_last_search(&mut self) {
        self.last_search = None;
    }

    /// Stops the last search as soon as it has an answer. Later searches are not affected.
    pub(super) fn stop(&self) {
        if let Some(search) = &self.last_search {
            search.request_stop();
        }
    }

    /// Tells the last search that the move it ponders on was played. Its clock runs from `received`.
    pub(super) fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if let Some(search) = self.last_search.as_ref().filter(|search| search.is_pondering()) {
            let hit = PonderHit { clock, received };
            // First, so that a plan of the main worker, which may be earlier, replaces this one.
            time_manager::plan_end_after(search, hit);
            search.ponder_hit(hit);
        }
    }

    /// Clears everything, as for a new game.
    pub(super) fn clear(&self, threads: usize) {
        self.table.clear(threads);
        self.histories.clear();
        *self.previous_scores.lock() = PreviousScores::default();
    }

    /// The context of a new search by at most this many threads, and the answer if it is known already.
    pub(super) fn begin(
        &mut self,
        search_id: u64,
        request: Request,
        threads: usize,
    ) -> (Arc<SearchContext>, Option<AnswerWithLines>) {
        self.table.new_search();
        self.previous_scores.lock().begin(&request.position);
        let mut root_moves = root_moves(&request);
        if let Some(entry) = self.table.probe(request.position.key()).hit {
            put_first(&mut root_moves, entry.mv);
        }
        // More threads must not make a weak level stronger.
        let uses_one_worker = request.options.strength.is_some() || root_moves.is_empty();
        let useful = useful_workers(threads, request.limits.nodes);
        let workers = if uses_one_worker { 1 } else { useful };
        let (table, network) = (self.table.clone(), self.network.clone());
        let histories = self.histories.clone();
        let context =
            SearchContext::new(search_id, request, root_moves, table, network, histories, workers);
        let context = Arc::new(context);
        let immediate = immediate_answer(&context);
        if let Some(best) = winning_try_move(&context).filter(|_| immediate.is_none()) {
            context.add_proof(RootMove::proven(vec![best], Score::mate_in(1)));
        }
        self.last_search = Some(context.clone());
        (context, immediate)
    }
}

/// The number of threads that are useful for a node limit; `None` for no limit.
fn useful_workers(threads: usize, nodes: Option<u64>) -> usize {
    let max_workers = nodes.map_or(u64::MAX, |nodes| (nodes / NODES_PER_WORKER).max(1));
    max_workers.min(threads as u64) as usize
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::request::{Limits, SearchOptions};
    use super::super::search_context::Signal;
    use super::super::testing::{START, request};
    use super::*;
    use crate::types::ByColor;

    #[test]
    fn a_small_node_limit_uses_few_threads() {
        let useful = |nodes| useful_workers(3, Some(nodes));
        assert_eq!([8191, 8192, 12_288, u64::MAX].map(useful), [1, 2, 3, 3]);
        assert_eq!(useful_workers(3, None), 3);
    }

    /// Regression: only the main worker planned the end of the move, which on a busy machine may get no processor
    /// before the time is over.
    #[test]
    fn a_ponder_hit_plans_the_end_of_the_search_without_the_main_worker() {
        let mut shared = SharedState::new(|| Some(0)).unwrap();
        let limits = Limits { ponder: true, ..Limits::default() };
        let request = request(START, limits, SearchOptions::for_tests());
        let (context, _) = shared.begin(1, request, 1);
        let second = Duration::from_secs(1);
        let clock = Some(Clock { byoyomi: ByColor([second; 2]), ..Clock::default() });
        let received = Instant::now();
        shared.ponder_hit(clock, received);
        shared.ponder_hit(clock, received + second);
        let planned = context.signals().try_iter().map(|signal| match signal {
            Signal::End(end) => (end.clock_start, end.at),
            Signal::Stopped => panic!("the time is not over"),
        });
        assert_eq!(planned.collect::<Vec<_>>(), [(received, received + second)]);
    }
}
