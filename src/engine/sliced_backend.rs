//! The search backend for browsers: searches are jobs, which the driver of the session runs in
//! slices.

use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;

use super::mate_worker::{MateSignals, MateTask, MateWorker};
use super::search_backend::SearchBackend;
use crate::mate;
use crate::nnue::Network;
use crate::search::request::{Clock, Event, Request};
use crate::search::{SearchJob, SlicedSearcher};
use crate::sys::{AllocationError, Instant};

/// A search to run to its end.
#[derive(Debug)]
pub struct SlicedJob(Job);

#[derive(Debug)]
enum Job {
    Search(Box<SearchJob>),
    Mate(Box<MateTask>, Arc<Mutex<Option<MateWorker>>>),
}

impl SlicedJob {
    /// Searches. Exactly one `Report::Done` follows as the last event.
    pub fn run(self) {
        match self.0 {
            Job::Search(job) => job.run(),
            Job::Mate(task, slot) => {
                // Not in the condition: the lock must not be held while the search is suspended.
                let worker = slot.lock().take();
                if let Some(mut worker) = worker {
                    worker.run(&task);
                    *slot.lock() = Some(worker);
                }
            }
        }
    }
}

/// Turns each search into a [`SlicedJob`], which the driver of the session runs.
#[derive(Debug)]
pub struct SlicedBackend {
    searcher: SlicedSearcher,
    mate_worker: Arc<Mutex<Option<MateWorker>>>,
    /// The signals of the last search, if it is a mate search.
    mate_signals: Option<Arc<MateSignals>>,
    jobs: Sender<SlicedJob>,
}

impl SlicedBackend {
    /// An idle backend that sends its events to `events`, and the jobs to run in their order.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn new(
        events: Sender<Event>,
    ) -> Result<(SlicedBackend, Receiver<SlicedJob>), AllocationError> {
        let (jobs, to_run) = unbounded();
        let searcher = SlicedSearcher::new(events.clone())?;
        let mate_worker = Arc::new(Mutex::new(Some(MateWorker::new(events))));
        Ok((SlicedBackend { searcher, mate_worker, mate_signals: None, jobs }, to_run))
    }

    fn free_mate_memory(&self) {
        if let Some(worker) = self.mate_worker.lock().as_mut() {
            worker.free_memory();
        }
    }

    fn begin(&self, job: Job) {
        // Fails only if the driver has dropped the receiver.
        let _ = self.jobs.send(SlicedJob(job));
    }
}

impl SearchBackend for SlicedBackend {
    /// There is only one thread.
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        match threads {
            1 => Ok(()),
            _ => Err(format!("only 1 of {threads} threads: this build has no threads")),
        }
    }

    fn resize_hash(&mut self, hash_mib: usize) -> Option<String> {
        // The solver and the new table together may exceed the memory.
        self.free_mate_memory();
        self.searcher.resize_hash(hash_mib).map(|message| message.en)
    }

    fn set_network(&mut self, network: Network) {
        self.searcher.set_network(network);
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn go(&mut self, search_id: u64, request: Request) {
        if self.mate_signals.take().is_some() {
            // A search for a move does not need the solver's memory.
            self.free_mate_memory();
        }
        let job = self.searcher.job(search_id, request);
        self.begin(Job::Search(Box::new(job)));
    }

    fn go_mate(&mut self, search_id: u64, request: Request, settings: mate::SolverSettings) {
        let signals = Arc::<MateSignals>::default();
        self.mate_signals = Some(signals.clone());
        let settings = mate::SolverSettings { threads: 1, ..settings };
        let task = MateTask { search_id, request, settings, signals };
        self.begin(Job::Mate(Box::new(task), self.mate_worker.clone()));
    }

    fn stop(&self) {
        match &self.mate_signals {
            Some(signals) => signals.stop(),
            None => self.searcher.stop(),
        }
    }

    fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        match &self.mate_signals {
            Some(signals) => signals.ponder_hit(received),
            None => self.searcher.ponder_hit(clock, received),
        }
    }
}
