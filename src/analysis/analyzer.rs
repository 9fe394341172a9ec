//! Examines positions: by the rules, by the mate solver, and by the search.
//!
//! A game is examined from its end to its start. The search remembers what it has seen, so at every
//! position it knows already what came of the move that was played: scores hardly jump from move to
//! move, and what a move gave away is the difference of two scores that know of each other. The
//! other way round every surprise would show one move too late, as a fault of the wrong side.

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

/// Between two looks at whether to stop.
const GLANCE: Duration = Duration::from_millis(20);
/// The share of a limit that the mate solver has.
const SOLVER_SHARE: u32 = 4;
/// Positions for the solver where a depth is the limit, and for the end of a mate that the search has
/// seen: a fraction of a second.
const SOLVER_NODES: u64 = 50_000;
/// The same for the search.
const END_NODES: u64 = 50_000;

/// How far each position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisLimit {
    Time(Duration),
    /// So many nodes, and a quarter as many for the mate solver. With one thread the same is found
    /// every time.
    Nodes(u64),
    Depth(Depth),
}

/// How an analyst works.
#[derive(Clone, Debug)]
pub struct AnalysisConfig {
    pub limit: AnalysisLimit,
    /// Those of the search, with the number of lines.
    pub options: SearchOptions,
    pub threads: usize,
    pub hash_mib: usize,
}

/// Why an examination ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// As it was told to.
    Stopped,
    /// The search failed, which it should not, with what it had to say.
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
    /// An analyst, and what the user should know of the memory and the threads it got.
    ///
    /// # Errors
    /// The system grants no thread at all.
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

    /// What was found so far.
    pub fn results(&self) -> &AnalysisResults {
        &self.results
    }

    /// Examines the positions of a game's main line, the last one first. `told` is called after
    /// each, with whether it had to be searched. A position that was examined before, in this game
    /// or another, is known already.
    ///
    /// # Errors
    /// It was stopped, or the search failed; what was found before stays.
    pub fn analyze_game(
        &mut self,
        game: &GameRecord,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        // What it makes of a game must not hang on the games before.
        self.pool.clear();
        self.walk(LineCursor::new(game), 0, stop, told)
    }

    /// Examines the positions of a branch likewise, and makes known to those before it what its
    /// moves are worth there. The game has been studied before. `told` is called for the positions
    /// of the branch alone.
    ///
    /// # Errors
    /// As `study`.
    pub fn analyze_branch(
        &mut self,
        game: &GameRecord,
        branch: &Branch,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        self.walk(LineCursor::through(game, branch), branch.after + 1, stop, told)
    }

    /// Goes along a path, from its end to its start, and tells of the positions after `first` moves
    /// and more.
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

    /// Brings what was found of a position in line with what was found after the move played.
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
            // The move thought best loses by force, so the best is another one, or nothing helps.
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

    /// Makes a mate that begins with the move played known to the position after it. There the solver
    /// was asked for the other side, and the search sees less far.
    fn propagate_mate(&mut self, mv: Move, found: &PositionAnalysis, after: &PositionKey) {
        let (mate, known) = (found.best().mate_after(mv), self.results.get(after));
        let Some((mate, known)) = mate.zip(known) else { return };
        let mut known = PositionAnalysis::clone(known);
        known.adopt_opponent_mate(mate, self.config.options.multi_pv);
        self.results.put(after.clone(), known);
    }

    /// Examines one position, with what its history says of repetition.
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
        // The solver's mate is an answer where no other line is asked for.
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

    /// The limits of a search, some time after its position was taken up.
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

    /// Asks the mate solver, where its mates decide the game, for one that comes before the game may be
    /// drawn.
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

    /// Searches, and makes variations of the lines found.
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

    /// The lines of a search, best first; at least one.
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

    /// What a line of the search says. Where it says that the game is decided, it must show how.
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
                // Nothing is shorter than a mate by the next move of the winner.
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

    /// A line that the search takes for a mate, played on until it is one: the winner's moves by the
    /// solver as soon as it can, all else by short searches. `None` if it does not end in mate.
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

/// All legal moves but one.
fn others(position: &Position, but: Move) -> Vec<Move> {
    let mut list = MoveList::default();
    position.generate_legal(&mut list);
    list.moves().filter(|&mv| mv != but).collect()
}

/// What the solver has found, if it is a mate.
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
