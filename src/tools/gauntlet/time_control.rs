//! Time controls, clocks, and the arguments of `go`.
//!
//! Time counts as in GUIs: first the main time, then byoyomi for every move. An increment belongs to
//! the move it is given for: a move may use the remaining time plus the increment, and the rest is
//! kept.

use std::fmt;
use std::num::ParseIntError;
use std::time::Duration;

use crate::types::{ByColor, Color};
use crate::usi_client::{GoClock, GoCommand};

/// The limits of an engine. Several may be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Main time of the game.
    pub time: Duration,
    /// Added for every move (Fischer). Excludes `byoyomi`.
    pub increment: Duration,
    /// Time of every move after the main time.
    pub byoyomi: Duration,
    /// Exact time of every move.
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

/// Why limits are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControlError {
    /// Neither a clock nor any other limit.
    Unlimited,
    /// A limit of 0 for every move. Many engines take `go nodes 0` for no limit.
    Zero,
    /// No GUI sends both, so their combination has no defined meaning.
    ByoyomiAndIncrement,
}

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeControlError::Unlimited => {
                "nothing limits its thinking: give time, inc, byoyomi, movetime, nodes or depth"
            }
            TimeControlError::Zero => "movetime, nodes and depth must be at least 1",
            TimeControlError::ByoyomiAndIncrement => "byoyomi and inc exclude each other",
        })
    }
}

impl std::error::Error for TimeControlError {}

impl TimeControl {
    /// Whether there is a clock.
    fn has_clock(&self) -> bool {
        !(self.time + self.increment + self.byoyomi).is_zero()
    }

    /// # Errors
    /// See [`TimeControlError`].
    pub fn check(&self) -> Result<(), TimeControlError> {
        if !self.byoyomi.is_zero() && !self.increment.is_zero() {
            return Err(TimeControlError::ByoyomiAndIncrement);
        }
        if self.move_time == Some(Duration::ZERO) || self.nodes == Some(0) || self.depth == Some(0)
        {
            return Err(TimeControlError::Zero);
        }
        let limited = self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some();
        if self.has_clock() || limited { Ok(()) } else { Err(TimeControlError::Unlimited) }
    }

    /// Sets the limit with this key of an engine description; `None` if the key is not a limit.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<Result<(), ParseIntError>> {
        let ms = || value.parse::<u64>().map(Duration::from_millis);
        Some(match key {
            "time" => ms().map(|time| self.time = time),
            "inc" => ms().map(|time| self.increment = time),
            "byoyomi" => ms().map(|time| self.byoyomi = time),
            "movetime" => ms().map(|time| self.move_time = Some(time)),
            "nodes" => value.parse::<u64>().map(|nodes| self.nodes = Some(nodes)),
            "depth" => value.parse::<u32>().map(|depth| self.depth = Some(depth)),
            _ => return None,
        })
    }

    /// Parses the limits at the end of a text, as `Display` writes them.
    pub(super) fn at_end_of(text: &str) -> TimeControl {
        let mut control = TimeControl::default();
        for word in text.rsplit(' ') {
            let limit = word.split_once('=').and_then(|(key, value)| control.set(key, value));
            if !matches!(limit, Some(Ok(()))) {
                break;
            }
        }
        control
    }

    /// The share, from 0 to 1, of the main time and the increments that `moves` moves used. Byoyomi does
    /// not count. `None` without main time and increments.
    pub fn share_used(&self, moves: u64, used_ms: u64) -> Option<f64> {
        let whole = self.time.as_secs_f64() + self.increment.as_secs_f64() * moves as f64;
        let used = used_ms as f64 / 1000.0;
        (moves > 0 && whole > 0.0).then(|| (used / whole).min(1.0))
    }
}

impl fmt::Display for TimeControl {
    /// As in an engine description, in milliseconds: `time=10000 inc=100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| (!time.is_zero()).then_some(time.as_millis() as u64);
        let fields = [
            ("time", ms(self.time)),
            ("inc", ms(self.increment)),
            ("byoyomi", ms(self.byoyomi)),
            ("movetime", self.move_time.map(|time| time.as_millis() as u64)),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
        ];
        let mut separator = "";
        for (key, value) in fields {
            if let Some(value) = value {
                write!(f, "{separator}{key}={value}")?;
                separator = " ";
            }
        }
        Ok(())
    }
}

/// One side's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct MatchClock {
    control: TimeControl,
    remaining: Duration,
}

impl MatchClock {
    pub fn new(control: TimeControl) -> MatchClock {
        MatchClock { control, remaining: control.time }
    }

    /// The time limit of the next move; `None` without one.
    pub fn move_limit(&self) -> Option<Duration> {
        let TimeControl { increment, byoyomi, move_time, .. } = self.control;
        let clock = self.control.has_clock().then_some(self.remaining + increment + byoyomi);
        match (clock, move_time) {
            (Some(clock), Some(move_time)) => Some(clock.min(move_time)),
            (clock, move_time) => clock.or(move_time),
        }
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, elapsed: Duration) {
        self.remaining = (self.remaining + self.control.increment).saturating_sub(elapsed);
    }
}

/// The `go` for this side to move. It has either the byoyomi or the increments of both.
pub fn go_command(clocks: &ByColor<MatchClock>, mover: Color, ponder: bool) -> GoCommand {
    let TimeControl { increment, byoyomi, move_time, nodes, depth, .. } = clocks[mover].control;
    let has_increment = !increment.is_zero();
    let increments = clocks.0.map(|clock| clock.control.increment);
    let clock = clocks[mover].control.has_clock().then(|| GoClock {
        time: ByColor(clocks.0.map(|clock| clock.remaining)),
        increment: if has_increment { ByColor(increments) } else { ByColor::default() },
        byoyomi: if has_increment { Duration::ZERO } else { byoyomi },
        moves_to_go: None,
    });
    GoCommand { ponder, clock, move_time, nodes, depth, others: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn both(control: TimeControl) -> ByColor<MatchClock> {
        ByColor([MatchClock::new(control); 2])
    }

    fn go_line(clocks: &ByColor<MatchClock>, mover: Color) -> String {
        go_command(clocks, mover, false).to_string()
    }

    #[test]
    fn byoyomi_is_full_for_every_move() {
        let mut clocks =
            both(TimeControl { time: ms(1000), byoyomi: ms(100), ..TimeControl::default() });
        assert_eq!(go_line(&clocks, Color::Black), "go btime 1000 wtime 1000 byoyomi 100");
        assert_eq!(clocks[Color::Black].move_limit(), Some(ms(1100)));
        clocks[Color::Black].spend(ms(950));
        assert_eq!(go_line(&clocks, Color::White), "go btime 50 wtime 1000 byoyomi 100");
        clocks[Color::Black].spend(ms(120));
        assert_eq!(clocks[Color::Black].move_limit(), Some(ms(100)));
        assert_eq!(go_line(&clocks, Color::Black), "go btime 0 wtime 1000 byoyomi 100");
    }

    #[test]
    fn an_increment_is_there_for_the_first_move_and_what_is_left_is_kept() {
        let mut clocks =
            both(TimeControl { time: ms(1000), increment: ms(100), ..TimeControl::default() });
        assert_eq!(clocks[Color::White].move_limit(), Some(ms(1100)));
        clocks[Color::White].spend(ms(30));
        assert_eq!(clocks[Color::White].move_limit(), Some(ms(1170)));
        assert_eq!(go_line(&clocks, Color::White), "go btime 1000 wtime 1070 binc 100 winc 100");
        clocks[Color::White].spend(ms(5000));
        assert_eq!(clocks[Color::White].move_limit(), Some(ms(100)));
    }

    #[test]
    fn sudden_death_is_sent_as_a_byoyomi_of_zero() {
        let clocks = both(TimeControl { time: ms(60_000), ..TimeControl::default() });
        assert_eq!(go_line(&clocks, Color::Black), "go btime 60000 wtime 60000 byoyomi 0");
    }

    #[test]
    fn engines_with_different_limits_each_get_their_own() {
        let nodes = TimeControl { nodes: Some(20_000), ..TimeControl::default() };
        let fischer = TimeControl { time: ms(1000), increment: ms(10), ..TimeControl::default() };
        let clocks = ByColor([MatchClock::new(nodes), MatchClock::new(fischer)]);
        assert_eq!(go_line(&clocks, Color::Black), "go nodes 20000");
        assert_eq!(go_line(&clocks, Color::White), "go btime 0 wtime 1000 binc 0 winc 10");
        assert_eq!(clocks[Color::Black].move_limit(), None);
    }

    #[test]
    fn several_limits_are_all_sent_and_the_shortest_time_counts() {
        let control = TimeControl {
            byoyomi: ms(500),
            move_time: Some(ms(200)),
            nodes: Some(5),
            depth: Some(3),
            ..TimeControl::default()
        };
        let expected = "go btime 0 wtime 0 byoyomi 500 movetime 200 nodes 5 depth 3";
        assert_eq!(go_line(&both(control), Color::Black), expected);
        assert_eq!(MatchClock::new(control).move_limit(), Some(ms(200)));
        assert_eq!(control.to_string(), "byoyomi=500 movetime=200 nodes=5 depth=3");
    }

    #[test]
    fn the_share_of_a_clock_counts_the_increments_of_the_moves_and_no_byoyomi() {
        let fischer = TimeControl { time: ms(1000), increment: ms(100), ..TimeControl::default() };
        assert_eq!(fischer.share_used(10, 1500), Some(0.75));
        assert_eq!(fischer.share_used(0, 0), None);
        let byoyomi = TimeControl { time: ms(1000), byoyomi: ms(100), ..TimeControl::default() };
        assert_eq!(byoyomi.share_used(10, 500), Some(0.5));
        assert_eq!(byoyomi.share_used(10, 1500), Some(1.0));
        assert_eq!(TimeControl { time: ms(0), ..byoyomi }.share_used(10, 500), None);
        let nodes = TimeControl { nodes: Some(1000), ..TimeControl::default() };
        assert_eq!(nodes.share_used(10, 500), None);
    }

    #[test]
    fn limits_are_read_from_the_end_of_a_text_and_nothing_else_is() {
        let (time, increment) = (ms(1000), ms(10));
        let control = TimeControl { time, increment, depth: Some(9), ..TimeControl::default() };
        let text = format!("name=a cmd=[\"x\", \"time=5 inc=5\"] option.X=\"1\" {control}");
        assert_eq!(TimeControl::at_end_of(&text), control);
        assert_eq!(
            TimeControl::at_end_of("cmd=[\"x\"] option.X=\" time=5\""),
            TimeControl::default()
        );
    }

    #[test]
    fn unplayable_limits_are_refused() {
        assert_eq!(TimeControl::default().check(), Err(TimeControlError::Unlimited));
        let both = TimeControl { increment: ms(1), byoyomi: ms(1), ..TimeControl::default() };
        assert_eq!(both.check(), Err(TimeControlError::ByoyomiAndIncrement));
        assert_eq!(TimeControl { depth: Some(1), ..TimeControl::default() }.check(), Ok(()));
    }

    /// Regression: with `--nodes 0` each move took as long as the timeout of a move, ten minutes.
    #[test]
    fn a_limit_of_nothing_is_refused() {
        let clock = TimeControl { byoyomi: ms(100), ..TimeControl::default() };
        for zero in [
            TimeControl { move_time: Some(ms(0)), ..clock },
            TimeControl { nodes: Some(0), ..clock },
            TimeControl { depth: Some(0), ..clock },
        ] {
            assert_eq!(zero.check(), Err(TimeControlError::Zero), "{zero}");
        }
    }
}
