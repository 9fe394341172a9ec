//! Composes problems by local search: random problems are changed at random, and a change is kept
//! unless it makes the problem worse. Useless pieces are removed from the board at the end.

use super::aesthetics::aesthetic_score;
use super::defender_hand::with_full_hand;
use super::mutation;
use super::problem_checker::{CheckReport, CheckVerdict, ProblemChecker};
use super::second_solutions::SecondSolutionKind;
use crate::mate::{MateResult, Solver, SolverLimits, SolverSettings};
use crate::position::{Position, Setup};
use crate::sys::AllocationError;
use crate::types::{Color, Hand, Move, PieceKind, Random};

/// Node limit for the mate of a random problem.
const PRESCREEN_NODES: u64 = 400;
/// Node limit of a check.
const CHECK_NODES: u64 = 6_000;
/// After this many changes without a gain the search restarts from another problem.
const MAX_FRUITLESS_CHANGES: usize = 150;

/// A problem that the check finds sound.
#[derive(Clone, Debug)]
pub struct ComposedProblem {
    pub position: Position,
    pub line: Vec<Move>,
    /// Points for sacrifices, underpromotions and distant drops, less one for each piece.
    pub aesthetic_score: i32,
    pub report: CheckReport,
}

/// Composes problems of one length.
#[derive(Debug)]
pub struct ProblemComposer {
    checker: ProblemChecker,
    solver: Solver,
    plies: u16,
}

impl ProblemComposer {
    /// A composer of problems of this many plies, which must be odd.
    ///
    /// # Errors
    /// If the system refuses a few mebibytes of memory.
    pub fn new(plies: u16) -> Result<ProblemComposer, AllocationError> {
        let settings = SolverSettings { memory_mib: 1, ..SolverSettings::default() };
        let checker = ProblemChecker::new(4)?.without_lines();
        Ok(ProblemComposer { checker, solver: Solver::new(settings), plies })
    }

    /// Problem number `number` of a seed, or `None` if `stop` returns true first. The problem has one
    /// solution, which leaves no piece in hand and has no other last move, and every piece on the board is
    /// needed.
    pub fn compose(
        &mut self,
        seed: u64,
        number: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<ComposedProblem> {
        let mut random = Random::of_part(seed, number);
        while !stop() {
            if let Some(problem) = self.hill_climb(&mut random, stop) {
                return Some(problem);
            }
        }
        None
    }

    /// Improves a random problem until it is sound or changes gain nothing.
    fn hill_climb(
        &mut self,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Option<ComposedProblem> {
        let mut setup = mutation::random_problem(random);
        let mut faults = self.fault_score_of(&setup)?;
        let mut fruitless_changes = 0;
        while faults > 0 {
            fruitless_changes += 1;
            if fruitless_changes > MAX_FRUITLESS_CHANGES || stop() {
                return None;
            }
            let next = mutation::mutated(&setup, random);
            if let Some(found) = self.fault_score_of(&next).filter(|&found| found <= faults) {
                fruitless_changes = if found < faults { 0 } else { fruitless_changes };
                (setup, faults) = (next, found);
            }
        }
        self.finish(setup)
    }

    /// Removes useless pieces, and rates the problem.
    fn finish(&mut self, mut setup: Setup) -> Option<ComposedProblem> {
        while let Some(smaller) = self.without_a_useless_piece(&setup) {
            setup = smaller;
        }
        let position = Position::from_setup(&with_full_hand(&setup)).ok()?;
        let report = self.check(&position);
        let line = report.line.as_ref()?.moves.clone();
        let aesthetic_score = aesthetic_score(&position, &line);
        Some(ComposedProblem { position, line, aesthetic_score, report })
    }

    fn without_a_useless_piece(&mut self, setup: &Setup) -> Option<Setup> {
        let squares: Vec<_> = setup
            .pieces()
            .filter(|(_, piece)| piece.kind() != PieceKind::King)
            .map(|(square, _)| square)
            .collect();
        squares.into_iter().find_map(|square| {
            let mut smaller = setup.clone();
            smaller.board[square.index()] = None;
            (self.fault_score_of(&smaller) == Some(0)).then_some(smaller)
        })
    }

    /// The [`fault_score`] of a problem; `None` if it is illegal, no mate or too hard.
    fn fault_score_of(&mut self, setup: &Setup) -> Option<u32> {
        let position = Position::from_setup(&with_full_hand(setup)).ok()?;
        let limits = SolverLimits { nodes: Some(PRESCREEN_NODES), ..SolverLimits::UNLIMITED };
        let prescreened = self.solver.solve(&position, &limits, &mut |_| {});
        if !matches!(prescreened.result, MateResult::Mate(_)) {
            return None;
        }
        fault_score(&self.check(&position), self.plies)
    }

    fn check(&mut self, position: &Position) -> CheckReport {
        let limits = SolverLimits { nodes: Some(CHECK_NODES), ..SolverLimits::UNLIMITED };
        self.checker.check(position, &[], &limits, &mut |_| {})
    }
}

/// How far a checked problem is from a sound one: the weighted number of its faults. `None` if it is no
/// mate, or not everything is decided.
fn fault_score(report: &CheckReport, plies: u16) -> Option<u32> {
    let CheckVerdict::Mate(found) = report.verdict else { return None };
    let line = report.line.as_ref().filter(|_| report.is_decided())?;
    let wrong_length = u32::from(found.abs_diff(plies)) * 3;
    let second: u32 = report
        .second_solutions
        .iter()
        .map(|second| match second.kind {
            SecondSolutionKind::Independent | SecondSolutionKind::Shorter => 2,
            _ => 1,
        })
        .sum();
    Some(wrong_length + second + 2 * line.pieces_left)
}

impl ComposedProblem {
    /// The key of the board and the attacker's hand, up to reflection, which similar problems share.
    pub fn key(&self) -> u64 {
        let mut setup = self.position.setup();
        // The defender's hand follows from the rest.
        setup.hands[Color::White] = Hand::EMPTY;
        let key = |setup: &Setup| Position::from_setup(setup).map_or(0, |position| position.key());
        key(&setup).min(key(&setup.mirrored()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_composed_problem_is_sound_without_useless_pieces_and_follows_from_its_seed() {
        let mut composer = ProblemComposer::new(1).unwrap();
        let made = composer.compose(1, 0, &|| false).unwrap();
        assert_eq!(made.report.verdict, CheckVerdict::Mate(1));
        assert_eq!(made.report.is_unique(), Some(true));
        assert!(made.report.second_solutions.is_empty());
        assert_eq!(made.report.line.as_ref().map(|line| line.pieces_left), Some(0));
        let setup = made.position.setup();
        for (square, piece) in setup.pieces() {
            if piece.kind() != PieceKind::King {
                let mut smaller = setup.clone();
                smaller.board[square.index()] = None;
                assert_ne!(composer.fault_score_of(&smaller), Some(0), "{square}");
            }
        }
        let again = ProblemComposer::new(1).unwrap().compose(1, 0, &|| false).unwrap();
        assert_eq!(again.position.to_sfen(), made.position.to_sfen());
    }
}
