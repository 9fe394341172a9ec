//! The durations of the game, in frames.

use super::field::VISIBLE_ROWS;
use super::placement::Placement;

/// The arguments of `rule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Time for a pair that is pushed down to fall by a row.
    pub fall_time: u32,
    /// Time for each link of a chain.
    pub chain_time: u32,
    /// Time until a pair that has landed is fixed.
    pub set_time: u32,
    /// Time until the next pair can be moved.
    pub next_time: u32,
    /// Time for a pair that is not pushed to fall by a row.
    pub auto_drop_time: u32,
}

impl Default for Rule {
    /// The values of the example in the protocol.
    fn default() -> Rule {
        Rule { fall_time: 2, chain_time: 60, set_time: 15, next_time: 7, auto_drop_time: 50 }
    }
}

impl Rule {
    /// The approximate time from the appearance of a pair to that of the next. A pair whose puyos separate is fixed
    /// twice.
    pub fn frames(&self, placement: Placement, links: u32) -> u32 {
        let rows = (VISIBLE_ROWS as u32).saturating_sub(placement.highest_row().into());
        let fixings = 1 + u32::from(placement.splits());
        let terms = [
            self.fall_time.saturating_mul(rows),
            self.set_time.saturating_mul(fixings),
            self.chain_time.saturating_mul(links),
            self.next_time,
        ];
        terms.into_iter().fold(0, u32::saturating_add)
    }
}
