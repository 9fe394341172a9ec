//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1992), as fishtest does it: all
//! parameters are perturbed at random at once, in opposite directions for the two sides, and move
//! towards the side that wins.
//!
//! Results come from a [`TrialRunner`]. The outcome depends on the seed and the results alone, so a
//! continued tuning gives the same values as an uninterrupted one.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::gains::Gains;
use super::parameter::Parameter;
use super::tune_observer::TuneObserver;
use crate::tools::gauntlet::runner::EngineFailure;
use crate::types::Random;

/// Two sets of values for a pair of games, in the order of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Number of the pair, from 1.
    pub pair: usize,
    pub plus: Vec<i32>,
    pub minus: Vec<i32>,
}

/// Why no more trials can be played.
#[derive(Debug)]
pub enum TrialError {
    File(PathBuf, io::Error),
    Engine(EngineFailure),
}

impl fmt::Display for TrialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrialError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TrialError::Engine(error) => write!(f, "the engine: {}", error.reason),
        }
    }
}

impl std::error::Error for TrialError {}

/// Measures trials.
pub trait TrialRunner {
    /// For each trial the wins minus the losses of `plus`: -2 to 2.
    ///
    /// # Errors
    /// See [`TrialError`].
    fn play(
        &mut self,
        trials: &[Trial],
        observer: &mut dyn TuneObserver,
    ) -> Result<Vec<i32>, TrialError>;
}

/// A tuning in progress.
#[derive(Clone, Debug)]
pub struct SpsaOptimizer {
    parameters: Vec<Parameter>,
    gains: Gains,
    seed: u64,
    /// The current values with their fractions, in the order of the parameters.
    pub(super) values: Vec<f64>,
    /// Number of pairs played.
    pub(super) pairs: usize,
    /// Games won minus games lost by `plus` so far. Far from 0, the values are drifting.
    pub(super) net_wins: i64,
}

/// How one parameter is perturbed for one pair.
#[derive(Clone, Copy)]
struct Perturbation {
    /// The direction of `plus`: 1 or -1.
    sign: f64,
    /// Added before rounding down, at least 0 and less than 1. So fractions count on average over many
    /// pairs.
    rounding: f64,
}

impl SpsaOptimizer {
    /// A tuning from the start values of the parameters.
    pub fn new(parameters: Vec<Parameter>, gains: Gains, seed: u64) -> SpsaOptimizer {
        let values = parameters.iter().map(|parameter| f64::from(parameter.start)).collect();
        SpsaOptimizer { parameters, gains, seed, values, pairs: 0, net_wins: 0 }
    }

    /// The parameters with their current values.
    pub fn values(&self) -> impl Iterator<Item = (&Parameter, f64)> {
        self.parameters.iter().zip(self.values.iter().copied())
    }

    pub fn is_over(&self) -> bool {
        self.pairs >= self.gains.pairs
    }

    /// Plays up to `pairs` pairs around the current values, and updates the values.
    ///
    /// # Errors
    /// If no games can be played. Then the values have not changed.
    pub fn step(
        &mut self,
        pairs: usize,
        runner: &mut dyn TrialRunner,
        observer: &mut dyn TuneObserver,
    ) -> Result<(), TrialError> {
        let last = self.gains.pairs.min(self.pairs + pairs);
        let trials: Vec<Trial> = (self.pairs + 1..=last).map(|pair| self.trial(pair)).collect();
        let results = runner.play(&trials, observer)?;
        for (trial, result) in trials.iter().zip(results) {
            self.update(trial.pair, result);
        }
        self.pairs = last;
        Ok(())
    }

    fn trial(&self, pair: usize) -> Trial {
        let perturbations = self.perturbations(pair);
        let side = |sign: f64| {
            let moved =
                self.values().zip(&perturbations).map(|((parameter, value), perturbation)| {
                    let aside =
                        sign * perturbation.sign * self.gains.perturbation(parameter.step, pair);
                    // The bounds are whole numbers, so rounding does not lead beyond them.
                    (parameter.clamp(value + aside) + perturbation.rounding).floor() as i32
                });
            moved.collect()
        };
        Trial { pair, plus: side(1.0), minus: side(-1.0) }
    }

    fn update(&mut self, pair: usize, result: i32) {
        let perturbations = self.perturbations(pair);
        for ((parameter, value), perturbation) in
            self.parameters.iter().zip(&mut self.values).zip(perturbations)
        {
            let moved =
                self.gains.value_step(parameter.step, pair) * f64::from(result) * perturbation.sign;
            *value = parameter.clamp(*value + moved);
        }
        self.net_wins += i64::from(result);
    }

    /// The random perturbations of all parameters for a pair.
    fn perturbations(&self, pair: usize) -> Vec<Perturbation> {
        let mut random = Random::new(Random::new(self.seed).next() ^ pair as u64);
        let perturbation = |_: &Parameter| Perturbation {
            sign: if random.next() >> 63 == 0 { 1.0 } else { -1.0 },
            rounding: random.unit(),
        };
        self.parameters.iter().map(perturbation).collect()
    }
}
