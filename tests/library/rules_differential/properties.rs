//! Properties of any setup, legal or not; a failure gives the smallest counterexample.

use kawasemi::position::Position;
use kawasemi::types::{Color, Piece, PieceKind, Square};
use proptest::prelude::*;

use super::compare::{compare, compare_blockers, compare_deeply, compare_stages, fast, setup_of};
use crate::reference::setups::Builder;
use crate::reference::slow::SlowPosition;

/// A legal setup, which shrinks towards the empty board.
fn any_setup() -> impl Strategy<Value = SlowPosition> {
    let piece = (0..28_usize, 0..Square::COUNT);
    let in_hand = (0..2_usize, 0..7_usize);
    let on_board = prop::collection::vec(piece, 0..42);
    (on_board, prop::collection::vec(in_hand, 0..38), any::<bool>()).prop_map(build)
}

type Ingredients = (Vec<(usize, usize)>, Vec<(usize, usize)>, bool);

fn build((on_board, in_hand, white): Ingredients) -> SlowPosition {
    let all: Vec<Piece> = Piece::all().collect();
    let mut builder = Builder::new(if white { Color::White } else { Color::Black });
    for (piece, square) in on_board {
        builder.place(all[piece], Square::from_index(square));
    }
    for (color, kind) in in_hand {
        builder.give(Color::ALL[color], PieceKind::HAND[kind]);
    }
    builder.finish()
}

/// Any pieces on the board; mostly an illegal setup.
fn any_board() -> impl Strategy<Value = SlowPosition> {
    let piece = (0..28_usize, 0..Square::COUNT);
    (prop::collection::vec(piece, 0..12), any::<bool>()).prop_map(|(on_board, white)| {
        let all: Vec<Piece> = Piece::all().collect();
        let mut position = SlowPosition::empty(if white { Color::White } else { Color::Black });
        for (piece, square) in on_board {
            position.board[square] = Some(all[piece]);
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_any_setup_fast_and_slow_agree(slow in any_setup()) {
        let mut position = fast(&slow);
        compare(&mut position, &slow);
        compare_blockers(&position, &slow);
        compare_stages(&position, &slow);
    }

    #[test]
    fn in_any_setup_every_move_can_be_undone(slow in any_setup()) {
        compare_deeply(&mut fast(&slow), &slow);
    }

    #[test]
    fn a_board_is_accepted_exactly_if_the_rules_allow_it(slow in any_board()) {
        let accepted = Position::from_setup(&setup_of(&slow)).is_ok();
        prop_assert_eq!(accepted, slow.may_be_set_up());
        prop_assert_eq!(Position::from_sfen(&slow.to_sfen()).is_ok(), accepted);
    }
}
