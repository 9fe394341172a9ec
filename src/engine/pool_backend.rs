//! The searcher of the program: the pool for moves, the solver for mates.

use std::io;
use std::time::Instant;

use crossbeam::channel::Sender;

use super::mate_thread::MateThread;
use super::search_backend::SearchBackend;
use crate::mate;
use crate::nnue::Network;
use crate::search::ThreadPool;
use crate::search::request::{Clock, Event, Request};

/// See the module's comment.
#[derive(Debug)]
pub struct PoolBackend {
    pool: ThreadPool,
    mates: MateThread,
    solves: bool,
}

impl PoolBackend {
    /// Both idle; they send their events to `events`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(events: Sender<Event>) -> io::Result<PoolBackend> {
        let mates = MateThread::open(events.clone())?;
        Ok(PoolBackend { pool: ThreadPool::new(events)?, mates, solves: false })
    }
}

impl SearchBackend for PoolBackend {
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.pool.resize_threads(threads)
    }

    fn resize_hash(&mut self, mebibytes: usize) -> Option<String> {
        // Both at once may be more than there is.
        self.mates.give_back().wait();
        self.pool.resize_hash(mebibytes)
    }

    fn set_network(&mut self, network: Network) {
        self.pool.set_network(network);
    }

    fn clear(&mut self) {
        self.pool.clear();
    }

    fn go(&mut self, generation: u64, request: Request) {
        // Who plays needs no memory for problems.
        if std::mem::take(&mut self.solves) {
            drop(self.mates.give_back());
        }
        self.pool.go(generation, request);
    }

    fn go_mate(&mut self, generation: u64, request: Request, settings: mate::SolverSettings) {
        self.solves = true;
        self.mates.go(generation, request, settings);
    }

    fn stop(&self) {
        if self.solves {
            self.mates.stop();
        } else {
            self.pool.stop();
        }
    }

    fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if self.solves {
            self.mates.ponder_hit(received);
        } else {
            self.pool.ponder_hit(clock, received);
        }
    }
}
