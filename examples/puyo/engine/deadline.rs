//! When a search has to end so that its answer is in time.

use std::time::{Duration, Instant};

use kawasemi::types::RecentDelays;

/// The delay to expect before the first answer.
const UNKNOWN: Duration = Duration::from_millis(20);
/// Kept besides the delay that is expected.
const SPARE: Duration = Duration::from_millis(5);

/// Learns how late answers are.
#[derive(Debug, Default)]
pub struct Deadlines {
    delays: RecentDelays,
}

impl Deadlines {
    /// The end of a search for which this much time was given. At least half of it is for thinking.
    pub fn after(&self, received: Instant, time: Duration) -> Instant {
        let kept = self.delays.expected().unwrap_or(UNKNOWN) + SPARE;
        received + time - kept.min(time / 2)
    }

    /// An answer has been given. An early one says nothing.
    pub fn record_answer(&mut self, deadline: Instant, now: Instant) {
        if let Some(delay) = now.checked_duration_since(deadline) {
            self.delays.record(delay);
        }
    }
}
