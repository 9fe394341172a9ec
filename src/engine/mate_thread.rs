//! The thread on which the mate solver works, the events that it sends, and how long it keeps its
//! memory.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};
use crossbeam::sync::WaitGroup;

use crate::mate::{MateResult, Solution, Solver, SolverLimits, SolverProgress, SolverSettings};
use crate::search::request::{
    Answer, Event, Limits, MateAnswer, MateLimit, Report, Request, SearchOutcome,
};

enum MateCommand {
    Solve(Box<MateTask>),
    /// Free the solver's memory, then drop the group.
    FreeMemory(WaitGroup),
}

struct MateTask {
    generation: u64,
    request: Request,
    settings: SolverSettings,
    signals: Arc<Signals>,
}

/// Signals to a search that runs.
#[derive(Debug, Default)]
struct Signals {
    stop: AtomicBool,
    /// When the move that is pondered on was played.
    ponder_hit: OnceLock<Instant>,
}

/// See the module's comment.
#[derive(Debug)]
pub(super) struct MateThread {
    commands: Sender<MateCommand>,
    /// Those of the search begun last.
    signals: Arc<Signals>,
}

impl MateThread {
    /// A thread that sends the events of its searches to `events`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn spawn(events: Sender<Event>) -> io::Result<MateThread> {
        let (commands, received) = unbounded();
        thread::Builder::new().name("mate".into()).spawn(move || run(&received, &events))?;
        Ok(MateThread { commands, signals: Arc::default() })
    }

    /// Begins a search and returns at once. Only while idle.
    pub(super) fn go(&mut self, generation: u64, request: Request, settings: SolverSettings) {
        self.signals = Arc::default();
        let signals = Arc::clone(&self.signals);
        let task = Box::new(MateTask { generation, request, settings, signals });
        // The thread lives as long as this sender.
        let _ = self.commands.send(MateCommand::Solve(task));
    }

    /// Frees the solver's memory, which is otherwise kept for the next problem. Wait for the group to
    /// have it freed. Only while idle.
    pub(super) fn free_memory(&self) -> WaitGroup {
        let freed = WaitGroup::new();
        let _ = self.commands.send(MateCommand::FreeMemory(freed.clone()));
        freed
    }

    /// Ends the search that runs. Has no effect on later ones.
    pub(super) fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a search that ponders. A second hit changes nothing.
    pub(super) fn ponder_hit(&self, received: Instant) {
        let _ = self.signals.ponder_hit.set(received);
    }
}

impl Drop for MateThread {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(commands: &Receiver<MateCommand>, events: &Sender<Event>) {
    let mut solver = None;
    for command in commands {
        let task = match command {
            MateCommand::Solve(task) => task,
            MateCommand::FreeMemory(_freed) => {
                solver = None;
                continue;
            }
        };
        let generation = task.generation;
        let send = |report| {
            // The receiver is gone when the program ends.
            let _ = events.send(Event { generation, report });
        };
        let received = task.request.received;
        let kept = solver.take().filter(|solver: &Solver| solver.settings() == task.settings);
        let mut active = kept.unwrap_or_else(|| Solver::new(task.settings));
        let solution = catch_unwind(AssertUnwindSafe(|| solve(&mut active, &task, &send)));
        let solution = match solution {
            Ok(solution) => {
                solver = Some(active);
                solution
            }
            // The solver's state is unknown: the next problem gets a new one.
            Err(_) => {
                send(Report::Message("error: the mate search failed".into()));
                Solution::UNKNOWN
            }
        };
        let answer = Answer::Mate(match solution.result {
            MateResult::Mate(line) => MateAnswer::Mate(line),
            MateResult::NoMate => MateAnswer::NoMate,
            MateResult::Unknown => MateAnswer::Unknown,
        });
        let (nodes, elapsed) = (solution.nodes, received.elapsed());
        let lines = Vec::new();
        send(Report::Done(SearchOutcome { answer, lines, nodes, elapsed, due: None }));
    }
}

fn solve(solver: &mut Solver, task: &MateTask, send: &dyn Fn(Report)) -> Solution {
    let MateTask { request, signals, .. } = task;
    let limits = &request.limits;
    let deadline = |start: Instant| start.checked_add(time_limit(limits)?);
    let pondered_enough = || {
        let hit = signals.ponder_hit.get().copied();
        hit.and_then(deadline).is_some_and(|deadline| Instant::now() >= deadline)
    };
    let stopped = || signals.stop.load(Ordering::Relaxed) || pondered_enough();
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

/// How long to search, from when the clock starts.
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
    use crate::position::Position;
    use crate::search::request::SearchOptions;

    #[test]
    fn the_first_of_two_times_ends_a_search_for_a_mate() {
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

    #[test]
    fn the_time_of_a_search_that_ponders_runs_from_the_hit() {
        // No mate; many positions, with checks round and round.
        let sfen = "9/9/9/9/4k4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mate = Some(MateLimit::Time(Duration::from_millis(1)));
        let limits = Limits { mate, ponder: true, ..Limits::default() };
        let options = SearchOptions::for_tests();
        let (events, received) = unbounded();
        let mut thread = MateThread::spawn(events).unwrap();
        let request = Request { position, limits, options, received: Instant::now() };
        thread.go(1, request, SolverSettings { memory_mib: 16, ..SolverSettings::default() });
        let has_ended = |patience: Duration| {
            let deadline = Instant::now() + patience;
            std::iter::from_fn(|| received.recv_deadline(deadline).ok())
                .any(|event| matches!(event.report, Report::Done(_)))
        };
        assert!(!has_ended(Duration::from_millis(100)), "the opponent still thinks");
        thread.ponder_hit(Instant::now());
        assert!(has_ended(Duration::from_secs(60)));
    }
}
