//! The thread on which the mate solver works.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use crossbeam::sync::WaitGroup;

use super::mate_worker::{MateSignals, MateTask, MateWorker};
use crate::mate::SolverSettings;
use crate::search::request::{Event, Request};
use crate::sys::{Instant, MessageThread};

#[derive(Debug)]
enum MateCommand {
    Solve(Box<MateTask>),
    /// Free the solver's memory, then drop the group.
    FreeMemory(WaitGroup),
}

/// Sends tasks to the thread of the mate solver.
#[derive(Debug)]
pub(super) struct MateThread {
    thread: MessageThread<MateCommand>,
    /// The signals of the search begun last.
    signals: Arc<MateSignals>,
}

impl MateThread {
    /// A thread that sends the events of its searches to `events`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn spawn(events: Sender<Event>) -> io::Result<MateThread> {
        let mut worker = MateWorker::new(events);
        let thread = MessageThread::spawn("mate", move |command| match command {
            MateCommand::Solve(task) => {
                if catch_unwind(AssertUnwindSafe(|| worker.run(&task))).is_err() {
                    worker.fail(&task);
                }
            }
            MateCommand::FreeMemory(_freed) => worker.free_memory(),
        })?;
        Ok(MateThread { thread, signals: Arc::default() })
    }

    /// Begins a search and returns at once. Only while idle.
    pub(super) fn go(&mut self, search_id: u64, request: Request, settings: SolverSettings) {
        self.signals = Arc::default();
        let signals = Arc::clone(&self.signals);
        let task = Box::new(MateTask { search_id, request, settings, signals });
        self.thread.send(MateCommand::Solve(task));
    }

    /// Frees the solver's memory, which is otherwise kept for the next problem. The group is released when it
    /// is free. Only while idle.
    pub(super) fn free_memory(&self) -> WaitGroup {
        let freed = WaitGroup::new();
        self.thread.send(MateCommand::FreeMemory(freed.clone()));
        freed
    }

    /// Stops the running search. No effect on later ones.
    pub(super) fn stop(&self) {
        self.signals.stop();
    }

    /// Starts the clock of a pondering search. A second ponder hit has no effect.
    pub(super) fn ponder_hit(&self, received: Instant) {
        self.signals.ponder_hit(received);
    }
}

impl Drop for MateThread {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam::channel::unbounded;

    use super::*;
    use crate::position::Position;
    use crate::search::request::{Limits, MateLimit, Report, SearchOptions};

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
        let has_ended = |timeout: Duration| {
            let deadline = Instant::now() + timeout;
            std::iter::from_fn(|| received.recv_deadline(deadline).ok())
                .any(|event| matches!(event.report, Report::Done(_)))
        };
        assert!(!has_ended(Duration::from_millis(100)), "the opponent still thinks");
        thread.ponder_hit(Instant::now());
        assert!(has_ended(Duration::from_secs(60)));
    }
}
