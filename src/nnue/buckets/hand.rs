//! Buckets of the pieces that a side has in hand.

use crate::types::{Hand, PieceKind};

/// How hands are divided into buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandPartition {
    /// One bucket.
    One,
    /// One bit per group of kinds, from the lowest: whether the hand has a piece of the group.
    Groups(&'static [&'static [PieceKind]]),
    /// Eight ranges of a sum of points.
    Points,
}

use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};

impl HandPartition {
    pub(super) const HAND_4: HandPartition = HandPartition::Groups(&[&[Bishop]]);
    pub(super) const HAND_16: HandPartition = HandPartition::Groups(&[&[Pawn], &[Bishop]]);
    pub(super) const HAND_64: HandPartition =
        HandPartition::Groups(&[&[Pawn, Lance, Knight], &[Silver, Gold, Rook], &[Bishop]]);
    pub(super) const HAND_256: HandPartition =
        HandPartition::Groups(&[&[Pawn, Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]]);
    pub(super) const HAND_1024: HandPartition =
        HandPartition::Groups(&[&[Pawn], &[Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]]);

    /// Number of buckets of one hand.
    pub(super) const fn count(self) -> usize {
        match self {
            HandPartition::One => 1,
            HandPartition::Groups(groups) => 1 << groups.len(),
            HandPartition::Points => 8,
        }
    }

    /// The bucket of a hand.
    pub(super) fn of(self, hand: Hand) -> usize {
        match self {
            HandPartition::One => 0,
            HandPartition::Groups(groups) => {
                let bit = |(i, group): (usize, &&[PieceKind])| {
                    usize::from(group.iter().any(|&kind| hand.has(kind))) << i
                };
                groups.iter().enumerate().map(bit).sum()
            }
            HandPartition::Points => (points(hand).div_ceil(4) as usize).min(7),
        }
    }
}

fn points(hand: Hand) -> u32 {
    let count = |kind| hand.count(kind);
    count(Pawn)
        + 2 * (count(Lance) + count(Knight))
        + 3 * (count(Silver) + count(Gold))
        + 5 * (count(Bishop) + count(Rook))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(kinds: &[PieceKind]) -> Hand {
        let mut hand = Hand::EMPTY;
        kinds.iter().for_each(|&kind| hand.add(kind));
        hand
    }

    #[test]
    fn hands_are_in_the_published_buckets() {
        for (kinds, h4, h16, h64, h256, h1024, points) in [
            (&[][..], 0, 0, 0, 0, 0, 0),
            (&[Pawn], 0, 1, 1, 1, 1, 1),
            (&[Knight, Knight], 0, 0, 1, 1, 2, 1),
            (&[Gold, Lance], 0, 0, 3, 3, 6, 2),
            (&[Silver], 0, 0, 2, 2, 4, 1),
            (&[Bishop], 1, 2, 4, 4, 8, 2),
            (&[Rook, Gold], 0, 0, 2, 10, 20, 2),
            (&[Pawn, Lance, Silver, Bishop, Rook], 1, 3, 7, 15, 31, 4),
            (&[Rook, Rook, Bishop, Bishop, Gold], 1, 2, 6, 14, 28, 6),
            (&[Rook, Rook, Bishop, Bishop, Gold, Gold], 1, 2, 6, 14, 28, 7),
        ] {
            let hand = hand(kinds);
            let found = (
                HandPartition::HAND_4.of(hand),
                HandPartition::HAND_16.of(hand),
                HandPartition::HAND_64.of(hand),
                HandPartition::HAND_256.of(hand),
                HandPartition::HAND_1024.of(hand),
                HandPartition::Points.of(hand),
            );
            assert_eq!(found, (h4, h16, h64, h256, h1024, points), "{kinds:?}");
        }
    }

    #[test]
    fn a_hand_of_everything_is_in_the_last_bucket() {
        let all = PieceKind::HAND.map(|kind| vec![kind; kind.set_size() as usize]).concat();
        let all = hand(&all);
        let every = [
            HandPartition::One,
            HandPartition::HAND_4,
            HandPartition::HAND_16,
            HandPartition::HAND_64,
            HandPartition::HAND_256,
            HandPartition::HAND_1024,
            HandPartition::Points,
        ];
        assert_eq!(every.map(HandPartition::count), [1, 2, 4, 8, 16, 32, 8]);
        for buckets in every {
            assert_eq!(buckets.of(all), buckets.count() - 1, "{buckets:?}");
        }
    }
}
