//! How much a solver may spend, and the count of what it has spent. It must not know what the
//! nodes are.

use std::fmt;
use std::time::{Duration, Instant};

use super::Progress;

/// The limits of one call; the first one reached ends it.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Positions to expand.
    pub nodes: Option<u64>,
    /// Longest mate to look for, in plies; 0 counts as 1.
    pub depth: Option<u32>,
    pub deadline: Option<Instant>,
    /// Asked every few positions; `true` ends the search.
    pub stop: &'a dyn Fn() -> bool,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("depth", &self.depth)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// Positions between two looks at the clock: well below a millisecond's work.
const POLL_INTERVAL: u64 = 128;
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Counts positions against a budget, and tells when a report is due.
pub(super) struct Meter<'a> {
    budget: &'a Budget<'a>,
    report: &'a mut dyn FnMut(&Progress),
    nodes: u64,
    /// The count that ends the search: the budget's, or less for a part of the work.
    limit: u64,
    halted: bool,
    last_report: Instant,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget<'a>, report: &'a mut dyn FnMut(&Progress)) -> Meter<'a> {
        let limit = budget.nodes.unwrap_or(u64::MAX);
        Meter { budget, report, nodes: 0, limit, halted: false, last_report: Instant::now() }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// From now on at most so many positions more, within the budget.
    pub(super) fn allow(&mut self, nodes: u64) {
        let limit = self.nodes.saturating_add(nodes);
        self.limit = limit.min(self.budget.nodes.unwrap_or(u64::MAX));
    }

    /// Whether there is nothing left to spend.
    pub(super) fn is_spent(&self) -> bool {
        self.halted || self.nodes >= self.limit
    }

    /// Counts a position. Returns whether a report is due.
    pub(super) fn count(&mut self) -> bool {
        self.nodes += 1;
        self.nodes % POLL_INTERVAL == 1 && self.poll()
    }

    /// Looks at the clock and at the caller's wish to stop. Returns whether a report is due.
    pub(super) fn poll(&mut self) -> bool {
        let now = Instant::now();
        let late = self.budget.deadline.is_some_and(|deadline| now >= deadline);
        self.halted = self.halted || late || (self.budget.stop)();
        now.duration_since(self.last_report) >= REPORT_INTERVAL
    }

    pub(super) fn report(&mut self, progress: &Progress) {
        self.last_report = Instant::now();
        (self.report)(progress);
    }
}
