//! How much a solver may spend, and the count of what it has spent. It must not know what the
//! nodes are.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;

/// The limits of one call; the first one reached ends it.
#[derive(Clone, Copy)]
pub struct SolverLimits<'a> {
    /// Positions to expand.
    pub nodes: Option<u64>,
    /// Longest mate to look for, in plies; 0 counts as 1.
    pub depth: Option<u32>,
    pub deadline: Option<Instant>,
    /// Asked every few positions; `true` ends the search.
    pub stop: &'a dyn Fn() -> bool,
}

impl SolverLimits<'_> {
    /// Whether time or the caller says that it is over.
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

/// Positions between two looks at the clock: well below a millisecond's work.
const SHARE: u64 = 128;
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// What the threads of a solver share of a budget.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Positions handed out to be searched, less those handed back. Apart from the rest, which every
    /// thread reads at every position: it would be taken away from all whenever one is handed some.
    granted: CachePadded<AtomicU64>,
    /// The count that ends the search: the budget's, or less for a part of the work.
    limit: AtomicU64,
    halted: AtomicBool,
    /// One of the threads has what all were looking for.
    done: AtomicBool,
}

impl Ledger {
    pub(super) fn new(budget: &SolverLimits<'_>) -> Ledger {
        let limit = AtomicU64::new(budget.nodes.unwrap_or(u64::MAX));
        Ledger { limit, ..Ledger::default() }
    }

    fn nodes(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Tells all threads that the present search is done, or that another begins.
    pub(super) fn set_done(&self, done: bool) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Hands out positions; none when the limit is reached.
    fn grant(&self) -> u64 {
        let limit = self.limit.load(Ordering::Relaxed);
        let granted = self.granted.fetch_add(SHARE, Ordering::Relaxed);
        let share = SHARE.min(limit.saturating_sub(granted));
        self.hand_back(SHARE - share);
        share
    }

    fn hand_back(&self, nodes: u64) {
        self.granted.fetch_sub(nodes, Ordering::Relaxed);
    }
}

/// Counts the positions of one thread.
pub(super) struct Meter<'a> {
    ledger: &'a Ledger,
    /// Positions that may be searched before more are asked for.
    left: u64,
    /// The thread that watches the clock also tells how far the search is.
    duties: Option<Duties<'a>>,
}

struct Duties<'a> {
    budget: &'a SolverLimits<'a>,
    next_report: Instant,
}

impl<'a> Meter<'a> {
    /// That of the thread that watches the clock.
    pub(super) fn leading(ledger: &'a Ledger, budget: &'a SolverLimits<'a>) -> Meter<'a> {
        let next_report = Instant::now() + REPORT_INTERVAL;
        Meter { ledger, left: 0, duties: Some(Duties { budget, next_report }) }
    }

    pub(super) fn helping(ledger: &'a Ledger) -> Meter<'a> {
        Meter { ledger, left: 0, duties: None }
    }

    /// Positions searched by all threads; while others are at work, a few more.
    pub(super) fn nodes(&self) -> u64 {
        self.ledger.nodes() - self.left
    }

    /// From now on at most so many positions more, within the budget.
    pub(super) fn allow(&mut self, nodes: u64) {
        let most = self.duties.as_ref().and_then(|duties| duties.budget.nodes);
        let limit = self.nodes().saturating_add(nodes).min(most.unwrap_or(u64::MAX));
        self.hand_back();
        self.ledger.limit.store(limit, Ordering::Relaxed);
    }

    /// Whether there is nothing left to spend, or nothing to be done.
    pub(super) fn is_spent(&mut self) -> bool {
        if self.ledger.is_halted() || self.ledger.done.load(Ordering::Relaxed) {
            return true;
        }
        if self.left == 0 {
            self.look_at_the_clock();
            self.left = self.ledger.grant();
        }
        self.left == 0 || self.ledger.is_halted()
    }

    /// Counts a position.
    pub(super) fn count(&mut self) {
        debug_assert!(self.left > 0);
        self.left -= 1;
    }

    /// Whether time is up or the caller wants an end, now.
    pub(super) fn is_over(&self) -> bool {
        let over = self.duties.as_ref().is_some_and(|duties| duties.budget.is_over());
        over || self.ledger.is_halted()
    }

    fn look_at_the_clock(&mut self) {
        if self.is_over() {
            self.ledger.halted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a report is due; if so, the next one is due after a while.
    pub(super) fn takes_report(&mut self) -> bool {
        let Some(duties) = self.duties.as_mut().filter(|_| self.left.is_multiple_of(SHARE)) else {
            return false;
        };
        let now = Instant::now();
        let due = now >= duties.next_report;
        if due {
            duties.next_report = now + REPORT_INTERVAL;
        }
        due
    }

    fn hand_back(&mut self) {
        self.ledger.hand_back(self.left);
        self.left = 0;
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.hand_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: SolverLimits<'static> =
        SolverLimits { nodes: None, depth: None, deadline: None, stop: &|| false };

    fn spend(meter: &mut Meter<'_>) -> u64 {
        let mut nodes = 0;
        while nodes < 10_000 && !meter.is_spent() {
            meter.count();
            nodes += 1;
        }
        nodes
    }

    #[test]
    fn threads_together_spend_the_limit_to_the_node() {
        let budget = SolverLimits { nodes: Some(1000), ..UNLIMITED };
        let ledger = Ledger::new(&budget);
        let mut helper = Meter::helping(&ledger);
        assert!(!helper.is_spent());
        helper.count();
        let mut leader = Meter::leading(&ledger, &budget);
        let nodes = spend(&mut leader);
        let rest = spend(&mut helper);
        assert_eq!((1 + nodes + rest, leader.nodes()), (1000, 1000));
    }

    /// It was not, so that the more threads there were the longer all of them waited.
    #[test]
    fn what_threads_write_is_on_another_cache_line_than_what_they_read_at_every_position() {
        let ledger = Ledger::new(&UNLIMITED);
        let written = (&raw const ledger.granted).addr();
        let read = [
            (&raw const ledger.limit).addr(),
            (&raw const ledger.halted).addr(),
            (&raw const ledger.done).addr(),
        ];
        assert!(read.iter().all(|place| place.abs_diff(written) >= 64));
    }

    #[test]
    fn a_part_of_the_work_has_its_own_limit_within_the_budget() {
        let budget = SolverLimits { nodes: Some(500), ..UNLIMITED };
        let ledger = Ledger::new(&budget);
        let mut meter = Meter::leading(&ledger, &budget);
        meter.allow(10);
        assert_eq!((spend(&mut meter), meter.nodes()), (10, 10));
        meter.allow(u64::MAX);
        assert_eq!((spend(&mut meter), meter.nodes()), (490, 500));
    }

    #[test]
    fn all_threads_end_when_the_caller_wants_it_or_one_is_done() {
        let budget = SolverLimits { stop: &|| true, ..UNLIMITED };
        let ledger = Ledger::new(&budget);
        assert!(Meter::leading(&ledger, &budget).is_spent());
        assert!(Meter::helping(&ledger).is_spent());
        let ledger = Ledger::new(&UNLIMITED);
        let mut helper = Meter::helping(&ledger);
        assert!(!helper.is_spent());
        ledger.set_done(true);
        assert!(helper.is_spent());
    }
}
