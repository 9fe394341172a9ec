//! The memory of the histories, and the update of an entry.

use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU16, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::sys::{self, AllocationError, HugePages};

/// A table filled with `start`. Writing it now takes the page faults, which would otherwise slow a search.
pub(super) fn filled_table(len: usize, start: i16) -> Result<HugePages<i16>, AllocationError> {
    let mut table = HugePages::zeroed(len)?;
    table.fill(start);
    Ok(table)
}

/// Adds a bonus with "gravity" (Stockfish): the closer an entry is to the limit, the less it changes, and
/// it never leaves `-limit..=limit`.
#[inline(always)]
pub(super) fn update_entry(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let value = *entry as i32;
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}

/// Blocks of `N` entries that start at 0. A short search touches few blocks, so clearing only those is fast.
#[derive(Debug)]
pub(super) struct ClearableTable<const N: usize> {
    table: HugePages<i16>,
    /// By block.
    is_touched: Box<[bool]>,
}

impl<const N: usize> ClearableTable<N> {
    pub(super) fn new(blocks: usize) -> Result<ClearableTable<N>, AllocationError> {
        let is_touched = vec![false; blocks].into_boxed_slice();
        Ok(ClearableTable { table: filled_table(blocks * N, 0)?, is_touched })
    }

    /// Clears the blocks that were touched.
    pub(super) fn clear(&mut self) {
        let (blocks, _) = self.table.as_chunks_mut::<N>();
        for (block, is_touched) in blocks.iter_mut().zip(&mut self.is_touched) {
            if std::mem::take(is_touched) {
                block.fill(0);
            }
        }
    }

    /// Row `number` of the table, in rows of `ROW` entries.
    #[inline(always)]
    pub(super) fn row<const ROW: usize>(&self, number: usize) -> &[i16; ROW] {
        row(&self.table, number)
    }

    #[inline(always)]
    pub(super) fn entry_mut(&mut self, index: usize) -> &mut i16 {
        self.is_touched[index / N] = true;
        &mut self.table[index]
    }
}

/// Row `number` of a table of rows of `N` entries.
#[inline(always)]
pub(super) fn row<const N: usize>(table: &[i16], number: usize) -> &[i16; N] {
    &table.as_chunks().0[number]
}

/// An entry that several threads share. It is stored with an offset of 32,768, so that a sum of entries subtracts
/// the offsets at once. Signed entries would need a sign extension each.
#[derive(Debug, Zeroable)]
#[repr(transparent)]
pub(super) struct SharedHistoryEntry(AtomicU16);

const OFFSET: i32 = 1 << 15;

impl SharedHistoryEntry {
    #[inline(always)]
    pub(super) fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed)) - OFFSET
    }

    #[inline(always)]
    fn set(&self, value: i16) {
        self.0.store((i32::from(value) + OFFSET) as u16, Relaxed);
    }
}

/// A table that several threads update concurrently. If two of them write an entry at the same time, one
/// update is lost, which costs less than a lock. As in [`ClearableTable`], only touched blocks are
/// cleared.
#[derive(Debug)]
pub(super) struct SharedHistoryTable {
    entries: HugePages<SharedHistoryEntry>,
    /// By block of [`BLOCK`] entries.
    is_touched: Box<[AtomicBool]>,
    /// The value of untouched entries.
    start: AtomicI16,
}

/// Entries that are cleared together: a page of 4 KiB.
const BLOCK: usize = 2048;

impl SharedHistoryTable {
    /// A table of `len` entries, which must be cleared before use.
    pub(super) fn new(len: usize) -> Result<SharedHistoryTable, AllocationError> {
        let is_touched = (0..len.div_ceil(BLOCK)).map(|_| AtomicBool::new(true)).collect();
        Ok(SharedHistoryTable {
            entries: HugePages::zeroed(len)?,
            is_touched,
            start: AtomicI16::new(0),
        })
    }

    /// Sets every entry to `start`, which changes only while a tuner works. The first call writes all
    /// entries and so takes the page faults, which would otherwise slow a search. No search may run.
    pub(super) fn clear(&self, start: i16) {
        if self.start.swap(start, Relaxed) != start {
            self.is_touched.iter().for_each(|is_touched| is_touched.store(true, Relaxed));
        }
        for (block, is_touched) in self.entries.chunks(BLOCK).zip(&self.is_touched) {
            if is_touched.load(Relaxed) {
                is_touched.store(false, Relaxed);
                block.iter().for_each(|entry| entry.set(start));
            }
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> i32 {
        self.entries[index].get()
    }

    /// A row of adjacent entries, of constant length, so that one bounds check serves all of them.
    #[inline(always)]
    pub(super) fn row<const N: usize>(&self, number: usize) -> &[SharedHistoryEntry; N] {
        &self.entries.as_chunks().0[number]
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        sys::prefetch(&raw const self.entries[index]);
    }

    #[inline(always)]
    pub(super) fn update(&self, index: usize, bonus: i32, limit: i32) {
        let entry = &self.entries[index];
        let mut value = entry.get() as i16;
        update_entry(&mut value, bonus, limit);
        entry.set(value);
        let is_touched = &self.is_touched[index / BLOCK];
        // An unconditional store would move the cache line from thread to thread.
        if !is_touched.load(Relaxed) {
            is_touched.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_update_shared_entries_together_and_clearing_resets_them() {
        let entries = SharedHistoryTable::new(3 * BLOCK - 1).unwrap();
        entries.clear(-7);
        let places = [0, BLOCK - 1, 3 * BLOCK - 2];
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        places.iter().for_each(|&place| entries.update(place, 50, 1024));
                    }
                });
            }
        });
        let all = || entries.entries.iter().map(SharedHistoryEntry::get);
        assert!(places.iter().all(|&place| (1000..=1024).contains(&entries.get(place))));
        assert_eq!(all().filter(|&entry| entry != -7).count(), places.len());
        entries.clear(0);
        assert!(all().all(|entry| entry == 0));
        assert!(entries.is_touched.iter().all(|is_touched| !is_touched.load(Relaxed)));
    }

    #[test]
    fn clearing_resets_the_touched_blocks_and_no_other_block_was_changed() {
        let mut table = ClearableTable::<9>::new(5).unwrap();
        for place in [0, 3 * 9 + 7, 4 * 9 + 8] {
            *table.entry_mut(place) = 9;
        }
        assert_eq!(table.row::<9>(3)[7], 9);
        assert_eq!(table.is_touched.iter().filter(|&&is_touched| is_touched).count(), 3);
        table.clear();
        assert!(table.table.iter().all(|&score| score == 0));
        assert!(!table.is_touched.contains(&true));
    }

    #[test]
    fn a_bonus_never_leaves_the_limit() {
        let mut entry = 0;
        for _ in 0..1000 {
            update_entry(&mut entry, 5000, 7183);
            assert!((0..=7183).contains(&(entry as i32)));
        }
        assert!(entry > 7000);
        for _ in 0..1000 {
            update_entry(&mut entry, -70000, 7183);
        }
        assert_eq!(entry, -7183);
    }
}
