//! The pieces that are missing as in a handicap game.

use crate::position::Position;
use crate::types::Hand;

/// The pieces that are neither on the board nor in a hand, if it is no more of a kind than one side has. A mate problem
/// without the defender's hand lacks more, and is no handicap game.
pub(super) fn handicap_pieces(position: &Position) -> Hand {
    let missing = position.setup().missing_pieces();
    let is_handicap = missing.iter().all(|(kind, count)| 2 * count <= kind.set_size());
    if is_handicap { missing } else { Hand::EMPTY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: in a mate problem of few pieces a dan level varied its moves, as in the opening of a handicap game.
    #[test]
    fn a_problem_that_lacks_pieces_is_no_handicap_game() {
        let is_handicap = |sfen| !handicap_pieces(&Position::from_sfen(sfen).unwrap()).is_empty();
        assert!(!is_handicap("7nl/7k1/9/6R2/9/9/9/9/9 b G 1"));
        assert!(!is_handicap("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"));
        // The most that White can give.
        assert!(is_handicap("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"));
    }
}
