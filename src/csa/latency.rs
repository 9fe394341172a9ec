//! How much of a move's time is lost between the player and the server's clock.
//!
//! The server's clock runs from when it sends a move until it has the answer, so what the network
//! takes is one way to us and one way back: the time from sending a line to its echo. A player, or
//! the machine it runs on, may be late besides. What has been worst lately is expected again, for a
//! move too late costs a game, and one too early little.

use std::collections::VecDeque;
use std::time::Duration;

/// How many moves are remembered.
const MEMORY: usize = 12;
/// Nothing counts for more: a connection that was gone for longer says nothing about the next move.
const LONGEST: Duration = Duration::from_secs(3);

/// The times of the last moves.
#[derive(Clone, Debug, Default)]
struct Lately(VecDeque<Duration>);

impl Lately {
    fn note(&mut self, sample: Duration) {
        if self.0.len() == MEMORY {
            self.0.pop_front();
        }
        self.0.push_back(sample.min(LONGEST));
    }

    fn worst(&self) -> Option<Duration> {
        self.0.iter().copied().max()
    }
}

/// See the module's comment.
#[derive(Clone, Debug, Default)]
pub(super) struct Latency {
    echoes: Lately,
    /// How much later the player was than it was told to be.
    lateness: Lately,
    /// Counts as long as there is no echo.
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

    /// A move was echoed after so long, or by the server's count was on its way so long.
    pub(super) fn note(&mut self, on_its_way: Duration) {
        self.echoes.note(on_its_way);
    }

    /// The player was so late with its answer.
    pub(super) fn note_lateness(&mut self, late: Duration) {
        self.lateness.note(late);
    }

    /// The longest that the network took lately.
    pub(super) fn measured(&self) -> Duration {
        self.echoes.worst().unwrap_or(self.guess)
    }

    /// What to take off the time of a move.
    pub(super) fn overhead(&self) -> Duration {
        self.measured() + self.lateness.worst().unwrap_or_default() + self.margin
    }

    /// What must be left of the time of a move when its line is sent, whatever the player does: the
    /// network, and half the margin, for the other half is the player's to answer a `stop` in.
    pub(super) fn least_overhead(&self) -> Duration {
        self.measured() + self.margin / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_the_last_moves_counts_until_it_is_long_ago() {
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

    #[test]
    fn a_player_that_is_always_late_loses_no_more_than_that() {
        let ms = Duration::from_millis;
        let mut latency = Latency::new(ms(50));
        (0..100).for_each(|_| latency.note_lateness(ms(5)));
        assert_eq!((latency.overhead(), latency.measured()), (ms(55), ms(0)));
        assert_eq!(latency.least_overhead(), ms(25));
        (0..MEMORY).for_each(|_| latency.note_lateness(ms(0)));
        assert_eq!(latency.overhead(), ms(50));
    }
}
