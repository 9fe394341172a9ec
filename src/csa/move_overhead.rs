//! The part of our thinking time that is lost to the network and to late answers of the player, with a margin.
//!
//! The server's clock includes the round trip of a line, measured by the echo of our lines. The largest
//! recent value is expected again, unless it is a single outlier.

use std::time::Duration;

use crate::types::RecentDelays;

/// The measured and expected delays.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveOverhead {
    echoes: RecentDelays,
    /// How late the player's recent answers were.
    lateness: RecentDelays,
    /// The network delay that is expected until the first echo.
    estimate: Duration,
    /// Added to the measured delays.
    margin: Duration,
}

impl MoveOverhead {
    pub(super) fn new(margin: Duration) -> MoveOverhead {
        MoveOverhead { margin, ..MoveOverhead::default() }
    }

    /// Sets the network delay that is expected until the first echo.
    pub(super) fn set_estimate(&mut self, delay: Duration) {
        self.estimate = delay.min(RecentDelays::MAX_DELAY);
    }

    /// Records the delay of an echo, or a delay implied by the time that the server counted.
    pub(super) fn record_delay(&mut self, delay: Duration) {
        self.echoes.record(delay);
    }

    /// Records the lateness of an answer of the player.
    pub(super) fn record_lateness(&mut self, late: Duration) {
        self.lateness.record(late);
    }

    /// The network delay to expect.
    pub(super) fn network_delay(&self) -> Duration {
        self.echoes.expected().unwrap_or(self.estimate)
    }

    /// The time to subtract from the time of a move.
    pub(super) fn total(&self) -> Duration {
        self.network_delay() + self.lateness.expected().unwrap_or_default() + self.margin
    }

    /// The time that must be left when a line is sent without the player's answer: the network delay and half
    /// of the margin. The other half is for the player's answer to `stop`.
    pub(super) fn minimum(&self) -> Duration {
        self.network_delay() + self.margin / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More moves than are remembered.
    const MOVES: usize = 20;

    #[test]
    fn the_worst_of_the_last_moves_counts() {
        let ms = Duration::from_millis;
        let mut overhead = MoveOverhead::new(ms(50));
        assert_eq!(overhead.total(), ms(50));
        overhead.set_estimate(ms(500));
        assert_eq!(overhead.total(), ms(550));
        overhead.record_delay(ms(200));
        overhead.record_delay(ms(20));
        assert_eq!(overhead.total(), ms(250));
        (0..MOVES).for_each(|_| overhead.record_delay(ms(30)));
        assert_eq!(overhead.total(), ms(80));
        overhead.record_delay(Duration::from_secs(1000));
        assert_eq!(overhead.network_delay(), RecentDelays::MAX_DELAY);
    }

    #[test]
    fn a_player_that_is_always_late_loses_only_that_time() {
        let ms = Duration::from_millis;
        let mut overhead = MoveOverhead::new(ms(50));
        (0..100).for_each(|_| overhead.record_lateness(ms(5)));
        assert_eq!((overhead.total(), overhead.network_delay()), (ms(55), ms(0)));
        assert_eq!(overhead.minimum(), ms(25));
        (0..MOVES).for_each(|_| overhead.record_lateness(ms(0)));
        assert_eq!(overhead.total(), ms(50));
    }
}
