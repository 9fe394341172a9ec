//! Converts moves to indices of the teacher's policy output.

use super::contact_mate::DIRECTIONS;
use crate::position::Position;
use crate::types::{Color, Move, PieceKind, Square};

/// The planes of drops come first.
const DROP_PLANES: usize = 7;
/// The planes of board moves without promotion: eight directions and the two jumps of the knight.
const BOARD_PLANES: usize = 10;

/// The index of a legal move among the 2,187 outputs of the policy (27 planes of 81 squares, square
/// `rank * 9 + file`, the side to move at the bottom).
///
/// The planes are those of miniosl's `policy_move_label`: seven drops, ten directions, and the same
/// with promotion.
pub fn policy_index(position: &Position, mv: Move) -> usize {
    let turned = |square: Square| match position.side_to_move() {
        Color::Black => square,
        Color::White => square.rotated(),
    };
    let to = turned(mv.to());
    let target = (to.index() % 9) * 9 + to.index() / 9;
    if mv.is_drop() {
        return drop_number(mv.dropped()) * 81 + target;
    }
    let from = turned(mv.from());
    let coordinates = |square: Square| ((square.index() / 9) as i8, (square.index() % 9) as i8);
    let ((from_file, from_rank), (to_file, to_rank)) = (coordinates(from), coordinates(to));
    let direction = if position.moved_kind_before(mv) == PieceKind::Knight {
        if to_file > from_file { 8 } else { 9 }
    } else {
        let step = ((to_file - from_file).signum(), (to_rank - from_rank).signum());
        DIRECTIONS.iter().position(|&known| known == step).expect("a move goes somewhere")
    };
    let promotion = if mv.is_promotion() { BOARD_PLANES } else { 0 };
    (DROP_PLANES + promotion + direction) * 81 + target
}

const fn drop_number(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Gold => 0,
        PieceKind::Pawn => 1,
        PieceKind::Lance => 2,
        PieceKind::Knight => 3,
        PieceKind::Silver => 4,
        PieceKind::Bishop => 5,
        _ => 6,
    }
}
