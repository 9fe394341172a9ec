//! The slots of the proof table: the entries, and a tag byte for each. The tag shows whether the slot is
//! taken, and nearly always whether its entry is of another board. Most probes find nothing, and the tags,
//! one byte in 33, stay in the cache although the entries do not. (After Abseil's "Swiss tables".)

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::entry::ProofEntry;
use crate::mate::node_key::NodeKey;
use crate::sys::{self, AllocationError, HugePages};

/// The most slots of a region: a mebibyte of entries.
pub(super) const MAX_REGION_SLOTS: usize = 1 << 15;

/// The tag of a free slot. Its entry is meaningless.
const FREE: u8 = 0;
/// The tag of a slot that is taken but not yet written. Other tags have their highest bit set.
const CLAIMED: u8 = 1;

/// The content of a slot with regard to a board.
pub(super) enum SlotContent<'s> {
    Free,
    /// An entry of this board.
    Entry(&'s ProofEntry),
    /// An entry of another board, or one that is being written.
    Other,
}

#[derive(Debug)]
pub(super) struct EntrySlots {
    tags: HugePages<AtomicU8>,
    entries: HugePages<ProofEntry>,
}

impl EntrySlots {
    /// Bytes of a slot with its tag.
    pub(super) const BYTES: usize = size_of::<ProofEntry>() + size_of::<AtomicU8>();

    /// `len` free slots.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(len: usize) -> Result<EntrySlots, AllocationError> {
        Ok(EntrySlots { tags: HugePages::zeroed(len)?, entries: HugePages::zeroed(len)? })
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    /// Prefetches the tags from this slot on.
    #[inline(always)]
    pub(super) fn prefetch_tags(&self, slot: usize) {
        sys::prefetch(&raw const self.tags[slot]);
    }

    /// Prefetches the entry of this slot.
    #[inline(always)]
    pub(super) fn prefetch_entry(&self, slot: usize) {
        sys::prefetch(&raw const self.entries[slot]);
    }

    #[inline(always)]
    pub(super) fn is_free(&self, slot: usize) -> bool {
        self.tags[slot].load(Ordering::Relaxed) == FREE
    }

    /// Whether a slot may hold an entry of this board; `None` if it is free.
    #[inline(always)]
    pub(super) fn may_hold(&self, slot: usize, board: u64) -> Option<bool> {
        match self.tags[slot].load(Ordering::Acquire) {
            FREE => None,
            tag => Some(tag == tag_of(board)),
        }
    }

    /// The content of a slot with regard to a board.
    #[inline(always)]
    pub(super) fn read(&self, slot: usize, board: u64) -> SlotContent<'_> {
        match self.may_hold(slot, board) {
            None => SlotContent::Free,
            Some(true) if self.entries[slot].board() == board => {
                SlotContent::Entry(&self.entries[slot])
            }
            Some(_) => SlotContent::Other,
        }
    }

    /// The entry of a slot, which may be free.
    #[inline(always)]
    pub(super) fn entry(&self, slot: usize) -> &ProofEntry {
        &self.entries[slot]
    }

    /// Takes a slot for an unknown position. False if the slot is no longer free.
    pub(super) fn take(&self, slot: usize, key: NodeKey) -> bool {
        let (tag, relaxed) = (&self.tags[slot], Ordering::Relaxed);
        let is_ours = tag.compare_exchange(FREE, CLAIMED, relaxed, relaxed).is_ok();
        if is_ours {
            self.entries[slot].reset(key);
            tag.store(tag_of(key.board), Ordering::Release);
        }
        is_ours
    }

    /// Moves an entry into a free slot. No other thread may take slots meanwhile.
    pub(super) fn put(&self, slot: usize, words: [u64; 4]) {
        let entry = &self.entries[slot];
        entry.set_words(words);
        self.tags[slot].store(tag_of(entry.board()), Ordering::Release);
    }

    /// The entries of a range of slots.
    pub(super) fn taken(&self, range: Range<usize>) -> impl Iterator<Item = &ProofEntry> {
        range.filter(|&slot| !self.is_free(slot)).map(|slot| &self.entries[slot])
    }

    /// Frees a range of slots.
    pub(super) fn clear(&mut self, range: Range<usize>) {
        bytemuck::fill_zeroes(&mut self.tags[range]);
    }

    /// Frees a range of slots while other threads use other slots.
    pub(super) fn release(&self, range: Range<usize>) {
        self.tags[range].iter().for_each(|tag| tag.store(FREE, Ordering::Relaxed));
    }
}

/// From bits that do not choose the first slot of a board.
#[inline(always)]
fn tag_of(board: u64) -> u8 {
    const { assert!(MAX_REGION_SLOTS.ilog2() < 20) };
    (board >> 20) as u8 | 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Hand;

    #[test]
    fn a_slot_is_taken_once_and_shows_its_entry_to_its_board_only() {
        let slots = EntrySlots::new(4).unwrap();
        let key = NodeKey { board: 7, hand: Hand::EMPTY };
        assert!(matches!(slots.read(1, 7), SlotContent::Free));
        assert!(slots.take(1, key));
        assert!(!slots.take(1, NodeKey { board: 8, hand: Hand::EMPTY }));
        assert!(matches!(slots.read(1, 7), SlotContent::Entry(entry) if entry.is_of(key)));
        // Boards with the same tag, and with another one.
        assert!(matches!(slots.read(1, 8), SlotContent::Other));
        assert!(matches!(slots.read(1, 7 | 1 << 20), SlotContent::Other));
        assert!(matches!(slots.read(0, 7), SlotContent::Free));
    }

    #[test]
    fn a_slot_that_is_being_written_is_neither_free_nor_read() {
        let slots = EntrySlots::new(4).unwrap();
        slots.tags[1].store(CLAIMED, Ordering::Relaxed);
        assert!(!slots.is_free(1) && matches!(slots.read(1, 7), SlotContent::Other));
        assert!(!slots.take(1, NodeKey { board: 7, hand: Hand::EMPTY }));
    }

    #[test]
    fn the_old_entry_of_a_free_slot_is_not_seen() {
        let mut slots = EntrySlots::new(4).unwrap();
        let key = NodeKey { board: 7, hand: Hand::EMPTY };
        assert!(slots.take(1, key) && slots.take(2, key));
        slots.entry(1).set_numbers(5, 6);
        slots.clear(0..2);
        assert!(matches!(slots.read(1, 7), SlotContent::Free));
        assert_eq!(slots.taken(0..4).count(), 1);
        assert!(slots.take(1, key));
        assert_eq!(slots.entry(1).numbers(), (1, 1));
    }
}
