//! Examines a position: its best move, the best other move, and the number of nodes after which the search
//! finds the best.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::goal::{PuzzleGoal, UNIQUE_MARGIN, goal};
use super::puzzle::{Alternative, CandidateLine, Examination, FoundAt};
use crate::analysis::{AnalysisError, AnalysisScore, WinReason, win_rate};
use crate::mate::{Aim, MateProver, ProofResult, Solution, Solver, SolverLimits, SolverSettings};
use crate::nnue::Network;
use crate::position::Position;
use crate::search::request::{Limits, Request, SearchOptions};
use crate::search::{SearchResult, SingleThreadSearcher};
use crate::sys::{AllocationError, Instant};
use crate::types::{Color, Move, Score};

/// The nodes of an examination are this many times those of the scan.
pub(super) const EXAMINATION_FACTOR: u64 = 10;
/// An answer without a proof is confirmed with this many times the nodes of the examination.
const CONFIRMATION_FACTOR: u64 = 10;
/// The mate solver gets this fraction (1/n) of the nodes of an examination.
const SOLVER_DIVISOR: u64 = 4;
/// Memory of the solver and of the prover, in mebibytes.
const SOLVER_MIB: usize = 16;
/// The nodes of the first search, and the factor for each further one.
const FIRST_NODES: u64 = 100;
const GROWTH: u64 = 4;
/// A best move that after a short search is within this margin of being unique is searched further.
const NEAR_MARGIN: f64 = 0.05;
/// The search after a wrong move gets this fraction (1/n) of the nodes of the scan.
const REFUTATION_DIVISOR: u64 = 10;
/// Maximum number of moves of a refutation.
const REFUTATION_PLIES: usize = 5;

/// Examines positions, each from an empty table, so that the rest of the game does not help.
#[derive(Debug)]
pub struct Examiner {
    searcher: SingleThreadSearcher,
    solver: Solver,
    prover: MateProver,
    options: SearchOptions,
    /// The nodes of the scan for each position.
    scan_nodes: u64,
    /// Stops the searches once it is set.
    stop: Arc<AtomicBool>,
}

impl Examiner {
    /// An examiner for a scan with this many nodes for each position. It stops once `stop` is set.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(
        network: Network,
        hash_mib: usize,
        options: SearchOptions,
        nodes: u64,
        stop: Arc<AtomicBool>,
    ) -> Result<Examiner, AllocationError> {
        let settings = SolverSettings { threads: 1, memory_mib: SOLVER_MIB, aim: Aim::Shortest };
        Ok(Examiner {
            searcher: SingleThreadSearcher::new(hash_mib, network)?.with_stop_flag(stop.clone()),
            solver: Solver::new(settings),
            prover: MateProver::new(Color::Black, SOLVER_MIB)?,
            options: SearchOptions { multi_pv: 1, ..options },
            scan_nodes: nodes,
            stop,
        })
    }

    /// Examines a position without a history. `None` if it is not a puzzle.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn examine(&mut self, position: &Position) -> Result<Option<Examination>, AnalysisError> {
        self.searcher.clear();
        let mate = self.solve(position)?;
        let max_nodes = self.examination_nodes();
        let mut searches = Vec::new();
        let mut nodes = FIRST_NODES;
        while nodes < max_nodes {
            searches.push(self.search(position, &[], nodes)?);
            if nodes >= self.scan_nodes {
                let Some(line) = best(&mate, &searches) else { return Ok(None) };
                // Most positions that are not puzzles are rejected here.
                let second = self.second_best(position, line.mv(), nodes)?;
                if !is_nearly_unique(line.score, second.as_ref()) {
                    return Ok(None);
                }
            }
            nodes *= GROWTH;
        }
        searches.push(self.search(position, &[], max_nodes)?);
        let Some(best) = best(&mate, &searches) else { return Ok(None) };
        let mut second = self.second_best(position, best.mv(), max_nodes)?;
        let others = self.other_moves(position, best.mv());
        if let Some(other) = self.find_mate(position, &others)? {
            second = Some(other);
        }
        let found = found_at(best.mv(), &searches, max_nodes);
        let Some(goal) = goal(best.score, second.as_ref().map(|line| line.score)) else {
            return Ok(None);
        };
        let is_proven = goal == PuzzleGoal::Mate;
        if !is_proven && !self.is_confirmed(position, best.mv(), goal)? {
            return Ok(None);
        }
        Ok(Some(Examination { goal, best, second, found }))
    }

    /// Whether a much longer search gives the same answer and goal.
    fn is_confirmed(
        &mut self,
        position: &Position,
        answer: Move,
        wanted: PuzzleGoal,
    ) -> Result<bool, AnalysisError> {
        let nodes = self.examination_nodes().saturating_mul(CONFIRMATION_FACTOR);
        let best = line_of(&self.search(position, &[], nodes)?);
        let Some(best) = best.filter(|line| line.mv() == answer) else { return Ok(false) };
        let second = self.second_best(position, answer, nodes)?;
        let found = goal(best.score, second.map(|line| line.score));
        Ok(found == Some(wanted))
    }

    /// The best line of a position for the side to move, with as many nodes as an examination has.
    /// `None` if the game is over.
    ///
    /// # Errors
    /// If the search was stopped.
    pub(super) fn best_line(
        &mut self,
        position: &Position,
    ) -> Result<Option<CandidateLine>, AnalysisError> {
        let found = self.search(position, &[], self.examination_nodes())?;
        Ok(line_of(&found))
    }

    /// Every legal move except the best, if the searches of the position are still in the table. `None` if one
    /// of these moves seems as good, other than the best move without promotion.
    ///
    /// # Errors
    /// If the search was stopped.
    pub(super) fn alternatives(
        &mut self,
        position: &Position,
        examined: &Examination,
    ) -> Result<Option<Vec<Alternative>>, AnalysisError> {
        let Examination { goal: wanted, best, .. } = examined;
        let is_wrong = |score| goal(best.score, Some(score)).is_some();
        let unpromoted = self.useless_non_promotion(position, best.mv());
        let mut found = Vec::new();
        for mv in moves_except(position, best.mv()) {
            let mut tried = self.try_move(position, mv, &is_wrong)?;
            if Some(mv) == unpromoted {
                tried = self.find_mate(position, &[mv])?.unwrap_or(tried);
            }
            let is_right = !is_wrong(tried.score);
            if is_right && (Some(mv) != unpromoted || !wanted.is_reached_by(tried.score)) {
                return Ok(None);
            }
            let CandidateLine { score, mut moves, .. } = tried;
            let mut line = moves.split_off(1);
            if !is_right {
                line.truncate(REFUTATION_PLIES);
            }
            found.push(Alternative { mv, score, line, is_right });
        }
        Ok(Some(found))
    }

    /// A move with its line from a short search, or from a longer one if the short one does not make it wrong.
    fn try_move(
        &mut self,
        position: &Position,
        mv: Move,
        is_wrong: &dyn Fn(AnalysisScore) -> bool,
    ) -> Result<CandidateLine, AnalysisError> {
        let mut after = position.clone();
        after.do_move(mv);
        // Without a reply the game is won.
        let score = AnalysisScore::Win(WinReason::Unproven);
        let mut tried = CandidateLine { score, moves: vec![mv], depth: 0 };
        for nodes in [self.scan_nodes / REFUTATION_DIVISOR, self.scan_nodes] {
            let reply = self.search(&after, &[], nodes.max(FIRST_NODES))?;
            let Some(CandidateLine { score, moves, depth }) = line_of(&reply) else { break };
            let moves = [&[mv], &moves[..]].concat();
            tried = CandidateLine { score: score.negated(), moves, depth };
            if is_wrong(tried.score) {
                break;
            }
        }
        Ok(tried)
    }

    fn solve(&mut self, position: &Position) -> Result<Option<CandidateLine>, AnalysisError> {
        let stop = self.stop.clone();
        let is_stopped = || stop.load(Ordering::Relaxed);
        let limits = self.solver_limits(&is_stopped);
        let solution = self.solver.solve(position, &limits, &mut |_| {});
        self.go_on()?;
        Ok(mate_line(solution))
    }

    fn examination_nodes(&self) -> u64 {
        self.scan_nodes.saturating_mul(EXAMINATION_FACTOR)
    }

    fn solver_nodes(&self) -> u64 {
        self.examination_nodes() / SOLVER_DIVISOR
    }

    fn solver_limits<'a>(&self, stop: &'a dyn Fn() -> bool) -> SolverLimits<'a> {
        SolverLimits { nodes: Some(self.solver_nodes()), stop, ..SolverLimits::UNLIMITED }
    }

    /// The best of the moves other than the answer.
    fn second_best(
        &mut self,
        position: &Position,
        answer: Move,
        nodes: u64,
    ) -> Result<Option<CandidateLine>, AnalysisError> {
        let others = self.other_moves(position, answer);
        if others.is_empty() {
            return Ok(None);
        }
        Ok(line_of(&self.search(position, &others, nodes)?))
    }

    /// The legal moves other than the answer. The answer without promotion is another move only if a search makes
    /// it: both are usually about as good, and which scores higher is chance.
    fn other_moves(&self, position: &Position, answer: Move) -> Vec<Move> {
        let unpromoted = self.useless_non_promotion(position, answer);
        let mut others = moves_except(position, answer);
        others.retain(|&mv| Some(mv) != unpromoted);
        others
    }

    /// A move without its promotion, if that is legal and a search does not make it.
    fn useless_non_promotion(&self, position: &Position, mv: Move) -> Option<Move> {
        if !mv.is_promotion() {
            return None;
        }
        let unpromoted = Move::board(mv.from(), mv.to(), false);
        let searched = self.options.moves_to_search(position);
        let is_useless = position.is_legal(unpromoted) && !searched.contains(unpromoted);
        is_useless.then_some(unpromoted)
    }

    /// The first of these moves that mates by checks; a search may miss it.
    fn find_mate(
        &mut self,
        position: &Position,
        moves: &[Move],
    ) -> Result<Option<CandidateLine>, AnalysisError> {
        self.prover.reset(position.side_to_move());
        let stop = self.stop.clone();
        let is_stopped = || stop.load(Ordering::Relaxed);
        let checks: Vec<Move> =
            moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
        let nodes_per_check = self.solver_nodes() / checks.len().max(1) as u64;
        for mv in checks {
            let mut after = position.clone();
            after.do_move(mv);
            let limits =
                SolverLimits { nodes: Some(nodes_per_check), ..self.solver_limits(&is_stopped) };
            if let ProofResult::Mate(plies) = self.prover.prove(&after, None, &limits) {
                let mate = WinReason::Mate { plies: u32::from(plies) + 1, is_shortest: false };
                let rest = self.prover.line(&after, plies, &limits).unwrap_or_default();
                let moves = [&[mv], &rest[..]].concat();
                let score = AnalysisScore::Win(mate);
                return Ok(Some(CandidateLine { score, moves, depth: 0 }));
            }
        }
        self.go_on()?;
        Ok(None)
    }

    /// A search of these moves, or of all if there are none.
    fn search(
        &mut self,
        position: &Position,
        moves: &[Move],
        nodes: u64,
    ) -> Result<SearchResult, AnalysisError> {
        let limits =
            Limits { nodes: Some(nodes), search_moves: moves.to_vec(), ..Limits::default() };
        let (position, options) = (position.clone(), self.options.clone());
        let request = Request { position, limits, options, received: Instant::now() };
        let found = self.searcher.search(request);
        // A stopped search is no result.
        self.go_on()?;
        Ok(found)
    }

    /// # Errors
    /// If the stop flag is set.
    fn go_on(&self) -> Result<(), AnalysisError> {
        if self.stop.load(Ordering::Relaxed) { Err(AnalysisError::Stopped) } else { Ok(()) }
    }
}

/// All legal moves except one.
fn moves_except(position: &Position, excluded: Move) -> Vec<Move> {
    position.legal_moves().moves().filter(|&mv| mv != excluded).collect()
}

fn score_of(score: Score) -> AnalysisScore {
    match (score.is_win(), score.is_loss()) {
        (true, _) => AnalysisScore::Win(WinReason::Unproven),
        (_, true) => AnalysisScore::Loss(WinReason::Unproven),
        _ => AnalysisScore::of_score(score),
    }
}

fn line_of(found: &SearchResult) -> Option<CandidateLine> {
    let best = found.moves.first()?;
    let moves = if best.pv.is_empty() { vec![best.mv] } else { best.pv.clone() };
    Some(CandidateLine { score: score_of(best.score), moves, depth: found.depth })
}

fn mate_line(solution: Solution) -> Option<CandidateLine> {
    let (mate, moves) = WinReason::of_solution(solution)?;
    Some(CandidateLine { score: AnalysisScore::Win(mate), moves, depth: 0 })
}

/// The mate if there is one, or else the last search.
fn best(mate: &Option<CandidateLine>, searches: &[SearchResult]) -> Option<CandidateLine> {
    mate.clone().or_else(|| line_of(searches.last()?))
}

fn is_nearly_unique(best: AnalysisScore, second: Option<&CandidateLine>) -> bool {
    let other = second.map_or(0.0, |line| win_rate(line.score));
    win_rate(best) - other >= UNIQUE_MARGIN - NEAR_MARGIN
}

/// When the final move was found. A move that no search chooses was found by the solver at the end.
fn found_at(best: Move, searches: &[SearchResult], max_nodes: u64) -> FoundAt {
    let misses = |found: &SearchResult| found.moves.first().map(|first| first.mv) != Some(best);
    let first = searches.iter().rposition(misses).map_or(0, |last| last + 1);
    match searches.get(first) {
        Some(found) => FoundAt { depth: found.depth, nodes: found.nodes },
        None => FoundAt { depth: searches.last().map_or(0, |found| found.depth), nodes: max_nodes },
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Regression: with ten times the nodes 4 of 19 answers no longer won or saved, or another move did too.
    #[test]
    fn a_win_is_confirmed_by_a_longer_search_and_another_move_or_goal_is_not() {
        // A rook takes another for nothing, or is taken.
        let position = Position::from_sfen("4k4/4g4/9/7r1/9/9/9/4G2R1/4K4 b - 1").unwrap();
        let options = SearchOptions::for_tests();
        let mut examiner =
            Examiner::new(Network::built_in(), 1, options, 100, Arc::default()).unwrap();
        let mut is_confirmed =
            |mv: &str, goal| examiner.is_confirmed(&position, mv.parse().unwrap(), goal).unwrap();
        assert!(is_confirmed("2h2d", PuzzleGoal::Win));
        assert!(!is_confirmed("2h2i", PuzzleGoal::Win));
        assert!(!is_confirmed("2h2d", PuzzleGoal::Save));
    }

    /// Regression: only the next search was stopped, not a running one of a hundred times the nodes of the scan.
    #[test]
    fn a_running_search_is_stopped() {
        let (position, stop) = (Position::startpos(), Arc::new(AtomicBool::new(false)));
        let options = SearchOptions::for_tests();
        let mut examiner =
            Examiner::new(Network::built_in(), 1, options, u64::MAX, stop.clone()).unwrap();
        let answer = "7g7f".parse().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                stop.store(true, Ordering::Relaxed);
            });
            let confirmed = examiner.is_confirmed(&position, answer, PuzzleGoal::Win);
            assert!(matches!(confirmed, Err(AnalysisError::Stopped)));
        });
    }
}
