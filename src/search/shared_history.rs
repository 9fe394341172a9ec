//! The histories that threads share, in groups. They are kept from search to search, and have no
//! locks.

use std::sync::Arc;

use super::correction_history::CorrectionHistory;
use super::history::{HistorySize, SharedMoveHistory};
use crate::sys::{self, AllocationError};

/// The largest number of workers of a group. Distant processors pay more for each other's writes than
/// they gain (Stockfish also shares among 32 threads).
const MAX_GROUP_WORKERS: usize = 32;

/// The memory that must be left for tables and threads; otherwise the histories are small.
const SPARE_BYTES: u64 = 48 << 20;

/// The histories of one group. A clone refers to the same memory.
#[derive(Clone, Debug)]
pub(super) struct HistoryGroup {
    pub(super) correction_history: Arc<CorrectionHistory>,
    pub(super) history: Arc<SharedMoveHistory>,
}

impl HistoryGroup {
    /// Approximate largest size.
    const BYTES: u64 = 112 << 20;

    fn new(workers: usize, size: HistorySize) -> Result<HistoryGroup, AllocationError> {
        let correction_history = Arc::new(CorrectionHistory::new(workers)?);
        Ok(HistoryGroup { correction_history, history: Arc::new(SharedMoveHistory::new(size)?) })
    }
}

/// The histories of all groups. A clone refers to the same memory.
#[derive(Clone, Debug)]
pub(super) struct SharedHistories {
    /// At least one.
    groups: Arc<[HistoryGroup]>,
}

impl SharedHistories {
    /// Histories for this many workers. They must be cleared before use, which takes the time and touches the
    /// memory. `available` returns the bytes of free memory: there are as many groups as fit, at least one, a
    /// small one if necessary.
    pub(super) fn new(
        workers: usize,
        mut available: impl FnMut() -> Option<u64>,
    ) -> Result<SharedHistories, AllocationError> {
        let usable = available().map_or(u64::MAX, sys::usable_memory);
        let max_groups = usable / HistoryGroup::BYTES;
        let groups = (workers.div_ceil(MAX_GROUP_WORKERS) as u64).min(max_groups.max(1));
        let is_scarce = usable < HistoryGroup::BYTES + SPARE_BYTES;
        let size = if is_scarce { HistorySize::Small } else { HistorySize::Full };
        let groups = (0..groups).map(|_| HistoryGroup::new(workers.min(MAX_GROUP_WORKERS), size));
        Ok(SharedHistories { groups: groups.collect::<Result<_, _>>()? })
    }

    /// Drops the groups that have no worker any more. The first keeps its size, which differs by some
    /// MiB at most.
    pub(super) fn truncate(&mut self, workers: usize) {
        let needed = workers.div_ceil(MAX_GROUP_WORKERS);
        if needed < self.groups.len() {
            self.groups = Arc::from(&self.groups[..needed]);
        }
    }

    /// The histories of a worker's group; those of the first group if there was no memory for its own.
    pub(super) fn group_of(&self, id: usize) -> &HistoryGroup {
        self.groups.get(id / MAX_GROUP_WORKERS).unwrap_or(&self.groups[0])
    }

    pub(super) fn clear(&self) {
        for group in &*self.groups {
            group.correction_history.clear();
            group.history.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_of_a_group_without_memory_use_the_first_group() {
        for (available, groups) in
            [(0, 1), (3 * HistoryGroup::BYTES, 2), (100 * HistoryGroup::BYTES, 4)]
        {
            let histories =
                SharedHistories::new(4 * MAX_GROUP_WORKERS, || Some(available)).unwrap();
            assert_eq!(histories.groups.len(), groups);
        }
    }

    /// Regression: in a container of 90 MiB the program was killed before its first move.
    #[test]
    fn histories_are_small_if_memory_is_scarce() {
        let bytes = |available: u64| {
            let histories = SharedHistories::new(1, || Some(available << 20)).unwrap();
            histories.group_of(0).history.bytes() >> 20
        };
        assert_eq!([0, 60, 160].map(bytes), [14; 3]);
        assert_eq!([200, 4000].map(bytes), [91; 2]);
    }

    #[test]
    fn truncating_drops_the_groups_without_workers() {
        let mut histories = SharedHistories::new(4 * MAX_GROUP_WORKERS, || None).unwrap();
        let first = Arc::as_ptr(&histories.group_of(0).history);
        for (workers, groups) in [(4 * MAX_GROUP_WORKERS, 4), (MAX_GROUP_WORKERS + 1, 2), (1, 1)] {
            histories.truncate(workers);
            assert_eq!(histories.groups.len(), groups);
            assert_eq!(Arc::as_ptr(&histories.group_of(0).history), first);
        }
    }

    #[test]
    fn workers_share_the_histories_of_their_group() {
        for (workers, groups) in
            [(1, 1), (MAX_GROUP_WORKERS, 1), (MAX_GROUP_WORKERS + 1, 2), (4 * MAX_GROUP_WORKERS, 4)]
        {
            let histories = SharedHistories::new(workers, || None).unwrap();
            assert_eq!(histories.groups.len(), groups);
            let of = |id| Arc::as_ptr(&histories.group_of(id).history);
            assert_eq!(of(0), of(workers.min(MAX_GROUP_WORKERS) - 1));
            assert_eq!(of(workers - 1), Arc::as_ptr(&histories.groups[groups - 1].history));
            assert_eq!(of(4 * MAX_GROUP_WORKERS), of(0), "without one of its own");
        }
    }
}
