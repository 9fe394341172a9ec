//! One entry of the solver's table, in four words. It owns the packing and what threads that share
//! an entry may do to it; it must not know where entries lie.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::Key;
use crate::mate::value::INFINITE;
use crate::types::Hand;

/// What is kept of a position.
///
/// Board and hand are written once, by whoever takes the slot, before others read them, and stay
/// until all threads rest. So what is said of mates and refutations, which only ever grows, is said
/// of this position whichever thread writes when.
#[derive(Debug, Zeroable)]
#[repr(C, align(32))]
pub(super) struct Entry {
    /// The board's key.
    board: AtomicU64,
    /// The hand and [`REPEATS`] below, the slot of the parent above.
    place: AtomicU64,
    /// Proof number below, disproof number above.
    numbers: AtomicU64,
    record: AtomicU64,
}

/// Some path to this position ended in a repetition.
const REPEATS: u64 = 1 << 29;
const HAND: u64 = (1 << 28) - 1;

/// "No parent" among slots.
pub(in crate::mate) const NO_SLOT: u32 = u32::MAX;

/// The rest of an entry, packed in one word: 16, 16, 12, 8 and 12 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Plies to a mate and one; zero for none known.
    pub(super) mate: u16,
    /// Plies within which there is no mate and one; zero for none known.
    pub(super) no_mate: u16,
    /// The least depth at which it was met.
    pub(super) depth: u16,
    /// The effort of finding this out, as [`effort_code`].
    pub(super) effort: u8,
    /// The children that count by their maximum, as in `Child`.
    pub(super) maxed: u16,
}

const DEEPEST: u16 = (1 << 12) - 1;

impl Record {
    const NEW: Record = Record { mate: 0, no_mate: 0, depth: DEEPEST, effort: 0, maxed: 0 };

    fn pack(self) -> u64 {
        u64::from(self.mate)
            | u64::from(self.no_mate) << 16
            | u64::from(self.depth.min(DEEPEST)) << 32
            | u64::from(self.effort) << 44
            | u64::from(self.maxed & 0xfff) << 52
    }

    fn unpack(word: u64) -> Record {
        Record {
            mate: word as u16,
            no_mate: (word >> 16) as u16,
            depth: (word >> 32) as u16 & DEEPEST,
            effort: (word >> 44) as u8,
            maxed: (word >> 52) as u16,
        }
    }

    /// Whether there is a mate in so many plies or fewer.
    pub(super) fn mates_within(self, plies: u16) -> bool {
        self.mate != 0 && self.mate - 1 <= plies
    }

    /// Whether there is no mate in so many plies.
    pub(super) fn refutes(self, plies: u16) -> bool {
        self.no_mate != 0 && u32::from(self.no_mate) > u32::from(plies)
    }
}

impl Entry {
    #[inline(always)]
    pub(super) fn board(&self) -> u64 {
        self.board.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn hand(&self) -> Hand {
        Hand::from_bits((self.place.load(Ordering::Relaxed) & HAND) as u32)
    }

    #[inline(always)]
    pub(super) fn key(&self) -> Key {
        Key { board: self.board(), hand: self.hand() }
    }

    /// Makes it the entry of a position of which nothing is known.
    pub(super) fn begin(&self, key: Key) {
        let place = u64::from(key.hand.bits()) | u64::from(NO_SLOT) << 32;
        self.set_words([key.board, place, pack_numbers(1, 1), Record::NEW.pack()]);
    }

    #[inline(always)]
    pub(super) fn is_of(&self, key: Key) -> bool {
        self.key() == key
    }

    #[inline(always)]
    pub(super) fn repeats(&self) -> bool {
        self.place.load(Ordering::Relaxed) & REPEATS != 0
    }

    /// Notes a repetition. Numbers found on the way to one are not to be trusted.
    pub(super) fn note_repetition(&self) {
        self.place.fetch_or(REPEATS, Ordering::Relaxed);
        self.numbers.store(pack_numbers(1, 1), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn parent(&self) -> u32 {
        (self.place.load(Ordering::Relaxed) >> 32) as u32
    }

    pub(super) fn set_parent(&self, slot: u32) {
        let place = self.place.load(Ordering::Relaxed);
        if (place >> 32) as u32 != slot {
            let new = place & u64::from(u32::MAX) | u64::from(slot) << 32;
            // Whoever comes second has as good a parent to tell.
            let _ = self.place.compare_exchange(place, new, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Proof and disproof number.
    #[inline(always)]
    pub(super) fn numbers(&self) -> (u64, u64) {
        let word = self.numbers.load(Ordering::Relaxed);
        (number(word as u32), number((word >> 32) as u32))
    }

    pub(super) fn set_numbers(&self, pn: u64, dn: u64) {
        self.numbers.store(pack_numbers(pn, dn), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn record(&self) -> Record {
        Record::unpack(self.record.load(Ordering::Relaxed))
    }

    /// Changes the record; what another thread has changed meanwhile is not lost.
    pub(super) fn update(&self, change: impl Fn(&mut Record)) {
        let changed = |word| {
            let mut record = Record::unpack(word);
            change(&mut record);
            Some(record.pack())
        };
        let _ = self.record.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
    }

    /// The words, for moving an entry while all threads rest.
    pub(super) fn words(&self) -> [u64; 4] {
        [&self.board, &self.place, &self.numbers, &self.record]
            .map(|word| word.load(Ordering::Relaxed))
    }

    pub(super) fn set_words(&self, words: [u64; 4]) {
        let own = [&self.board, &self.place, &self.numbers, &self.record];
        own.into_iter().zip(words).for_each(|(word, new)| word.store(new, Ordering::Relaxed));
    }
}

/// Positions searched as a code that grows with them: eight steps to an octave.
pub(in crate::mate) fn effort_code(nodes: u64) -> u8 {
    if nodes < 8 {
        return nodes as u8;
    }
    let octave = nodes.ilog2();
    ((octave - 2) * 8 + (nodes >> (octave - 3)) as u32 - 8).min(255) as u8
}

/// About the number of positions with this code.
pub(in crate::mate) fn effort_of(code: u8) -> u64 {
    if code < 8 {
        return u64::from(code);
    }
    let (octave, step) = (u32::from(code) / 8 + 2, u64::from(code) % 8);
    (8 + step) << (octave - 3)
}

/// Mantissa bits of a packed number: numbers below this power of two are kept exactly.
const MANTISSA: u32 = 26;

/// A number in 32 bits; above 2^26 it is rounded up, by less than a part in ten million.
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

fn number(packed: u32) -> u64 {
    (u64::from(packed) & ((1 << MANTISSA) - 1)) << (packed >> MANTISSA)
}

fn pack_numbers(pn: u64, dn: u64) -> u64 {
    u64::from(pack_number(pn)) | u64::from(pack_number(dn)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_exactly_while_small_and_nearly_when_large() {
        for value in [0, 1, 77, (1 << 26) - 1, 1 << 26, 1 << 40, INFINITE] {
            assert_eq!(number(pack_number(value)), value);
        }
        for value in [(1u64 << 26) + 1, (1 << 40) - 1, INFINITE - 1, 123_456_789_012_345] {
            let kept = number(pack_number(value));
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
    fn a_record_survives_packing() {
        let record = Record { mate: 1526, no_mate: 65535, depth: 4095, effort: 255, maxed: 0xabc };
        assert_eq!(Record::unpack(record.pack()), record);
        assert_eq!(Record::unpack(Record::NEW.pack()), Record::NEW);
    }
}
