//! The lines that are sent to an engine: `go`, `ponderhit`, `setoption`, `gameover`.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::types::usi::EMPTY;
use crate::types::{ByColor, Color};

/// The clocks of a `go` or `ponderhit`. Fractions of a millisecond are cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoClock {
    /// Main time, usually without the increment of the coming move.
    pub time: ByColor<Duration>,
    pub increment: ByColor<Duration>,
    /// Of the side to move.
    pub byoyomi: Duration,
    pub moves_to_go: Option<u32>,
}

impl Display for GoClock {
    /// `btime 1000 wtime 1000 byoyomi 100`. Zeros are left out, except `byoyomi 0` without increments, as
    /// GUIs write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = Color::ALL;
        let ms = |time: Duration| time.as_millis();
        write!(f, "btime {} wtime {}", ms(self.time[black]), ms(self.time[white]))?;
        let has_increment = self.increment.0.iter().any(|increment| !increment.is_zero());
        if has_increment {
            write!(f, " binc {} winc {}", ms(self.increment[black]), ms(self.increment[white]))?;
        }
        if !has_increment || !self.byoyomi.is_zero() {
            write!(f, " byoyomi {}", ms(self.byoyomi))?;
        }
        match self.moves_to_go {
            Some(moves) => write!(f, " movestogo {moves}"),
            None => Ok(()),
        }
    }
}

/// A `go` line.
///
/// ```
/// use std::time::Duration;
/// use kawasemi::usi_client::{GoClock, GoCommand};
/// let clock = GoClock { byoyomi: Duration::from_secs(1), ..GoClock::default() };
/// let go = GoCommand { ponder: true, clock: Some(clock), nodes: Some(5), ..GoCommand::default() };
/// assert_eq!(go.to_string(), "go ponder btime 0 wtime 0 byoyomi 1000 nodes 5");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    pub ponder: bool,
    pub clock: Option<GoClock>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Further words, sent unchanged.
    pub others: Vec<String>,
}

impl Display for GoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.ponder { "go ponder" } else { "go" })?;
        if let Some(clock) = &self.clock {
            write!(f, " {clock}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        self.others.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// The `ponderhit` line, with new clocks for an engine that reads them there.
pub fn ponderhit_line(clock: Option<&GoClock>) -> String {
    clock.map_or_else(|| "ponderhit".into(), |clock| format!("ponderhit {clock}"))
}

/// The line that sets an option. The value is bytes, because a file name may be in any encoding.
pub fn setoption_line(name: &str, value: &[u8]) -> Vec<u8> {
    let value = if value.is_empty() { EMPTY.as_bytes() } else { value };
    [b"setoption name ", name.as_bytes(), b" value ", value].concat()
}

/// The result of a game for one player, in the words of `gameover`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    Win,
    Lose,
    Draw,
}

impl Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOver::Win => "win",
            GameOver::Lose => "lose",
            GameOver::Draw => "draw",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_go_command_has_increments_or_byoyomi_or_both_and_then_the_other_limits() {
        let both = |ms| ByColor([Duration::from_millis(ms); 2]);
        let byoyomi = Duration::from_micros(1900);
        let clock = GoClock { time: both(100), ..GoClock::default() };
        let line = |clock| GoCommand { clock: Some(clock), ..GoCommand::default() }.to_string();
        assert_eq!(line(clock), "go btime 100 wtime 100 byoyomi 0");
        let fischer = GoClock { increment: both(5), ..clock };
        assert_eq!(line(fischer), "go btime 100 wtime 100 binc 5 winc 5");
        let all = GoClock { byoyomi, moves_to_go: Some(7), ..fischer };
        assert_eq!(line(all), "go btime 100 wtime 100 binc 5 winc 5 byoyomi 1 movestogo 7");
        assert_eq!(ponderhit_line(Some(&clock)), "ponderhit btime 100 wtime 100 byoyomi 0");
        assert_eq!(ponderhit_line(None), "ponderhit");
        let limits = GoCommand {
            move_time: Some(Duration::from_millis(9)),
            nodes: Some(8),
            depth: Some(7),
            others: vec!["mate".into(), "infinite".into()],
            ..GoCommand::default()
        };
        assert_eq!(limits.to_string(), "go movetime 9 nodes 8 depth 7 mate infinite");
    }

    #[test]
    fn an_empty_option_value_is_sent_as_a_keyword_and_other_values_unchanged() {
        assert_eq!(setoption_line("EvalFile", b""), b"setoption name EvalFile value <empty>");
        let line = setoption_line("Eval File", b"a \xff");
        assert_eq!(line, b"setoption name Eval File value a \xff");
    }
}
