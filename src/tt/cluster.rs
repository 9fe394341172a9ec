//! One cache line of the table: four entries in atomic words, guarded against tearing. Finds the entry
//! of a key and the entry to replace.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::entry::{Generation, Packed, TtEntry};

/// Entries in a cluster.
pub(super) const WAYS: usize = 4;

/// Four entries on one cache line.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Cluster {
    ways: [Way; WAYS],
}

/// One entry. The first word is the key XORed with the second word: halves of different writes match no
/// real key (except with a probability of 2^-64), so relaxed ordering is enough.
#[derive(Debug, Zeroable)]
#[repr(C)]
struct Way {
    guard: AtomicU64,
    data: AtomicU64,
}

impl Cluster {
    /// The entry of `key` and its index.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<(usize, Packed)> {
        self.ways.iter().enumerate().find_map(|(number, way)| Some((number, way.load(key)?)))
    }

    /// The index of the entry to replace.
    #[inline]
    pub(super) fn victim(&self, current: Generation) -> usize {
        let mut victim = (i32::MAX, 0);
        for (number, way) in self.ways.iter().enumerate() {
            let value = way.packed().replacement_value(current);
            if value < victim.0 {
                victim = (value, number);
            }
        }
        victim.1
    }

    /// Stores `entry` for `key`, merged with an old entry of the same position.
    #[inline]
    pub(super) fn store(&self, way: usize, key: u64, entry: TtEntry, current: Generation) {
        let new = Packed::new(entry, current);
        let way = &self.ways[way];
        way.write(key, way.load(key).map_or(new, |old| old.merged(new)));
    }

    /// The number of entries of this generation.
    pub(super) fn count(&self, generation: Generation) -> usize {
        let of_generation =
            |way: &&Way| !way.packed().is_empty() && way.packed().generation() == generation;
        self.ways.iter().filter(of_generation).count()
    }

    pub(super) fn clear(&self) {
        for way in &self.ways {
            way.guard.store(0, Relaxed);
            way.data.store(0, Relaxed);
        }
    }
}

impl Way {
    /// The entry, if it is not torn and belongs to `key`.
    #[inline(always)]
    fn load(&self, key: u64) -> Option<Packed> {
        let packed = self.packed();
        (self.guard.load(Relaxed) ^ packed.0 == key && !packed.is_empty()).then_some(packed)
    }

    /// The data of any position.
    #[inline(always)]
    fn packed(&self) -> Packed {
        Packed(self.data.load(Relaxed))
    }

    #[inline(always)]
    fn write(&self, key: u64, packed: Packed) {
        self.guard.store(key ^ packed.0, Relaxed);
        self.data.store(packed.0, Relaxed);
    }
}

#[cfg(test)]
impl Cluster {
    /// Whether all bits are zero, as in a new table.
    pub(super) fn is_zero(&self) -> bool {
        self.ways.iter().all(|way| way.guard.load(Relaxed) | way.data.load(Relaxed) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::PLAIN;
    use super::*;
    use crate::types::{Bound, Score};

    const NOW: Generation = Generation::of(3);
    const KEYS: [u64; 6] = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
        0x082e_fa98_ec4e_6c89,
        0x4528_21e6_38d0_1377,
        0xbe54_66cf_34e9_0c6c,
    ];

    fn deep(depth: i32) -> TtEntry {
        TtEntry { depth, ..PLAIN }
    }

    fn empty() -> Cluster {
        Cluster::zeroed()
    }

    /// Stores as the search does.
    fn put(cluster: &Cluster, key: u64, entry: TtEntry, now: Generation) {
        let way = cluster.find(key).map_or_else(|| cluster.victim(now), |(way, _)| way);
        cluster.store(way, key, entry, now);
    }

    fn depth_of(cluster: &Cluster, key: u64) -> Option<i32> {
        cluster.find(key).map(|(_, packed)| packed.entry().depth)
    }

    #[test]
    fn a_cluster_is_one_cache_line() {
        assert_eq!((size_of::<Cluster>(), align_of::<Cluster>()), (64, 64));
    }

    #[test]
    fn an_empty_cluster_holds_nothing_not_even_for_key_zero() {
        for key in [0, 1, KEYS[0]] {
            assert_eq!(empty().find(key), None);
        }
    }

    #[test]
    fn key_zero_is_a_key_like_any_other() {
        let cluster = empty();
        put(&cluster, 0, deep(5), NOW);
        assert_eq!(depth_of(&cluster, 0), Some(5));
    }

    #[test]
    fn four_positions_fit_and_a_fifth_displaces_the_shallowest() {
        let cluster = empty();
        for (key, depth) in KEYS.into_iter().zip([7, 3, 9, 5]) {
            put(&cluster, key, deep(depth), NOW);
        }
        put(&cluster, KEYS[4], deep(1), NOW);
        let depths = KEYS.map(|key| depth_of(&cluster, key));
        assert_eq!(depths, [Some(7), None, Some(9), Some(5), Some(1), None]);
    }

    #[test]
    fn an_old_entry_goes_before_a_shallow_one() {
        let cluster = empty();
        put(&cluster, KEYS[0], deep(9), Generation::of(1));
        for key in &KEYS[1..4] {
            put(&cluster, *key, deep(0), NOW);
        }
        put(&cluster, KEYS[4], deep(-2), NOW);
        assert_eq!(depth_of(&cluster, KEYS[0]), None);
        assert_eq!(depth_of(&cluster, KEYS[4]), Some(-2));
    }

    #[test]
    fn another_position_replaces_the_entry_at_any_depth_with_its_own_move() {
        let cluster = empty();
        let old = TtEntry { mv: "7g7f".parse().unwrap(), ..deep(20) };
        cluster.store(0, KEYS[0], old, NOW);
        cluster.store(0, KEYS[1], deep(1), NOW);
        assert_eq!(cluster.find(KEYS[0]), None);
        assert_eq!(cluster.find(KEYS[1]).unwrap().1.entry(), deep(1));
    }

    #[test]
    fn words_of_two_different_writes_match_no_key() {
        let (first, second) = (deep(6), TtEntry { score: Score(77), ..deep(7) });
        let way = |key, entry| {
            let cluster = empty();
            cluster.store(0, key, entry, NOW);
            let [way, ..] = cluster.ways;
            way
        };
        // Of two positions, and of one position before and after an update.
        for (one, two) in [(KEYS[0], KEYS[1]), (KEYS[0], KEYS[0])] {
            let (a, b) = (way(one, first), way(two, second));
            assert!(a.load(one).is_some() && b.load(two).is_some());
            for torn in [Way { guard: a.guard, data: b.data }, Way { guard: b.guard, data: a.data }]
            {
                assert_eq!(torn.load(one), None);
                assert_eq!(torn.load(two), None);
            }
        }
    }

    #[test]
    fn a_half_cleared_entry_matches_no_key() {
        for half in [0, 1] {
            let cluster = empty();
            cluster.store(0, KEYS[0], PLAIN, NOW);
            let way = &cluster.ways[0];
            if half == 0 { &way.guard } else { &way.data }.store(0, Relaxed);
            assert_eq!(cluster.find(KEYS[0]), None);
        }
    }

    #[test]
    fn only_entries_of_the_generation_are_counted() {
        let cluster = empty();
        assert_eq!(cluster.count(Generation::of(0)), 0);
        put(&cluster, KEYS[0], PLAIN, Generation::of(0));
        put(&cluster, KEYS[1], TtEntry { bound: Bound::Exact, ..PLAIN }, NOW);
        put(&cluster, KEYS[2], PLAIN, NOW);
        assert_eq!((cluster.count(Generation::of(0)), cluster.count(NOW)), (1, 2));
    }

    #[test]
    fn a_cleared_cluster_is_empty() {
        let cluster = empty();
        KEYS.iter().for_each(|&key| put(&cluster, key, PLAIN, NOW));
        cluster.clear();
        assert_eq!(KEYS.map(|key| cluster.find(key)), [None; 6]);
        assert_eq!(cluster.count(NOW), 0);
    }
}
