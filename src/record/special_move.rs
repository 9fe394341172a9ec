//! How games end, as the notations tell it.

use crate::types::Color;

/// The end of a line of moves. What speaks of a player means the side to move, if nothing else is
/// said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecialMove {
    Resign,
    /// The king is mated.
    Mate,
    /// A problem that has no mate.
    NoMate,
    /// The side to move has entered with its king and wins by declaration.
    Declaration,
    Sennichite,
    /// Both kings have entered, and neither side wins.
    Jishogi,
    /// By agreement, or for a reason that is not told.
    Draw,
    /// The limit of moves is reached.
    MaxMoves,
    TimeUp,
    /// The side to move has made a move that the rules forbid; the move itself is not recorded.
    IllegalMove,
    /// This side, whoever is to move, has broken the rules.
    IllegalAction(Color),
    Interrupted,
    WinByDefault,
    LossByDefault,
    /// A move was taken back, in old CSA files.
    Matta,
    Error,
    /// A word that is none of these, as it was found.
    Other(String),
}
