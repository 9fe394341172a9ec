//! A list of moves.

use std::ops::Deref;

use super::scored_move::ScoredMove;
use super::sink::MoveSink;
use crate::types::{Bitboard, Move, Piece, Square};

/// A list of moves.
#[derive(Clone, Debug, Default)]
pub struct MoveList(pub(super) Vec<ScoredMove>);

impl MoveList {
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.0.iter().map(|scored| scored.mv())
    }

    pub fn contains(&self, mv: Move) -> bool {
        self.moves().any(|other| other == mv)
    }
}

impl Deref for MoveList {
    type Target = [ScoredMove];

    fn deref(&self) -> &[ScoredMove] {
        &self.0
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        self.0.piece(piece, from, targets, promote);
    }

    #[inline(always)]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        self.0.pawns(piece, targets, promote);
    }

    #[inline(always)]
    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        self.0.drops(piece, targets);
    }
}
