//! How lines end, in the terms of the notations.

use crate::types::Color;

/// How a line of moves ends (`special` in JKF, a "special move" in CSA). Where a player is meant, it is the
/// side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Resign,
    /// The side to move is mated.
    Mate,
    /// A problem without a mate.
    NoMate,
    /// The side to move wins by an entering-king declaration.
    Declaration,
    Sennichite,
    /// Impasse: both kings have entered, and neither side wins.
    Jishogi,
    /// A draw by agreement or for an unknown reason.
    Draw,
    /// The move limit is reached.
    MaxMoves,
    TimeUp,
    /// The side to move made an illegal move. The move itself is not recorded.
    IllegalMove,
    /// This side, whoever is to move, broke the rules.
    IllegalAction(Color),
    Interrupted,
    WinByDefault,
    LossByDefault,
    /// A move was taken back, in old CSA files.
    Matta,
    Error,
    /// Another word, as it was found.
    Other(String),
}
