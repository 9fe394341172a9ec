//! Interpositions that the checking piece may capture.

use crate::position::Position;
use crate::types::{Move, Square};

/// The positions that a capture of a dropped piece by the checking piece leads to, if the captured
/// piece goes back to the defender: those before the drop with the checking piece on its square,
/// promoted or not. None if the attacker may not capture so. A capture without check (by a lance that
/// promotes at a distance) does not count, because every move of the attacker must give check.
///
/// `position` is that before the drop, the defender to move.
pub(super) fn after_capture(position: &mut Position, drop: Move) -> Vec<Position> {
    let checkers = position.checkers();
    if !drop.is_drop() || checkers.len() != 1 {
        return Vec::new();
    }
    let checker = checkers.lsb();
    position.do_move(drop);
    let captures = [true, false].map(|promote| Move::board(checker, drop.to(), promote));
    let checks =
        captures.map(|capture| position.is_legal(capture) && position.gives_check(capture));
    position.undo_move(drop);
    let moved = captures.into_iter().zip(checks).filter(|&(_, is_check)| is_check);
    moved.filter_map(|(capture, _)| with_moved(position, checker, capture)).collect()
}

/// The position with a piece of the other side moved, the same side to move.
fn with_moved(position: &Position, from: Square, mv: Move) -> Option<Position> {
    let mut setup = position.setup();
    let piece = setup.board[from.index()].take()?;
    let piece = if mv.is_promotion() { piece.promote() } else { piece };
    setup.board[mv.to().index()] = Some(piece);
    Position::from_setup(&setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sfens(sfen: &str, drop: &str) -> Vec<String> {
        let mut position = Position::from_sfen(sfen).unwrap();
        let found = after_capture(&mut position, drop.parse().unwrap());
        assert_eq!(position.to_sfen(), sfen);
        found.iter().map(Position::to_sfen).collect()
    }

    #[test]
    fn the_checking_piece_comes_nearer_and_the_defender_keeps_the_piece() {
        let found = sfens("k8/9/1K7/9/9/9/9/9/R8 w g 1", "G*9e");
        assert_eq!(found, ["k8/9/1K7/9/R8/9/9/9/9 w g 1"]);
        let found = sfens("k8/9/1K7/9/9/9/9/9/R8 w g 1", "G*9c");
        assert_eq!(found, ["k8/9/+RK7/9/9/9/9/9/9 w g 1", "k8/9/RK7/9/9/9/9/9/9 w g 1"]);
    }

    /// Regression: a lance could promote where it no longer gave check.
    #[test]
    fn a_capture_without_check_does_not_count() {
        let lance = "4k4/9/9/4L4/9/9/9/9/9 w g 1";
        assert_eq!(sfens(lance, "G*5c"), ["4k4/9/4L4/9/9/9/9/9/9 w g 1"]);
        let next_to_the_king = ["4k4/4+L4/9/9/9/9/9/9/9 w g 1", "4k4/4L4/9/9/9/9/9/9/9 w g 1"];
        assert_eq!(sfens(lance, "G*5b"), next_to_the_king);
    }

    #[test]
    fn a_pinned_piece_captures_nothing() {
        assert!(sfens("4k4/9/9/9/9/4R4/9/9/4K4 w g 1", "G*5d").len() == 1);
        let pinned = "4k4/9/9/9/9/3KR3r/9/9/9 w g 1";
        assert!(sfens(pinned, "G*5d").is_empty());
    }
}
