//! Move generation: perft positions per second with the last ply counted in bulk, compared with the
//! crate `haitaka` on the same positions in the same run.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kawasemi::engine;
use kawasemi::position::Position;

/// Name, SFEN, depth and the published number of leaves.
const CASES: [(&str, &str, u32, u64); 2] = [
    ("start", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 4, 719_731),
    (
        "matsuri",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        3,
        4_809_015,
    ),
];

fn perft(c: &mut Criterion) {
    for (name, sfen, depth, leaves) in CASES {
        let ours = Position::from_sfen(sfen).expect("a sound SFEN");
        let theirs = haitaka::Board::from_sfen(sfen).expect("a sound SFEN");
        let count = |depth| engine::perft(ours.clone(), depth, &AtomicBool::new(false)).total();
        assert_eq!(count(depth), leaves);
        assert_eq!(haitaka_perft(&theirs, depth), leaves);

        let mut group = c.benchmark_group(format!("perft {name} depth {depth}"));
        group.throughput(Throughput::Elements(leaves));
        group.sample_size(20);
        group.bench_function("kawasemi", |b| b.iter(|| count(black_box(depth))));
        group.bench_function("haitaka", |b| b.iter(|| haitaka_perft(&theirs, black_box(depth))));
        group.finish();
    }
}

/// Counts in the fastest way that `haitaka` offers: a copy of the board for each move, and the last
/// ply by the sizes of sets.
fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += haitaka_perft(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

criterion_group!(benches, perft);
criterion_main!(benches);
