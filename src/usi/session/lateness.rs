//! Measures how late the session is: from the planned time of an answer to its writing, and from the arrival
//! of a line to its handling. The next moves are planned to end earlier by the expected lateness.
//!
//! All times are arguments; the module reads no clock.

use std::time::Duration;

use crate::sys::{Instant, WriteStamp};
use crate::types::RecentDelays;

/// Measures the delays of answers and of lines, and predicts the next ones.
#[derive(Debug, Default)]
pub(super) struct Lateness {
    answers: RecentDelays,
    /// Delays of handling a line. They also estimate the delay of the reader thread, which cannot be
    /// measured.
    lines: RecentDelays,
    /// When the pondering search was stopped, until it has answered.
    ponder_miss: Option<Instant>,
    /// The last answer, until the next `go`, because the writer may not have written it before.
    last: Option<LastAnswer>,
}

#[derive(Debug)]
struct LastAnswer {
    planned_end: Instant,
    written: WriteStamp,
    is_miss: bool,
}

impl Lateness {
    /// The expected lateness of the next move.
    pub(super) fn expected(&self) -> Duration {
        let expected = |delays: &RecentDelays| delays.expected().unwrap_or_default();
        expected(&self.answers) + expected(&self.lines)
    }

    /// Records the delay between the arrival of a `go` or `ponderhit` and its handling.
    pub(super) fn record_line_delay(&mut self, delay: Duration) {
        self.lines.record(delay);
    }

    /// Records a ponder miss: the opponent has played another move, and the search must stop.
    pub(super) fn record_ponder_miss(&mut self, stopped: Instant) {
        self.ponder_miss = Some(stopped);
    }

    /// Records an answer. `planned_end` is when the clock was to end the search, if the clock ended it.
    pub(super) fn record_answer(&mut self, planned_end: Option<Instant>, written: WriteStamp) {
        let miss = self.ponder_miss.take();
        let is_miss = miss.is_some();
        self.last =
            miss.or(planned_end).map(|planned_end| LastAnswer { planned_end, written, is_miss });
    }

    /// Records a `go`. Returns how long its clock has been running: after a ponder miss GUIs start it with
    /// the `stop`.
    pub(super) fn begin_move(&mut self) -> Duration {
        // The answer to the miss comes during this move, so its delay is part of this move.
        self.ponder_miss = None;
        let Some(LastAnswer { planned_end, written, is_miss }) = self.last.take() else {
            return Duration::ZERO;
        };
        // A GUI that does not wait for an answer may be faster than the writer.
        let Some(&written) = written.get() else { return Duration::ZERO };
        let late = written.saturating_duration_since(planned_end);
        self.answers.record(late);
        if is_miss { late } else { Duration::ZERO }
    }

    /// A new game begins; the clocks have not run.
    pub(super) fn begin_game(&mut self) {
        self.ponder_miss = None;
        if let Some(last) = &mut self.last {
            last.is_miss = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// The stamp of an answer written at this time.
    fn stamp(at: Instant) -> WriteStamp {
        WriteStamp::new(at.into())
    }

    /// Plays a move whose answer is this late.
    fn play(lateness: &mut Lateness, start: Instant, late: Duration) -> Duration {
        let planned_end = start + ms(900);
        lateness.record_answer(Some(planned_end), stamp(planned_end + late));
        lateness.begin_move()
    }

    #[test]
    fn a_late_answer_increases_the_margin_of_the_next_moves() {
        let (mut lateness, start) = (Lateness::default(), Instant::now());
        assert_eq!(lateness.expected(), ms(0));
        assert_eq!(play(&mut lateness, start, ms(86)), ms(0), "its own clock has not run yet");
        assert_eq!(lateness.expected(), ms(86));
        play(&mut lateness, start, ms(20));
        assert_eq!(lateness.expected(), ms(86));
        play(&mut lateness, start, ms(156));
        assert_eq!(lateness.expected(), ms(156));
    }

    #[test]
    fn the_margin_decreases_only_after_many_moves_in_time() {
        let (mut lateness, start) = (Lateness::default(), Instant::now());
        play(&mut lateness, start, ms(86));
        let moves = (1..100).find(|_| {
            play(&mut lateness, start, ms(1));
            lateness.expected() == ms(1)
        });
        assert!(moves.is_some_and(|moves| moves >= 10), "{moves:?}");
    }

    #[test]
    fn a_line_that_waits_for_the_session_increases_the_margin_too() {
        let (mut lateness, start) = (Lateness::default(), Instant::now());
        play(&mut lateness, start, ms(86));
        lateness.record_line_delay(ms(14));
        lateness.record_line_delay(ms(3));
        assert_eq!(lateness.expected(), ms(100));
    }

    #[test]
    fn an_answer_before_its_time_is_not_late() {
        let (mut lateness, now) = (Lateness::default(), Instant::now());
        lateness.record_answer(Some(now + ms(5)), stamp(now));
        lateness.begin_move();
        assert_eq!(lateness.expected(), ms(0));
    }

    #[test]
    fn an_answer_without_a_clock_is_not_measured() {
        let (mut lateness, now) = (Lateness::default(), Instant::now());
        lateness.record_answer(None, stamp(now + ms(500)));
        assert_eq!(lateness.begin_move(), ms(0));
        assert_eq!(lateness.expected(), ms(0));
    }

    /// Regression: the time of the stop was subtracted twice.
    #[test]
    fn the_clock_of_the_move_after_a_missed_ponder_runs_from_the_stop() {
        let (mut lateness, stopped) = (Lateness::default(), Instant::now());
        lateness.record_ponder_miss(stopped);
        lateness.record_answer(None, stamp(stopped + ms(44)));
        assert_eq!(lateness.begin_move(), ms(44));
        assert_eq!(lateness.expected(), ms(44));
        assert_eq!(lateness.begin_move(), ms(0), "only that of the next move");
    }

    #[test]
    fn the_clock_of_a_go_before_the_answer_to_the_ponder_miss_runs_from_the_go() {
        let (mut lateness, stopped) = (Lateness::default(), Instant::now());
        lateness.record_ponder_miss(stopped);
        assert_eq!(lateness.begin_move(), ms(0));
        lateness.record_answer(None, stamp(stopped + ms(44)));
        assert_eq!(lateness.begin_move(), ms(0));
    }

    #[test]
    fn the_stop_at_the_end_of_a_game_takes_no_time_of_the_next() {
        let (mut lateness, stopped) = (Lateness::default(), Instant::now());
        lateness.record_ponder_miss(stopped);
        lateness.record_answer(None, stamp(stopped + ms(44)));
        lateness.begin_game();
        assert_eq!(lateness.begin_move(), ms(0));
    }

    #[test]
    fn an_unwritten_answer_is_not_measured() {
        let mut lateness = Lateness::default();
        lateness.record_answer(Some(Instant::now()), WriteStamp::default());
        assert_eq!(lateness.begin_move(), ms(0));
        assert_eq!(lateness.expected(), ms(0));
    }
}
