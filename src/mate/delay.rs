//! Groups of similar moves, which usually lead to the same value: a move is delayed until another one is
//! solved, or has taken some effort.

use super::node_value::NodeType;
use super::proof_table::effort_code;
use crate::position::Position;
use crate::types::{Move, PieceKind, Square};

/// The effort of a check with promotion after which the same check without it is searched too. Without this
/// limit a mate that needs the check without promotion (with promotion it would be a mate by a pawn drop) is
/// found only after the check with promotion is disproved, in some problems after a hundred times the
/// positions.
const PROMOTION_EFFORT: u64 = 64;

/// A group of moves that are searched one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DelayGroup {
    /// Pieces dropped to interpose on a square where they are supported, or give check.
    Interposition(Square),
    /// Pieces dropped to interpose without support, on any square.
    UnsupportedInterposition,
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
            let is_supported = !position.attackers(us, to, position.occupied()).is_empty()
                || position.gives_check(mv);
            return Some(if is_supported {
                DelayGroup::Interposition(to)
            } else {
                DelayGroup::UnsupportedInterposition
            });
        }
        if !position.may_promote(mv) {
            return None;
        }
        let promotion_is_better = match position.moved_kind_before(mv) {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
            PieceKind::Lance => to.relative_rank(us) == 1,
            _ => false,
        };
        promotion_is_better.then_some(DelayGroup::Promotion(mv.from(), to))
    }

    /// The effort code of a move after which the next in its group is searched.
    pub(super) fn delay_effort(node_type: NodeType) -> u8 {
        if node_type == NodeType::Or { effort_code(PROMOTION_EFFORT) } else { u8::MAX }
    }
}
