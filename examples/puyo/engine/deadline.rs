//! Deadlines of searches, so that answers are in time.

use std::time::{Duration, Instant};

use kawasemi::types::RecentDelays;

/// The expected delay before the first answer.
const INITIAL_DELAY: Duration = Duration::from_millis(20);
/// Subtracted in addition to the expected delay.
const MARGIN: Duration = Duration::from_millis(5);

/// Sets deadlines by the measured delays of the last answers.
#[derive(Debug, Default)]
pub struct Deadlines {
    delays: RecentDelays,
}

impl Deadlines {
    /// The deadline of a search with this time. At least half of the time is for the search.
    pub fn after(&self, received: Instant, time: Duration) -> Instant {
        let reserve = self.delays.expected().unwrap_or(INITIAL_DELAY) + MARGIN;
        received + time - reserve.min(time / 2)
    }

    /// Records the time of an answer. An answer before its deadline is not measured.
    pub fn record_answer(&mut self, deadline: Instant, now: Instant) {
        if let Some(delay) = now.checked_duration_since(deadline) {
            self.delays.record(delay);
        }
    }
}
