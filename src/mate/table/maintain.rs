//! What is done to a table while all threads rest: it grows while it may, and then gives up, region
//! by region, the half of its entries that cost least. For another problem it is small again.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::entry::{Entry, NO_SLOT};
use super::slots::Slots;
use super::{CROWDED, PARTS, REGION, Table, counters};
use crate::sys::{self, AllocationError};

/// How much larger a table grows at a time.
const GROWTH: usize = 8;
/// Entries moved between two looks at the clock: where a table grows to gigabytes at once, they
/// touch many fresh pages, which the system has to clear first.
const MOVED_AT_ONCE: usize = 512;
/// The part of a region that may still be free of what crowds it, where several threads wait for
/// collections: more than regions differ by when they are filled.
const AHEAD: usize = 64;
/// Regions that are worth a thread of their own to collect: some milliseconds' work.
const REGIONS_PER_THREAD: usize = 8;
/// Codes of effort.
const CODES: usize = 256;
/// What a mate or a refutation counts more than its effort: about a factor of four.
const SETTLED_BONUS: usize = 16;
/// What a collection takes off the effort of what it keeps: less than a tenth.
const AGEING: u8 = 1;

impl Table {
    /// Makes room for so many threads that search, until `stop` says so. A table that was to grow is then
    /// as before.
    pub(in crate::mate) fn maintain(&mut self, threads: usize, stop: &dyn Fn() -> bool) {
        self.maintain_within(threads, sys::available_memory, stop);
    }

    /// The same by what is said of the memory that is left.
    pub(super) fn maintain_within(
        &mut self,
        threads: usize,
        left: impl FnOnce() -> Option<u64>,
        stop: &dyn Fn() -> bool,
    ) {
        self.crowded.store(false, Ordering::Relaxed);
        self.age += 1;
        if !self.grow(left, stop) {
            self.collect_crowded(threads, stop);
        }
    }

    /// Forgets everything but its memory.
    pub(in crate::mate) fn clear(&mut self) {
        let smallest = (0..self.spare.len()).min_by_key(|&place| self.spare[place].len());
        if let Some(place) = smallest.filter(|&place| self.spare[place].len() < self.slots.len()) {
            mem::swap(&mut self.slots, &mut self.spare[place]);
        }
        self.slots.clear(0..self.slots.len());
        self.used = counters(self.slots.len() / self.region);
        // What the system refused once it may grant now.
        self.limit = self.allowed;
        self.crowded.store(false, Ordering::Relaxed);
        self.age += 1;
    }

    /// Moves everything to a larger table, if the limit and the system allow one. True also where
    /// that was given up.
    fn grow(&mut self, left: impl FnOnce() -> Option<u64>, stop: &dyn Fn() -> bool) -> bool {
        let most = self.limit / REGION;
        let grown = self.used.len() * GROWTH;
        // Both tables are there meanwhile, so one that is a large part of the limit must not grow.
        let wanted = if grown * GROWTH <= most { grown } else { most };
        // Not for a few slots more.
        let least = self.used.len() * 5 / 4 + 1;
        if wanted < least {
            return false;
        }
        // Memory that has been used must be cleared, which takes long too.
        if stop() {
            return true;
        }
        let regions = self.affordable(wanted, left);
        if regions < wanted {
            self.limit = self.slots.len().max(regions * REGION);
        }
        if regions < least {
            return false;
        }
        let Ok(slots) = self.fetch(regions * REGION) else {
            self.limit = self.slots.len();
            return false;
        };
        let larger = Table::over(slots, REGION, self.limit);
        let idle = if self.copy_to(&larger, stop) {
            self.used = larger.used;
            mem::replace(&mut self.slots, larger.slots)
        } else {
            larger.slots
        };
        self.spare.push(idle);
        true
    }

    /// The regions that there is memory for: as many as wanted, or fewer. Many systems would grant
    /// more than there is, and end the program when it is used.
    fn affordable(&self, wanted: usize, left: impl FnOnce() -> Option<u64>) -> usize {
        let spare = self.spare.iter().map(|spare| spare.len() / REGION);
        if spare.clone().any(|regions| regions == wanted) {
            return wanted;
        }
        let Some(left) = left() else { return wanted };
        let fresh = sys::usable_memory(left) / (REGION * Slots::BYTES) as u64;
        if fresh >= wanted as u64 {
            return wanted;
        }
        let allowed = spare.filter(|regions| regions * REGION <= self.limit);
        allowed.fold(fresh as usize, usize::max)
    }

    /// So many free slots.
    fn fetch(&mut self, slots: usize) -> Result<Slots, AllocationError> {
        let Some(place) = self.spare.iter().position(|spare| spare.len() == slots) else {
            return Slots::free(slots);
        };
        let mut slots = self.spare.swap_remove(place);
        slots.clear(0..slots.len());
        Ok(slots)
    }

    /// Whether it came to the end before `stop` said so.
    fn copy_to(&self, larger: &Table, stop: &dyn Fn() -> bool) -> bool {
        for (index, entry) in self.slots.taken(0..self.slots.len()).enumerate() {
            if index.is_multiple_of(MOVED_AT_ONCE) && stop() {
                return false;
            }
            larger.insert(entry.words());
        }
        true
    }

    /// Collects the crowded regions, until `stop` says so. All threads wait for it: so as many do it,
    /// and they do at once what would make them wait again soon, since all regions fill alike.
    fn collect_crowded(&self, threads: usize, stop: &dyn Fn() -> bool) {
        let ahead = if threads > 1 { self.region / AHEAD } else { 0 };
        let crowded = self.region * CROWDED / PARTS - ahead;
        let used = |region: usize| self.used[region].load(Ordering::Relaxed) as usize;
        let regions = (0..self.used.len()).filter(|&region| used(region) >= crowded);
        let regions: Vec<usize> = regions.collect();
        let share = regions.len().div_ceil(threads).max(REGIONS_PER_THREAD);
        let mut shares = regions.chunks(share);
        let own = shares.next().unwrap_or_default();
        let is_over = AtomicBool::new(false);
        let help = |share: &[usize]| {
            let in_time = share.iter().take_while(|_| !is_over.load(Ordering::Relaxed));
            in_time.for_each(|&region| self.collect(region));
        };
        thread::scope(|scope| {
            let mut refused: Vec<usize> = Vec::new();
            for share in shares {
                // A thread that the system refuses is no reason to fail.
                if thread::Builder::new().spawn_scoped(scope, move || help(share)).is_err() {
                    refused.extend(share);
                }
            }
            for &region in own.iter().chain(&refused) {
                if stop() {
                    return is_over.store(true, Ordering::Relaxed);
                }
                self.collect(region);
            }
        });
    }

    /// Keeps the dearer half of a region, which no other thread looks at meanwhile.
    fn collect(&self, region: usize) {
        let range = region * self.region..(region + 1) * self.region;
        let (middle, mut surplus) = middle(self.slots.taken(range.clone()));
        let is_kept = |entry: &&Entry| match worth(entry).cmp(&middle) {
            Less => false,
            Greater => true,
            Equal => {
                let is_kept = surplus > 0;
                surplus = surplus.saturating_sub(1);
                is_kept
            }
        };
        let taken = self.slots.taken(range.clone());
        let kept: Vec<[u64; 4]> = taken.filter(is_kept).map(Entry::words).collect();
        self.slots.release(range);
        self.used[region].store(0, Ordering::Relaxed);
        for words in kept {
            let slot = self.insert(words);
            // What was dear once must earn its place anew.
            let entry = self.slots.entry(slot);
            entry.update(|record| record.effort = record.effort.saturating_sub(AGEING));
        }
    }

    /// Puts an entry into the table, where no other thread does so in its region.
    fn insert(&self, words: [u64; 4]) -> usize {
        let board = words[0];
        let mut slot = self.home(board);
        while !self.slots.is_free(slot) {
            slot = self.next(slot);
        }
        self.slots.put(slot, words);
        // Slots have moved.
        self.slots.entry(slot).set_parent(NO_SLOT);
        self.used[slot / self.region].fetch_add(1, Ordering::Relaxed);
        slot
    }
}

fn worth(entry: &Entry) -> usize {
    let record = entry.record();
    let settled = record.mate != 0 || record.no_mate != 0;
    usize::from(record.effort) + if settled { SETTLED_BONUS } else { 0 }
}

/// The worth that half of the entries do not exceed, and how many with that worth are to be kept.
fn middle<'s>(entries: impl Iterator<Item = &'s Entry>) -> (usize, usize) {
    let mut counts = [0usize; CODES + SETTLED_BONUS];
    let total = entries.map(|entry| counts[worth(entry)] += 1).count();
    let mut sum = 0;
    for (worth, count) in counts.into_iter().enumerate() {
        sum += count;
        if sum * 2 >= total {
            return (worth, sum - total / 2);
        }
    }
    (CODES, 0)
}
