//! The slots of a table: entries, and beside them a byte for each that tells whether it is taken,
//! and nearly always whether it is of another board. Most positions that are looked up are unknown,
//! and the bytes, a thirty-third of the whole, stay near the processor where the entries do not.
//! (After the tables of Abseil, "Swiss tables".) It must not know where entries belong.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::entry::Entry;
use super::{Key, REGION};
use crate::sys::{self, AllocationError, HugePages};

/// The tag of a slot that is free. What lies in its entry then means nothing.
const FREE: u8 = 0;
/// Taken, but not yet written. Other tags have their highest bit set.
const CLAIMED: u8 = 1;

/// What is seen in a slot.
pub(super) enum Seen<'s> {
    Nothing,
    /// An entry of the board asked for.
    Entry(&'s Entry),
    /// Of another board, or not yet to be read.
    Other,
}

#[derive(Debug)]
pub(super) struct Slots {
    tags: HugePages<AtomicU8>,
    entries: HugePages<Entry>,
}

impl Slots {
    /// Bytes that a slot takes.
    pub(super) const BYTES: usize = size_of::<Entry>() + size_of::<AtomicU8>();

    /// So many free slots.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(super) fn free(len: usize) -> Result<Slots, AllocationError> {
        Ok(Slots { tags: HugePages::zeroed(len)?, entries: HugePages::zeroed(len)? })
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    /// Brings the tags from this slot on near.
    #[inline(always)]
    pub(super) fn prefetch_tags(&self, slot: usize) {
        sys::prefetch(&raw const self.tags[slot]);
    }

    /// Brings the entry of this slot near.
    #[inline(always)]
    pub(super) fn prefetch_entry(&self, slot: usize) {
        sys::prefetch(&raw const self.entries[slot]);
    }

    /// Whether a slot is free.
    #[inline(always)]
    pub(super) fn is_free(&self, slot: usize) -> bool {
        self.tags[slot].load(Ordering::Relaxed) == FREE
    }

    /// Whether a slot may have an entry of this board; `None` if it is free.
    #[inline(always)]
    pub(super) fn may_hold(&self, slot: usize, board: u64) -> Option<bool> {
        match self.tags[slot].load(Ordering::Acquire) {
            FREE => None,
            tag => Some(tag == tag_of(board)),
        }
    }

    /// What a slot has for a board.
    #[inline(always)]
    pub(super) fn see(&self, slot: usize, board: u64) -> Seen<'_> {
        match self.may_hold(slot, board) {
            None => Seen::Nothing,
            Some(true) if self.entries[slot].board() == board => Seen::Entry(&self.entries[slot]),
            Some(_) => Seen::Other,
        }
    }

    /// The entry of a slot, whatever is in it.
    #[inline(always)]
    pub(super) fn entry(&self, slot: usize) -> &Entry {
        &self.entries[slot]
    }

    /// Takes a slot for a position of which nothing is known. False if it is not free any more.
    pub(super) fn take(&self, slot: usize, key: Key) -> bool {
        let (tag, relaxed) = (&self.tags[slot], Ordering::Relaxed);
        let is_ours = tag.compare_exchange(FREE, CLAIMED, relaxed, relaxed).is_ok();
        if is_ours {
            self.entries[slot].begin(key);
            tag.store(tag_of(key.board), Ordering::Release);
        }
        is_ours
    }

    /// Moves an entry into a free slot, where no other thread does so.
    pub(super) fn put(&self, slot: usize, words: [u64; 4]) {
        let entry = &self.entries[slot];
        entry.set_words(words);
        self.tags[slot].store(tag_of(entry.board()), Ordering::Release);
    }

    /// The entries in a range of slots.
    pub(super) fn taken(&self, range: Range<usize>) -> impl Iterator<Item = &Entry> {
        range.filter(|&slot| !self.is_free(slot)).map(|slot| &self.entries[slot])
    }

    /// Frees a range of slots.
    pub(super) fn clear(&mut self, range: Range<usize>) {
        bytemuck::fill_zeroes(&mut self.tags[range]);
    }

    /// The same while other threads look at other slots.
    pub(super) fn release(&self, range: Range<usize>) {
        self.tags[range].iter().for_each(|tag| tag.store(FREE, Ordering::Relaxed));
    }
}

/// Of bits that have no part in the choice of a board's place.
#[inline(always)]
fn tag_of(board: u64) -> u8 {
    const { assert!(REGION.ilog2() < 20) };
    (board >> 20) as u8 | 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Hand;

    #[test]
    fn a_slot_is_taken_once_and_shows_its_entry_to_its_board_alone() {
        let slots = Slots::free(4).unwrap();
        let key = Key { board: 7, hand: Hand::EMPTY };
        assert!(matches!(slots.see(1, 7), Seen::Nothing));
        assert!(slots.take(1, key));
        assert!(!slots.take(1, Key { board: 8, hand: Hand::EMPTY }));
        assert!(matches!(slots.see(1, 7), Seen::Entry(entry) if entry.is_of(key)));
        // Of the same tag, and of another.
        assert!(matches!(slots.see(1, 8), Seen::Other));
        assert!(matches!(slots.see(1, 7 | 1 << 20), Seen::Other));
        assert!(matches!(slots.see(0, 7), Seen::Nothing));
    }

    #[test]
    fn a_slot_that_is_being_written_is_neither_free_nor_read() {
        let slots = Slots::free(4).unwrap();
        slots.tags[1].store(CLAIMED, Ordering::Relaxed);
        assert!(!slots.is_free(1) && matches!(slots.see(1, 7), Seen::Other));
        assert!(!slots.take(1, Key { board: 7, hand: Hand::EMPTY }));
    }

    #[test]
    fn what_was_in_a_slot_is_not_seen_once_it_is_free() {
        let mut slots = Slots::free(4).unwrap();
        let key = Key { board: 7, hand: Hand::EMPTY };
        assert!(slots.take(1, key) && slots.take(2, key));
        slots.entry(1).set_numbers(5, 6);
        slots.clear(0..2);
        assert!(matches!(slots.see(1, 7), Seen::Nothing));
        assert_eq!(slots.taken(0..4).count(), 1);
        assert!(slots.take(1, key));
        assert_eq!(slots.entry(1).numbers(), (1, 1));
    }
}
