//! The proof table: results of positions that hold on every path, in bounded memory.
//!
//! The entries of one board are stored close together whatever the hands, because of dominance: a
//! mate holds with more pieces in hand too, and a disproof with fewer.
//!
//! The table consists of regions, each with its own open addressing. So a garbage collection, for which all
//! threads wait, moves one MiB at a time, and the threads can share the work. The table starts small and
//! grows, so that a short search touches little memory.

mod entry;
mod maintain;
mod slots;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::node_key::NodeKey;
use super::node_value::{ANY_LENGTH, NO_REPETITION, NodeValue};
use crate::sys::AllocationError;
use crate::types::Hand;

use entry::ProofEntry;
pub(super) use entry::{NO_SLOT, effort_code, effort_of};
use slots::{EntrySlots, MAX_REGION_SLOTS, SlotContent};

/// The result of a probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeResult {
    /// Solved, or open with the largest numbers of all entries that bound it.
    pub(super) value: NodeValue,
    /// The slot of the position itself, or [`NO_SLOT`].
    pub(super) slot: u32,
    /// The slot of the position from which it was searched last, or [`NO_SLOT`].
    pub(super) parent: u32,
    /// Its children that count by their maximum.
    pub(super) max_mask: u16,
    /// See [`effort_code`].
    pub(super) effort: u8,
    /// Whether the value depended on a repetition on some path.
    pub(super) repeats: bool,
    /// Whether the numbers were stored by a search nearer to the root (an old child of the TCA).
    pub(super) is_old: bool,
}

/// Bounds of the length of the mate in a position, in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LengthBounds {
    /// A mate within this many plies is proved.
    pub(super) mate: Option<u16>,
    /// It is proved that there is no mate within this many plies.
    pub(super) no_mate: Option<u16>,
}

/// The load factors of a region are in units of one in this many of its slots.
const LOAD_SCALE: usize = 16;
/// The load factor from which a region counts as crowded.
const CROWDED_LOAD: usize = 10;
/// Maximum load factor.
const FULL_LOAD: usize = 14;

#[derive(Debug)]
pub(super) struct ProofTable {
    slots: EntrySlots,
    /// Number of taken slots of each region.
    used: Vec<AtomicU32>,
    /// Number of slots of a region, a power of two.
    region_slots: usize,
    /// Number of slots to which the table may grow: `allowed_slots`, or less if the system has refused
    /// more.
    max_slots: usize,
    /// Number of slots that fit in the memory that the table may take.
    allowed_slots: usize,
    /// Whether some region is crowded.
    crowded: AtomicBool,
    /// How many times slots have moved.
    revision: u64,
    /// The slots of earlier, smaller and larger tables, not cleared. They are reused because the
    /// system takes long to provide fresh memory.
    spare: Vec<EntrySlots>,
}

impl ProofTable {
    /// An empty table that may take up to `bytes` bytes, but at least a few slots.
    ///
    /// # Errors
    /// If the system refuses even the first mebibyte.
    pub(super) fn new(bytes: usize) -> Result<ProofTable, AllocationError> {
        // The largest index of 32 bits means no slot.
        let max_slots = (bytes / EntrySlots::BYTES).clamp(2 * LOAD_SCALE, NO_SLOT as usize);
        // A power of two, so that a mask finds the slot in its region.
        let region_slots = MAX_REGION_SLOTS.min(1 << max_slots.ilog2());
        Ok(ProofTable::with_slots(EntrySlots::new(region_slots)?, region_slots, max_slots))
    }

    /// An empty table with these free slots.
    fn with_slots(slots: EntrySlots, region_slots: usize, max_slots: usize) -> ProofTable {
        let used = counters(slots.len() / region_slots);
        let crowded = AtomicBool::new(false);
        ProofTable {
            slots,
            used,
            region_slots,
            max_slots,
            allowed_slots: max_slots,
            crowded,
            revision: 0,
            spare: Vec::new(),
        }
    }

    /// The share of taken slots in permille of the limit, for the `hashfull` of reports.
    pub(super) fn hashfull_permille(&self) -> u32 {
        let used: u64 = self.used.iter().map(|used| u64::from(used.load(Ordering::Relaxed))).sum();
        (used * 1000 / self.max_slots as u64) as u32
    }

    /// Whether the table needs [`ProofTable::maintain`].
    #[inline(always)]
    pub(super) fn needs_maintenance(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// Changes whenever slots have moved.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Prefetches the tags that tell whether there is an entry of a board.
    #[inline(always)]
    pub(super) fn prefetch_tags(&self, board: u64) {
        self.slots.prefetch_tags(self.first_slot(board));
    }

    /// Prefetches the first entry of a board, if there is one.
    #[inline(always)]
    pub(super) fn prefetch_entry(&self, board: u64) {
        let mut slot = self.first_slot(board);
        while let Some(may_hold) = self.slots.may_hold(slot, board) {
            if may_hold {
                return self.slots.prefetch_entry(slot);
            }
            slot = self.next_slot(slot);
        }
    }

    /// The first slot for a board. The upper half of the key selects the region, the lower the slot.
    #[inline(always)]
    fn first_slot(&self, board: u64) -> usize {
        let region = ((board >> 32) * self.used.len() as u64) >> 32;
        region as usize * self.region_slots + (board as usize >> 1 & (self.region_slots - 1))
    }

    /// The slot after this one in its region.
    #[inline(always)]
    fn next_slot(&self, slot: usize) -> usize {
        let mask = self.region_slots - 1;
        slot & !mask | (slot + 1) & mask
    }

    /// The entries of a board, each with its slot.
    #[inline(always)]
    fn entries(&self, board: u64) -> impl Iterator<Item = (usize, &ProofEntry)> {
        let mut next = self.first_slot(board);
        std::iter::from_fn(move || {
            loop {
                let slot = next;
                next = self.next_slot(slot);
                match self.slots.read(slot, board) {
                    SlotContent::Free => return None,
                    SlotContent::Entry(entry) => return Some((slot, entry)),
                    SlotContent::Other => {}
                }
            }
        })
    }

    /// Probes a position at `depth` of a path, with `remaining` plies to the horizon.
    pub(super) fn probe(&self, key: NodeKey, depth: u16, remaining: u16) -> ProbeResult {
        let mut found = ProbeResult {
            value: NodeValue::open(1, 1),
            slot: NO_SLOT,
            parent: NO_SLOT,
            max_mask: 0,
            effort: 0,
            repeats: false,
            is_old: false,
        };
        let (mut pn, mut dn) = (1, 1);
        for (slot, entry) in self.entries(key.board) {
            let hand = entry.hand();
            // Whether the attacker has at least the hand of the entry, and whether at most.
            let (has_at_least, has_at_most) = (key.hand.covers(hand), hand.covers(key.hand));
            if !has_at_least && !has_at_most {
                continue;
            }
            let data = entry.data();
            if has_at_least && data.mates_within(remaining) {
                found.value = NodeValue::Mate { plies: data.mate - 1, hand };
                found.effort = data.effort;
                return found;
            }
            if has_at_most && data.has_no_mate_within(remaining) {
                found.value = disproof(data.no_mate, hand);
                found.effort = data.effort;
                return found;
            }
            let numbers = entry.numbers();
            let exact = has_at_least && has_at_most;
            if exact {
                found.slot = slot as u32;
                found.parent = entry.parent();
                found.max_mask = data.max_mask;
                found.effort = data.effort;
                found.repeats = entry.repeats();
                if depth < data.min_depth {
                    entry.update(|data| data.min_depth = data.min_depth.min(depth));
                }
            }
            // A position with more in hand is no harder to prove, one with less no harder to disprove. The
            // numbers of a deeper entry could lead the search in a circle.
            if exact || data.min_depth <= depth {
                let raised = has_at_most && numbers.0 > pn || has_at_least && numbers.1 > dn;
                pn = if has_at_most { pn.max(numbers.0) } else { pn };
                dn = if has_at_least { dn.max(numbers.1) } else { dn };
                found.is_old |= raised && data.min_depth < depth;
            }
        }
        found.value = NodeValue::open(pn, dn);
        found
    }

    /// The known bounds of the length of the mate in a position.
    pub(super) fn length_bounds(&self, key: NodeKey) -> LengthBounds {
        let LengthBounds { mut mate, mut no_mate } = LengthBounds::default();
        for (_, entry) in self.entries(key.board) {
            let (hand, data) = (entry.hand(), entry.data());
            if data.mate != 0 && key.hand.covers(hand) {
                let plies = data.mate - 1;
                mate = Some(mate.map_or(plies, |best: u16| best.min(plies)));
            }
            if data.no_mate != 0 && hand.covers(key.hand) {
                no_mate = no_mate.max(Some(disproved_within(data.no_mate)));
            }
        }
        LengthBounds { mate, no_mate }
    }

    /// The slot of a position, taken now if it has none; `None` if the region is full.
    pub(super) fn find_or_take(&self, key: NodeKey) -> Option<u32> {
        let mut slot = self.first_slot(key.board);
        loop {
            match self.slots.read(slot, key.board) {
                SlotContent::Free => return self.take(slot, key),
                SlotContent::Entry(entry) if entry.is_of(key) => return Some(slot as u32),
                _ => slot = self.next_slot(slot),
            }
        }
    }

    /// Takes a free slot, or the next one if another thread is faster.
    fn take(&self, mut slot: usize, key: NodeKey) -> Option<u32> {
        let used = &self.used[slot / self.region_slots];
        let taken = used.load(Ordering::Relaxed) as usize;
        if taken >= self.region_slots * CROWDED_LOAD / LOAD_SCALE {
            self.crowded.store(true, Ordering::Relaxed);
            if taken >= self.region_slots * FULL_LOAD / LOAD_SCALE {
                return None;
            }
        }
        while !self.slots.take(slot, key) {
            slot = self.next_slot(slot);
        }
        used.fetch_add(1, Ordering::Relaxed);
        Some(slot as u32)
    }

    /// Stores the numbers of an open position that was searched from `parent` at `depth`.
    pub(super) fn store_open(
        &self,
        slot: u32,
        (pn, dn): (u64, u64),
        (parent, depth): (u32, u16),
        (effort, max_mask): (u8, u16),
    ) {
        let entry = self.entry(slot);
        entry.set_numbers(pn, dn);
        entry.set_parent(parent);
        entry.update(|data| {
            data.min_depth = data.min_depth.min(depth);
            data.effort = data.effort.max(effort);
            data.max_mask = max_mask;
        });
    }

    /// Records that the value of a position depended on a repetition.
    pub(super) fn mark_repetition(&self, slot: u32) {
        self.entry(slot).mark_repetition();
    }

    /// Stores a mate or a disproof with its hand. A disproof must not depend on a repetition.
    pub(super) fn store_solved(&self, board: u64, value: NodeValue, effort: u8) {
        let (hand, mate, no_mate) = match value {
            NodeValue::Mate { plies, hand } => (hand, plies + 1, 0),
            NodeValue::NoMate { within, hand, .. } => (hand, 0, within.saturating_add(1)),
            NodeValue::Open { .. } => return,
        };
        let Some(slot) = self.find_or_take(NodeKey { board, hand }) else { return };
        self.entry(slot).update(|data| {
            if mate != 0 {
                data.mate = if data.mate == 0 { mate } else { data.mate.min(mate) };
            }
            data.no_mate = data.no_mate.max(no_mate);
            data.effort = data.effort.max(effort);
        });
    }

    /// The slot of the parent of an entry.
    pub(super) fn parent(&self, slot: u32) -> u32 {
        self.entry(slot).parent()
    }

    /// The position of an entry and its numbers. An entry that was found as the parent of another
    /// may be half written, so the result is a guess.
    pub(super) fn key_and_numbers(&self, slot: u32) -> (NodeKey, (u64, u64)) {
        let entry = self.entry(slot);
        (entry.key(), entry.numbers())
    }

    /// The entry of a taken slot.
    #[inline(always)]
    fn entry(&self, slot: u32) -> &ProofEntry {
        self.slots.entry(slot as usize)
    }

    /// Whether a slot lies in this table.
    pub(super) fn contains(&self, slot: u32) -> bool {
        (slot as usize) < self.slots.len()
    }
}

/// The counters of empty regions.
fn counters(regions: usize) -> Vec<AtomicU32> {
    (0..regions).map(|_| AtomicU32::new(0)).collect()
}

/// The disproof of an entry, from its code.
fn disproof(code: u16, hand: Hand) -> NodeValue {
    let within = disproved_within(code);
    NodeValue::NoMate { within, repetition_depth: NO_REPETITION, hand }
}

/// The plies within which there is no mate, from the code of a disproof.
fn disproved_within(code: u16) -> u16 {
    if code == u16::MAX { ANY_LENGTH } else { code - 1 }
}

#[cfg(test)]
mod tests;
