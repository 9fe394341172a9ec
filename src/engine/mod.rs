//! The facade: settings, the position that stands, and the searcher, behind a handful of verbs.
//!
//! Whoever drives an engine (the USI session, another protocol, a tool) drives this. It knows when
//! the searcher must be resized or cleared, and lets that be done on a thread of its own. It knows
//! no text and prints nothing. How many answers a question gets is the driver's affair; [`go_task`] knows
//! when one may be given, and [`answer_check`] holds it against the rules.

pub mod answer_check;
mod books;
mod eval;
mod file_lookup;
mod game_clock;
pub mod go_task;
mod loader;
mod mate_thread;
mod perft;
mod pool_backend;
mod search_backend;
mod settings;

use std::env;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;

use crate::book::BookHit;
use crate::nnue::{Evaluator, Isa};
use crate::position::{IllegalMove, Position};
use crate::search::request::{Clock, Limits, Request};
use crate::types::{Color, Move, Score};

use books::BookDesk;
use eval::{EvalDesk, Wish};
pub use eval::{LoadedNetwork, load_network};
use game_clock::GameClock;
pub use loader::LoadResult;
use loader::{Job, Workshop};
pub use perft::{Perft, perft};
pub use pool_backend::PoolBackend;
pub use search_backend::SearchBackend;
pub use settings::Settings;

/// Most moves that a position remembers. Beyond that the oldest are forgotten, and repetition counts
/// from there; no game is so long, but a line of input may be.
const LONGEST_HISTORY: usize = 4096;

/// As the engine calls itself, with its version.
pub const NAME: &str = concat!("Kawasemi ", env!("CARGO_PKG_VERSION"));
/// Who made it, as the licence says too.
pub const AUTHOR: &str = "The Kawasemi developers";

/// Which engine this is and for which machines it was built, in words.
pub fn build() -> String {
    format!("{NAME} for {} on {}", env::consts::ARCH, env::consts::OS)
}

/// A move of a game that cannot be played. The position before it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveListError {
    pub mv: Move,
    /// Which move of those given, from 1.
    pub number: usize,
    pub reason: IllegalMove,
}

impl fmt::Display for MoveListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} ({}) cannot be played: {}", self.number, self.mv, self.reason)
    }
}

impl std::error::Error for MoveListError {}

/// See the module's comment.
#[derive(Debug)]
pub struct Engine<S> {
    settings: Settings,
    position: Position,
    /// How many moves the position remembers.
    history: usize,
    clock: GameClock,
    /// `None` while the workshop has it.
    searcher: Option<S>,
    workshop: Workshop<S>,
    eval: EvalDesk,
    books: BookDesk,
    /// How the searcher is set up; `None` before the first time.
    shape: Option<Shape>,
    /// Whether the searcher remembers anything.
    used: bool,
    /// Whether it must forget that before the next search.
    must_forget: bool,
    /// The search that has begun and not yet reported its end.
    running: Option<u64>,
    generation: u64,
}

/// What is costly to change in a searcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    threads: usize,
    hash_mb: usize,
}

impl<S: SearchBackend> Engine<S> {
    /// An engine at the start position. Nothing heavy happens before [`Engine::prepare_game`].
    pub fn new(searcher: S, settings: Settings) -> io::Result<Engine<S>> {
        Ok(Engine {
            settings,
            position: Position::startpos(),
            history: 0,
            clock: GameClock::default(),
            searcher: Some(searcher),
            workshop: Workshop::open()?,
            eval: EvalDesk::new(),
            books: BookDesk::new(),
            shape: None,
            used: false,
            must_forget: false,
            running: None,
            generation: 0,
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings. A search that runs keeps those it began with.
    pub fn set<R>(&mut self, change: impl FnOnce(&mut Settings) -> R) -> R {
        let rules = self.settings.rules();
        let result = change(&mut self.settings);
        // What is remembered of positions counts under the rules that it was found by.
        self.must_forget |= self.used && self.settings.rules() != rules;
        result
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets up a game: this start, then these moves, as far as they can be played.
    pub fn set_position(&mut self, start: Position, moves: &[Move]) -> Result<(), MoveListError> {
        self.history = start.history().count();
        self.position = start;
        self.play(moves)
    }

    /// Plays on from the position that stands.
    pub fn play(&mut self, moves: &[Move]) -> Result<(), MoveListError> {
        for (index, &mv) in moves.iter().enumerate() {
            if self.history == LONGEST_HISTORY {
                self.forget_history();
            }
            let played = self.position.try_play(mv);
            played.map_err(|reason| MoveListError { mv, number: index + 1, reason })?;
            self.history += 1;
        }
        Ok(())
    }

    fn forget_history(&mut self) {
        // A position that was reached by play is always one to start from.
        if let Ok(position) = Position::from_setup(&self.position.setup()) {
            self.position = position;
            self.history = 0;
        }
    }

    /// The request for a search of the position that stands, with the settings as they are now.
    ///
    /// Root moves that are not legal are left out, so the driver should say so. A `go` without any
    /// limit gets the clock of the game, or a modest time.
    pub fn request(&mut self, mut limits: Limits, received: Instant) -> Request {
        limits.search_moves.retain(|&mv| self.position.is_legal(mv));
        // A limit by the settings is no reason to leave the clock of a game out of account.
        let is_bare = limits.clock.is_none() && limits.needs_clock();
        // How far a move is to be searched says nothing about mate problems.
        if limits.mate.is_none() {
            limits.depth = limits.depth.or(self.settings.default_depth());
            limits.nodes = limits.nodes.or(self.settings.default_nodes());
        }
        limits.clock = limits.clock.filter(|clock| limits.heeds(clock));
        match limits.clock {
            Some(clock) => self.clock.tell(clock),
            None if is_bare => limits.clock = Some(self.clock.usual()),
            None => {}
        }
        let options = self.settings.search_options();
        Request { position: self.position.clone(), limits, options, received }
    }

    /// For a request to ponder on a move: the one to search in its place, if the setting is on, which
    /// ponders the position before the expected move. (The idea is YaneuraOu's Stochastic_Ponder.)
    pub fn stochastic_ponder(&self, request: &Request) -> Option<Request> {
        let limits = &request.limits;
        if !limits.ponder || limits.mate.is_some() || !self.settings.stochastic_ponder {
            return None;
        }
        let expected = request.position.history().next_back()?;
        let mut before = request.clone();
        before.position.undo_move(expected);
        before.limits.search_moves.clear();
        // There the opponent is to move, to whom a draw is worth the opposite.
        let us = request.position.side_to_move();
        let values = &mut before.options.draw_value;
        values[!us] = -values[us];
        Some(before)
    }

    /// Notes what the clocks showed at a ponder hit.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock.tell(clock);
    }

    /// Notes what a move took of a side's clock.
    pub fn spend_time(&mut self, color: Color, used: Duration) {
        self.clock.spend(color, used);
    }

    /// A new game: nothing learnt in the last one may count. Returns at once.
    pub fn new_game(&mut self) {
        self.must_forget |= self.used;
        self.clock.forget();
        self.ensure_ready();
    }

    /// Gets everything ready for a game, forgetting the last, with the files as they are now.
    /// True if nothing is left to be done; else what is done comes out of [`Engine::load_results`].
    /// Never stops a search.
    pub fn prepare_game(&mut self) -> bool {
        self.must_forget |= self.used;
        self.eval.look_again();
        self.books.look_again();
        self.ensure_ready()
    }

    /// Whether the searcher can search now. If it is idle but not as the settings want it, it goes
    /// to the workshop, and comes out of [`Engine::load_results`].
    pub fn ensure_ready(&mut self) -> bool {
        if self.running.is_some() {
            return false;
        }
        let Some(searcher) = self.searcher.take() else { return false };
        let wanted = Shape { threads: self.settings.threads, hash_mb: self.settings.hash_mb };
        let eval = self.eval.take_order(Wish::of(&self.settings));
        let books = self.books.take_order(books::Wish::of(&self.settings));
        let is_as_wanted = self.shape == Some(wanted) && !self.must_forget;
        if is_as_wanted && eval.is_none() && books.is_none() {
            self.searcher = Some(searcher);
            return true;
        }
        let threads = self.shape.map(|shape| shape.threads);
        let hash_mb = self.shape.map(|shape| shape.hash_mb);
        self.workshop.begin(Job {
            searcher,
            eval,
            books,
            threads: (threads != Some(wanted.threads)).then_some(wanted.threads),
            hash_mb: (hash_mb != Some(wanted.hash_mb)).then_some(wanted.hash_mb),
            forget: self.must_forget,
        });
        // Also where a part fails: it would fail again, and what is there must do.
        self.shape = Some(wanted);
        self.used &= !self.must_forget;
        self.must_forget = false;
        false
    }

    /// Where the searcher comes back from the workshop, to be handed to [`Engine::finish_load`].
    pub fn load_results(&self) -> &Receiver<LoadResult<S>> {
        self.workshop.finished()
    }

    /// Takes the searcher back. Returns what the user should know.
    pub fn finish_load(&mut self, prepared: LoadResult<S>) -> Vec<String> {
        self.searcher = Some(prepared.searcher);
        self.eval.accept(prepared.eval);
        self.books.accept(prepared.books);
        prepared.messages
    }

    /// What the opening book says to a request for a move, if it is to be asked and knows the
    /// position: whoever lets the engine search without end wants to see what it finds. Settings
    /// that have changed count only after [`Engine::ensure_ready`] has said yes.
    pub fn probe_book(&mut self, request: &Request) -> Option<BookHit> {
        let limits = &request.limits;
        let is_for_play = limits.mate.is_none() && !limits.infinite && !request.options.analysis;
        if is_for_play { self.books.advise(&self.settings.book, request) } else { None }
    }

    /// From now on the book's moves are drawn in an order that repeats.
    #[cfg(test)]
    fn seed_book(&mut self, seed: u64) {
        self.books.seed(seed);
    }

    /// The static evaluation of a position from the side to move: the score, and the output of the
    /// network of which it is made. Settings that have changed count only after [`Engine::ensure_ready`]
    /// has returned true.
    pub fn evaluate(&self, position: &Position) -> (Score, i32) {
        let mut evaluator = Evaluator::new(self.eval.network().clone(), position);
        (evaluator.evaluate(position), evaluator.output(position))
    }

    /// The evaluation in use, in words.
    pub fn evaluation_name(&self) -> String {
        self.eval.name()
    }

    /// The instructions that the network is evaluated with.
    pub fn kernels(&self) -> Isa {
        self.eval.network().kernels.isa()
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Begins a search; its events carry the generation that is returned. `None`, with nothing
    /// begun, unless [`Engine::ensure_ready`] has just said yes.
    pub fn go(&mut self, request: Request) -> Option<u64> {
        if self.running.is_some() {
            return None;
        }
        let searcher = self.searcher.as_mut()?;
        self.generation += 1;
        self.used = true;
        self.running = Some(self.generation);
        if request.limits.mate.is_some() {
            searcher.go_mate(self.generation, request, self.settings.mate_settings());
        } else {
            searcher.go(self.generation, request);
        }
        self.running
    }

    /// Ends the running search, which still reports its result.
    pub fn stop(&self) {
        if let Some(searcher) = self.searcher.as_ref().filter(|_| self.running.is_some()) {
            searcher.stop();
        }
    }

    /// The move the running search ponders on was played.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if let Some(searcher) = self.searcher.as_ref().filter(|_| self.running.is_some()) {
            searcher.ponder_hit(clock, received);
        }
    }

    /// The driver has seen the end of this search. False if it is not the one that runs.
    pub fn search_finished(&mut self, generation: u64) -> bool {
        let current = self.running == Some(generation);
        if current {
            self.running = None;
        }
        current
    }

    /// Whether events of this generation are of the search that runs.
    pub fn is_running(&self, generation: u64) -> bool {
        self.running == Some(generation)
    }

    /// Ends everything and returns at once: taking down many threads and much memory is left to a
    /// thread for which nobody waits.
    pub fn quit(mut self) {
        self.stop();
        if let Some(searcher) = self.searcher.take() {
            self.workshop.discard(searcher);
        }
    }
}

#[cfg(test)]
mod tests;
