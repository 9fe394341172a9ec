//! Perft: counts the leaves of the legal move tree, by root move, until done or stopped. The last ply
//! is counted by the sizes of target sets, with the `popcnt` instruction where there is one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::position::Position;
use crate::sys::{Instant, Popcnt};
use crate::types::{Bitboard, Move};

/// The result of a count. The default is that nothing was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Leaves below each root move whose count is complete.
    pub moves: Vec<(Move, u64)>,
    pub elapsed: Duration,
    /// Whether the count of every root move is complete.
    pub complete: bool,
}

impl Perft {
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|(_, leaves)| leaves).sum()
    }
}

/// Counts the leaves at this depth (at least 1) until done or stopped.
pub fn perft(position: Position, depth: u32, stop: &AtomicBool) -> Perft {
    match Popcnt::detect() {
        Some(popcnt) => perft_by(position, depth, stop, |set| popcnt.count(set.0)),
        None => perft_by(position, depth, stop, Bitboard::len),
    }
}

fn perft_by(
    mut position: Position,
    depth: u32,
    stop: &AtomicBool,
    popcount: impl Fn(Bitboard) -> u32 + Copy,
) -> Perft {
    let start = Instant::now();
    let mut moves = Vec::new();
    let mut complete = true;
    for mv in position.legal_moves().moves() {
        position.do_move(mv);
        let leaves = count(&mut position, depth.saturating_sub(1), stop, popcount);
        position.undo_move(mv);
        let Some(leaves) = leaves else {
            complete = false;
            break;
        };
        moves.push((mv, leaves));
    }
    Perft { moves, elapsed: start.elapsed(), complete }
}

fn count(
    position: &mut Position,
    depth: u32,
    stop: &AtomicBool,
    popcount: impl Fn(Bitboard) -> u32 + Copy,
) -> Option<u64> {
    match depth {
        0 => return Some(1),
        1 => return Some(position.count_legal(popcount)),
        _ if stop.load(Ordering::Relaxed) => return None,
        _ => {}
    }
    let mut leaves = 0;
    for mv in position.legal_moves().moves() {
        position.do_move(mv);
        let below = count(position, depth - 1, stop, popcount);
        position.undo_move(mv);
        leaves += below?;
    }
    Some(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_is_stopped_is_reported() {
        let counted = perft(Position::startpos(), 60, &AtomicBool::new(true));
        assert!(!counted.complete);
        assert_eq!(counted.total(), 0);
    }
}
