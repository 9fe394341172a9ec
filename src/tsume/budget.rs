//! The time and node limits of a check, shared by all its searches.

use std::fmt;
use std::mem;
use std::time::Instant;

use crate::mate::SolverLimits;

/// A limit was reached before a query was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undecided;

pub(super) type Decided<T> = Result<T, Undecided>;

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckProgress {
    /// Looks for a mate.
    Solving,
    /// There is a mate of at most this many plies; looks for the customary length.
    Measuring(u16),
    /// Looks for second solutions at this move of this many of the attacker, from 1.
    SecondSolutions { number: usize, of: usize },
}

/// The remaining limits.
pub(super) struct Budget<'a> {
    limits: SolverLimits<'a>,
    report: &'a mut dyn FnMut(CheckProgress),
    spent: u64,
    /// The limits of the current part of the work.
    part: PartLimits,
}

/// Limits within those of the whole.
#[derive(Clone, Copy)]
pub(super) struct PartLimits {
    nodes: Option<u64>,
    deadline: Option<Instant>,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Budget<'a> {
    pub(super) fn new(
        limits: &SolverLimits<'a>,
        report: &'a mut dyn FnMut(CheckProgress),
    ) -> Budget<'a> {
        let part = PartLimits { nodes: limits.nodes, deadline: limits.deadline };
        Budget { limits: *limits, report, spent: 0, part }
    }

    /// The limits of the next search, which may take at most `max_nodes`.
    pub(super) fn limits(&self, max_nodes: Option<u64>) -> SolverLimits<'a> {
        let left = self.part.nodes.map(|nodes| nodes.saturating_sub(self.spent));
        let nodes = left.into_iter().chain(max_nodes).min();
        SolverLimits { nodes, depth: None, deadline: self.part.deadline, ..self.limits }
    }

    /// Limits the next part of the work to half of what is left. Returns the limits before, to be restored.
    #[must_use]
    pub(super) fn limit_to_half(&mut self) -> PartLimits {
        let now = Instant::now();
        let left = |nodes: u64| self.spent + nodes.saturating_sub(self.spent) / 2;
        let time = |end: Instant| now + end.saturating_duration_since(now) / 2;
        let (nodes, deadline) = (self.part.nodes.map(left), self.part.deadline.map(time));
        mem::replace(&mut self.part, PartLimits { nodes, deadline })
    }

    /// Gives the rest of the work these limits.
    pub(super) fn restore(&mut self, limits: PartLimits) {
        self.part = limits;
    }

    /// Counts the nodes of a search.
    pub(super) fn spend(&mut self, nodes: u64) {
        self.spent += nodes;
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn report(&mut self, progress: CheckProgress) {
        (self.report)(progress);
    }

    /// Fails once a limit is reached.
    pub(super) fn check_limits(&self) -> Decided<()> {
        let spent = self.part.nodes.is_some_and(|nodes| self.spent >= nodes);
        let late = self.part.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if spent || late || (self.limits.stop)() { Err(Undecided) } else { Ok(()) }
    }
}
