//! The squares from which each kind of piece gives check.

use super::attacks;
use super::board::Position;
use crate::types::{Bitboard, PieceKind, Square};

/// For each kind of piece of the side to move, the squares from which it attacks the enemy king. Lines are
/// those of the current occupancy, without X-ray attacks through the moving piece.
#[derive(Clone, Debug)]
pub struct CheckSquares([Bitboard; 16]);

impl CheckSquares {
    #[inline(always)]
    pub fn of(&self, kind: PieceKind) -> Bitboard {
        self.0[kind.index()]
    }
}

impl Position {
    /// The check squares of all kinds, for testing many moves.
    pub fn check_squares(&self) -> CheckSquares {
        let mut squares = [Bitboard::EMPTY; 16];
        let Some(king) = self.king(!self.side) else { return CheckSquares(squares) };
        let (them, near) = (!self.side, attacks::king(king));
        let diagonal = attacks::bishop(king, self.occupied());
        let orthogonal = attacks::rook(king, self.occupied());
        let gold = attacks::gold(them, king);
        for (kind, from) in [
            (PieceKind::Pawn, attacks::pawn(them, king)),
            (PieceKind::Lance, orthogonal & attacks::lance_ray(them, king)),
            (PieceKind::Knight, attacks::knight(them, king)),
            (PieceKind::Silver, attacks::silver(them, king)),
            (PieceKind::Bishop, diagonal),
            (PieceKind::Rook, orthogonal),
            (PieceKind::Gold, gold),
            (PieceKind::ProPawn, gold),
            (PieceKind::ProLance, gold),
            (PieceKind::ProKnight, gold),
            (PieceKind::ProSilver, gold),
            (PieceKind::Horse, diagonal | near),
            (PieceKind::Dragon, orthogonal | near),
        ] {
            squares[kind.index()] = from;
        }
        CheckSquares(squares)
    }

    /// Whether a piece of the side to move attacks the enemy king from one square, for testing one move.
    #[inline(always)]
    pub(super) fn checks_from(&self, kind: PieceKind, from: Square, king: Square) -> bool {
        // One table instead of a jump by kind, which is unpredictable. Adjacent squares and those of a knight have
        // nothing between them; no legal move of a king ends next to the other.
        attacks::pseudo_attacks(!self.side, kind, king).contains(from)
            && !attacks::between(king, from).intersects(self.occupied())
    }
}
