//! Time management: the limits of a search by the clocks.

use std::time::{Duration, Instant};

use crate::engine::ofen::{Position, Side};
use crate::engine::search::Limits;

/// Time for the transmission of the answer, subtracted from every clock.
const MARGIN: Duration = Duration::from_millis(20);
/// The time of a `go` without a clock, which the draft does not define.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// From this number of empty squares on, solving the game takes hardly any time.
const FAST_EMPTIES: u32 = 16;
/// From this number of empty squares on, a move takes this share of the clock, because one move solves the game.
const ENDGAME_EMPTIES: u32 = 21;
const ENDGAME_SHARE: f64 = 0.3;
/// The part of the increment that a move uses.
const INCREMENT_SHARE: f64 = 0.8;
/// Maximum share of the clock for one move.
const MAX_SHARE: f64 = 0.7;

/// The arguments of `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub is_infinite: bool,
    /// The times left of Black and White.
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
}

impl Go {
    /// The limits of the search for a `go` that was received at this time.
    pub fn limits(&self, position: Position, received: Instant) -> Limits {
        if self.is_infinite {
            return Limits::default();
        }
        let side = match position.side {
            Side::Black => 0,
            Side::White => 1,
        };
        let Some(left) = self.time[side] else {
            let end = Some(received + DEFAULT_TIME - MARGIN);
            return Limits { hard: end, ..Limits::default() };
        };
        let left = left.saturating_sub(MARGIN);
        let share = share(position.board.empties());
        let budget =
            (left.mul_f64(share) + self.increment[side].mul_f64(INCREMENT_SHARE)).min(left);
        let max = (budget * 2).min(left.mul_f64(MAX_SHARE)).max(budget);
        // An iteration takes longer than all before it.
        Limits { soft: Some(received + budget / 2), hard: Some(received + max), depth: None }
    }
}

/// The share of the clock that a move takes with this many empty squares.
fn share(empties: u32) -> f64 {
    if empties <= ENDGAME_EMPTIES {
        return ENDGAME_SHARE;
    }
    // Two more than the own moves until then, as a reserve for the endgame.
    let moves = (empties - FAST_EMPTIES).div_ceil(2);
    1.0 / (f64::from(moves) + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        let now = Instant::now();
        let position = Position::START;
        for left in [0, 1, 19, 20, 21, 100, 1_000, 60_000, 3_600_000].map(Duration::from_millis) {
            for increment in [seconds(0), seconds(1), seconds(60)] {
                let go =
                    Go { time: [Some(left), None], increment: [increment; 2], ..Go::default() };
                let limits = go.limits(position, now);
                let hard = limits.hard.unwrap() - now;
                assert!(hard + MARGIN <= left.max(MARGIN), "{left:?} {increment:?} {hard:?}");
                assert!(limits.soft.unwrap() - now <= hard);
            }
        }
    }

    #[test]
    fn each_side_has_its_own_clock_and_a_longer_one_gives_more_time() {
        let now = Instant::now();
        let go = Go { time: [Some(seconds(1)), Some(seconds(100))], ..Go::default() };
        let black = go.limits(Position::START, now);
        let white = go.limits(Position { side: Side::White, ..Position::START }, now);
        assert!(black.hard < white.hard && black.soft < white.soft);
        assert_eq!(Go { is_infinite: true, ..go }.limits(Position::START, now), Limits::default());
    }
}
