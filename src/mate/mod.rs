//! The mate solver: whether the side to move can mate by checks alone, and how. It owns its search
//! and its memory, and must not know of evaluation, of the playing search or of any protocol.

mod budget;
mod dfpn;
mod double;
mod estimate;
mod expand;
mod hands;
mod line;
mod path;
mod paths;
mod probe;
mod standing;
mod table;
mod team;
mod value;

pub use budget::SolverLimits;
pub use probe::MateProbe;
pub use value::INFINITE;

use parking_lot::RwLock;

use budget::{Ledger, Meter};
use line::{Line, Tracer};
use paths::Paths;
use table::Table;
use team::{Question, Team};
use value::{FOREVER, Value};

use crate::position::movegen::Promotions;
use crate::position::{EnteringKingRule, Position, ScoredMove};
use crate::sys::AllocationError;
use crate::types::Move;

/// What the solver's memory may take where nothing else is said, in mebibytes; spare room for growing
/// comes to a seventh more.
pub const DEFAULT_MEMORY_MIB: usize = 128;

/// Longest mate looked for, in plies.
pub const MAX_PLIES: u16 = 2999;

/// The share of the memory that refutations take which hold on one path only.
const PATHS_SHARE: usize = 16;
/// And what they take at most, in bytes, before anything else has been used.
const PATHS_MOST: usize = 64 << 20;

/// What looking for shorter mates may cost with [`Aim::Short`], in positions: some, a multiple of
/// what the first mate took, and never more than this (about a second).
const SHORTEN_NODES: u64 = 20_000;
const SHORTEN_FACTOR: u64 = 4;
const SHORTEN_MOST: u64 = 200_000;

/// How a solver works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverSettings {
    /// Threads that search, at least one.
    pub threads: usize,
    /// What the memory may take, in mebibytes, and a seventh more.
    pub memory_mib: usize,
    pub aim: Aim,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings { threads: 1, memory_mib: DEFAULT_MEMORY_MIB, aim: Aim::Short }
    }
}

/// When a mate is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Any mate will do.
    First,
    /// A shorter one is looked for where that is cheap.
    Short,
    /// Until no shorter one is possible, or the budget is spent.
    Shortest,
}

/// What the solver came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The whole line, the mating move last, the defender holding out as long as is known. Of a mate
    /// proven to be the shortest each move is the best, if the budget sufficed to see to that.
    Mate(Vec<Move>),
    /// Proven: there is no mate, however long.
    NoMate,
    /// Not known within the budget.
    Unknown,
}

/// An answer and what is known besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub result: MateResult,
    /// Plies within which it is proven that every defence ends. The line of a long mate may be
    /// shorter, where its defence could not be made the best within the budget.
    pub within: Option<u16>,
    /// It is proven that no mate is shorter than the one given.
    pub is_shortest: bool,
    /// Positions expanded.
    pub nodes: u64,
}

impl Solution {
    /// Nothing is known, nothing was searched.
    pub const UNKNOWN: Solution =
        Solution { result: MateResult::Unknown, within: None, is_shortest: false, nodes: 0 };
}

/// How far a solver is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// Positions expanded.
    pub nodes: u64,
    /// Plies of the longest line looked at.
    pub depth: u32,
    /// Proof and disproof numbers of the root: roughly, how many positions are yet to be proven
    /// mates, or refuted, to settle it. 0 for one that is settled, [`INFINITE`] for the other.
    pub proof: u64,
    pub disproof: u64,
    pub hashfull_permille: u32,
    /// The best mate found, or nothing.
    pub mate: Vec<Move>,
    /// The line being searched.
    pub line: Vec<Move>,
}

/// Whether a mate that is found decides the game. What is found holds for a position without a past:
/// so not where a position has already come three times. Nor under the try rule, where a king in check
/// may win.
pub fn is_decisive(position: &Position, rule: EnteringKingRule) -> bool {
    rule != EnteringKingRule::Try && !position.has_threefold_position()
}

/// Solves a position for the side to move with the usual settings: see [`solve_with`].
///
/// ```
/// use kawasemi::mate::{MateResult, SolverLimits, solve};
/// use kawasemi::position::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// let budget = SolverLimits { nodes: None, depth: None, deadline: None, stop: &|| false };
/// let result = solve(&position, &budget, &mut |_| {});
/// assert_eq!(result, MateResult::Mate(vec!["G*5b".parse().unwrap()]));
/// ```
pub fn solve(
    position: &Position,
    budget: &SolverLimits<'_>,
    report: &mut dyn FnMut(&SolverProgress),
) -> MateResult {
    solve_with(SolverSettings::default(), position, budget, report).result
}

/// Solves a position with these settings: see [`Solver::solve`].
pub fn solve_with(
    settings: SolverSettings,
    position: &Position,
    budget: &SolverLimits<'_>,
    report: &mut dyn FnMut(&SolverProgress),
) -> Solution {
    Solver::new(settings).solve(position, budget, report)
}

/// Solves one problem after the other. It keeps its memory between them, though nothing of what was
/// in it, so that no problem waits for the system to give what one before has had.
#[derive(Debug)]
pub struct Solver {
    settings: SolverSettings,
    memory: Option<RwLock<Memory>>,
}

impl Solver {
    /// It takes no memory before there is something to solve.
    pub fn new(settings: SolverSettings) -> Solver {
        Solver { settings, memory: None }
    }

    /// How it works.
    pub fn settings(&self) -> SolverSettings {
        self.settings
    }

    /// Solves a position for the side to move, which attacks: every one of its moves must give
    /// check.
    ///
    /// The position counts, not the game before it. A king of the attacker is not needed; one in
    /// check must be saved by a move that checks back. Perpetual check is no mate.
    ///
    /// `report` is called every half second, at the end of every search (one for a mate, others for
    /// a shorter one), and for every mate found.
    ///
    /// What a look at the position tells is known whatever the budget: a mate in one, or that there is
    /// no check. Where the system refuses even a little memory, nothing is known.
    pub fn solve(
        &mut self,
        position: &Position,
        budget: &SolverLimits<'_>,
        report: &mut dyn FnMut(&SolverProgress),
    ) -> Solution {
        let memory = match self.memory.take() {
            Some(mut memory) => {
                memory.get_mut().clear();
                memory
            }
            None => match Memory::new(self.settings.memory_mib << 20) {
                Ok(memory) => RwLock::new(memory),
                Err(_) => return Solution::UNKNOWN,
            },
        };
        solve_in(self.memory.insert(memory), self.settings, position, budget, report)
    }
}

fn solve_in(
    memory: &RwLock<Memory>,
    settings: SolverSettings,
    position: &Position,
    budget: &SolverLimits<'_>,
    report: &mut dyn FnMut(&SolverProgress),
) -> Solution {
    let ledger = Ledger::new(budget);
    let meter = Meter::leading(&ledger, budget);
    let threads = settings.threads.max(1);
    let team = Team { memory, ledger: &ledger, threads };
    let mut attempt = Attempt { root: position, team: &team, meter, report, best: None };
    let result = attempt.run(budget.depth, settings.aim);
    let is_shortest = attempt.best.as_ref().is_some_and(|best| best.is_shortest);
    let within = attempt.best.as_ref().map(|best| best.line.within);
    Solution { result, within, is_shortest, nodes: attempt.meter.nodes() }
}

/// What searches remember.
#[derive(Debug)]
struct Memory {
    table: Table,
    paths: Paths,
}

impl Memory {
    /// Empty, with so many bytes.
    fn new(bytes: usize) -> Result<Memory, AllocationError> {
        let paths = (bytes / PATHS_SHARE).min(PATHS_MOST);
        Ok(Memory { table: Table::new(bytes - paths)?, paths: Paths::new(paths)? })
    }

    /// Forgets everything.
    fn clear(&mut self) {
        self.table.clear();
        self.paths.clear();
    }
}

/// The work on one problem.
struct Attempt<'a, 'm> {
    root: &'a Position,
    team: &'a Team<'a>,
    meter: Meter<'m>,
    report: &'a mut dyn FnMut(&SolverProgress),
    best: Option<Best>,
}

/// The best mate found.
#[derive(Clone, Debug)]
struct Best {
    line: Line,
    is_shortest: bool,
}

impl Attempt<'_, '_> {
    fn run(&mut self, depth: Option<u32>, aim: Aim) -> MateResult {
        let horizon = depth.map_or(MAX_PLIES, |plies| plies.clamp(1, u32::from(MAX_PLIES)) as u16);
        match self.search(horizon) {
            Some(Value::Mate { plies, .. }) => self.mate(plies, aim),
            Some(Value::NoMate { within: FOREVER, .. }) => MateResult::NoMate,
            _ => self.glance(),
        }
    }

    /// What can be told without a search.
    fn glance(&mut self) -> MateResult {
        if let Some(mv) = self.root.mate_in_one() {
            self.show(&[mv]);
            let line = Line { moves: vec![mv], within: 1 };
            self.best = Some(Best { line, is_shortest: true });
            return MateResult::Mate(vec![mv]);
        }
        let mut checks: Vec<ScoredMove> = Vec::new();
        self.root.generate_checks(Promotions::All, &mut checks);
        if checks.is_empty() { MateResult::NoMate } else { MateResult::Unknown }
    }

    fn search(&mut self, horizon: u16) -> Option<Value> {
        let (root, team) = (self.root, self.team);
        let question = Question { position: root, attacker: root.side_to_move(), horizon };
        let (report, best) = (&mut *self.report, &self.best);
        let mate = || best.as_ref().map_or_else(Vec::new, |best| best.line.moves.clone());
        team.settle(question, &mut self.meter, &mut |progress, meter| {
            report(&SolverProgress {
                nodes: meter.nodes(),
                depth: u32::from(progress.depth),
                proof: progress.proof,
                disproof: progress.disproof,
                hashfull_permille: team.memory.read().table.permille(),
                mate: mate(),
                line: progress.line,
            });
        })
    }

    /// The line of a mate of at most so many plies, or of a shorter one.
    fn mate(&mut self, plies: u16, aim: Aim) -> MateResult {
        self.keep(plies, false);
        match aim {
            Aim::First => {}
            Aim::Short => {
                let factor = self.meter.nodes().saturating_mul(SHORTEN_FACTOR);
                self.meter.allow((SHORTEN_NODES + factor).min(SHORTEN_MOST));
                self.shorten();
                self.meter.allow(u64::MAX);
            }
            Aim::Shortest => self.shorten(),
        }
        self.best.take_if(|best| !line::is_mate(self.root, &best.line.moves));
        let line = self.best.as_ref().map(|best| best.line.moves.clone());
        line.map_or(MateResult::Unknown, MateResult::Mate)
    }

    /// Looks for shorter mates until there is none.
    fn shorten(&mut self) {
        while let Some(best) = self.best.as_mut() {
            let within = best.line.within;
            if within == 1 {
                best.is_shortest = true;
                return;
            }
            match self.search(within - 2) {
                Some(Value::Mate { plies, .. }) => self.keep(plies, false),
                Some(Value::NoMate { .. }) => return self.keep(within, true),
                _ => return,
            }
            let improved = self.best.as_ref().is_some_and(|best| best.line.within < within);
            if !improved {
                return;
            }
        }
    }

    /// Traces the line of a mate of at most so many plies; no less, if it is exact.
    fn keep(&mut self, plies: u16, exact: bool) {
        let traced = Tracer::new(self.root, self.team, &mut self.meter, exact).line(plies);
        let traced = traced.filter(|line| line::is_mate(self.root, &line.moves));
        let is_full = |line: &Line| line.moves.len() == usize::from(plies);
        // A line found before may be as long because both sides miss what is better, so it must do
        // only where the budget ends.
        let known = self.best.as_ref().map(|best| &best.line);
        let line = match known.filter(|line| exact && is_full(line)) {
            Some(known) if !traced.as_ref().is_some_and(is_full) => Some(known.clone()),
            _ => traced,
        };
        let Some(line) = line else { return };
        let is_shortest = exact && is_full(&line);
        self.show(&line.moves);
        self.best = Some(Best { line, is_shortest });
    }

    /// Reports a mate.
    fn show(&mut self, mate: &[Move]) {
        (self.report)(&SolverProgress {
            nodes: self.meter.nodes(),
            depth: mate.len() as u32,
            proof: 0,
            disproof: INFINITE,
            hashfull_permille: self.team.memory.read().table.permille(),
            mate: mate.to_vec(),
            line: mate.to_vec(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Nothing was said to be known.
    #[test]
    fn what_a_look_at_the_position_tells_needs_no_budget() {
        let nothing = SolverLimits { nodes: Some(0), depth: None, deadline: None, stop: &|| false };
        let late = SolverLimits { nodes: None, deadline: Some(Instant::now()), ..nothing };
        for budget in [nothing, late] {
            let solve = |sfen: &str| {
                let root = Position::from_sfen(sfen).unwrap();
                let settings = SolverSettings { memory_mib: 1, ..SolverSettings::default() };
                solve_with(settings, &root, &budget, &mut |_| {})
            };
            let mate = solve("4k4/9/4P4/9/9/9/9/9/9 b G 1");
            assert_eq!(mate.result, MateResult::Mate(vec!["G*5b".parse().unwrap()]));
            assert_eq!((mate.within, mate.is_shortest, mate.nodes), (Some(1), true, 0));
            assert_eq!(solve("4k4/9/9/9/9/9/9/9/4K4 b - 1").result, MateResult::NoMate);
            // Black mates in eleven plies.
            assert_eq!(solve("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1").result, MateResult::Unknown);
        }
    }

    #[test]
    fn a_solver_solves_each_problem_as_if_it_were_its_first() {
        const PROBLEMS: [&str; 4] = [
            "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1",
            "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1",
            "8K/7G1/6+r2/9/9/9/9/9/9 w rl 1",
            // As the first, but the defender has something to interpose.
            "9/4k4/2K2R3/9/9/9/9/9/9 b 2Lg 1",
        ];
        let budget =
            SolverLimits { nodes: Some(30_000), depth: None, deadline: None, stop: &|| false };
        let settings =
            SolverSettings { memory_mib: 16, aim: Aim::Shortest, ..SolverSettings::default() };
        let mut solver = Solver::new(settings);
        for sfen in PROBLEMS.into_iter().chain(PROBLEMS) {
            let root = Position::from_sfen(sfen).unwrap();
            let found = solver.solve(&root, &budget, &mut |_| {});
            assert!(found.nodes > 0, "{sfen}");
            assert_eq!(found, solve_with(settings, &root, &budget, &mut |_| {}), "{sfen}");
        }
    }

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
        let budget =
            SolverLimits { nodes: Some(5_000), depth: None, deadline: None, stop: &|| false };
        let mut solved = 0;
        for (bytes, threads) in [(1 << 10, 1), (4 << 10, 1), (16 << 10, 1), (4 << 10, 3)] {
            let solve = |sfen: &str| {
                let root = Position::from_sfen(sfen).unwrap();
                let settings = SolverSettings { threads, ..SolverSettings::default() };
                let memory = RwLock::new(Memory::new(bytes).unwrap());
                solve_in(&memory, settings, &root, &budget, &mut |_| {}).result
            };
            for sfen in MATES {
                let result = solve(sfen);
                assert_ne!(result, MateResult::NoMate, "{sfen} with {bytes} bytes");
                solved += u32::from(result != MateResult::Unknown);
            }
            for sfen in NO_MATES {
                let result = solve(sfen);
                assert!(!matches!(result, MateResult::Mate(_)), "{sfen} with {bytes} bytes");
            }
        }
        assert!(solved > 4, "{solved} solved");
    }
}
