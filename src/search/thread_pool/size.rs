//! How many threads the pool has: as many as are wanted, if the system grants them and the memory that
//! they will use.

use super::ThreadPool;
use super::thread::Thread;
use crate::search::shared_history::SharedHistories;
use crate::search::worker::ThreadData;
use crate::sys::{self, AllocationError, HugePages};

/// What must be left for all else where the system limits what a program takes: a thread more is worth
/// less than a program that does not end in the middle of a game.
const SPARE_BYTES: usize = 128 << 20;

impl ThreadPool {
    /// Sets the number of threads. Only while idle.
    ///
    /// # Errors
    /// The system grants fewer, or no memory for them; those it grants stay, but for one.
    pub fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.resize_within(threads, sys::available_memory)
    }

    /// The same by what is said of the memory that is left.
    pub(in crate::search) fn resize_within(
        &mut self,
        threads: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<(), String> {
        let wanted = threads.max(1);
        self.threads.truncate(wanted);
        // PrecedingMoves the threads: what is left for them is looked at with this in use.
        self.resize_histories(wanted, &mut left);
        let added = self.add_threads(wanted, &mut left);
        if added.is_err() {
            self.threads.truncate((self.threads.len() - 1).max(1));
            self.keep_histories();
        }
        let granted = self.threads.len();
        added.map_err(|refused| format!("only {granted} of {wanted} threads: {refused}"))
    }

    /// Lets the threads learn into tables as large as is right for so many, if there is memory for them.
    pub(super) fn resize_histories(&mut self, threads: usize, left: impl FnMut() -> Option<u64>) {
        let size = threads.next_power_of_two();
        if self.prepared == size {
            return;
        }
        // Who still searches holds the old ones.
        self.current = None;
        self.await_rest();
        if let Ok(histories) = SharedHistories::new(size, left) {
            self.histories = histories;
        }
        self.histories.clear();
        self.prepared = size;
    }

    /// Takes the tables for more threads than there are as those for the threads that there are: to make
    /// them anew would take the time to fill them once more.
    fn keep_histories(&mut self) {
        // The last search holds all of them.
        self.current = None;
        let threads = self.threads.len();
        self.histories.keep_for(threads);
        self.prepared = threads.next_power_of_two();
    }

    /// Each thread gets its memory before the next is started: now, not when the clock runs. Many
    /// systems grant more than there is, and end the program when it is used: so what is left is
    /// looked at before.
    fn add_threads(
        &mut self,
        wanted: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<(), String> {
        self.threads[0].prepare().map_err(|error| error.to_string())?;
        let needed = left().unwrap_or(0) / sys::RESERVE_SHARE + ThreadData::BYTES as u64;
        while self.threads.len() < wanted {
            if left().is_some_and(|left| left < needed) {
                return Err(AllocationError { bytes: ThreadData::BYTES }.to_string());
            }
            let id = self.threads.len();
            let name = format!("search-{id}");
            let thread = Thread::start(&name, id, self.events.clone(), self.memory.clone());
            let thread = thread.map_err(|error| error.to_string())?;
            thread.prepare().map_err(|error| error.to_string())?;
            // Nothing of it is used.
            HugePages::<u8>::zeroed(SPARE_BYTES).map_err(|error| error.to_string())?;
            self.threads.push(thread);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They were filled for the threads that were wanted, and then for those that there were.
    #[test]
    fn tables_for_threads_that_are_refused_are_not_made_again() {
        let mut pool = ThreadPool::new(crossbeam::channel::unbounded().0).unwrap();
        let keys = |histories: &SharedHistories| histories.history_of(0).corrections.keys();
        assert!(pool.resize_within(4, || Some(0)).is_err());
        assert_eq!(pool.threads.len(), 1);
        let for_four = keys(&SharedHistories::new(4, || None).unwrap());
        assert_eq!(keys(&pool.histories), for_four);
        pool.resize_threads(1).unwrap();
        assert_eq!(keys(&pool.histories), for_four);
        pool.resize_within(2, || None).unwrap();
        assert_eq!(keys(&pool.histories), for_four / 2);
    }
}
