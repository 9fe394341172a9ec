//! The defender's hand: by custom all pieces that are neither on the board nor in the attacker's hand.

use crate::position::Setup;
use crate::types::{Hand, PieceKind};

/// The pieces that are neither on the board nor in a hand; `None` if a kind has more pieces than the set.
pub fn missing_pieces(setup: &Setup) -> Option<Hand> {
    let mut missing = Hand::EMPTY;
    for kind in PieceKind::HAND {
        missing = missing.with(kind, kind.set_size().checked_sub(setup.count(kind))?);
    }
    Some(missing)
}

/// The problem with the [`missing_pieces`] in the hand of the defender, who is not to move.
pub fn with_full_hand(setup: &Setup) -> Option<Setup> {
    let missing = missing_pieces(setup)?;
    let mut full = setup.clone();
    let hand = &mut full.hands[!setup.side];
    for (kind, count) in missing.iter() {
        *hand = hand.with(kind, hand.count(kind) + count);
    }
    Some(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defender_of_either_colour_gets_what_is_missing() {
        for (lacking, full) in [
            (
                "8k/4r1G2/9/9/9/9/9/9/9 b R2b2g4s4n4l15p 1",
                "8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1",
            ),
            ("9/9/9/9/9/9/9/2g1R4/K8 w r 1", "9/9/9/9/9/9/9/2g1R4/K8 w 2B3G4S4N4L18Pr 1"),
        ] {
            let [lacking, full] = [lacking, full].map(|sfen| sfen.parse::<Setup>().unwrap());
            assert_eq!(with_full_hand(&lacking), Some(full.clone()));
            assert_eq!(missing_pieces(&full), Some(Hand::EMPTY));
        }
    }

    #[test]
    fn nothing_is_added_to_more_pieces_than_a_set() {
        let setup: Setup = "8k/9/9/9/9/9/9/9/RRR6 b - 1".parse().unwrap();
        assert_eq!(with_full_hand(&setup), None);
    }
}
