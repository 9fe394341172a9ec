//! One thread of the pool: its queue of jobs, and their execution. A worker that panics loses only its own
//! result.

use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use crossbeam::sync::WaitGroup;
use parking_lot::Mutex;

use super::answer::AnswerWithLines;
use super::answer_thread::{self, SearchCompletion};
use super::previous_scores::PreviousScores;
use super::request::{Event, Report};
use super::root_mate::{self, SpareSolvers};
use super::search_context::SearchContext;
use super::search_manager::SearchManager;
use super::worker::{SearchWorker, ThreadData};
use crate::sys::{AllocationError, in_processor_group, refused_thread};
use crate::types::Move;

/// The stack that a searching thread needs: the search recurses once per ply, up to some hundred plies.
pub const STACK_BYTES: usize = 16 << 20;

/// A job of a thread. A [`WaitGroup`] is dropped when its job is done.
pub(super) enum ThreadJob {
    Search {
        context: Arc<SearchContext>,
        role: Role,
    },
    /// Allocate the thread data if there is none yet, and send whether the memory was granted.
    Allocate(Sender<Result<(), AllocationError>>),
    /// Clear the thread data.
    Clear(WaitGroup),
    /// No work: shows that all earlier jobs are done.
    Sync(WaitGroup),
    Quit,
}

/// Dropped when a thread has finished its part of a search, which disconnects the receiver.
pub(super) type DoneGuard = Sender<Infallible>;

/// The role of a thread in a search.
pub(super) enum Role {
    Helper(DoneGuard),
    Main {
        manager: Box<SearchManager>,
        done: DoneGuard,
    },
    /// Sends the answer: the immediate one, or that of the searching threads.
    Answer {
        immediate: Option<AnswerWithLines>,
        completion: SearchCompletion,
        previous_scores: Arc<Mutex<PreviousScores>>,
    },
    /// Searches for mates at the root. The main worker sends each new best move.
    RootMate {
        best_moves: Receiver<Move>,
        done: DoneGuard,
    },
}

/// The handle of a thread, which runs as long as this lives.
pub(super) struct PoolThread {
    jobs: Sender<ThreadJob>,
    handle: Option<JoinHandle<()>>,
}

impl PoolThread {
    /// Starts the thread of worker `id`.
    pub(super) fn start(name: &str, id: usize, events: Sender<Event>) -> io::Result<PoolThread> {
        let (jobs, queue) = unbounded();
        let run = move || ThreadState { id, data: None, events }.run(&queue);
        let handle = std::thread::Builder::new()
            .name(name.into())
            .stack_size(STACK_BYTES)
            .spawn(in_processor_group(id, run))
            .map_err(refused_thread)?;
        Ok(PoolThread { jobs, handle: Some(handle) })
    }

    /// Appends a job to the queue of the thread.
    pub(super) fn post(&self, job: ThreadJob) {
        // Fails only if the thread has ended by a panic: then there is nothing to do.
        let _ = self.jobs.send(job);
    }

    /// Makes sure that the thread has the memory for its data.
    pub(super) fn allocate(&self) -> Result<(), AllocationError> {
        let (granted, answer) = bounded(1);
        self.post(ThreadJob::Allocate(granted));
        answer.recv().unwrap_or(Ok(()))
    }
}

impl Drop for PoolThread {
    fn drop(&mut self) {
        self.post(ThreadJob::Quit);
        if let Some(handle) = self.handle.take() {
            // A panic was reported when it happened.
            let _ = handle.join();
        }
    }
}

/// The state that the running thread owns.
struct ThreadState {
    id: usize,
    /// `None` before the memory is allocated, and after a panic.
    data: Option<ThreadData>,
    events: Sender<Event>,
}

impl ThreadState {
    /// Executes the jobs of the queue until [`ThreadJob::Quit`]. Sleeps while the queue is empty.
    fn run(mut self, queue: &Receiver<ThreadJob>) {
        let mut solvers = SpareSolvers::new();
        for job in queue {
            match job {
                ThreadJob::Quit => return,
                ThreadJob::Allocate(granted) => {
                    let data = self.data.take().map_or_else(ThreadData::new, Ok);
                    let _ = granted.send(data.map(|data| self.data = Some(data)));
                }
                ThreadJob::Clear(_done) => {
                    if let Some(data) = &mut self.data {
                        data.clear();
                        data.drop_evaluator();
                    }
                }
                ThreadJob::Sync(_done) => {}
                ThreadJob::Search { context, role: Role::Helper(_done) } => {
                    self.search(&context, None);
                }
                ThreadJob::Search { context, role: Role::RootMate { best_moves, done: _done } } => {
                    let search =
                        || root_mate::search_root_mates(&context, &best_moves, &mut solvers);
                    if catch_unwind(AssertUnwindSafe(search)).is_err() {
                        self.report_error(&context, "the mate solver failed".into());
                    }
                }
                ThreadJob::Search { context, role: Role::Main { manager, done: _done } } => {
                    self.search(&context, Some(*manager));
                }
                ThreadJob::Search {
                    context,
                    role: Role::Answer { immediate, completion, previous_scores },
                } => {
                    let outcome =
                        answer_thread::answer(&context, immediate, &completion, &previous_scores);
                    self.send(&context, Report::Done(outcome));
                }
            }
        }
    }

    /// Runs a worker. A panic is reported and loses the thread data.
    fn search(&mut self, context: &Arc<SearchContext>, manager: Option<SearchManager>) {
        let id = self.id;
        let data = match self.data.take().map_or_else(ThreadData::new, Ok) {
            Ok(data) => data,
            Err(error) => {
                let message = format!("search worker {id} has no memory: {error}");
                return self.report_error(context, message);
            }
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = SearchWorker::new(id, context.clone(), data, manager);
            worker.iterative_deepening();
            worker.into_thread_data()
        }));
        match searched {
            Ok(data) => self.data = Some(data),
            Err(_) => {
                let message = format!("search worker {id} failed; its result is lost");
                self.report_error(context, message);
            }
        }
    }

    fn report_error(&self, context: &SearchContext, message: String) {
        self.send(context, Report::Error(message));
    }

    fn send(&self, context: &SearchContext, report: Report) {
        // A closed channel means that the session is over.
        let _ = self.events.send(Event { search_id: context.search_id, report });
    }
}
