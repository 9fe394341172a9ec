//! Shared code of the tests.

use proptest::prelude::*;

use crate::engine::board::{Board, squares_of};

/// The start position.
pub const START: &str = "---------------------------OX------XO---------------------------B";

/// The choices of a random game.
pub fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 70)
}

/// The board after these choices from the start, or at the end of the game if that comes first.
pub fn board_after(choices: &[u8]) -> Board {
    let mut board = Board::START;
    for &choice in choices {
        let moves = board.moves();
        if moves == 0 {
            if board.is_over() {
                break;
            }
            board = board.pass();
            continue;
        }
        let index = usize::from(choice) % moves.count_ones() as usize;
        board = board.play(squares_of(moves).nth(index).expect("the index is below their number"));
    }
    board
}
