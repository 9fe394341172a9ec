//! The aesthetic score of a problem, by which composed problems are sorted. It is subjective.

use crate::position::Position;
use crate::types::{Color, Move, PieceKind};

/// Points for each piece that the attacker gives away: the defender captures it with the next move.
const SACRIFICE: i32 = 4;
/// Additional points for a sacrificed rook or bishop, promoted or not.
const GREAT_SACRIFICE: i32 = 3;
/// Points for each declined promotion.
const NO_PROMOTION: i32 = 4;
/// Points for each drop that is not next to the king.
const DISTANT_DROP: i32 = 3;
/// Points for each piece on the board or in the attacker's hand, the king of the defender included.
const PIECE: i32 = -1;

/// The aesthetic score of a problem with its main line: the sum of the points above.
pub(super) fn aesthetic_score(problem: &Position, line: &[Move]) -> i32 {
    let attacker = problem.side_to_move();
    let in_hand = problem.hand(attacker).total();
    let on_board: u32 = Color::ALL.iter().map(|&color| problem.pieces(color).len()).sum();
    let mut score = PIECE * (in_hand + on_board) as i32;
    let mut position = problem.clone();
    for (ply, &mv) in line.iter().enumerate() {
        if ply % 2 == 0 {
            let answer = line.get(ply + 1);
            score += score_of_move(&position, mv, answer.is_some_and(|next| next.to() == mv.to()));
        }
        position.do_move(mv);
    }
    score
}

fn score_of_move(position: &Position, mv: Move, is_captured: bool) -> i32 {
    let attacker = position.side_to_move();
    let kind = position.moved_kind_before(mv);
    let mut score = 0;
    if is_captured {
        let great = matches!(kind.unpromoted(), PieceKind::Rook | PieceKind::Bishop);
        score += SACRIFICE + if great { GREAT_SACRIFICE } else { 0 };
    }
    if mv.is_drop() {
        let king = position.king(!attacker);
        let is_distant =
            kind != PieceKind::Knight && king.is_some_and(|king| king.distance(mv.to()) > 1);
        score += if is_distant { DISTANT_DROP } else { 0 };
    } else if !mv.is_promotion() && position.may_promote(mv) {
        score += NO_PROMOTION;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sacrifices_and_refused_promotions_add_points_and_pieces_subtract_them() {
        let score = |sfen: &str, line: &str| {
            let line: Vec<Move> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
            aesthetic_score(&Position::from_sfen(sfen).unwrap(), &line)
        };
        assert_eq!(score("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"), -3);
        // A rook is given away: two pieces on the board, two in hand.
        let corner = "7k1/9/8R/9/9/9/9/9/9 b RG 1";
        assert_eq!(score(corner, "R*1a 2a1a G*1b"), SACRIFICE + GREAT_SACRIFICE - 4);
        assert_eq!(score(corner, "R*2d"), DISTANT_DROP - 4);
        assert_eq!(score("9/8k/9/7S1/9/9/9/9/9 b - 1", "2d2c"), NO_PROMOTION - 2);
    }
}
