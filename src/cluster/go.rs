//! A `go` as it came, and as it is told to a worker: with less time, for what is lost on the way.

use std::time::{Duration, Instant};

use crate::search::request::{Clock, Limits};
use crate::types::Color;

/// Of a move's time so much is never taken off, for with less no engine answers.
const LEAST: Duration = Duration::from_millis(20);
/// Beyond a time set for the move so much may pass before it is held for lost: no clock runs out.
const GRACE: Duration = Duration::from_secs(1);
/// What is told in place of clocks that all stand at zero: an engine must move at once.
const NOTHING_LEFT: Duration = Duration::from_secs(1);
/// The words that tell of clocks, each by the number behind it.
const CLOCK_WORDS: [&str; 8] =
    ["btime", "wtime", "byoyomi", "bbyoyomi", "wbyoyomi", "binc", "winc", "movestogo"];

/// See the module's comment.
#[derive(Clone, Debug)]
pub(super) struct Go {
    pub(super) limits: Limits,
    /// The words of its clocks, and what else followed the word `go`, without `ponder`.
    clocks: Vec<String>,
    others: Vec<String>,
    /// From when on the clock runs.
    pub(super) received: Instant,
}

impl Go {
    /// From a line that was understood as these limits.
    pub(super) fn new(line: &[u8], limits: Limits, received: Instant) -> Go {
        let (clocks, others) = words_after(line, "go");
        Go { limits, clocks, others, received }
    }

    /// Whether a move of a game is wanted, rather than an analysis or a mate.
    pub(super) fn is_play(&self) -> bool {
        let limits = &self.limits;
        limits.mate.is_none() && !limits.infinite && limits.search_moves.is_empty()
    }

    /// Whether an answer has to wait until it is stopped, or until a ponder hit.
    pub(super) fn is_open_ended(&self) -> bool {
        self.limits.ponder || self.limits.infinite
    }

    /// Whether nothing but clocks bounds it.
    pub(super) fn has_clocks_only(&self) -> bool {
        let clocks =
            Limits { clock: self.limits.clock, ponder: self.limits.ponder, ..Limits::default() };
        self.limits.clock.is_some() && self.limits == clocks
    }

    /// It is no longer pondering; the line of the ponder hit may bring new clocks. Returns whether
    /// it does.
    pub(super) fn hit(&mut self, line: &[u8], clock: Option<Clock>, received: Instant) -> bool {
        self.limits.ponder = false;
        self.received = received;
        let Some(clock) = clock.filter(|clock| self.limits.heeds(clock)) else { return false };
        self.limits.clock = Some(clock);
        self.clocks = words_after(line, "ponderhit").0;
        true
    }

    /// All the time that a side may take for this move; `None` where nothing says it.
    pub(super) fn budget(&self, side: Color) -> Option<Duration> {
        if !self.is_play() {
            return None;
        }
        let Some(clock) = self.limits.clock else {
            return self.limits.move_time.map(|time| time.saturating_add(GRACE));
        };
        let all = clock.available(side);
        Some(if all.is_zero() { NOTHING_LEFT } else { all })
    }

    /// Whether a side has the same clock here and there.
    pub(super) fn same_clock(&self, other: &Go, side: Color) -> bool {
        let own = |go: &Go| {
            let clock = go.limits.clock?;
            Some((clock.time[side], clock.increment[side], clock.byoyomi[side]))
        };
        own(self) == own(other)
    }

    /// The `go` line.
    pub(super) fn line(&self, side: Color, lost: Duration) -> String {
        let ponder = if self.limits.ponder { " ponder" } else { "" };
        format!("go{ponder}{}{}", self.clocks(side, lost), spaced(&self.others))
    }

    /// The clocks as they stand behind `go` or `ponderhit`, each word with a blank before it; the side
    /// to move has so much less time: of what is left of its main time, then of its byoyomi or increment.
    pub(super) fn clocks(&self, side: Color, lost: Duration) -> String {
        let own: [&str; 4] = match side {
            Color::Black => ["btime", "bbyoyomi", "byoyomi", "binc"],
            Color::White => ["wtime", "wbyoyomi", "byoyomi", "winc"],
        };
        let spendable = self.budget(side).unwrap_or_default().saturating_sub(LEAST);
        let mut lost = u64::try_from(lost.min(spendable).as_millis()).unwrap_or(u64::MAX);
        let mut words = self.clocks.clone();
        for name in own {
            let value = words.iter().position(|word| word == name).map(|at| at + 1);
            let Some(word) = value.and_then(|at| words.get_mut(at)) else { continue };
            let Ok(time) = word.parse::<u64>() else { continue };
            let taken = time.min(lost);
            lost -= taken;
            *word = (time - taken).to_string();
        }
        spaced(&words)
    }
}

/// The words behind the first of this name: those of clocks, and the others. `ponder` is no limit, and
/// left out.
fn words_after(line: &[u8], name: &str) -> (Vec<String>, Vec<String>) {
    let text = String::from_utf8_lossy(line);
    let words = text.split_whitespace().skip_while(|&word| word != name).skip(1);
    let words = words.filter(|&word| word != "ponder").map(str::to_owned);
    let mut is_named = false;
    let (mut clocks, others): (Vec<String>, Vec<String>) = words.partition(|word| {
        let is_name = CLOCK_WORDS.contains(&word.as_str());
        // A name of something else is never taken for a number.
        let is_number = !word.bytes().all(|byte| byte.is_ascii_alphabetic());
        std::mem::replace(&mut is_named, is_name) && is_number || is_name
    });
    clocks.iter_mut().for_each(drop_fraction);
    (clocks, others)
}

/// Some clients count milliseconds in floating point: what is behind the point is left out.
fn drop_fraction(word: &mut String) {
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = word.split_once('.').filter(|(whole, rest)| is_digits(whole) && is_digits(rest));
    let end = whole.map(|(whole, _)| whole.len()).filter(|&end| end > 0);
    word.truncate(end.unwrap_or(word.len()));
}

fn spaced(words: &[String]) -> String {
    words.iter().map(|word| format!(" {word}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::{Command, parse};

    fn go(line: &str) -> Go {
        match parse(line.as_bytes()).command {
            Some(Command::Go(limits)) => Go::new(line.as_bytes(), *limits, Instant::now()),
            other => panic!("{other:?}"),
        }
    }

    fn line(text: &str, lost: u64) -> String {
        go(text).line(Color::White, Duration::from_millis(lost))
    }

    #[test]
    fn what_is_lost_is_taken_off_the_clock_of_the_side_to_move() {
        let text = "go ponder btime 5000 wtime 3000 byoyomi 1000";
        assert_eq!(line(text, 0), text);
        assert_eq!(line(text, 50), "go ponder btime 5000 wtime 2950 byoyomi 1000");
        assert_eq!(line(text, 3100), "go ponder btime 5000 wtime 0 byoyomi 900");
        assert_eq!(line(text, 99_999), "go ponder btime 5000 wtime 0 byoyomi 20");
        let fischer = "go btime 5000 wtime 30 binc 400 winc 500";
        assert_eq!(line(fischer, 100), "go btime 5000 wtime 0 binc 400 winc 430");
        assert_eq!(line("go btime 0 wtime 0 byoyomi 10", 100), "go btime 0 wtime 0 byoyomi 10");
    }

    #[test]
    fn what_is_no_clock_stays_as_it_is() {
        for text in ["go infinite", "go nodes 5 searchmoves 7g7f", "go", "go mate 500"] {
            assert_eq!(line(text, 100), text);
        }
        let mixed = "go nodes 5 byoyomi 500 btime depth 9 movestogo 7";
        assert_eq!(line(mixed, 100), "go byoyomi 400 btime movestogo 7 nodes 5 depth 9");
    }

    /// Nothing was taken off it.
    #[test]
    fn a_clock_in_floating_point_is_told_in_whole_milliseconds() {
        let text = "go btime 5000.5 wtime 3000.9 byoyomi 1000.";
        assert_eq!(line(text, 3100), "go btime 5000 wtime 0 byoyomi 900");
        for no_number in [".", ".5", "1.2.3", "1.x", "1e5"] {
            let text = format!("go btime {no_number} wtime 3000");
            assert_eq!(line(&text, 0), text);
        }
    }

    #[test]
    fn budgets_are_all_that_may_be_used() {
        let budget = |text: &str| go(text).budget(Color::White);
        let ms = |millis| Some(Duration::from_millis(millis));
        assert_eq!(budget("go btime 1 wtime 20 byoyomi 3"), ms(23));
        assert_eq!(budget("go btime 0 wtime 0 byoyomi 0"), ms(1000));
        assert_eq!(budget("go movetime 100"), ms(1100));
        assert_eq!(budget("go nodes 100"), None);
    }

    #[test]
    fn a_rescue_counts_no_increment_that_the_clock_may_hold_already() {
        let budget = |text: &str| go(text).budget(Color::White);
        let ms = |millis| Some(Duration::from_millis(millis));
        assert_eq!(budget("go btime 1 wtime 20 binc 7 winc 9"), ms(20));
        assert_eq!(budget("go btime 1 wtime 5 binc 7 winc 9"), ms(14));
    }

    #[test]
    fn a_hit_may_bring_new_clocks() {
        let mut early = go("go ponder");
        let hit = b"ponderhit btime 100 wtime 200 byoyomi 0";
        let Some(Command::PonderHit(clock)) = parse(hit).command else { panic!() };
        early.hit(hit, clock, Instant::now());
        assert_eq!(early.line(Color::Black, Duration::ZERO), "go btime 100 wtime 200 byoyomi 0");
        let mut late = go("go ponder btime 1 wtime 2 byoyomi 3");
        late.hit(b"ponderhit", None, Instant::now());
        assert_eq!(late.line(Color::Black, Duration::ZERO), "go btime 1 wtime 2 byoyomi 3");
        assert!(late.has_clocks_only() && late.is_play());
    }

    /// Who began anew then searched without the other limits.
    #[test]
    fn the_clocks_of_a_hit_leave_other_limits_as_they_are() {
        let line = |early: &str, hit: &str| {
            let mut go = go(early);
            let Some(Command::PonderHit(clock)) = parse(hit.as_bytes()).command else { panic!() };
            go.hit(hit.as_bytes(), clock, Instant::now());
            go.line(Color::Black, Duration::ZERO)
        };
        let early = "go ponder nodes 500 btime 1 wtime 2 depth 7";
        let late = line(early, "ponderhit btime 100 wtime 200 byoyomi 300");
        assert_eq!(late, "go btime 100 wtime 200 byoyomi 300 nodes 500 depth 7");
        assert_eq!(line(early, "ponderhit"), "go btime 1 wtime 2 nodes 500 depth 7");
        let zeros = "ponderhit btime 0 wtime 0";
        assert_eq!(line(early, zeros), "go btime 1 wtime 2 nodes 500 depth 7");
        assert_eq!(line("go ponder nodes 500", zeros), "go nodes 500");
        assert_eq!(line("go ponder", zeros), "go btime 0 wtime 0");
    }
}
