//! The life of a thread of the pool as it sees it: what it has, and what it does when it is told to.
//! A worker that panics costs its own result only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use parking_lot::Mutex;

use super::mailbox::{Job, Mailbox, Role, Task};
use crate::search::request::{Event, Report};
use crate::search::root_mate;
use crate::search::search_manager::{PreviousScores, SearchManager};
use crate::search::shared::SearchContext;
use crate::search::worker::{SearchWorker, ThreadData};

/// What a thread of the pool has with it as long as it lives.
pub(super) struct Member {
    /// The number of its worker.
    id: usize,
    /// What its workers alone have learned. `None` until there is memory for it, and after a panic.
    thread_data: Option<ThreadData>,
    events: Sender<Event>,
    pub(super) memory: Arc<Mutex<PreviousScores>>,
}

impl Member {
    pub(super) fn new(
        id: usize,
        events: Sender<Event>,
        memory: Arc<Mutex<PreviousScores>>,
    ) -> Member {
        Member { id, thread_data: None, events, memory }
    }

    /// The life of a thread.
    pub(super) fn run(mut self, mailbox: &Mailbox) {
        let mut idle = root_mate::SpareProbes::new();
        loop {
            match mailbox.wait() {
                Task::Quit => return,
                Task::Prepare(granted) => {
                    let own = self.thread_data.take().map_or_else(ThreadData::new, Ok);
                    let _ = granted.send(own.map(|own| self.thread_data = Some(own)));
                }
                Task::Forget(_done) => {
                    if let Some(thread_data) = &mut self.thread_data {
                        thread_data.clear();
                        thread_data.drop_evaluator();
                    }
                }
                Task::Rest(_done) => {}
                Task::Search(Job { shared, role: Role::Helper(_running) }) => {
                    self.work(&shared, None);
                }
                Task::Search(Job {
                    shared,
                    role: Role::Solver { best_moves, searching: _running },
                }) => {
                    let seek = || root_mate::search_root_mates(&shared, &best_moves, &mut idle);
                    if catch_unwind(AssertUnwindSafe(seek)).is_err() {
                        self.complain(&shared, "error: the mate solver failed".into());
                    }
                }
                Task::Search(Job { shared, role: Role::Main { manager, helpers } }) => {
                    self.lead(&shared, *manager, &helpers);
                }
            }
        }
    }

    /// Searches. A panic is reported and costs what the thread had learned.
    pub(super) fn work(&mut self, shared: &Arc<SearchContext>, manager: Option<SearchManager>) {
        let id = self.id;
        let own = match self.thread_data.take().map_or_else(ThreadData::new, Ok) {
            Ok(own) => own,
            Err(error) => {
                let words = format!("error: search worker {id} has no memory: {error}");
                return self.complain(shared, words);
            }
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = SearchWorker::new(id, shared.clone(), own, manager);
            worker.iterative_deepening();
            worker.into_thread_data()
        }));
        match searched {
            Ok(own) => self.thread_data = Some(own),
            Err(_) => {
                let words = format!("error: search worker {id} failed; its result is lost");
                self.complain(shared, words);
            }
        }
    }

    fn complain(&self, shared: &SearchContext, words: String) {
        self.tell(shared, Report::Message(words));
    }

    pub(super) fn tell(&self, shared: &SearchContext, report: Report) {
        // Nobody listening any more means that the session is over.
        let _ = self.events.send(Event { generation: shared.generation, report });
    }
}
