//! The limits of a solver, and the nodes that its threads count against them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crossbeam::utils::CachePadded;

use crate::sys::{self, Instant};

/// The limits of one call; the first one reached ends it.
#[derive(Clone, Copy)]
pub struct SolverLimits<'a> {
    /// Maximum number of positions to expand.
    pub nodes: Option<u64>,
    /// The longest mate to look for, in plies; 0 counts as 1.
    pub depth: Option<u32>,
    pub deadline: Option<Instant>,
    /// Called every few positions; the search ends if it returns `true`.
    pub stop: &'a dyn Fn() -> bool,
}

impl SolverLimits<'_> {
    /// No limits.
    pub const UNLIMITED: SolverLimits<'static> =
        SolverLimits { nodes: None, depth: None, deadline: None, stop: &|| false };

    /// Whether the deadline has passed or the caller stops the search.
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline) || (self.stop)()
    }
}

impl fmt::Debug for SolverLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverLimits")
            .field("nodes", &self.nodes)
            .field("depth", &self.depth)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// Number of positions granted to a thread at a time, between two checks of the clock: well below a
/// millisecond of work.
const BATCH: u64 = 128;
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// The part of the limits that the threads of a solver share.
#[derive(Debug, Default)]
pub(super) struct SharedLimits {
    /// Positions granted to the threads, less those returned. It has its own cache line:
    /// every thread reads the other fields at every position.
    granted: CachePadded<AtomicU64>,
    /// The node count that ends the search: that of the limits, or less for a part of the work.
    limit: AtomicU64,
    stopped: AtomicBool,
    /// Whether a thread has solved the position, or the main thread has given up.
    finished: AtomicBool,
}

impl SharedLimits {
    pub(super) fn new(limits: &SolverLimits<'_>) -> SharedLimits {
        let limit = AtomicU64::new(limits.nodes.unwrap_or(u64::MAX));
        SharedLimits { limit, ..SharedLimits::default() }
    }

    fn nodes(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Sets whether all threads have to end the current search; false before the next one.
    pub(super) fn set_finished(&self, finished: bool) {
        self.finished.store(finished, Ordering::Relaxed);
    }

    /// Grants up to a batch of positions; none when the limit is reached.
    fn grant(&self) -> u64 {
        let limit = self.limit.load(Ordering::Relaxed);
        let granted = self.granted.fetch_add(BATCH, Ordering::Relaxed);
        let batch = BATCH.min(limit.saturating_sub(granted));
        self.give_back(BATCH - batch);
        batch
    }

    fn give_back(&self, nodes: u64) {
        self.granted.fetch_sub(nodes, Ordering::Relaxed);
    }
}

/// Counts the positions of one thread.
pub(super) struct NodeCounter<'a> {
    shared: &'a SharedLimits,
    /// Granted positions that have not been searched yet.
    left: u64,
    /// `None` in helper threads.
    clock: Option<LimitClock<'a>>,
}

struct LimitClock<'a> {
    limits: &'a SolverLimits<'a>,
    next_report: Instant,
}

impl<'a> NodeCounter<'a> {
    /// The counter of the main thread, which watches the clock.
    pub(super) fn main(shared: &'a SharedLimits, limits: &'a SolverLimits<'a>) -> NodeCounter<'a> {
        let next_report = Instant::now() + REPORT_INTERVAL;
        NodeCounter { shared, left: 0, clock: Some(LimitClock { limits, next_report }) }
    }

    pub(super) fn helper(shared: &'a SharedLimits) -> NodeCounter<'a> {
        NodeCounter { shared, left: 0, clock: None }
    }

    /// Positions searched by all threads; while helpers run, up to a batch too many for each.
    pub(super) fn nodes(&self) -> u64 {
        self.shared.nodes() - self.left
    }

    /// Limits the search to `nodes` more positions, within the limits of the call.
    pub(super) fn limit_to(&mut self, nodes: u64) {
        let call_limit = self.clock.as_ref().and_then(|clock| clock.limits.nodes);
        let limit = self.nodes().saturating_add(nodes).min(call_limit.unwrap_or(u64::MAX));
        self.give_back();
        self.shared.limit.store(limit, Ordering::Relaxed);
    }

    /// Whether the search must end: a limit is reached, or another thread has solved the position.
    pub(super) fn must_stop(&mut self) -> bool {
        if self.shared.is_stopped() || self.shared.finished.load(Ordering::Relaxed) {
            return true;
        }
        if self.left == 0 {
            sys::pause_if_due();
            if self.is_over() {
                self.shared.stopped.store(true, Ordering::Relaxed);
            }
            self.left = self.shared.grant();
        }
        self.left == 0 || self.shared.is_stopped()
    }

    pub(super) fn count(&mut self) {
        debug_assert!(self.left > 0);
        self.left -= 1;
    }

    /// Whether the deadline has passed or the caller stops the search. Reads the clock.
    pub(super) fn is_over(&self) -> bool {
        let over = self.clock.as_ref().is_some_and(|clock| clock.limits.is_over());
        over || self.shared.is_stopped()
    }

    /// Whether a report is due; if so, schedules the next one.
    pub(super) fn report_is_due(&mut self) -> bool {
        let Some(clock) = self.clock.as_mut().filter(|_| self.left.is_multiple_of(BATCH)) else {
            return false;
        };
        let now = Instant::now();
        let due = now >= clock.next_report;
        if due {
            clock.next_report = now + REPORT_INTERVAL;
        }
        due
    }

    fn give_back(&mut self) {
        self.shared.give_back(self.left);
        self.left = 0;
    }
}

impl Drop for NodeCounter<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: SolverLimits<'static> = SolverLimits::UNLIMITED;

    fn count_all(counter: &mut NodeCounter<'_>) -> u64 {
        let mut nodes = 0;
        while nodes < 10_000 && !counter.must_stop() {
            counter.count();
            nodes += 1;
        }
        nodes
    }

    #[test]
    fn all_threads_together_keep_the_node_limit_exactly() {
        let limits = SolverLimits { nodes: Some(1000), ..UNLIMITED };
        let shared = SharedLimits::new(&limits);
        let mut helper = NodeCounter::helper(&shared);
        assert!(!helper.must_stop());
        helper.count();
        let mut main = NodeCounter::main(&shared, &limits);
        let nodes = count_all(&mut main);
        let rest = count_all(&mut helper);
        assert_eq!((1 + nodes + rest, main.nodes()), (1000, 1000));
    }

    /// Regression: both were in one cache line, and all threads waited for each other.
    #[test]
    fn the_shared_counter_has_its_own_cache_line() {
        let shared = SharedLimits::new(&UNLIMITED);
        let written = (&raw const shared.granted).addr();
        let read = [
            (&raw const shared.limit).addr(),
            (&raw const shared.stopped).addr(),
            (&raw const shared.finished).addr(),
        ];
        assert!(read.iter().all(|address| address.abs_diff(written) >= 64));
    }

    #[test]
    fn a_part_of_the_work_has_its_own_limit_within_that_of_the_call() {
        let limits = SolverLimits { nodes: Some(500), ..UNLIMITED };
        let shared = SharedLimits::new(&limits);
        let mut counter = NodeCounter::main(&shared, &limits);
        counter.limit_to(10);
        assert_eq!((count_all(&mut counter), counter.nodes()), (10, 10));
        counter.limit_to(u64::MAX);
        assert_eq!((count_all(&mut counter), counter.nodes()), (490, 500));
    }

    #[test]
    fn all_threads_end_when_the_caller_stops_them_or_one_has_solved_the_position() {
        let limits = SolverLimits { stop: &|| true, ..UNLIMITED };
        let shared = SharedLimits::new(&limits);
        assert!(NodeCounter::main(&shared, &limits).must_stop());
        assert!(NodeCounter::helper(&shared).must_stop());
        let shared = SharedLimits::new(&UNLIMITED);
        let mut helper = NodeCounter::helper(&shared);
        assert!(!helper.must_stop());
        shared.set_finished(true);
        assert!(helper.must_stop());
    }
}
