//! The maintenance of the proof table, while all threads are paused. It grows up to its limit, and
//! then drops, region by region, the half of its entries that took the fewest nodes (after the small
//! tree garbage collection of Nagai). For a new problem it is made small again.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::entry::{NO_SLOT, ProofEntry};
use super::slots::{EntrySlots, MAX_REGION_SLOTS};
use super::{CROWDED_LOAD, LOAD_SCALE, ProofTable, counters};
use crate::sys::{self, AllocationError};

/// The factor by which a table grows at a time.
const GROWTH: usize = 8;
/// Entries moved between two checks of the clock. In a table that grows to gigabytes they touch many fresh
/// pages, which the system must clear first.
const MOVE_BATCH: usize = 512;
/// With several threads, regions that will soon be crowded are collected too: those that become
/// crowded when one more in this many of their slots is taken.
const AHEAD_DIVISOR: usize = 64;
/// Minimum number of regions that a thread collects: a few milliseconds of work.
const REGIONS_PER_THREAD: usize = 8;
/// Number of effort codes.
const CODES: usize = 256;
/// Added to the effort code of a solved entry: a factor of about four in nodes.
const SOLVED_BONUS: usize = 16;
/// Subtracted from the effort codes of the entries that a collection keeps: less than a tenth in nodes.
const AGEING: u8 = 1;

impl ProofTable {
    /// Makes room, on `threads` threads, until `stop` returns true. A table that could not finish
    /// growing stays as it was.
    pub(in crate::mate) fn maintain(&mut self, threads: usize, stop: &dyn Fn() -> bool) {
        self.maintain_with_available(threads, sys::available_memory, stop);
    }

    /// [`ProofTable::maintain`] with `available`, which returns the bytes of free memory.
    pub(super) fn maintain_with_available(
        &mut self,
        threads: usize,
        available: impl FnOnce() -> Option<u64>,
        stop: &dyn Fn() -> bool,
    ) {
        self.crowded.store(false, Ordering::Relaxed);
        self.revision += 1;
        if !self.grow(available, stop) {
            self.collect_crowded(threads, stop);
        }
    }

    /// Empties the table but keeps its memory.
    pub(in crate::mate) fn clear(&mut self) {
        let smallest = self.spare.iter_mut().min_by_key(|spare| spare.len());
        if let Some(spare) = smallest.filter(|spare| spare.len() < self.slots.len()) {
            mem::swap(&mut self.slots, spare);
        }
        self.slots.clear(0..self.slots.len());
        self.used = counters(self.slots.len() / self.region_slots);
        // The system may now grant memory that it refused before.
        self.max_slots = self.allowed_slots;
        self.crowded.store(false, Ordering::Relaxed);
        self.revision += 1;
    }

    /// Moves all entries to a larger table, if the limit and the system allow one. Also returns true if
    /// `stop` ended it.
    fn grow(&mut self, available: impl FnOnce() -> Option<u64>, stop: &dyn Fn() -> bool) -> bool {
        let max_regions = self.max_slots / MAX_REGION_SLOTS;
        let grown = self.used.len() * GROWTH;
        // Both tables exist for a while, so the smaller one must be a small part of the limit.
        let wanted = if grown * GROWTH <= max_regions { grown } else { max_regions };
        // A slightly larger table is not worth the move.
        let min_regions = self.used.len() * 5 / 4 + 1;
        if wanted < min_regions {
            return false;
        }
        // Clearing reused memory takes long too.
        if stop() {
            return true;
        }
        let regions = self.affordable(wanted, available);
        if regions < wanted {
            self.max_slots = self.slots.len().max(regions * MAX_REGION_SLOTS);
        }
        if regions < min_regions {
            return false;
        }
        let Ok(slots) = self.take_slots(regions * MAX_REGION_SLOTS) else {
            self.max_slots = self.slots.len();
            return false;
        };
        let larger = ProofTable::with_slots(slots, MAX_REGION_SLOTS, self.max_slots);
        let idle = if self.copy_to(&larger, stop) {
            self.used = larger.used;
            mem::replace(&mut self.slots, larger.slots)
        } else {
            larger.slots
        };
        self.spare.push(idle);
        true
    }

    /// The regions that there is memory for, at most `wanted`. Many systems grant more memory than
    /// there is, and kill the program when it is used.
    fn affordable(&self, wanted: usize, available: impl FnOnce() -> Option<u64>) -> usize {
        let spare = self.spare.iter().map(|spare| spare.len() / MAX_REGION_SLOTS);
        if spare.clone().any(|regions| regions == wanted) {
            return wanted;
        }
        let Some(available) = available() else { return wanted };
        let fresh = sys::usable_memory(available) / (MAX_REGION_SLOTS * EntrySlots::BYTES) as u64;
        if fresh >= wanted as u64 {
            return wanted;
        }
        let allowed = spare.filter(|regions| regions * MAX_REGION_SLOTS <= self.max_slots);
        allowed.fold(fresh as usize, usize::max)
    }

    /// `slots` free slots, from the spare ones if there are as many.
    fn take_slots(&mut self, slots: usize) -> Result<EntrySlots, AllocationError> {
        let Some(index) = self.spare.iter().position(|spare| spare.len() == slots) else {
            return EntrySlots::new(slots);
        };
        let mut slots = self.spare.swap_remove(index);
        slots.clear(0..slots.len());
        Ok(slots)
    }

    /// Copies all entries. False if `stop` ended it.
    fn copy_to(&self, larger: &ProofTable, stop: &dyn Fn() -> bool) -> bool {
        for (index, entry) in self.slots.taken(0..self.slots.len()).enumerate() {
            if index.is_multiple_of(MOVE_BATCH) && stop() {
                return false;
            }
            larger.insert(entry.words());
        }
        true
    }

    /// Collects the crowded regions until `stop` returns true. All search threads wait, so as many threads
    /// share the work, and they also collect the regions that will soon be crowded: all fill alike.
    fn collect_crowded(&self, threads: usize, stop: &dyn Fn() -> bool) {
        let ahead = if threads > 1 { self.region_slots / AHEAD_DIVISOR } else { 0 };
        let crowded = self.region_slots * CROWDED_LOAD / LOAD_SCALE - ahead;
        let used = |region: usize| self.used[region].load(Ordering::Relaxed) as usize;
        let regions = (0..self.used.len()).filter(|&region| used(region) >= crowded);
        let regions: Vec<usize> = regions.collect();
        let share = regions.len().div_ceil(threads).max(REGIONS_PER_THREAD);
        let mut shares = regions.chunks(share);
        let main_share = shares.next().unwrap_or_default();
        let is_over = AtomicBool::new(false);
        let help = |share: &[usize]| {
            let in_time = share.iter().take_while(|_| !is_over.load(Ordering::Relaxed));
            in_time.for_each(|&region| self.collect(region));
        };
        thread::scope(|scope| {
            let mut refused: Vec<usize> = Vec::new();
            for share in shares {
                // This thread does the work of threads that the system refuses.
                if thread::Builder::new().spawn_scoped(scope, move || help(share)).is_err() {
                    refused.extend(share);
                }
            }
            for &region in main_share.iter().chain(&refused) {
                if stop() {
                    return is_over.store(true, Ordering::Relaxed);
                }
                self.collect(region);
            }
        });
    }

    /// Drops the half of a region that took the fewest nodes. No other thread may use the region.
    fn collect(&self, region: usize) {
        let range = region * self.region_slots..(region + 1) * self.region_slots;
        let (median, mut surplus) = median(self.slots.taken(range.clone()));
        let is_kept = |entry: &&ProofEntry| match retention(entry).cmp(&median) {
            Less => false,
            Greater => true,
            Equal => {
                let is_kept = surplus > 0;
                surplus = surplus.saturating_sub(1);
                is_kept
            }
        };
        let taken = self.slots.taken(range.clone());
        let kept: Vec<[u64; 4]> = taken.filter(is_kept).map(ProofEntry::words).collect();
        self.slots.release(range);
        self.used[region].store(0, Ordering::Relaxed);
        for words in kept {
            let slot = self.insert(words);
            let entry = self.slots.entry(slot);
            entry.update(|data| data.effort = data.effort.saturating_sub(AGEING));
        }
    }

    /// Inserts an entry. No other thread may insert into its region.
    fn insert(&self, words: [u64; 4]) -> usize {
        let board = words[0];
        let mut slot = self.first_slot(board);
        while !self.slots.is_free(slot) {
            slot = self.next_slot(slot);
        }
        self.slots.put(slot, words);
        // The parent has moved too.
        self.slots.entry(slot).set_parent(NO_SLOT);
        self.used[slot / self.region_slots].fetch_add(1, Ordering::Relaxed);
        slot
    }
}

/// The weight of an entry; a collection keeps the entries with the largest.
fn retention(entry: &ProofEntry) -> usize {
    let data = entry.data();
    let is_solved = data.mate != 0 || data.no_mate != 0;
    usize::from(data.effort) + if is_solved { SOLVED_BONUS } else { 0 }
}

/// The retention that half of the entries do not exceed, and how many with exactly that are kept.
fn median<'s>(entries: impl Iterator<Item = &'s ProofEntry>) -> (usize, usize) {
    let mut counts = [0usize; CODES + SOLVED_BONUS];
    let total = entries.map(|entry| counts[retention(entry)] += 1).count();
    let mut sum = 0;
    for (retention, count) in counts.into_iter().enumerate() {
        sum += count;
        if sum * 2 >= total {
            return (retention, sum - total / 2);
        }
    }
    (CODES, 0)
}
