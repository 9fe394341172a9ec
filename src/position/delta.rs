//! The pieces that a move changes, for incremental evaluation.

use crate::types::{Piece, Square};

/// The location of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Board(Square),
    /// In the hand of its side, as the n-th of its kind (from 1).
    Hand(u8),
}

/// A piece that changes its location, and perhaps its kind or side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: (Piece, Spot),
    pub after: (Piece, Spot),
}

/// The pieces that a move changes: the moving piece and the captured one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    pub moved: Change,
    pub captured: Option<Change>,
}
