//! How long a move may take.

use std::time::{Duration, Instant};

use crate::engine::ofen::{Position, Side};
use crate::engine::search::Limits;

/// For the way of the answer to the GUI, taken off every clock.
const MARGIN: Duration = Duration::from_millis(20);
/// A `go` without a clock, which the draft leaves open.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// From here on, moves take hardly any time.
const SOLVED_EMPTIES: u32 = 16;
/// From here on, the time goes into solving the game, once.
const SOLVING_EMPTIES: u32 = 21;

/// A `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub is_infinite: bool,
    /// Of Black and White.
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
}

impl Go {
    /// The limits of a search that was asked for at this time.
    pub fn limits(&self, position: Position, received: Instant) -> Limits {
        if self.is_infinite {
            return Limits::default();
        }
        let side = match position.side {
            Side::Black => 0,
            Side::White => 1,
        };
        let Some(left) = self.time[side] else {
            let end = Some(received + WITHOUT_CLOCK - MARGIN);
            return Limits { hard: end, ..Limits::default() };
        };
        let left = left.saturating_sub(MARGIN);
        let share = share(position.board.empties());
        let budget = (left.mul_f64(share) + self.increment[side].mul_f64(0.8)).min(left);
        let most = (budget * 2).min(left.mul_f64(0.7)).max(budget);
        // An iteration takes longer than all before it.
        Limits { soft: Some(received + budget / 2), hard: Some(received + most), depth: None }
    }
}

/// The part of the clock that a move may take with this many empty squares.
fn share(empties: u32) -> f64 {
    if empties <= SOLVING_EMPTIES {
        return 0.3;
    }
    let moves = (empties - SOLVED_EMPTIES).div_ceil(2);
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
