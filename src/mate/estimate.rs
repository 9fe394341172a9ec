//! First guesses: the numbers of a position that nobody has searched, from the move that leads to
//! it, and an order among moves that the numbers do not tell apart. (That a move's worth follows
//! from who guards its target is an idea of GPS Shogi; the scale with room between one and two is
//! KomoringHeights'.)

use super::value::{Role, Value};
use crate::position::Position;
use crate::types::{Move, PieceKind, Square};

/// The number of a position of which nothing is known, good or bad.
pub(super) const UNIT: u64 = 2;

/// The numbers of the position after a move.
pub(super) fn first_guess(position: &Position, side: Role, mv: Move) -> Value {
    match side {
        Role::Attacker => after_check(position, mv),
        Role::Defender => after_evasion(position, mv),
    }
}

/// Own pieces that bear on the target, a dropped one counted, and those of the other side.
fn guards(position: &Position, mv: Move) -> (u32, u32) {
    let (us, to) = (position.side_to_move(), mv.to());
    let count = |color| position.attackers(color, to, position.occupied()).len();
    (count(us) + u32::from(mv.is_drop()), count(!us))
}

fn after_check(position: &Position, mv: Move) -> Value {
    let (mut pn, mut dn) = (UNIT, UNIT);
    let (support, guards) = guards(position, mv);
    if guards >= 2 {
        pn += UNIT;
    }
    let victim = position.piece_at(mv.to()).map(|piece| piece.kind().unpromoted());
    match victim {
        _ if support > guards => dn += UNIT,
        Some(PieceKind::Gold | PieceKind::Silver) => dn += UNIT,
        _ => pn += UNIT,
    }
    Value::open(pn, dn)
}

fn after_evasion(position: &Position, mv: Move) -> Value {
    if position.is_capture(mv) {
        return Value::open(2 * UNIT, UNIT);
    }
    let king = position.king(position.side_to_move());
    if !mv.is_drop() && Some(mv.from()) == king {
        return Value::open(UNIT, UNIT);
    }
    let (support, guards) = guards(position, mv);
    if support > guards { Value::open(2 * UNIT, UNIT) } else { Value::open(UNIT, 2 * UNIT) }
}

/// The order among moves with equal numbers: the less the sooner. Near the king, and heavy pieces
/// first; what could promote and does not comes last.
pub(super) fn order(position: &Position, king: Option<Square>, mv: Move) -> i16 {
    let piece = position.moved_piece(mv);
    let weight = match piece.kind() {
        PieceKind::Pawn => 10,
        PieceKind::Lance | PieceKind::Knight => 20,
        PieceKind::Silver => 30,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Gold => 50,
        PieceKind::King | PieceKind::Horse | PieceKind::Dragon => 80,
        _ => 50,
    };
    let distance = king.map_or(0, |king| 10 * distance(king, mv.to()));
    let reluctant = if declines_promotion(position, mv) { 1000 } else { 0 };
    reluctant + distance - weight
}

/// Whether a pawn, bishop or rook could promote and does not.
fn declines_promotion(position: &Position, mv: Move) -> bool {
    if mv.is_drop() || mv.is_promotion() {
        return false;
    }
    let us = position.side_to_move();
    let light = matches!(
        position.moved_piece(mv).kind(),
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook
    );
    light && (mv.from().relative_rank(us) < 3 || mv.to().relative_rank(us) < 3)
}

fn distance(a: Square, b: Square) -> i16 {
    let files = i16::from(a.file()) - i16::from(b.file());
    let ranks = i16::from(a.rank()) - i16::from(b.rank());
    files.abs().max(ranks.abs())
}
