//! The interface between a game and its players. Tests implement it without processes.

use std::time::Duration;

use crate::usi_client::{EngineFault, GameOver, GoCommand, SearchInfo};

/// A search, as USI commands.
#[derive(Clone, Copy, Debug)]
pub struct SearchCommand<'a> {
    /// The `position` command.
    pub position: &'a str,
    pub go: &'a GoCommand,
    /// How long to wait for the answer before sending `stop`.
    pub timeout: Duration,
}

/// The answer to a search. It may be late or invalid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// The `bestmove` line.
    pub line: String,
    /// From `go` or `ponderhit` to the answer.
    pub elapsed: Duration,
    pub info: SearchInfo,
}

/// A player of games. After a [`EngineFault`] it is not used again.
pub trait MatchPlayer {
    /// Sets options, between two games.
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault>;

    /// Prepares for a new game.
    fn new_game(&mut self) -> Result<(), EngineFault>;

    /// Searches and waits for the answer.
    fn search(&mut self, command: &SearchCommand<'_>) -> Result<SearchAnswer, EngineFault>;

    /// Starts pondering and returns at once.
    fn start_ponder(&mut self, command: &SearchCommand<'_>) -> Result<(), EngineFault>;

    /// The expected move was played: sends `ponderhit` and waits for the answer.
    fn ponder_hit(&mut self, timeout: Duration) -> Result<SearchAnswer, EngineFault>;

    /// Another move was played: stops pondering and drops the answer. Returns how long that took.
    fn stop_ponder(&mut self) -> Result<Duration, EngineFault>;

    /// Sends the end of the game. No search is running.
    fn game_over(&mut self, outcome: GameOver) -> Result<(), EngineFault>;

    /// The last lines sent and received, oldest first, for fault reports.
    fn transcript(&self) -> Vec<String> {
        Vec::new()
    }
}
