//! The solver: searches for a mate at the root, then for shorter ones, and traces their lines.

use parking_lot::RwLock;

use super::dfpn::{Restriction, SearchStatus};
use super::limits::{NodeCounter, SharedLimits, SolverLimits};
use super::node_value::{ANY_LENGTH, INFINITE, NodeValue};
use super::solution::{Aim, MAX_PLIES, MateResult, Solution, SolverProgress, SolverSettings};
use super::tables::SolverTables;
use super::threads::{SearchRoot, SolverThreads};
use super::tracer::{LineTracer, MateLine, is_mate};
use crate::position::movegen::NonPromotions;
use crate::position::{EnteringKingRule, Position, ScoredMove};
use crate::types::Move;

/// Base of the node limit for shorter mates with [`Aim::Short`].
const SHORTER_MATE_NODES: u64 = 20_000;
/// Added to that limit for each node of the first mate.
const SHORTER_MATE_FACTOR: u64 = 4;
/// Maximum of that limit, about a second of search.
const MAX_SHORTER_MATE_NODES: u64 = 200_000;

/// Whether a mate that the solver finds decides the game. It does not if the position has already
/// occurred three times, because the solver does not know the game before the position, nor under
/// the try rule, by which a king in check may win.
pub fn decides_game(position: &Position, rule: EnteringKingRule) -> bool {
    rule != EnteringKingRule::Try && !position.has_threefold_position()
}

/// Solves one problem after the other. It keeps its memory between them, emptied, because the
/// system takes long to provide fresh memory.
#[derive(Debug)]
pub struct Solver {
    settings: SolverSettings,
    tables: Option<RwLock<SolverTables>>,
}

impl Solver {
    /// A solver that allocates its memory for the first problem.
    pub fn new(settings: SolverSettings) -> Solver {
        Solver { settings, tables: None }
    }

    pub fn settings(&self) -> SolverSettings {
        self.settings
    }

    /// Solves a position for the side to move, the attacker, whose every move must give check.
    ///
    /// The game before the position does not count. The attacker needs no king; if it has one in
    /// check, its move must also evade the check. Perpetual check is not mate.
    ///
    /// `report` is called every half second, at the end of every search (one for a mate, then
    /// others for shorter ones), and for every mate found.
    ///
    /// A mate in one and a position without checks are found whatever the limits. The result is
    /// unknown if the system refuses even a little memory.
    ///
    /// ```
    /// use kawasemi::mate::{MateResult, Solver, SolverLimits, SolverSettings};
    /// use kawasemi::position::Position;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// let mut solver = Solver::new(SolverSettings::default());
    /// let solution = solver.solve(&position, &SolverLimits::UNLIMITED, &mut |_| {});
    /// assert_eq!(solution.result, MateResult::Mate(vec!["G*5b".parse().unwrap()]));
    /// ```
    pub fn solve(
        &mut self,
        position: &Position,
        limits: &SolverLimits<'_>,
        report: &mut dyn FnMut(&SolverProgress),
    ) -> Solution {
        let tables = match self.tables.take() {
            Some(mut tables) => {
                tables.get_mut().clear();
                tables
            }
            None => match SolverTables::new(self.settings.memory_mib << 20) {
                Ok(tables) => RwLock::new(tables),
                Err(_) => return Solution::UNKNOWN,
            },
        };
        solve_in(self.tables.insert(tables), self.settings, position, limits, report)
    }
}

/// Solves a position with these tables and what they already know of it.
pub(super) fn solve_in(
    tables: &RwLock<SolverTables>,
    settings: SolverSettings,
    position: &Position,
    limits: &SolverLimits<'_>,
    report: &mut dyn FnMut(&SolverProgress),
) -> Solution {
    let shared = SharedLimits::new(limits);
    let counter = NodeCounter::main(&shared, limits);
    let threads = SolverThreads { tables, limits: &shared, count: settings.threads.max(1) };
    let mut search = RootSearch { root: position, threads: &threads, counter, report, best: None };
    let result = search.run(limits.depth, settings.aim);
    let is_shortest = search.best.as_ref().is_some_and(|best| best.is_shortest);
    let within = search.best.as_ref().map(|best| best.line.within);
    Solution { result, within, is_shortest, nodes: search.counter.nodes() }
}

/// The searches for one problem.
struct RootSearch<'a, 'm> {
    root: &'a Position,
    threads: &'a SolverThreads<'a>,
    counter: NodeCounter<'m>,
    report: &'a mut dyn FnMut(&SolverProgress),
    best: Option<BestMate>,
}

/// The best mate found.
#[derive(Clone, Debug)]
struct BestMate {
    line: MateLine,
    is_shortest: bool,
}

impl RootSearch<'_, '_> {
    fn run(&mut self, depth: Option<u32>, aim: Aim) -> MateResult {
        let horizon = depth.map_or(MAX_PLIES, |plies| plies.clamp(1, u32::from(MAX_PLIES)) as u16);
        match self.search(horizon) {
            Some(NodeValue::Mate { plies, .. }) => self.mate(plies, aim),
            Some(NodeValue::NoMate { within: ANY_LENGTH, .. }) => MateResult::NoMate,
            _ => self.without_search(),
        }
    }

    /// The result if one ply shows it.
    fn without_search(&mut self) -> MateResult {
        let mut checks: Vec<ScoredMove> = Vec::new();
        self.root.generate_checks(NonPromotions::All, &mut checks);
        if checks.is_empty() {
            return MateResult::NoMate;
        }
        let mut position = self.root.clone();
        let mates = |&mv: &Move| {
            position.do_move(mv);
            let is_mated = !position.has_legal_move();
            position.undo_move(mv);
            is_mated
        };
        let Some(mv) = checks.into_iter().map(|scored| scored.mv()).find(mates) else {
            return MateResult::Unknown;
        };
        self.report_mate(&[mv]);
        let line = MateLine { moves: vec![mv], within: 1 };
        self.best = Some(BestMate { line, is_shortest: true });
        MateResult::Mate(vec![mv])
    }

    fn search(&mut self, horizon: u16) -> Option<NodeValue> {
        let (position, threads) = (self.root, self.threads);
        let restriction = Restriction::default();
        let root = SearchRoot { position, attacker: position.side_to_move(), horizon, restriction };
        let (report, best) = (&mut *self.report, &self.best);
        let mate = || best.as_ref().map_or_else(Vec::new, |best| best.line.moves.clone());
        threads.search(root, &mut self.counter, &mut |status, counter| {
            let SearchStatus { pn, dn, depth, line } = status;
            report(&SolverProgress {
                nodes: counter.nodes(),
                depth: u32::from(depth),
                pn,
                dn,
                hashfull_permille: threads.tables.read().proofs.hashfull_permille(),
                mate: mate(),
                line,
            });
        })
    }

    /// The line of a mate of at most `plies` plies, or of a shorter one.
    fn mate(&mut self, plies: u16, aim: Aim) -> MateResult {
        self.trace(plies, false);
        match aim {
            Aim::First => {}
            Aim::Short => {
                let factor = self.counter.nodes().saturating_mul(SHORTER_MATE_FACTOR);
                self.counter.limit_to((SHORTER_MATE_NODES + factor).min(MAX_SHORTER_MATE_NODES));
                self.search_shorter_mates();
                self.counter.limit_to(u64::MAX);
            }
            Aim::Shortest => self.search_shorter_mates(),
        }
        self.best.take_if(|best| !is_mate(self.root, &best.line.moves));
        let line = self.best.as_ref().map(|best| best.line.moves.clone());
        line.map_or(MateResult::Unknown, MateResult::Mate)
    }

    /// Searches for shorter mates until there is none.
    fn search_shorter_mates(&mut self) {
        while let Some(best) = self.best.as_ref().filter(|best| !best.is_shortest) {
            let within = best.line.within;
            match self.search(within - 2) {
                Some(NodeValue::Mate { plies, .. }) => self.trace(plies, false),
                Some(NodeValue::NoMate { .. }) => return self.trace(within, true),
                _ => return,
            }
            let improved = self.best.as_ref().is_some_and(|best| best.line.within < within);
            if !improved {
                return;
            }
        }
    }

    /// Traces the line of a mate of at most `plies` plies, or of exactly as many if it is `exact`.
    fn trace(&mut self, plies: u16, exact: bool) {
        let tracer = LineTracer::new(self.root, self.threads, &mut self.counter, exact);
        let traced = tracer.line(plies).filter(|line| is_mate(self.root, &line.moves));
        let is_full = |line: &MateLine| line.moves.len() == usize::from(plies);
        // An earlier line may be as long because both sides play inexactly in it, so it is used only if a
        // limit ends the tracing.
        let known = self.best.as_ref().map(|best| &best.line);
        let line = match known.filter(|line| exact && is_full(line)) {
            Some(known) if !traced.as_ref().is_some_and(is_full) => Some(known.clone()),
            _ => traced,
        };
        let Some(line) = line else { return };
        let is_shortest = line.within == 1 || exact && is_full(&line);
        self.report_mate(&line.moves);
        self.best = Some(BestMate { line, is_shortest });
    }

    fn report_mate(&mut self, mate: &[Move]) {
        (self.report)(&SolverProgress {
            nodes: self.counter.nodes(),
            depth: mate.len() as u32,
            pn: 0,
            dn: INFINITE,
            hashfull_permille: self.threads.tables.read().proofs.hashfull_permille(),
            mate: mate.to_vec(),
            line: mate.to_vec(),
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::sys::Instant;

    use super::*;

    /// Regression: the result was unknown under tight limits; later it still was if the side to move was in check.
    #[test]
    fn a_mate_in_one_and_a_position_without_checks_need_no_limits() {
        const EVASION: &str = "k1l6/+r1lp5/K2l5/2BP5/9/9/9/9/9 b 2Pp 1";
        let nothing = SolverLimits { nodes: Some(0), ..SolverLimits::UNLIMITED };
        let late = SolverLimits { nodes: None, deadline: Some(Instant::now()), ..nothing };
        for limits in [nothing, late] {
            let solve = |sfen: &str| {
                let root = Position::from_sfen(sfen).unwrap();
                let settings = SolverSettings { memory_mib: 1, ..SolverSettings::default() };
                Solver::new(settings).solve(&root, &limits, &mut |_| {})
            };
            for (sfen, mv) in [("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"), (EVASION, "7d9b+")] {
                let mate = solve(sfen);
                assert_eq!(mate.result, MateResult::Mate(vec![mv.parse().unwrap()]));
                assert_eq!((mate.within, mate.is_shortest, mate.nodes), (Some(1), true, 0));
            }
            assert_eq!(solve("4k4/9/9/9/9/9/9/9/4K4 b - 1").result, MateResult::NoMate);
            // Black mates in eleven plies.
            assert_eq!(solve("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1").result, MateResult::Unknown);
        }
    }

    /// Regression: a list solved with `--aim first` showed `<=1`, a mate that may not be the shortest.
    #[test]
    fn no_mate_is_shorter_than_one_in_one_whatever_the_aim() {
        let root = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        for aim in [Aim::First, Aim::Short, Aim::Shortest] {
            let settings = SolverSettings { memory_mib: 1, aim, ..SolverSettings::default() };
            let found = Solver::new(settings).solve(&root, &SolverLimits::UNLIMITED, &mut |_| {});
            assert_eq!((found.within, found.is_shortest), (Some(1), true), "{aim:?}");
        }
    }

    /// Regression: this problem (Zuko 5) took 11,338 positions, because a check without promotion
    /// waited for the disproof of the same check with promotion.
    #[test]
    fn a_check_without_promotion_does_not_wait_until_the_one_with_promotion_is_disproved() {
        let root =
            Position::from_sfen("n+B1sS4/1R1g5/1Ls6/2k6/2n6/3L5/R8/9/9 b B2P3gs2n2l16p 1").unwrap();
        let limits = SolverLimits { nodes: Some(5_000), ..SolverLimits::UNLIMITED };
        let settings =
            SolverSettings { memory_mib: 16, aim: Aim::First, ..SolverSettings::default() };
        let found = Solver::new(settings).solve(&root, &limits, &mut |_| {});
        assert!(matches!(found.result, MateResult::Mate(_)), "{found:?}");
    }

    #[test]
    fn a_solver_solves_each_problem_as_if_it_were_its_first() {
        const PROBLEMS: [&str; 4] = [
            "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1",
            "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1",
            "8K/7G1/6+r2/9/9/9/9/9/9 w rl 1",
            // Like the first, but the defender has a gold to interpose.
            "9/4k4/2K2R3/9/9/9/9/9/9 b 2Lg 1",
        ];
        let limits = SolverLimits { nodes: Some(30_000), ..SolverLimits::UNLIMITED };
        let settings =
            SolverSettings { memory_mib: 16, aim: Aim::Shortest, ..SolverSettings::default() };
        let mut solver = Solver::new(settings);
        for sfen in PROBLEMS.into_iter().chain(PROBLEMS) {
            let root = Position::from_sfen(sfen).unwrap();
            let found = solver.solve(&root, &limits, &mut |_| {});
            assert!(found.nodes > 0, "{sfen}");
            let first = Solver::new(settings).solve(&root, &limits, &mut |_| {});
            assert_eq!(found, first, "{sfen}");
        }
    }

    #[test]
    fn a_tiny_memory_gives_fewer_results_but_no_wrong_ones() {
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
        let limits = SolverLimits { nodes: Some(5_000), ..SolverLimits::UNLIMITED };
        let mut solved = 0;
        for (bytes, threads) in [(1 << 10, 1), (4 << 10, 1), (16 << 10, 1), (4 << 10, 3)] {
            let solve = |sfen: &str| {
                let root = Position::from_sfen(sfen).unwrap();
                let settings = SolverSettings { threads, ..SolverSettings::default() };
                let tables = RwLock::new(SolverTables::new(bytes).unwrap());
                solve_in(&tables, settings, &root, &limits, &mut |_| {}).result
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
