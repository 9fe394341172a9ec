//! What the workers of a pool learn together. None of it waits for anybody, and it outlasts a search.

use std::sync::Arc;

use super::correction::Corrections;
use super::history::SharedHistory;
use crate::sys::MemoryRefused;

/// See the module's comment. A clone is another handle to the same.
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

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.corrections.clear();
        self.history.clear();
    }
}
