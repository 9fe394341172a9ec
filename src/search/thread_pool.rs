//! The thread pool: its threads search together and are parked between searches.
//!
//! Each thread keeps its thread data as long as it lives; the shared histories belong to the pool. A
//! search is one [`SearchContext`] for all threads. The first thread runs the main worker. One
//! thread does not search, but sends the answer.

use std::io;
use std::sync::Arc;

use crossbeam::channel::{Sender, bounded, unbounded};
use crossbeam::sync::WaitGroup;

use super::answer_thread::SearchCompletion;
use super::pool_thread::{PoolThread, Role, ThreadJob};
use super::request::{Clock, Event, KeyedEntry, Request};
use super::root_mate;
use super::search_context::SearchContext;
use super::search_manager::{RootMates, SearchManager};
use super::shared_history::SharedHistories;
use super::shared_state::SharedState;
use super::worker::ThreadData;
use crate::nnue::{self, Network};
use crate::sys::{self, AllocationError, HugePages, Instant};
use crate::types::message::{Message, message};

/// The approximate memory of a new pool, mostly for the stacks of its threads.
const INITIAL_BYTES: usize = 96 << 20;
/// Memory that must be left if the system limits the process: running out of memory in the middle of a game
/// is worse than one thread less.
const SPARE_BYTES: usize = 128 << 20;
/// Minimum of the memory that threads leave for a small table and for mate searches.
const ROOM_BESIDE_THREADS: u64 = 32 << 20;

/// The pool. Dropping it stops the search and joins all threads.
pub struct ThreadPool {
    threads: Vec<PoolThread>,
    answer_thread: PoolThread,
    /// Runs the root mate search. `None` if the system grants no more threads.
    root_mate_thread: Option<PoolThread>,
    shared: SharedState,
    /// The number of threads that the histories are made for, a power of two; 0 at first.
    histories_threads: usize,
    events: Sender<Event>,
}

impl std::fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadPool")
            .field("threads", &self.threads.len())
            .field("hash_mib", &self.shared.table.size_mib())
            .finish_non_exhaustive()
    }
}

impl ThreadPool {
    /// A pool of one thread with a small table. `events` receives the reports of all searches.
    ///
    /// # Errors
    /// If the system refuses a thread or memory.
    pub fn new(events: Sender<Event>) -> io::Result<ThreadPool> {
        // A test allocation: a refused small allocation later would end the program at once.
        HugePages::<u8>::zeroed(INITIAL_BYTES)?;
        nnue::load_built_in()?;
        // The first search gets larger histories, if there is memory.
        let shared = SharedState::new(|| Some(0))?;
        let start = |name| PoolThread::start(name, 0, events.clone());
        Ok(ThreadPool {
            threads: vec![start("search-0")?],
            answer_thread: start("answers")?,
            root_mate_thread: start("root-mates").ok(),
            shared,
            histories_threads: 0,
            events,
        })
    }

    /// Sets the size of the transposition table and clears it. Only while idle. Returns a message for
    /// the user if the memory was refused and a smaller table was made.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Option<Message> {
        // A thread that still searches holds the old table.
        self.wait_until_idle();
        self.shared.resize_hash(hash_mib, self.threads.len())
    }

    /// Sets the network, at first the built-in one, and clears everything learned with the old one.
    /// Only while idle.
    pub fn set_network(&mut self, network: Network) {
        self.shared.set_network(network);
        self.clear();
    }

    /// Clears the table, the histories and the previous scores, as for a new game. Only while idle.
    pub fn clear(&mut self) {
        self.wait_until_idle();
        self.shared.clear(self.threads.len());
        let done = WaitGroup::new();
        for thread in &self.threads {
            thread.post(ThreadJob::Clear(done.clone()));
        }
        done.wait();
    }

    /// Waits until all threads have left the last search. The next search need not wait for that: two searches
    /// share only tables that any number of threads may write to.
    fn wait_until_idle(&self) {
        let done = WaitGroup::new();
        let others = self.root_mate_thread.iter().chain([&self.answer_thread]);
        for thread in self.threads.iter().chain(others) {
            thread.post(ThreadJob::Sync(done.clone()));
        }
        done.wait();
    }

    /// Starts a search and returns at once. Only while idle. Exactly one `Report::Done` of this
    /// id follows. Reports of workers that were not waited for may come after it.
    pub fn go(&mut self, search_id: u64, request: Request) {
        // Does nothing unless the number of threads was never set.
        self.resize_histories(self.threads.len(), sys::available_memory);
        let (context, immediate) = self.shared.begin(search_id, request, self.threads.len());
        let workers = context.worker_count();
        let completion =
            self.start_searchers(&context, if immediate.is_none() { workers } else { 0 });
        let previous_scores = self.shared.previous_scores.clone();
        let role = Role::Answer { immediate, completion, previous_scores };
        self.answer_thread.post(ThreadJob::Search { context, role });
    }

    /// Starts the search with this many workers, the main worker first. With none, the completion is signalled at
    /// once.
    fn start_searchers(&self, context: &Arc<SearchContext>, workers: usize) -> SearchCompletion {
        let ((main_done, main), (done, others)) = (bounded(0), bounded(0));
        let completion = SearchCompletion { main, others };
        let Some(helpers) = self.threads[..workers].get(1..) else { return completion };
        let root_mate_thread =
            self.root_mate_thread.as_ref().filter(|_| root_mate::is_enabled(&context.request));
        let (sender, best_moves) = unbounded();
        let events = Some(self.events.clone());
        let root_mates = root_mate_thread.map_or(RootMates::Off, |_| RootMates::OnThread(sender));
        let manager =
            SearchManager::new(events, root_mates, context, *self.shared.previous_scores.lock());
        let main = Role::Main { manager: Box::new(manager), done: main_done };
        let search = |role| ThreadJob::Search { context: context.clone(), role };
        self.threads[0].post(search(main));
        for thread in helpers {
            thread.post(search(Role::Helper(done.clone())));
        }
        if let Some(thread) = root_mate_thread {
            thread.post(search(Role::RootMate { best_moves, done }));
        }
        completion
    }

    /// Stops the running search as soon as it has an answer. Later searches are not affected.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Tells the running search that the move it ponders on was played. Its clock runs from `received`.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        self.shared.ponder_hit(clock, received);
    }

    /// Stores entries of other engines, during a search or between two.
    pub fn insert_entries(&self, entries: &[KeyedEntry]) {
        entries.iter().for_each(|&entry| self.shared.table.insert(entry));
    }

    /// Sets the number of threads. Only while idle.
    ///
    /// # Errors
    /// If the system grants fewer threads, or no memory for them. The granted threads stay, at least one.
    pub fn resize_threads(&mut self, threads: usize) -> Result<(), Message> {
        self.resize_threads_with_available(threads, sys::available_memory)
    }

    /// Sets the number of threads; `available` returns the bytes of memory that are left.
    pub(super) fn resize_threads_with_available(
        &mut self,
        threads: usize,
        mut available: impl FnMut() -> Option<u64>,
    ) -> Result<(), Message> {
        let wanted = threads.max(1);
        self.threads.truncate(wanted);
        // Before the threads, because the memory left for them is measured afterwards.
        self.resize_histories(wanted, &mut available);
        let added = self.add_threads(wanted, &mut available);
        if added.is_err() {
            self.threads.truncate((self.threads.len() - 1).max(1));
            self.truncate_histories();
        }
        let granted = self.threads.len();
        added.map_err(|refused| {
            message!(
                "only {granted} of {wanted} threads: {}",
                "{wanted}スレッドのうち{granted}スレッドだけを使います：{}";
                refused
            )
        })
    }

    /// Makes the shared histories for this many threads, if there is memory.
    fn resize_histories(&mut self, threads: usize, available: impl FnMut() -> Option<u64>) {
        let threads = threads.next_power_of_two();
        if self.histories_threads == threads {
            return;
        }
        // A thread that still searches holds the old ones.
        self.shared.forget_last_search();
        self.wait_until_idle();
        if let Ok(histories) = SharedHistories::new(threads, available) {
            self.shared.histories = histories;
        }
        self.shared.histories.clear();
        self.histories_threads = threads;
    }

    /// Drops the histories that no thread uses. The others stay, although they were made for more threads:
    /// making them again would take time.
    fn truncate_histories(&mut self) {
        // The last search holds all of them.
        self.shared.forget_last_search();
        let threads = self.threads.len();
        self.shared.histories.truncate(threads);
        self.histories_threads = threads.next_power_of_two();
    }

    /// Starts threads until there are `wanted`. Each thread allocates its memory before the next is started, not when
    /// the clock runs. Many systems grant more memory than there is and kill the process when it is used, so the
    /// remaining memory is checked first.
    fn add_threads(
        &mut self,
        wanted: usize,
        mut available: impl FnMut() -> Option<u64>,
    ) -> Result<(), Message> {
        self.threads[0].allocate().map_err(|error| error.message())?;
        let reserve = (available().unwrap_or(0) / sys::RESERVE_DIVISOR).max(ROOM_BESIDE_THREADS);
        let needed = reserve + ThreadData::BYTES as u64;
        while self.threads.len() < wanted {
            if available().is_some_and(|available| available < needed) {
                return Err(AllocationError { bytes: ThreadData::BYTES }.message());
            }
            let id = self.threads.len();
            let name = format!("search-{id}");
            let thread = PoolThread::start(&name, id, self.events.clone())
                .map_err(|error| Message::from(&error))?;
            thread.allocate().map_err(|error| error.message())?;
            // A test allocation.
            HugePages::<u8>::zeroed(SPARE_BYTES).map_err(|error| error.message())?;
            self.threads.push(thread);
        }
        Ok(())
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam::channel::Receiver;

    use super::super::request::{Limits, Report, SearchOptions};
    use super::super::testing::{START, request};
    use super::*;

    /// The id of the search that ends next.
    fn next_done(events: &Receiver<Event>) -> u64 {
        loop {
            let event = events.recv_timeout(Duration::from_secs(60)).unwrap();
            if matches!(event.report, Report::Done(_)) {
                return event.search_id;
            }
        }
    }

    /// Regression: on a busy machine each answer waited until the system had let every helper run
    /// again.
    #[test]
    fn a_helper_without_a_processor_delays_neither_the_answer_nor_the_next_search() {
        let (sender, events) = unbounded();
        let mut pool = ThreadPool::new(sender).unwrap();
        pool.resize_threads(2).unwrap();
        // Blocks the helper: the send waits for the receiver.
        let (granted, receiver) = bounded(0);
        pool.threads[1].post(ThreadJob::Allocate(granted));
        for search_id in [1, 2] {
            let move_time = Some(Duration::from_millis(5));
            let limits = Limits { move_time, ..Limits::default() };
            pool.go(search_id, request(START, limits, SearchOptions::for_tests()));
            assert_eq!(next_done(&events), search_id);
        }
        assert!(receiver.recv().unwrap().is_ok());
        // Now the helper begins the searches that are over.
        pool.clear();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        pool.go(3, request(START, limits, SearchOptions::for_tests()));
        assert_eq!(next_done(&events), 3);
    }

    #[test]
    fn an_engine_in_a_cluster_reports_deep_entries_and_another_finds_them() {
        let (sender, events) = unbounded();
        let mut pool = ThreadPool::new(sender).unwrap();
        let options = SearchOptions { cluster_worker: Some(2), ..SearchOptions::for_tests() };
        let limits = Limits { depth: Some(8), ..Limits::default() };
        pool.go(1, request(START, limits, options));
        let mut entries = Vec::new();
        loop {
            match events.recv_timeout(Duration::from_secs(60)).unwrap().report {
                Report::Entries(new) => entries.extend(new),
                Report::Done(_) => break,
                _ => {}
            }
        }
        let other = ThreadPool::new(unbounded().0).unwrap();
        other.insert_entries(&entries);
        let depth = |key| other.shared.table.probe(key).hit.map(|hit| hit.depth);
        assert!(!entries.is_empty());
        assert!(entries.iter().all(|entry| depth(entry.key).is_some_and(|depth| depth >= 3)));
    }

    /// Regression: histories were made for the wanted number of threads, and again for the granted number.
    #[test]
    fn histories_for_threads_that_are_refused_are_not_made_again() {
        let mut pool = ThreadPool::new(unbounded().0).unwrap();
        let keys = |histories: &SharedHistories| histories.group_of(0).correction_history.keys();
        assert!(pool.resize_threads_with_available(4, || Some(0)).is_err());
        assert_eq!(pool.threads.len(), 1);
        let for_four = keys(&SharedHistories::new(4, || None).unwrap());
        assert_eq!(keys(&pool.shared.histories), for_four);
        pool.resize_threads(1).unwrap();
        assert_eq!(keys(&pool.shared.histories), for_four);
        pool.resize_threads_with_available(2, || None).unwrap();
        assert_eq!(keys(&pool.shared.histories), for_four / 2);
    }
}
