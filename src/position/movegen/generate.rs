//! The stages of move generation.

use super::move_list::MoveList;
use super::non_promotions::NonPromotions;
use super::sink::{MoveCounter, MoveSink};
use crate::position::board::Position;
use crate::types::Bitboard;

impl Position {
    /// All legal moves, including all non-promotions.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList(Vec::with_capacity(128));
        self.generate_legal(NonPromotions::All, &mut list);
        list
    }

    /// All legal moves except almost useless non-promotions.
    pub fn useful_moves(&self) -> MoveList {
        let mut list = MoveList(Vec::with_capacity(128));
        self.generate_legal(NonPromotions::Useful, &mut list);
        list
    }

    /// All legal moves with the given choice of non-promotions. In check these are the evasions.
    pub fn generate_legal<S: MoveSink>(&self, non_promotions: NonPromotions, sink: &mut S) {
        let mask = self.check_mask();
        let targets = !self.pieces(self.side);
        self.board_moves(targets, mask.board, non_promotions, sink);
        self.drop_moves(mask.drops, sink);
    }

    /// Captures. The side to move must not be in check.
    pub fn generate_captures<S: MoveSink>(&self, non_promotions: NonPromotions, sink: &mut S) {
        self.board_moves(self.pieces(!self.side), Bitboard::ALL, non_promotions, sink);
    }

    /// Moves to empty squares, and drops. The side to move must not be in check; `attacked` are the
    /// squares that the other side attacks.
    pub fn generate_quiets<S: MoveSink>(
        &self,
        non_promotions: NonPromotions,
        attacked: Bitboard,
        sink: &mut S,
    ) {
        let empty = !self.occupied();
        self.piece_moves(empty, non_promotions, sink);
        // A king that is not in check hides no attacked square behind it.
        self.safe_king_moves(empty.without(attacked), sink);
        self.drop_moves(empty, sink);
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut counter = MoveCounter::new(Bitboard::len);
        self.king_moves(!self.pieces(self.side), &mut counter);
        if counter.count > 0 {
            return true;
        }
        self.generate_legal(NonPromotions::All, &mut counter);
        counter.count > 0
    }

    /// The number of legal moves. `popcount` counts the squares of a set, in the way that is fastest on the
    /// processor.
    #[inline]
    pub fn count_legal(&self, popcount: impl Fn(Bitboard) -> u32) -> u64 {
        let mut counter = MoveCounter::new(popcount);
        self.generate_legal(NonPromotions::All, &mut counter);
        counter.count.into()
    }
}
