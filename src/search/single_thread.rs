//! A searcher on the thread that calls it, for tools that make very many short searches: nothing is
//! handed to another thread, nothing is reported, and what a search needs is thread_data for the next.

use std::sync::Arc;

use super::request::Request;
use super::root_move::{RootMove, root_moves};
use super::search_manager::{PreviousScores, SearchManager};
use super::shared::SearchContext;
use super::shared_history::SharedHistories;
use super::worker::{SearchWorker, ThreadData};
use crate::nnue::{Evaluator, Network};
use crate::sys::AllocationError;
use crate::tt::TranspositionTable;
use crate::types::{Depth, Move, Score};

/// See the module's comment. The calling thread needs a stack of [`STACK_BYTES`](super::STACK_BYTES).
///
/// After [`SingleThreadSearcher::forget`] it searches as if it were new: the same requests find the same things.
#[derive(Debug)]
pub struct SingleThreadSearcher {
    table: Arc<TranspositionTable>,
    network: Network,
    histories: SharedHistories,
    /// `None` only if a search has panicked.
    thread_data: Option<ThreadData>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// As many as the options ask for, best first; none if the side to move has no legal move.
    pub moves: Vec<RankedMove>,
    /// The last iteration begun.
    pub depth: Depth,
    pub nodes: u64,
}

/// A move at the root, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub mv: Move,
    /// For the side to move.
    pub score: Score,
}

impl SingleThreadSearcher {
    /// A searcher with a table of this size, 1 MiB at least.
    ///
    /// # Errors
    /// The system does not grant the memory, some 105 MiB besides the table.
    pub fn new(hash_mib: usize, network: Network) -> Result<SingleThreadSearcher, AllocationError> {
        let refused = |_| AllocationError { bytes: hash_mib.saturating_mul(1 << 20) };
        let table = TranspositionTable::new(hash_mib.max(1)).map_err(refused)?;
        let histories = SharedHistories::new(1, || None)?;
        histories.clear();
        Ok(SingleThreadSearcher {
            table: Arc::new(table),
            network,
            histories,
            thread_data: Some(ThreadData::new()?),
        })
    }

    /// Forgets everything learned, as for a new game.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.histories.clear();
        if let Some(thread_data) = &mut self.thread_data {
            thread_data.clear();
        }
    }

    /// Searches until a limit falls, which should be one of nodes or depth. What the rules or the
    /// mate solver would answer without a search is not asked for.
    ///
    /// # Panics
    /// If a search before has panicked and there is no memory to begin anew.
    pub fn search(&mut self, request: Request) -> SearchResult {
        self.table.new_search();
        let root_moves = root_moves(&request);
        if root_moves.is_empty() {
            return SearchResult { moves: Vec::new(), depth: 0, nodes: 0 };
        }
        let (table, network) = (self.table.clone(), self.network.clone());
        let histories = self.histories.clone();
        let shared = SearchContext::new(0, request, root_moves, table, network, histories, 1);
        let shared = Arc::new(shared);
        let manager = SearchManager::new(None, &shared, PreviousScores::default());
        let thread_data = self
            .thread_data
            .take()
            .unwrap_or_else(|| ThreadData::new().expect("memory was there once"));
        let mut worker = SearchWorker::new(0, shared, thread_data, Some(manager));
        worker.iterative_deepening();
        let (depth, nodes) = (worker.root_depth, worker.nodes);
        let found = SearchResult { moves: moves(&worker), depth, nodes };
        self.thread_data = Some(worker.into_thread_data());
        found
    }
}

fn moves(worker: &SearchWorker) -> Vec<RankedMove> {
    let request = &worker.shared.request;
    let best = worker.root_moves.iter().take(request.options.lines()).enumerate();
    let choice = |(rank, root_move): (usize, &RootMove)| {
        let score = root_move.known_score();
        // Stopped before anything was searched, there is nothing but how the position looks.
        let network = worker.shared.network.clone();
        let looks = || Evaluator::new(network, &request.position).evaluate(&request.position);
        let score = if rank == 0 { Some(score.unwrap_or_else(looks)) } else { score };
        score.map(|score| RankedMove { mv: root_move.mv(), score })
    };
    best.filter_map(choice).collect()
}
