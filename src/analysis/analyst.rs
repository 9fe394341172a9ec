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

use super::finding::{Finding, Findings, Variation};
use super::path::{Branch, GamePath};
use super::rules;
use super::worth::{Estimate, Means, Worth};
use crate::mate::{self, Aim, MateResult, Solution, Solver, SolverLimits};
use crate::nnue::Network;
use crate::position::{MoveList, Position};
use crate::record::GameRecord;
use crate::search::Pool;
use crate::search::request::{Ending, Event, Limits, Line, Options, Report, Request};
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
pub enum Limit {
    Time(Duration),
    /// So many nodes, and a quarter as many for the mate solver. With one thread the same is found
    /// every time.
    Nodes(u64),
    Depth(Depth),
}

/// How an analyst works.
#[derive(Clone, Debug)]
pub struct Effort {
    pub limit: Limit,
    /// Those of the search, with the number of lines.
    pub options: Options,
    pub threads: usize,
    pub hash_mib: usize,
}

/// Why an examination ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// As it was told to.
    Stopped,
    /// The search failed, which it should not, with what it had to say.
    Failed(String),
}

/// See the module's comment.
#[derive(Debug)]
pub struct Analyst {
    pool: Pool,
    solver: Solver,
    events: Receiver<Event>,
    effort: Effort,
    generation: u64,
    pub(super) findings: Findings,
}

impl Analyst {
    /// An analyst, and what the user should know of the memory and the threads it got.
    ///
    /// # Errors
    /// The system grants no thread at all.
    pub fn new(effort: Effort, network: Network) -> io::Result<(Analyst, Vec<String>)> {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(sender)?;
        let mut messages = Vec::from_iter(pool.resize_threads(effort.threads).err());
        messages.extend(pool.resize_hash(effort.hash_mib));
        pool.set_network(network);
        let memory_mib = effort.hash_mib.min(mate::DEFAULT_MEMORY_MIB);
        let solver =
            Solver::new(mate::SolverSettings { threads: 1, memory_mib, aim: Aim::Shortest });
        let findings = Findings::default();
        Ok((Analyst { pool, solver, events, effort, generation: 0, findings }, messages))
    }

    /// What was found so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Examines the positions of a game's main line, the last one first. `told` is called after
    /// each, with whether it had to be searched. A position that was examined before, in this game
    /// or another, is known already.
    ///
    /// # Errors
    /// It was stopped, or the search failed; what was found before stays.
    pub fn study(
        &mut self,
        game: &GameRecord,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), Halt> {
        // What it makes of a game must not hang on the games before.
        self.pool.clear();
        self.walk(GamePath::new(game), 0, stop, told)
    }

    /// Examines the positions of a branch likewise, and makes known to those before it what its
    /// moves are worth there. The game has been studied before. `told` is called for the positions
    /// of the branch alone.
    ///
    /// # Errors
    /// As `study`.
    pub fn study_branch(
        &mut self,
        game: &GameRecord,
        branch: &Branch,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), Halt> {
        self.walk(GamePath::through(game, branch), branch.after + 1, stop, told)
    }

    /// Goes along a path, from its end to its start, and tells of the positions after `first` moves
    /// and more.
    fn walk(
        &mut self,
        mut path: GamePath,
        first: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(bool),
    ) -> Result<(), Halt> {
        loop {
            let made = path.made();
            let known = self.findings.get(path.place(made)).map(|found| Finding::clone(found));
            let is_new = known.is_none();
            let mut found = match known {
                Some(found) => found,
                None => self.examine(path.position(), stop)?,
            };
            if let Some(&(_, mv)) = path.moves().get(made) {
                let after = path.place(made + 1);
                self.follow(path.position(), mv, after, &mut found, stop)?;
                self.hand_on(mv, &found, after);
            }
            self.findings.put(path.place(made).clone(), found);
            if made >= first {
                told(is_new);
            }
            if !path.back() {
                return Ok(());
            }
        }
    }

    /// Brings what was found of a position in line with what was found after the move played.
    pub(super) fn follow(
        &mut self,
        position: &Position,
        mv: Move,
        after: &super::Place,
        found: &mut Finding,
        stop: &AtomicBool,
    ) -> Result<(), Halt> {
        let Some(after) = self.findings.get(after).cloned() else { return Ok(()) };
        let most = self.effort.options.multi_pv;
        found.learn(mv, &after, most);
        let played = Finding::through(mv, &after);
        let is_refuted = matches!(played.estimate.worth, Worth::Lost(_))
            && !found.best().estimate.worth.is_decided()
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
            found.settle(most);
        }
        Ok(())
    }

    /// Makes a mate that begins with the move played known to the position after it. There the solver
    /// was asked for the other side, and the search sees less far.
    fn hand_on(&mut self, mv: Move, found: &Finding, after: &super::Place) {
        let (mate, known) = (found.best().mate_behind(mv), self.findings.get(after));
        let Some((mate, known)) = mate.zip(known) else { return };
        let mut known = Finding::clone(known);
        known.concede(mate, self.effort.options.multi_pv);
        self.findings.put(after.clone(), known);
    }

    /// Examines one position, with what its history says of repetition.
    ///
    /// # Errors
    /// It was stopped, or the search failed.
    pub fn examine(&mut self, position: &Position, stop: &AtomicBool) -> Result<Finding, Halt> {
        let start = Instant::now();
        if let Some(over) = rules::verdict(position, self.effort.options.entering_king) {
            return Ok(Finding { variations: vec![over], nodes: 0, elapsed: start.elapsed() });
        }
        let most = self.effort.options.multi_pv;
        let solution = self.solve(position, self.solver_nodes(), self.solver_deadline(start), stop);
        let mut nodes = solution.nodes;
        let solved = mate_variation(solution);
        if stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        let mut variations = Vec::new();
        // The solver's mate is an answer where no other line is asked for.
        if solved.is_none() || most > 1 {
            let limits = self.limits(start.elapsed());
            let searched = self.search(position, limits, most, stop)?;
            nodes += searched.nodes;
            variations = searched.variations;
        }
        let mut found = Finding { variations, nodes, elapsed: Duration::ZERO };
        if let Some(mate) = solved {
            found.replace(mate, most);
        }
        found.elapsed = start.elapsed();
        Ok(found)
    }

    /// The limits of a search, some time after its position was taken up.
    fn limits(&self, spent: Duration) -> Limits {
        let mut limits = Limits::default();
        match self.effort.limit {
            Limit::Time(time) => limits.move_time = Some(time.saturating_sub(spent)),
            Limit::Nodes(nodes) => limits.nodes = Some(nodes),
            Limit::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }

    fn solver_nodes(&self) -> Option<u64> {
        match self.effort.limit {
            Limit::Time(_) => None,
            Limit::Nodes(nodes) => Some(nodes / u64::from(SOLVER_SHARE)),
            Limit::Depth(_) => Some(SOLVER_NODES),
        }
    }

    fn solver_deadline(&self, start: Instant) -> Option<Instant> {
        match self.effort.limit {
            Limit::Time(time) => start.checked_add(time / SOLVER_SHARE),
            Limit::Nodes(_) | Limit::Depth(_) => None,
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
        let Options { entering_king, max_moves, .. } = self.effort.options;
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
    ) -> Result<Finding, Halt> {
        let found = self.ask(position, limits, lines, stop)?;
        let nodes = found.iter().map(|line| line.nodes).max().unwrap_or_default();
        let mut variations = Vec::new();
        for line in found {
            variations.push(self.variation(position, line, stop)?);
        }
        let mut found = Finding { variations, nodes, elapsed: Duration::ZERO };
        found.settle(lines);
        Ok(found)
    }

    /// The lines of a search, best first; at least one.
    fn ask(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Line>, Halt> {
        self.generation += 1;
        let options = Options { multi_pv: lines, ..self.effort.options.clone() };
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
                Err(RecvTimeoutError::Disconnected) => return Err(Halt::Failed(said.join("; "))),
            }
        }
        if is_stopped {
            return Err(Halt::Stopped);
        }
        if found.is_empty() { Err(Halt::Failed(said.join("; "))) } else { Ok(found) }
    }

    /// What a line of the search says. Where it says that the game is decided, it must show how.
    fn variation(
        &mut self,
        position: &Position,
        line: Line,
        stop: &AtomicBool,
    ) -> Result<Variation, Halt> {
        let mut variation = Variation {
            estimate: Estimate::exact(Worth::Won(Means::Unshown)),
            moves: line.pv,
            ending: line.ending,
            depth: line.depth,
            selective_depth: line.selective_depth,
            is_solved: false,
        };
        let Some(distance) = line.score.mate_distance() else {
            variation.estimate = Estimate { worth: Worth::of_score(line.score), bound: line.bound };
            return Ok(variation);
        };
        let wins = line.score.is_win();
        let rule = self.effort.options.entering_king;
        let is_try = rules::ends_with_try(position, &variation.moves, rule, wins);
        let shown = |found: &Variation| {
            found.ending.filter(|&ending| rules::wins(found.moves.len(), ending) == Some(wins))
        };
        if !is_try
            && shown(&variation).is_none()
            && let Some(moves) = self.complete(position, &variation.moves, wins, stop)?
        {
            variation.moves = moves;
            variation.ending = Some(Ending::Mated);
        }
        let means = match shown(&variation) {
            _ if is_try => Means::Declaration,
            Some(Ending::Mated) => {
                let plies = distance.unsigned_abs().max(variation.moves.len() as u32);
                // Nothing is shorter than a mate by the next move of the winner.
                Means::Mate { plies, is_shortest: plies <= 2 }
            }
            Some(Ending::Declaration) => Means::Declaration,
            Some(Ending::RepetitionWin | Ending::RepetitionLoss) => Means::PerpetualCheck,
            _ => Means::Unshown,
        };
        let worth = if wins { Worth::Won(means) } else { Worth::Lost(means) };
        variation.estimate = Estimate::exact(worth);
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
    ) -> Result<Option<Vec<Move>>, Halt> {
        let winner = if wins { root.side_to_move() } else { !root.side_to_move() };
        let Some(mut position) = rules::behind(root, line) else { return Ok(None) };
        let mut moves = line.to_vec();
        while moves.len() < MAX_PLY {
            if let Some(over) = rules::verdict(&position, self.effort.options.entering_king) {
                let is_mated = over.ending == Some(Ending::Mated);
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
    let mate = Means::Mate { plies, is_shortest: solution.is_shortest };
    Some(Variation {
        estimate: Estimate::exact(Worth::Won(mate)),
        moves,
        ending: Some(Ending::Mated),
        is_solved: true,
        ..Variation::default()
    })
}
