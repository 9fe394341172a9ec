//! A mate solver that searches a number of nodes at a time and can be resumed, to run beside other work.

use parking_lot::RwLock;

use super::limits::SolverLimits;
use super::solution::{Aim, Solution, SolverSettings};
use super::solver::solve_in;
use super::tables::SolverTables;
use crate::position::Position;
use crate::sys::AllocationError;

/// A position to solve for the side to move, and the state of its search.
///
/// ```
/// use kawasemi::mate::{ResumableSolver, MateResult};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// let mut solver = ResumableSolver::new(position, 1).unwrap();
/// assert!(matches!(solver.search(1000, &|| false).result, MateResult::Mate(_)));
/// ```
#[derive(Debug)]
pub struct ResumableSolver {
    position: Position,
    tables: RwLock<SolverTables>,
    nodes: u64,
}

impl ResumableSolver {
    /// A solver that may take `memory_mib` mebibytes, and a seventh more while it grows.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(position: Position, memory_mib: usize) -> Result<ResumableSolver, AllocationError> {
        let tables = RwLock::new(SolverTables::new(memory_mib << 20)?);
        Ok(ResumableSolver { position, tables, nodes: 0 })
    }

    /// Replaces the position. Keeps the memory, emptied: the system takes longer to provide fresh
    /// memory than a short search lasts.
    pub fn reset(&mut self, position: Position) {
        self.tables.get_mut().clear();
        self.position = position;
        self.nodes = 0;
    }

    /// Expands up to `nodes` more positions, until `stop` returns true. The nodes of the solution are
    /// those of this call. After [`MateResult::Unknown`](super::MateResult::Unknown) the search can be
    /// continued; every other result is final.
    pub fn search(&mut self, nodes: u64, stop: &dyn Fn() -> bool) -> Solution {
        let limits = SolverLimits { nodes: Some(nodes), stop, ..SolverLimits::UNLIMITED };
        let settings = SolverSettings { threads: 1, aim: Aim::Short, ..SolverSettings::default() };
        let solution = solve_in(&self.tables, settings, &self.position, &limits, &mut |_| {});
        self.nodes += solution.nodes;
        solution
    }

    /// Positions expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::super::solution::MateResult;
    use super::*;

    #[test]
    fn many_small_portions_give_the_same_result_as_a_large_one() {
        // A mate in eleven plies, and a king that escapes after many checks.
        for sfen in ["9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", "4k4/9/9/9/9/9/9/9/R8 b - 1"] {
            let position = Position::from_sfen(sfen).unwrap();
            let at_once =
                ResumableSolver::new(position.clone(), 4).unwrap().search(u64::MAX, &|| false);
            let mut by_portions = ResumableSolver::new(position, 4).unwrap();
            let mut portions = 0;
            let found = loop {
                portions += 1;
                match by_portions.search(20, &|| false).result {
                    MateResult::Unknown => {}
                    found => break found,
                }
            };
            let kind = std::mem::discriminant::<MateResult>;
            assert_eq!(kind(&found), kind(&at_once.result), "{sfen}");
            assert!(portions > 1, "{sfen}");
            assert!(by_portions.nodes() <= 20 * portions, "{sfen}");
        }
    }

    #[test]
    fn a_reset_solver_knows_nothing_of_the_position_before() {
        let position = |sfen| Position::from_sfen(sfen).unwrap();
        let mate = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1");
        // The same, but the defender has a gold to interpose.
        let no_mate = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2Lg 1");
        let mut solver = ResumableSolver::new(mate.clone(), 4).unwrap();
        for position in [mate, no_mate] {
            let mut fresh = ResumableSolver::new(position.clone(), 4).unwrap();
            solver.reset(position);
            assert_eq!(solver.nodes(), 0);
            let solution = solver.search(5000, &|| false);
            assert_eq!(solution, fresh.search(5000, &|| false));
            assert_eq!(solver.nodes(), fresh.nodes());
        }
    }
}
