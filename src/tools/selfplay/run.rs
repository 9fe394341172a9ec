//! Many games side by side, written in the order of their numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::production::{ConfigError, NoGame, Production, Searcher};
use crate::search::STACK_BYTES;
use crate::tools::fingerprint;
use crate::tools::games::{Contents, Game, GameWriter, Head, WriteError};

/// Stops the games, from any thread, a signal handler's too.
#[derive(Debug, Default)]
pub struct Brake(AtomicU8);

impl Brake {
    pub const fn new() -> Brake {
        Brake(AtomicU8::new(0))
    }

    /// Once: no new game begins. Twice: games in progress are abandoned.
    pub fn press(&self) {
        // Twice is as far as it goes.
        let _ =
            self.0.fetch_update(Relaxed, Relaxed, |pressed| (pressed < 2).then_some(pressed + 1));
    }
}

/// Games that are played side by side: in portions, each of which follows from its number.
pub trait Portions: Sync {
    fn production(&self) -> &Production;

    /// # Errors
    /// What is wrong with it.
    fn check(&self) -> Result<(), ConfigError>;

    /// Everything that the games depend on. `program` is the mark of whoever plays them.
    fn head(&self, program: &str) -> Head;

    /// How many portions there are, if not any number.
    fn count(&self) -> Option<u64>;

    /// The portion that comes behind so many games, and how many of its games are among them.
    ///
    /// # Errors
    /// There are not so many games, in words.
    fn after(&self, games: u64) -> Result<(u64, usize), String>;

    fn play(&self, number: u64, searcher: &mut Searcher<'_>) -> Result<Vec<Game>, NoGame>;
}

/// How far the games have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// In the file, or on their way into it.
    pub games: u64,
    /// Scored ones among their positions.
    pub positions: u64,
    /// Whole ones.
    pub portions: u64,
    /// Those that were there at first.
    pub old_positions: u64,
    pub old_games: u64,
    pub old_portions: u64,
    /// As many as there shall be.
    pub all_positions: Option<u64>,
    pub all_portions: Option<u64>,
    /// Since the first game began.
    pub elapsed: Duration,
}

impl Progress {
    /// Scored positions a second; 0 before there is any.
    pub fn rate(&self) -> f64 {
        let fresh = (self.positions - self.old_positions) as f64;
        fresh / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// How long it will take to reach what is asked for, if there is a rate and it can be told.
    pub fn left(&self) -> Option<Duration> {
        let left = |goal: Option<u64>, now: u64, old: u64| {
            let (left, fresh) = (goal?.saturating_sub(now) as f64, (now - old) as f64);
            Duration::try_from_secs_f64(left / fresh * self.elapsed.as_secs_f64()).ok()
        };
        let by_portions = left(self.all_portions, self.portions, self.old_portions);
        let by_positions = left(self.all_positions, self.positions, self.old_positions);
        by_portions.into_iter().chain(by_positions).min()
    }

    fn is_done(&self) -> bool {
        let reached = |goal: Option<u64>, now: u64| goal.is_some_and(|goal| now >= goal);
        reached(self.all_portions, self.portions) || reached(self.all_positions, self.positions)
    }
}

/// Why no more games are played.
#[derive(Debug)]
pub enum GenerateError {
    Config(ConfigError),
    File(PathBuf, WriteError),
    /// There is none of this number; why, in words.
    Game {
        number: u64,
        reason: String,
    },
    /// The file cannot be taken up, in words.
    Resume(PathBuf, String),
    Thread(String),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::Config(error) => error.fmt(f),
            GenerateError::File(path, error) => write!(f, "{}: {error}", path.display()),
            GenerateError::Game { number, reason } => write!(f, "game {number}: {reason}"),
            GenerateError::Resume(path, reason) => write!(f, "{}: {reason}", path.display()),
            GenerateError::Thread(reason) => write!(f, "a thread cannot play: {reason}"),
        }
    }
}

impl std::error::Error for GenerateError {}

/// What a thread has to say.
enum News {
    Portion(u64, Vec<Game>),
    Failure(GenerateError),
}

/// Is told how it goes.
pub trait Observer {
    /// The file is open, with this in it.
    fn opened(&mut self, contents: &Contents);

    /// Games have come in, or some time has gone by.
    fn progress(&mut self, progress: &Progress);
}

/// Plays games until there are as many in the file as asked for, or the brake is pressed.
///
/// A portion follows from the configuration and its number, and portions are written in their order:
/// the file holds the same games whatever the number of threads, and however often it was
/// interrupted.
///
/// # Errors
/// What keeps the games from beginning or going on. Games that were finished are in the file.
pub fn generate<P: Portions>(
    portions: &P,
    brake: &Brake,
    observer: &mut dyn Observer,
) -> Result<Progress, GenerateError> {
    portions.check().map_err(GenerateError::Config)?;
    let production = portions.production();
    let mut positions = 0;
    let file_error = |error| GenerateError::File(production.out.clone(), error);
    let count = &mut |game: &Game| positions += game.scored() as u64;
    let head = portions.head(&program());
    let (writer, contents) =
        GameWriter::append(&production.out, &head, count).map_err(file_error)?;
    let games = contents.games;
    let resume = |reason| GenerateError::Resume(production.out.clone(), reason);
    let (first, written) = portions.after(games).map_err(resume)?;
    let progress = Progress {
        games,
        positions,
        portions: first,
        old_games: games,
        old_positions: positions,
        old_portions: first,
        all_positions: production.positions,
        all_portions: portions.count(),
        elapsed: Duration::ZERO,
    };
    observer.opened(&contents);
    let (began, early) = (Instant::now(), BTreeMap::new());
    let mut desk = Desk { portions, writer, progress, written, began, early };
    let result = if progress.is_done() { Ok(()) } else { play_all(&mut desk, brake, observer) };
    desk.writer.finish().map_err(|error| file_error(WriteError::Io(error)))?;
    result.map(|()| desk.progress)
}

/// The mark of the program that runs.
pub(super) fn program() -> String {
    let mark = std::env::current_exe().and_then(|path| fingerprint::of_file(&path));
    mark.unwrap_or_else(|_| "unknown".into())
}

/// Where finished games arrive.
struct Desk<'a, P> {
    portions: &'a P,
    writer: GameWriter,
    progress: Progress,
    /// So many games of the next portion are in the file already.
    written: usize,
    began: Instant,
    /// Portions that were finished before one of a lower number.
    early: BTreeMap<u64, Vec<Game>>,
}

impl<P: Portions> Desk<'_, P> {
    fn take(&mut self, number: u64, games: Vec<Game>) -> Result<(), GenerateError> {
        self.early.insert(number, games);
        while !self.progress.is_done()
            && let Some(games) = self.early.remove(&self.progress.portions)
        {
            for game in games.into_iter().skip(std::mem::take(&mut self.written)) {
                let written = self.writer.push(&game);
                let out = || self.portions.production().out.clone();
                written.map_err(|error| GenerateError::File(out(), error))?;
                self.progress.games += 1;
                self.progress.positions += game.scored() as u64;
            }
            self.progress.portions += 1;
        }
        Ok(())
    }
}

/// What the threads share.
struct Hall<'a, P> {
    portions: &'a P,
    halt: &'a Halt<'a>,
    /// Number of the next portion to be played.
    next: AtomicU64,
}

/// When a thread shall rest.
#[derive(Debug)]
pub(super) struct Halt<'a> {
    brake: &'a Brake,
    /// There is enough, or something has failed.
    is_over: AtomicBool,
}

impl Halt<'_> {
    fn is_no_time_for_another(&self) -> bool {
        self.must_abandon() || self.brake.0.load(Relaxed) > 0
    }

    /// Whether games in progress are of no use any more.
    pub(super) fn must_abandon(&self) -> bool {
        self.is_over.load(Relaxed) || self.brake.0.load(Relaxed) > 1
    }
}

fn play_all<P: Portions>(
    desk: &mut Desk<'_, P>,
    brake: &Brake,
    observer: &mut dyn Observer,
) -> Result<(), GenerateError> {
    let portions = desk.portions;
    let halt = Halt { brake, is_over: AtomicBool::new(false) };
    let hall = Hall { portions, halt: &halt, next: AtomicU64::new(desk.progress.portions) };
    thread::scope(|scope| {
        let (sender, news) = unbounded();
        let threads =
            (0..portions.production().threads).map(|id| hall.open_seat(scope, id, sender.clone()));
        let opened: Result<(), GenerateError> = threads.collect();
        drop(sender);
        let result = opened.and_then(|()| listen(desk, &news, observer));
        halt.is_over.store(true, Relaxed);
        result
    })
}

/// Writes what the threads play until it is enough, or they have come to rest.
fn listen<P: Portions>(
    desk: &mut Desk<'_, P>,
    news: &Receiver<News>,
    observer: &mut dyn Observer,
) -> Result<(), GenerateError> {
    const TICK: Duration = Duration::from_millis(500);
    while !desk.progress.is_done() {
        match news.recv_timeout(TICK) {
            Ok(News::Portion(number, games)) => desk.take(number, games)?,
            Ok(News::Failure(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        desk.progress.elapsed = desk.began.elapsed();
        observer.progress(&desk.progress);
    }
    Ok(())
}

impl<P: Portions> Hall<'_, P> {
    /// Starts a thread that plays.
    fn open_seat<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        id: usize,
        sender: Sender<News>,
    ) -> Result<(), GenerateError> {
        let builder = thread::Builder::new().name(format!("play-{id}")).stack_size(STACK_BYTES);
        let play = move || {
            if let Err(error) = self.play_games(&sender) {
                // If nobody listens any more, something has failed already.
                let _ = sender.send(News::Failure(error));
            }
        };
        let started = builder.spawn_scoped(scope, play);
        started.map(drop).map_err(|error| GenerateError::Thread(error.to_string()))
    }

    fn play_games(&self, sender: &Sender<News>) -> Result<(), GenerateError> {
        let searcher = Searcher::new(self.portions.production(), self.halt);
        let mut searcher = searcher.map_err(|error| GenerateError::Thread(error.to_string()))?;
        while !self.halt.is_no_time_for_another() {
            let number = self.next.fetch_add(1, Relaxed);
            if self.portions.count().is_some_and(|count| number >= count) {
                break;
            }
            let failure = |reason| GenerateError::Game { number, reason };
            match catch_unwind(AssertUnwindSafe(|| self.portions.play(number, &mut searcher))) {
                Ok(Ok(games)) => _ = sender.send(News::Portion(number, games)),
                Ok(Err(NoGame::Abandoned)) => break,
                Ok(Err(NoGame::Impossible(reason))) => return Err(failure(reason)),
                Err(_) => return Err(failure("the search has panicked".into())),
            }
        }
        Ok(())
    }
}
