//! How long a move is on its way, as the server's clock has it.
//!
//! The server's clock runs from when it sends a move until it has the answer, so what is lost is
//! one way to us and one way back: the time from sending a line to its echo. What has been worst
//! lately is expected again, for a move too late costs a game, and one too early little.

use std::collections::VecDeque;
use std::time::Duration;

/// How many echoes are remembered.
const MEMORY: usize = 12;
/// No echo counts for more: a connection that was gone for longer says nothing about the next move.
const LONGEST: Duration = Duration::from_secs(3);

/// See the module's comment.
#[derive(Clone, Debug, Default)]
pub(super) struct Latency {
    samples: VecDeque<Duration>,
    /// Counts as long as there is nothing better.
    guess: Duration,
    /// Added to what was measured.
    margin: Duration,
}

impl Latency {
    pub(super) fn new(margin: Duration) -> Latency {
        Latency { margin, ..Latency::default() }
    }

    /// Something else than a move was answered after so long.
    pub(super) fn guess(&mut self, sample: Duration) {
        self.guess = sample.min(LONGEST);
    }

    /// A line was echoed after so long.
    pub(super) fn note(&mut self, sample: Duration) {
        if self.samples.len() == MEMORY {
            self.samples.pop_front();
        }
        self.samples.push_back(sample.min(LONGEST));
    }

    /// The worst that was measured lately.
    pub(super) fn measured(&self) -> Duration {
        self.samples.iter().copied().max().unwrap_or(self.guess)
    }

    /// What to take off the time of a move.
    pub(super) fn overhead(&self) -> Duration {
        self.measured() + self.margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_the_last_echoes_counts_until_it_is_long_ago() {
        let ms = Duration::from_millis;
        let mut latency = Latency::new(ms(50));
        assert_eq!(latency.overhead(), ms(50));
        latency.guess(ms(500));
        assert_eq!(latency.overhead(), ms(550));
        latency.note(ms(200));
        latency.note(ms(20));
        assert_eq!(latency.overhead(), ms(250));
        (0..MEMORY).for_each(|_| latency.note(ms(30)));
        assert_eq!(latency.overhead(), ms(80));
        latency.note(Duration::from_secs(1000));
        assert_eq!(latency.measured(), LONGEST);
    }
}
