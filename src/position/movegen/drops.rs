//! Generation of drops.

use super::sink::MoveSink;
use crate::position::attacks;
use crate::position::board::Position;
use crate::types::{Bitboard, Piece, PieceKind, Square};

impl Position {
    /// Legal drops on `targets`, which must be empty squares.
    #[inline]
    pub(super) fn drop_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let us = self.side;
        let hand = self.hand(us);
        if hand.is_empty() || targets.is_empty() {
            return;
        }
        if hand.has(PieceKind::Pawn) {
            sink.drops(Piece::new(us, PieceKind::Pawn), self.pawn_drop_targets(targets));
        }
        for (kind, immobile_ranks) in [
            (PieceKind::Lance, 1),
            (PieceKind::Knight, 2),
            (PieceKind::Silver, 0),
            (PieceKind::Gold, 0),
            (PieceKind::Bishop, 0),
            (PieceKind::Rook, 0),
        ] {
            if hand.has(kind) {
                let immobile = Bitboard::far_ranks(us, immobile_ranks);
                sink.drops(Piece::new(us, kind), targets.without(immobile));
            }
        }
    }

    #[inline(always)]
    fn pawn_drop_targets(&self, targets: Bitboard) -> Bitboard {
        let us = self.side;
        let forbidden =
            self.pieces_of(us, PieceKind::Pawn).fill_files() | Bitboard::far_ranks(us, 1);
        let targets = targets.without(forbidden);
        let Some(king) = self.king(!us) else { return targets };
        let before_king = attacks::pawn(!us, king) & targets;
        if !before_king.is_empty() && self.is_pawn_drop_mate(before_king.lsb()) {
            return targets.without(before_king);
        }
        targets
    }

    /// Uchifuzume: whether a pawn dropped here, in front of the enemy king, mates.
    pub(crate) fn is_pawn_drop_mate(&self, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.king(them) else { return false };
        let king_bit = Bitboard::from_square(king);
        let occupied = self.occupied().with(to);
        // Another piece than the king captures the pawn, unless it is pinned on another line.
        let takers = self.attackers(them, to, occupied).without(king_bit);
        let pinned = self.blockers(them);
        for taker in takers {
            if !pinned.contains(taker) || attacks::ray_through(king, taker).contains(to) {
                return false;
            }
        }
        // The king captures the pawn or escapes.
        let without_king = occupied ^ king_bit;
        let escapes = attacks::king(king).without(self.pieces(them));
        !escapes.into_iter().any(|square| self.attackers(us, square, without_king).is_empty())
    }
}
