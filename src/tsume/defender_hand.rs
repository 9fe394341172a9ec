//! The defender's hand: by custom all pieces that are neither on the board nor in the attacker's hand.

use crate::position::Setup;

/// The problem with its missing pieces in the hand of the defender, who is not to move.
pub fn with_full_hand(problem: &Setup) -> Setup {
    let mut full = problem.clone();
    full.add_missing_pieces(!problem.side);
    full
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Hand;

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
            assert_eq!(with_full_hand(&lacking), full);
            assert_eq!(full.missing_pieces(), Hand::EMPTY);
        }
    }
}
