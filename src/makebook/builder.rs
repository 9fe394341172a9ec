//! Searching the most promising positions of a book, many at once.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Sender, unbounded};

use super::graph::{Graph, MATE, Said, Taste};
use crate::book::MemoryBook;
use crate::nnue::Network;
use crate::position::{Position, Setup};
use crate::search::request::{Limits, Request, SearchOptions};
use crate::search::{STACK_BYTES, SearchResult, SingleThreadSearcher};
use crate::sys::AllocationError;
use crate::types::Score;

/// How a book is grown.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// Where games begin.
    pub roots: Vec<Setup>,
    /// How many positions the book shall have.
    pub positions: usize,
    /// How many are searched for each.
    pub nodes: u64,
    /// How many moves are kept of each.
    pub moves: usize,
    /// Centipawns that a move costs besides what it loses: the higher, the broader the book.
    pub ply_cost: i32,
    /// No position behind this move is searched. Where a book has no numbers, moves are counted from
    /// the root.
    pub last_ply: u32,
    /// No position is searched that is worth so many centipawns to either side.
    pub decided: i32,
    pub threads: usize,
    /// Of each thread's table.
    pub hash_mib: usize,
    pub network: Network,
    pub options: SearchOptions,
}

/// What ends the growing before its time. What was found before stands.
#[derive(Debug)]
pub enum BuildError {
    Memory(AllocationError),
    Thread(std::io::Error),
    /// The search has panicked in this position.
    Search(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Memory(error) => error.fmt(f),
            BuildError::Thread(error) => write!(f, "no thread to search with: {error}"),
            BuildError::Search(sfen) => write!(f, "the search has failed in {sfen}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// A book that grows.
#[derive(Debug)]
pub struct BookBuilder {
    settings: BuildSettings,
    graph: Graph,
    /// With the numbers of their moves.
    roots: Vec<(usize, u32)>,
    searchers: Vec<SingleThreadSearcher>,
}

impl BookBuilder {
    /// Begins with a book, which may be empty.
    ///
    /// # Errors
    /// If there is no memory to search with.
    pub fn new(settings: BuildSettings, book: &MemoryBook) -> Result<BookBuilder, BuildError> {
        let mut graph = Graph::of(book);
        let roots = settings.roots.iter().map(|setup| (graph.place(setup), setup.ply)).collect();
        graph.settle();
        let searcher = |_| {
            SingleThreadSearcher::new(settings.hash_mib, settings.network.clone())
                .map_err(BuildError::Memory)
        };
        let searchers = (0..settings.threads.max(1)).map(searcher).collect::<Result<_, _>>()?;
        Ok(BookBuilder { settings, graph, roots, searchers })
    }

    /// How many positions the book has.
    pub fn positions(&self) -> usize {
        self.graph.searched()
    }

    /// The value of the first root in centipawns for its side to move, if anything is known of it,
    /// and its best line.
    pub fn main_line(&self) -> (Option<i32>, Vec<crate::types::Move>) {
        self.roots.first().map_or((None, Vec::new()), |&(root, _)| self.graph.line(root))
    }

    /// The book as it is.
    pub fn book(&self) -> MemoryBook {
        self.graph.book()
    }

    /// Searches the next positions and takes in what is found; `tick` is called for each that the
    /// book gains, with how many positions it will have then. False if there is nothing left to be
    /// searched.
    ///
    /// # Errors
    /// If a search fails. What the others have found is taken in.
    pub fn step(&mut self, tick: &mut dyn FnMut(usize)) -> Result<bool, BuildError> {
        // A small book changes its mind with each position, a large one hardly. How many it is must
        // not hang on the threads.
        let most = 8 + self.positions() / 32;
        let most = most.min(self.settings.positions.saturating_sub(self.positions()));
        let BuildSettings { ply_cost, last_ply, decided, .. } = self.settings;
        let taste = Taste { ply_cost, last_ply, decided };
        let places = self.graph.most_promising(&self.roots, taste, most);
        if places.is_empty() {
            return Ok(false);
        }
        let (found, result) = self.search_all(&places, tick);
        let mut has_learned = false;
        for (place, found) in places.into_iter().zip(found) {
            if let Some(found) = found {
                has_learned |= self.graph.learn(place, &said(&found));
            }
        }
        self.graph.settle();
        result.map(|()| has_learned)
    }

    /// What was found of each place, as far as it was searched.
    fn search_all(
        &mut self,
        places: &[usize],
        tick: &mut dyn FnMut(usize),
    ) -> (Vec<Option<SearchResult>>, Result<(), BuildError>) {
        let mut found = vec![None; places.len()];
        let mut result = Ok(());
        let known = self.graph.searched();
        let (settings, graph, next) = (&self.settings, &self.graph, AtomicUsize::new(0));
        let next = &next;
        thread::scope(|scope| {
            let (sender, news) = unbounded();
            for searcher in &mut self.searchers {
                let sender = sender.clone();
                let builder = thread::Builder::new().name("makebook".into());
                let work = move || work(settings, graph, places, next, searcher, &sender);
                if let Err(error) = builder.stack_size(STACK_BYTES).spawn_scoped(scope, work) {
                    result = Err(BuildError::Thread(error));
                }
            }
            drop(sender);
            let mut done = 0;
            for (index, outcome) in news {
                match outcome {
                    Ok(outcome) => {
                        // Where a side is mated there is nothing to write.
                        if !outcome.moves.is_empty() {
                            done += 1;
                            tick(known + done);
                        }
                        found[index] = Some(outcome);
                    }
                    Err(failure) => {
                        next.store(places.len(), Ordering::Relaxed);
                        result = Err(failure);
                    }
                }
            }
        });
        (found, result)
    }
}

/// Searches one place after the other until there are no more.
fn work(
    settings: &BuildSettings,
    graph: &Graph,
    places: &[usize],
    next: &AtomicUsize,
    searcher: &mut SingleThreadSearcher,
    sender: &Sender<(usize, Result<SearchResult, BuildError>)>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(&place) = places.get(index) else { break };
        let outcome = match graph.position(place) {
            Some(position) => search(settings, position, searcher),
            // What was reached by play can be played on.
            None => Ok(SearchResult { moves: Vec::new(), depth: 0, nodes: 0 }),
        };
        if sender.send((index, outcome)).is_err() {
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
    // What was searched before must not matter.
    let search = AssertUnwindSafe(|| {
        searcher.clear();
        searcher.search(request)
    });
    catch_unwind(search).map_err(|_| BuildError::Search(sfen))
}

fn said(found: &SearchResult) -> Vec<Said> {
    let depth = u32::try_from(found.depth).unwrap_or(0);
    let choices = found.moves.iter();
    choices.map(|choice| Said::searched(choice.mv, centipawns(choice.score), depth)).collect()
}

/// As books write it.
fn centipawns(score: Score) -> i32 {
    match score.mate_distance() {
        Some(plies) if plies > 0 => MATE - plies,
        Some(plies) => -MATE - plies,
        None => score.centipawns(),
    }
}
