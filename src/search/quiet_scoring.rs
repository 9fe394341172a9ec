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
    /// The squares with more attackers of the opponent than of the side to move: a piece there should
    /// leave.
    lost: Bitboard,
    /// The squares with more attackers of the opponent once one of the side's attackers stands there.
    lost_after_move: Bitboard,
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
            lost: counts.controlled_by(!us),
            lost_after_move: attacked.without(counts.controlled_by(us)),
            moves,
        }
    }

    #[inline(always)]
    fn of_piece(&self, piece: Piece) -> PieceScorer<'a> {
        PieceScorer {
            piece,
            rows: self.histories.of_piece(piece),
            checks: self.checks.of(piece.kind()),
            at_stake: ATTACK_COUNT * see_value(piece.kind()),
        }
    }

    #[inline(always)]
    fn board_move(&mut self, scorer: &PieceScorer<'_>, mv: Move, saved: bool) {
        let given_up = self.lost_after_move.contains(mv.to());
        let exchange = saved as i32 - given_up as i32;
        let is_check = scorer.checks.contains(mv.to());
        let check_bonus = if is_check { self.check_bonus(mv) } else { 0 };
        self.push(scorer, mv, scorer.at_stake * exchange + check_bonus);
    }

    #[inline(always)]
    fn push(&mut self, scorer: &PieceScorer<'_>, mv: Move, bonus: i32) {
        let score = scorer.rows.score(mv) + bonus;
        self.moves.push(ScoredMove::new(mv, scorer.piece).with_score(score));
    }

    /// The bonus of a check that does not lose material.
    fn check_bonus(&self, mv: Move) -> i32 {
        let holds = is_safe_quiet(mv, self.attacked) || self.position.see_ge(mv, -CHECK_SEE);
        if holds { value(CHECK_BONUS) } else { 0 }
    }
}

/// The data for scoring all moves of one piece.
struct PieceScorer<'a> {
    piece: Piece,
    rows: PieceQuietHistories<'a>,
    /// The squares from which the piece gives check.
    checks: Bitboard,
    /// The value of leaving or entering a square that the opponent controls.
    at_stake: i32,
}

impl MoveSink for QuietScorer<'_> {
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        if targets.is_empty() {
            return;
        }
        let scorer = self.of_piece(piece);
        let saved = self.lost.contains(from);
        for to in targets {
            self.board_move(&scorer, Move::board(from, to, promote), saved);
        }
    }

    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        let scorer = self.of_piece(piece);
        for to in targets {
            let from = to.behind(piece.color());
            let saved = self.lost.contains(from);
            self.board_move(&scorer, Move::board(from, to, promote), saved);
        }
    }

    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        let scorer = self.of_piece(piece);
        let drop = |to| Move::drop(piece.kind(), to);
        let plain = targets.without(scorer.checks);
        for to in plain.without(self.lost) {
            self.push(&scorer, drop(to), 0);
        }
        for to in plain & self.lost {
            self.push(&scorer, drop(to), -scorer.at_stake);
        }
        for to in targets & scorer.checks {
            let given_up = self.lost.contains(to) as i32;
            let check_bonus = self.check_bonus(drop(to));
            self.push(&scorer, drop(to), check_bonus - scorer.at_stake * given_up);
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
