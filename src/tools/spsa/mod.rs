//! The tuner: searches numbers of the search ([`crate::search::params`]) or of a network for better
//! ones by games of the engine against itself.
//!
//! [`tune`] brings the parts together. A [`config`] names what is tuned ([`subject`]), which numbers
//! of it ([`select`]), and the games; [`climb`] moves the values with its [`gains`] and asks a
//! contest, which is the tables of the match tool or, in tests, a formula. After every batch the
//! [`state`] is saved. At the end there are [`rows`] for people. Nothing is printed here: an
//! [`Observer`] is told.

pub mod climb;
pub mod config;
pub mod gains;
mod games;
mod history;
pub mod parameter;
pub mod rows;
pub mod select;
pub mod state;
pub mod subject;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

pub use crate::tools::gauntlet::runner::Unplayable;

use crate::record::format_duration;
use crate::tools::files::{Lock, beside};
use crate::tools::gauntlet::Engines;
use crate::tools::gauntlet::runner::Starter;
use climb::{Climb, Contest};
use config::{TuneConfig, TuneConfigError};
use games::Games;
use history::History;
use state::StateError;

/// Is told how a tuning goes on.
pub trait Observer {
    fn progress(&mut self, progress: &Progress);

    /// Something went wrong with an engine.
    fn trouble(&mut self, text: &str);
}

/// How far a tuning is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub pairs: usize,
    pub all_pairs: usize,
    /// Games won less games lost by all `plus`.
    pub points: i64,
    /// Since the tuning was begun or taken up.
    pub games_per_second: f64,
    /// Until its end; `None` before the first games.
    pub left: Option<Duration>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { pairs, all_pairs, points, games_per_second, left } = self;
        write!(f, "pair {pairs}/{all_pairs}  points {points:+}  {games_per_second:.2} games/s")?;
        let Some(left) = left else { return Ok(()) };
        write!(f, "  {} left", format_duration(*left))
    }
}

/// Why a tuning cannot begin or go on. What it has reached is in its state.
#[derive(Debug)]
pub enum TuneError {
    Config(TuneConfigError),
    State(PathBuf, StateError),
    File(PathBuf, io::Error),
    Engine(Unplayable),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Config(error) => error.fmt(f),
            TuneError::State(path, error) => write!(f, "{}: {error}", path.display()),
            TuneError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TuneError::Engine(error) => write!(f, "the engine: {}", error.reason),
        }
    }
}

impl std::error::Error for TuneError {}

/// Tunes, or goes on with it, until all pairs are played or the stop file appears, which is then
/// removed.
///
/// # Errors
/// See [`TuneError`].
pub fn tune(config: &TuneConfig, observer: &mut dyn Observer) -> Result<Climb, TuneError> {
    let starter = Engines { specs: &config.engines(), patience: config.games.patience };
    tune_with_players(config, &starter, observer)
}

/// The same with players from anywhere.
fn tune_with_players(
    config: &TuneConfig,
    starter: &dyn Starter,
    observer: &mut dyn Observer,
) -> Result<Climb, TuneError> {
    config.check().map_err(TuneError::Config)?;
    // Before there are tables: where they end, they remove networks, which must not be another's.
    let state = &config.files.state;
    let _lock = Lock::take(beside(state, ".lock"))
        .map_err(|error| TuneError::File(state.clone(), error))?;
    let schedule = config.games.schedule();
    let hall = config.games.hall(&schedule);
    thread::scope(|scope| {
        tune_by(config, &mut Games::open(scope, config, &hall, starter), observer)
    })
}

/// The same with results from anywhere.
fn tune_by(
    config: &TuneConfig,
    contest: &mut dyn Contest,
    observer: &mut dyn Observer,
) -> Result<Climb, TuneError> {
    let (head, files) = (config.head(), &config.files);
    let file = |path: &Path| {
        let path = path.to_path_buf();
        move |error| TuneError::File(path, error)
    };
    let mut climb = Climb::new(config.numbers.clone(), config.gains, config.seed);
    state::load(&files.state, &head, &mut climb)
        .map_err(|error| TuneError::State(files.state.clone(), error))?;
    let history = History::open(&files.history, &climb).map_err(file(&files.history))?;
    let pace = Pace { begun: Instant::now(), first: climb.pairs, all: config.gains.pairs };
    observer.progress(&pace.progress(&climb));
    while !climb.is_over() && fs::remove_file(&files.stop).is_err() {
        climb.step(config.batch, contest, observer)?;
        // In this order: what the state does not know is dropped from the history, so nothing in it
        // comes twice or is missing.
        history.add(&climb).map_err(file(&files.history))?;
        state::save(&files.state, &head, &climb).map_err(file(&files.state))?;
        observer.progress(&pace.progress(&climb));
    }
    Ok(climb)
}

/// How fast it goes.
struct Pace {
    begun: Instant,
    /// Pairs that had been played then.
    first: usize,
    all: usize,
}

impl Pace {
    fn progress(&self, climb: &Climb) -> Progress {
        let seconds = self.begun.elapsed().as_secs_f64();
        let pairs_per_second = (climb.pairs - self.first) as f64 / seconds.max(1e-3);
        let left = (self.all - climb.pairs) as f64 / pairs_per_second;
        Progress {
            pairs: climb.pairs,
            all_pairs: self.all,
            points: climb.points,
            games_per_second: 2.0 * pairs_per_second,
            left: Duration::try_from_secs_f64(left).ok(),
        }
    }
}

#[cfg(test)]
mod tests;
