//! The transposition table at 256 MiB, far more than any cache holds.
//!
//! The figure to watch is `tt/probe and store at random`: nanoseconds for one probe and one store of a
//! position that is in no cache, where each begins only after the one before has ended. `prefetched`
//! is the same with prefetching, as in the search: the time that remains when other work hides the
//! latency.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kawasemi::tt::{TranspositionTable, TtEntry};
use kawasemi::types::{Bound, Move, Score, mix64};

const TABLE_MIB: usize = 256;
/// Positions between the prefetch of a key and its probe.
const AHEAD: u64 = 8;

/// The key of the n-th position.
fn key(n: u64) -> u64 {
    mix64(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn entry(key: u64) -> TtEntry {
    TtEntry {
        mv: Move::NONE,
        score: Score(100),
        eval: Score(50),
        depth: key as i32 & 15,
        bound: Bound::Lower,
        is_pv: false,
    }
}

/// One probe and one store; the result depends on the entry found.
fn visit(table: &TranspositionTable, key: u64) -> u64 {
    let probe = table.probe(key);
    table.store(probe.slot, entry(key));
    probe.hit.map_or(0, |entry| entry.score.0 as u64)
}

fn full_table() -> TranspositionTable {
    let table = TranspositionTable::new(TABLE_MIB).expect("memory for the benchmark");
    table.new_search();
    for n in 0..(TABLE_MIB << 20) as u64 / 16 {
        visit(&table, key(n));
    }
    table
}

fn bench(c: &mut Criterion) {
    let table = full_table();
    let mut group = c.benchmark_group("tt");

    let mut seed = 1u64;
    group.bench_function("probe and store at random", |b| {
        b.iter(|| {
            seed = key(seed.wrapping_add(visit(&table, seed)));
            seed
        });
    });

    let mut n = 1 << 40;
    group.bench_function("probe and store at random, prefetched", |b| {
        b.iter(|| {
            n += 1;
            table.prefetch(key(n + AHEAD));
            visit(&table, key(n))
        });
    });

    let near = key(7);
    group.bench_function("probe and store in cache", |b| b.iter(|| visit(&table, black_box(near))));

    group.sample_size(10).throughput(Throughput::Bytes((TABLE_MIB << 20) as u64));
    for threads in [1, 2] {
        group.bench_function(format!("clear with {threads} threads"), |b| {
            b.iter(|| {
                visit(&table, near);
                table.clear(threads);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
