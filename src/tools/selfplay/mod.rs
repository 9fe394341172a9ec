//! Games of the engine against itself, for training networks.
//!
//! [`generate`] makes what a [`Config`], a [`BranchConfig`] or a [`RescoreConfig`] describes on many
//! threads, and writes it to a file of [`games`](super::games). A game is played at a table, which
//! draws its [`start`] and asks the searcher for every move; an [`adjudicator`] ends it when both
//! sides agree. A branch leaves a game that was played, for a few moves; a rescored game keeps the
//! moves. Which game it is decides everything that is drawn, so the file is the same however many
//! threads play.

pub mod adjudicator;
mod branch;
mod config;
mod production;
mod rescore;
mod run;
pub mod start;
mod table;
#[cfg(test)]
mod tests;

pub use branch::BranchConfig;
pub use config::{Choosing, Config};
pub use production::{ConfigError, Production};
pub use rescore::RescoreConfig;
pub use run::{Brake, GenerateError, Observer, Portions, Progress, generate};
