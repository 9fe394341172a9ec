//! A whole tuning as plain values: what is tuned, in what games, with what gains, and where it is
//! kept.

use std::fmt;
use std::path::PathBuf;

use super::gains::Gains;
use super::parameter::Parameter;
use super::tuning_target::TuningTarget;
use crate::tools::gauntlet::engine_spec::{EngineSpec, set_option};
use crate::tools::gauntlet::match_config::{MatchConfig, MatchConfigError};

/// A tuning to be done.
#[derive(Clone, Debug)]
pub struct TuneConfig {
    pub target: TuningTarget,
    /// Its numbers that are tuned.
    pub parameters: Vec<Parameter>,
    /// The games, between the two [`sides`] of an engine that knows nothing of the numbers yet; as many
    /// pairs as the gains say. Their record and their sequential test are not used.
    pub games: MatchConfig,
    pub gains: Gains,
    /// Pairs that are played before values move.
    pub batch: usize,
    pub seed: u64,
    pub files: TuneFiles,
}

/// Where a tuning leaves its traces.
#[derive(Clone, Debug)]
pub struct TuneFiles {
    /// All that is needed to take it up again.
    pub state: PathBuf,
    /// The values after every batch.
    pub history: PathBuf,
    /// When this file appears, the tuning ends after the batch in progress.
    pub stop: PathBuf,
    /// A folder for the networks that games are played with, if any.
    pub nets: PathBuf,
}

/// A tuning that cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TuneConfigError {
    NothingToTune,
    /// No pairs in a batch.
    NoBatch,
    UnsoundGains,
    Games(MatchConfigError),
}

impl fmt::Display for TuneConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneConfigError::NothingToTune => f.write_str("there is nothing to tune"),
            TuneConfigError::NoBatch => f.write_str("no pairs are to be played before values move"),
            TuneConfigError::UnsoundGains => {
                f.write_str("steps and rate must be above 0, the other gains not below")
            }
            TuneConfigError::Games(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TuneConfigError {}

impl TuneConfig {
    /// # Errors
    /// See [`TuneConfigError`].
    pub fn check(&self) -> Result<(), TuneConfigError> {
        if self.parameters.is_empty() {
            return Err(TuneConfigError::NothingToTune);
        }
        if self.batch == 0 {
            return Err(TuneConfigError::NoBatch);
        }
        if !self.gains.are_sound() {
            return Err(TuneConfigError::UnsoundGains);
        }
        self.games.check().map_err(TuneConfigError::Games)
    }

    /// The engines as they are started: with the numbers among their options, so that one that cannot
    /// have them is refused at once.
    pub fn engines(&self) -> Vec<EngineSpec> {
        let options = self.target.first_options(&self.parameters);
        let mut engines = self.games.engines.clone();
        for engine in &mut engines {
            options.iter().for_each(|(name, value)| set_option(&mut engine.options, name, value));
        }
        engines
    }

    /// Everything that the values depend on, for the head of the state. How many games run at a
    /// time may change when a tuning is taken up again, and so may the place of a network.
    pub fn head(&self) -> Vec<String> {
        let mut head = vec!["kawasemi spsa state 1".to_string()];
        let Gains { pairs, steps, r_end, alpha, gamma, stability } = self.gains;
        head.push(format!("pairs={pairs} batch={} seed={}", self.batch, self.seed));
        head.push(format!(
            "gains steps={steps} r_end={r_end} alpha={alpha} gamma={gamma} stability={stability}"
        ));
        head.extend(self.parameters.iter().map(|number| format!("row {number}")));
        head.extend(self.target.marks().map(|marks| format!("net files={marks}")));
        head.extend(self.games.head().into_iter().skip(1));
        head
    }
}

/// The engine as it plays for either side.
pub fn sides(engine: &EngineSpec) -> Vec<EngineSpec> {
    ["plus", "minus"].map(|name| EngineSpec { name: name.into(), ..engine.clone() }).into()
}
