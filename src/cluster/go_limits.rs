//! The limits of a `go`, and the `go` for a worker, from whose clocks its latency is subtracted.

use std::time::{Duration, Instant};

use crate::position::is_separator;
use crate::search::request::{Clock, Limits};
use crate::types::Color;
use crate::usi_client::{GoClock, GoCommand};

/// The part of a move's time that is never subtracted: no engine answers faster.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);
/// How late an answer to `go movetime` may be, where no clock runs out before.
const MOVE_TIME_GRACE: Duration = Duration::from_secs(1);
/// The budget if all clocks are at zero: an engine then answers at once.
const ZERO_CLOCK_BUDGET: Duration = Duration::from_secs(1);
/// The clock keywords of `go`, each followed by a number.
const CLOCK_KEYWORDS: [&str; 8] =
    ["btime", "wtime", "byoyomi", "bbyoyomi", "wbyoyomi", "binc", "winc", "movestogo"];

/// The limits of a `go` of the GUI.
#[derive(Clone, Debug)]
pub(super) struct GoLimits {
    pub(super) limits: Limits,
    /// The words after `go` other than `ponder` and clocks, sent on unchanged.
    others: Vec<String>,
    /// When the clock began to run.
    pub(super) received: Instant,
}

impl GoLimits {
    /// The limits of a parsed line.
    pub(super) fn new(line: &[u8], limits: Limits, received: Instant) -> GoLimits {
        GoLimits { limits, others: other_words(line), received }
    }

    /// Whether the `go` asks for a move in a game, not for an analysis or a mate.
    pub(super) fn is_play(&self) -> bool {
        let limits = &self.limits;
        limits.mate.is_none() && !limits.infinite && limits.search_moves.is_empty()
    }

    /// Whether the answer must wait for `stop` or `ponderhit`.
    pub(super) fn is_open_ended(&self) -> bool {
        self.limits.ponder || self.limits.infinite
    }

    /// Whether clocks are the only limits.
    pub(super) fn has_clocks_only(&self) -> bool {
        let clocks =
            Limits { clock: self.limits.clock, ponder: self.limits.ponder, ..Limits::default() };
        self.limits.clock.is_some() && self.limits == clocks
    }

    /// Ends the pondering. Returns whether the `ponderhit` brings new clocks.
    pub(super) fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) -> bool {
        self.limits.ponder = false;
        self.received = received;
        let clock = clock.filter(|clock| self.limits.uses_clock(clock));
        self.limits.clock = clock.or(self.limits.clock);
        clock.is_some()
    }

    /// The time that a side may take for this move; `None` without a limit of time.
    pub(super) fn budget(&self, side: Color) -> Option<Duration> {
        if !self.is_play() {
            return None;
        }
        let move_time = self.limits.move_time.map(|time| time.saturating_add(MOVE_TIME_GRACE));
        let clock = self.limits.clock.map(|clock| {
            let all = clock.available(side);
            if all.is_zero() { ZERO_CLOCK_BUDGET } else { all }
        });
        move_time.into_iter().chain(clock).min()
    }

    /// Whether the clocks of a side are the same.
    pub(super) fn same_clock(&self, other: &GoLimits, side: Color) -> bool {
        let own = |go: &GoLimits| {
            let clock = go.limits.clock?;
            Some((clock.time[side], clock.increment[side], clock.byoyomi[side]))
        };
        own(self) == own(other)
    }

    /// The `go` line for a worker that loses the time `lost`.
    pub(super) fn line(&self, side: Color, lost: Duration) -> String {
        let (ponder, clock) = (self.limits.ponder, self.clock(side, lost));
        GoCommand { ponder, clock, others: self.others.clone(), ..GoCommand::default() }.to_string()
    }

    /// The clocks less the lost time, which is taken first from the main time of the side to move, then from
    /// its byoyomi and increment.
    pub(super) fn clock(&self, side: Color, lost: Duration) -> Option<GoClock> {
        let spendable = self.budget(side).unwrap_or_default().saturating_sub(MIN_MOVE_TIME);
        let Clock { time, increment, byoyomi, moves_to_go } =
            self.limits.clock?.after(side, lost.min(spendable));
        Some(GoClock { time, increment, byoyomi: byoyomi[side], moves_to_go })
    }
}

/// The words after `go`, without `ponder` and clocks.
fn other_words(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line);
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    let mut words = words.skip_while(|&word| word != "go").skip(1).peekable();
    let mut others = Vec::new();
    while let Some(word) = words.next() {
        if CLOCK_KEYWORDS.contains(&word) {
            // A keyword is never taken for the number.
            words.next_if(|word| !word.bytes().all(|byte| byte.is_ascii_alphabetic()));
        } else if word != "ponder" {
            others.push(word.to_owned());
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::{Command, parse};

    fn go(line: &str) -> GoLimits {
        match parse(line.as_bytes()).command {
            Some(Command::Go(limits)) => GoLimits::new(line.as_bytes(), *limits, Instant::now()),
            other => panic!("{other:?}"),
        }
    }

    fn line(text: &str, lost: u64) -> String {
        go(text).line(Color::White, Duration::from_millis(lost))
    }

    #[test]
    fn the_delay_is_subtracted_from_the_clock_of_the_side_to_move() {
        let text = "go ponder btime 5000 wtime 3000 byoyomi 1000";
        assert_eq!(line(text, 0), text);
        assert_eq!(line(text, 50), "go ponder btime 5000 wtime 2950 byoyomi 1000");
        assert_eq!(line(text, 3100), "go ponder btime 5000 wtime 0 byoyomi 900");
        assert_eq!(line(text, 99_999), "go ponder btime 5000 wtime 0 byoyomi 20");
        let fischer = "go btime 5000 wtime 30 binc 400 winc 500";
        assert_eq!(line(fischer, 100), "go btime 5000 wtime 0 binc 400 winc 430");
        // Regression: workers added the increment to a main time that may contain it already.
        let with_increment = "go btime 5000 wtime 600 binc 400 winc 500";
        assert_eq!(line(with_increment, 150), "go btime 5000 wtime 450 binc 400 winc 450");
        assert_eq!(line("go btime 0 wtime 0 byoyomi 10", 100), "go btime 0 wtime 0 byoyomi 10");
        let own = "go btime 1 wtime 2 bbyoyomi 300 wbyoyomi 400";
        assert_eq!(line(own, 102), "go btime 1 wtime 0 byoyomi 300");
    }

    #[test]
    fn other_words_are_passed_on_as_they_are() {
        for text in ["go infinite", "go nodes 5 searchmoves 7g7f", "go", "go mate 500"] {
            assert_eq!(line(text, 100), text);
        }
        let mixed = "go nodes 5 byoyomi 500 btime depth 9 movestogo 7";
        assert_eq!(line(mixed, 100), "go btime 0 wtime 0 byoyomi 400 movestogo 7 nodes 5 depth 9");
    }

    #[test]
    fn fractional_clocks_are_sent_in_whole_milliseconds() {
        let text = "go btime 5000.5 wtime 3000.9 byoyomi 1000.";
        assert_eq!(line(text, 3100), "go btime 5000 wtime 0 byoyomi 900");
    }

    #[test]
    fn the_budget_is_all_that_may_be_used() {
        let budget = |text: &str| go(text).budget(Color::White);
        let ms = |millis| Some(Duration::from_millis(millis));
        assert_eq!(budget("go btime 1 wtime 20 byoyomi 3"), ms(23));
        assert_eq!(budget("go btime 0 wtime 0 byoyomi 0"), ms(1000));
        assert_eq!(budget("go movetime 100"), ms(1100));
        // Regression: beside clocks `movetime` was ignored, and a worker that hangs was awaited until they ran out.
        assert_eq!(budget("go movetime 100 btime 60000 wtime 60000"), ms(1100));
        assert_eq!(budget("go movetime 5000 btime 1 wtime 20 byoyomi 3"), ms(23));
        assert_eq!(budget("go nodes 100"), None);
    }

    #[test]
    fn the_budget_contains_no_increment_that_the_clock_may_already_contain() {
        let budget = |text: &str| go(text).budget(Color::White);
        let ms = |millis| Some(Duration::from_millis(millis));
        assert_eq!(budget("go btime 1 wtime 20 binc 7 winc 9"), ms(20));
        assert_eq!(budget("go btime 1 wtime 5 binc 7 winc 9"), ms(14));
    }

    /// A `go ponder` after this `ponderhit`.
    fn after_hit(early: &str, hit: &str) -> GoLimits {
        let mut go = go(early);
        let Some(Command::PonderHit(clock)) = parse(hit.as_bytes()).command else { panic!() };
        go.ponder_hit(clock, Instant::now());
        go
    }

    #[test]
    fn a_ponderhit_may_bring_new_clocks() {
        let line = |go: &GoLimits| go.line(Color::Black, Duration::ZERO);
        let late = after_hit("go ponder", "ponderhit btime 100 wtime 200 byoyomi 0");
        assert_eq!(line(&late), "go btime 100 wtime 200 byoyomi 0");
        let early = after_hit("go ponder btime 1 wtime 2 byoyomi 3", "ponderhit");
        assert_eq!(line(&early), "go btime 1 wtime 2 byoyomi 3");
        assert!(early.has_clocks_only() && early.is_play());
    }

    /// Regression: an engine that searched again after `ponderhit` lost the other limits.
    #[test]
    fn the_clocks_of_a_ponderhit_keep_the_other_limits() {
        let line =
            |early: &str, hit: &str| after_hit(early, hit).line(Color::Black, Duration::ZERO);
        let early = "go ponder nodes 500 btime 1 wtime 2 depth 7";
        let late = line(early, "ponderhit btime 100 wtime 200 byoyomi 300");
        assert_eq!(late, "go btime 100 wtime 200 byoyomi 300 nodes 500 depth 7");
        let unchanged = "go btime 1 wtime 2 byoyomi 0 nodes 500 depth 7";
        assert_eq!(line(early, "ponderhit"), unchanged);
        let zeros = "ponderhit btime 0 wtime 0";
        assert_eq!(line(early, zeros), unchanged);
        assert_eq!(line("go ponder nodes 500", zeros), "go nodes 500");
        assert_eq!(line("go ponder", zeros), "go btime 0 wtime 0 byoyomi 0");
    }
}
