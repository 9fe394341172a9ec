//! What is known of the game's clock while nobody tells it.
//!
//! Some GUIs send `go ponder` without any time and then a plain `ponderhit`. The clock of the last
//! search, less what it took, is then the best estimate.

use std::time::Duration;

use crate::search::request::Clock;
use crate::types::{ByColor, Color};

/// Time for a move where no clock was ever told: soon enough for one who waits, and no waste.
const UNASKED: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    told: Option<Clock>,
}

impl GameClock {
    pub(super) fn tell(&mut self, clock: Clock) {
        self.told = Some(clock);
    }

    pub(super) fn forget(&mut self) {
        self.told = None;
    }

    /// A move of this side was made after so long.
    pub(super) fn spend(&mut self, color: Color, used: Duration) {
        if let Some(clock) = &mut self.told {
            // Below zero the byoyomi runs, which is whole again at the next move.
            let all = clock.time[color] + clock.increment[color];
            clock.time[color] = all.saturating_sub(used);
        }
    }

    pub(super) fn usual(&self) -> Clock {
        self.told.unwrap_or(Clock { byoyomi: ByColor([UNASKED; 2]), ..Clock::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn without_a_clock_there_is_a_modest_time() {
        let usual = GameClock::default().usual();
        assert_eq!(usual.byoyomi, ByColor([UNASKED; 2]));
        assert_eq!(usual.time, ByColor([Duration::ZERO; 2]));
    }

    #[test]
    fn the_clock_goes_on_as_moves_are_made() {
        let mut clock = GameClock::default();
        let increment = ByColor([seconds(2); 2]);
        clock.tell(Clock { time: ByColor([seconds(10); 2]), increment, ..Clock::default() });
        clock.spend(Color::Black, seconds(5));
        assert_eq!(clock.usual().time, ByColor([seconds(7), seconds(10)]));
        clock.spend(Color::White, seconds(11));
        assert_eq!(clock.usual().time, ByColor([seconds(7), seconds(1)]));
        clock.spend(Color::White, seconds(30));
        assert_eq!(clock.usual().time, ByColor([seconds(7), seconds(0)]));
    }

    #[test]
    fn a_new_game_has_a_new_clock() {
        let mut clock = GameClock::default();
        clock.tell(Clock::default());
        clock.forget();
        assert_eq!(clock.usual().byoyomi, ByColor([UNASKED; 2]));
    }
}
