//! What a move changes, for those who keep sums over the pieces.

use crate::types::{Piece, Square};

/// Where a piece lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Board(Square),
    /// In the hand of the piece's side, as the n-th of its kind (from 1).
    Hand(u8),
}

/// One piece that goes from one spot to another, changing kind or side on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: (Piece, Spot),
    pub after: (Piece, Spot),
}

/// The pieces that a move changes: the one that moves and the one it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    pub moved: Change,
    pub captured: Option<Change>,
}
