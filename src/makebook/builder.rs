//! Expands the leaves of a book by searches on several threads.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Sender, unbounded};

use super::graph::{BookGraph, KnownMove, LeafSelection, MATE};
use crate::book::MemoryBook;
use crate::nnue::Network;
use crate::position::{Position, Setup};
use crate::search::request::{Limits, Request, SearchOptions};
use crate::search::{STACK_BYTES, SearchResult, SingleThreadSearcher};
use crate::sys::{AllocationError, in_processor_group, refused_thread};
use crate::types::message::{Message, message};
use crate::types::{Move, Score};

/// How a book is built.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The positions where games start.
    pub roots: Vec<Setup>,
    /// The number of positions of the book.
    pub positions: usize,
    /// The nodes of each search.
    pub nodes: u64,
    /// Maximum number of moves kept for each position.
    pub moves: usize,
    /// The cost of each move in centipawns, in addition to its loss. A greater cost makes a broader book.
    pub ply_cost: i32,
    /// The last move number at which positions are searched. Positions without a number are counted
    /// from their root.
    pub last_ply: u32,
    /// Positions with at least this evaluation in centipawns for either side are not searched.
    pub decided: i32,
    pub threads: usize,
    /// The transposition table of each thread.
    pub hash_mib: usize,
    pub network: Network,
    pub options: SearchOptions,
}

/// Why the building ended early.
#[derive(Debug)]
pub enum BuildError {
    Memory(AllocationError),
    Thread(std::io::Error),
    /// The search panicked in the position with this SFEN.
    Search(String),
}

impl BuildError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            BuildError::Memory(error) => error.message(),
            BuildError::Thread(error) => {
                message!(
                    "the search cannot start: {}",
                    "探索を始められません：{}";
                    Message::from(error)
                )
            }
            BuildError::Search(sfen) => {
                message!("the search failed in {sfen}", "次の局面の探索に失敗しました：{sfen}")
            }
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for BuildError {}

/// Builds a book, one batch of searches after the other.
#[derive(Debug)]
pub struct BookBuilder {
    settings: BuildSettings,
    graph: BookGraph,
    /// Node indices with their move numbers.
    roots: Vec<(usize, u32)>,
    searchers: Vec<SingleThreadSearcher>,
    stop: Arc<AtomicBool>,
}

impl BookBuilder {
    /// Starts with a book, which may be empty. Once `stop` is set, no search begins, and the searches in progress
    /// are abandoned.
    ///
    /// # Errors
    /// If there is no memory to search with.
    pub fn new(
        settings: BuildSettings,
        book: &MemoryBook,
        stop: Arc<AtomicBool>,
    ) -> Result<BookBuilder, BuildError> {
        let mut graph = BookGraph::of(book);
        let roots = settings.roots.iter().map(|setup| (graph.add(setup), setup.game_ply)).collect();
        graph.update_values();
        let searcher = |_| {
            SingleThreadSearcher::new(settings.hash_mib, settings.network.clone())
                .map(|searcher| searcher.with_stop_flag(stop.clone()))
                .map_err(BuildError::Memory)
        };
        let searchers = (0..settings.threads.max(1)).map(searcher).collect::<Result<_, _>>()?;
        Ok(BookBuilder { settings, graph, roots, searchers, stop })
    }

    /// The number of positions in the book.
    pub fn positions(&self) -> usize {
        self.graph.positions()
    }

    /// The value of the first root in centipawns for its side to move, if it is known, and its
    /// principal variation.
    pub fn pv(&self) -> (Option<i32>, Vec<Move>) {
        self.roots.first().map_or((None, Vec::new()), |&(root, _)| self.graph.pv(root))
    }

    /// The present book.
    pub fn book(&self) -> MemoryBook {
        self.graph.book()
    }

    /// Searches and adds the next batch of positions. Calls `progress` for each new position with the number
    /// of positions in the book. After a stop the results so far are added. Returns false if no leaf was
    /// expanded.
    ///
    /// # Errors
    /// If a search fails. The results of other searches are added.
    pub fn step(&mut self, progress: &mut dyn FnMut(usize)) -> Result<bool, BuildError> {
        // In a small book each new position changes the values, in a large one hardly. The size of a batch
        // must not depend on the number of threads.
        let batch = 8 + self.positions() / 32;
        let batch = batch.min(self.settings.positions.saturating_sub(self.positions()));
        let BuildSettings { ply_cost, last_ply, decided, .. } = self.settings;
        let selection = LeafSelection { ply_cost, last_ply, decided };
        let leaves = self.graph.select_leaves(&self.roots, selection, batch);
        if leaves.is_empty() {
            return Ok(false);
        }
        let (found, result) = self.search_all(&leaves, progress);
        let mut has_grown = false;
        for (leaf, found) in leaves.into_iter().zip(found) {
            if let Some(found) = found {
                has_grown |= self.graph.expand(leaf, &known_moves(&found));
            }
        }
        self.graph.update_values();
        result.map(|()| has_grown)
    }

    /// The result of the search of each leaf, as far as they came.
    fn search_all(
        &mut self,
        leaves: &[usize],
        progress: &mut dyn FnMut(usize),
    ) -> (Vec<Option<SearchResult>>, Result<(), BuildError>) {
        let mut found = vec![None; leaves.len()];
        let mut result = Ok(());
        let before = self.graph.positions();
        let (settings, graph, taken) = (&self.settings, &self.graph, AtomicUsize::new(0));
        let is_stopped = &|| self.stop.load(Ordering::Relaxed);
        let next = &|| {
            let index = taken.fetch_add(1, Ordering::Relaxed);
            let leaf = leaves.get(index).filter(|_| !is_stopped());
            leaf.map(|&leaf| (index, leaf))
        };
        thread::scope(|scope| {
            let (sender, results) = unbounded();
            for (index, searcher) in self.searchers.iter_mut().enumerate() {
                let sender = sender.clone();
                let builder = thread::Builder::new().name("makebook".into());
                let work = move || run_thread(settings, graph, next, is_stopped, searcher, &sender);
                let work = in_processor_group(index, work);
                if let Err(error) = builder.stack_size(STACK_BYTES).spawn_scoped(scope, work) {
                    result = Err(BuildError::Thread(refused_thread(error)));
                }
            }
            drop(sender);
            let mut done = 0;
            for (index, searched) in results {
                match searched {
                    Ok(searched) => {
                        // A mated position gets no entry.
                        if !searched.moves.is_empty() {
                            done += 1;
                            progress(before + done);
                        }
                        found[index] = Some(searched);
                    }
                    Err(error) => {
                        taken.store(leaves.len(), Ordering::Relaxed);
                        result = Err(error);
                    }
                }
            }
        });
        (found, result)
    }
}

/// Searches one leaf after the other, with its index, until `next` has none. The result of a search that was stopped
/// is dropped: it depends on the time.
fn run_thread(
    settings: &BuildSettings,
    graph: &BookGraph,
    next: &impl Fn() -> Option<(usize, usize)>,
    is_stopped: &impl Fn() -> bool,
    searcher: &mut SingleThreadSearcher,
    sender: &Sender<(usize, Result<SearchResult, BuildError>)>,
) {
    while let Some((index, leaf)) = next() {
        let found = match graph.position(leaf) {
            Some(position) => search(settings, position, searcher),
            // An impossible root.
            None => Ok(SearchResult { moves: Vec::new(), depth: 0, nodes: 0 }),
        };
        if is_stopped() || sender.send((index, found)).is_err() {
            break;
        }
    }
}

fn search(
    settings: &BuildSettings,
    position: Position,
    searcher: &mut SingleThreadSearcher,
) -> Result<SearchResult, BuildError> {
    let sfen = position.to_sfen();
    let request = Request {
        position,
        limits: Limits { nodes: Some(settings.nodes.max(1)), ..Limits::default() },
        options: SearchOptions { multi_pv: settings.moves.max(1), ..settings.options.clone() },
        received: Instant::now(),
    };
    // The result must not depend on earlier searches.
    let search = AssertUnwindSafe(|| {
        searcher.clear();
        searcher.search(request)
    });
    catch_unwind(search).map_err(|_| BuildError::Search(sfen))
}

fn known_moves(result: &SearchResult) -> Vec<KnownMove> {
    let depth = u32::try_from(result.depth).unwrap_or(0);
    let moves = result.moves.iter();
    moves.map(|found| KnownMove::searched(found.mv, centipawns(found.score), depth)).collect()
}

/// A score in the units of books.
fn centipawns(score: Score) -> i32 {
    match score.mate_distance() {
        Some(plies) if plies > 0 => MATE - plies,
        Some(plies) => -MATE - plies,
        None => score.centipawns(),
    }
}
