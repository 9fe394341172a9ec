//! The reporter: sends what the main worker finds as events, no more often than the options allow.

use std::iter;
use std::time::Duration;

use crossbeam::channel::Sender;

use super::pv_lines::{SearchStats, pv_line, pv_lines};
use super::request::{Event, PvLine, Report};
use super::search_context::SearchContext;
use crate::position::Position;
use crate::sys::Instant;
use crate::types::{Depth, Move};

/// Minimum time between two reports of entries for other engines.
const ENTRIES_INTERVAL: Duration = Duration::from_millis(20);
/// `currmove`, `currline` and `refutation` begin after this time, as the protocol's draft advises.
const DETAILS_AFTER: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Reporter {
    /// `None` if reports are not wanted.
    events: Option<Sender<Event>>,
    last_report: Option<Instant>,
    last_current_line: Option<Instant>,
    last_entries: Option<Instant>,
    /// A finished iteration waits until the interval between two reports has passed.
    is_report_pending: bool,
    has_reported_win: bool,
}

impl Reporter {
    pub(super) fn new(events: Option<Sender<Event>>) -> Reporter {
        Reporter {
            events,
            last_report: None,
            last_current_line: None,
            last_entries: None,
            is_report_pending: false,
            has_reported_win: false,
        }
    }

    /// Whether reports are wanted.
    pub(super) fn is_enabled(&self) -> bool {
        self.events.is_some()
    }

    /// Whether reports are wanted and the interval since the last one has passed.
    pub(super) fn may_report(&self, context: &SearchContext) -> bool {
        let interval = context.request.options.pv_interval;
        self.is_enabled() && self.last_report.is_none_or(|last| last.elapsed() >= interval)
    }

    pub(super) fn report_lines(&mut self, context: &SearchContext, lines: Vec<PvLine>) {
        self.last_report = Some(Instant::now());
        self.is_report_pending = false;
        self.send(context, Report::Lines(lines));
    }

    /// Marks a finished iteration that may not be reported yet.
    pub(super) fn defer_report(&mut self) {
        self.is_report_pending = true;
    }

    /// Reports the deferred iteration once the interval has passed.
    pub(super) fn report_pending_lines(&mut self, context: &SearchContext) {
        if !self.is_report_pending || !self.may_report(context) {
            return;
        }
        let Some(result) = context.main_result() else { return };
        self.report_lines(context, pv_lines(context, &result.root_moves, result.depth));
    }

    /// Reports at once that a root move is proven to mate, because the iteration may last long.
    pub(super) fn report_proven_win(&mut self, context: &SearchContext, depth: Depth) {
        let has_other_lines = context.request.options.multi_pv > 1 || context.declares_win;
        if self.has_reported_win || has_other_lines {
            return;
        }
        if let Some(win) = context.proven_win() {
            self.has_reported_win = true;
            let line = pv_line(context, SearchStats::now(context), &win, depth, 0);
            self.report_lines(context, vec![line]);
        }
    }

    pub(super) fn report_current_move(
        &self,
        context: &SearchContext,
        depth: Depth,
        mv: Move,
        number: usize,
    ) {
        let options = &context.request.options;
        if options.show_current_line && context.request.received.elapsed() >= DETAILS_AFTER {
            self.send(context, Report::CurrentMove { depth, mv, number });
        }
    }

    /// Reports the line from the root to `position`, at most once a second.
    pub(super) fn report_current_line(&mut self, context: &SearchContext, position: &Position) {
        let since = self.last_current_line.unwrap_or(context.request.received);
        if !context.request.options.show_current_line || since.elapsed() < DETAILS_AFTER {
            return;
        }
        self.last_current_line = Some(Instant::now());
        let before = context.request.position.history().count();
        // After a null move the line cannot be played.
        let line: Vec<Move> = position.history().skip(before).take_while(|mv| mv.is_ok()).collect();
        if !line.is_empty() {
            self.send(context, Report::CurrentLine(line));
        }
    }

    /// Reports a root move with the reply in the transposition table: the null-window search of a move that does not
    /// raise alpha leaves no line.
    pub(super) fn report_refutation(&self, context: &SearchContext, mv: Move) {
        let options = &context.request.options;
        if options.show_refutations && context.request.received.elapsed() >= DETAILS_AFTER {
            let line = iter::once(mv).chain(context.expected_reply(mv)).collect();
            self.send(context, Report::Refutation(line));
        }
    }

    /// Reports the entries for other engines since the last report.
    pub(super) fn report_entries(&mut self, context: &SearchContext) {
        let is_early = |last: Instant| last.elapsed() < ENTRIES_INTERVAL;
        if context.request.options.cluster_worker.is_none()
            || self.last_entries.is_some_and(is_early)
        {
            return;
        }
        let entries = context.shared_entries.take();
        if !entries.is_empty() {
            self.last_entries = Some(Instant::now());
            self.send(context, Report::Entries(entries));
        }
    }

    fn send(&self, context: &SearchContext, report: Report) {
        if let Some(events) = &self.events {
            // A closed channel means that the session is over.
            let _ = events.send(Event { search_id: context.search_id, report });
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::super::request::{Limits, SearchOptions};
    use super::super::root_move::RootMove;
    use super::super::search_context::WorkerResult;
    use super::super::testing::{START, context, request};
    use super::*;
    use crate::types::Score;

    /// A search that began 20 seconds ago.
    fn old_context(options: SearchOptions) -> SearchContext {
        let mut request = request(START, Limits::default(), options);
        request.received -= Duration::from_secs(20);
        context(request)
    }

    #[test]
    fn a_deferred_iteration_is_reported_when_the_interval_is_over() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        let (sender, events) = unbounded();
        let mut reporter = Reporter::new(Some(sender));
        reporter.defer_report();
        // A level searches more lines than it shows.
        let line = |mv: &str| RootMove::proven(vec![mv.parse().unwrap()], Score(40));
        let root_moves = vec![line("7g7f"), line("2g2f")];
        context.publish_result(0, WorkerResult { depth: 9, root_moves });
        reporter.report_pending_lines(&context);
        let reports: Vec<Report> = events.try_iter().map(|event| event.report).collect();
        let [Report::Lines(lines)] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!(lines.len(), 1);
        reporter.report_pending_lines(&context);
        assert_eq!(events.try_iter().count(), 0);
    }

    #[test]
    fn details_are_reported_only_if_asked_for_and_not_in_the_first_second() {
        for (is_early, is_asked, count) in [(false, false, 0), (true, true, 0), (false, true, 3)] {
            let options = SearchOptions {
                show_current_line: is_asked,
                show_refutations: is_asked,
                ..SearchOptions::for_tests()
            };
            let mut context = old_context(options);
            if is_early {
                // In the future, so that a stalled machine does not matter.
                context.request.received = Instant::now() + Duration::from_secs(3600);
            }
            let (sender, events) = unbounded();
            let mut reporter = Reporter::new(Some(sender));
            let mv = context.root_moves[0];
            let mut position = context.request.position.clone();
            position.try_play(mv).unwrap();
            reporter.report_current_move(&context, 5, mv, 1);
            reporter.report_current_line(&context, &position);
            reporter.report_refutation(&context, mv);
            assert_eq!(events.len(), count, "early: {is_early}, asked for: {is_asked}");
        }
    }

    #[test]
    fn a_current_line_ends_before_a_null_move_and_comes_once_a_second() {
        let options = SearchOptions { show_current_line: true, ..SearchOptions::for_tests() };
        let context = old_context(options);
        let (sender, events) = unbounded();
        let mut reporter = Reporter::new(Some(sender));
        let mut position = context.request.position.clone();
        let line: Vec<Move> = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).into();
        for &mv in &line {
            position.try_play(mv).unwrap();
        }
        position.do_null_move();
        for _ in 0..2 {
            reporter.report_current_line(&context, &position);
        }
        let reports: Vec<Report> = events.try_iter().map(|event| event.report).collect();
        assert!(
            matches!(&reports[..], [Report::CurrentLine(moves)] if *moves == line),
            "{reports:?}"
        );
    }
}
