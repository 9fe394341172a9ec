//! The names of openings (戦型) and castles (囲い) in a game.
//!
//! Tables of patterns say what each looks like; a new one is a new row.

mod castles;
mod formation;
mod openings;
mod pattern;
mod recognition;
#[cfg(test)]
mod tests;

pub use formation::{Formation, FormationKind};
pub use recognition::{FormationEvent, castle, formations};
