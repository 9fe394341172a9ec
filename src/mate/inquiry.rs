//! A position solved bit by bit, by somebody who has other things to do.

use parking_lot::RwLock;

use super::{Aim, Budget, Memory, Settings, Solution, solve_in};
use crate::position::Position;
use crate::sys::MemoryRefused;

/// A position to be solved for the side to move, and all that is known of it so far.
///
/// ```
/// use kawasemi::mate::{Answer, Inquiry};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// let mut inquiry = Inquiry::new(position, 1).unwrap();
/// assert!(matches!(inquiry.pursue(1000, &|| false).answer, Answer::Mate(_)));
/// ```
#[derive(Debug)]
pub struct Inquiry {
    position: Position,
    memory: RwLock<Memory>,
    nodes: u64,
}

impl Inquiry {
    /// Nothing is known yet. It takes up to so many mebibytes, and a seventh more.
    ///
    /// # Errors
    /// The system does not grant the memory.
    pub fn new(position: Position, memory_mib: usize) -> Result<Inquiry, MemoryRefused> {
        let memory = RwLock::new(Memory::new(memory_mib << 20)?);
        Ok(Inquiry { position, memory, nodes: 0 })
    }

    /// Turns to another position, of which nothing is known. It keeps its memory, since the system
    /// takes longer to give fresh memory than a short search lasts.
    pub fn turn_to(&mut self, position: Position) {
        self.memory.get_mut().clear();
        self.position = position;
        self.nodes = 0;
    }

    /// Expands at most so many positions more, fewer once `stop` says so, and returns what has come
    /// out, with the positions that it cost now. After [`Answer::Unknown`](super::Answer::Unknown)
    /// it is worth going on; any other answer is final.
    pub fn pursue(&mut self, nodes: u64, stop: &dyn Fn() -> bool) -> Solution {
        let budget = Budget { nodes: Some(nodes), depth: None, deadline: None, stop };
        let settings = Settings { threads: 1, aim: Aim::Short, ..Settings::default() };
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
    use super::super::Answer;
    use super::*;

    #[test]
    fn many_small_portions_come_to_the_same_as_a_large_one() {
        // A mate of eleven plies, and a long flight.
        for sfen in ["9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", "4k4/9/9/9/9/9/9/9/R8 b - 1"] {
            let position = Position::from_sfen(sfen).unwrap();
            let at_once = Inquiry::new(position.clone(), 4).unwrap().pursue(u64::MAX, &|| false);
            let mut by_portions = Inquiry::new(position, 4).unwrap();
            let mut portions = 0;
            let found = loop {
                portions += 1;
                match by_portions.pursue(20, &|| false).answer {
                    Answer::Unknown => {}
                    found => break found,
                }
            };
            let kind = std::mem::discriminant::<Answer>;
            assert_eq!(kind(&found), kind(&at_once.answer), "{sfen}");
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
        let mut inquiry = Inquiry::new(mate.clone(), 4).unwrap();
        for position in [mate, refuted] {
            let mut fresh = Inquiry::new(position.clone(), 4).unwrap();
            inquiry.turn_to(position);
            assert_eq!(inquiry.nodes(), 0);
            let answers = (inquiry.pursue(5000, &|| false), fresh.pursue(5000, &|| false));
            assert_eq!(answers.0, answers.1);
            assert_eq!(inquiry.nodes(), fresh.nodes());
        }
    }
}
