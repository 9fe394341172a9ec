//! The fast generator against published perft figures.

use std::sync::atomic::AtomicBool;

use kawasemi::engine;
use kawasemi::position::Position;

use crate::reference::published::PERFT;

/// Figures up to this size are counted in every test run: about a second in total in optimised builds,
/// and not too long in others.
const QUICK: u64 = if cfg!(debug_assertions) { 30_000_000 } else { 150_000_000 };

/// Counts all published figures of a size within the bounds; returns their number.
fn count_figures(above: u64, up_to: u64) -> usize {
    let mut figures = 0;
    for perft in PERFT {
        for &(depth, nodes) in perft.nodes.iter().filter(|&&(_, n)| n > above && n <= up_to) {
            let position = Position::from_sfen(perft.sfen).expect(perft.sfen);
            let counted = engine::perft(position.clone(), depth, &AtomicBool::new(false));
            let (name, source) = (perft.name, perft.source);
            assert_eq!(counted.total(), nodes, "{name} to depth {depth} ({source})");
            assert!(counted.complete);
            assert!(counted.moves.iter().all(|&(mv, _)| position.is_legal(mv)));
            figures += 1;
        }
    }
    figures
}

#[test]
fn perft_equals_the_published_counts() {
    assert!(count_figures(0, QUICK) >= 28);
}

#[test]
#[ignore = "17 thousand million leaves take a minute or two in release"]
fn perft_equals_the_large_published_counts() {
    assert!(count_figures(QUICK, u64::MAX) >= 6);
}
