//! A searcher on the calling thread, for tools that make very many short searches: nothing is handed to
//! another thread, nothing is reported, and the thread data is kept.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::previous_scores::PreviousScores;
use super::request::Request;
use super::root_move::{RootMove, root_moves};
use super::search_context::SearchContext;
use super::search_manager::{RootMates, SearchManager};
use super::shared_history::SharedHistories;
use super::worker::{SearchWorker, ThreadData};
use crate::nnue::Network;
use crate::sys::AllocationError;
use crate::tt::TranspositionTable;
use crate::types::{Depth, Move, Score};

/// Runs one search after another on the calling thread, which needs a stack of
/// [`STACK_BYTES`](super::STACK_BYTES).
///
/// After [`SingleThreadSearcher::clear`] the same requests give the same results as in a new searcher.
#[derive(Debug)]
pub struct SingleThreadSearcher {
    table: Arc<TranspositionTable>,
    network: Network,
    histories: SharedHistories,
    /// `None` only after a panic.
    thread_data: Option<ThreadData>,
    stop_flag: Option<Arc<AtomicBool>>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// As many moves as the options ask for, best first; none if there is no legal move.
    pub moves: Vec<RankedMove>,
    /// The last iteration that was started.
    pub depth: Depth,
    pub nodes: u64,
}

/// A root move and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub mv: Move,
    /// The principal variation; it starts with `mv`.
    pub pv: Vec<Move>,
    /// For the side to move.
    pub score: Score,
}

impl SingleThreadSearcher {
    /// A searcher with a table of this size in MiB, at least 1.
    ///
    /// # Errors
    /// If the system refuses the memory, about 105 MiB in addition to the table.
    pub fn new(hash_mib: usize, network: Network) -> Result<SingleThreadSearcher, AllocationError> {
        let table = TranspositionTable::new(hash_mib)?;
        let histories = SharedHistories::new(1, || None)?;
        histories.clear();
        Ok(SingleThreadSearcher {
            table: Arc::new(table),
            network,
            histories,
            thread_data: Some(ThreadData::new()?),
            stop_flag: None,
        })
    }

    /// A flag that stops the searches once it is set. The result is then that of the part that was searched.
    #[must_use]
    pub fn with_stop_flag(self, flag: Arc<AtomicBool>) -> SingleThreadSearcher {
        SingleThreadSearcher { stop_flag: Some(flag), ..self }
    }

    /// Clears the table and the histories, as for a new game.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.histories.clear();
        if let Some(thread_data) = &mut self.thread_data {
            thread_data.clear();
        }
    }

    /// Searches until a limit is reached, which should be one of nodes or depth. Never
    /// answers with a declaration at the root, and runs no root mate search.
    ///
    /// # Panics
    /// After an earlier panic, if there is no memory for new thread data.
    pub fn search(&mut self, request: Request) -> SearchResult {
        self.table.new_search();
        let root_moves = root_moves(&request);
        if root_moves.is_empty() {
            return SearchResult { moves: Vec::new(), depth: 0, nodes: 0 };
        }
        let (table, network) = (self.table.clone(), self.network.clone());
        let histories = self.histories.clone();
        let context = SearchContext::new(0, request, root_moves, table, network, histories, 1);
        let context = Arc::new(context);
        let mut manager =
            SearchManager::new(None, RootMates::Off, &context, PreviousScores::default());
        manager.stop_flag.clone_from(&self.stop_flag);
        let thread_data = self
            .thread_data
            .take()
            .unwrap_or_else(|| ThreadData::new().expect("memory was there once"));
        let mut worker = SearchWorker::new(0, context, thread_data, Some(manager));
        worker.iterative_deepening();
        let (depth, nodes) = (worker.root_depth, worker.nodes);
        let found = SearchResult { moves: moves(&worker), depth, nodes };
        self.thread_data = Some(worker.into_thread_data());
        found
    }
}

fn moves(worker: &SearchWorker) -> Vec<RankedMove> {
    let context = &worker.context;
    let wanted = context.request.options.reported_lines();
    let best = worker.root_moves.iter().take(wanted).enumerate();
    let choice = |(index, root_move): (usize, &RootMove)| {
        let score = root_move.known_score();
        let score = score.or_else(|| (index == 0).then(|| context.static_eval()));
        score.map(|score| RankedMove { mv: root_move.mv(), pv: root_move.line().to_vec(), score })
    };
    best.filter_map(choice).collect()
}
