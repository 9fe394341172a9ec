//! The threads that search, parked between searches.
//!
//! Every thread keeps what its workers alone have learned for as long as it lives; what they learn
//! together belongs to the pool. A search is one [`SearchContext`] handed to all; the first thread is the main
//! worker, which leads the search and gives the answer.

mod lead;
mod mailbox;
mod pool_thread;
mod size;
mod thread;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::{Sender, bounded, unbounded};
use crossbeam::sync::WaitGroup;
use parking_lot::Mutex;

use super::request::{Clock, Event, Request};
use super::root_mate;
use super::root_move::{put_first, root_moves};
use super::search_manager::{PreviousScores, SearchManager};
use super::shared::{PonderHit, SearchContext};
use super::shared_history::SharedHistories;
use crate::nnue::Network;
use crate::sys;
use crate::tt::TranspositionTable;

use mailbox::{Job, Role, Task};
use thread::Thread;

pub use thread::STACK_BYTES;

/// What the table has until it is told otherwise.
const FIRST_MEBIBYTES: usize = 1;
/// Nodes of a limit for which there is a worker each. With fewer they all look at the same, so that
/// together they play worse than one of them with all the nodes (uuunuuun has measured it, 2018), and
/// what each searches before it tells would be most of the search.
const NODES_PER_WORKER: u64 = 4096;

/// The pool. Dropping it stops the search and joins all threads.
pub struct ThreadPool {
    threads: Vec<Thread>,
    /// The one for the mate solver. `None` if the system grants no more threads.
    solver: Option<Thread>,
    table: Arc<TranspositionTable>,
    network: Network,
    histories: SharedHistories,
    /// How many threads that is prepared for, as a power of two; 0 before the first.
    prepared: usize,
    events: Sender<Event>,
    current: Option<Arc<SearchContext>>,
    memory: Arc<Mutex<PreviousScores>>,
}

impl std::fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadPool")
            .field("threads", &self.threads.len())
            .field("hash_mib", &self.table.mebibytes())
            .finish_non_exhaustive()
    }
}

impl ThreadPool {
    /// A pool of one thread with a small table. `events` receives what the searches tell.
    ///
    /// # Errors
    /// The system grants no thread, or no memory.
    pub fn new(events: Sender<Event>) -> io::Result<ThreadPool> {
        let memory = Arc::new(Mutex::new(PreviousScores::default()));
        let (table, _) = TranspositionTable::with_fallback(FIRST_MEBIBYTES);
        let histories = SharedHistories::new(1, || None).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(ThreadPool {
            threads: vec![Thread::start("search-0", 0, events.clone(), memory.clone())?],
            solver: Thread::start("root-mates", 0, events.clone(), memory.clone()).ok(),
            table: Arc::new(table),
            network: Network::built_in(),
            histories,
            prepared: 0,
            events,
            current: None,
            memory,
        })
    }

    /// Sets the size of the transposition table, which forgets its content. Only while idle.
    /// Returns what the user should know when the memory was refused and less was taken.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Option<String> {
        self.current = None;
        // Who still searches holds the old table.
        self.await_rest();
        if self.table.mebibytes() == mebibytes {
            self.table.clear(self.threads.len());
            return None;
        }
        // The old table goes first: both at once may be more than there is.
        let (smallest, _) = TranspositionTable::with_fallback(FIRST_MEBIBYTES);
        self.table = Arc::new(smallest);
        let (table, message) = TranspositionTable::with_fallback(mebibytes);
        self.table = Arc::new(table);
        self.table.clear(self.threads.len());
        message
    }

    /// Sets what evaluates positions, at first the built-in network. Everything learned is
    /// forgotten, since it was learned with another evaluation. Only while idle.
    pub fn set_network(&mut self, network: Network) {
        // It holds the old network.
        self.current = None;
        self.network = network;
        self.clear();
    }

    /// Forgets everything learned. Only while idle.
    pub fn clear(&mut self) {
        self.await_rest();
        self.table.clear(self.threads.len());
        self.histories.clear();
        *self.memory.lock() = PreviousScores::default();
        let done = WaitGroup::new();
        for thread in &self.threads {
            thread.mailbox.post(Task::Forget(done.clone()));
        }
        done.wait();
    }

    /// Waits until nobody works for the last search any more. The next one need not: it shares
    /// nothing with it but tables that any number of threads may write to.
    fn await_rest(&self) {
        let done = WaitGroup::new();
        for thread in self.threads.iter().chain(&self.solver) {
            thread.mailbox.post(Task::Rest(done.clone()));
        }
        done.wait();
    }

    /// Begins a search and returns at once. Only while idle. Exactly one `Report::Done` of this
    /// generation follows, as its last event; but who was not waited for may still tell of a failure.
    pub fn go(&mut self, generation: u64, request: Request) {
        // Only for who never set the number of threads.
        self.resize_histories(self.threads.len(), sys::available_memory);
        self.table.new_search();
        self.memory.lock().begin(&request.position);
        let mut root_moves = root_moves(&request);
        if let Some(known) = self.table.probe(request.position.key()).hit {
            put_first(&mut root_moves, known.mv);
        }
        // A weak level must not see more for having more threads.
        let alone = request.options.strength.is_some() || root_moves.is_empty();
        let useful = useful_workers(self.threads.len(), request.limits.nodes);
        let workers = if alone { 1 } else { useful };
        let (table, network) = (self.table.clone(), self.network.clone());
        let histories = self.histories.clone();
        let shared =
            SearchContext::new(generation, request, root_moves, table, network, histories, workers);
        let shared = Arc::new(shared);
        self.current = Some(shared.clone());
        let (unrest, helpers) = bounded(0);
        for thread in &self.threads[1..workers] {
            let role = Role::Helper(unrest.clone());
            thread.mailbox.post(Task::Search(Job { shared: shared.clone(), role }));
        }
        let mut manager =
            SearchManager::new(Some(self.events.clone()), &shared, *self.memory.lock());
        if let Some(solver) =
            self.solver.as_ref().filter(|_| root_mate::is_enabled(&shared.request))
        {
            let (sender, best_moves) = unbounded();
            manager.send_best_moves_to(sender);
            let role = Role::Solver { best_moves, searching: unrest.clone() };
            solver.mailbox.post(Task::Search(Job { shared: shared.clone(), role }));
        }
        drop(unrest);
        let role = Role::Main { manager: Box::new(manager), helpers };
        self.threads[0].mailbox.post(Task::Search(Job { shared, role }));
    }

    /// Ends the running search, if need be after its first iteration. Has no effect on later ones.
    pub fn stop(&self) {
        if let Some(shared) = &self.current {
            shared.request_stop();
        }
    }

    /// The move that the running search ponders on was played: its clock runs from `received`.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if let Some(shared) = &self.current {
            shared.ponder_hit(PonderHit { clock, received });
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.stop();
    }
}

/// How many of the threads are of use where so many nodes are to be searched; `None` for no limit.
pub(super) fn useful_workers(threads: usize, nodes: Option<u64>) -> usize {
    let most = nodes.map_or(u64::MAX, |nodes| (nodes / NODES_PER_WORKER).max(1));
    most.min(threads as u64) as usize
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam::channel::Receiver;

    use super::super::request::{Limits, Report, SearchOptions};
    use super::super::tests::{START, request};
    use super::*;

    /// The generation of the search that ends next.
    fn ended(events: &Receiver<Event>) -> u64 {
        loop {
            let event = events.recv_timeout(Duration::from_secs(60)).unwrap();
            if matches!(event.report, Report::Done(_)) {
                return event.generation;
            }
        }
    }

    /// On a busy machine each answer waited until the system had let every helper run once more.
    #[test]
    fn a_helper_that_gets_no_turn_delays_neither_the_answer_nor_the_next_search() {
        let (sender, events) = unbounded();
        let mut pool = ThreadPool::new(sender).unwrap();
        pool.resize_threads(2).unwrap();
        // Until somebody hears that it has its memory it comes to nothing else.
        let (granted, seen_interrupts) = bounded(0);
        pool.threads[1].mailbox.post(Task::Prepare(granted));
        for generation in [1, 2] {
            let move_time = Some(Duration::from_millis(5));
            let limits = Limits { move_time, ..Limits::default() };
            pool.go(generation, request(START, limits, SearchOptions::for_tests()));
            assert_eq!(ended(&events), generation);
        }
        assert!(seen_interrupts.recv().unwrap().is_ok());
        // Now it begins the searches that are over.
        pool.clear();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        pool.go(3, request(START, limits, SearchOptions::for_tests()));
        assert_eq!(ended(&events), 3);
    }
}
