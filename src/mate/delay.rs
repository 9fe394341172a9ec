//! Groups of similar moves, which usually lead to the same value: in some, a move is delayed until
//! another one is solved; in others, their maximum counts instead of their sum.

use super::node_value::NodeType;
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Move, Piece, PieceKind, Square};

/// A group of moves that are searched one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DelayGroup {
    /// Pieces dropped on a square to interpose, where they are supported or give check.
    Interposition(Square),
    /// Interposed pieces without support.
    FutileInterposition,
    /// A move with promotion and the same move without.
    Promotion(Square, Square),
}

impl DelayGroup {
    pub(super) fn of(position: &Position, node_type: NodeType, mv: Move) -> Option<DelayGroup> {
        let (us, to) = (position.side_to_move(), mv.to());
        if mv.is_drop() {
            if node_type == NodeType::Or {
                return None;
            }
            let is_sound = !position.attackers(us, to, position.occupied()).is_empty()
                || position.gives_check(mv);
            return Some(if is_sound {
                DelayGroup::Interposition(to)
            } else {
                DelayGroup::FutileInterposition
            });
        }
        let zone = Bitboard::promotion_zone(us);
        if !zone.contains(mv.from()) && !zone.contains(to) {
            return None;
        }
        let kind = position.piece_at(mv.from())?.kind();
        let promotion_is_better = match kind {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
            PieceKind::Lance => to.relative_rank(us) == 1,
            _ => false,
        };
        promotion_is_better.then_some(DelayGroup::Promotion(mv.from(), to))
    }
}

/// Whether a check is one of two lance moves, with promotion and without, to the square before the
/// king. Their numbers count by the maximum.
pub(super) fn is_lance_pair(position: &Position, node_type: NodeType, mv: Move) -> bool {
    if node_type == NodeType::And || mv.is_drop() {
        return false;
    }
    let (us, to) = (position.side_to_move(), mv.to());
    let is_lance = position.piece_at(mv.from()) == Some(Piece::new(us, PieceKind::Lance));
    let can_promote = matches!(to.relative_rank(us), 1 | 2);
    is_lance
        && can_promote
        && position.king(!us).is_some_and(|king| attacks::pawn(us, to).contains(king))
}
