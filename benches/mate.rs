//! Mate searches.
//!
//! `solve/*` is the time from a position to the proof of its shortest mate, or to the proof that there
//! is none. The problems are small, so this is mostly the cost of expanding a node.
//!
//! `mate_in_one/*` is the time of one call. The search calls it in most of its nodes, so it must stay
//! far below the cost of a node (a few hundred nanoseconds). Criterion prints the time of all
//! positions of a set together, and the calls per second as throughput.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kawasemi::mate::{Aim, Solver, SolverLimits, SolverSettings};
use kawasemi::position::Position;

/// Middle games with both kings in their castles.
const QUIET: [&str; 3] = [
    "ln1g3nl/1ks1gr3/1ppp1sbpp/p3ppp2/7P1/P1PP1PP2/1PS1PS2P/1KG2G1R1/LN1B3NL b - 1",
    "ln4snl/1r3gkg1/p2pp1p1p/2p2p1p1/9/2P1P1P1P/PP1P1P3/1KG1G2R1/LNS4NL b BSPbsp 1",
    "l2g3nl/1ks1g4/1pnpps2p/p1p2pp2/3r3p1/P1PSP1P2/1PB2P2P/1SG2G1R1/LNK4NL w BPp 1",
];

/// Both kings under attack, with many pieces in hand.
const SHARP: [&str; 3] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "ln1g3+Rl/2sk5/pp1pp1+b1p/2p2p3/3n5/2P1P1P2/PPSP1P2P/2GK2r2/LN1G3NL b BGS2Pp 1",
];

/// The positions after all legal moves, without those in check: what a search calls it for.
fn children(roots: &[&str]) -> Vec<Position> {
    let mut children = Vec::new();
    for root in roots {
        let mut position = Position::from_sfen(root).expect("a legal position");
        for mv in position.legal_moves().moves() {
            position.do_move(mv);
            if !position.in_check() {
                children.push(position.clone());
            }
            position.undo_move(mv);
        }
    }
    children
}

fn mate_in_one(c: &mut Criterion) {
    let mut group = c.benchmark_group("mate_in_one");
    for (name, roots) in [("quiet", &QUIET), ("sharp", &SHARP)] {
        let positions = children(roots);
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| positions.iter().filter(|p| black_box(p).mate_in_one().is_some()).count());
        });
    }
    group.finish();
}

/// Problems of a few thousand positions, and one without a mate.
const PROBLEMS: [(&str, &str); 3] = [
    ("11 plies", "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1"),
    ("zuko 5, later", "n+B1sS4/1R1g5/kLsB5/9/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1"),
    ("no mate", "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1"),
];

fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    let settings = SolverSettings { threads: 1, memory_mib: 16, aim: Aim::Shortest };
    let limits = SolverLimits { nodes: Some(100_000), ..SolverLimits::UNLIMITED };
    for (name, sfen) in PROBLEMS {
        let position = Position::from_sfen(sfen).expect("a legal position");
        let solve =
            |position: &Position| Solver::new(settings).solve(position, &limits, &mut |_| {});
        let nodes = solve(&position).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| {
            b.iter(|| solve(black_box(&position)));
        });
    }
    group.finish();
}

criterion_group!(benches, mate_in_one, solve);
criterion_main!(benches);
