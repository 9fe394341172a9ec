//! The moves of a position in the order in which they are searched.

use crate::engine::board::{Bitboard, Board, Square, squares_of};
use crate::engine::table::NO_MOVE;

/// At most one move for each square. The positions of games have at most 33, but a GUI may send others.
const MAX_MOVES: usize = 64;

/// Sorted moves with the boards after them.
pub struct SortedMoves {
    list: [(i32, Square, Board); MAX_MOVES],
    count: usize,
}

impl SortedMoves {
    /// The move `first`, if it is one of `moves`, then the others by ascending `rank`, a function of the move and the
    /// board after it.
    pub fn new(
        board: Board,
        moves: Bitboard,
        first: Square,
        rank: impl Fn(Square, Board) -> i32,
    ) -> SortedMoves {
        let mut sorted = SortedMoves { list: [(0, NO_MOVE, board); MAX_MOVES], count: 0 };
        for square in squares_of(moves) {
            let child = board.play(square);
            let rank = if square == first { i32::MIN } else { rank(square, child) };
            sorted.list[sorted.count] = (rank, square, child);
            sorted.count += 1;
        }
        sorted.list[..sorted.count].sort_unstable_by_key(|&(rank, square, _)| (rank, square));
        sorted
    }

    pub fn iter(&self) -> impl Iterator<Item = (Square, Board)> {
        self.list[..self.count].iter().map(|&(_, square, child)| (square, child))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ofen::Position;

    /// Regression: more moves than a game allows were a panic.
    #[test]
    fn a_position_with_more_moves_than_any_of_a_game_is_sorted() {
        let ofen = "---------OOX-OOX-XX-OXX-XO----O---XO-XO--XXX-XO--OXOO-O---X-----B";
        let board = Position::from_ofen(ofen).unwrap().board;
        let sorted = SortedMoves::new(board, board.moves(), NO_MOVE, |_, _| 0);
        assert_eq!(sorted.iter().count(), 35);
    }
}
