//! Captures that win a piece, and threats of them: for the rules about time, order and threats.

use crate::analysis::motifs::{GAIN, LineReplay, capture_value};
use crate::position::Position;
use crate::types::{Bitboard, Move, PieceKind};

/// The capture on some squares that wins most, with what it takes. It promotes if it can.
pub(super) fn best_capture(position: &Position, squares: Bitboard) -> Option<(Move, PieceKind)> {
    let won = |mv: Move| {
        let kind = position.piece_at(mv.to())?.kind();
        (squares.contains(mv.to()) && position.see_ge(mv, GAIN)).then_some((mv, kind))
    };
    let moves = position.legal_moves();
    let captures = moves.moves().filter_map(won);
    captures.max_by_key(|&(mv, kind)| (capture_value(kind), mv.is_promotion()))
}

/// The pieces that the side to move wins by taking them.
pub(super) fn winnable(position: &Position) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for mv in position.legal_moves().moves() {
        if position.is_capture(mv) && position.see_ge(mv, GAIN) {
            found |= Bitboard::from_square(mv.to());
        }
    }
    found
}

/// The position after the side to move passes. It must not be in check.
pub(super) fn after_pass(position: &Position) -> Position {
    let mut passed = position.clone();
    passed.do_null_move();
    passed
}

/// The pieces that the move at a ply newly attacks: its side would win them if the opponent passed. `None`
/// for a capture, a check and the answer to a check, which have other purposes.
pub(super) fn newly_attacked(line: &LineReplay, ply: usize) -> Option<Bitboard> {
    let (before, after) = (line.before(ply), line.after(ply));
    let has_other_purpose = line.captured(ply).is_some() || after.in_check() || before.in_check();
    (!has_other_purpose).then(|| winnable(&after_pass(after)).without(winnable(before)))
}
