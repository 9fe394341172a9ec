//! What a game asks of a player, whatever is behind it.
//!
//! The game speaks only through this trait, so that its rules are tested with players in memory.

use std::fmt;
use std::time::Duration;

use super::info::SearchInfo;

/// One search, in the words of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The whole command: `position startpos moves ...`.
    pub position: &'a str,
    /// What follows `go` or `go ponder`, with a blank in front.
    pub limits: &'a str,
    /// How long to wait for the answer before asking it to stop.
    pub patience: Duration,
}

/// The answer to a search. It may be late, and it need not make sense.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The `bestmove` line.
    pub line: String,
    /// From `go` or `ponderhit` to the answer.
    pub elapsed: Duration,
    pub info: SearchInfo,
}

/// The end of a game as one player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    Win,
    Lose,
    Draw,
}

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOver::Win => "win",
            GameOver::Lose => "lose",
            GameOver::Draw => "draw",
        })
    }
}

/// A player that plays no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What happened: the offending line, or how the process ended.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The process is gone.
    Crash,
    /// It does not answer, not even to `stop`.
    Hang,
    /// It said what it must not say.
    Protocol,
}

impl Fault {
    pub fn crash(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Crash, detail: detail.into() }
    }

    pub fn hang(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Hang, detail: detail.into() }
    }

    pub fn protocol(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Protocol, detail: detail.into() }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Protocol => "protocol_error",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

impl std::error::Error for Fault {}

/// A player of games. After a [`Fault`] it is not used again.
pub trait Player {
    /// Sets options, between two games.
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Fault>;

    /// Gets ready for a new game.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Searches, and returns when it has answered.
    fn think(&mut self, ask: &Ask<'_>) -> Result<Reply, Fault>;

    /// Starts to think on the opponent's time, and returns at once.
    fn start_ponder(&mut self, ask: &Ask<'_>) -> Result<(), Fault>;

    /// The move pondered on was played: the search is now a normal one.
    fn ponder_hit(&mut self, patience: Duration) -> Result<Reply, Fault>;

    /// Another move was played: ends the search and drops its answer.
    fn stop_ponder(&mut self) -> Result<(), Fault>;

    /// Tells the end of a game. No search is running.
    fn game_over(&mut self, outcome: GameOver) -> Result<(), Fault>;

    /// The last lines that went to and fro, oldest first, for the report of a fault.
    fn transcript(&self) -> Vec<String> {
        Vec::new()
    }
}
