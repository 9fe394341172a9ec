//! Moves in Western notation after George Hodges.

use crate::position::Position;
use crate::types::{Move, PieceKind, Square};

/// A legal move: `P-7f`, `Bx2b+`, `S*5b`, `G4i-5h`. The origin is given where another piece of the
/// same kind could go to the same square.
///
/// ```
/// use kawasemi::position::Position;
/// use kawasemi::record::western_move;
/// assert_eq!(western_move(&Position::startpos(), "7g7f".parse().unwrap()), "P-7f");
/// assert_eq!(western_move(&Position::startpos(), "4i5h".parse().unwrap()), "G4i-5h");
/// ```
pub fn western_move(position: &Position, mv: Move) -> String {
    let to = mv.to();
    if mv.is_drop() {
        return format!("{}*{to}", letters(mv.dropped()));
    }
    let from = mv.from();
    let kind = position.moved_kind_before(mv);
    let us = position.side_to_move();
    let could_go = |other: Square| {
        let ways = [false, true].map(|promotes| Move::board(other, to, promotes));
        other != from && other != to && ways.into_iter().any(|mv| position.is_legal(mv))
    };
    let origin = if position.pieces_of(us, kind).into_iter().any(could_go) {
        from.to_string()
    } else {
        String::new()
    };
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let end = match mv.is_promotion() {
        true => "+",
        false if position.may_promote(mv) => "=",
        false => "",
    };
    format!("{}{origin}{sign}{to}{end}", letters(kind))
}

fn letters(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "P",
        PieceKind::Lance => "L",
        PieceKind::Knight => "N",
        PieceKind::Silver => "S",
        PieceKind::Gold => "G",
        PieceKind::Bishop => "B",
        PieceKind::Rook => "R",
        PieceKind::King => "K",
        PieceKind::ProPawn => "+P",
        PieceKind::ProLance => "+L",
        PieceKind::ProKnight => "+N",
        PieceKind::ProSilver => "+S",
        PieceKind::Horse => "+B",
        PieceKind::Dragon => "+R",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::japanese_move::japanese_move;

    #[test]
    fn captures_promotions_and_drops_have_their_signs() {
        let sfen = "4k4/9/4p4/3S1S3/9/9/9/1B7/4K4 b G2rb3g2s4n4l17p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let text = |mv: &str| western_move(&position, mv.parse().unwrap());
        assert_eq!(text("6d5c+"), "S6dx5c+");
        assert_eq!(text("6d5c"), "S6dx5c=");
        assert_eq!(text("6d7c"), "S-7c=");
        assert_eq!(text("G*5e"), "G*5e");
        assert_eq!(text("8h9g"), "B-9g");
        assert_eq!(text("5i5h"), "K-5h");
    }

    #[test]
    fn a_recapture_is_marked() {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            position.try_play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(japanese_move(&position, "3a2b".parse().unwrap()), "△同　銀");
        assert_eq!(western_move(&position, "3a2b".parse().unwrap()), "Sx2b");
    }
}
