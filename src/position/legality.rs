//! Legality of moves of unknown origin, and whether a legal move gives check.

use std::fmt;

use super::attacks;
use super::board::Position;
use crate::types::message::{Message, message};
use crate::types::{Bitboard, Move, Piece, PieceKind, Square};

/// The rule that a move violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    NotAMove,
    NoPiece,
    OpponentsPiece,
    NotInHand,
    Occupied,
    OwnPieceOnTarget,
    Unreachable,
    CannotPromote,
    ImmobilePiece,
    DoubledPawn,
    PawnDropMate,
    LeavesKingInCheck,
}

impl IllegalMove {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            IllegalMove::NotAMove => message!("it is not a move", "指し手ではありません"),
            IllegalMove::NoPiece => {
                message!("there is no piece on the origin square", "動かす駒がありません")
            }
            IllegalMove::OpponentsPiece => {
                message!("the piece belongs to the opponent", "相手の駒です")
            }
            IllegalMove::NotInHand => {
                message!("there is no such piece in hand", "その持ち駒がありません")
            }
            IllegalMove::Occupied => message!(
                "a piece can be dropped on an empty square only",
                "駒を打てるのは空いているマスだけです"
            ),
            IllegalMove::OwnPieceOnTarget => message!(
                "the target square has a piece of the same side",
                "移動先に自分の駒があります"
            ),
            IllegalMove::Unreachable => {
                message!("the piece does not move that way", "その駒はそこに動けません")
            }
            IllegalMove::CannotPromote => {
                message!("the piece cannot promote there", "そこでは成れません")
            }
            IllegalMove::ImmobilePiece => {
                message!("the piece could never move again", "行き所のない駒になります")
            }
            IllegalMove::DoubledPawn => {
                message!("the file already has a pawn of the same side", "二歩です")
            }
            IllegalMove::PawnDropMate => {
                message!("a pawn must not be dropped to give mate", "打ち歩詰めです")
            }
            IllegalMove::LeavesKingInCheck => {
                message!("it leaves the king in check", "自分の玉に王手がかかったままになります")
            }
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Whether the move is legal. Any move is allowed.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.validate_move(mv).is_ok()
    }

    /// Validates a move. Any move is allowed.
    ///
    /// # Errors
    /// The rule that it violates.
    pub fn validate_move(&self, mv: Move) -> Result<(), IllegalMove> {
        if !mv.is_ok() {
            return Err(IllegalMove::NotAMove);
        }
        if mv.is_drop() { self.validate_drop(mv) } else { self.validate_board_move(mv) }
    }

    fn validate_drop(&self, mv: Move) -> Result<(), IllegalMove> {
        let (us, to, kind) = (self.side, mv.to(), mv.dropped());
        if !kind.can_be_held() || !self.hand(us).has(kind) {
            return Err(IllegalMove::NotInHand);
        }
        if self.piece_at(to).is_some() {
            return Err(IllegalMove::Occupied);
        }
        if is_immobile(kind, to.relative_rank(us)) {
            return Err(IllegalMove::ImmobilePiece);
        }
        if self.in_check() && !self.blocks_check(mv) {
            return Err(IllegalMove::LeavesKingInCheck);
        }
        if kind != PieceKind::Pawn {
            return Ok(());
        }
        if Bitboard::file(to.file()).intersects(self.pieces_of(us, PieceKind::Pawn)) {
            return Err(IllegalMove::DoubledPawn);
        }
        let is_before_king =
            self.king(!us).is_some_and(|king| attacks::pawn(us, to).contains(king));
        if is_before_king && self.is_pawn_drop_mate(to) {
            return Err(IllegalMove::PawnDropMate);
        }
        Ok(())
    }

    fn validate_board_move(&self, mv: Move) -> Result<(), IllegalMove> {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let piece = self.piece_at(from).ok_or(IllegalMove::NoPiece)?;
        if piece.color() != us {
            return Err(IllegalMove::OpponentsPiece);
        }
        if self.pieces(us).contains(to) {
            return Err(IllegalMove::OwnPieceOnTarget);
        }
        if !attacks::of(piece, from, self.occupied()).contains(to) {
            return Err(IllegalMove::Unreachable);
        }
        validate_promotion(piece, mv)?;
        if piece.kind() == PieceKind::King {
            let without_king = self.occupied() ^ Bitboard::from_square(from);
            let safe = self.attackers(!us, to, without_king).is_empty();
            return if safe { Ok(()) } else { Err(IllegalMove::LeavesKingInCheck) };
        }
        if self.breaks_pin(mv.from(), mv.to()) || self.in_check() && !self.evades_check(mv) {
            return Err(IllegalMove::LeavesKingInCheck);
        }
        Ok(())
    }

    /// Whether a pin forbids the move of a piece other than the king.
    #[inline(always)]
    pub(super) fn breaks_pin(&self, from: Square, to: Square) -> bool {
        self.blockers(self.side).contains(from)
            && self
                .king(self.side)
                .is_some_and(|king| !attacks::ray_through(king, from).contains(to))
    }

    /// Whether a move of a piece other than the king captures or blocks the only checker.
    fn evades_check(&self, mv: Move) -> bool {
        let checkers = self.checkers();
        !checkers.more_than_one() && (checkers.contains(mv.to()) || self.blocks_check(mv))
    }

    fn blocks_check(&self, mv: Move) -> bool {
        let checkers = self.checkers();
        !checkers.more_than_one()
            && self
                .king(self.side)
                .is_some_and(|king| attacks::between(king, checkers.lsb()).contains(mv.to()))
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king(!us) else { return false };
        let to = mv.to();
        if self.checks_from(self.moved_piece_after(mv).kind(), to, king) {
            return true;
        }
        !mv.is_drop()
            && self.blockers(!us).contains(mv.from())
            && !attacks::ray_through(king, mv.from()).contains(to)
    }
}

fn validate_promotion(piece: Piece, mv: Move) -> Result<(), IllegalMove> {
    let (us, kind) = (piece.color(), piece.kind());
    let zone = Bitboard::promotion_zone(us);
    if mv.is_promotion() {
        let allowed = kind.can_promote() && (zone.contains(mv.from()) || zone.contains(mv.to()));
        return if allowed { Ok(()) } else { Err(IllegalMove::CannotPromote) };
    }
    if is_immobile(kind, mv.to().relative_rank(us)) {
        return Err(IllegalMove::ImmobilePiece);
    }
    Ok(())
}

/// Whether the kind could never move from this rank (from the view of its side).
pub(super) fn is_immobile(kind: PieceKind, relative_rank: u8) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => relative_rank == 0,
        PieceKind::Knight => relative_rank <= 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_illegal_move_is_refused_with_the_rule_that_it_violates() {
        use IllegalMove::{
            CannotPromote, DoubledPawn, ImmobilePiece, LeavesKingInCheck, NoPiece, NotAMove,
            NotInHand, Occupied, OpponentsPiece, OwnPieceOnTarget, PawnDropMate, Unreachable,
        };
        const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        const HANDS: &str = "4k4/9/9/9/4P4/9/9/9/4K4 b PN 1";
        for (sfen, mv, rule) in [
            (START, "5e5d", NoPiece),
            (START, "3c3d", OpponentsPiece),
            (START, "2h8h", OwnPieceOnTarget),
            (START, "7g7e", Unreachable),
            (START, "7g7f+", CannotPromote),
            (START, "6i7h+", CannotPromote),
            (START, "P*5e", NotInHand),
            (HANDS, "N*5e", Occupied),
            (HANDS, "P*5d", DoubledPawn),
            (HANDS, "P*4a", ImmobilePiece),
            (HANDS, "N*4b", ImmobilePiece),
            ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", ImmobilePiece),
            // The gold is pinned; the king goes into a check; a drop does not block one.
            ("4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h", LeavesKingInCheck),
            ("4r3k/9/9/9/9/9/9/9/3K5 b - 1", "6i5i", LeavesKingInCheck),
            ("4r3k/9/9/9/9/9/9/9/4K4 b G 1", "G*1e", LeavesKingInCheck),
            ("7lk/9/6G2/7N1/9/9/9/9/4K4 b P 1", "P*1b", PawnDropMate),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(position.validate_move(mv.parse().unwrap()), Err(rule), "{mv} in {sfen}");
        }
        assert_eq!(Position::startpos().validate_move(Move::NULL), Err(NotAMove));
    }
}
