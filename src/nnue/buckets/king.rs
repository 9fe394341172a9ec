//! Buckets of king squares, from the perspective of the king's side: rank 8 is the back rank.

use crate::types::Square;

/// How the squares of a king are divided into buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KingPartition {
    /// One bucket.
    One,
    /// Thirds of the ranks.
    ThreeRanks,
    /// Ranks.
    NineRanks,
    /// Thirds of the ranks; the last third by ranks, its last two ranks by thirds of the files.
    NineZones,
    /// Ranks; the last two by thirds of the files.
    ThirteenZones,
    /// Thirds of the ranks; the last third by ranks, its last two ranks by squares.
    TwentyOne,
    /// Thirds of the ranks; the last third by squares.
    TwentyNine,
}

impl KingPartition {
    /// Number of buckets.
    pub(super) const fn count(self) -> usize {
        match self {
            KingPartition::One => 1,
            KingPartition::ThreeRanks => 3,
            KingPartition::NineRanks | KingPartition::NineZones => 9,
            KingPartition::ThirteenZones => 13,
            KingPartition::TwentyOne => 21,
            KingPartition::TwentyNine => 29,
        }
    }

    /// Whether mirrored squares always have the same bucket.
    pub(super) const fn is_mirror_symmetric(self) -> bool {
        match self {
            KingPartition::One | KingPartition::ThreeRanks | KingPartition::NineRanks => true,
            KingPartition::NineZones
            | KingPartition::ThirteenZones
            | KingPartition::TwentyOne
            | KingPartition::TwentyNine => false,
        }
    }

    /// The bucket of an oriented square.
    pub(super) const fn of(self, king: Square) -> usize {
        let (file, rank) = (king.file() as usize, king.rank() as usize);
        match self {
            KingPartition::One => 0,
            KingPartition::ThreeRanks => rank / 3,
            KingPartition::NineRanks => rank,
            KingPartition::NineZones => match rank {
                0..6 => rank / 3,
                6 => 2,
                _ => 3 + (rank - 7) * 3 + file / 3,
            },
            KingPartition::ThirteenZones => match rank {
                0..7 => rank,
                _ => 7 + (rank - 7) * 3 + file / 3,
            },
            KingPartition::TwentyOne => match rank {
                0..6 => rank / 3,
                6 => 2,
                _ => 3 + (rank - 7) * 9 + file,
            },
            KingPartition::TwentyNine => match rank {
                0..6 => rank / 3,
                _ => 2 + (rank - 6) * 9 + file,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_reached_and_none_beyond() {
        for buckets in [
            KingPartition::One,
            KingPartition::ThreeRanks,
            KingPartition::NineRanks,
            KingPartition::NineZones,
            KingPartition::ThirteenZones,
            KingPartition::TwentyOne,
            KingPartition::TwentyNine,
        ] {
            let mut found: Vec<usize> = Square::all().map(|king| buckets.of(king)).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, Vec::from_iter(0..buckets.count()), "{buckets:?}");
            let same = |king: Square| buckets.of(king) == buckets.of(king.mirrored());
            assert_eq!(buckets.is_mirror_symmetric(), Square::all().all(same), "{buckets:?}");
        }
    }

    #[test]
    fn squares_are_in_the_published_buckets() {
        let of = |partition: KingPartition, king: &str| partition.of(king.parse().unwrap());
        for (king, k3, k9, z9, z13, k21, k29) in [
            ("1a", 0, 0, 0, 0, 0, 0),
            ("9c", 0, 2, 0, 2, 0, 0),
            ("5d", 1, 3, 1, 3, 1, 1),
            ("8f", 1, 5, 1, 5, 1, 1),
            ("1g", 2, 6, 2, 6, 2, 2),
            ("9g", 2, 6, 2, 6, 2, 10),
            ("3h", 2, 7, 3, 7, 5, 13),
            ("4h", 2, 7, 4, 8, 6, 14),
            ("8h", 2, 7, 5, 9, 10, 18),
            ("2i", 2, 8, 6, 10, 13, 21),
            ("5i", 2, 8, 7, 11, 16, 24),
            ("9i", 2, 8, 8, 12, 20, 28),
        ] {
            let found = (
                of(KingPartition::ThreeRanks, king),
                of(KingPartition::NineRanks, king),
                of(KingPartition::NineZones, king),
                of(KingPartition::ThirteenZones, king),
                of(KingPartition::TwentyOne, king),
                of(KingPartition::TwentyNine, king),
            );
            assert_eq!(found, (k3, k9, z9, z13, k21, k29), "{king}");
        }
    }
}
