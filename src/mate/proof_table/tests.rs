use super::*;
use crate::sys;
use crate::types::PieceKind;

const ENOUGH: u16 = 100;
const DEPTH: u16 = 10;

fn key(board: u64, golds: u32) -> NodeKey {
    NodeKey { board, hand: Hand::EMPTY.with(PieceKind::Gold, golds) }
}

fn mate(plies: u16, golds: u32) -> NodeValue {
    NodeValue::Mate { plies, hand: key(0, golds).hand }
}

fn disproved(within: u16, golds: u32) -> NodeValue {
    NodeValue::NoMate { within, repetition_depth: NO_REPETITION, hand: key(0, golds).hand }
}

/// Keys that are spread over the whole table.
fn board(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn store_open(table: &ProofTable, key: NodeKey, numbers: (u64, u64), effort: u64) {
    let slot = table.find_or_take(key).unwrap();
    table.store_open(slot, numbers, (NO_SLOT, DEPTH), (effort_code(effort), 0));
}

#[test]
fn a_mate_holds_with_more_in_hand_and_a_disproof_with_less() {
    let table = ProofTable::new(1 << 20).unwrap();
    table.store_solved(1, mate(3, 1), 1);
    table.store_solved(2, disproved(ANY_LENGTH, 1), 1);
    let probe = |board, golds| table.probe(key(board, golds), DEPTH, ENOUGH).value;
    assert_eq!(probe(1, 0), NodeValue::open(1, 1));
    assert_eq!(probe(1, 1), mate(3, 1));
    assert_eq!(probe(1, 2), mate(3, 1));
    assert_eq!(probe(2, 0), disproved(ANY_LENGTH, 1));
    assert_eq!(probe(2, 1), disproved(ANY_LENGTH, 1));
    assert_eq!(probe(2, 2), NodeValue::open(1, 1));
    let silver = NodeKey { board: 1, hand: Hand::EMPTY.with(PieceKind::Silver, 1) };
    assert_eq!(table.probe(silver, DEPTH, ENOUGH).value, NodeValue::open(1, 1));
}

#[test]
fn a_solved_value_is_found_only_within_the_horizon() {
    let table = ProofTable::new(1 << 20).unwrap();
    store_open(&table, key(1, 0), (5, 6), 1);
    table.store_solved(1, mate(7, 0), 1);
    table.store_solved(1, disproved(3, 0), 1);
    // A longer mate and a shorter disproof change nothing.
    table.store_solved(1, mate(9, 0), 1);
    table.store_solved(1, disproved(1, 0), 1);
    for (remaining, value) in [
        (0, disproved(3, 0)),
        (3, disproved(3, 0)),
        (4, NodeValue::open(5, 6)),
        (6, NodeValue::open(5, 6)),
        (7, mate(7, 0)),
    ] {
        assert_eq!(table.probe(key(1, 0), DEPTH, remaining).value, value, "{remaining}");
    }
    let bounds = table.length_bounds(key(1, 0));
    assert_eq!((bounds.mate, bounds.no_mate), (Some(7), Some(3)));
}

/// Regression: the bound was one less than any length, so the disproof was searched again.
#[test]
fn a_disproof_of_any_length_bounds_any_length() {
    let table = ProofTable::new(1 << 20).unwrap();
    table.store_solved(1, disproved(ANY_LENGTH, 0), 1);
    assert_eq!(table.length_bounds(key(1, 0)).no_mate, Some(ANY_LENGTH));
}

#[test]
fn the_numbers_of_other_hands_are_bounds_unless_they_are_deeper() {
    let table = ProofTable::new(1 << 20).unwrap();
    store_open(&table, key(1, 1), (50, 60), 1);
    let probe = |golds, depth| {
        let found = table.probe(key(1, golds), depth, ENOUGH);
        (found.value, found.is_old)
    };
    assert_eq!(probe(0, DEPTH), (NodeValue::open(50, 1), false));
    assert_eq!(probe(2, DEPTH), (NodeValue::open(1, 60), false));
    assert_eq!(probe(2, DEPTH + 1), (NodeValue::open(1, 60), true));
    assert_eq!(probe(2, DEPTH - 1), (NodeValue::open(1, 1), false));
    assert_eq!(probe(1, DEPTH - 1), (NodeValue::open(50, 60), false));
}

#[test]
fn a_table_grows_up_to_its_limit_and_keeps_its_entries() {
    let entries = 4 * MAX_REGION_SLOTS as u64;
    let mut table = ProofTable::new(16 << 20).unwrap();
    for number in 0..entries {
        store_open(&table, key(board(number), 0), (number + 1, 1), 1);
        if table.needs_maintenance() {
            table.maintain(1, &|| false);
        }
    }
    for number in 0..entries {
        let found = table.probe(key(board(number), 0), DEPTH, ENOUGH);
        assert_eq!(found.value, NodeValue::open(number + 1, 1), "{number}");
    }
    assert!(table.slots.len() > MAX_REGION_SLOTS && table.slots.len() <= table.max_slots);
    assert!(
        (240..260).contains(&table.hashfull_permille()),
        "{} permille",
        table.hashfull_permille()
    );
}

#[test]
fn a_table_has_no_more_slots_than_an_index_can_name() {
    let table = ProofTable::new(usize::MAX).unwrap();
    assert!(table.max_slots <= NO_SLOT as usize, "{}", table.max_slots);
}

#[test]
fn a_cleared_table_is_small_and_empty_and_reuses_its_memory() {
    let mut table = ProofTable::new(16 << 20).unwrap();
    let spare = |table: &ProofTable| {
        let mut spare: Vec<_> = table
            .spare
            .iter()
            .map(|spare| (std::ptr::from_ref(spare.entry(0)), spare.len()))
            .collect();
        spare.sort();
        spare
    };
    let fill = |table: &mut ProofTable| {
        for number in 0..4 * MAX_REGION_SLOTS as u64 {
            store_open(table, key(board(number), 0), (number + 1, 1), 1);
            if table.needs_maintenance() {
                table.maintain(1, &|| false);
            }
        }
        (std::ptr::from_ref(table.slots.entry(0)), spare(table))
    };
    let memory = fill(&mut table);
    let revision = table.revision();
    table.clear();
    assert!(table.revision() > revision);
    assert_eq!(
        (table.slots.len(), table.used.len(), table.hashfull_permille()),
        (MAX_REGION_SLOTS, 1, 0)
    );
    for number in 0..4 * MAX_REGION_SLOTS as u64 {
        assert_eq!(table.probe(key(board(number), 0), DEPTH, ENOUGH).slot, NO_SLOT);
    }
    assert_eq!(fill(&mut table), memory);
    for number in 0..4 * MAX_REGION_SLOTS as u64 {
        let found = table.probe(key(board(number), 0), DEPTH, ENOUGH);
        assert_eq!(found.value, NodeValue::open(number + 1, 1), "{number}");
    }
}

#[test]
fn a_table_that_cannot_finish_growing_stays_as_it_was() {
    let mut table = ProofTable::new(16 << 20).unwrap();
    let fill = |table: &ProofTable| {
        (0..2000).for_each(|number| store_open(table, key(board(number), 0), (5, 6), 1));
    };
    fill(&table);
    // Into fresh memory, then into reused memory.
    for _ in 0..2 {
        for allowed in 0..3 {
            let asked = std::cell::Cell::new(0);
            table.maintain(1, &|| asked.replace(asked.get() + 1) >= allowed);
            assert_eq!(table.slots.len(), MAX_REGION_SLOTS, "{allowed}");
            let found = table.probe(key(board(1), 0), DEPTH, ENOUGH);
            assert_eq!(found.value, NodeValue::open(5, 6), "{allowed}");
        }
        table.maintain(1, &|| false);
        assert!(table.slots.len() > MAX_REGION_SLOTS);
        table.clear();
        fill(&table);
    }
}

#[test]
fn a_stop_prevents_the_allocation_of_a_larger_table() {
    let mut table = ProofTable::new(16 << 20).unwrap();
    table.maintain(1, &|| true);
    assert!(table.slots.len() == MAX_REGION_SLOTS && table.spare.is_empty());
}

#[test]
fn a_cleared_table_may_grow_again_after_a_refused_allocation() {
    let mut table = ProofTable::new(16 << 20).unwrap();
    // As after the system has refused memory.
    table.max_slots = table.slots.len();
    table.maintain(1, &|| false);
    assert_eq!(table.slots.len(), MAX_REGION_SLOTS);
    table.clear();
    table.maintain(1, &|| false);
    assert!(table.slots.len() > MAX_REGION_SLOTS);
}

#[test]
fn the_old_table_takes_little_of_the_limit_while_the_table_grows() {
    for regions in [9, 60, 100, 520] {
        let mut table = ProofTable::new(regions * MAX_REGION_SLOTS * EntrySlots::BYTES).unwrap();
        let mut before = 0;
        while table.slots.len() > before {
            assert!(before * 8 <= table.max_slots, "{before} of {}", table.max_slots);
            before = table.slots.len();
            table.maintain_with_available(1, || None, &|| false);
        }
        assert_eq!(table.slots.len(), table.max_slots);
    }
}

/// Lets a table grow as far as it can with memory for this many regions.
fn grow_fully(table: &mut ProofTable, regions: usize) {
    // With this memory, these regions remain apart from the reserve.
    let bytes = (regions * MAX_REGION_SLOTS * EntrySlots::BYTES) as u64;
    let mut enough = (0..).map(|mebibytes| bytes + (mebibytes << 20));
    let left = enough.find(|&left| sys::usable_memory(left) >= bytes).unwrap();
    let mut before = 0;
    while table.slots.len() > before {
        before = table.slots.len();
        table.maintain_with_available(1, || Some(left), &|| false);
    }
}

#[test]
fn a_table_grows_no_further_than_the_memory_left() {
    for regions in [0, 1, 5, 100] {
        let mut table = ProofTable::new(1 << 30).unwrap();
        grow_fully(&mut table, regions);
        assert_eq!(table.slots.len(), regions.max(1) * MAX_REGION_SLOTS);
        assert_eq!(table.max_slots, table.slots.len());
    }
}

#[test]
fn a_table_reuses_its_memory_where_no_more_is_left() {
    let mut table = ProofTable::new(1 << 30).unwrap();
    grow_fully(&mut table, 100);
    table.clear();
    assert_eq!(table.slots.len(), MAX_REGION_SLOTS);
    grow_fully(&mut table, 0);
    assert_eq!(table.slots.len(), 100 * MAX_REGION_SLOTS);
}

#[test]
fn a_full_table_keeps_the_entries_with_the_most_nodes() {
    let mut table = ProofTable::new(64 * EntrySlots::BYTES).unwrap();
    store_open(&table, key(board(0), 0), (7, 7), 1000);
    for number in 1..1000 {
        store_open(&table, key(board(number), 0), (1, 2), 1);
        if table.needs_maintenance() {
            table.maintain(1, &|| false);
        }
    }
    assert_eq!(table.probe(key(board(0), 0), DEPTH, ENOUGH).value, NodeValue::open(7, 7));
    assert!(table.hashfull_permille() < 700);
}

/// Regression: one thread collected each region alone while all others waited.
#[test]
fn several_threads_collect_regions_that_will_soon_be_crowded_too() {
    const REGIONS: usize = 32;
    const SLOTS: usize = 1024;
    let crowded = SLOTS * CROWDED_LOAD / LOAD_SCALE;
    for (threads, collected) in [(1, 0..1), (3, 0..17)] {
        let slots = EntrySlots::new(REGIONS * SLOTS).unwrap();
        let mut table = ProofTable::with_slots(slots, SLOTS, REGIONS * SLOTS);
        let position = |region: usize, number: usize| {
            let low = (number as u32 + 1).wrapping_mul(0x9e37_79b9);
            key((region as u64) << 59 | u64::from(low), 0)
        };
        // Each region has one entry less than the one before.
        for region in 0..REGIONS {
            for number in 0..crowded - region {
                store_open(&table, position(region, number), (1, 2), 1);
            }
        }
        table.maintain(threads, &|| false);
        for region in 0..REGIONS {
            let before = crowded - region;
            let after = if collected.contains(&region) { before.div_ceil(2) } else { before };
            let probe = |number| table.probe(position(region, number), DEPTH, ENOUGH);
            let known = (0..before).filter(|&number| probe(number).slot != NO_SLOT).count();
            let used = table.used[region].load(Ordering::Relaxed) as usize;
            assert_eq!((used, known), (after, after), "{region} with {threads} threads");
        }
    }
}

#[test]
fn a_collection_ends_when_the_search_is_to_end() {
    let mut table = ProofTable::new(64 * EntrySlots::BYTES).unwrap();
    for number in 0..1000 {
        table.find_or_take(key(board(number), 0));
    }
    let before = table.hashfull_permille();
    table.maintain(2, &|| true);
    assert_eq!(table.hashfull_permille(), before);
    table.maintain(2, &|| false);
    assert!(table.hashfull_permille() < before);
}

#[test]
fn a_full_table_refuses_slots_and_its_probes_end() {
    let table = ProofTable::new(64 * EntrySlots::BYTES).unwrap();
    let taken =
        (0..1000).filter(|&number| table.find_or_take(key(board(number), 0)).is_some()).count();
    assert!((40..64).contains(&taken), "{taken}");
    assert_eq!(table.probe(key(board(999), 0), DEPTH, ENOUGH).slot, NO_SLOT);
}
