//! Stable discs, which can never be flipped again. A disc is stable if each of the four lines through it is full, ends
//! at the disc, or has a stable neighbour of the same colour. This finds most stable discs, and no others.

use crate::engine::board::{Bitboard, Board, FIRST_COLUMN, LAST_COLUMN};

const FIRST_ROW: Bitboard = 0xff;
const LAST_ROW: Bitboard = 0xff00_0000_0000_0000;

/// The lines in one direction: the step, and the squares from which a step up or down leaves the board.
struct Lines {
    step: u32,
    ends_up: Bitboard,
    ends_down: Bitboard,
}

const LINES: [Lines; 4] = [
    Lines { step: 1, ends_up: LAST_COLUMN, ends_down: FIRST_COLUMN },
    Lines { step: 8, ends_up: LAST_ROW, ends_down: FIRST_ROW },
    Lines { step: 9, ends_up: LAST_COLUMN | LAST_ROW, ends_down: FIRST_COLUMN | FIRST_ROW },
    Lines { step: 7, ends_up: FIRST_COLUMN | LAST_ROW, ends_down: LAST_COLUMN | FIRST_ROW },
];

impl Lines {
    /// The neighbours of a set along these lines.
    fn neighbours(&self, squares: Bitboard) -> Bitboard {
        (squares & !self.ends_up) << self.step | (squares & !self.ends_down) >> self.step
    }

    /// All squares whose line has no square of this set.
    fn without(&self, mut squares: Bitboard) -> Bitboard {
        for _ in 0..7 {
            squares |= self.neighbours(squares);
        }
        !squares
    }
}

/// The stable discs of the side to move.
pub fn stable_discs(board: Board) -> Bitboard {
    let empty = board.empty();
    let safe = LINES.map(|lines| lines.without(empty) | lines.ends_up | lines.ends_down);
    let mut stable = 0;
    loop {
        let mut next = board.own;
        for (lines, safe) in LINES.iter().zip(safe) {
            next &= safe | lines.neighbours(stable);
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::board::squares_of;
    use crate::engine::testing::{board_after, choices};

    #[test]
    fn corners_and_discs_that_they_support_are_stable() {
        let of = |own, other| stable_discs(Board { own, other });
        assert_eq!(of(0b111, 0), 0b111);
        assert_eq!(of(0b110, 0), 0, "no corner");
        assert_eq!(of(0x0303, 0), 0x0303 & !0x0200, "the inner one lacks a diagonal");
        assert_eq!(of(!1, 1), !1, "a full board");
    }

    proptest! {
        /// No stable disc is flipped in random games.
        #[test]
        fn stable_discs_stay(choices in choices(), length in 30_usize..60) {
            let mut board = board_after(&choices[..length]);
            let mut stable = [stable_discs(board), stable_discs(board.pass())];
            for &choice in &choices[length..] {
                let moves = board.moves();
                if moves == 0 {
                    if board.is_over() { break; }
                    board = board.pass();
                } else {
                    let count = moves.count_ones() as usize;
                    let square = squares_of(moves).nth(usize::from(choice) % count).unwrap();
                    board = board.play(square);
                }
                stable.swap(0, 1);
                prop_assert_eq!(stable[0] & !board.own, 0);
                prop_assert_eq!(stable[1] & !board.other, 0);
            }
        }
    }
}
