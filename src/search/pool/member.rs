//! The life of a thread of the pool as it sees it: what it has, and what it does when it is told to.
//! A worker that panics costs its own result only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use parking_lot::Mutex;

use super::mailbox::{Job, Mailbox, Role, Task};
use crate::search::main_duties::{GameMemory, MainDuties};
use crate::search::proofs;
use crate::search::request::{Event, Report};
use crate::search::shared::Shared;
use crate::search::worker::{Kept, Worker};

/// What a thread of the pool has with it as long as it lives.
pub(super) struct Member {
    /// The number of its worker.
    id: usize,
    /// What its workers alone have learned. `None` until there is memory for it, and after a panic.
    kept: Option<Kept>,
    events: Sender<Event>,
    pub(super) memory: Arc<Mutex<GameMemory>>,
}

impl Member {
    pub(super) fn new(id: usize, events: Sender<Event>, memory: Arc<Mutex<GameMemory>>) -> Member {
        Member { id, kept: None, events, memory }
    }

    /// The life of a thread.
    pub(super) fn run(mut self, mailbox: &Mailbox) {
        let mut idle = proofs::Idle::new();
        loop {
            match mailbox.wait() {
                Task::Quit => return,
                Task::Prepare(granted) => {
                    let own = self.kept.take().map_or_else(Kept::new, Ok);
                    let _ = granted.send(own.map(|own| self.kept = Some(own)));
                }
                Task::Forget(_done) => {
                    if let Some(kept) = &mut self.kept {
                        kept.forget();
                        kept.forget_network();
                    }
                }
                Task::Rest(_done) => {}
                Task::Search(Job { shared, role: Role::Helper(_running) }) => {
                    self.work(&shared, None);
                }
                Task::Search(Job {
                    shared,
                    role: Role::Solver { favourites, searching: _running },
                }) => {
                    let seek = || proofs::seek(&shared, &favourites, &mut idle);
                    if catch_unwind(AssertUnwindSafe(seek)).is_err() {
                        self.complain(&shared, "error: the mate solver failed".into());
                    }
                }
                Task::Search(Job { shared, role: Role::Main { duties, helpers } }) => {
                    self.lead(&shared, *duties, &helpers);
                }
            }
        }
    }

    /// Searches. A panic is reported and costs what the thread had learned.
    pub(super) fn work(&mut self, shared: &Arc<Shared>, duties: Option<MainDuties>) {
        let id = self.id;
        let own = match self.kept.take().map_or_else(Kept::new, Ok) {
            Ok(own) => own,
            Err(error) => {
                let words = format!("error: search worker {id} has no memory: {error}");
                return self.complain(shared, words);
            }
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = Worker::new(id, shared.clone(), own, duties);
            worker.deepen();
            worker.into_kept()
        }));
        match searched {
            Ok(own) => self.kept = Some(own),
            Err(_) => {
                let words = format!("error: search worker {id} failed; its result is lost");
                self.complain(shared, words);
            }
        }
    }

    fn complain(&self, shared: &Shared, words: String) {
        self.tell(shared, Report::Message(words));
    }

    pub(super) fn tell(&self, shared: &Shared, report: Report) {
        // Nobody listening any more means that the session is over.
        let _ = self.events.send(Event { generation: shared.generation, report });
    }
}
