//! Scores quiet moves as they are generated, and partitions them by score. What depends on the piece
//! alone is looked up once for all its moves.

use super::history::{PieceQuietHistories, QuietHistories};
use super::params::{ATTACK_COUNT, CHECK_BONUS, CHECK_SEE, value};
use crate::position::movegen::MoveSink;
use crate::position::{AttackCounts, CheckSquares, Position, ScoredMove, is_safe_quiet, see_value};
use crate::types::{Bitboard, Move, Piece, Square};

/// Receives the quiet moves of one node from the generator.
pub(super) struct QuietScorer<'a> {
    position: &'a Position,
    histories: QuietHistories<'a>,
    checks: CheckSquares,
    /// The squares that the opponent attacks.
    attacked: Bitboard,
    /// The squares that the opponent controls: it has more attackers there than the side to move.
    controlled: Bitboard,
    /// The squares that the opponent controls once one of the side's attackers has moved there.
    controlled_after_move: Bitboard,
    moves: &'a mut Vec<ScoredMove>,
}

impl<'a> QuietScorer<'a> {
    /// Appends to `moves`.
    pub(super) fn new(
        position: &'a Position,
        histories: QuietHistories<'a>,
        counts: &AttackCounts,
        moves: &'a mut Vec<ScoredMove>,
    ) -> QuietScorer<'a> {
        let us = position.side_to_move();
        let attacked = counts.attacked_by(!us);
        QuietScorer {
            position,
            histories,
            checks: position.check_squares(),
            attacked,
            controlled: counts.controlled_by(!us),
            controlled_after_move: attacked.without(counts.controlled_by(us)),
            moves,
        }
    }

    #[inline(always)]
    fn of_piece(&self, piece: Piece) -> PieceScorer<'a> {
        PieceScorer {
            piece,
            rows: self.histories.of_piece(piece),
            checks: self.checks.of(piece.kind()),
            control_weight: ATTACK_COUNT * see_value(piece.kind()),
        }
    }

    #[inline(always)]
    fn board_move(&mut self, scorer: &PieceScorer<'_>, mv: Move, leaves_controlled: bool) {
        let enters_controlled = self.controlled_after_move.contains(mv.to());
        let exchange = leaves_controlled as i32 - enters_controlled as i32;
        let is_check = scorer.checks.contains(mv.to());
        let check_bonus = if is_check { self.check_bonus(mv) } else { 0 };
        self.push(scorer, mv, scorer.control_weight * exchange + check_bonus);
    }

    #[inline(always)]
    fn push(&mut self, scorer: &PieceScorer<'_>, mv: Move, bonus: i32) {
        let score = scorer.rows.score(mv) + bonus;
        self.moves.push(ScoredMove::new(mv, scorer.piece).with_score(score));
    }

    /// The bonus of a check that does not lose material.
    fn check_bonus(&self, mv: Move) -> i32 {
        let is_safe = is_safe_quiet(mv, self.attacked) || self.position.see_ge(mv, -CHECK_SEE);
        if is_safe { value(CHECK_BONUS) } else { 0 }
    }
}

/// The data for scoring all moves of one piece.
struct PieceScorer<'a> {
    piece: Piece,
    rows: PieceQuietHistories<'a>,
    /// The squares from which the piece gives check.
    checks: Bitboard,
    /// The bonus for leaving, and the malus for entering, a square that the opponent controls.
    control_weight: i32,
}

impl MoveSink for QuietScorer<'_> {
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        if targets.is_empty() {
            return;
        }
        let scorer = self.of_piece(piece);
        let leaves_controlled = self.controlled.contains(from);
        for to in targets {
            self.board_move(&scorer, Move::board(from, to, promote), leaves_controlled);
        }
    }

    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        let scorer = self.of_piece(piece);
        for to in targets {
            let from = to.behind(piece.color());
            let leaves_controlled = self.controlled.contains(from);
            self.board_move(&scorer, Move::board(from, to, promote), leaves_controlled);
        }
    }

    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        let scorer = self.of_piece(piece);
        let drop = |to| Move::drop(piece.kind(), to);
        let plain = targets.without(scorer.checks);
        for to in plain.without(self.controlled) {
            self.push(&scorer, drop(to), 0);
        }
        for to in plain & self.controlled {
            self.push(&scorer, drop(to), -scorer.control_weight);
        }
        for to in targets & scorer.checks {
            let enters_controlled = self.controlled.contains(to) as i32;
            let check_bonus = self.check_bonus(drop(to));
            self.push(&scorer, drop(to), check_bonus - scorer.control_weight * enters_controlled);
        }
    }
}

/// Moves all moves with a score of at least `limit` to the front, and returns their number. Each is
/// swapped with the first other move, without a branch, which would be unpredictable.
pub(super) fn partition_by_score(moves: &mut [ScoredMove], limit: i32) -> usize {
    let mut good = 0;
    for i in 0..moves.len() {
        let is_good = moves[i].score() >= limit;
        moves.swap(good, i);
        good += is_good as usize;
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_reach_the_limit_come_first_in_their_order() {
        let mut moves = Position::startpos().legal_moves().to_vec();
        for (i, entry) in moves.iter_mut().enumerate() {
            *entry = entry.with_score((i as i32 * 37) % 31 - 15);
        }
        let good: Vec<_> = moves.iter().copied().filter(|entry| entry.score() >= 3).collect();
        let mut sorted = moves.clone();
        let count = partition_by_score(&mut moves, 3);
        assert_eq!(moves[..count], good);
        moves.sort();
        sorted.sort();
        assert_eq!(moves, sorted, "no move is lost");
        assert_eq!(partition_by_score(&mut moves, 100), 0);
        assert_eq!(partition_by_score(&mut [], 0), 0);
    }
}
