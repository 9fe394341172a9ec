//! The mate solver: whether the side to move can mate by checks alone, and how. It owns its search
//! and its memory, and must not know of evaluation, of the playing search or of any protocol.

mod budget;
mod dfpn;
mod expand;
mod line;
mod path;
mod table;
mod value;

pub use budget::Budget;

use budget::Meter;
use dfpn::Search;
use line::Tracer;
use table::Memory;
use value::{FOREVER, Value};

use crate::position::Position;
use crate::types::Move;

/// What the solver's memory of positions takes at most, in mebibytes.
pub const MEMORY_MIB: usize = 128;

/// The same for refutations that hold on one path only. Small enough to be touched all at once.
const PATHS_MIB: usize = 4;

/// Longest mate looked for, in plies.
pub const MAX_PLIES: u16 = 2999;

/// What looking for shorter mates may cost in all, in positions: some, a multiple of what the
/// first mate took, and never more than this (about a second).
const SHORTEN_NODES: u64 = 20_000;
const SHORTEN_FACTOR: u64 = 4;
const SHORTEN_MOST: u64 = 200_000;

/// What the solver came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The whole line, the mating move last, the defender holding out as long as is known.
    Mate(Vec<Move>),
    /// Proven: there is no mate, however long.
    NoMate,
    /// Not known within the budget.
    Unknown,
}

/// How far a solver is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions expanded.
    pub nodes: u64,
    /// Plies of the longest line looked at.
    pub depth: u32,
    /// Proof and disproof numbers of the root: roughly, how many positions are yet to be proven
    /// mates, or refuted, to settle it.
    pub proof: u32,
    pub disproof: u32,
    pub hashfull_permille: u32,
}

/// Solves a position for the side to move, which attacks: every one of its moves must give check.
///
/// The position counts, not the game before it. A king of the attacker is not needed; one in check
/// must be saved by a move that checks back. Perpetual check is no mate.
///
/// `report` is called every quarter of a second, and at the end of every search: one for a mate,
/// others for a shorter one.
///
/// ```
/// use kawasemi::mate::{Answer, Budget, solve};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// let budget = Budget { nodes: None, depth: None, deadline: None, stop: &|| false };
/// let answer = solve(&position, &budget, &mut |_| {});
/// assert_eq!(answer, Answer::Mate(vec!["G*5b".parse().unwrap()]));
/// ```
pub fn solve(
    position: &Position,
    budget: &Budget<'_>,
    report: &mut dyn FnMut(&Progress),
) -> Answer {
    let memory = Memory::new(MEMORY_MIB << 20, PATHS_MIB << 20);
    let meter = Meter::new(budget, report);
    Solver { root: position.clone(), memory, meter }.answer(budget.depth)
}

struct Solver<'m> {
    root: Position,
    memory: Memory,
    meter: Meter<'m>,
}

impl Solver<'_> {
    fn answer(&mut self, depth: Option<u32>) -> Answer {
        let horizon = depth.map_or(MAX_PLIES, |plies| plies.clamp(1, u32::from(MAX_PLIES)) as u16);
        match self.search(horizon, depth.is_none()) {
            Some(Value::Mate { plies }) => self.line(plies).map_or(Answer::Unknown, Answer::Mate),
            Some(Value::NoMate { within: FOREVER, .. }) => Answer::NoMate,
            _ => Answer::Unknown,
        }
    }

    fn search(&mut self, horizon: u16, far: bool) -> Option<Value> {
        Search::new(&mut self.root, &mut self.memory, &mut self.meter, horizon, far).run()
    }

    /// The line of a mate of at most so many plies, made shorter where that is cheap.
    fn line(&mut self, plies: u16) -> Option<Vec<Move>> {
        let plies = self.shorten(plies);
        let line = Tracer::new(&self.root, &mut self.memory, &mut self.meter).line(plies)?;
        line::is_mate(&self.root, &line).then_some(line)
    }

    /// Looks for mates shorter than one of `plies` for a while. Returns the plies of the shortest.
    fn shorten(&mut self, plies: u16) -> u16 {
        let mut plies = plies;
        let allowance = SHORTEN_NODES + self.meter.nodes().saturating_mul(SHORTEN_FACTOR);
        self.meter.allow(allowance.min(SHORTEN_MOST));
        while plies > 1 {
            match self.search(plies - 2, false) {
                Some(Value::Mate { plies: shorter }) => plies = shorter,
                _ => break,
            }
        }
        self.meter.allow(u64::MAX);
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_far_too_small_costs_answers_but_never_their_truth() {
        const MATES: [&str; 4] = [
            "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1",
            "5k3/9/3+P5/9/9/9/9/9/9 b RG 1",
            "8K/7G1/6+r2/9/9/9/9/9/9 w rl 1",
            "k8/9/1K7/9/9/9/9/9/8R b g 1",
        ];
        const NO_MATES: [&str; 2] = [
            "4k4/9/9/9/9/9/9/9/R8 b - 1",
            "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1",
        ];
        let budget = Budget { nodes: Some(30_000), depth: None, deadline: None, stop: &|| false };
        let solve = |sfen: &str, slots: usize| {
            let root = Position::from_sfen(sfen).unwrap();
            let mut report = |_: &Progress| {};
            let meter = Meter::new(&budget, &mut report);
            let memory = Memory::new(32 * slots, 1 << 10);
            Solver { root, memory, meter }.answer(None)
        };
        let mut solved = 0;
        for slots in [1, 20, 100, 500] {
            for sfen in MATES {
                let answer = solve(sfen, slots);
                assert_ne!(answer, Answer::NoMate, "{sfen} with {slots} slots");
                solved += u32::from(answer != Answer::Unknown);
            }
            for sfen in NO_MATES {
                let answer = solve(sfen, slots);
                assert!(!matches!(answer, Answer::Mate(_)), "{sfen} with {slots} slots");
            }
        }
        assert!(solved > 4, "{solved} solved");
    }
}
