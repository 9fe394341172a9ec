//! The configuration of a tuning.

use std::fmt;
use std::path::PathBuf;

use super::gains::Gains;
use super::parameter::Parameter;
use super::tuning_target::TuningTarget;
use crate::tools::gauntlet::engine_spec::{EngineSpec, set_option};
use crate::tools::gauntlet::match_config::{MatchConfig, MatchConfigError};

/// A tuning to run.
#[derive(Clone, Debug)]
pub struct TuneConfig {
    pub target: TuningTarget,
    /// The parameters to tune.
    pub parameters: Vec<Parameter>,
    /// The games between the two [`sides`] of an engine, without the parameters. Its match file and
    /// sequential test are not used.
    pub games: MatchConfig,
    pub gains: Gains,
    /// Pairs that are played before the values are updated.
    pub batch: usize,
    pub seed: u64,
    pub files: TuneFiles,
}

/// The files of a tuning.
#[derive(Clone, Debug)]
pub struct TuneFiles {
    /// The state, from which the tuning can be continued.
    pub state: PathBuf,
    /// The values after every batch.
    pub history: PathBuf,
    /// When this file appears, the tuning ends after the current batch.
    pub stop: PathBuf,
    /// A folder for the network files of the games.
    pub networks: PathBuf,
}

/// Why a tuning cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TuneConfigError {
    NothingToTune,
    /// No pairs in a batch.
    NoBatch,
    InvalidGains,
    Games(MatchConfigError),
}

impl fmt::Display for TuneConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneConfigError::NothingToTune => f.write_str("there is nothing to tune"),
            TuneConfigError::NoBatch => f.write_str("a batch needs at least one pair"),
            TuneConfigError::InvalidGains => {
                f.write_str("c-end and r-end must be positive, alpha, gamma and a-ratio 0 or more")
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
        if !self.gains.are_valid() {
            return Err(TuneConfigError::InvalidGains);
        }
        self.games.check().map_err(TuneConfigError::Games)
    }

    /// The engines with the parameters among their options, so that an engine without them is
    /// rejected at once.
    pub fn engines(&self) -> Vec<EngineSpec> {
        let options = self.target.start_options(&self.parameters);
        let mut engines = self.games.engines.clone();
        for engine in &mut engines {
            options.iter().for_each(|(name, value)| set_option(&mut engine.options, name, value));
        }
        engines
    }

    /// Everything that the values depend on, for the header of the state file. The concurrency and the
    /// path of a network may change when a tuning is continued.
    pub fn header(&self) -> Vec<String> {
        let mut header = vec!["kawasemi spsa state 1".to_string()];
        let Gains { pairs, c_end, r_end, alpha, gamma, a_ratio } = self.gains;
        header.push(format!("pairs={pairs} batch={} seed={}", self.batch, self.seed));
        // `steps`, `stability` and `net` are earlier names: with others, tunings could not be continued.
        header.push(format!(
            "gains steps={c_end} r_end={r_end} alpha={alpha} gamma={gamma} stability={a_ratio}"
        ));
        header.extend(self.parameters.iter().map(|parameter| format!("row {parameter}")));
        header.extend(
            self.target.fingerprints().map(|fingerprints| format!("net files={fingerprints}")),
        );
        header.extend(self.games.header().into_iter().skip(1));
        header
    }
}

/// The engine as both sides of a match.
pub fn sides(engine: &EngineSpec) -> Vec<EngineSpec> {
    ["plus", "minus"].map(|name| EngineSpec { name: name.into(), ..engine.clone() }).into()
}
