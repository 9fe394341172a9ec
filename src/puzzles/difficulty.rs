//! The difficulty of a puzzle.

use super::puzzle::{CandidateLine, Difficulty, PuzzleStep};
use crate::analysis::human_win_rate;

/// Maximum number of nodes for the grades 1 to 4.
const MAX_NODES: [u64; 4] = [100, 1_600, 6_400, 25_600];
/// A puzzle with at least this many moves to find is one grade harder.
const LONG_SOLUTION: usize = 3;

/// The difficulty of a puzzle with these moves to find.
pub(super) fn difficulty(steps: &[PuzzleStep]) -> Difficulty {
    let examined = steps.first().map(|step| &step.examination);
    let second = examined.and_then(|examined| examined.second.as_ref());
    let of = |line: Option<&CandidateLine>| line.map_or(0.0, |it| human_win_rate(it.score));
    let human_win_rates = (of(examined.map(|examined| &examined.best)), of(second));
    let hardest = steps.iter().map(|step| step.examination.found).max_by_key(|at| at.nodes);
    let found = hardest.unwrap_or_default();
    let by_nodes = 1 + MAX_NODES.iter().filter(|&&max| found.nodes > max).count();
    let grade =
        (by_nodes + usize::from(steps.len() >= LONG_SOLUTION)).min(MAX_NODES.len() + 1) as u8;
    Difficulty { grade, found, human_win_rates }
}
