//! The histories that threads share, in groups. They are kept from search to search, and have no
//! locks.

use std::sync::Arc;

use super::correction_history::CorrectionHistory;
use super::history::{HistorySize, SharedMoveHistory};
use crate::sys::{self, AllocationError};

/// The largest number of workers of a group. Distant processors pay more for each other's writes than
/// they gain (Stockfish also shares among 32 threads).
const GROUP: usize = 32;

/// The memory that must be left for tables and threads; otherwise the histories are small.
const SPARE_BYTES: u64 = 48 << 20;

/// The histories of one group. A clone refers to the same memory.
#[derive(Clone, Debug)]
pub(super) struct SharedHistory {
    pub(super) corrections: Arc<CorrectionHistory>,
    pub(super) history: Arc<SharedMoveHistory>,
}

impl SharedHistory {
    /// Approximate largest size.
    const BYTES: u64 = 112 << 20;

    fn new(workers: usize, size: HistorySize) -> Result<SharedHistory, AllocationError> {
        let corrections = Arc::new(CorrectionHistory::new(workers)?);
        Ok(SharedHistory { corrections, history: Arc::new(SharedMoveHistory::new(size)?) })
    }
}

/// The histories of all groups. A clone refers to the same memory.
#[derive(Clone, Debug)]
pub(super) struct SharedHistories {
    /// At least one.
    groups: Arc<[SharedHistory]>,
}

impl SharedHistories {
    /// Histories for so many workers. They must be cleared before use, which takes the time and touches
    /// the memory. `left` returns the bytes that are left: there is one group at least, a small one if
    /// need be, and no more than fit.
    pub(super) fn new(
        workers: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<SharedHistories, AllocationError> {
        let usable = left().map_or(u64::MAX, sys::usable_memory);
        let most = usable / SharedHistory::BYTES;
        let groups = (workers.div_ceil(GROUP) as u64).min(most.max(1));
        let is_scarce = usable < SharedHistory::BYTES + SPARE_BYTES;
        let size = if is_scarce { HistorySize::Small } else { HistorySize::Full };
        let groups = (0..groups).map(|_| SharedHistory::new(workers.min(GROUP), size));
        Ok(SharedHistories { groups: groups.collect::<Result<_, _>>()? })
    }

    /// Drops the groups that have no worker any more. The first keeps its size, which differs by some
    /// MiB at most.
    pub(super) fn truncate(&mut self, workers: usize) {
        let needed = workers.div_ceil(GROUP);
        if needed < self.groups.len() {
            self.groups = Arc::from(&self.groups[..needed]);
        }
    }

    /// The histories of a worker's group; those of the first group if there was no memory for its own.
    pub(super) fn history_of(&self, id: usize) -> &SharedHistory {
        self.groups.get(id / GROUP).unwrap_or(&self.groups[0])
    }

    /// Clears all histories.
    pub(super) fn clear(&self) {
        for group in &*self.groups {
            group.corrections.clear();
            group.history.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_for_which_there_is_no_memory_left_learn_with_the_first() {
        for (left, groups) in
            [(0, 1), (3 * SharedHistory::BYTES, 2), (100 * SharedHistory::BYTES, 4)]
        {
            let histories = SharedHistories::new(4 * GROUP, || Some(left)).unwrap();
            assert_eq!(histories.groups.len(), groups);
        }
    }

    /// Regression: in a container of 90 MiB the program was killed before its first move.
    #[test]
    fn histories_are_small_where_memory_is_scarce() {
        let bytes = |left: u64| {
            let histories = SharedHistories::new(1, || Some(left << 20)).unwrap();
            histories.history_of(0).history.bytes() >> 20
        };
        assert_eq!([0, 60, 160].map(bytes), [14; 3]);
        assert_eq!([200, 4000].map(bytes), [91; 2]);
    }

    #[test]
    fn groups_without_workers_are_given_up_and_the_others_stay() {
        let mut histories = SharedHistories::new(4 * GROUP, || None).unwrap();
        let first = Arc::as_ptr(&histories.history_of(0).history);
        for (workers, groups) in [(4 * GROUP, 4), (GROUP + 1, 2), (1, 1)] {
            histories.truncate(workers);
            assert_eq!(histories.groups.len(), groups);
            assert_eq!(Arc::as_ptr(&histories.history_of(0).history), first);
        }
    }

    #[test]
    fn every_worker_learns_with_those_of_its_group() {
        for (workers, groups) in [(1, 1), (GROUP, 1), (GROUP + 1, 2), (4 * GROUP, 4)] {
            let histories = SharedHistories::new(workers, || None).unwrap();
            assert_eq!(histories.groups.len(), groups);
            let of = |id| Arc::as_ptr(&histories.history_of(id).history);
            assert_eq!(of(0), of(workers.min(GROUP) - 1));
            assert_eq!(of(workers - 1), Arc::as_ptr(&histories.groups[groups - 1].history));
            assert_eq!(of(4 * GROUP), of(0), "without one of its own");
        }
    }
}
