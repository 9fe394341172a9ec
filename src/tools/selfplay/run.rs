//! Many games side by side, written in the order of their numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::config::{Config, ConfigError};
use super::table::{NoGame, Table};
use crate::search::{STACK_BYTES, Solo};
use crate::tools::games::{Contents, Game, GameWriter, WriteError};
use crate::tools::gauntlet::fingerprint;

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

/// How far the games have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// In the file, or on their way into it.
    pub games: u64,
    /// Scored ones among their positions.
    pub positions: u64,
    /// Those that were there at first.
    pub old_positions: u64,
    pub old_games: u64,
    /// Since the first game began.
    pub elapsed: Duration,
}

impl Progress {
    /// Scored positions a second; 0 before there is any.
    pub fn rate(&self) -> f64 {
        let fresh = (self.positions - self.old_positions) as f64;
        fresh / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// How long it will take to reach what the configuration asks for, if there is a rate.
    pub fn left(&self, config: &Config) -> Option<Duration> {
        let left = |goal: Option<u64>, now: u64, old: u64| {
            let (left, fresh) = (goal?.saturating_sub(now) as f64, (now - old) as f64);
            (fresh > 0.0).then(|| self.elapsed.mul_f64(left / fresh))
        };
        let by_games = left(config.games, self.games, self.old_games);
        let by_positions = left(config.positions, self.positions, self.old_positions);
        by_games.into_iter().chain(by_positions).min()
    }
}

/// Why no more games are played.
#[derive(Debug)]
pub enum GenerateError {
    Config(ConfigError),
    File(PathBuf, WriteError),
    /// In words.
    Game {
        number: u64,
        reason: String,
    },
    Thread(String),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::Config(error) => error.fmt(f),
            GenerateError::File(path, error) => write!(f, "{}: {error}", path.display()),
            GenerateError::Game { number, reason } => write!(f, "game {number}: {reason}"),
            GenerateError::Thread(reason) => write!(f, "a thread cannot play: {reason}"),
        }
    }
}

impl std::error::Error for GenerateError {}

/// What a thread has to say.
enum News {
    Game(u64, Game),
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
/// Game `n` follows from the configuration and `n`, and games are written in their order: the file
/// holds the same games whatever the number of threads, and however often it was interrupted.
///
/// # Errors
/// What keeps the games from beginning or going on. Games that were finished are in the file.
pub fn generate(
    config: &Config,
    brake: &Brake,
    observer: &mut dyn Observer,
) -> Result<Progress, GenerateError> {
    config.check().map_err(GenerateError::Config)?;
    let mut progress = Progress::default();
    let head = config.head(&program());
    let file_error = |error| GenerateError::File(config.out.clone(), error);
    let count = &mut |game: &Game| progress.positions += game.scored() as u64;
    let (writer, contents) = GameWriter::append(&config.out, &head, count).map_err(file_error)?;
    progress.games = contents.games;
    (progress.old_games, progress.old_positions) = (progress.games, progress.positions);
    observer.opened(&contents);
    let mut desk = Desk { config, writer, progress, began: Instant::now(), early: BTreeMap::new() };
    let result = if desk.is_done() { Ok(()) } else { play_all(&mut desk, brake, observer) };
    desk.writer.finish().map_err(|error| file_error(WriteError::Io(error)))?;
    result.map(|()| desk.progress)
}

/// The mark of the program that runs.
fn program() -> String {
    let mark = std::env::current_exe().and_then(|path| fingerprint::of_file(&path));
    mark.unwrap_or_else(|_| "unknown".into())
}

/// Where finished games arrive.
struct Desk<'a> {
    config: &'a Config,
    writer: GameWriter,
    progress: Progress,
    began: Instant,
    /// Games that were finished before one of a lower number.
    early: BTreeMap<u64, Game>,
}

impl Desk<'_> {
    fn is_done(&self) -> bool {
        let reached = |goal: Option<u64>, now: u64| goal.is_some_and(|goal| now >= goal);
        reached(self.config.games, self.progress.games)
            || reached(self.config.positions, self.progress.positions)
    }

    fn take(&mut self, number: u64, game: Game) -> Result<(), GenerateError> {
        self.early.insert(number, game);
        while !self.is_done()
            && let Some(game) = self.early.remove(&self.progress.games)
        {
            let written = self.writer.push(&game);
            written.map_err(|error| GenerateError::File(self.config.out.clone(), error))?;
            self.progress.games += 1;
            self.progress.positions += game.scored() as u64;
        }
        Ok(())
    }
}

/// What the threads share.
struct Hall<'a> {
    config: &'a Config,
    halt: &'a Halt<'a>,
    /// Number of the next game to be played.
    next: AtomicU64,
}

/// When a thread shall rest.
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

fn play_all(
    desk: &mut Desk<'_>,
    brake: &Brake,
    observer: &mut dyn Observer,
) -> Result<(), GenerateError> {
    let config = desk.config;
    let halt = Halt { brake, is_over: AtomicBool::new(false) };
    let hall = Hall { config, halt: &halt, next: AtomicU64::new(desk.progress.games) };
    thread::scope(|scope| {
        let (sender, news) = unbounded();
        let threads = (0..config.threads).map(|id| hall.open_seat(scope, id, sender.clone()));
        let opened: Result<(), GenerateError> = threads.collect();
        drop(sender);
        let result = opened.and_then(|()| listen(desk, &news, observer));
        halt.is_over.store(true, Relaxed);
        result
    })
}

/// Writes what the threads play until it is enough, or they have come to rest.
fn listen(
    desk: &mut Desk<'_>,
    news: &Receiver<News>,
    observer: &mut dyn Observer,
) -> Result<(), GenerateError> {
    const TICK: Duration = Duration::from_millis(500);
    while !desk.is_done() {
        match news.recv_timeout(TICK) {
            Ok(News::Game(number, game)) => desk.take(number, game)?,
            Ok(News::Failure(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        desk.progress.elapsed = desk.began.elapsed();
        observer.progress(&desk.progress);
    }
    Ok(())
}

impl<'a> Hall<'a> {
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
        let solo = Solo::new(self.config.hash_mib, self.config.network.clone());
        let solo = solo.map_err(|error| GenerateError::Thread(error.to_string()))?;
        let mut table = Table::new(self.config, self.halt, solo);
        while !self.halt.is_no_time_for_another() {
            let number = self.next.fetch_add(1, Relaxed);
            if self.config.games.is_some_and(|games| number >= games) {
                break;
            }
            let failure = |reason| GenerateError::Game { number, reason };
            match catch_unwind(AssertUnwindSafe(|| table.play(number))) {
                Ok(Ok(game)) => _ = sender.send(News::Game(number, game)),
                Ok(Err(NoGame::Abandoned)) => break,
                Ok(Err(NoGame::NoStart)) => return Err(failure(NoGame::NoStart.to_string())),
                Err(_) => return Err(failure("the search has panicked".into())),
            }
        }
        Ok(())
    }
}
