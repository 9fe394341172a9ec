//! The tables that the searches of one problem share: the proof table and the repetition table.

use super::proof_table::ProofTable;
use super::repetition_table::RepetitionTable;
use crate::sys::{self, AllocationError};

/// The repetition table gets one part in this many of the memory.
const REPETITION_DIVISOR: usize = 16;
/// Maximum size of the repetition table, which is allocated in full from the start.
const MAX_REPETITION_BYTES: usize = 64 << 20;

/// Minimum size of the memory, enough to find a short mate.
const MIN_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct SolverTables {
    pub(super) proofs: ProofTable,
    pub(super) repetitions: RepetitionTable,
}

impl SolverTables {
    /// Empty tables that take up to `bytes` bytes, or what the system has left.
    ///
    /// # Errors
    /// If the system refuses even the least memory.
    pub(super) fn new(bytes: usize) -> Result<SolverTables, AllocationError> {
        SolverTables::with_available(bytes, sys::available_memory())
    }

    /// [`SolverTables::new`] with `available` bytes of free memory.
    fn with_available(
        bytes: usize,
        available: Option<u64>,
    ) -> Result<SolverTables, AllocationError> {
        let usable = available.map_or(u64::MAX, sys::usable_memory);
        let usable = usize::try_from(usable).unwrap_or(usize::MAX).max(MIN_BYTES);
        let bytes = bytes.min(usable);
        let repetitions = (bytes / REPETITION_DIVISOR).min(MAX_REPETITION_BYTES);
        let proofs = ProofTable::new(bytes - repetitions)?;
        Ok(SolverTables { proofs, repetitions: RepetitionTable::new(repetitions)? })
    }

    /// Empties the tables.
    pub(super) fn clear(&mut self) {
        self.proofs.clear();
        self.repetitions.clear();
    }
}
