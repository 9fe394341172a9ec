//! What the workers of a group learn together. None of it waits for anybody, and it outlasts a search.

use std::sync::Arc;

use super::correction::Corrections;
use super::history::SharedHistory;
use crate::sys::{self, MemoryRefused};

/// Workers that learn together at most. Processors far from each other take longer to hear of what
/// others have written than it is worth (Stockfish shares among 32 threads too).
const GROUP: usize = 32;

/// What one group of workers learns. A clone is another handle to the same.
#[derive(Clone, Debug)]
pub(super) struct Common {
    pub(super) corrections: Arc<Corrections>,
    pub(super) history: Arc<SharedHistory>,
}

impl Common {
    /// What it takes at most, nearly.
    const BYTES: u64 = 112 << 20;

    /// For as many workers, to be cleared before it is used; only that takes the memory and the time.
    fn new(workers: usize) -> Result<Common, MemoryRefused> {
        let corrections = Arc::new(Corrections::new(workers)?);
        Ok(Common { corrections, history: Arc::new(SharedHistory::new()?) })
    }

    /// One for each group of so many workers, but no more than there is memory for by what is said to be
    /// left, and one at least.
    pub(super) fn of_groups(
        workers: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<Vec<Common>, MemoryRefused> {
        let mut groups = workers.div_ceil(GROUP);
        if groups > 1
            && let Some(left) = left()
        {
            let most = sys::without_reserve(left) / Common::BYTES;
            groups = groups.min(most.max(1) as usize);
        }
        (0..groups).map(|_| Common::new(workers.min(GROUP))).collect()
    }

    /// That of the worker with this number; of the first group if there was no memory for its own.
    pub(super) fn of_worker(groups: &[Common], id: usize) -> &Common {
        groups.get(id / GROUP).unwrap_or(&groups[0])
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.corrections.clear();
        self.history.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_for_which_there_is_no_memory_left_learn_with_the_first() {
        for (left, groups) in [(0, 1), (3 * Common::BYTES, 2), (100 * Common::BYTES, 4)] {
            let common = Common::of_groups(4 * GROUP, || Some(left)).unwrap();
            assert_eq!(common.len(), groups);
        }
    }

    #[test]
    fn every_worker_learns_with_those_of_its_group() {
        for (workers, groups) in [(1, 1), (GROUP, 1), (GROUP + 1, 2), (4 * GROUP, 4)] {
            let common = Common::of_groups(workers, || None).unwrap();
            assert_eq!(common.len(), groups);
            let of = |id| Arc::as_ptr(&Common::of_worker(&common, id).history);
            assert_eq!(of(0), of(workers.min(GROUP) - 1));
            assert_eq!(of(workers - 1), Arc::as_ptr(&common[groups - 1].history));
            assert_eq!(of(4 * GROUP), of(0), "without one of its own");
        }
    }
}
