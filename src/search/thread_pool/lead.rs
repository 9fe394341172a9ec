//! The main worker's part in a search: it gives the answer when all others have come to rest, or have
//! had the time to. A thread that gets no turn on a busy machine delays no answer.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::Receiver;

use super::pool_thread::Member;
use crate::search::answer;
use crate::search::request::{Answer, Limits, Report, SearchOutcome};
use crate::search::search_manager::SearchManager;
use crate::search::shared::SearchContext;

/// How long an answer waits for the others to come to rest where time matters. Who has a processor does
/// so within a millisecond or two.
const PATIENCE: Duration = Duration::from_millis(10);

impl Member {
    /// Searches, stops the helpers, and answers.
    pub(super) fn lead(
        &mut self,
        shared: &Arc<SearchContext>,
        manager: SearchManager,
        helpers: &Receiver<Infallible>,
    ) {
        let found = catch_unwind(AssertUnwindSafe(|| {
            let known = answer::without_search(shared);
            if known.is_none() {
                self.work(shared, Some(manager));
            } else {
                // The solver waits for what they hear of.
                drop(manager);
            }
            shared.stop();
            await_helpers(helpers, &shared.request.limits);
            shared.seal_proofs();
            known.unwrap_or_else(|| answer::after_search(shared, &self.memory))
        }));
        shared.stop();
        // Even if all else failed, a legal move is an answer.
        let (answer, lines) = found.unwrap_or_else(|_| {
            let answer = match shared.root_moves.first() {
                Some(&best) => Answer::Move { best, ponder: None },
                None => Answer::Resign,
            };
            (answer, Vec::new())
        });
        let (nodes, elapsed) = (shared.nodes(), shared.request.received.elapsed());
        self.tell(shared, Report::Done(SearchOutcome { answer, lines, nodes, elapsed }));
    }
}

/// Waits for those who search beside the main worker, which have been told to end. What each of them
/// has found lies in the shared results, so the answer can do without one that gets no turn. Without a
/// clock nobody is in a hurry to know less.
fn await_helpers(helpers: &Receiver<Infallible>, limits: &Limits) {
    let is_counted = limits.nodes.is_some() || limits.depth.is_some();
    let is_timed =
        limits.clock.is_some() || limits.move_time.is_some() || limits.random_time.is_some();
    // Either says no more than that the wait is over: nothing is ever sent.
    if is_counted && !is_timed {
        let _ = helpers.recv();
    } else {
        let _ = helpers.recv_timeout(PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::bounded;

    use super::*;
    use crate::search::request::Clock;

    #[test]
    fn every_helper_is_waited_for_where_no_clock_runs() {
        let counted = Limits { depth: Some(9), ..Limits::default() };
        let (unrest, helpers) = bounded(0);
        let second = Some(Duration::from_secs(1));
        for timed in [
            Limits { clock: Some(Clock::default()), ..counted.clone() },
            Limits { move_time: second, ..counted.clone() },
            Limits { random_time: second, ..counted.clone() },
        ] {
            await_helpers(&helpers, &timed);
        }
        let waiting = std::thread::spawn(move || await_helpers(&helpers, &counted));
        std::thread::sleep(5 * PATIENCE);
        assert!(!waiting.is_finished());
        drop(unrest);
        waiting.join().unwrap();
    }
}
