//! Predicts the next delay from the recent ones.

use std::collections::VecDeque;
use std::time::Duration;

/// Delays that are remembered.
const SAMPLES: usize = 12;

/// An outlier, a delay far above all others, is expected again for this many samples.
const OUTLIER_SAMPLES: usize = 2;

/// A delay up to this much is never an outlier: a busy machine has such delays often.
const MAX_NORMAL_DELAY: Duration = Duration::from_millis(100);

/// The last twelve delays. The largest is expected next, because a late move loses the game and an early one costs
/// little. A single outlier counts in full for two moves only, then for at most 100 ms or twice the second largest
/// delay, whichever is more: otherwise one stall would shorten the next twelve moves.
///
/// ```
/// use kawasemi::types::RecentDelays;
/// use std::time::Duration;
///
/// let mut delays = RecentDelays::default();
/// delays.record(Duration::from_millis(80));
/// delays.record(Duration::from_millis(5));
/// assert_eq!(delays.expected(), Some(Duration::from_millis(80)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RecentDelays(VecDeque<Duration>);

impl RecentDelays {
    /// The largest delay that counts: a longer stall says nothing about the next move.
    pub const MAX_DELAY: Duration = Duration::from_secs(3);

    pub fn record(&mut self, delay: Duration) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back(delay.min(RecentDelays::MAX_DELAY));
    }

    /// The delay to expect; `None` before the first.
    pub fn expected(&self) -> Option<Duration> {
        let mut sorted: Vec<Duration> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let largest = sorted.pop()?;
        let second = sorted.pop().unwrap_or_default();
        let last = self.0.iter().rev().take(OUTLIER_SAMPLES).copied().max()?;
        Some(largest.min(MAX_NORMAL_DELAY.max(second * 2)).max(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn expected_after(delays: &[u64]) -> Duration {
        let mut recent = RecentDelays::default();
        delays.iter().for_each(|&delay| recent.record(ms(delay)));
        recent.expected().unwrap()
    }

    #[test]
    fn a_delay_is_forgotten_after_a_window_of_shorter_ones() {
        let mut delays = RecentDelays::default();
        assert_eq!(delays.expected(), None);
        delays.record(ms(90));
        for _ in 1..SAMPLES {
            delays.record(ms(30));
            assert_eq!(delays.expected(), Some(ms(90)));
        }
        delays.record(ms(30));
        assert_eq!(delays.expected(), Some(ms(30)));
    }

    /// Regression: one stall of 3 s halved the next twelve moves.
    #[test]
    fn a_single_stall_is_predicted_only_twice() {
        assert_eq!(expected_after(&[3_000]), ms(3_000));
        assert_eq!(expected_after(&[3_000, 1]), ms(3_000));
        assert_eq!(expected_after(&[3_000, 1, 1]), MAX_NORMAL_DELAY);
        assert_eq!(expected_after(&[1, 3_000, 70, 1]), ms(140));
    }

    #[test]
    fn a_second_stall_among_the_last_delays_makes_the_first_count_again() {
        assert_eq!(expected_after(&[300, 1, 1, 200]), ms(300));
        let mut later = vec![300, 1, 1, 200];
        later.extend([1; SAMPLES - 4]);
        assert_eq!(expected_after(&later), ms(300));
    }

    #[test]
    fn delays_of_a_similar_size_count_as_long_as_they_are_remembered() {
        let mut delays = vec![200];
        delays.extend([120; SAMPLES - 1]);
        assert_eq!(expected_after(&delays), ms(200));
    }

    #[test]
    fn a_stall_counts_for_no_more_than_the_longest_delay() {
        assert_eq!(expected_after(&[1_000_000]), RecentDelays::MAX_DELAY);
    }
}
