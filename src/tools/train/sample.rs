//! A position to learn from.

use crate::nnue::PieceList;
use crate::types::Color;

/// A position and what is known of it, all from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub pieces: PieceList,
    pub side: Color,
    /// Which stack of layers judges it.
    pub stack: u16,
    pub label: Label,
}

/// What a net is to learn of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The result of a search, in the engine's units.
    pub score: i16,
    /// What the game brought: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
}

impl Label {
    /// The result as a share of the point.
    pub(super) fn points(self) -> f32 {
        (1.0 + f32::from(self.result)) / 2.0
    }
}
