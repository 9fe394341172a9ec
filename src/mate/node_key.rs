//! The key of a position in the solver's tables.

use crate::position::Position;
use crate::types::{Color, Hand};

/// Spreads the few bits of a hand over a word: odd, and without a pattern.
const HAND_MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;

/// The board with the side to move, and the attacker's hand. The defender holds the other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeKey {
    pub(super) board: u64,
    pub(super) hand: Hand,
}

impl NodeKey {
    pub(super) fn of(position: &Position, attacker: Color) -> NodeKey {
        NodeKey { board: position.board_key(), hand: position.hand(attacker) }
    }

    /// Board and hand in one hash.
    pub(super) fn hash(self) -> u64 {
        let hand = u64::from(self.hand.bits()).wrapping_mul(HAND_MULTIPLIER);
        self.board ^ hand ^ hand >> 32
    }
}
