//! The last delays of something that is late again and again.

use std::collections::VecDeque;
use std::time::Duration;

/// Delays that are remembered.
const SAMPLES: usize = 12;

/// The last delays. The worst of them is expected again: a move that is too late loses the game, one
/// that is too early costs little.
///
/// ```
/// use kawasemi::types::RecentDelays;
/// use std::time::Duration;
///
/// let mut delays = RecentDelays::default();
/// delays.note(Duration::from_millis(80));
/// delays.note(Duration::from_millis(5));
/// assert_eq!(delays.worst(), Some(Duration::from_millis(80)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RecentDelays(VecDeque<Duration>);

impl RecentDelays {
    /// The largest delay that counts: a longer stall says nothing about the next move.
    pub const LONGEST: Duration = Duration::from_secs(3);

    pub fn note(&mut self, delay: Duration) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back(delay.min(RecentDelays::LONGEST));
    }

    /// The largest of the last delays; `None` before the first.
    pub fn worst(&self) -> Option<Duration> {
        self.0.iter().copied().max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_forgotten_after_as_many_shorter_ones() {
        let ms = Duration::from_millis;
        let mut delays = RecentDelays::default();
        assert_eq!(delays.worst(), None);
        delays.note(ms(200));
        for _ in 1..SAMPLES {
            delays.note(ms(30));
            assert_eq!(delays.worst(), Some(ms(200)));
        }
        delays.note(ms(30));
        assert_eq!(delays.worst(), Some(ms(30)));
    }

    #[test]
    fn a_stall_counts_for_no_more_than_the_longest_delay() {
        let mut delays = RecentDelays::default();
        delays.note(Duration::from_secs(1000));
        assert_eq!(delays.worst(), Some(RecentDelays::LONGEST));
    }
}
