//! The interface between a run and its job, for every kind of games.

use std::path::Path;

use super::config_error::SelfplayConfigError;
use super::stop::StopState;
use crate::tools::game_file::{GameFileHeader, ScoredGame};

/// The output file and the size of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunTarget<'a> {
    /// The game file; an existing one is continued.
    pub out: &'a Path,
    /// Stop at this many scored positions, including those already in the file.
    pub positions: Option<u64>,
    pub threads: usize,
}

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFailure {
    Impossible(String),
    /// The run is to stop at once.
    Abandoned,
}

/// Games to be made, in numbered units of work. A unit follows from the configuration and its
/// number alone, so units are made in parallel.
pub trait GameJob: Sync {
    /// The state of a worker thread.
    type Worker<'a>
    where
        Self: 'a;

    fn target(&self) -> RunTarget<'_>;

    /// # Errors
    /// The first error of the configuration.
    fn check(&self) -> Result<(), SelfplayConfigError>;

    /// Everything that the games depend on. `program` is the fingerprint of the running program.
    fn header(&self, program: &str) -> GameFileHeader;

    /// The number after the last unit; `None` if there is no bound.
    fn end_unit(&self) -> Option<u64>;

    /// The unit to continue with when `games` games are in the file, and how many of its own games
    /// are among them.
    ///
    /// # Errors
    /// If the games of a unit cannot be counted.
    fn unit_after(&self, games: u64) -> Result<(u64, usize), String>;

    /// What messages call the unit of this number: by default a game.
    fn unit_name(&self, number: u64) -> String {
        format!("game {number}")
    }

    /// # Errors
    /// If a worker cannot be created.
    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<Self::Worker<'a>, String>;

    /// Makes the games of the unit of this number.
    ///
    /// # Errors
    /// If the games cannot be made, or the run was stopped.
    fn play_unit(
        &self,
        number: u64,
        worker: &mut Self::Worker<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure>;
}
