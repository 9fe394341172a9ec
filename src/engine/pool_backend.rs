//! The search backend of the program: the thread pool for moves, the mate solver for mates.

use std::io;

use crossbeam::channel::Sender;

use super::mate_thread::MateThread;
use super::search_backend::SearchBackend;
use crate::mate;
use crate::nnue::Network;
use crate::search::ThreadPool;
use crate::search::request::{Clock, Event, KeyedEntry, Request};
use crate::sys::Instant;

/// The thread pool, which searches for moves, and the thread of the mate solver.
#[derive(Debug)]
pub struct PoolBackend {
    pool: ThreadPool,
    mate_thread: MateThread,
    /// Whether the last search is a mate search.
    is_mate_search: bool,
}

impl PoolBackend {
    /// An idle backend that sends its events to `events`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(events: Sender<Event>) -> io::Result<PoolBackend> {
        let mate_thread = MateThread::spawn(events.clone())?;
        Ok(PoolBackend { pool: ThreadPool::new(events)?, mate_thread, is_mate_search: false })
    }
}

impl SearchBackend for PoolBackend {
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.pool.resize_threads(threads).map_err(|message| message.en)
    }

    fn resize_hash(&mut self, hash_mib: usize) -> Option<String> {
        // The solver and the new table together may exceed the memory.
        self.mate_thread.free_memory().wait();
        self.pool.resize_hash(hash_mib).map(|message| message.en)
    }

    fn set_network(&mut self, network: Network) {
        self.pool.set_network(network);
    }

    fn clear(&mut self) {
        self.pool.clear();
    }

    fn go(&mut self, search_id: u64, request: Request) {
        // A search for a move does not need the solver's memory.
        if std::mem::take(&mut self.is_mate_search) {
            drop(self.mate_thread.free_memory());
        }
        self.pool.go(search_id, request);
    }

    fn go_mate(&mut self, search_id: u64, request: Request, settings: mate::SolverSettings) {
        self.is_mate_search = true;
        self.mate_thread.go(search_id, request, settings);
    }

    fn stop(&self) {
        if self.is_mate_search {
            self.mate_thread.stop();
        } else {
            self.pool.stop();
        }
    }

    fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if self.is_mate_search {
            self.mate_thread.ponder_hit(received);
        } else {
            self.pool.ponder_hit(clock, received);
        }
    }

    fn insert_entries(&self, entries: &[KeyedEntry]) {
        self.pool.insert_entries(entries);
    }
}
