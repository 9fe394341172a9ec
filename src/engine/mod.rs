//! The engine without a protocol: settings, the current position, the network and the books in use,
//! and the search.
//!
//! A driver (the USI session, another protocol, a tool) calls [`Engine`] and receives the events of
//! the search. The engine decides when the search must be resized or cleared and when files must be
//! loaded; the loader thread does that. Its messages are for the user; it writes no protocol and prints
//! nothing. [`go_task`] decides when a `go` may be answered, and [`answer_check`]
//! checks the answer against the rules.

pub mod answer_check;
mod books;
mod eval_options_file;
mod file_lookup;
mod game_clock;
pub mod go_task;
mod load_manager;
mod loader;
#[cfg(not(target_family = "wasm"))]
mod mate_thread;
mod mate_worker;
mod network_in_use;
mod option_file;
mod option_profile;
mod perft;
#[cfg(not(target_family = "wasm"))]
mod pool_backend;
mod search_backend;
mod settings;
mod sliced_backend;

use std::env;
use std::fmt;
use std::io;
use std::time::Duration;

use crossbeam::channel::Receiver;

use crate::book::BookHit;
use crate::nnue::{self, Evaluator, Isa};
use crate::position::{IllegalMove, Position};
use crate::search::request::{Clock, KeyedEntry, Limits, Request};
use crate::sys::{self, Instant};
use crate::types::message::{Message, message};
use crate::types::{Color, Move, Random, Score};

pub use books::open_books;
use books::{BookOptions, Books};
use game_clock::GameClock;
use load_manager::LoadManager;
pub use load_manager::LoadMessage;
pub use loader::LoadResult;
use loader::{LoadJob, Loader};
use network_in_use::{EvalOptions, NetworkInUse};
pub use network_in_use::{LoadedNetwork, load_network};
pub use option_profile::{BookOptionSet, OptionProfile};
pub use perft::{Perft, perft};
#[cfg(not(target_family = "wasm"))]
pub use pool_backend::PoolBackend;
pub use search_backend::SearchBackend;
pub use settings::Settings;
pub use sliced_backend::{SlicedBackend, SlicedJob};

/// Maximum number of moves in the game before the position. Those of a longer game are forgotten, and repetitions
/// count from there: no game is so long, but a line of input may be.
const MAX_GAME_MOVES: usize = 4096;

/// The name and version of the engine.
pub const NAME: &str = concat!("Kawasemi ", env!("CARGO_PKG_VERSION"));
/// The authors, as the licence names them.
pub const AUTHOR: &str = "The Kawasemi developers";

/// Name, version and target platform of this build.
pub fn build_info() -> Message {
    let (arch, os) = (env::consts::ARCH, env::consts::OS);
    message!("{NAME} for {arch} on {os}", "{NAME}（{os}、{arch}）")
}

/// The error of an illegal move in a list of moves. The moves before it were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveListError {
    pub mv: Move,
    /// Its number among the moves given, from 1.
    pub number: usize,
    pub reason: IllegalMove,
}

impl MoveListError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let MoveListError { mv, number, reason } = self;
        message!(
            "move {number} ({mv}) cannot be played: {}",
            "{number}手目（{mv}）は指せません：{}";
            reason.message()
        )
    }
}

impl fmt::Display for MoveListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for MoveListError {}

/// The state of an engine between the calls of its driver. `B` is the search: threads, a browser's jobs, or
/// a script in a test.
///
/// ```
/// use crossbeam::channel::unbounded;
/// use kawasemi::engine::{Engine, PoolBackend, Settings};
/// use kawasemi::search::request::{Answer, Limits, Report};
/// use kawasemi::sys::Instant;
/// let (sender, events) = unbounded();
/// let settings = Settings { threads: 1, hash_mib: 16, ..Settings::default() };
/// let mut engine = Engine::new(PoolBackend::new(sender).unwrap(), settings).unwrap();
/// while !engine.ensure_ready() {
///     let loaded = engine.load_results().recv().unwrap();
///     engine.finish_load(loaded);
/// }
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// let request = engine.request(limits, Instant::now());
/// engine.go(request).unwrap();
/// let answer = loop {
///     let event = events.recv().unwrap();
///     if let Report::Done(outcome) = event.report {
///         engine.finish_search(event.search_id);
///         break outcome.answer;
///     }
/// };
/// assert!(matches!(answer, Answer::Move { .. }));
/// ```
#[derive(Debug)]
pub struct Engine<B> {
    settings: Settings,
    position: Position,
    /// Number of moves in the game before the position.
    game_moves: usize,
    clock: GameClock,
    /// `None` while the loader has it.
    backend: Option<B>,
    loader: Loader<B>,
    network: LoadManager<NetworkInUse>,
    books: LoadManager<Books>,
    /// Chooses among the moves of a book.
    book_random: Random,
    /// The size of the backend; `None` before the first preparation.
    backend_size: Option<BackendSize>,
    /// Whether the table or the histories may hold anything: after a search, or entries of other engines.
    is_dirty: bool,
    /// Whether the backend must be cleared before the next search.
    must_clear: bool,
    /// The id of the running search, until its end is reported.
    running: Option<u64>,
    search_id: u64,
    /// Messages for the user, shown with those of the first load.
    first_messages: Vec<String>,
}

/// The threads and the hash size of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BackendSize {
    threads: usize,
    hash_mib: usize,
}

impl<B: SearchBackend> Engine<B> {
    /// An engine at the initial position. Nothing is loaded before [`Engine::prepare_game`].
    ///
    /// # Errors
    /// If the system refuses a thread or memory.
    pub fn new(backend: B, settings: Settings) -> io::Result<Engine<B>> {
        nnue::load_built_in()?;
        Ok(Engine {
            first_messages: settings.profile.messages.clone(),
            settings,
            position: Position::startpos(),
            game_moves: 0,
            clock: GameClock::default(),
            backend: Some(backend),
            loader: Loader::spawn()?,
            network: LoadManager::new(EvalOptions::BUILT_IN, NetworkInUse::built_in()),
            books: LoadManager::new(BookOptions::NONE, Books::default()),
            book_random: Random::new(sys::random_seed()),
            backend_size: None,
            is_dirty: false,
            must_clear: false,
            running: None,
            search_id: 0,
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings. A running search keeps its own.
    pub fn set<R>(&mut self, change: impl FnOnce(&mut Settings) -> R) -> R {
        let score_settings = self.settings.score_settings();
        let result = change(&mut self.settings);
        // The scores in the table and the histories are valid for one set of these settings only.
        self.must_clear |= self.is_dirty && self.settings.score_settings() != score_settings;
        result
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets up a game: a start position and the moves from there.
    ///
    /// # Errors
    /// The first move that is illegal; the moves before it are played.
    pub fn set_position(&mut self, start: Position, moves: &[Move]) -> Result<(), MoveListError> {
        self.game_moves = start.history().count();
        self.position = start;
        self.play(moves)
    }

    /// Plays moves from the current position.
    ///
    /// # Errors
    /// See [`Engine::set_position`].
    pub fn play(&mut self, moves: &[Move]) -> Result<(), MoveListError> {
        for (index, &mv) in moves.iter().enumerate() {
            if self.game_moves >= MAX_GAME_MOVES {
                self.forget_game_moves();
            }
            let played = self.position.try_play(mv);
            played.map_err(|reason| MoveListError { mv, number: index + 1, reason })?;
            self.game_moves += 1;
        }
        Ok(())
    }

    fn forget_game_moves(&mut self) {
        // A position that was reached by legal moves is always a valid start.
        if let Ok(position) = Position::from_setup(&self.position.setup()) {
            self.position = position;
            self.game_moves = 0;
        }
    }

    /// Makes the request for a search of the current position with the current settings, and stores its clock as
    /// the clock of the game.
    ///
    /// Illegal root moves are left out; the driver should report them. A `go` without any limit gets
    /// the clock of the game, or a default time if the settings do not limit the nodes.
    pub fn request(&mut self, mut limits: Limits, received: Instant) -> Request {
        limits.search_moves.retain(|&mv| self.position.is_legal(mv));
        // A limit of the settings does not replace the game clock.
        let is_bare = limits.clock.is_none() && limits.needs_clock();
        // The limits of the settings are for searches for a move.
        if limits.mate.is_none() {
            limits.depth = limits.depth.or(self.settings.default_depth());
            limits.nodes = limits.nodes.or(self.settings.default_nodes());
        }
        limits.clock = limits.clock.filter(|clock| limits.uses_clock(clock));
        match limits.clock {
            Some(clock) => self.clock.set(clock),
            // A depth may take for ever, a number of nodes does not.
            None if is_bare && (self.clock.is_known() || limits.nodes.is_none()) => {
                limits.clock = Some(self.clock.estimate());
            }
            None => {}
        }
        let options = self.settings.search_options();
        Request { position: self.position.clone(), limits, options, received }
    }

    /// The substitute for a request to ponder: the position before the expected move, if the setting is on.
    /// (The idea is YaneuraOu's Stochastic_Ponder.)
    pub fn stochastic_ponder(&self, request: &Request) -> Option<Request> {
        let limits = &request.limits;
        if !limits.ponder || limits.mate.is_some() || !self.settings.stochastic_ponder {
            return None;
        }
        let expected = request.position.history().next_back()?;
        let mut before = request.clone();
        before.position.undo_move(expected);
        before.limits.search_moves.clear();
        // The opponent is to move there, so the draw value changes its sign.
        let us = request.position.side_to_move();
        let values = &mut before.options.draw_value;
        values[!us] = -values[us];
        Some(before)
    }

    /// Sets the clocks of a `ponderhit`.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock.set(clock);
    }

    /// Subtracts the time of a move from the clock of its side.
    pub fn spend_time(&mut self, color: Color, used: Duration) {
        self.clock.spend(color, used);
    }

    /// Starts a new game: clears the table and the histories. Returns at once.
    pub fn new_game(&mut self) {
        self.must_clear |= self.is_dirty;
        self.clock.clear();
        self.ensure_ready();
    }

    /// Prepares for `isready`: clears the table and the histories, and loads files that have changed. Returns
    /// whether everything is ready; otherwise the result comes from [`Engine::load_results`]. Does not stop a
    /// search.
    pub fn prepare_game(&mut self) -> bool {
        self.must_clear |= self.is_dirty;
        self.network.recheck_files();
        self.books.recheck_files();
        self.ensure_ready()
    }

    /// Whether a search can begin. An idle backend whose size, network or books differ from the settings goes
    /// to the loader, and comes back by [`Engine::load_results`].
    pub fn ensure_ready(&mut self) -> bool {
        if self.running.is_some() {
            return false;
        }
        let Some(backend) = self.backend.take() else { return false };
        let wanted =
            BackendSize { threads: self.settings.threads, hash_mib: self.settings.hash_mib };
        let network = self.network.start(EvalOptions::of(&self.settings));
        let books = self.books.start(BookOptions::of(&self.settings));
        let is_ready = self.backend_size == Some(wanted) && !self.must_clear;
        if is_ready && network.is_none() && books.is_none() {
            self.backend = Some(backend);
            return true;
        }
        let threads = self.backend_size.map(|size| size.threads);
        let hash_mib = self.backend_size.map(|size| size.hash_mib);
        self.loader.load(LoadJob {
            backend,
            network,
            books,
            threads: (threads != Some(wanted.threads)).then_some(wanted.threads),
            hash_mib: (hash_mib != Some(wanted.hash_mib)).then_some(wanted.hash_mib),
            hash_shrinks: hash_mib.is_some_and(|hash_mib| wanted.hash_mib < hash_mib),
            clear: self.must_clear,
        });
        // Even if a part fails, because it would fail again.
        self.backend_size = Some(wanted);
        self.is_dirty &= !self.must_clear;
        self.must_clear = false;
        false
    }

    /// The channel on which the loader returns the backend, for [`Engine::finish_load`].
    pub fn load_results(&self) -> &Receiver<LoadResult<B>> {
        self.loader.results()
    }

    /// Takes back the backend from the loader, with the network and the books that it has loaded. Returns messages
    /// for the user.
    pub fn finish_load(&mut self, result: LoadResult<B>) -> Vec<LoadMessage> {
        self.backend = Some(result.backend);
        self.network.finish(result.network);
        self.books.finish(result.books);
        let first = std::mem::take(&mut self.first_messages).into_iter().map(LoadMessage::Note);
        first.chain(result.messages).collect()
    }

    /// The book hit for a request, if the position is in an opening book. The books are not probed in
    /// analysis, for an infinite search, or by a level that does not know openings. Changed settings count
    /// only after [`Engine::ensure_ready`] has returned true.
    pub fn probe_book(&mut self, request: &Request) -> Option<BookHit> {
        let limits = &request.limits;
        let is_for_play = limits.mate.is_none() && !request.is_analysis();
        let books = self.books.current();
        if !is_for_play || books.is_empty() || !request.options.uses_book() {
            return None;
        }
        let random = &mut || self.book_random.next();
        self.settings.book.probe(books, &request.position, &limits.search_moves, random)
    }

    /// Makes the choices of book moves repeatable.
    #[cfg(test)]
    fn seed_book(&mut self, seed: u64) {
        self.book_random = Random::new(seed);
    }

    /// The static evaluation of a position from the side to move: the score, and the output of the
    /// network of which it is made. Changed settings count only after [`Engine::ensure_ready`] has
    /// returned true.
    pub fn evaluate(&self, position: &Position) -> (Score, i32) {
        let mut evaluator = Evaluator::new(self.network.current().network.clone(), position);
        (evaluator.evaluate(position), evaluator.output(position))
    }

    /// A description of the network in use.
    pub fn network_name(&self) -> String {
        self.network.current().name().en
    }

    /// The instruction set that the network is evaluated with.
    pub fn isa(&self) -> Isa {
        self.network.current().network.kernels.isa()
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Begins a search and returns the id that its events carry. Returns `None`, with
    /// nothing begun, unless [`Engine::ensure_ready`] has just returned true.
    pub fn go(&mut self, request: Request) -> Option<u64> {
        if self.running.is_some() {
            return None;
        }
        let backend = self.backend.as_mut()?;
        self.search_id += 1;
        self.is_dirty = true;
        self.running = Some(self.search_id);
        if request.limits.mate.is_some() {
            backend.go_mate(self.search_id, request, self.settings.mate_settings());
        } else {
            backend.go(self.search_id, request);
        }
        self.running
    }

    /// Stores entries of other engines in the table. They are dropped while the engine gets ready.
    pub fn insert_entries(&mut self, entries: &[KeyedEntry]) {
        if let Some(backend) = &self.backend {
            self.is_dirty = true;
            backend.insert_entries(entries);
        }
    }

    /// Stops the running search, which still reports its result.
    pub fn stop(&self) {
        if let Some(backend) = self.backend.as_ref().filter(|_| self.running.is_some()) {
            backend.stop();
        }
    }

    /// The opponent has played the move on which the running search ponders.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if let Some(backend) = self.backend.as_ref().filter(|_| self.running.is_some()) {
            backend.ponder_hit(clock, received);
        }
    }

    /// Handles the end of a search. Returns whether it was the running one.
    pub fn finish_search(&mut self, search_id: u64) -> bool {
        let is_running = self.is_running(search_id);
        if is_running {
            self.running = None;
        }
        is_running
    }

    /// Whether events of this id belong to the running search.
    pub fn is_running(&self, search_id: u64) -> bool {
        self.running == Some(search_id)
    }

    /// Stops everything and returns at once: threads and memory are freed on the loader thread.
    pub fn quit(mut self) {
        self.stop();
        if let Some(backend) = self.backend.take() {
            self.loader.drop_backend(backend);
        }
    }
}

#[cfg(test)]
mod tests;
