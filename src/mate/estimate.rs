//! The initial proof and disproof numbers of a position, from the move that leads to it, and the order of
//! moves with equal numbers. (The numbers depend on the attackers of the target square, an idea of GPS Shogi.
//! The unit is 2, which leaves 1 below it, as in KomoringHeights.)

use super::node_value::{NodeType, NodeValue};
use crate::position::Position;
use crate::types::{Move, PieceKind, Square};

/// The proof and disproof number of an unknown position.
pub(super) const UNIT: u64 = 2;

/// The numbers of the position after a move at a node of this type.
pub(super) fn initial_numbers(position: &Position, node_type: NodeType, mv: Move) -> NodeValue {
    match node_type {
        NodeType::Or => numbers_after_check(position, mv),
        NodeType::And => numbers_after_evasion(position, mv),
    }
}

/// Attackers of the move's target: the mover's own, with a dropped piece, and the opponent's.
fn attackers(position: &Position, mv: Move) -> (u32, u32) {
    let (us, to) = (position.side_to_move(), mv.to());
    let count = |color| position.attackers(color, to, position.occupied()).len();
    (count(us) + u32::from(mv.is_drop()), count(!us))
}

fn numbers_after_check(position: &Position, mv: Move) -> NodeValue {
    let (mut pn, mut dn) = (UNIT, UNIT);
    let (ours, theirs) = attackers(position, mv);
    if theirs >= 2 {
        pn += UNIT;
    }
    let victim = position.piece_at(mv.to()).map(|piece| piece.kind().unpromoted());
    match victim {
        _ if ours > theirs => dn += UNIT,
        Some(PieceKind::Gold | PieceKind::Silver) => dn += UNIT,
        _ => pn += UNIT,
    }
    NodeValue::open(pn, dn)
}

fn numbers_after_evasion(position: &Position, mv: Move) -> NodeValue {
    if position.is_capture(mv) {
        return NodeValue::open(2 * UNIT, UNIT);
    }
    let king = position.king(position.side_to_move());
    if !mv.is_drop() && Some(mv.from()) == king {
        return NodeValue::open(UNIT, UNIT);
    }
    let (ours, theirs) = attackers(position, mv);
    if ours > theirs { NodeValue::open(2 * UNIT, UNIT) } else { NodeValue::open(UNIT, 2 * UNIT) }
}

/// The order of moves with equal numbers, least first: near the king and with major pieces first, moves that
/// decline a promotion last.
pub(super) fn move_order(position: &Position, king: Option<Square>, mv: Move) -> i16 {
    let piece = position.moved_piece_after(mv);
    let weight = match piece.kind() {
        PieceKind::Pawn => 10,
        PieceKind::Lance | PieceKind::Knight => 20,
        PieceKind::Silver => 30,
        PieceKind::King | PieceKind::Horse | PieceKind::Dragon => 80,
        _ => 50,
    };
    let distance = king.map_or(0, |king| 10 * i16::from(king.distance(mv.to())));
    let penalty = if declines_promotion(position, mv) { 1000 } else { 0 };
    penalty + distance - weight
}

/// Whether a pawn, bishop or rook could promote and does not.
fn declines_promotion(position: &Position, mv: Move) -> bool {
    !mv.is_promotion()
        && matches!(
            position.moved_kind_before(mv),
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook
        )
        && position.may_promote(mv)
}
