//! The tuner: improves parameters of the search ([`crate::search::params`]) or of a network by games
//! of the engine against itself, with SPSA.
//!
//! [`tune`] runs what a [`tune_config`] describes. A [`tuning_target`] provides the [`parameter`]s,
//! and a [`parameter_pattern`] selects some of them. The [`optimizer`] moves the values by its
//! [`gains`] and gets results from a trial runner, which plays games or, in tests, evaluates a formula.
//! The [`saved_state`] is written after every batch; [`parameter_rows`] are the result. Nothing is
//! printed here: a [`TuneObserver`] gets the events.

pub mod gains;
mod game_trials;
pub mod optimizer;
pub mod parameter;
pub mod parameter_pattern;
pub mod parameter_rows;
pub mod saved_state;
#[cfg(test)]
mod tests;
mod tune;
pub mod tune_config;
mod tune_observer;
pub mod tuning_target;
mod value_history;

pub use tune::{TuneError, tune};
pub use tune_observer::{TuneObserver, TuneProgress};
