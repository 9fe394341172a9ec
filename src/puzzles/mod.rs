//! Puzzles from games: positions in which the mover missed the only move that mates, wins or saves the
//! game.
//!
//! Top down: a [`PuzzleFinder`] examines the bad moves that a scan of the game
//! ([`Analyzer`](crate::analysis::Analyzer)) finds. A `solution` is built for each: an [`Examiner`] searches
//! every position of it again, with ten times the nodes, for the best move and for all others, and `goal`
//! decides whether the best is the only one. [`distinct`] leaves out similar puzzles.

mod difficulty;
mod distinct;
mod examiner;
mod finder;
mod goal;
mod puzzle;
mod solution;
#[cfg(test)]
mod tests;

pub use distinct::distinct;
pub use examiner::Examiner;
pub use finder::{FinderError, FinderSettings, GameScan, PuzzleFinder};
pub use goal::{CLEAR_WIN, LOST, PuzzleGoal, SAVED, UNIQUE_MARGIN, goal};
pub use puzzle::{
    Alternative, CandidateLine, Difficulty, Examination, FoundAt, Puzzle, PuzzleStep,
};
