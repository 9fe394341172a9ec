//! The tuner: searches numbers of the search ([`crate::search::params`]) or of a network for better
//! ones by games of the engine against itself.
//!
//! [`tune`] brings the parts together. A [`config`] names what is tuned ([`subject`]), which numbers
//! of it ([`select`]), and the games; [`climb`] moves the values with its [`gains`] and asks a
//! contest, which is the tables of the match tool or, in tests, a formula. After every batch the
//! [`state`] is saved. At the end there are [`rows`] for people. Nothing is printed here: an
//! [`TuneObserver`] is told.

pub mod gains;
mod game_trials;
pub mod optimizer;
pub mod parameter;
pub mod parameter_pattern;
pub mod parameter_rows;
pub mod saved_state;
pub mod tune_config;
pub mod tuning_target;
mod value_history;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

pub use crate::tools::gauntlet::runner::EngineFailure;

use crate::record::format_duration;
use crate::tools::files::{FileLock, with_suffix};
use crate::tools::gauntlet::EngineFactory;
use crate::tools::gauntlet::runner::PlayerFactory;
use game_trials::GameTrials;
use optimizer::{SpsaOptimizer, TrialRunner};
use saved_state::StateError;
use tune_config::{TuneConfig, TuneConfigError};
use value_history::ValueHistory;

/// Is told how a tuning goes on.
pub trait TuneObserver {
    fn progress(&mut self, progress: &TuneProgress);

    /// Something went wrong with an engine.
    fn trouble(&mut self, text: &str);
}

/// How far a tuning is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneProgress {
    pub pairs: usize,
    pub all_pairs: usize,
    /// GameTrials won less games lost by all `plus`.
    pub points: i64,
    /// Since the tuning was begun or taken up.
    pub games_per_second: f64,
    /// Until its end; `None` before the first games.
    pub left: Option<Duration>,
}

impl fmt::Display for TuneProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TuneProgress { pairs, all_pairs, points, games_per_second, left } = self;
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
    Engine(EngineFailure),
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
pub fn tune(
    config: &TuneConfig,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    let starter = EngineFactory { specs: &config.engines(), patience: config.games.patience };
    tune_with_players(config, &starter, observer)
}

/// The same with players from anywhere.
fn tune_with_players(
    config: &TuneConfig,
    starter: &dyn PlayerFactory,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    config.check().map_err(TuneError::Config)?;
    // Before there are tables: where they end, they remove networks, which must not be another's.
    let state = &config.files.state;
    let _lock = FileLock::take(with_suffix(state, ".lock"))
        .map_err(|error| TuneError::File(state.clone(), error))?;
    let schedule = config.games.schedule();
    let setup = config.games.setup(&schedule);
    thread::scope(|scope| {
        tune_by(config, &mut GameTrials::open(scope, config, &setup, starter), observer)
    })
}

/// The same with results from anywhere.
fn tune_by(
    config: &TuneConfig,
    runner: &mut dyn TrialRunner,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    let (head, files) = (config.head(), &config.files);
    let file = |path: &Path| {
        let path = path.to_path_buf();
        move |error| TuneError::File(path, error)
    };
    let mut optimizer = SpsaOptimizer::new(config.parameters.clone(), config.gains, config.seed);
    saved_state::load(&files.state, &head, &mut optimizer)
        .map_err(|error| TuneError::State(files.state.clone(), error))?;
    let history = ValueHistory::open(&files.history, &optimizer).map_err(file(&files.history))?;
    let pace =
        ProgressMeter { begun: Instant::now(), first: optimizer.pairs, all: config.gains.pairs };
    observer.progress(&pace.progress(&optimizer));
    while !optimizer.is_over() && fs::remove_file(&files.stop).is_err() {
        optimizer.step(config.batch, runner, observer)?;
        // In this order: what the state does not know is dropped from the history, so nothing in it
        // comes twice or is missing.
        history.add(&optimizer).map_err(file(&files.history))?;
        saved_state::save(&files.state, &head, &optimizer).map_err(file(&files.state))?;
        observer.progress(&pace.progress(&optimizer));
    }
    Ok(optimizer)
}

/// How fast it goes.
struct ProgressMeter {
    begun: Instant,
    /// Pairs that had been played then.
    first: usize,
    all: usize,
}

impl ProgressMeter {
    fn progress(&self, optimizer: &SpsaOptimizer) -> TuneProgress {
        let seconds = self.begun.elapsed().as_secs_f64();
        let pairs_per_second = (optimizer.pairs - self.first) as f64 / seconds.max(1e-3);
        let left = (self.all - optimizer.pairs) as f64 / pairs_per_second;
        TuneProgress {
            pairs: optimizer.pairs,
            all_pairs: self.all,
            points: optimizer.points,
            games_per_second: 2.0 * pairs_per_second,
            left: Duration::try_from_secs_f64(left).ok(),
        }
    }
}

#[cfg(test)]
mod tests;
