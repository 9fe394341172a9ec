//! The pieces that a move changes, for incremental evaluation.

use crate::types::{Piece, Square};

/// The location of a piece: a square, or a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceLocation {
    Board(Square),
    /// In the hand of its side, as the n-th of its kind (from 1).
    Hand(u8),
}

/// A piece that a move changes: its location, and perhaps its kind or side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyPiece {
    pub before: (Piece, PieceLocation),
    pub after: (Piece, PieceLocation),
}

/// The pieces that a move changes: the moving piece and the captured one (Stockfish: `DirtyPiece`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyPieces {
    pub moved: DirtyPiece,
    pub captured: Option<DirtyPiece>,
}
