//! Refutations that hold on one path only, by a key of the whole path; the newest wins its slot.
//! (Kept apart from the others after Kishimoto and Mueller.)

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::value::Value;
use crate::sys::{AllocationError, HugePages};
use crate::types::Hand;

/// The key XORed with the data, and the data: what two threads have mixed up is of no path.
#[derive(Debug, Zeroable)]
#[repr(C)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug)]
pub(super) struct Paths {
    slots: HugePages<Slot>,
    /// XORed with the keys of paths: what is left of problems before is of none of them.
    salt: u64,
}

/// Set in all data.
const TAKEN: u64 = 1 << 63;

impl Paths {
    /// An empty table of so many bytes, rounded to a power of two; of half, a quarter and so on where
    /// the system refuses them, since a search can do with little.
    ///
    /// # Errors
    /// If the system does not grant even one slot.
    pub(super) fn new(bytes: usize) -> Result<Paths, AllocationError> {
        let mut len = 1_usize << (bytes / size_of::<Slot>()).max(1).ilog2();
        loop {
            match HugePages::zeroed(len) {
                Ok(slots) => return Ok(Paths { slots, salt: 0 }),
                Err(refused) if len == 1 => return Err(refused),
                Err(_) => len /= 2,
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        // Odd, and without a pattern: the golden ratio.
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// The refutation of the last position of a path, which has this hand, if it reaches to the
    /// horizon.
    pub(super) fn look_up(&self, path: u64, hand: Hand, remaining: u16) -> Option<Value> {
        let path = path ^ self.salt;
        let slot = self.slot(path);
        let data = slot.data.load(Ordering::Relaxed);
        let (within, leans_on) = (data as u16, (data >> 16) as u16);
        let holds = data & TAKEN != 0
            && slot.key.load(Ordering::Relaxed) ^ data == path
            && within >= remaining;
        holds.then_some(Value::NoMate { within, leans_on, hand })
    }

    pub(super) fn store(&self, path: u64, within: u16, leans_on: u16) {
        let path = path ^ self.salt;
        let slot = self.slot(path);
        let data = u64::from(within) | u64::from(leans_on) << 16 | TAKEN;
        slot.data.store(data, Ordering::Relaxed);
        slot.key.store(path ^ data, Ordering::Relaxed);
    }

    fn slot(&self, path: u64) -> &Slot {
        &self.slots[(path >> 20) as usize & (self.slots.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refutation_by_path_is_told_for_that_path_and_its_horizon() {
        let paths = Paths::new(1 << 10).unwrap();
        let hand = Hand::EMPTY;
        assert_eq!(paths.look_up(0, hand, 0), None);
        paths.store(77, 9, 4);
        let found = Some(Value::NoMate { within: 9, leans_on: 4, hand });
        assert_eq!(paths.look_up(77, hand, 9), found);
        assert_eq!(paths.look_up(77, hand, 11), None);
        assert_eq!(paths.look_up(78, hand, 9), None);
    }

    #[test]
    fn where_memory_is_refused_less_of_it_serves() {
        let paths = Paths::new(usize::MAX).unwrap();
        paths.store(77, 9, 4);
        assert!(paths.look_up(77, Hand::EMPTY, 9).is_some());
    }

    #[test]
    fn what_was_kept_for_one_problem_is_nothing_to_the_next() {
        let mut paths = Paths::new(1 << 10).unwrap();
        paths.store(77, 9, 4);
        paths.clear();
        assert!((0..1 << 10).all(|path| paths.look_up(path, Hand::EMPTY, 1).is_none()));
        paths.store(77, 3, 2);
        assert!(paths.look_up(77, Hand::EMPTY, 3).is_some());
    }
}
