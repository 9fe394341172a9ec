//! Disproofs that hold on one path only because of a repetition, by the key of the whole path. The
//! newest entry of a slot replaces the older one. (Separate from the proof table against the graph
//! history interaction problem, after Kishimoto and Mueller.)

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::node_value::NodeValue;
use crate::sys::{AllocationError, HugePages};
use crate::types::{GOLDEN_RATIO, Hand};

/// The key XORed with the data, and the data: an entry torn between two threads belongs to no path.
#[derive(Debug, Zeroable)]
#[repr(C)]
struct RepetitionSlot {
    key: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug)]
pub(super) struct RepetitionTable {
    slots: HugePages<RepetitionSlot>,
    /// XORed with the path keys. A new salt for each problem hides earlier entries.
    salt: u64,
}

/// A bit that is set in all data.
const TAKEN: u64 = 1 << 63;

impl RepetitionTable {
    /// An empty table of about `bytes` bytes, rounded to a power of two. If the system refuses them, half as
    /// many, and so on, because a search needs little.
    ///
    /// # Errors
    /// If the system refuses even one slot.
    pub(super) fn new(bytes: usize) -> Result<RepetitionTable, AllocationError> {
        let mut len = 1_usize << (bytes / size_of::<RepetitionSlot>()).max(1).ilog2();
        loop {
            match HugePages::zeroed(len) {
                Ok(slots) => return Ok(RepetitionTable { slots, salt: 0 }),
                Err(refused) if len == 1 => return Err(refused),
                Err(_) => len /= 2,
            }
        }
    }

    /// Hides all entries.
    pub(super) fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(GOLDEN_RATIO);
    }

    /// The disproof of the last position of a path, whose attacker has `hand`, if it reaches to the
    /// horizon, `remaining` plies away.
    pub(super) fn probe(&self, path_key: u64, hand: Hand, remaining: u16) -> Option<NodeValue> {
        let path_key = path_key ^ self.salt;
        let slot = self.slot(path_key);
        let data = slot.data.load(Ordering::Relaxed);
        let (within, repetition_depth) = (data as u16, (data >> 16) as u16);
        let holds = data & TAKEN != 0
            && slot.key.load(Ordering::Relaxed) ^ data == path_key
            && within >= remaining;
        holds.then_some(NodeValue::NoMate { within, repetition_depth, hand })
    }

    pub(super) fn store(&self, path_key: u64, within: u16, repetition_depth: u16) {
        let path_key = path_key ^ self.salt;
        let slot = self.slot(path_key);
        let data = u64::from(within) | u64::from(repetition_depth) << 16 | TAKEN;
        slot.data.store(data, Ordering::Relaxed);
        slot.key.store(path_key ^ data, Ordering::Relaxed);
    }

    fn slot(&self, path_key: u64) -> &RepetitionSlot {
        &self.slots[(path_key >> 20) as usize & (self.slots.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disproof_is_found_for_its_path_and_its_horizon_only() {
        let table = RepetitionTable::new(1 << 10).unwrap();
        let hand = Hand::EMPTY;
        assert_eq!(table.probe(0, hand, 0), None);
        table.store(77, 9, 4);
        let found = Some(NodeValue::NoMate { within: 9, repetition_depth: 4, hand });
        assert_eq!(table.probe(77, hand, 9), found);
        assert_eq!(table.probe(77, hand, 11), None);
        assert_eq!(table.probe(78, hand, 9), None);
    }

    #[test]
    fn a_smaller_table_is_used_where_memory_is_refused() {
        let table = RepetitionTable::new(usize::MAX).unwrap();
        table.store(77, 9, 4);
        assert!(table.probe(77, Hand::EMPTY, 9).is_some());
    }

    #[test]
    fn a_cleared_table_finds_nothing_of_the_problem_before() {
        let mut table = RepetitionTable::new(1 << 10).unwrap();
        table.store(77, 9, 4);
        table.clear();
        assert!((0..1 << 10).all(|path_key| table.probe(path_key, Hand::EMPTY, 1).is_none()));
        table.store(77, 3, 2);
        assert!(table.probe(77, Hand::EMPTY, 3).is_some());
    }
}
