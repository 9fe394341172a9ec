//! The commands of the protocol as values.

use crate::position::{Position, SfenError};
use crate::search::request::{Clock, KeyedEntry, Limits};
use crate::types::Move;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Usi,
    Debug(bool),
    IsReady,
    /// Name and value as sent, trimmed; the value is `None` if the word `value` is missing. Bytes,
    /// because a path may be in any encoding.
    SetOption {
        name: Vec<u8>,
        value: Option<Vec<u8>>,
    },
    /// Show one option, or all.
    GetOption(Option<Vec<u8>>),
    /// List the commands, or explain a command or an option.
    Help(Option<Vec<u8>>),
    Register,
    NewGame,
    Position {
        start: Start,
        moves: UsiMoves,
    },
    /// Play moves from the current position.
    PosDiff(UsiMoves),
    /// Not checked against a position.
    Go(Box<Limits>),
    /// Count the leaves at this depth.
    Perft(u32),
    Stop,
    /// With the clocks, if the line has them.
    PonderHit(Option<Clock>),
    /// Entries of another worker of the cluster.
    Entries(Vec<KeyedEntry>),
    GameOver,
    Quit,
    /// List the legal moves.
    Moves,
    /// Show the board.
    Display,
    /// Show the position key.
    Key,
    /// Show the side to move.
    Side,
    /// Show the static evaluation.
    Eval,
    /// Show the build and the CPU instructions of the evaluation.
    Compiler,
}

/// The position from which moves are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    Startpos,
    /// The fields as sent, separated by one space; some or all may be missing.
    Sfen(String),
}

impl Start {
    /// The position.
    ///
    /// # Errors
    /// If the SFEN is invalid.
    pub fn position(&self) -> Result<Position, SfenError> {
        match self {
            Start::Startpos => Ok(Position::startpos()),
            Start::Sfen(text) => Position::from_sfen(text),
        }
    }
}

/// The moves of a `position` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsiMoves {
    pub moves: Vec<Move>,
    /// The list contains a token that is not a move, so the position of the GUI is unknown.
    pub is_incomplete: bool,
}
