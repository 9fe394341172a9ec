//! The names of openings (戦型) and castles (囲い) in a game.
//!
//! A formation is a row in a table of patterns.

mod castles;
mod formation;
mod openings;
mod pattern;
mod recognition;
#[cfg(test)]
mod tests;

pub use formation::{Formation, FormationKind};
pub use recognition::{FormationEvent, formations};
