//! The table as its users see it: lookups, replacement, and concurrent use.

use std::collections::HashSet;

use proptest::prelude::*;

use super::super::entry::tests::PLAIN;
use super::*;
use crate::types::{Bound, Move, Score, mix64};

const KEY: u64 = 0x9e37_79b9_7f4a_7c15;

/// The n-th number of the generator that starts at 0.
fn key(n: u64) -> u64 {
    mix64(n.wrapping_add(1).wrapping_mul(KEY))
}

fn put(table: &TranspositionTable, key: u64, entry: TtEntry) {
    table.store(table.probe(key).slot, entry);
}

fn fill(table: &TranspositionTable, keys: std::ops::Range<u64>) {
    keys.for_each(|n| put(table, key(n), PLAIN));
}

fn entries(table: &TranspositionTable) -> u64 {
    (table.clusters.len() * WAYS) as u64
}

#[test]
fn a_stored_entry_is_found_and_no_other() {
    let table = TranspositionTable::new(1).unwrap();
    assert!(table.probe(KEY).hit.is_none());
    put(&table, KEY, PLAIN);
    assert_eq!(table.probe(KEY).hit, Some(PLAIN));
    for bit in 0..64 {
        assert!(table.probe(KEY ^ 1 << bit).hit.is_none(), "bit {bit} of the key");
    }
}

#[test]
fn any_number_of_mebibytes_makes_a_table_of_that_size() {
    for size_mib in [1, 2, 3, 5, 7, 17, 100] {
        let table = TranspositionTable::new(size_mib).unwrap();
        assert_eq!(table.size_mib(), size_mib);
        assert_eq!(size_of_val(&*table.clusters), size_mib << 20);
        for key in [0, 1, u64::MAX, u64::MAX - 1, KEY] {
            table.prefetch(key);
            put(&table, key, PLAIN);
            assert_eq!(table.probe(key).hit, Some(PLAIN), "{key:x} in {size_mib} MiB");
        }
    }
}

#[test]
fn every_cluster_of_an_odd_size_is_reached() {
    let table = TranspositionTable::new(3).unwrap();
    let mut met = vec![false; table.clusters.len()];
    (0..20 * met.len() as u64).for_each(|n| met[table.index(key(n))] = true);
    assert!(met.iter().all(|&met| met));
}

#[test]
fn positions_that_differ_in_the_side_to_move_alone_never_meet() {
    let table = TranspositionTable::new(3).unwrap();
    let clusters = |side| (0..10_000).map(move |n| key(n) & !1 | side);
    let black: HashSet<usize> = clusters(0).map(|key| table.index(key)).collect();
    assert!(clusters(1).all(|key| !black.contains(&table.index(key))));
}

#[test]
fn more_memory_than_there_can_be_is_refused() {
    for size_mib in [1 << 30, usize::MAX >> 20, usize::MAX] {
        let bytes = size_mib.saturating_mul(1 << 20);
        assert_eq!(TranspositionTable::new(size_mib).unwrap_err(), AllocationError { bytes });
    }
}

/// A system that grants at most `limit` MiB.
fn miser(limit: usize) -> impl Fn(usize) -> Result<TranspositionTable, AllocationError> {
    move |size_mib| {
        if size_mib > limit {
            Err(AllocationError { bytes: size_mib << 20 })
        } else {
            TranspositionTable::new(size_mib)
        }
    }
}

#[test]
fn a_table_that_is_granted_is_not_reported() {
    let (table, message) = TranspositionTable::with_fallback(3);
    assert_eq!((table.size_mib(), message), (3, None));
}

#[test]
fn after_a_refusal_half_of_what_is_granted_is_taken_and_reported() {
    let (table, message) = fall_back(100, miser(13));
    assert_eq!(table.size_mib(), 6);
    let message = message.unwrap();
    assert_eq!(
        message.en,
        "100 MiB for the transposition table were refused by the system; using 6 MiB instead"
    );
    put(&table, KEY, PLAIN);
    assert_eq!(table.probe(KEY).hit, Some(PLAIN));
}

#[test]
fn a_huge_requested_size_still_gives_a_table() {
    let (table, message) = TranspositionTable::with_fallback(1 << 30);
    assert!(table.size_mib() >= 1);
    assert!(message.unwrap().en.starts_with("1073741824 MiB"));
}

#[test]
fn a_table_takes_most_of_the_memory_that_is_left_where_more_is_asked_for() {
    let Some(left) = sys::available_memory() else { return };
    let more = (left >> 20) as usize * 5 / 4;
    let (table, message) = TranspositionTable::with_fallback(more);
    assert!(table.size_mib() < more, "{} of {more}", table.size_mib());
    let expected = format!("{more} MiB for the transposition table are more than");
    assert!(message.unwrap().en.starts_with(&expected));
}

/// Regression: a size a little below all memory was granted, and left nothing.
#[test]
fn a_table_leaves_its_share_of_the_memory_however_much_is_asked_for() {
    let with_available =
        |size_mib: usize| TranspositionTable::with_available(size_mib, Some(42 << 20));
    for (asked, taken) in [(1, 1), (14, 14), (15, 14), (42, 14), (43, 14), (1 << 20, 14)] {
        let (table, message) = with_available(asked);
        assert_eq!((table.size_mib(), message.is_some()), (taken, asked != taken), "{asked}");
    }
    let message = with_available(16).1.unwrap().en;
    assert!(message.contains("more than the 14 MiB that may be taken of the memory that is left"));
    assert_eq!(TranspositionTable::with_available(3, None).0.size_mib(), 3);
}

/// Regression: in a container the table took all but an eighth of little, and a mate search was killed.
#[test]
fn a_table_leaves_room_for_mate_searches_and_says_if_there_is_none_for_itself() {
    for (left, taken) in [(400, 330), (60, 32), (29, 1), (28, 0), (0, 0)] {
        let (table, message) = TranspositionTable::with_available(1 << 20, Some(left << 20));
        assert_eq!(table.size_mib(), taken, "{left}");
        let is_warned = message.unwrap().en.contains("hardly any memory");
        assert_eq!(is_warned, taken == 0, "{left}");
    }
}

#[test]
fn a_size_of_zero_counts_as_one() {
    assert_eq!(TranspositionTable::new(0).unwrap().size_mib(), 1);
}

#[test]
fn without_memory_the_table_is_a_few_cache_lines() {
    let (table, message) = fall_back(8, miser(0));
    assert_eq!(table.size_mib(), 0);
    assert!(message.unwrap().en.contains("nor was 1 MiB"));
    for key in [0, 1, u64::MAX, KEY] {
        put(&table, key, PLAIN);
        assert_eq!(table.probe(key).hit, Some(PLAIN));
    }
    fill(&table, 0..100);
    assert_eq!(table.hashfull(), 1000);
    table.clear(4);
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn messages_are_ascii() {
    for message in [fall_back(8, miser(0)).1, fall_back(8, miser(1)).1] {
        assert!(message.unwrap().en.is_ascii());
    }
}

#[test]
fn a_cleared_table_is_like_a_new_one() {
    for threads in [0, 1, 3, 64] {
        let table = TranspositionTable::new(5).unwrap();
        // Twice, because the second time clears a table that was cleared before.
        for _ in 0..2 {
            table.new_search();
            fill(&table, 0..2 * entries(&table));
            table.clear(threads);
            assert!(table.clusters.iter().all(|cluster| cluster.is_zero()), "{threads} threads");
            assert_eq!((table.hashfull(), table.generation()), (0, Generation::of(0)));
        }
    }
}

/// Regression: one thread cleared a table of any size, and `isready` took seconds.
#[test]
fn a_large_table_is_cleared_by_more_threads_than_search() {
    let threads = |wanted, size_mib| clearing_threads(wanted, size_mib, Some(8));
    assert_eq!([0, 5, 256, 1024, 1 << 16].map(|size_mib| threads(1, size_mib)), [1, 1, 1, 4, 8]);
    assert_eq!([0, 3, 12].map(|wanted| threads(wanted, 512)), [2, 3, 12]);
    assert_eq!(clearing_threads(1, 4096, None), 1);
}

#[test]
fn hashfull_of_a_new_table_is_zero() {
    let table = TranspositionTable::new(2).unwrap();
    assert_eq!(table.hashfull(), 0);
    table.new_search();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn hashfull_of_a_filled_table_is_a_thousand() {
    let table = TranspositionTable::new(2).unwrap();
    fill(&table, 0..6 * entries(&table));
    assert!((990..=1000).contains(&table.hashfull()), "{}", table.hashfull());
}

#[test]
fn hashfull_is_the_share_of_used_entries() {
    let table = TranspositionTable::new(2).unwrap();
    fill(&table, 0..entries(&table) / 4);
    // A quarter, minus the few that found their cluster full.
    assert!((225..=260).contains(&table.hashfull()), "{}", table.hashfull());
}

#[test]
fn hashfull_counts_the_running_search_only() {
    let table = TranspositionTable::new(2).unwrap();
    fill(&table, 0..6 * entries(&table));
    table.new_search();
    assert_eq!(table.hashfull(), 0);
    fill(&table, 0..entries(&table) / 4);
    assert!((200..=260).contains(&table.hashfull()), "{}", table.hashfull());
}

#[test]
fn an_old_deep_entry_is_replaced_before_a_new_deep_one() {
    let table = TranspositionTable::new(1).unwrap();
    // Keys without high bits share the first cluster.
    let keys: Vec<u64> = (1..6).map(|n| n << 20).collect();
    let deep = TtEntry { depth: 12, ..PLAIN };
    put(&table, keys[0], deep);
    table.new_search();
    table.new_search();
    keys[1..4].iter().for_each(|&key| put(&table, key, PLAIN));
    put(&table, keys[4], TtEntry { depth: 0, ..PLAIN });
    assert!(table.probe(keys[0]).hit.is_none());
    put(&table, keys[0], deep);
    let found = [0, 1, 2, 3, 4].map(|n| table.probe(keys[n]).hit.is_some());
    assert_eq!(found, [true, true, true, true, false]);
}

#[test]
fn any_number_of_searches_can_begin() {
    let table = TranspositionTable::new(1).unwrap();
    for _ in 0..1000 {
        table.new_search();
        put(&table, KEY, PLAIN);
        assert_eq!(table.clusters[table.index(KEY)].count(table.generation()), 1);
        assert_eq!(table.probe(KEY).hit, Some(PLAIN));
    }
}

proptest! {
    #[test]
    fn a_probe_returns_the_latest_exact_entry(
        puts in prop::collection::vec((any::<u64>(), 0..100), 1..200),
    ) {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth) in puts {
            let mv = "7g7f".parse().unwrap();
            let entry = TtEntry { mv, depth, bound: Bound::Exact, ..PLAIN };
            put(&table, key, entry);
            prop_assert_eq!(table.probe(key).hit, Some(entry));
        }
    }
}

/// The entry that the threads below store for a position: a function of the key and a small number
/// that determines all fields, so that an entry mixed from two is detected.
fn version(key: u64, number: u64) -> TtEntry {
    let seed = self::key(key ^ number);
    TtEntry {
        mv: Move::from_bits(key as u16 & 0x3fff).unwrap_or(Move::NONE),
        score: Score((seed as u16 / 2).into()),
        eval: -Score((seed as u16 / 3).into()),
        depth: (seed >> 16) as i32 & 63,
        bound: Bound::from_bits((seed >> 24) as u8),
        is_pv: seed >> 32 & 1 != 0,
    }
}

#[test]
fn concurrent_threads_read_only_entries_that_were_written() {
    const VERSIONS: u64 = 4;
    let table = TranspositionTable::new(1).unwrap();
    // Three positions for each entry of two clusters: every store replaces another.
    let keys: Vec<u64> = (0..24).map(|n| key(n) >> 16).collect();
    let store_repeatedly = |thread: u64| {
        let mut hits = 0u32;
        for turn in 0..300_000u64 {
            let random = key(thread << 32 | turn);
            let key = keys[(random % 24) as usize];
            let probe = table.probe(key);
            if let Some(entry) = probe.hit {
                hits += 1;
                let written = (0..VERSIONS).any(|number| version(key, number) == entry);
                assert!(written, "{entry:?} for {key:x}");
            }
            table.store(probe.slot, version(key, random >> 32 & (VERSIONS - 1)));
            if turn % 4096 == 0 {
                table.new_search();
            }
        }
        hits
    };
    let hits: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || store_repeatedly(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(hits.iter().all(|&hits| hits > 1000), "{hits:?}");
}
