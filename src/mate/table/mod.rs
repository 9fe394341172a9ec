//! What the solver remembers of positions, in a bounded space. It owns where entries lie, dominance
//! between hands, growth and collection; it must not know how values are found.
//!
//! Entries of one board lie close together whatever the hands, because a mate with less in hand is
//! a mate with more, and a refutation with more in hand is one with less. What it holds about mates
//! and refutations is true on every path.
//!
//! It is cut into regions, each with open addressing of its own, so that a collection (which all
//! threads have to wait for) can move a mebibyte and not the whole, and many threads can share it. It
//! begins small and grows, so that a short search touches little memory.

mod entry;
mod maintain;
mod slots;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::value::Value;
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Hand};

use entry::Entry;
pub(super) use entry::{NO_SLOT, effort_code, effort_of};
use slots::{Seen, Slots};

/// What fixes a position: the board with the side to move, and the attacker's hand (the
/// defender's is the rest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) board: u64,
    pub(super) hand: Hand,
}

impl Key {
    pub(super) fn of(position: &Position, attacker: Color) -> Key {
        Key { board: position.board_key(), hand: position.hand(attacker) }
    }

    /// One number for both.
    pub(super) fn mixed(self) -> u64 {
        let hand = u64::from(self.hand.bits()).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.board ^ hand ^ hand >> 32
    }
}

/// What a look at the table says of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Settled, or open with the larger of the numbers of all entries that have a say.
    pub(super) value: Value,
    /// The slot of the position itself, or [`NO_SLOT`].
    pub(super) slot: u32,
    /// The slot of the position from which it was searched last, or [`NO_SLOT`].
    pub(super) parent: u32,
    /// The children that count by their maximum.
    pub(super) maxed: u16,
    /// See [`effort_code`].
    pub(super) effort: u8,
    /// Some path to it ended in a repetition.
    pub(super) repeats: bool,
    /// The numbers come from a place nearer to the root.
    pub(super) is_old: bool,
}

/// Slots of a region at most: a mebibyte of entries.
const REGION: usize = 1 << 15;
/// Of so many slots of a region,
const PARTS: usize = 16;
/// so many may be taken before it counts as crowded,
const CROWDED: usize = 10;
/// and so many at the very most.
const FULL: usize = 14;

#[derive(Debug)]
pub(super) struct Table {
    slots: Slots,
    /// Slots taken in each region.
    used: Vec<AtomicU32>,
    /// Slots of a region, a power of two.
    region: usize,
    /// Slots that it may grow to: those that were allowed, or those that there was memory for.
    limit: usize,
    allowed: usize,
    /// Some region is crowded.
    crowded: AtomicBool,
    /// Times that slots have moved.
    age: u64,
    /// Slots of the smaller tables that it was, and of larger ones for problems before, with what
    /// is left in them: the system takes long to give fresh memory.
    spare: Vec<Slots>,
}

impl Table {
    /// An empty table that may take up to so many bytes (and never less than a few slots).
    ///
    /// # Errors
    /// If the system does not grant even the first mebibyte.
    pub(super) fn new(bytes: usize) -> Result<Table, AllocationError> {
        // Slots have numbers of 32 bits, the last of which means none.
        let limit = (bytes / Slots::BYTES).clamp(2 * PARTS, NO_SLOT as usize);
        // A power of two, so that a region needs no remainder.
        let region = REGION.min(1 << limit.ilog2());
        Ok(Table::over(Slots::free(region)?, region, limit))
    }

    /// Empty, over free slots for some regions.
    fn over(slots: Slots, region: usize, limit: usize) -> Table {
        let used = counters(slots.len() / region);
        let crowded = AtomicBool::new(false);
        Table { slots, used, region, limit, allowed: limit, crowded, age: 0, spare: Vec::new() }
    }

    /// How full it is, in thousandths of its limit.
    pub(super) fn permille(&self) -> u32 {
        let used: u64 = self.used.iter().map(|used| u64::from(used.load(Ordering::Relaxed))).sum();
        (used * 1000 / self.limit as u64) as u32
    }

    /// Whether it waits for [`Table::maintain`].
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// How many times slots have moved.
    pub(super) fn age(&self) -> u64 {
        self.age
    }

    /// Brings near what tells whether there is something about a board.
    #[inline(always)]
    pub(super) fn prefetch(&self, board: u64) {
        self.slots.prefetch_tags(self.home(board));
    }

    /// Brings near the first thing that there is about a board, if any.
    #[inline(always)]
    pub(super) fn prefetch_known(&self, board: u64) {
        let mut slot = self.home(board);
        while let Some(may_hold) = self.slots.may_hold(slot, board) {
            if may_hold {
                return self.slots.prefetch_entry(slot);
            }
            slot = self.next(slot);
        }
    }

    /// Where the search for a board begins: the upper half chooses the region, the lower the slot.
    #[inline(always)]
    fn home(&self, board: u64) -> usize {
        let region = ((board >> 32) * self.used.len() as u64) >> 32;
        region as usize * self.region + (board as usize >> 1 & (self.region - 1))
    }

    /// The slot after this one in its region.
    #[inline(always)]
    fn next(&self, slot: usize) -> usize {
        let mask = self.region - 1;
        slot & !mask | (slot + 1) & mask
    }

    /// The entries of a board, each with its slot.
    #[inline(always)]
    fn of_board(&self, board: u64) -> impl Iterator<Item = (usize, &Entry)> {
        let mut next = self.home(board);
        std::iter::from_fn(move || {
            loop {
                let slot = next;
                next = self.next(slot);
                match self.slots.see(slot, board) {
                    Seen::Nothing => return None,
                    Seen::Entry(entry) => return Some((slot, entry)),
                    Seen::Other => {}
                }
            }
        })
    }

    /// What is known of a position at this depth of a path, with so many plies to the horizon.
    pub(super) fn look_up(&self, key: Key, depth: u16, remaining: u16) -> Found {
        let mut found = Found {
            value: Value::open(1, 1),
            slot: NO_SLOT,
            parent: NO_SLOT,
            maxed: 0,
            effort: 0,
            repeats: false,
            is_old: false,
        };
        let (mut pn, mut dn) = (1, 1);
        for (slot, entry) in self.of_board(key.board) {
            let hand = entry.hand();
            let (richer, poorer) = (key.hand.covers(hand), hand.covers(key.hand));
            if !richer && !poorer {
                continue;
            }
            let record = entry.record();
            if richer && record.mates_within(remaining) {
                found.value = Value::Mate { plies: record.mate - 1, hand };
                found.effort = record.effort;
                return found;
            }
            if poorer && record.refutes(remaining) {
                found.value = no_mate(record.no_mate, hand);
                found.effort = record.effort;
                return found;
            }
            let numbers = entry.numbers();
            let exact = richer && poorer;
            if exact {
                found.slot = slot as u32;
                found.parent = entry.parent();
                found.maxed = record.maxed;
                found.effort = record.effort;
                found.repeats = entry.repeats();
                if depth < record.depth {
                    entry.update(|record| record.depth = record.depth.min(depth));
                }
            }
            // A position with more in hand is no harder to prove, one with less no harder to
            // refute. Where such a one lies deeper its numbers could lead in a circle.
            if exact || record.depth <= depth {
                let raised = poorer && numbers.0 > pn || richer && numbers.1 > dn;
                pn = if poorer { pn.max(numbers.0) } else { pn };
                dn = if richer { dn.max(numbers.1) } else { dn };
                found.is_old |= raised && record.depth < depth;
            }
        }
        found.value = Value::open(pn, dn);
        found
    }

    /// Plies within which a position is known to be mate and not to be, whatever the path.
    pub(super) fn bounds(&self, key: Key) -> (Option<u16>, Option<u16>) {
        let (mut mate, mut no_mate) = (None, None);
        for (_, entry) in self.of_board(key.board) {
            let (hand, record) = (entry.hand(), entry.record());
            if record.mate != 0 && key.hand.covers(hand) {
                let plies = record.mate - 1;
                mate = Some(mate.map_or(plies, |least: u16| least.min(plies)));
            }
            if record.no_mate != 0 && hand.covers(key.hand) {
                no_mate = no_mate.max(Some(record.no_mate - 1));
            }
        }
        (mate, no_mate)
    }

    /// The slot of a position, which is taken for it if it has none. `None` where there is no room.
    pub(super) fn slot(&self, key: Key) -> Option<u32> {
        let mut slot = self.home(key.board);
        loop {
            match self.slots.see(slot, key.board) {
                Seen::Nothing => return self.take(slot, key),
                Seen::Entry(entry) if entry.is_of(key) => return Some(slot as u32),
                _ => slot = self.next(slot),
            }
        }
    }

    /// Takes an empty slot or, if another thread is quicker, the next.
    fn take(&self, mut slot: usize, key: Key) -> Option<u32> {
        let used = &self.used[slot / self.region];
        let taken = used.load(Ordering::Relaxed) as usize;
        if taken >= self.region * CROWDED / PARTS {
            self.crowded.store(true, Ordering::Relaxed);
            if taken >= self.region * FULL / PARTS {
                return None;
            }
        }
        while !self.slots.take(slot, key) {
            slot = self.next(slot);
        }
        used.fetch_add(1, Ordering::Relaxed);
        Some(slot as u32)
    }

    /// Keeps the numbers of a position that was searched from `parent`, at this depth.
    pub(super) fn store_open(
        &self,
        slot: u32,
        (pn, dn): (u64, u64),
        (parent, depth): (u32, u16),
        (effort, maxed): (u8, u16),
    ) {
        let entry = self.entry(slot);
        entry.set_numbers(pn, dn);
        entry.set_parent(parent);
        entry.update(|record| {
            record.depth = record.depth.min(depth);
            record.effort = record.effort.max(effort);
            record.maxed = maxed;
        });
    }

    /// Notes that a path to a position ended in a repetition.
    pub(super) fn note_repetition(&self, slot: u32) {
        self.entry(slot).note_repetition();
    }

    /// Keeps a mate or a refutation, which must lean on no path, with the hand of its proof.
    pub(super) fn store_settled(&self, board: u64, value: Value, effort: u8) {
        let (hand, mate, refuted) = match value {
            Value::Mate { plies, hand } => (hand, plies + 1, 0),
            Value::NoMate { within, hand, .. } => (hand, 0, within.saturating_add(1)),
            Value::Open { .. } => return,
        };
        let Some(slot) = self.slot(Key { board, hand }) else { return };
        self.entry(slot).update(|record| {
            if mate != 0 {
                record.mate = if record.mate == 0 { mate } else { record.mate.min(mate) };
            }
            record.no_mate = record.no_mate.max(refuted);
            record.effort = record.effort.max(effort);
        });
    }

    /// The slot of the parent of the position in a slot.
    pub(super) fn parent(&self, slot: u32) -> u32 {
        self.entry(slot).parent()
    }

    /// The position in a slot, and its numbers. Whoever comes here by the parent of another entry
    /// may find it half written, and must take what is said for a guess.
    pub(super) fn at(&self, slot: u32) -> (Key, (u64, u64)) {
        let entry = self.entry(slot);
        (entry.key(), entry.numbers())
    }

    /// The entry in a slot, which somebody has taken.
    #[inline(always)]
    fn entry(&self, slot: u32) -> &Entry {
        self.slots.entry(slot as usize)
    }

    /// Whether a slot is one of this table.
    pub(super) fn has(&self, slot: u32) -> bool {
        (slot as usize) < self.slots.len()
    }
}

/// For so many empty regions.
fn counters(regions: usize) -> Vec<AtomicU32> {
    (0..regions).map(|_| AtomicU32::new(0)).collect()
}

/// The refutation that a record tells of.
fn no_mate(code: u16, hand: Hand) -> Value {
    let within = if code == u16::MAX { u16::MAX } else { code - 1 };
    Value::NoMate { within, leans_on: super::value::NOTHING, hand }
}

#[cfg(test)]
mod tests;
