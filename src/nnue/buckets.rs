//! Which of a net's stacks of layers judges a position.

use crate::position::Position;

/// How a stack is chosen.
#[derive(Debug)]
pub enum Buckets {
    /// There is only one.
    One,
}

impl Buckets {
    /// How many stacks a net needs for this.
    pub fn count(&self) -> usize {
        match self {
            Buckets::One => 1,
        }
    }

    /// The stack for this position, below [`Buckets::count`].
    #[inline(always)]
    pub fn index(&self, _position: &Position) -> usize {
        match self {
            Buckets::One => 0,
        }
    }
}
