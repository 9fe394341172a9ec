//! Runs searches one after the other on a separate thread. Each sends exactly one answer, except the silent
//! ones ([`SearchThread::begin_silent`]).

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::sys::refused_thread;

/// With more searches than this that have been told to stop, further lines wait.
const MAX_UNFINISHED: usize = 64;

/// The control of a search: its stop flag, and the channel of its reports.
#[derive(Debug)]
pub struct SearchControl<R, A> {
    stop: Arc<AtomicBool>,
    events: Sender<SearchEvent<R, A>>,
}

impl<R, A> SearchControl<R, A> {
    /// Whether the search has to end and answer now.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a report to the session.
    pub fn report(&self, report: R) {
        // Fails only if the session has ended.
        let _ = self.events.send(SearchEvent(ThreadMessage::Report(report)));
    }
}

/// Messages of the searches to the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchMessage<R, A, C> {
    Report(R),
    /// The search has ended, and its answer can be given. `found` is `None` if the search panicked.
    Ended {
        found: Option<A>,
        context: C,
    },
}

/// An event that may belong to a silent search; [`SearchThread::accept`] decides.
#[derive(Debug)]
pub struct SearchEvent<R, A>(ThreadMessage<R, A>);

#[derive(Debug)]
enum ThreadMessage<R, A> {
    Report(R),
    Ended(Option<A>),
}

/// The thread and its unfinished searches. All but the last have been told to stop. `J` is a job, `R` a
/// report, `A` an answer, and `C` what the session needs to write the answer.
#[derive(Debug)]
pub struct SearchThread<J, R, A, C> {
    jobs: Sender<(J, SearchControl<R, A>)>,
    events_sender: Sender<SearchEvent<R, A>>,
    events: Receiver<SearchEvent<R, A>>,
    unfinished: VecDeque<PendingSearch<C>>,
}

#[derive(Debug)]
struct PendingSearch<C> {
    stop: Arc<AtomicBool>,
    /// What the session needs to write the answer; `None` for a silent search.
    context: Option<C>,
}

impl<J: Send + 'static, R: Send + 'static, A: Send + 'static, C> SearchThread<J, R, A, C> {
    /// Starts the thread, which runs `search` for each job.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn spawn(
        mut search: impl FnMut(J, &SearchControl<R, A>) -> A + Send + 'static,
    ) -> io::Result<SearchThread<J, R, A, C>> {
        let (jobs, incoming) = unbounded::<(J, SearchControl<R, A>)>();
        let (events_sender, events) = unbounded();
        let work = move || {
            for (job, control) in incoming {
                let found = catch_unwind(AssertUnwindSafe(|| search(job, &control))).ok();
                let _ = control.events.send(SearchEvent(ThreadMessage::Ended(found)));
            }
        };
        thread::Builder::new().name("search".into()).spawn(work).map_err(refused_thread)?;
        Ok(SearchThread { jobs, events_sender, events, unfinished: VecDeque::new() })
    }

    /// Stops the previous search, and begins this one when that has answered.
    pub fn begin(&mut self, job: J, context: C) {
        self.queue(job, Some(context));
    }

    /// As [`begin`](SearchThread::begin), but without reports and answer: fills the tables of the search in
    /// the opponent's time.
    pub fn begin_silent(&mut self, job: J) {
        self.queue(job, None);
    }

    fn queue(&mut self, job: J, context: Option<C>) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        let control = SearchControl { stop: stop.clone(), events: self.events_sender.clone() };
        self.unfinished.push_back(PendingSearch { stop, context });
        // The thread catches every panic, so it still receives.
        let _ = self.jobs.send((job, control));
    }

    /// Tells the last search to stop and answer. The others have been told already.
    pub fn stop(&self) {
        if let Some(last) = self.unfinished.back() {
            last.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an answer is not given yet.
    pub fn owes_answer(&self) -> bool {
        self.unfinished.iter().any(|search| search.context.is_some())
    }

    /// Whether so many searches are unfinished that further lines have to wait.
    pub fn is_full(&self) -> bool {
        self.unfinished.len() > MAX_UNFINISHED
    }

    /// The events for [`accept`](SearchThread::accept).
    pub fn events(&self) -> &Receiver<SearchEvent<R, A>> {
        &self.events
    }

    /// The message of an event; `None` if its search is silent.
    pub fn accept(
        &mut self,
        SearchEvent(message): SearchEvent<R, A>,
    ) -> Option<SearchMessage<R, A, C>> {
        // The thread runs the searches in order, so the event belongs to the first.
        match message {
            ThreadMessage::Report(report) => {
                self.unfinished.front()?.context.as_ref()?;
                Some(SearchMessage::Report(report))
            }
            ThreadMessage::Ended(found) => {
                let context = self.unfinished.pop_front()?.context?;
                Some(SearchMessage::Ended { found, context })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Reports its job, waits until it is stopped, and answers with its job.
    fn echo() -> SearchThread<u32, u32, u32, u32> {
        SearchThread::spawn(|job, control: &SearchControl<u32, u32>| {
            control.report(job);
            assert_ne!(job, 13);
            while !control.is_stopped() {
                thread::yield_now();
            }
            job
        })
        .unwrap()
    }

    /// All messages until the last search has ended.
    fn messages(
        search: &mut SearchThread<u32, u32, u32, u32>,
    ) -> Vec<SearchMessage<u32, u32, u32>> {
        let mut messages = Vec::new();
        while !search.unfinished.is_empty() {
            let event = search.events().recv_timeout(Duration::from_secs(10)).unwrap();
            messages.extend(search.accept(event));
        }
        messages
    }

    /// The messages of a search that is begun with its job and 100 more.
    fn whole(job: u32) -> [SearchMessage<u32, u32, u32>; 2] {
        [SearchMessage::Report(job), SearchMessage::Ended { found: Some(job), context: 100 + job }]
    }

    #[test]
    fn searches_answer_once_each_in_order() {
        let mut search = echo();
        for job in 1..=3 {
            search.begin(job, 100 + job);
        }
        search.stop();
        search.stop();
        assert_eq!(messages(&mut search), [1, 2, 3].map(whole).concat());
        assert!(!search.owes_answer() && search.events().is_empty());
    }

    #[test]
    fn a_silent_search_says_nothing_and_the_next_does() {
        let mut search = echo();
        search.begin_silent(1);
        assert!(!search.owes_answer() && search.unfinished.len() == 1);
        search.begin(2, 102);
        search.stop();
        assert_eq!(messages(&mut search), whole(2));
    }

    #[test]
    fn a_search_that_panics_is_reported_and_the_next_runs() {
        let mut search = echo();
        search.begin(13, 113);
        search.begin(1, 101);
        search.stop();
        let failed =
            [SearchMessage::Report(13), SearchMessage::Ended { found: None, context: 113 }];
        assert_eq!(messages(&mut search), [failed, whole(1)].concat());
    }
}
