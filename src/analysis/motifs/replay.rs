//! A line of moves with all its positions, and the material that it wins.

use crate::position::{Position, see_value};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// Minimum gain of a tactic in material, in units of [`see_value`] (a pawn is 90): more than two pawns.
pub(in crate::analysis) const GAIN: i32 = 200;

/// A line, played as far as it is legal.
#[derive(Debug)]
pub(in crate::analysis) struct LineReplay {
    /// One position more than moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// The value of a piece for the side that captures it, in units of [`see_value`]: what the other side loses
/// on the board and what it gets in hand, halved.
pub(in crate::analysis) fn capture_value(kind: PieceKind) -> i32 {
    (see_value(kind) + see_value(kind.unpromoted())) / 2
}

/// Whether the side to move can take the piece on a square with at least this gain.
pub(in crate::analysis) fn can_be_captured(position: &Position, at: Square, gain: i32) -> bool {
    position.legal_moves().moves().any(|mv| mv.to() == at && position.see_ge(mv, gain))
}

impl LineReplay {
    pub(in crate::analysis) fn new(position: &Position, line: &[Move]) -> LineReplay {
        let mut positions = vec![position.clone()];
        let mut moves = Vec::with_capacity(line.len());
        for &mv in line {
            let mut next = positions[moves.len()].clone();
            if next.try_play(mv).is_err() {
                break;
            }
            positions.push(next);
            moves.push(mv);
        }
        LineReplay { positions, moves }
    }

    pub(in crate::analysis) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(in crate::analysis) fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    pub(in crate::analysis) fn after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    pub(in crate::analysis) fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The piece that a move captures.
    pub(in crate::analysis) fn captured(&self, ply: usize) -> Option<Piece> {
        self.before(ply).piece_at(self.moves[ply].to())
    }

    /// The material that a side captures and loses in some plies.
    pub(in crate::analysis) fn balance(&self, side: Color, plies: std::ops::Range<usize>) -> i32 {
        let value = |ply| {
            let value = self.captured(ply).map_or(0, |piece| capture_value(piece.kind()));
            if self.before(ply).side_to_move() == side { value } else { -value }
        };
        plies.map(value).sum()
    }

    /// Whether the moves from one ply to the capture at another gain enough for their side, including the
    /// exchange that follows on the captured square.
    pub(in crate::analysis) fn gains(&self, from: usize, capture: usize) -> bool {
        let position = self.before(capture);
        let so_far = self.balance(position.side_to_move(), from..capture);
        position.see_ge(self.moves[capture], GAIN - so_far)
    }

    /// Whether the line ends in checkmate.
    pub(in crate::analysis) fn is_mate(&self) -> bool {
        self.end().in_check() && !self.end().has_legal_move()
    }

    /// Whether the side that moves at a ply has gained enough at the end of the line, or mates there.
    pub(in crate::analysis) fn succeeds(&self, ply: usize) -> bool {
        let side = self.before(ply).side_to_move();
        if self.is_mate() {
            return self.end().side_to_move() != side;
        }
        let last = self.moves.len() - 1;
        let is_open = self.captured(last).is_some() && self.before(last).side_to_move() == side;
        // A last capture counts together with the exchange that would follow.
        if is_open { self.gains(ply, last) } else { self.balance(side, ply..last + 1) >= GAIN }
    }
}
