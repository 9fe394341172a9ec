//! Solves mate problems for the engine: the limits of a request, the events of a search, and how long the
//! solver keeps its memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam::channel::Sender;

use crate::mate::{MateResult, Solution, Solver, SolverLimits, SolverProgress, SolverSettings};
use crate::search::request::{
    Answer, Event, Limits, MateAnswer, MateLimit, Report, Request, SearchOutcome,
};
use crate::sys::Instant;

/// A search for a mate.
#[derive(Debug)]
pub(super) struct MateTask {
    pub(super) search_id: u64,
    pub(super) request: Request,
    pub(super) settings: SolverSettings,
    pub(super) signals: Arc<MateSignals>,
}

/// Signals to the running search.
#[derive(Debug, Default)]
pub(super) struct MateSignals {
    stop: AtomicBool,
    /// When the expected move was played.
    ponder_hit: OnceLock<Instant>,
}

impl MateSignals {
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a pondering search. A second ponder hit has no effect.
    pub(super) fn ponder_hit(&self, received: Instant) {
        let _ = self.ponder_hit.set(received);
    }
}

/// Solves one problem after the other.
#[derive(Debug)]
pub(super) struct MateWorker {
    /// Kept because its memory is reused.
    solver: Option<Solver>,
    events: Sender<Event>,
}

impl MateWorker {
    /// A worker that sends the events of its searches to `events`.
    pub(super) fn new(events: Sender<Event>) -> MateWorker {
        MateWorker { solver: None, events }
    }

    /// Frees the solver's memory, which is otherwise kept for the next problem.
    pub(super) fn free_memory(&mut self) {
        self.solver = None;
    }

    /// Searches to the end. Exactly one `Report::Done` follows as the last event.
    pub(super) fn run(&mut self, task: &MateTask) {
        let kept = self.solver.take().filter(|solver| solver.settings() == task.settings);
        let mut solver = kept.unwrap_or_else(|| Solver::new(task.settings));
        let solution = solve(&mut solver, task, &|report| self.send(task, report));
        self.solver = Some(solver);
        self.finish(task, solution);
    }

    /// Ends a task that has panicked.
    pub(super) fn fail(&mut self, task: &MateTask) {
        // The state of the solver is undefined after a panic.
        self.solver = None;
        self.send(task, Report::Error("the mate search failed".into()));
        self.finish(task, Solution::UNKNOWN);
    }

    fn finish(&self, task: &MateTask, solution: Solution) {
        let answer = Answer::Mate(match solution.result {
            MateResult::Mate(line) => MateAnswer::Mate(line),
            MateResult::NoMate => MateAnswer::NoMate,
            MateResult::Unknown => MateAnswer::Unknown,
        });
        let (nodes, elapsed) = (solution.nodes, task.request.received.elapsed());
        let lines = Vec::new();
        self.send(
            task,
            Report::Done(SearchOutcome { answer, lines, nodes, elapsed, planned_end: None }),
        );
    }

    fn send(&self, task: &MateTask, report: Report) {
        // The receiver is gone when the program ends.
        let _ = self.events.send(Event { search_id: task.search_id, report });
    }
}

fn solve(solver: &mut Solver, task: &MateTask, send: &dyn Fn(Report)) -> Solution {
    let MateTask { request, signals, .. } = task;
    let limits = &request.limits;
    let deadline = |start: Instant| start.checked_add(time_limit(limits)?);
    // The time of a pondering search runs from the ponder hit.
    let is_past_deadline = || {
        let hit = signals.ponder_hit.get().copied();
        hit.and_then(deadline).is_some_and(|deadline| Instant::now() >= deadline)
    };
    let stopped = || signals.stop.load(Ordering::Relaxed) || is_past_deadline();
    let solver_limits = SolverLimits {
        nodes: limits.nodes,
        depth: limits.depth.map(|depth| depth.max(0).unsigned_abs()),
        deadline: if limits.ponder { None } else { deadline(request.received) },
        stop: &stopped,
    };
    let mut report = |progress: &SolverProgress| {
        let (progress, elapsed) = (progress.clone(), request.received.elapsed());
        send(Report::Mate { progress, elapsed });
    };
    solver.solve(&request.position, &solver_limits, &mut report)
}

/// The time limit of the search, from the start of its clock.
fn time_limit(limits: &Limits) -> Option<Duration> {
    let mate_time = match limits.mate {
        Some(MateLimit::Time(time)) => Some(time),
        _ => None,
    };
    mate_time.into_iter().chain(limits.move_time).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_of_two_time_limits_ends_a_mate_search() {
        let millis = |given: Option<u64>| given.map(Duration::from_millis);
        for (mate, move_time, least) in [
            (None, None, None),
            (None, Some(50), Some(50)),
            (Some(300), None, Some(300)),
            (Some(300), Some(50), Some(50)),
            (Some(50), Some(300), Some(50)),
        ] {
            let mate_limit = millis(mate).map_or(MateLimit::Unlimited, MateLimit::Time);
            let limits = Limits {
                mate: Some(mate_limit),
                move_time: millis(move_time),
                ..Limits::default()
            };
            let time = time_limit(&limits);
            assert_eq!(time, millis(least), "mate {mate:?} movetime {move_time:?}");
        }
    }
}
