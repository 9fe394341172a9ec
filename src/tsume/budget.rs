//! The limits of a check, shared by all its searches.

use std::fmt;

use crate::mate::SolverLimits;

/// A limit was reached before a question was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undecided;

pub(super) type Decided<T> = Result<T, Undecided>;

/// How far a check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckProgress {
    /// Looks for a mate.
    Solving,
    /// There is a mate of at most so many plies; looks for the customary length.
    Measuring(u16),
    /// Looks for second solutions at this move of so many of the attacker, from 1.
    SecondSolutions { number: usize, of: usize },
}

/// What is left of the limits.
pub(super) struct Budget<'a> {
    limits: SolverLimits<'a>,
    report: &'a mut dyn FnMut(CheckProgress),
    spent: u64,
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
        Budget { limits: *limits, report, spent: 0 }
    }

    /// The limits of the next search, which may also take no more than `most` nodes.
    pub(super) fn limits(&self, most: Option<u64>) -> SolverLimits<'a> {
        let left = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.spent));
        let nodes = left.into_iter().chain(most).min();
        SolverLimits { nodes, depth: None, ..self.limits }
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
    pub(super) fn go_on(&self) -> Decided<()> {
        let spent = self.limits.nodes.is_some_and(|nodes| self.spent >= nodes);
        let late =
            self.limits.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline);
        if spent || late || (self.limits.stop)() { Err(Undecided) } else { Ok(()) }
    }
}
