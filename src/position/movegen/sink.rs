//! Receivers of generated moves, as sets of target squares.

use super::scored_move::ScoredMove;
use crate::types::{Bitboard, Move, Piece, Square};

/// Receives generated moves as sets of target squares. `piece` is the piece after the move.
pub trait MoveSink {
    /// Moves of one piece.
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool);
    /// Moves of several pawns, each from the square behind its target.
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool);
    fn drops(&mut self, piece: Piece, targets: Bitboard);
}

impl MoveSink for Vec<ScoredMove> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        for to in targets {
            self.push(ScoredMove::new(Move::board(from, to, promote), piece));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        for to in targets {
            let from = to.behind(piece.color());
            self.push(ScoredMove::new(Move::board(from, to, promote), piece));
        }
    }

    #[inline(always)]
    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        for to in targets {
            self.push(ScoredMove::new(Move::drop(piece.kind(), to), piece));
        }
    }
}

/// Counts moves with a function that counts the squares of a set.
#[derive(Debug)]
pub(super) struct MoveCounter<F> {
    pub(super) count: u32,
    popcount: F,
}

impl<F: Fn(Bitboard) -> u32> MoveCounter<F> {
    #[inline(always)]
    pub(super) fn new(popcount: F) -> MoveCounter<F> {
        MoveCounter { count: 0, popcount }
    }

    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.count += (self.popcount)(targets);
    }
}

impl<F: Fn(Bitboard) -> u32> MoveSink for MoveCounter<F> {
    #[inline(always)]
    fn piece(&mut self, _: Piece, _: Square, targets: Bitboard, _: bool) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, _: Piece, targets: Bitboard, _: bool) {
        self.add(targets);
    }

    #[inline(always)]
    fn drops(&mut self, _: Piece, targets: Bitboard) {
        self.add(targets);
    }
}
