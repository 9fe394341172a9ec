//! The exact endgame against a plain search of everything, and the public positions.

use proptest::prelude::*;

use crate::engine::board::{Board, squares_of};
use crate::engine::ffo;
use crate::engine::ofen::{Position, square_name};
use crate::engine::search::{Limits, best_line};
use crate::engine::table::Table;
use crate::engine::testing::{board_after, choices};

/// The score with best play, by looking at all of it.
fn score(board: Board) -> i32 {
    let moves = board.moves();
    if moves != 0 {
        squares_of(moves).map(|square| -score(board.play(square))).max().unwrap()
    } else if board.is_over() {
        board.final_score()
    } else {
        -score(board.pass())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn an_endgame_is_solved_as_by_looking_at_all_of_it(choices in choices(), length in 52_usize..60) {
        let board = board_after(&choices[..length]);
        prop_assume!(board.moves() != 0);
        // A tiny table, so that entries are replaced.
        let mut table = Table::new(0);
        let line = best_line(board, Limits::default(), &mut table, &|| false, &mut |_| ());
        prop_assert!(line.is_exact);
        prop_assert_eq!(line.score, 100 * score(board));
        prop_assert_eq!(-score(board.play(line.moves[0])), score(board));
    }
}

#[test]
#[ignore = "takes minutes; `othello solve` does the same and prints the times"]
fn the_endgames_40_to_44_of_the_ffo_are_exact() {
    for (number, ofen, score, best) in ffo::POSITIONS {
        let board = Position::from_ofen(ofen).unwrap().board;
        let mut table = Table::new(128);
        let line = best_line(board, Limits::default(), &mut table, &|| false, &mut |_| ());
        let square = square_name(line.moves[0]);
        assert_eq!(line.score, 100 * score, "#{number}");
        assert!(best.contains(&square.as_str()), "#{number} {square}");
    }
}
