//! Runs a tuning to its end.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::game_trials::GameTrials;
use super::optimizer::{SpsaOptimizer, TrialError, TrialRunner};
use super::saved_state::{self, StateError};
use super::tune_config::{TuneConfig, TuneConfigError};
use super::tune_observer::{TuneObserver, TuneProgress};
use super::value_history::ValueHistory;
use crate::tools::files::{FileLock, with_suffix};
use crate::tools::gauntlet::runner::MatchPlayerFactory;
use crate::tools::gauntlet::usi_match_player::EngineFactory;

/// Why a tuning cannot begin or continue. Its progress is in the state file.
#[derive(Debug)]
pub enum TuneError {
    Config(TuneConfigError),
    State(PathBuf, StateError),
    File(PathBuf, io::Error),
    Trial(TrialError),
    /// The system refuses a thread.
    Thread(io::Error),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Config(error) => error.fmt(f),
            TuneError::State(path, error) => write!(f, "{}: {error}", path.display()),
            TuneError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TuneError::Trial(error) => error.fmt(f),
            TuneError::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TuneError {}

/// Starts or continues a tuning, until all pairs are played or the stop file appears, which is then
/// removed.
///
/// # Errors
/// See [`TuneError`].
pub fn tune(
    config: &TuneConfig,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    let factory = EngineFactory { specs: &config.engines(), timeouts: config.games.timeouts };
    tune_with_players(config, &factory, observer)
}

/// [`tune`] with any kind of players.
pub(super) fn tune_with_players(
    config: &TuneConfig,
    factory: &dyn MatchPlayerFactory,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    config.check().map_err(TuneError::Config)?;
    // Taken before the workers start: when they end, they remove network files, which must not be
    // those of another run.
    let state = &config.files.state;
    let _lock = FileLock::take(with_suffix(state, ".lock"))
        .map_err(|error| TuneError::File(state.clone(), error))?;
    thread::scope(|scope| {
        let trials = GameTrials::open(scope, thread::Builder::new, config, factory);
        tune_with_runner(config, &mut trials.map_err(TuneError::Thread)?, observer)
    })
}

/// [`tune`] with any kind of trials.
pub(super) fn tune_with_runner(
    config: &TuneConfig,
    runner: &mut dyn TrialRunner,
    observer: &mut dyn TuneObserver,
) -> Result<SpsaOptimizer, TuneError> {
    let (header, files) = (config.header(), &config.files);
    let file = |path: &Path| {
        let path = path.to_path_buf();
        move |error| TuneError::File(path, error)
    };
    let mut optimizer = SpsaOptimizer::new(config.parameters.clone(), config.gains, config.seed);
    saved_state::resume(&files.state, &header, &mut optimizer)
        .map_err(|error| TuneError::State(files.state.clone(), error))?;
    let history = ValueHistory::open(&files.history, &optimizer).map_err(file(&files.history))?;
    let meter =
        ProgressMeter { begun: Instant::now(), first: optimizer.pairs, all: config.gains.pairs };
    observer.progress(&meter.progress(&optimizer));
    while !optimizer.is_over() && fs::remove_file(&files.stop).is_err() {
        optimizer.step(config.batch, runner, observer).map_err(TuneError::Trial)?;
        // In this order: lines that the state does not know are dropped from the history when the
        // tuning continues, so none comes twice or is missing.
        history.add(&optimizer).map_err(file(&files.history))?;
        saved_state::save(&files.state, &header, &optimizer).map_err(file(&files.state))?;
        observer.progress(&meter.progress(&optimizer));
    }
    Ok(optimizer)
}

/// Measures the speed of a run.
struct ProgressMeter {
    begun: Instant,
    /// Pairs that had been played before this run.
    first: usize,
    all: usize,
}

impl ProgressMeter {
    fn progress(&self, optimizer: &SpsaOptimizer) -> TuneProgress {
        let seconds = self.begun.elapsed().as_secs_f64();
        let pairs_per_second = (optimizer.pairs - self.first) as f64 / seconds.max(1e-3);
        let left = self.all.saturating_sub(optimizer.pairs) as f64 / pairs_per_second;
        TuneProgress {
            pairs: optimizer.pairs,
            all_pairs: self.all,
            net_wins: optimizer.net_wins,
            games_per_second: 2.0 * pairs_per_second,
            left: Duration::try_from_secs_f64(left).ok(),
        }
    }
}
