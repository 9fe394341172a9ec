//! How long things take in the game, in frames.

use super::field::VISIBLE_ROWS;
use super::placement::Placement;

/// The times that the GUI tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// A pair that is pushed down takes so long for a row.
    pub fall_time: u32,
    /// For each link of a chain.
    pub chain_time: u32,
    /// Until a pair that has landed is fixed.
    pub set_time: u32,
    /// Until the next pair can be moved.
    pub next_time: u32,
    /// A pair that is not pushed takes so long for a row.
    pub auto_drop_time: u32,
}

impl Default for Rule {
    /// Those of the example in the protocol.
    fn default() -> Rule {
        Rule { fall_time: 2, chain_time: 60, set_time: 15, next_time: 7, auto_drop_time: 50 }
    }
}

impl Rule {
    /// About how long a placement takes from the appearance of its pair to that of the next. A pair that comes
    /// apart is fixed twice.
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
