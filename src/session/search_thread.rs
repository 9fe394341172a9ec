//! Searches on a thread of their own, one after the other. Each gets exactly one answer, unless nobody
//! wants it.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam::channel::{Receiver, Sender, unbounded};

/// With more searches than this that have been told to stop, further lines wait.
const MAX_UNFINISHED: usize = 64;

/// A search as its own thread sees it.
#[derive(Debug)]
pub struct Searching<R, A> {
    stop: Arc<AtomicBool>,
    events: Sender<SearchEvent<R, A>>,
}

impl<R, A> Searching<R, A> {
    /// Whether the search has to end and answer now.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a report to the session.
    pub fn report(&self, report: R) {
        // Fails only if the session has ended.
        let _ = self.events.send(SearchEvent(ThreadNews::Report(report)));
    }
}

/// What the searches tell the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchNews<R, A, D> {
    Report(R),
    /// The search has ended, and its answer is due. `found` is `None` if it failed by a fault of the program.
    Ended {
        found: Option<A>,
        due: D,
    },
}

/// News that may be of a silent search: [`SearchThread::accept`] knows.
#[derive(Debug)]
pub struct SearchEvent<R, A>(ThreadNews<R, A>);

#[derive(Debug)]
enum ThreadNews<R, A> {
    Report(R),
    Ended(Option<A>),
}

/// The thread, and the searches that it has not finished. Searches wait for those before them, which have
/// been told to stop. `D` is what the session has to know about an answer that is due.
#[derive(Debug)]
pub struct SearchThread<J, R, A, D> {
    jobs: Sender<(J, Searching<R, A>)>,
    events_sender: Sender<SearchEvent<R, A>>,
    events: Receiver<SearchEvent<R, A>>,
    unfinished: VecDeque<Unfinished<D>>,
}

#[derive(Debug)]
struct Unfinished<D> {
    stop: Arc<AtomicBool>,
    /// `None` for a silent search.
    due: Option<D>,
}

impl<J: Send + 'static, R: Send + 'static, A: Send + 'static, D> SearchThread<J, R, A, D> {
    /// Starts the thread, which does `search` for each job.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn spawn(
        mut search: impl FnMut(J, &Searching<R, A>) -> A + Send + 'static,
    ) -> io::Result<SearchThread<J, R, A, D>> {
        let (jobs, incoming) = unbounded::<(J, Searching<R, A>)>();
        let (events_sender, events) = unbounded();
        thread::Builder::new().name("search".into()).spawn(move || {
            for (job, searching) in incoming {
                let found = catch_unwind(AssertUnwindSafe(|| search(job, &searching))).ok();
                let _ = searching.events.send(SearchEvent(ThreadNews::Ended(found)));
            }
        })?;
        Ok(SearchThread { jobs, events_sender, events, unfinished: VecDeque::new() })
    }

    /// Stops the search before, and begins this one when that has answered.
    pub fn begin(&mut self, job: J, due: D) {
        self.queue(job, Some(due));
    }

    /// As [`begin`](SearchThread::begin), but nobody hears anything of it: a search in the time of the
    /// opponent, for its memory.
    pub fn begin_silently(&mut self, job: J) {
        self.queue(job, None);
    }

    fn queue(&mut self, job: J, due: Option<D>) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        let searching = Searching { stop: stop.clone(), events: self.events_sender.clone() };
        self.unfinished.push_back(Unfinished { stop, due });
        // The thread catches every panic, so it listens.
        let _ = self.jobs.send((job, searching));
    }

    /// Tells the last search to answer. All before it have been told already.
    pub fn stop(&self) {
        if let Some(last) = self.unfinished.back() {
            last.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an answer is due.
    pub fn is_awaited(&self) -> bool {
        self.unfinished.iter().any(|search| search.due.is_some())
    }

    /// Whether so many searches are unfinished that further lines have to wait.
    pub fn is_full(&self) -> bool {
        self.unfinished.len() > MAX_UNFINISHED
    }

    /// What [`accept`](SearchThread::accept) takes.
    pub fn events(&self) -> &Receiver<SearchEvent<R, A>> {
        &self.events
    }

    /// The news of an event; `None` if its search is silent.
    pub fn accept(&mut self, SearchEvent(news): SearchEvent<R, A>) -> Option<SearchNews<R, A, D>> {
        // One thread sends everything, so the events are those of the first search.
        match news {
            ThreadNews::Report(report) => {
                self.unfinished.front()?.due.as_ref()?;
                Some(SearchNews::Report(report))
            }
            ThreadNews::Ended(found) => {
                let due = self.unfinished.pop_front()?.due?;
                Some(SearchNews::Ended { found, due })
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
        SearchThread::spawn(|job, searching: &Searching<u32, u32>| {
            searching.report(job);
            assert_ne!(job, 13);
            while !searching.is_stopped() {
                thread::yield_now();
            }
            job
        })
        .unwrap()
    }

    /// All news until the last search has ended.
    fn news(search: &mut SearchThread<u32, u32, u32, u32>) -> Vec<SearchNews<u32, u32, u32>> {
        let mut news = Vec::new();
        while !search.unfinished.is_empty() {
            let event = search.events().recv_timeout(Duration::from_secs(10)).unwrap();
            news.extend(search.accept(event));
        }
        news
    }

    /// The news of a search that is begun with its job and 100 more.
    fn whole(job: u32) -> [SearchNews<u32, u32, u32>; 2] {
        [SearchNews::Report(job), SearchNews::Ended { found: Some(job), due: 100 + job }]
    }

    #[test]
    fn each_search_answers_once_and_in_its_turn() {
        let mut search = echo();
        for job in 1..=3 {
            search.begin(job, 100 + job);
        }
        search.stop();
        search.stop();
        assert_eq!(news(&mut search), [1, 2, 3].map(whole).concat());
        assert!(!search.is_awaited() && search.events().is_empty());
    }

    #[test]
    fn a_silent_search_says_nothing_and_the_next_does() {
        let mut search = echo();
        search.begin_silently(1);
        assert!(!search.is_awaited() && search.unfinished.len() == 1);
        search.begin(2, 102);
        search.stop();
        assert_eq!(news(&mut search), whole(2));
    }

    #[test]
    fn a_search_that_panics_is_reported_and_the_next_runs() {
        let mut search = echo();
        search.begin(13, 113);
        search.begin(1, 101);
        search.stop();
        let failed = [SearchNews::Report(13), SearchNews::Ended { found: None, due: 113 }];
        assert_eq!(news(&mut search), [failed, whole(1)].concat());
    }
}
