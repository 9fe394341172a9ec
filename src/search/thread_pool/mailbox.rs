//! What a thread of the pool is told, in the order in which it comes.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};
use crossbeam::sync::WaitGroup;
use parking_lot::{Condvar, Mutex};

use crate::search::search_manager::SearchManager;
use crate::search::shared::SearchContext;
use crate::sys::AllocationError;
use crate::types::Move;

/// What a thread is told to do.
pub(super) enum Task {
    Search(Job),
    /// Get the memory for what this thread alone will learn, and say whether it was granted.
    Prepare(Sender<Result<(), AllocationError>>),
    /// Forget everything that this thread alone has learned; the waiter sees when it is done.
    Forget(WaitGroup),
    /// Nothing; the waiter sees when all before it is done.
    Rest(WaitGroup),
    Quit,
}

pub(super) struct Job {
    pub(super) shared: Arc<SearchContext>,
    pub(super) role: Role,
}

pub(super) enum Role {
    Helper(Unrest),
    Main {
        manager: Box<SearchManager>,
        /// Disconnects when the others have come to rest.
        helpers: Receiver<Infallible>,
    },
    /// Looks for mates; the main worker sends the moves that it likes best.
    Solver {
        best_moves: Receiver<Move>,
        searching: Unrest,
    },
}

/// Dropped by who comes to rest.
pub(super) type Unrest = Sender<Infallible>;

/// What waits for a thread.
#[derive(Default)]
pub(super) struct Mailbox {
    tasks: Mutex<VecDeque<Task>>,
    arrived: Condvar,
}

impl Mailbox {
    pub(super) fn post(&self, task: Task) {
        self.tasks.lock().push_back(task);
        self.arrived.notify_one();
    }

    pub(super) fn wait(&self) -> Task {
        let mut tasks = self.tasks.lock();
        loop {
            if let Some(task) = tasks.pop_front() {
                return task;
            }
            self.arrived.wait(&mut tasks);
        }
    }
}
