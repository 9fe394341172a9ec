//! Games of the engine against itself, for training networks.
//!
//! [`run`] executes a [`GameJob`] on many threads and writes its games to a
//! [game file](super::game_file): new games ([`GenerateConfig`]), also of several networks, or existing
//! games with new scores ([`RescoreConfig`]). Every random choice follows from the seed and the number of
//! the game, so the file is the same for any number of threads.

pub mod adjudicator;
mod common_config;
mod config_error;
mod generate;
mod generate_config;
mod job;
mod rescore;
mod run;
mod searcher;
pub mod start_positions;
mod stop;
#[cfg(test)]
mod tests;

pub use common_config::CommonConfig;
pub use config_error::SelfplayConfigError;
pub use generate::FIRST_GAME;
pub use generate_config::{GenerateConfig, MoveSampling, Opponent};
pub use job::{GameFailure, GameJob, RunTarget};
pub use rescore::RescoreConfig;
pub use run::{SelfplayError, SelfplayObserver, SelfplayProgress, run};
pub use stop::{StopSignal, StopState};
