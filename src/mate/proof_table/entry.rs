//! An entry of the proof table, packed in four atomic words, and the changes that threads may make
//! to it at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::mate::node_key::NodeKey;
use crate::mate::node_value::INFINITE;
use crate::types::Hand;

/// The entry of a position.
///
/// Board and hand are written once, by the thread that takes the slot, before others read them, and change
/// only while all threads are paused. Mates and disproofs are only ever added. So an entry is true of its
/// position in whatever order threads write.
#[derive(Debug, Zeroable)]
#[repr(C, align(32))]
pub(super) struct ProofEntry {
    /// The board's key.
    board: AtomicU64,
    /// The hand and [`REPEATS`] in the lower half, the parent's slot in the upper.
    hand_and_parent: AtomicU64,
    /// The proof number in the lower half, the disproof number in the upper.
    numbers: AtomicU64,
    /// [`EntryData`].
    data: AtomicU64,
}

/// Flag: the value of this position depended on a repetition on some path.
const REPEATS: u64 = 1 << 29;
const HAND: u64 = (1 << 28) - 1;

/// No slot.
pub(in crate::mate) const NO_SLOT: u32 = u32::MAX;

/// The rest of an entry, packed in one word of 16, 16, 12, 8 and 12 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryData {
    /// Plies to a mate plus one; 0 if none is known.
    pub(super) mate: u16,
    /// Plies within which there is no mate plus one; 0 if unknown.
    pub(super) no_mate: u16,
    /// The least depth at which the position was searched.
    pub(super) min_depth: u16,
    /// The nodes spent on the position, as an [`effort_code`].
    pub(super) effort: u8,
    /// The children that count by their maximum, as in `Child`.
    pub(super) max_mask: u16,
}

const MAX_DEPTH: u16 = (1 << 12) - 1;

impl EntryData {
    const NEW: EntryData =
        EntryData { mate: 0, no_mate: 0, min_depth: MAX_DEPTH, effort: 0, max_mask: 0 };

    fn pack(self) -> u64 {
        u64::from(self.mate)
            | u64::from(self.no_mate) << 16
            | u64::from(self.min_depth.min(MAX_DEPTH)) << 32
            | u64::from(self.effort) << 44
            | u64::from(self.max_mask & 0xfff) << 52
    }

    fn unpack(word: u64) -> EntryData {
        EntryData {
            mate: word as u16,
            no_mate: (word >> 16) as u16,
            min_depth: (word >> 32) as u16 & MAX_DEPTH,
            effort: (word >> 44) as u8,
            max_mask: (word >> 52) as u16,
        }
    }

    /// Whether a mate within `plies` plies is known.
    pub(super) fn mates_within(self, plies: u16) -> bool {
        self.mate != 0 && self.mate - 1 <= plies
    }

    /// Whether it is known that there is no mate within `plies` plies.
    pub(super) fn has_no_mate_within(self, plies: u16) -> bool {
        self.no_mate != 0 && u32::from(self.no_mate) > u32::from(plies)
    }
}

impl ProofEntry {
    #[inline(always)]
    pub(super) fn board(&self) -> u64 {
        self.board.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn hand(&self) -> Hand {
        Hand::from_bits((self.hand_and_parent.load(Ordering::Relaxed) & HAND) as u32)
    }

    #[inline(always)]
    pub(super) fn key(&self) -> NodeKey {
        NodeKey { board: self.board(), hand: self.hand() }
    }

    /// Makes this the entry of an unknown position.
    pub(super) fn reset(&self, key: NodeKey) {
        let hand = u64::from(key.hand.bits()) | u64::from(NO_SLOT) << 32;
        self.set_words([key.board, hand, pack_numbers(1, 1), EntryData::NEW.pack()]);
    }

    #[inline(always)]
    pub(super) fn is_of(&self, key: NodeKey) -> bool {
        self.key() == key
    }

    #[inline(always)]
    pub(super) fn repeats(&self) -> bool {
        self.hand_and_parent.load(Ordering::Relaxed) & REPEATS != 0
    }

    /// Records a repetition and resets the numbers, which are wrong on other paths.
    pub(super) fn mark_repetition(&self) {
        self.hand_and_parent.fetch_or(REPEATS, Ordering::Relaxed);
        self.numbers.store(pack_numbers(1, 1), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn parent(&self) -> u32 {
        (self.hand_and_parent.load(Ordering::Relaxed) >> 32) as u32
    }

    pub(super) fn set_parent(&self, slot: u32) {
        let old = self.hand_and_parent.load(Ordering::Relaxed);
        if (old >> 32) as u32 != slot {
            let new = old & u64::from(u32::MAX) | u64::from(slot) << 32;
            let relaxed = Ordering::Relaxed;
            // If another thread was faster, its parent serves as well.
            let _ = self.hand_and_parent.compare_exchange(old, new, relaxed, relaxed);
        }
    }

    /// Proof and disproof number.
    #[inline(always)]
    pub(super) fn numbers(&self) -> (u64, u64) {
        let word = self.numbers.load(Ordering::Relaxed);
        (unpack_number(word as u32), unpack_number((word >> 32) as u32))
    }

    pub(super) fn set_numbers(&self, pn: u64, dn: u64) {
        self.numbers.store(pack_numbers(pn, dn), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn data(&self) -> EntryData {
        EntryData::unpack(self.data.load(Ordering::Relaxed))
    }

    /// Changes the data atomically, so that a concurrent change is not lost.
    pub(super) fn update(&self, change: impl Fn(&mut EntryData)) {
        let changed = |word| {
            let mut data = EntryData::unpack(word);
            change(&mut data);
            Some(data.pack())
        };
        let _ = self.data.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
    }

    /// The words, to move an entry while all threads are paused.
    pub(super) fn words(&self) -> [u64; 4] {
        [&self.board, &self.hand_and_parent, &self.numbers, &self.data]
            .map(|word| word.load(Ordering::Relaxed))
    }

    pub(super) fn set_words(&self, words: [u64; 4]) {
        let own = [&self.board, &self.hand_and_parent, &self.numbers, &self.data];
        own.into_iter().zip(words).for_each(|(word, new)| word.store(new, Ordering::Relaxed));
    }
}

/// A node count as a logarithmic code with eight steps to an octave.
pub(in crate::mate) fn effort_code(nodes: u64) -> u8 {
    if nodes < 8 {
        return nodes as u8;
    }
    let octave = nodes.ilog2();
    ((octave - 2) * 8 + (nodes >> (octave - 3)) as u32 - 8).min(255) as u8
}

/// The approximate node count of this code.
pub(in crate::mate) fn effort_of(code: u8) -> u64 {
    if code < 8 {
        return u64::from(code);
    }
    let (octave, step) = (u32::from(code) / 8 + 2, u64::from(code) % 8);
    (8 + step) << (octave - 3)
}

/// Mantissa bits of a packed number. Numbers below this power of two are exact.
const MANTISSA: u32 = 26;

/// A number as a float of 32 bits. Above 2^26 it is rounded up by less than one in ten million.
fn pack_number(value: u64) -> u32 {
    let value = value.min(INFINITE);
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(MANTISSA);
    let mut mantissa = value >> shift;
    let mut shift = shift;
    if mantissa << shift < value {
        mantissa += 1;
        if mantissa >> MANTISSA != 0 {
            mantissa >>= 1;
            shift += 1;
        }
    }
    mantissa as u32 | shift << MANTISSA
}

fn unpack_number(packed: u32) -> u64 {
    (u64::from(packed) & ((1 << MANTISSA) - 1)) << (packed >> MANTISSA)
}

fn pack_numbers(pn: u64, dn: u64) -> u64 {
    u64::from(pack_number(pn)) | u64::from(pack_number(dn)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_exact_and_large_ones_nearly_so() {
        for value in [0, 1, 77, (1 << 26) - 1, 1 << 26, 1 << 40, INFINITE] {
            assert_eq!(unpack_number(pack_number(value)), value);
        }
        for value in [(1u64 << 26) + 1, (1 << 40) - 1, INFINITE - 1, 123_456_789_012_345] {
            let kept = unpack_number(pack_number(value));
            assert!(kept >= value && kept - value <= value >> 25, "{value} {kept}");
        }
    }

    #[test]
    fn effort_codes_grow_with_the_effort() {
        let mut last = 0;
        for nodes in (0..100_000u64).chain([1 << 20, 1 << 30, 1 << 33]) {
            let code = effort_code(nodes);
            assert!(code >= last, "{nodes}");
            last = code;
            let about = effort_of(code);
            assert!(about <= nodes && about >= nodes - nodes / 8, "{nodes} {about}");
        }
        assert_eq!(effort_code(u64::MAX), 255);
    }

    #[test]
    fn the_data_survives_packing() {
        let data =
            EntryData { mate: 1526, no_mate: 65535, min_depth: 4095, effort: 255, max_mask: 0xabc };
        assert_eq!(EntryData::unpack(data.pack()), data);
        assert_eq!(EntryData::unpack(EntryData::NEW.pack()), EntryData::NEW);
    }
}
