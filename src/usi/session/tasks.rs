//! The tasks that the session queues.

use std::io;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam::channel::{Receiver, Sender};

use crate::engine::go_task::GoTask;
use crate::engine::{Perft, perft};
use crate::position::Position;
use crate::sys::refused_thread;

/// A task of the session.
#[derive(Debug)]
pub(super) enum QueuedTask {
    Search(Box<GoTask>),
    Perft(Box<PerftTask>),
    /// An `isready` after tasks that are stopping.
    IsReady,
}

impl QueuedTask {
    /// Whether the task has been asked to stop.
    pub(super) fn is_stopping(&self) -> bool {
        match self {
            QueuedTask::Search(task) => task.is_stopping(),
            QueuedTask::Perft(perft) => perft.stop.load(Ordering::Relaxed),
            QueuedTask::IsReady => true,
        }
    }
}

/// A `go perft`.
#[derive(Debug)]
pub(super) struct PerftTask {
    /// Taken when perft begins.
    pub(super) position: Option<Position>,
    pub(super) depth: u32,
    pub(super) stop: Arc<AtomicBool>,
}

/// Starts perft threads and receives their results.
#[derive(Debug)]
pub(super) struct PerftRunner {
    pub(super) sender: Sender<Perft>,
    pub(super) results: Receiver<Perft>,
}

impl PerftRunner {
    pub(super) fn start(
        &self,
        position: Position,
        depth: u32,
        stop: &Arc<AtomicBool>,
    ) -> io::Result<()> {
        let (sender, stop) = (self.sender.clone(), Arc::clone(stop));
        let count = move || {
            let counted = catch_unwind(|| perft(position, depth, &stop));
            // The session may have ended meanwhile.
            let _ = sender.send(counted.unwrap_or_default());
        };
        thread::Builder::new().name("perft".into()).spawn(count).map_err(refused_thread)?;
        Ok(())
    }
}
