//! An estimate of the game's clock for a `go` without times.
//!
//! Some GUIs send `go ponder` without times and then a plain `ponderhit`. The best estimate is then
//! the clock of the last search minus the time that it used.

use std::time::Duration;

use crate::search::request::Clock;
use crate::types::{ByColor, Color};

/// The time for a move if no clock was ever given: short enough for a user who waits.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// The clock of the last `go` or `ponderhit`, less the time used since.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    last: Option<Clock>,
}

impl GameClock {
    pub(super) fn set(&mut self, clock: Clock) {
        self.last = Some(clock);
    }

    pub(super) fn clear(&mut self) {
        self.last = None;
    }

    /// Subtracts the time of a move from the clock of its side.
    pub(super) fn spend(&mut self, color: Color, used: Duration) {
        if let Some(clock) = &mut self.last {
            // What exceeds the available time was taken from the byoyomi, which is full again at the next move.
            let available = clock.time[color] + clock.increment[color];
            clock.time[color] = available.saturating_sub(used);
        }
    }

    pub(super) fn is_known(&self) -> bool {
        self.last.is_some()
    }

    /// The clock if one is known, else a default.
    pub(super) fn estimate(&self) -> Clock {
        self.last.unwrap_or(Clock { byoyomi: ByColor([DEFAULT_TIME; 2]), ..Clock::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn without_a_clock_there_is_a_default_time() {
        let estimate = GameClock::default().estimate();
        assert_eq!(estimate.byoyomi, ByColor([DEFAULT_TIME; 2]));
        assert_eq!(estimate.time, ByColor([Duration::ZERO; 2]));
    }

    #[test]
    fn the_clock_decreases_as_moves_are_made() {
        let mut clock = GameClock::default();
        let increment = ByColor([seconds(2); 2]);
        clock.set(Clock { time: ByColor([seconds(10); 2]), increment, ..Clock::default() });
        clock.spend(Color::Black, seconds(5));
        assert_eq!(clock.estimate().time, ByColor([seconds(7), seconds(10)]));
        clock.spend(Color::White, seconds(11));
        assert_eq!(clock.estimate().time, ByColor([seconds(7), seconds(1)]));
        clock.spend(Color::White, seconds(30));
        assert_eq!(clock.estimate().time, ByColor([seconds(7), seconds(0)]));
    }

    #[test]
    fn a_new_game_has_a_new_clock() {
        let mut clock = GameClock::default();
        clock.set(Clock::default());
        clock.clear();
        assert_eq!(clock.estimate().byoyomi, ByColor([DEFAULT_TIME; 2]));
    }
}
