//! Pieces in hand, packed into one word.

use std::fmt;

use super::piece::PieceKind;

/// A hand: one bit field per kind, each with a spare bit above it, so that one subtraction compares two
/// hands (the idea is Apery's).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Hand(u32);

const SHIFT: [u32; 8] = [0, 0, 6, 10, 14, 18, 21, 24];
const WIDTH_MASK: [u32; 8] = [0, 31, 7, 7, 7, 3, 3, 7];
/// The spare bit above each field.
const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27;

impl Hand {
    pub const EMPTY: Hand = Hand(0);

    /// How many pieces of a kind (pawn to gold) it holds.
    #[inline(always)]
    pub const fn count(self, kind: PieceKind) -> u32 {
        (self.0 >> SHIFT[kind.index() & 7]) & WIDTH_MASK[kind.index() & 7]
    }

    #[inline(always)]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of pieces of all kinds.
    pub fn total(self) -> u32 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Adds one piece. The count must stay within the set.
    #[inline(always)]
    pub const fn add(&mut self, kind: PieceKind) {
        self.0 += 1 << SHIFT[kind.index()];
    }

    /// Adds pieces. `None` if no hand holds this kind, or if a set does not have that many; then nothing changes.
    #[must_use]
    pub fn try_add(&mut self, kind: PieceKind, count: u32) -> Option<()> {
        let count = self.count(kind).saturating_add(count);
        if !kind.can_be_held() || count > kind.set_size() {
            return None;
        }
        *self = self.with(kind, count);
        Some(())
    }

    /// Removes one piece. There must be one.
    #[inline(always)]
    pub const fn remove(&mut self, kind: PieceKind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind.index()];
    }

    /// Whether it holds at least as many of every kind as `other`, that is, is equal or superior (優等).
    #[inline(always)]
    pub const fn covers(self, other: Hand) -> bool {
        self.0.wrapping_sub(other.0) & SPARE == 0
    }

    /// All pieces of a set that a hand can hold.
    pub const FULL: Hand = {
        let mut hand = Hand::EMPTY;
        let mut index = 0;
        while index < PieceKind::HAND.len() {
            let kind = PieceKind::HAND[index];
            hand.0 |= kind.set_size() << SHIFT[kind.index()];
            index += 1;
        }
        hand
    };

    /// The hand with this count of a kind, which must be within the set.
    #[inline(always)]
    pub const fn with(self, kind: PieceKind, count: u32) -> Hand {
        debug_assert!(count <= kind.set_size());
        let shift = SHIFT[kind.index() & 7];
        Hand(self.0 & !(WIDTH_MASK[kind.index() & 7] << shift) | count << shift)
    }

    /// The larger count of each kind.
    #[inline(always)]
    pub const fn union(self, other: Hand) -> Hand {
        let larger = self.fields_at_least(other);
        Hand(self.0 & larger | other.0 & !larger)
    }

    /// The smaller count of each kind.
    #[inline(always)]
    pub const fn intersection(self, other: Hand) -> Hand {
        let larger = self.fields_at_least(other);
        Hand(other.0 & larger | self.0 & !larger)
    }

    /// A mask of the fields that are at least those of `other`.
    #[inline(always)]
    const fn fields_at_least(self, other: Hand) -> u32 {
        // A spare bit stays set unless the field below it borrows.
        let kept = ((self.0 | SPARE) - other.0) & SPARE;
        let mut mask = 0;
        let mut index = 1;
        while index < 8 {
            let width = WIDTH_MASK[index];
            let spare = (width + 1) << SHIFT[index];
            if kept & spare != 0 {
                mask |= width << SHIFT[index];
            }
            index += 1;
        }
        mask
    }

    /// The packed word: bits 28 and above are never set.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand of this word, which must come from [`Hand::bits`].
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Hand {
        Hand(bits)
    }

    /// The kinds with their counts, least valuable first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (PieceKind, u32)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_full_hand_do_not_overlap() {
        let mut hand = Hand::EMPTY;
        for kind in PieceKind::HAND {
            for n in 0..kind.set_size() {
                assert_eq!(hand.count(kind), n);
                hand.add(kind);
            }
        }
        for kind in PieceKind::HAND {
            assert_eq!(hand.count(kind), kind.set_size());
        }
    }

    #[test]
    fn a_hand_takes_no_more_pieces_than_a_set_has() {
        let mut hand = Hand::EMPTY;
        for kind in PieceKind::ALL {
            let fits = kind.can_be_held().then_some(());
            let before = hand;
            assert_eq!(hand.try_add(kind, kind.set_size() + 1), None, "{kind:?}");
            assert_eq!(hand.try_add(kind, u32::MAX), None, "{kind:?}");
            assert_eq!(hand, before);
            assert_eq!(hand.try_add(kind, kind.set_size()), fits, "{kind:?}");
            assert_eq!(hand.try_add(kind, 1), None, "{kind:?}");
        }
        assert_eq!(hand, Hand::FULL);
    }

    #[test]
    fn union_and_intersection_take_every_kind_by_itself() {
        let (mut some, mut others) = (Hand::EMPTY, Hand::EMPTY);
        for (index, kind) in PieceKind::HAND.into_iter().enumerate() {
            some = some.with(kind, (index as u32 + 1) % (kind.set_size() + 1));
            others = others.with(kind, (index as u32 * 3) % (kind.set_size() + 1));
        }
        let (union, intersection) = (some.union(others), some.intersection(others));
        for kind in PieceKind::HAND {
            let counts = (some.count(kind), others.count(kind));
            assert_eq!(union.count(kind), counts.0.max(counts.1), "{kind:?}");
            assert_eq!(intersection.count(kind), counts.0.min(counts.1), "{kind:?}");
            assert_eq!(Hand::FULL.count(kind), kind.set_size());
        }
        assert!(Hand::FULL.covers(union) && union.covers(intersection));
        assert_eq!(Hand::from_bits(union.bits()), union);
    }

    #[test]
    fn covers_compares_every_kind() {
        for kind in PieceKind::HAND {
            let mut one = Hand::EMPTY;
            one.add(kind);
            assert!(one.covers(Hand::EMPTY) && one.covers(one));
            assert!(!Hand::EMPTY.covers(one));
            for other in PieceKind::HAND.into_iter().filter(|&other| other != kind) {
                let mut hand = Hand::EMPTY;
                hand.add(other);
                assert!(!hand.covers(one), "{other:?} does not cover {kind:?}");
            }
        }
    }
}
