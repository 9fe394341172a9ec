//! The mate in one that is part of the teacher's input.
//!
//! The teacher was trained with the mates that libosl's `ImmediateCheckmate` finds: by a piece that
//! moves or is dropped next to the king, or by a knight, in a fixed order. The first mate in the same
//! order is taken here; checks from afar and by discovery do not count.

use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// Directions in the order of libosl, as (files, ranks) for Black: from the checking piece to the king.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)];

/// Kinds in the order of libosl's piece numbers; a promoted piece keeps its number.
const NUMBERED: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Lance,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// Kinds in the order in which libosl tries drops.
const DROPPED: [PieceKind; 5] =
    [PieceKind::Gold, PieceKind::Lance, PieceKind::Silver, PieceKind::Bishop, PieceKind::Rook];

/// The first mate of the side to move, which must not be in check, or `None`.
pub(super) fn contact_mate(position: &mut Position) -> Option<Move> {
    // The fast test finds every mate that this order could find.
    position.mate_in_one()?;
    let king = position.king(!position.side_to_move())?;
    let mut candidates = Vec::with_capacity(16);
    for step in DIRECTIONS {
        if let Some(square) = next_to(king, step, position.side_to_move()) {
            add_moves_to(position, square, king, &mut candidates);
        }
    }
    add_knights(position, king, &mut candidates);
    for kind in DROPPED {
        for step in DIRECTIONS {
            if let Some(square) = next_to(king, step, position.side_to_move()) {
                add_drop(position, kind, square, king, &mut candidates);
            }
        }
    }
    candidates.into_iter().find(|&mv| is_mate(position, mv))
}

/// The square from which a piece of `us` attacks the king in the direction `step`.
fn next_to(king: Square, (files, ranks): (i8, i8), us: Color) -> Option<Square> {
    match us {
        Color::Black => king.offset(-files, -ranks),
        Color::White => king.offset(files, ranks),
    }
}

/// Board moves to a square next to the king that give check from there.
fn add_moves_to(position: &Position, square: Square, king: Square, out: &mut Vec<Move>) {
    let us = position.side_to_move();
    if position.pieces(us).contains(square) {
        return;
    }
    let origins = position.attackers(us, square, position.occupied());
    for kind in NUMBERED {
        for from in origins {
            let Some(piece) = position.piece_at(from) else { continue };
            if piece.kind().unpromoted() != kind {
                continue;
            }
            let zone = Bitboard::promotion_zone(us);
            let may_promote =
                piece.kind().can_promote() && (zone.contains(from) || zone.contains(square));
            if may_promote && checks(piece.promote(), square, king) {
                out.push(Move::board(from, square, true));
            }
            let always_promotes =
                matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook);
            if !(may_promote && always_promotes) && checks(piece, square, king) {
                out.push(Move::board(from, square, false));
            }
        }
    }
}

/// Checks by knights; for each square the moves before the drop.
fn add_knights(position: &Position, king: Square, out: &mut Vec<Move>) {
    let us = position.side_to_move();
    let forward = if us == Color::Black { 2 } else { -2 };
    // UUR comes before UUL: from the king's view the higher file for Black.
    let files = if us == Color::Black { [1, -1] } else { [-1, 1] };
    for file in files {
        let Some(square) = king.offset(file, forward) else { continue };
        if position.pieces(us).contains(square) {
            continue;
        }
        let knights = attacks::knight(!us, square) & position.pieces_of(us, PieceKind::Knight);
        out.extend(knights.into_iter().map(|from| Move::board(from, square, false)));
        add_drop(position, PieceKind::Knight, square, king, out);
    }
}

fn add_drop(
    position: &Position,
    kind: PieceKind,
    square: Square,
    king: Square,
    out: &mut Vec<Move>,
) {
    let us = position.side_to_move();
    let is_possible = position.hand(us).has(kind) && position.piece_at(square).is_none();
    if is_possible && checks(Piece::new(us, kind), square, king) {
        out.push(Move::drop(kind, square));
    }
}

/// Whether a piece on a square next to the king, or a knight's jump away, attacks it.
fn checks(piece: Piece, square: Square, king: Square) -> bool {
    attacks::of(piece, square, Bitboard::EMPTY).contains(king)
}

fn is_mate(position: &mut Position, mv: Move) -> bool {
    if !position.is_legal(mv) {
        return false;
    }
    position.do_move(mv);
    let is_mate = position.in_check() && position.legal_moves().is_empty();
    position.undo_move(mv);
    is_mate
}
