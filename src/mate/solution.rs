//! The settings of a solver, its progress and its result.

use crate::types::Move;

/// The default memory of a solver, in mebibytes. While growing it may take a seventh more.
pub const DEFAULT_MEMORY_MIB: usize = 128;

/// The longest mate looked for, in plies.
pub const MAX_PLIES: u16 = 2999;

/// The settings of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverSettings {
    /// The number of threads, at least one.
    pub threads: usize,
    /// The memory for the tables, in mebibytes; while growing they may take a seventh more.
    pub memory_mib: usize,
    pub aim: Aim,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings { threads: 1, memory_mib: DEFAULT_MEMORY_MIB, aim: Aim::Short }
    }
}

/// When the search for a mate ends: the option `MateAim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// At the first mate.
    First,
    /// After shorter mates were searched for with few nodes.
    Short,
    /// When the mate is proved to be the shortest, or at a limit.
    Shortest,
}

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The line to the mate, the mating move last. The defender plays the longest known defence. If
    /// the mate is proved to be the shortest, both sides play their best moves, as far as the limits allowed.
    Mate(Vec<Move>),
    /// Proved: there is no mate of any length.
    NoMate,
    /// A limit was reached first.
    Unknown,
}

/// The result with its proof and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub result: MateResult,
    /// The plies within which every defence is proved to end. The line of a long mate may be
    /// shorter, if the limits ended the search for the best defence.
    pub within: Option<u16>,
    /// It is proved that no mate is shorter.
    pub is_shortest: bool,
    /// Positions expanded.
    pub nodes: u64,
}

impl Solution {
    /// The solution of a solver that has not searched.
    pub const UNKNOWN: Solution =
        Solution { result: MateResult::Unknown, within: None, is_shortest: false, nodes: 0 };
}

/// The state of a solver, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// Positions expanded.
    pub nodes: u64,
    /// Plies of the longest line searched.
    pub depth: u32,
    /// The proof and disproof numbers of the root: 0 and [`INFINITE`](super::INFINITE) if it is
    /// proved, the reverse if it is disproved.
    pub pn: u64,
    pub dn: u64,
    pub hashfull_permille: u32,
    /// The best mate found, or no moves.
    pub mate: Vec<Move>,
    /// The line being searched.
    pub line: Vec<Move>,
}
