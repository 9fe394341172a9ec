//! A position solved bit by bit, by somebody who has other things to do.

use parking_lot::RwLock;

use super::{Aim, Memory, Solution, SolverLimits, SolverSettings, solve_in};
use crate::position::Position;
use crate::sys::AllocationError;

/// A position to be solved for the side to move, and all that is known of it so far.
///
/// ```
/// use kawasemi::mate::{MateResult, MateProbe};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// let mut probe = MateProbe::new(position, 1).unwrap();
/// assert!(matches!(probe.probe(1000, &|| false).result, MateResult::Mate(_)));
/// ```
#[derive(Debug)]
pub struct MateProbe {
    position: Position,
    memory: RwLock<Memory>,
    nodes: u64,
}

impl MateProbe {
    /// Nothing is known yet. It takes up to so many mebibytes, and a seventh more.
    ///
    /// # Errors
    /// The system does not grant the memory.
    pub fn new(position: Position, memory_mib: usize) -> Result<MateProbe, AllocationError> {
        let memory = RwLock::new(Memory::new(memory_mib << 20)?);
        Ok(MateProbe { position, memory, nodes: 0 })
    }

    /// Turns to another position, of which nothing is known. It keeps its memory, since the system
    /// takes longer to give fresh memory than a short search lasts.
    pub fn reset(&mut self, position: Position) {
        self.memory.get_mut().clear();
        self.position = position;
        self.nodes = 0;
    }

    /// Expands at most so many positions more, fewer once `stop` says so, and returns what has come
    /// out, with the positions that it cost now. After [`MateResult::Unknown`](super::MateResult::Unknown)
    /// it is worth going on; any other result is final.
    pub fn probe(&mut self, nodes: u64, stop: &dyn Fn() -> bool) -> Solution {
        let budget = SolverLimits { nodes: Some(nodes), depth: None, deadline: None, stop };
        let settings = SolverSettings { threads: 1, aim: Aim::Short, ..SolverSettings::default() };
        let solution = solve_in(&self.memory, settings, &self.position, &budget, &mut |_| {});
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
    use super::super::MateResult;
    use super::*;

    #[test]
    fn many_small_portions_come_to_the_same_as_a_large_one() {
        // A mate of eleven plies, and a long flight.
        for sfen in ["9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", "4k4/9/9/9/9/9/9/9/R8 b - 1"] {
            let position = Position::from_sfen(sfen).unwrap();
            let at_once = MateProbe::new(position.clone(), 4).unwrap().probe(u64::MAX, &|| false);
            let mut by_portions = MateProbe::new(position, 4).unwrap();
            let mut portions = 0;
            let found = loop {
                portions += 1;
                match by_portions.probe(20, &|| false).result {
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
    fn who_turned_to_another_position_knows_nothing_of_the_one_before() {
        let position = |sfen| Position::from_sfen(sfen).unwrap();
        let mate = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1");
        // As before, but the defender has something to interpose.
        let refuted = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2Lg 1");
        let mut probe = MateProbe::new(mate.clone(), 4).unwrap();
        for position in [mate, refuted] {
            let mut fresh = MateProbe::new(position.clone(), 4).unwrap();
            probe.reset(position);
            assert_eq!(probe.nodes(), 0);
            let answers = (probe.probe(5000, &|| false), fresh.probe(5000, &|| false));
            assert_eq!(answers.0, answers.1);
            assert_eq!(probe.nodes(), fresh.nodes());
        }
    }
}
