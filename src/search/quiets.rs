//! Scores the quiet moves of a node as they are generated, and puts those in front that score well
//! enough to be tried in order. What depends on the piece alone is looked up once for all its moves.

use super::history::{PieceQuiets, Quiets};
use super::params::{ATTACK_COUNT, CHECK_BONUS, CHECK_SEE, value};
use crate::position::movegen::Sink;
use crate::position::{CheckSquares, Position, ScoredMove, exchange_value};
use crate::types::{Bitboard, Move, Piece, Square};

/// Where the generator puts the quiet moves of one node.
pub(super) struct QuietSink<'a> {
    position: &'a Position,
    histories: Quiets<'a>,
    checks: CheckSquares,
    /// Where the enemy has more attackers than the side to move: what stands there had better go.
    lost: Bitboard,
    /// Where it has more of them once a piece that attacked the square stands on it.
    lost_after_move: Bitboard,
    moves: &'a mut Vec<ScoredMove>,
    limit: i32,
    worthy_end: usize,
}

impl<'a> QuietSink<'a> {
    /// Adds to `moves`; first come those whose score is `limit` at least.
    pub(super) fn new(
        position: &'a Position,
        histories: Quiets<'a>,
        limit: i32,
        moves: &'a mut Vec<ScoredMove>,
    ) -> QuietSink<'a> {
        let (us, counts) = (position.side_to_move(), position.attack_counts());
        QuietSink {
            position,
            histories,
            checks: position.check_squares(),
            lost: counts.won_by(!us),
            lost_after_move: counts.reached_by(!us).without(counts.won_by(us)),
            worthy_end: moves.len(),
            limit,
            moves,
        }
    }

    /// Where the moves end that reach the limit.
    pub(super) fn worthy_end(&self) -> usize {
        self.worthy_end
    }

    #[inline(always)]
    fn of_piece(&self, piece: Piece) -> PieceScorer<'a> {
        PieceScorer {
            rows: self.histories.of_piece(piece),
            checks: self.checks.of(piece.kind()),
            at_stake: ATTACK_COUNT * exchange_value(piece.kind()),
        }
    }

    #[inline(always)]
    fn board_move(&mut self, scorer: &PieceScorer<'_>, piece: Piece, mv: Move, saved: bool) {
        let given_up = self.lost_after_move.contains(mv.to());
        self.score(scorer, piece, mv, saved as i32 - given_up as i32);
    }

    /// `exchange` says whether the move saves the piece (1) or gives it up (-1).
    #[inline(always)]
    fn score(&mut self, scorer: &PieceScorer<'_>, piece: Piece, mv: Move, exchange: i32) {
        let mut score = scorer.rows.score(mv) + scorer.at_stake * exchange;
        if scorer.checks.contains(mv.to()) {
            score += self.check_bonus(mv);
        }
        self.push(mv, piece, score);
    }

    /// The worthy ones change places with the first that is not, without a branch, which nobody
    /// could predict.
    #[inline(always)]
    fn push(&mut self, mv: Move, piece: Piece, score: i32) {
        let score = score + self.histories.low_ply(mv);
        self.moves.push(ScoredMove::new(mv, piece).with_score(score));
        let last = self.moves.len() - 1;
        self.moves.swap(self.worthy_end, last);
        self.worthy_end += (score >= self.limit) as usize;
    }

    /// For a check that does not lose material.
    fn check_bonus(&self, mv: Move) -> i32 {
        if self.position.see_ge(mv, -CHECK_SEE) { value(CHECK_BONUS) } else { 0 }
    }
}

/// What scores all moves of one piece.
struct PieceScorer<'a> {
    rows: PieceQuiets<'a>,
    /// From where the piece gives check.
    checks: Bitboard,
    /// What it counts whether the piece can be taken where it is, and where it goes.
    at_stake: i32,
}

impl Sink for QuietSink<'_> {
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        if targets.is_empty() {
            return;
        }
        let scorer = self.of_piece(piece);
        let saved = self.lost.contains(from);
        for to in targets {
            self.board_move(&scorer, piece, Move::board(from, to, promote), saved);
        }
    }

    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        let scorer = self.of_piece(piece);
        for to in targets {
            let from = to.behind(piece.color());
            let saved = self.lost.contains(from);
            self.board_move(&scorer, piece, Move::board(from, to, promote), saved);
        }
    }

    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        let scorer = self.of_piece(piece);
        for to in targets {
            let exchange = -(self.lost.contains(to) as i32);
            self.score(&scorer, piece, Move::drop(piece.kind(), to), exchange);
        }
    }
}
