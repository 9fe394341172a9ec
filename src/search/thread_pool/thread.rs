//! A thread of the pool as the others see it: who starts it, tells it what to do, and ends it.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam::channel::{Sender, bounded};
use parking_lot::Mutex;

use super::mailbox::{Mailbox, Task};
use super::pool_thread::Member;
use crate::search::request::Event;
use crate::search::search_manager::PreviousScores;
use crate::sys::AllocationError;

/// What a thread that searches needs for its stack: the search calls itself once a ply, some hundred
/// plies deep.
pub const STACK_BYTES: usize = 16 << 20;

/// A thread that runs as long as this lives.
pub(super) struct Thread {
    pub(super) mailbox: Arc<Mailbox>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    pub(super) fn start(
        name: &str,
        id: usize,
        events: Sender<Event>,
        memory: Arc<Mutex<PreviousScores>>,
    ) -> io::Result<Thread> {
        let mailbox = Arc::new(Mailbox::default());
        let own = mailbox.clone();
        let handle = std::thread::Builder::new()
            .name(name.into())
            .stack_size(STACK_BYTES)
            .spawn(move || Member::new(id, events, memory).run(&own))?;
        Ok(Thread { mailbox, handle: Some(handle) })
    }

    /// Gets the memory for what will be learned, if it has not.
    pub(super) fn prepare(&self) -> Result<(), AllocationError> {
        let (granted, answer) = bounded(1);
        self.mailbox.post(Task::Prepare(granted));
        // A thread that has panicked before it could answer is found out by the next search.
        answer.recv().unwrap_or(Ok(()))
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.mailbox.post(Task::Quit);
        if let Some(handle) = self.handle.take() {
            // A thread that panicked has nothing left to say.
            let _ = handle.join();
        }
    }
}
