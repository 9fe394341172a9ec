//! Analyses positions by the rules, by the mate solver, and by the search.
//!
//! A game is analysed from its end to its start. So the transposition table already holds the results
//! after the played move: scores hardly jump from move to move, and the loss of a move is the difference
//! of two consistent scores. In the other direction every surprise would show one move too late, as a
//! mistake of the wrong side.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};

use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::line_cursor::{Branch, LineCursor, PositionKey};
use super::position_analysis::{AnalysisResults, PositionAnalysis, Variation};
use super::rules;
use crate::mate::{self, Aim, MateResult, Solution, Solver, SolverLimits};
use crate::nnue::Network;
use crate::position::{MoveList, Position};
use crate::record::GameRecord;
use crate::search::ThreadPool;
use crate::search::request::{Event, Limits, PvEnding, PvLine, Report, Request, SearchOptions};
use crate::types::{Depth, MAX_PLY, Move};

/// Interval of checks of the stop flag.
const GLANCE: Duration = Duration::from_millis(20);
/// The mate solver gets this fraction of the limit.
const SOLVER_SHARE: u32 = 4;
/// Nodes of the solver if the limit is a depth, and for completing a mate that the search found: a
/// fraction of a second.
const SOLVER_NODES: u64 = 50_000;
/// Nodes of the search for completing a mate.
const END_NODES: u64 = 50_000;

/// The limit for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisLimit {
    Time(Duration),
    /// Nodes of the search, plus a quarter of it for the mate solver. With one thread the results are
    /// reproducible.
    Nodes(u64),
    Depth(Depth),
}

/// The configuration of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisConfig {
    pub limit: AnalysisLimit,
    /// Options of the search, including the number of lines.
    pub options: SearchOptions,
    pub threads: usize,
    pub hash_mib: usize,
}

/// Why an analysis ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// The stop flag was set.
    Stopped,
    /// The search failed, with its messages.
    Failed(String),
}

/// See the module's comment.
#[derive(Debug)]
pub struct Analyzer {
    pool: ThreadPool,
    solver: Solver,
    events: Receiver<Event>,
    config: AnalysisConfig,
    generation: u64,
    pub(super) results: AnalysisResults,
}

impl Analyzer {
    /// Creates an analyzer; also returns messages about missing memory or threads.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(config: AnalysisConfig, network: Network) -> io::Result<(Analyzer, Vec<String>)> {
        let (sender, events) = unbounded();
        let mut pool = ThreadPool::new(sender)?;
        let mut messages = Vec::from_iter(pool.resize_threads(config.threads).err());
        messages.extend(pool.resize_hash(config.hash_mib));
        pool.set_network(network);
        let memory_mib = config.hash_mib.min(mate::DEFAULT_MEMORY_MIB);
        let solver =
            Solver::new(mate::SolverSettings { threads: 1, memory_mib, aim: Aim::Shortest });
        let results = AnalysisResults::default();
        Ok((Analyzer { pool, solver, events, config, generation: 0, results }, messages))
    }

    /// The results so far.
    pub fn results(&self) -> &AnalysisResults {
        &self.results
    }

    /// Analyses the positions of the main line, the last one first. Calls `told` after each, with
    /// whether it was new. Positions that were analysed before, in any game, are not searched again.
    ///
    /// # Errors
    /// It was stopped, or the search failed. Earlier results are kept.
    pub fn analyze_game(
        &mut self,
        game: &GameRecord,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        // The results must not depend on earlier games.
        self.pool.clear();
        self.walk(LineCursor::new(game), 0, stop, told)
    }

    /// Analyses the positions of a branch in the same way, and updates the positions before it. The main
    /// line must have been analysed. Calls `told` for the positions of the branch only.
    ///
    /// # Errors
    /// As [`analyze_game`](Self::analyze_game).
    pub fn analyze_branch(
        &mut self,
        game: &GameRecord,
        branch: &Branch,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        self.walk(LineCursor::through(game, branch), branch.after + 1, stop, told)
    }

    /// Analyses a line from its end to its start. Calls `told` for positions after `first` or more
    /// moves.
    fn walk(
        &mut self,
        mut path: LineCursor,
        first: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        loop {
            let made = path.made();
            let known =
                self.results.get(path.key(made)).map(|found| PositionAnalysis::clone(found));
            let is_new = known.is_none();
            let mut found = match known {
                Some(found) => found,
                None => self.analyze(path.position(), stop)?,
            };
            if let Some(&(_, mv)) = path.moves().get(made) {
                let after = path.key(made + 1);
                self.follow(path.position(), mv, after, &mut found, stop)?;
                self.propagate_mate(mv, &found, after);
            }
            self.results.put(path.key(made).clone(), found);
            if made >= first {
                told(is_new);
            }
            if !path.step_back() {
                return Ok(());
            }
        }
    }

    /// Updates the result of a position with the result after the played move.
    pub(super) fn follow(
        &mut self,
        position: &Position,
        mv: Move,
        after: &PositionKey,
        found: &mut PositionAnalysis,
        stop: &AtomicBool,
    ) -> Result<(), AnalysisError> {
        let Some(after) = self.results.get(after).cloned() else { return Ok(()) };
        let most = self.config.options.multi_pv;
        found.improve_with(mv, &after, most);
        let played = PositionAnalysis::through(mv, &after);
        let is_refuted = matches!(played.estimate.score, AnalysisScore::Loss(_))
            && !found.best().estimate.score.is_decided()
            && found.best_move() == Some(mv);
        if is_refuted {
            // The best move so far loses by force, so another move is best, or all moves lose.
            found.variations.retain(|other| other.moves.first() != Some(&mv));
            let others = others(position, mv);
            if found.variations.is_empty() && !others.is_empty() {
                let start = Instant::now();
                let limits = Limits { search_moves: others, ..self.limits(Duration::ZERO) };
                let searched = self.search(position, limits, most, stop)?;
                found.nodes += searched.nodes;
                found.elapsed += start.elapsed();
                found.variations = searched.variations;
            }
            found.variations.push(played);
            found.sort_and_truncate(most);
        }
        Ok(())
    }

    /// Propagates a mate that begins with the played move to the position after it, where the solver
    /// worked for the other side and the search did not see it.
    fn propagate_mate(&mut self, mv: Move, found: &PositionAnalysis, after: &PositionKey) {
        let (mate, known) = (found.best().mate_after(mv), self.results.get(after));
        let Some((mate, known)) = mate.zip(known) else { return };
        let mut known = PositionAnalysis::clone(known);
        known.adopt_opponent_mate(mate, self.config.options.multi_pv);
        self.results.put(after.clone(), known);
    }

    /// Analyses one position. Its history matters for repetition.
    ///
    /// # Errors
    /// It was stopped, or the search failed.
    pub fn analyze(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
    ) -> Result<PositionAnalysis, AnalysisError> {
        let start = Instant::now();
        if let Some(over) = rules::decided_by_rules(position, self.config.options.entering_king) {
            return Ok(PositionAnalysis {
                variations: vec![over],
                nodes: 0,
                elapsed: start.elapsed(),
            });
        }
        let most = self.config.options.multi_pv;
        let solution = self.solve(position, self.solver_nodes(), self.solver_deadline(start), stop);
        let mut nodes = solution.nodes;
        let solved = mate_variation(solution);
        if stop.load(Ordering::Relaxed) {
            return Err(AnalysisError::Stopped);
        }
        let mut variations = Vec::new();
        // A mate by the solver is enough if only one line is wanted.
        if solved.is_none() || most > 1 {
            let limits = self.limits(start.elapsed());
            let searched = self.search(position, limits, most, stop)?;
            nodes += searched.nodes;
            variations = searched.variations;
        }
        let mut found = PositionAnalysis { variations, nodes, elapsed: Duration::ZERO };
        if let Some(mate) = solved {
            found.replace(mate, most);
        }
        found.elapsed = start.elapsed();
        Ok(found)
    }

    /// The limits of a search, after `spent` time for the position.
    fn limits(&self, spent: Duration) -> Limits {
        let mut limits = Limits::default();
        match self.config.limit {
            AnalysisLimit::Time(time) => limits.move_time = Some(time.saturating_sub(spent)),
            AnalysisLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            AnalysisLimit::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }

    fn solver_nodes(&self) -> Option<u64> {
        match self.config.limit {
            AnalysisLimit::Time(_) => None,
            AnalysisLimit::Nodes(nodes) => Some(nodes / u64::from(SOLVER_SHARE)),
            AnalysisLimit::Depth(_) => Some(SOLVER_NODES),
        }
    }

    fn solver_deadline(&self, start: Instant) -> Option<Instant> {
        match self.config.limit {
            AnalysisLimit::Time(time) => start.checked_add(time / SOLVER_SHARE),
            AnalysisLimit::Nodes(_) | AnalysisLimit::Depth(_) => None,
        }
    }

    /// Runs the mate solver, unless the rules make its mates irrelevant. The mate must come before the
    /// move limit of the game.
    fn solve(
        &mut self,
        position: &Position,
        nodes: Option<u64>,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Solution {
        let SearchOptions { entering_king, max_moves, .. } = self.config.options;
        let left = max_moves.map(|most| (most + 1).saturating_sub(position.ply()));
        if left == Some(0) || !mate::is_decisive(position, entering_king) {
            return Solution::UNKNOWN;
        }
        let stop = || stop.load(Ordering::Relaxed);
        let budget = SolverLimits { nodes, depth: left, deadline, stop: &stop };
        self.solver.solve(position, &budget, &mut |_| {})
    }

    /// Searches and converts the lines to variations.
    fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<PositionAnalysis, AnalysisError> {
        let found = self.ask(position, limits, lines, stop)?;
        let nodes = found.iter().map(|line| line.nodes).max().unwrap_or_default();
        let mut variations = Vec::new();
        for line in found {
            variations.push(self.variation(position, line, stop)?);
        }
        let mut found = PositionAnalysis { variations, nodes, elapsed: Duration::ZERO };
        found.sort_and_truncate(lines);
        Ok(found)
    }

    /// Searches; returns the lines, best first, at least one.
    fn ask(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<PvLine>, AnalysisError> {
        self.generation += 1;
        let options = SearchOptions { multi_pv: lines, ..self.config.options.clone() };
        let (position, received) = (position.clone(), Instant::now());
        self.pool.go(self.generation, Request { position, limits, options, received });
        let (mut found, mut said) = (Vec::new(), Vec::new());
        let mut is_stopped = false;
        loop {
            match self.events.recv_timeout(GLANCE) {
                Ok(event) if event.generation != self.generation => {}
                Ok(Event { report: Report::Lines(lines), .. }) => found = lines,
                Ok(Event { report: Report::Message(text), .. }) => said.push(text),
                Ok(Event { report: Report::Done(outcome), .. }) => {
                    if !outcome.lines.is_empty() {
                        found = outcome.lines;
                    }
                    break;
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    is_stopped = true;
                    self.pool.stop();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(AnalysisError::Failed(said.join("; ")));
                }
            }
        }
        if is_stopped {
            return Err(AnalysisError::Stopped);
        }
        if found.is_empty() { Err(AnalysisError::Failed(said.join("; "))) } else { Ok(found) }
    }

    /// Converts a line of the search. A win or loss must be shown by a line to the end of the game.
    fn variation(
        &mut self,
        position: &Position,
        line: PvLine,
        stop: &AtomicBool,
    ) -> Result<Variation, AnalysisError> {
        let mut variation = Variation {
            estimate: BoundedScore::exact(AnalysisScore::Win(WinReason::Unproven)),
            moves: line.pv,
            ending: line.ending,
            depth: line.depth,
            selective_depth: line.selective_depth,
            is_solved: false,
        };
        let Some(distance) = line.score.mate_distance() else {
            variation.estimate =
                BoundedScore { score: AnalysisScore::of_score(line.score), bound: line.bound };
            return Ok(variation);
        };
        let wins = line.score.is_win();
        let rule = self.config.options.entering_king;
        let is_try = rules::ends_with_try(position, &variation.moves, rule, wins);
        let shown = |found: &Variation| {
            found.ending.filter(|&ending| rules::wins(found.moves.len(), ending) == Some(wins))
        };
        if !is_try
            && shown(&variation).is_none()
            && let Some(moves) = self.complete(position, &variation.moves, wins, stop)?
        {
            variation.moves = moves;
            variation.ending = Some(PvEnding::Mated);
        }
        let means = match shown(&variation) {
            _ if is_try => WinReason::Declaration,
            Some(PvEnding::Mated) => {
                let plies = distance.unsigned_abs().max(variation.moves.len() as u32);
                // No mate is shorter than a mate with the winner's next move.
                WinReason::Mate { plies, is_shortest: plies <= 2 }
            }
            Some(PvEnding::Declaration) => WinReason::Declaration,
            Some(PvEnding::RepetitionWin | PvEnding::RepetitionLoss) => WinReason::PerpetualCheck,
            _ => WinReason::Unproven,
        };
        let score = if wins { AnalysisScore::Win(means) } else { AnalysisScore::Loss(means) };
        variation.estimate = BoundedScore::exact(score);
        Ok(variation)
    }

    /// Extends a line with a mate score to the mate: by the solver for the winner's moves as soon as
    /// possible, otherwise by short searches. `None` if it does not end in mate.
    fn complete(
        &mut self,
        root: &Position,
        line: &[Move],
        wins: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Move>>, AnalysisError> {
        let winner = if wins { root.side_to_move() } else { !root.side_to_move() };
        let Some(mut position) = rules::behind(root, line) else { return Ok(None) };
        let mut moves = line.to_vec();
        while moves.len() < MAX_PLY {
            if let Some(over) =
                rules::decided_by_rules(&position, self.config.options.entering_king)
            {
                let is_mated = over.ending == Some(PvEnding::Mated);
                let is_mate = is_mated && position.side_to_move() != winner;
                return Ok(is_mate.then_some(moves));
            }
            let mut next = None;
            if position.side_to_move() == winner {
                let solution = self.solve(&position, Some(SOLVER_NODES), None, stop);
                next = mate_variation(solution).map(|mate| mate.moves);
            }
            if next.is_none() {
                let limits = Limits { nodes: Some(END_NODES), ..Limits::default() };
                let best = self.ask(&position, limits, 1, stop)?.swap_remove(0);
                let holds = best.score.is_win() == (position.side_to_move() == winner);
                next = Some(best.pv).filter(|_| best.score.is_mate() && holds);
            }
            let Some(next) = next.filter(|next| !next.is_empty()) else { return Ok(None) };
            if !next.iter().all(|&mv| position.try_play(mv).is_ok()) {
                return Ok(None);
            }
            moves.extend(next);
        }
        Ok(None)
    }
}

/// All legal moves except one.
fn others(position: &Position, but: Move) -> Vec<Move> {
    let mut list = MoveList::default();
    position.generate_legal(&mut list);
    list.moves().filter(|&mv| mv != but).collect()
}

/// The solution as a variation, if it is a mate.
fn mate_variation(solution: Solution) -> Option<Variation> {
    let MateResult::Mate(moves) = solution.result else { return None };
    let plies = solution.within.map_or(moves.len() as u32, u32::from);
    let mate = WinReason::Mate { plies, is_shortest: solution.is_shortest };
    Some(Variation {
        estimate: BoundedScore::exact(AnalysisScore::Win(mate)),
        moves,
        ending: Some(PvEnding::Mated),
        is_solved: true,
        ..Variation::default()
    })
}
