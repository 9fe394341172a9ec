//! The thread that answers a search. It does not search: on a busy machine the scheduler runs a
//! thread that has slept before one that computes. So it also stops the search when the time is
//! over, and does not wait for workers that get no processor then.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crossbeam::channel::{Receiver, at, never, select};
use parking_lot::Mutex;

use super::answer::{AnswerWithLines, answer_from_results};
use super::previous_scores::PreviousScores;
use super::request::{Answer, Limits, SearchOutcome};
use super::search_context::{SearchContext, Signal};
use super::time_budget::PlannedEnd;
use crate::sys::Instant;
use crate::types::RecentDelays;

/// Maximum wait of an answer for the workers if the clock limits the move. A worker that has a processor
/// stops within a millisecond or two.
const WORKER_TIMEOUT: Duration = Duration::from_millis(5);

/// How often the thread measures how late it wakes up, in a search that a clock may end.
const HEARTBEAT: Duration = Duration::from_millis(10);

/// Timers of an idle machine may be this late, because some systems check them at this interval.
const TIMER_TICK: Duration = Duration::from_millis(16);

/// Number of threads that must wake up until an answer arrives: this one, the session, the writer, and the
/// GUI's reader.
const WAKE_UPS: u32 = 4;

/// Signals by which the searching threads show that they have finished: a channel without messages is
/// disconnected.
pub(super) struct SearchCompletion {
    /// Disconnects when the main worker has finished.
    pub(super) main: Receiver<Infallible>,
    /// Disconnects when all others have finished.
    pub(super) others: Receiver<Infallible>,
}

/// Waits for the end of the search and gives its outcome. `immediate` is an answer that needs no search.
pub(super) fn answer(
    context: &SearchContext,
    immediate: Option<AnswerWithLines>,
    completion: &SearchCompletion,
    previous_scores: &Mutex<PreviousScores>,
) -> SearchOutcome {
    let found = catch_unwind(AssertUnwindSafe(|| {
        if immediate.is_none() {
            await_end(context, &completion.main);
        }
        context.stop();
        await_searchers(context, completion);
        context.close_proofs();
        immediate.unwrap_or_else(|| answer_from_results(context, previous_scores))
    }));
    context.stop();
    // If all else failed, a legal move is still an answer.
    let (answer, lines) = found.unwrap_or_else(|_| {
        let answer = match context.root_moves.first() {
            Some(&best) => Answer::Move { best, ponder: None },
            None => Answer::Resign,
        };
        (answer, Vec::new())
    });
    context.outcome(answer, lines)
}

/// Waits until the main worker has finished or the search is stopped, and stops it when its time is over.
/// Wakes up often and measures how late, so that the delay of the answer on a busy machine is known in
/// advance, even for the first move.
fn await_end(context: &SearchContext, main: &Receiver<Infallible>) {
    let limits = &context.request.limits;
    let beat = (limits.clock.is_some() || limits.ponder).then_some(HEARTBEAT);
    let mut end = None;
    let mut worst_delay = WorstDelay { delay: Duration::ZERO, is_pondering: limits.ponder };
    loop {
        let measured = expected_lateness(worst_delay.delay);
        let lateness = context.request.options.time.lateness.max(measured);
        let stop_at = end.map(|end: PlannedEnd| end.with_lateness(lateness));
        let next_beat = beat.map(|beat| Instant::now() + beat);
        let wake = stop_at.into_iter().chain(next_beat).min();
        let timer = wake.map_or(never(), at);
        select! {
            recv(main) -> _ => return,
            recv(context.signals()) -> signal => match signal {
                Ok(Signal::End(planned)) => {
                    end = Some(planned);
                    worst_delay.forget_pondering();
                }
                Ok(Signal::Stopped) | Err(_) => return,
            },
            recv(timer) -> _ => {
                let now = Instant::now();
                let late = wake.map_or(Duration::ZERO, |wake| now.saturating_duration_since(wake));
                worst_delay.record(late);
                if let Some(stop_at) = stop_at.filter(|&stop_at| stop_at <= now) {
                    end = None;
                    context.stop_by_clock(stop_at);
                }
            }
        }
    }
}

/// The longest delay of a wake-up during the move.
#[derive(Debug)]
struct WorstDelay {
    delay: Duration,
    /// Until the first end is planned, at the ponder hit.
    is_pondering: bool,
}

impl WorstDelay {
    fn record(&mut self, delay: Duration) {
        self.delay = self.delay.max(delay);
    }

    /// Forgets the delays during pondering, at the first end that is planned: a stall in long pondering says nothing
    /// about the move. Later calls change nothing.
    fn forget_pondering(&mut self) {
        if std::mem::take(&mut self.is_pondering) {
            self.delay = Duration::ZERO;
        }
    }
}

/// How late an answer arrives if every thread on its way wakes up this late. A long stall, such as a machine
/// that slept, is not expected four times.
fn expected_lateness(wake_up: Duration) -> Duration {
    if wake_up <= TIMER_TICK {
        return Duration::ZERO;
    }
    wake_up.saturating_mul(WAKE_UPS).min(RecentDelays::MAX_DELAY)
}

/// Waits for the threads that search after the stop. Their results are in the context already, so one
/// that gets no processor on a busy machine does not delay the answer.
fn await_searchers(context: &SearchContext, SearchCompletion { main, others }: &SearchCompletion) {
    // Nothing is ever sent: all end with an error.
    if is_untimed(&context.request.limits) {
        let _ = (main.recv(), others.recv());
        return;
    }
    // The first result is awaited, however late it is.
    if !context.has_answer() {
        let _ = main.recv();
    }
    let deadline = Instant::now() + WORKER_TIMEOUT;
    let _ = (main.recv_deadline(deadline), others.recv_deadline(deadline));
}

/// Whether only a depth or node limit ends the search, so that its result must not depend on the machine.
fn is_untimed(limits: &Limits) -> bool {
    limits.has_depth_or_node_limit() && limits.clock.is_none() && !limits.has_fixed_time()
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::{Sender, bounded};

    use super::super::request::{Clock, SearchOptions};
    use super::super::root_move::RootMove;
    use super::super::search_context::WorkerResult;
    use super::super::testing::{START, context, request};
    use super::*;

    /// Threads that search as long as the senders live.
    fn completion() -> (SearchCompletion, [Sender<Infallible>; 2]) {
        let ((main_runs, main), (others_run, others)) = (bounded(0), bounded(0));
        (SearchCompletion { main, others }, [main_runs, others_run])
    }

    /// A search with this limit whose main worker has finished an iteration.
    fn with_result(limits: Limits) -> SearchContext {
        let context = context(request(START, limits, SearchOptions::for_tests()));
        let root_moves = vec![RootMove::new(context.root_moves[3])];
        context.publish_result(0, WorkerResult { depth: 1, root_moves });
        context
    }

    fn ends(at: Instant) -> PlannedEnd {
        PlannedEnd { clock_start: at, at, limit: None }
    }

    fn best(outcome: &SearchOutcome) -> Option<crate::types::Move> {
        match outcome.answer {
            Answer::Move { best, .. } => Some(best),
            _ => None,
        }
    }

    /// Regression: on a busy machine the answer waited for the turn of the main worker.
    #[test]
    fn a_main_worker_without_a_processor_does_not_delay_the_answer() {
        let context = with_result(Limits::default());
        let end = Instant::now();
        context.plan_end(ends(end + Duration::from_secs(3600)));
        context.plan_end(ends(end));
        let (completion, _running) = completion();
        let outcome = answer(&context, None, &completion, &Mutex::default());
        assert_eq!(best(&outcome), Some(context.root_moves[3]));
        assert_eq!(outcome.planned_end, Some(end));
        assert!(context.is_stopped());
    }

    #[test]
    fn the_expected_lateness_counts_every_thread_that_must_wake_up() {
        let ms = Duration::from_millis;
        let lateness = |wake_up| expected_lateness(ms(wake_up));
        assert_eq!([50, 700].map(lateness), [200, 2_800].map(ms));
        assert_eq!([0, 3, 16].map(lateness), [ms(0); 3], "so late is a quiet machine");
        // Regression: one stall took four times its length from the move.
        assert_eq!([800, 60_000].map(lateness), [RecentDelays::MAX_DELAY; 2]);
    }

    /// Regression: a stall while pondering shortened the move after the ponder hit.
    #[test]
    fn delays_count_from_the_ponder_hit_on() {
        let ms = Duration::from_millis;
        for (is_pondering, known) in [(true, 0), (false, 900)] {
            let mut worst = WorstDelay { delay: Duration::ZERO, is_pondering };
            worst.record(ms(900));
            worst.forget_pondering();
            assert_eq!(worst.delay, ms(known));
            worst.record(ms(70));
            worst.record(ms(20));
            worst.forget_pondering();
            assert_eq!(worst.delay, ms(known.max(70)), "a second end of the move");
        }
    }

    #[test]
    fn a_stop_is_answered_without_workers_that_get_no_processor() {
        let context = with_result(Limits { infinite: true, ..Limits::default() });
        context.request_stop();
        let (completion, _running) = completion();
        let outcome = answer(&context, None, &completion, &Mutex::default());
        assert_eq!((best(&outcome), outcome.planned_end), (Some(context.root_moves[3]), None));
    }

    #[test]
    fn the_answer_waits_for_the_first_result_however_late_it_is() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        context.plan_end(ends(Instant::now()));
        let (completion, running) = completion();
        std::thread::scope(|scope| {
            let answering = scope.spawn(|| answer(&context, None, &completion, &Mutex::default()));
            // Only after the end of the time, which is then waiting for an answer.
            while context.planned_end().is_none() {
                std::thread::yield_now();
            }
            assert!(!context.is_stopped());
            let root_moves = vec![RootMove::new(context.root_moves[3])];
            context.publish_result(0, WorkerResult { depth: 1, root_moves });
            assert_eq!(best(&answering.join().unwrap()), Some(context.root_moves[3]));
        });
        drop(running);
    }

    #[test]
    fn the_answer_waits_for_all_threads_if_only_a_depth_or_node_limit_ends_the_search() {
        let limited = Limits { depth: Some(9), ..Limits::default() };
        let second = Some(Duration::from_secs(1));
        for timed in [
            Limits { clock: Some(Clock::default()), ..limited.clone() },
            Limits { move_time: second, ..limited.clone() },
            Limits { random_time: second, ..limited.clone() },
            Limits { infinite: true, ..Limits::default() },
        ] {
            assert!(!is_untimed(&timed), "{timed:?}");
        }
        assert!(is_untimed(&limited));
        assert!(is_untimed(&Limits { nodes: Some(9), ..Limits::default() }));
    }

    #[test]
    fn an_immediate_answer_needs_no_worker() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        let (completion, running) = completion();
        drop(running);
        let immediate = Some((Answer::DeclareWin, Vec::new()));
        let outcome = answer(&context, immediate, &completion, &Mutex::default());
        assert_eq!(outcome.answer, Answer::DeclareWin);
    }
}
