//! What a game asks of a player, whatever is behind it.
//!
//! The game speaks only through this trait, so that its rules are tested with players in memory.

use std::time::Duration;

use crate::usi_client::GoCommand;
use crate::usi_client::SearchInfo;
pub use crate::usi_client::{EngineFault, EngineFaultKind, GameOver};

/// One search, in the words of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct SearchCommand<'a> {
    /// The whole command: `position startpos moves ...`.
    pub position: &'a str,
    pub go: &'a GoCommand,
    /// How long to wait for the answer before asking it to stop.
    pub patience: Duration,
}

/// The answer to a search. It may be late, and it need not make sense.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchReply {
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

    /// Gets ready for a new game.
    fn new_game(&mut self) -> Result<(), EngineFault>;

    /// Searches, and returns when it has answered.
    fn think(&mut self, ask: &SearchCommand<'_>) -> Result<SearchReply, EngineFault>;

    /// Starts to think on the opponent's time, and returns at once.
    fn start_ponder(&mut self, ask: &SearchCommand<'_>) -> Result<(), EngineFault>;

    /// The move pondered on was played: the search is now a normal one.
    fn ponder_hit(&mut self, patience: Duration) -> Result<SearchReply, EngineFault>;

    /// Another move was played: ends the search and drops its answer.
    fn stop_ponder(&mut self) -> Result<(), EngineFault>;

    /// Tells the end of a game. No search is running.
    fn game_over(&mut self, outcome: GameOver) -> Result<(), EngineFault>;

    /// The last lines that went to and fro, oldest first, for the report of a fault.
    fn transcript(&self) -> Vec<String> {
        Vec::new()
    }
}
