//! Searches for a mate: the thread on which the solver works, what it tells meanwhile, and how long
//! it keeps its memory. It must not know of protocols, nor of the search for a move.

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
    Answer as SearchAnswer, Event, Limits, MateAnswer, MateLimit, Report, Request, SearchOutcome,
};

enum Order {
    Solve(Box<Task>),
    /// Give back the memory; the waiter sees when it is done.
    GiveBack(WaitGroup),
}

struct Task {
    generation: u64,
    request: Request,
    settings: SolverSettings,
    signals: Arc<Signals>,
}

/// What a search may be told while it runs.
#[derive(Debug, Default)]
struct Signals {
    stop: AtomicBool,
    /// When the move that it ponders on was played.
    ponder_hit: OnceLock<Instant>,
}

/// The thread of the solver.
#[derive(Debug)]
pub(super) struct MateThread {
    orders: Sender<Order>,
    /// Of the search begun last.
    signals: Arc<Signals>,
}

impl MateThread {
    /// A thread that sends what each search tells to `events`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn open(events: Sender<Event>) -> io::Result<MateThread> {
        let (orders, received) = unbounded();
        thread::Builder::new().name("mate".into()).spawn(move || work(&received, &events))?;
        Ok(MateThread { orders, signals: Arc::default() })
    }

    /// Begins a search and returns at once. Only while idle.
    pub(super) fn go(&mut self, generation: u64, request: Request, settings: SolverSettings) {
        self.signals = Arc::default();
        let signals = Arc::clone(&self.signals);
        // The thread lives as long as somebody can send to it.
        let task = Box::new(Task { generation, request, settings, signals });
        let _ = self.orders.send(Order::Solve(task));
    }

    /// Gives back the memory, which otherwise waits for the next problem; who needs it at once
    /// waits for that. Only while idle.
    pub(super) fn give_back(&self) -> WaitGroup {
        let done = WaitGroup::new();
        let _ = self.orders.send(Order::GiveBack(done.clone()));
        done
    }

    /// Ends the search that runs. Has no effect on later ones.
    pub(super) fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    /// The time of a search that ponders runs from now on. A second hit changes nothing.
    pub(super) fn ponder_hit(&self, received: Instant) {
        let _ = self.signals.ponder_hit.set(received);
    }
}

impl Drop for MateThread {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut solver = None;
    for order in orders {
        let task = match order {
            Order::Solve(task) => task,
            Order::GiveBack(_done) => {
                solver = None;
                continue;
            }
        };
        let generation = task.generation;
        let tell = |report| {
            // Nobody listens any more when the program ends.
            let _ = events.send(Event { generation, report });
        };
        let received = task.request.received;
        let kept = solver.take().filter(|solver: &Solver| solver.settings() == task.settings);
        let mut at_work = kept.unwrap_or_else(|| Solver::new(task.settings));
        let solution = catch_unwind(AssertUnwindSafe(|| solve(&mut at_work, &task, &tell)));
        let solution = match solution {
            Ok(solution) => {
                solver = Some(at_work);
                solution
            }
            // Nobody knows what state it is in: the next problem gets another.
            Err(_) => {
                tell(Report::Message("error: the mate search failed".into()));
                Solution::UNKNOWN
            }
        };
        let answer = SearchAnswer::Mate(match solution.result {
            MateResult::Mate(line) => MateAnswer::Mate(line),
            MateResult::NoMate => MateAnswer::NoMate,
            MateResult::Unknown => MateAnswer::Unknown,
        });
        let (nodes, elapsed) = (solution.nodes, received.elapsed());
        tell(Report::Done(SearchOutcome { answer, lines: Vec::new(), nodes, elapsed }));
    }
}

fn solve(solver: &mut Solver, task: &Task, tell: &dyn Fn(Report)) -> Solution {
    let Task { request, signals, .. } = task;
    let limits = &request.limits;
    let deadline = |start: Instant| start.checked_add(time_limit(limits)?);
    let pondered_enough = || {
        let hit = signals.ponder_hit.get().copied();
        hit.and_then(deadline).is_some_and(|deadline| Instant::now() >= deadline)
    };
    let stopped = || signals.stop.load(Ordering::Relaxed) || pondered_enough();
    let budget = SolverLimits {
        nodes: limits.nodes,
        depth: limits.depth.map(|depth| depth.max(0).unsigned_abs()),
        deadline: if limits.ponder { None } else { deadline(request.received) },
        stop: &stopped,
    };
    let mut report = |progress: &SolverProgress| {
        let (progress, elapsed) = (progress.clone(), request.received.elapsed());
        tell(Report::Mate { progress, elapsed });
    };
    solver.solve(&request.position, &budget, &mut report)
}

/// How long to search, from when the time runs.
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

    /// It ran from the beginning of the search.
    #[test]
    fn the_time_of_a_search_that_ponders_runs_from_the_hit() {
        // No mate; many positions, with checks round and round.
        let sfen = "9/9/9/9/4k4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mate = Some(MateLimit::Time(Duration::from_millis(1)));
        let limits = Limits { mate, ponder: true, ..Limits::default() };
        let options = SearchOptions::for_tests();
        let (events, told) = unbounded();
        let mut thread = MateThread::open(events).unwrap();
        let request = Request { position, limits, options, received: Instant::now() };
        thread.go(1, request, SolverSettings { memory_mib: 16, ..SolverSettings::default() });
        let has_ended = |patience: Duration| {
            let deadline = Instant::now() + patience;
            std::iter::from_fn(|| told.recv_deadline(deadline).ok())
                .any(|event| matches!(event.report, Report::Done(_)))
        };
        assert!(!has_ended(Duration::from_millis(100)), "the opponent still thinks");
        thread.ponder_hit(Instant::now());
        assert!(has_ended(Duration::from_secs(60)));
    }
}
