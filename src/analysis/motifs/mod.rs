//! The tactics in a line of moves: forks, pins, sacrifices, pawn drops, ways to mate.
//!
//! A [`Motif`] is reported only if the line itself carries it out: the piece that is attacked is taken with a
//! gain, the pawn promotes, the line ends in mate. [`LineReplay`] has the positions and captures of a line.

mod attacks;
mod mates;
mod motif;
mod pawns;
mod replay;
#[cfg(test)]
mod tests;

use crate::position::Position;
use crate::types::{Move, Square};

pub use motif::Motif;
pub(super) use replay::{GAIN, LineReplay, can_be_captured, capture_value};

/// A motif in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MotifMatch {
    pub(super) motif: Motif,
    /// The number of moves before the one that begins it.
    pub(super) ply: usize,
    /// The squares of the pieces that it is aimed at, or of the piece given up.
    pub(super) targets: Vec<Square>,
}

/// The motifs that the side to move carries out in a line, each once, in the order of [`Motif`].
///
/// ```
/// use kawasemi::analysis::{Motif, motifs};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// assert_eq!(motifs(&position, &["G*5b".parse().unwrap()]), [Motif::Mate, Motif::GoldAtHead]);
/// ```
pub fn motifs(position: &Position, line: &[Move]) -> Vec<Motif> {
    let matches = matches_of(&LineReplay::new(position, line));
    let mut found: Vec<Motif> = matches.into_iter().map(|found| found.motif).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The motifs that the side to move carries out in a line, with the moves that begin them.
pub(super) fn matches_of(replay: &LineReplay) -> Vec<MotifMatch> {
    let mut found = Vec::new();
    for ply in (0..replay.moves().len()).step_by(2) {
        let mut add = |(motif, targets)| found.push(MotifMatch { motif, ply, targets });
        let king = replay.before(ply).king(!replay.before(ply).side_to_move());
        let checks = mates::of_check(replay, ply).into_iter().chain(mates::of_mate(replay, ply));
        checks.for_each(|motif| add((motif, king.into_iter().collect())));
        attacks::of_move(replay, ply).into_iter().for_each(&mut add);
        attacks::free_piece(replay, ply).filter(|_| ply == 0).into_iter().for_each(&mut add);
        attacks::sacrifice(replay, ply).into_iter().for_each(&mut add);
        pawns::of_drop(replay, ply).into_iter().for_each(&mut add);
    }
    found
}
