//! Analyses positions by the rules, by the mate solver, and by the search.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};

use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::line_cursor::PositionKey;
use super::position_analysis::{AnalysisResults, PositionAnalysis, Variation};
use super::rules;
use crate::mate::{self, Aim, Solution, Solver, SolverLimits};
use crate::nnue::Network;
use crate::position::Position;
use crate::search::ThreadPool;
use crate::search::request::{Event, Limits, PvEnding, PvLine, Report, Request, SearchOptions};
use crate::types::message::{Message, message};
use crate::types::{Depth, MAX_PLY, Move};

/// Interval of checks of the stop flag.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The mate solver gets this fraction (1/n) of the limit.
pub(super) const SOLVER_DIVISOR: u32 = 4;
/// Nodes of the solver if the limit is a depth, and to extend a mate of the search to its end: a fraction
/// of a second.
const SOLVER_NODES: u64 = 50_000;
/// Nodes of each search that extends a mate to its end.
const EXTENSION_NODES: u64 = 50_000;

/// The limit for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisLimit {
    Time(Duration),
    /// Nodes of the search, plus a quarter of it for the mate solver. With one thread the results are
    /// reproducible.
    Nodes(u64),
    Depth(Depth),
}

impl AnalysisLimit {
    /// The limit times a factor. A depth stays as it is.
    pub(super) fn scaled(self, factor: f64) -> AnalysisLimit {
        match self {
            AnalysisLimit::Time(time) => AnalysisLimit::Time(time.mul_f64(factor)),
            AnalysisLimit::Nodes(nodes) => {
                AnalysisLimit::Nodes(((nodes as f64 * factor) as u64).max(1))
            }
            AnalysisLimit::Depth(depth) => AnalysisLimit::Depth(depth),
        }
    }
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

impl AnalysisError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            AnalysisError::Stopped => message!("stopped", "中断しました"),
            AnalysisError::Failed(why) => {
                message!("the search failed: {why}", "探索に失敗しました：{why}")
            }
        }
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for AnalysisError {}

/// Searches positions with its own thread pool and mate solver, and keeps the results of each position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use kawasemi::analysis::{AnalysisConfig, AnalysisLimit, Analyzer, LineReview};
/// use kawasemi::engine::Settings;
/// use kawasemi::nnue::Network;
/// use kawasemi::record::{ErrorPolicy, RecordFormat, read};
/// // Black misses G*5b, mate.
/// let line = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1 moves 5i5h 5a6a";
/// let parsed = read(line, RecordFormat::Usi, ErrorPolicy::Refuse).unwrap();
/// let game = &parsed.games[0];
/// let options = Settings::default().search_options();
/// let config = AnalysisConfig { limit: AnalysisLimit::Nodes(500), options, threads: 1, hash_mib: 16 };
/// let (mut analyzer, _messages) = Analyzer::new(config, Network::built_in()).unwrap();
/// analyzer.analyze_game(game, &AtomicBool::new(false), &mut |_| {}).unwrap();
/// let review = LineReview::new(game, analyzer.results(), None);
/// assert!(review.moves[0].as_ref().unwrap().misses_mate());
/// ```
#[derive(Debug)]
pub struct Analyzer {
    pub(super) pool: ThreadPool,
    solver: Solver,
    events: Receiver<Event>,
    pub(super) config: AnalysisConfig,
    search_id: u64,
    pub(super) results: AnalysisResults,
    /// The positions that were analysed again with more nodes.
    pub(super) deepened: HashSet<PositionKey>,
}

impl Analyzer {
    /// Creates an analyzer; also returns messages about missing memory or threads.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(config: AnalysisConfig, network: Network) -> io::Result<(Analyzer, Vec<Message>)> {
        let (sender, events) = unbounded();
        let mut pool = ThreadPool::new(sender)?;
        let mut messages = Vec::from_iter(pool.resize_threads(config.threads).err());
        messages.extend(pool.resize_hash(config.hash_mib));
        pool.set_network(network);
        let memory_mib = config.hash_mib.min(mate::DEFAULT_MEMORY_MIB);
        let solver =
            Solver::new(mate::SolverSettings { threads: 1, memory_mib, aim: Aim::Shortest });
        let results = AnalysisResults::default();
        let deepened = HashSet::new();
        Ok((Analyzer { pool, solver, events, config, search_id: 0, results, deepened }, messages))
    }

    /// The results so far.
    pub fn results(&self) -> &AnalysisResults {
        &self.results
    }

    /// Forgets the results, so that a game that follows is analysed as by a new analyzer.
    pub fn forget_results(&mut self) {
        self.results = AnalysisResults::default();
        self.deepened.clear();
    }

    /// Analyses one position within the whole limit. Its history matters for repetition.
    ///
    /// # Errors
    /// If the analysis was stopped, or the search failed.
    pub fn analyze(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
    ) -> Result<PositionAnalysis, AnalysisError> {
        self.analyze_within(self.config.limit, position, stop)
    }

    /// Analyses one position within another limit.
    pub(super) fn analyze_within(
        &mut self,
        limit: AnalysisLimit,
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
        let multi_pv = self.config.options.multi_pv;
        let (solver_nodes, deadline) = solver_limits(limit, start);
        let solution = self.solve(position, solver_nodes, None, deadline, stop);
        let mut nodes = solution.nodes;
        let solved = mate_variation(solution);
        if stop.load(Ordering::Relaxed) {
            return Err(AnalysisError::Stopped);
        }
        let mut variations = Vec::new();
        // If only one line is wanted, a mate by the solver is enough.
        if solved.is_none() || multi_pv > 1 {
            let limits = search_limits(limit, start.elapsed());
            let searched = self.search(position, limits, multi_pv, stop)?;
            nodes += searched.nodes;
            variations = searched.variations;
        }
        let mut found = PositionAnalysis { variations, nodes, elapsed: Duration::ZERO };
        if let Some(mate) = solved {
            found.replace(mate, multi_pv);
        }
        found.elapsed = start.elapsed();
        Ok(found)
    }

    /// Runs the mate solver, unless the rules make its mates irrelevant. The mate must come before the
    /// move limit of the game, and within `plies`.
    fn solve(
        &mut self,
        position: &Position,
        nodes: Option<u64>,
        plies: Option<u32>,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Solution {
        let SearchOptions { entering_king, max_moves, .. } = self.config.options;
        let game_plies = max_moves.map(|max| (max + 1).saturating_sub(position.game_ply()));
        let depth = game_plies.into_iter().chain(plies).min();
        if depth == Some(0) || !mate::decides_game(position, entering_king) {
            return Solution::UNKNOWN;
        }
        let stop = || stop.load(Ordering::Relaxed);
        let limits = SolverLimits { nodes, depth, deadline, stop: &stop };
        self.solver.solve(position, &limits, &mut |_| {})
    }

    /// Looks for a mate within this many plies, with four times the usual limit of the solver.
    pub(super) fn solve_within(
        &mut self,
        position: &Position,
        plies: u32,
        stop: &AtomicBool,
    ) -> Option<Variation> {
        let (nodes, deadline) = solver_limits(self.config.limit.scaled(4.0), Instant::now());
        mate_variation(self.solve(position, nodes, Some(plies), deadline, stop))
    }

    /// Searches the moves that a search makes, but one; `None` if there is no other. A pawn, bishop or rook that does
    /// not promote is no other move: its score differs from that of the promotion only by chance.
    pub(super) fn search_other_moves(
        &mut self,
        limit: AnalysisLimit,
        position: &Position,
        excluded: Move,
        stop: &AtomicBool,
    ) -> Result<Option<PositionAnalysis>, AnalysisError> {
        let moves = self.config.options.moves_to_search(position);
        let search_moves: Vec<Move> = moves.moves().filter(|&mv| mv != excluded).collect();
        if search_moves.is_empty() {
            return Ok(None);
        }
        let start = Instant::now();
        let limits = Limits { search_moves, ..search_limits(limit, Duration::ZERO) };
        let mut found = self.search(position, limits, self.config.options.multi_pv, stop)?;
        found.elapsed = start.elapsed();
        Ok(Some(found))
    }

    /// Searches and converts the lines to variations.
    fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<PositionAnalysis, AnalysisError> {
        let found = self.search_lines(position, limits, lines, stop)?;
        let nodes = found.iter().map(|line| line.nodes).max().unwrap_or_default();
        let mut variations = Vec::new();
        for line in found {
            variations.push(self.variation_of(position, line, stop)?);
        }
        let mut found = PositionAnalysis { variations, nodes, elapsed: Duration::ZERO };
        found.sort_and_truncate(lines);
        Ok(found)
    }

    /// Searches; returns the lines, best first, at least one.
    fn search_lines(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<PvLine>, AnalysisError> {
        self.search_id += 1;
        let options = SearchOptions { multi_pv: lines, ..self.config.options.clone() };
        let (position, received) = (position.clone(), Instant::now());
        self.pool.go(self.search_id, Request { position, limits, options, received });
        let (mut found, mut messages) = (Vec::new(), Vec::new());
        let mut is_stopped = false;
        loop {
            match self.events.recv_timeout(STOP_POLL_INTERVAL) {
                Ok(event) if event.search_id != self.search_id => {}
                Ok(Event { report: Report::Lines(lines), .. }) => found = lines,
                Ok(Event { report: Report::Error(text), .. }) => messages.push(text),
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
                    return Err(AnalysisError::Failed(messages.join("; ")));
                }
            }
        }
        if is_stopped {
            return Err(AnalysisError::Stopped);
        }
        if found.is_empty() { Err(AnalysisError::Failed(messages.join("; "))) } else { Ok(found) }
    }

    /// Converts a line of the search. A win or loss must be shown by a line to the end of the game.
    fn variation_of(
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
            && let Some(moves) = self.extend_to_mate(position, &variation.moves, wins, stop)?
        {
            variation.moves = moves;
            variation.ending = Some(PvEnding::Mated);
        }
        let reason = match shown(&variation) {
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
        let score = if wins { AnalysisScore::Win(reason) } else { AnalysisScore::Loss(reason) };
        variation.estimate = BoundedScore::exact(score);
        Ok(variation)
    }

    /// Extends a line with a mate score to the mate: by the solver as soon as the winner mates by checks,
    /// otherwise by short searches. `None` if the line does not end in mate.
    fn extend_to_mate(
        &mut self,
        root: &Position,
        line: &[Move],
        wins: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Move>>, AnalysisError> {
        let winner = if wins { root.side_to_move() } else { !root.side_to_move() };
        let Some(mut position) = rules::position_after(root, line) else { return Ok(None) };
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
                let solution = self.solve(&position, Some(SOLVER_NODES), None, None, stop);
                next = mate_variation(solution).map(|mate| mate.moves);
            }
            if next.is_none() {
                let limits = Limits { nodes: Some(EXTENSION_NODES), ..Limits::default() };
                let best = self.search_lines(&position, limits, 1, stop)?.swap_remove(0);
                let holds = best.score.is_win() == (position.side_to_move() == winner);
                next = Some(best.pv).filter(|_| best.score.is_decisive() && holds);
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

/// The limits of a search, after `spent` time for the position.
fn search_limits(limit: AnalysisLimit, spent: Duration) -> Limits {
    let mut limits = Limits::default();
    match limit {
        AnalysisLimit::Time(time) => limits.move_time = Some(time.saturating_sub(spent)),
        AnalysisLimit::Nodes(nodes) => limits.nodes = Some(nodes),
        AnalysisLimit::Depth(depth) => limits.depth = Some(depth),
    }
    limits
}

/// The nodes and the deadline of the mate solver, for a position whose analysis began at `start`.
fn solver_limits(limit: AnalysisLimit, start: Instant) -> (Option<u64>, Option<Instant>) {
    match limit {
        AnalysisLimit::Time(time) => (None, start.checked_add(time / SOLVER_DIVISOR)),
        AnalysisLimit::Nodes(nodes) => (Some(nodes / u64::from(SOLVER_DIVISOR)), None),
        AnalysisLimit::Depth(_) => (Some(SOLVER_NODES), None),
    }
}

/// The solution as a variation, if it is a mate.
fn mate_variation(solution: Solution) -> Option<Variation> {
    let (mate, moves) = WinReason::of_solution(solution)?;
    Some(Variation {
        estimate: BoundedScore::exact(AnalysisScore::Win(mate)),
        moves,
        ending: Some(PvEnding::Mated),
        is_solved: true,
        ..Variation::default()
    })
}
