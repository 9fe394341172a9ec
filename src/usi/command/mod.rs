//! Parses one line of input into a [`Command`].
//!
//! Tolerates damaged lines: every line gives a command or none, and a list of errors. Moves are parsed
//! but not checked against a position.

mod clock;
mod dispatch;
mod error;
mod go;
mod numbers;
mod option;
mod parser;
mod position;
#[cfg(test)]
mod tests;
mod types;

pub use self::dispatch::{Parsed, parse};
pub(crate) use self::dispatch::{sets_position, urgency};
pub use self::error::CommandError;
pub use self::types::{Command, Start, UsiMoves};
