//! The names of openings (戦型) and castles (囲い) in a game.
//!
//! A [`Formation`] is a row of the tables in `openings` and `castles`, with a pattern in the language of `pattern`.
//! [`formations`] matches the rows against each position of a game.

mod castles;
mod formation;
mod openings;
mod pattern;
mod recognition;
#[cfg(test)]
mod tests;

pub use formation::{Formation, FormationKind};
pub use recognition::{FormationEvent, formations};
