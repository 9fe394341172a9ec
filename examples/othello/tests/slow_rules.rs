//! A second, slow implementation of the rules, square by square, to test the fast one.

use proptest::prelude::*;

use crate::engine::board::{Board, squares_of};
use crate::engine::testing::{board_after, choices};

const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Rows of cells: 1 for the side to move, -1 for the other, 0 for an empty square.
type Cells = [[i32; 8]; 8];

fn cells(board: Board) -> Cells {
    let mut cells = [[0; 8]; 8];
    for square in 0..64 {
        let cell = (board.own >> square & 1) as i32 - (board.other >> square & 1) as i32;
        cells[square / 8][square % 8] = cell;
    }
    cells
}

fn cell(cells: &Cells, row: i32, column: i32) -> i32 {
    let is_inside = (0..8).contains(&row) && (0..8).contains(&column);
    if is_inside { cells[row as usize][column as usize] } else { 0 }
}

/// The squares that a move flips.
fn flipped(cells: &Cells, row: i32, column: i32) -> Vec<(i32, i32)> {
    let mut flipped = Vec::new();
    for (down, right) in DIRECTIONS {
        let at = |steps| (row + steps * down, column + steps * right);
        let length = (1..).take_while(|&steps| cell(cells, at(steps).0, at(steps).1) == -1).count();
        let end = at(length as i32 + 1);
        if cell(cells, end.0, end.1) == 1 {
            flipped.extend((1..=length as i32).map(at));
        }
    }
    flipped
}

proptest! {
    #[test]
    fn moves_and_flips_are_those_of_the_slow_rules(choices in choices(), length in 0_usize..70) {
        let board = board_after(&choices[..length]);
        let cells = cells(board);
        for square in 0..64_u8 {
            let (row, column) = (i32::from(square / 8), i32::from(square % 8));
            let expected = match cell(&cells, row, column) {
                0 => flipped(&cells, row, column),
                _ => Vec::new(),
            };
            let is_move = board.moves() >> square & 1 == 1;
            prop_assert_eq!(is_move, !expected.is_empty());
            if is_move {
                let set = expected.iter().fold(0, |set, (row, column)| set | 1 << (row * 8 + column));
                prop_assert_eq!(board.flips(square), set);
                let after = board.play(square);
                prop_assert_eq!(after.other, board.own | set | 1 << square);
                prop_assert_eq!(after.own, board.other & !set);
            }
        }
    }

    /// Boards that no game reaches.
    #[test]
    fn any_discs_are_flipped_as_by_the_slow_rules(own: u64, other: u64) {
        let board = Board { own, other: other & !own };
        let cells = cells(board);
        for square in squares_of(board.empty()) {
            let expected = flipped(&cells, i32::from(square / 8), i32::from(square % 8));
            let set = expected.iter().fold(0, |set, (row, column)| set | 1 << (row * 8 + column));
            prop_assert_eq!(board.flips(square), set);
            prop_assert_eq!(board.moves() >> square & 1 == 1, set != 0);
        }
    }
}
