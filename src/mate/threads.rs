//! Runs one search on the threads of a solver: the main thread, which watches the clock, and helpers. They
//! search the same position with the same tables; each helper adds its own noise to the initial numbers. The
//! first thread that solves the position ends the search for all.

use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use super::dfpn::{DfpnSearch, Restriction, RunResult, SearchStatus};
use super::limits::{NodeCounter, SharedLimits};
use super::node_value::NodeValue;
use super::tables::SolverTables;
use crate::position::Position;
use crate::sys::in_processor_group;
use crate::types::Color;

/// Delay of the start of helpers: most searches end before helpers could be of use.
const HELPER_DELAY: Duration = Duration::from_millis(5);

/// Ends the search of all threads when it is dropped. If the main thread panics, nothing else would end the helpers,
/// and the scope waits for them.
struct EndOnDrop<'a>(&'a SharedLimits);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set_finished(true);
    }
}

pub(super) struct SolverThreads<'a> {
    pub(super) tables: &'a RwLock<SolverTables>,
    pub(super) limits: &'a SharedLimits,
    /// The number of threads, the main thread included.
    pub(super) count: usize,
}

/// The position to solve.
#[derive(Clone, Copy)]
pub(super) struct SearchRoot<'a> {
    pub(super) position: &'a Position,
    pub(super) attacker: Color,
    /// The longest mate looked for, in plies.
    pub(super) horizon: u16,
    pub(super) restriction: Restriction<'a>,
}

impl SearchRoot<'_> {
    fn search(self, thread: u64) -> DfpnSearch {
        DfpnSearch::new(self.position, self.attacker, self.horizon, self.restriction, thread)
    }
}

impl SolverThreads<'_> {
    /// The value of a position, or `None` when a limit is reached.
    pub(super) fn search(
        &self,
        root: SearchRoot<'_>,
        counter: &mut NodeCounter<'_>,
        report: &mut dyn FnMut(SearchStatus, &NodeCounter<'_>),
    ) -> Option<NodeValue> {
        self.limits.set_finished(false);
        let found = Mutex::new(None);
        let mut search = root.search(0);
        if self.count == 1 {
            let found = self.run_main(&mut search, counter, report);
            report(search.status(found), counter);
            return found;
        }
        thread::scope(|scope| {
            let _end = EndOnDrop(self.limits);
            let mut helpers = Vec::new();
            for number in 1..self.count as u64 {
                let found = &found;
                let help = move || self.run_helper(root, number, found);
                let help = in_processor_group(number as usize, help);
                // If the system refuses a thread, the search is only slower.
                helpers.extend(thread::Builder::new().spawn_scoped(scope, help).ok());
            }
            let value = self.run_main(&mut search, counter, report);
            self.finish(value, &found);
            helpers.iter().for_each(|helper| helper.thread().unpark());
        });
        self.limits.set_finished(false);
        let found = found.into_inner();
        // After the helpers have ended: one may have solved the position, and the node count is exact.
        report(search.status(found), counter);
        found
    }

    /// Like [`search`](SolverThreads::search), on the main thread alone and without reports.
    pub(super) fn search_single(
        &self,
        root: SearchRoot<'_>,
        counter: &mut NodeCounter<'_>,
    ) -> Option<NodeValue> {
        self.run_main(&mut root.search(0), counter, &mut |_, _| {})
    }

    fn run_main(
        &self,
        search: &mut DfpnSearch,
        counter: &mut NodeCounter<'_>,
        report: &mut dyn FnMut(SearchStatus, &NodeCounter<'_>),
    ) -> Option<NodeValue> {
        loop {
            let result = search.run(&self.tables.read(), counter);
            match result {
                RunResult::Solved(value) => return Some(value),
                RunResult::LimitReached => return None,
                RunResult::ReportDue => report(search.status(None), counter),
                RunResult::TableCrowded => {
                    let mut tables = self.tables.write();
                    tables.proofs.maintain(self.count, &|| counter.is_over());
                    search.find_slots(&tables);
                }
            }
        }
    }

    fn run_helper(&self, root: SearchRoot<'_>, number: u64, found: &Mutex<Option<NodeValue>>) {
        thread::park_timeout(HELPER_DELAY);
        let mut counter = NodeCounter::helper(self.limits);
        let mut search = root.search(number);
        let mut revision = self.tables.read().proofs.revision();
        loop {
            let tables = self.tables.read();
            if tables.proofs.revision() != revision {
                revision = tables.proofs.revision();
                search.find_slots(&tables);
            }
            let result = search.run(&tables, &mut counter);
            drop(tables);
            match result {
                RunResult::Solved(value) => return self.finish(Some(value), found),
                RunResult::LimitReached => return,
                // The main thread maintains the table, under the write lock.
                RunResult::TableCrowded => thread::yield_now(),
                RunResult::ReportDue => {}
            }
        }
    }

    fn finish(&self, value: Option<NodeValue>, found: &Mutex<Option<NodeValue>>) {
        self.limits.set_finished(true);
        let mut found = found.lock();
        *found = found.or(value);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use crossbeam::channel::bounded;

    use super::super::{Solver, SolverLimits, SolverSettings};
    use super::*;

    /// Regression: the helpers searched on, so the engine never answered.
    #[test]
    fn a_panic_of_the_main_thread_ends_the_helpers() {
        // No short mate; many positions, with checks round and round.
        let sfen = "9/9/9/9/4k4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let settings = SolverSettings { threads: 2, memory_mib: 16, ..SolverSettings::default() };
        let (ended, end) = bounded(1);
        thread::spawn(move || {
            let stop = || -> bool { panic!("the main thread fails") };
            let limits = SolverLimits { stop: &stop, ..SolverLimits::UNLIMITED };
            let solve = || Solver::new(settings).solve(&position, &limits, &mut |_| {});
            let _ = ended.send(catch_unwind(AssertUnwindSafe(solve)).is_err());
        });
        assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}
