//! The clocks of a game as arguments of `go`.

use std::time::Duration;

use crate::csa::clock::EngineClocks;
use crate::types::{ByColor, Color};
use crate::usi_client::GoClock;

/// The time that our own engine needs at most to wake up and answer at the end of its time. The network
/// delay is accounted for separately.
pub(super) const OWN_RESERVE: Duration = Duration::from_millis(30);
/// The largest `NetworkDelay`.
pub(super) const MAX_NETWORK_DELAY: Duration = Duration::from_secs(10);

/// The clocks for our own engine, when `waited` has passed since they were set. The engine itself subtracts
/// the network delay (`NetworkDelay`, or its reserve if that is larger), so the amount already subtracted for
/// it is added again, except the reserve; but never more than the whole time is sent. The increment of the
/// coming move is added to the main time, because the engine would add it again to a main time below the
/// increment.
pub(super) fn for_own_engine(clocks: &EngineClocks, side: Color, waited: Duration) -> GoClock {
    let mut time = ByColor(clocks.net.0.map(|clock| clock.remaining));
    let mut increment = ByColor(clocks.gross.0.map(|clock| clock.increment));
    let network_delay = clocks.overhead.min(MAX_NETWORK_DELAY);
    let left = clocks.net[side].next_move() + network_delay.saturating_sub(OWN_RESERVE);
    let left = left.min(clocks.gross[side].next_move()).saturating_sub(waited);
    let byoyomi = clocks.gross[side].byoyomi.min(left);
    time[side] = left - byoyomi;
    increment[side] = increment[side].min(time[side]);
    GoClock { time, increment, byoyomi, moves_to_go: None }
}

/// The clocks for other engines, when `waited` has passed since they were set, as graphical interfaces write
/// them: main times without the increment of the coming move; either increments or the byoyomi of the side to
/// move.
pub(super) fn for_other_engine(clocks: &EngineClocks, side: Color, waited: Duration) -> GoClock {
    let mut net = clocks.net;
    net[side] = net[side].minus(waited);
    if net[side].byoyomi.is_zero() && !net[side].increment.is_zero() {
        return GoClock {
            time: ByColor(net.0.map(|clock| clock.remaining)),
            increment: ByColor(net.0.map(|clock| clock.increment)),
            ..GoClock::default()
        };
    }
    // The increment exists even if it is not sent as one.
    let time = ByColor(net.0.map(|clock| clock.remaining + clock.increment));
    GoClock { time, byoyomi: net[side].byoyomi, ..GoClock::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csa::clock::{GameClocks, SideClock, TimeRule};

    /// The `go` clock of our engine for the side to move with these rules, in milliseconds of time,
    /// increment and byoyomi, when 300 of them are lost with each move; then what it has left after it
    /// has subtracted these, and what the client allows.
    fn own(total: u64, increment: u64, byoyomi: u64) -> ([u64; 3], u64, u64) {
        let [total, increment, byoyomi] = [total, increment, byoyomi].map(Duration::from_millis);
        let rule = TimeRule { total, increment, byoyomi, ..TimeRule::default() };
        let clocks = GameClocks::new(ByColor([rule; 2]));
        let overhead = Duration::from_millis(300);
        let clock = clocks.engine_clocks(Color::White, overhead, Duration::ZERO);
        let clock = for_own_engine(&clock, Color::White, Duration::ZERO);
        let ms = |time: Duration| time.as_millis() as u64;
        let times =
            [clock.time[Color::White], clock.increment[Color::White], clock.byoyomi].map(ms);
        // The time includes the increment.
        let left = times[0] + times[2] - ms(overhead);
        (times, left, ms(clocks.allowed(Color::White, overhead).unwrap()))
    }

    #[test]
    fn our_engine_gets_the_time_before_the_network_delay_is_subtracted() {
        for (rules, times) in [
            ((60_000, 2000, 0), [61_970, 2000, 0]),
            ((60_000, 0, 2000), [59_970, 0, 2000]),
            ((60_000, 0, 0), [59_970, 0, 0]),
            // Less main time than is lost.
            ((100, 2000, 0), [2070, 2000, 0]),
            ((100, 0, 2000), [70, 0, 2000]),
            // Increments smaller than what is lost.
            ((60_000, 200, 0), [60_170, 200, 0]),
        ] {
            let (total, increment, byoyomi) = rules;
            let (clock, left, allowed) = own(total, increment, byoyomi);
            assert_eq!(clock, times, "{rules:?}");
            assert_eq!(left + OWN_RESERVE.as_millis() as u64, allowed, "{rules:?}");
        }
    }

    #[test]
    fn the_network_delay_is_subtracted_once_from_a_move_of_byoyomi() {
        let (times, left, allowed) = own(0, 0, 1000);
        assert_eq!((times, left, allowed), ([0, 0, 970], 670, 700));
        // Never more than there is, if nearly all of it is lost.
        assert_eq!(own(0, 0, 320).0, [0, 0, 320]);
    }

    #[test]
    fn the_time_before_a_search_begins_is_subtracted_for_our_engine() {
        let byoyomi = Duration::from_secs(5);
        let sides = ByColor([SideClock { byoyomi, ..SideClock::default() }; 2]);
        let clocks = EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO };
        let clock = for_own_engine(&clocks, Color::Black, Duration::from_secs(1));
        assert_eq!(clock.to_string(), "btime 0 wtime 0 byoyomi 4000");
    }

    #[test]
    fn other_engines_get_byoyomi_or_both_increments() {
        let clock = |remaining, increment, byoyomi| {
            let [remaining, increment, byoyomi] =
                [remaining, increment, byoyomi].map(Duration::from_millis);
            SideClock { remaining, increment, byoyomi }
        };
        let go = |side, black, white| {
            let sides = ByColor([black, white]);
            let clocks = EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO };
            for_other_engine(&clocks, side, Duration::ZERO).to_string()
        };
        let (byoyomi, fischer) = (clock(5000, 0, 900), clock(7000, 800, 0));
        assert_eq!(go(Color::Black, byoyomi, fischer), "btime 5000 wtime 7800 byoyomi 900");
        assert_eq!(go(Color::White, byoyomi, fischer), "btime 5000 wtime 7000 binc 0 winc 800");
        let sudden_death = clock(5000, 0, 0);
        assert_eq!(go(Color::Black, sudden_death, sudden_death), "btime 5000 wtime 5000 byoyomi 0");
        let both = clock(100, 200, 300);
        assert_eq!(go(Color::Black, both, sudden_death), "btime 300 wtime 5000 byoyomi 300");
    }

    /// Regression: an engine that was slow to end its ponder search was given the time that this took.
    #[test]
    fn the_time_before_a_search_begins_is_subtracted_for_other_engines_too() {
        let byoyomi = Duration::from_secs(5);
        let sides = ByColor([SideClock { byoyomi, ..SideClock::default() }; 2]);
        let clocks = EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO };
        let clock = for_other_engine(&clocks, Color::Black, Duration::from_secs(1));
        assert_eq!(clock.to_string(), "btime 0 wtime 0 byoyomi 4000");
    }
}
