//! A move with its piece and a score in one word.

use std::fmt;

use crate::types::{Move, Piece};

/// A move with the piece after the move and a score.
///
/// One word: move in bits 0-15, piece in bits 16-23, score, which determines the order, in the upper half.
/// Lists are sorted often, and fields written separately are slow to read as one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ScoredMove(i64);

impl ScoredMove {
    /// A move with score 0.
    #[inline(always)]
    pub const fn new(mv: Move, piece: Piece) -> ScoredMove {
        ScoredMove(mv.bits() as i64 | (piece.code() as i64) << 16)
    }

    #[inline(always)]
    pub const fn mv(self) -> Move {
        Move::from_bits_unchecked(self.0 as u16)
    }

    #[inline(always)]
    pub const fn piece(self) -> Piece {
        Piece::from_code((self.0 >> 16) as u8)
    }

    #[inline(always)]
    pub const fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline(always)]
    pub const fn with_score(self, score: i32) -> ScoredMove {
        ScoredMove(self.0 & 0xffff_ffff | (score as i64) << 32)
    }
}

impl fmt::Debug for ScoredMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} at {}", self.mv(), self.piece(), self.score())
    }
}
