//! A searcher on the thread that calls it, for tools that make very many short searches: nothing is
//! handed to another thread, nothing is reported, and what a search needs is kept for the next.

use std::sync::Arc;

use super::common::Common;
use super::main_duties::{GameMemory, MainDuties};
use super::request::Request;
use super::root_move::{RootMove, root_moves};
use super::shared::Shared;
use super::worker::{Kept, Worker};
use crate::nnue::{Evaluator, Network};
use crate::sys::MemoryRefused;
use crate::tt::Table;
use crate::types::{Depth, Move, Score};

/// See the module's comment. The calling thread needs a stack of [`STACK_BYTES`](super::STACK_BYTES).
///
/// After [`Solo::forget`] it searches as if it were new: the same requests find the same things.
#[derive(Debug)]
pub struct Solo {
    table: Arc<Table>,
    network: Network,
    common: Common,
    /// `None` only if a search has panicked.
    kept: Option<Kept>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// As many as the options ask for, best first; none if the side to move has no legal move.
    pub choices: Vec<Choice>,
    /// The last iteration begun.
    pub depth: Depth,
    pub nodes: u64,
}

/// A move at the root, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: Move,
    /// For the side to move.
    pub score: Score,
}

impl Solo {
    /// A searcher with a table of this size, 1 MiB at least.
    ///
    /// # Errors
    /// The system does not grant the memory, some 105 MiB besides the table.
    pub fn new(hash_mib: usize, network: Network) -> Result<Solo, MemoryRefused> {
        let refused = |_| MemoryRefused { bytes: hash_mib.saturating_mul(1 << 20) };
        let table = Table::new(hash_mib.max(1)).map_err(refused)?;
        let common = Common::new(1, || None)?;
        common.clear();
        Ok(Solo { table: Arc::new(table), network, common, kept: Some(Kept::new()?) })
    }

    /// Forgets everything learned, as for a new game.
    pub fn forget(&mut self) {
        self.table.clear(1);
        self.common.clear();
        if let Some(kept) = &mut self.kept {
            kept.forget();
        }
    }

    /// Searches until a limit falls, which should be one of nodes or depth. What the rules or the
    /// mate solver would answer without a search is not asked for.
    ///
    /// # Panics
    /// If a search before has panicked and there is no memory to begin anew.
    pub fn search(&mut self, request: Request) -> Found {
        self.table.new_search();
        let root_moves = root_moves(&request);
        if root_moves.is_empty() {
            return Found { choices: Vec::new(), depth: 0, nodes: 0 };
        }
        let (table, network) = (self.table.clone(), self.network.clone());
        let common = self.common.clone();
        let shared = Shared::new(0, request, root_moves, table, network, common, 1);
        let shared = Arc::new(shared);
        let duties = MainDuties::new(None, &shared, GameMemory::default());
        let kept = self.kept.take().unwrap_or_else(|| Kept::new().expect("memory was there once"));
        let mut worker = Worker::new(0, shared, kept, Some(duties));
        worker.deepen();
        let (depth, nodes) = (worker.root_depth, worker.nodes);
        let found = Found { choices: choices(&worker), depth, nodes };
        self.kept = Some(worker.into_kept());
        found
    }
}

fn choices(worker: &Worker) -> Vec<Choice> {
    let request = &worker.shared.request;
    let best = worker.root_moves.iter().take(request.options.lines()).enumerate();
    let choice = |(rank, root_move): (usize, &RootMove)| {
        let score = root_move.known_score();
        // Stopped before anything was searched, there is nothing but how the position looks.
        let network = worker.shared.network.clone();
        let looks = || Evaluator::new(network, &request.position).evaluate(&request.position);
        let score = if rank == 0 { Some(score.unwrap_or_else(looks)) } else { score };
        score.map(|score| Choice { mv: root_move.mv(), score })
    };
    best.filter_map(choice).collect()
}
