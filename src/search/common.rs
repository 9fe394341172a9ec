//! What the workers of a pool learn together. None of it waits for anybody, and it outlasts a search.

use std::sync::Arc;

use super::correction::Corrections;
use super::history::SharedHistory;
use crate::sys::MemoryRefused;

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
    /// For as many workers, to be cleared before it is used; only that takes the memory and the time.
    pub(super) fn new(workers: usize) -> Result<Common, MemoryRefused> {
        let corrections = Arc::new(Corrections::new(workers)?);
        Ok(Common { corrections, history: Arc::new(SharedHistory::new()?) })
    }

    /// One for each group of so many workers.
    pub(super) fn of_groups(workers: usize) -> Result<Vec<Common>, MemoryRefused> {
        let groups = 0..workers.div_ceil(GROUP);
        groups.map(|_| Common::new(workers.min(GROUP))).collect()
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
    fn every_worker_learns_with_those_of_its_group() {
        for (workers, groups) in [(1, 1), (GROUP, 1), (GROUP + 1, 2), (4 * GROUP, 4)] {
            let common = Common::of_groups(workers).unwrap();
            assert_eq!(common.len(), groups);
            let of = |id| Arc::as_ptr(&Common::of_worker(&common, id).history);
            assert_eq!(of(0), of(workers.min(GROUP) - 1));
            assert_eq!(of(workers - 1), Arc::as_ptr(&common[groups - 1].history));
            assert_eq!(of(4 * GROUP), of(0), "without one of its own");
        }
    }
}
