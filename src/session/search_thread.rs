//! Searches on a thread of their own, one after the other. Each gets exactly one answer, unless nobody
//! wants it.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam::channel::{Receiver, Sender, unbounded};

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
        let _ = self.events.send(SearchEvent(SearchNews::Report(report)));
    }
}

/// What the searches tell the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchNews<R, A> {
    Report(R),
    Answer(A),
    /// The search has ended without an answer, by a fault of the program. One is due all the same.
    Failed,
}

/// News that may be out of date: [`SearchThread::accept`] knows.
#[derive(Debug)]
pub struct SearchEvent<R, A>(SearchNews<R, A>);

/// The thread, and the searches that it has not finished. Searches wait for those before them, which have
/// been told to stop.
#[derive(Debug)]
pub struct SearchThread<J, R, A> {
    jobs: Sender<(J, Searching<R, A>)>,
    news: Sender<SearchEvent<R, A>>,
    events: Receiver<SearchEvent<R, A>>,
    unfinished: VecDeque<Unfinished>,
}

#[derive(Debug)]
struct Unfinished {
    stop: Arc<AtomicBool>,
    is_silent: bool,
}

impl<J: Send + 'static, R: Send + 'static, A: Send + 'static> SearchThread<J, R, A> {
    /// Starts the thread, which does `search` for each job.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn spawn(
        mut search: impl FnMut(J, &Searching<R, A>) -> A + Send + 'static,
    ) -> io::Result<SearchThread<J, R, A>> {
        let (jobs, incoming) = unbounded::<(J, Searching<R, A>)>();
        let (news, events) = unbounded();
        thread::Builder::new().name("search".into()).spawn(move || {
            for (job, searching) in incoming {
                let ended = catch_unwind(AssertUnwindSafe(|| search(job, &searching)));
                let news = ended.map_or(SearchNews::Failed, SearchNews::Answer);
                let _ = searching.events.send(SearchEvent(news));
            }
        })?;
        Ok(SearchThread { jobs, news, events, unfinished: VecDeque::new() })
    }

    /// Stops the search before, and begins this one when that has answered.
    pub fn begin(&mut self, job: J) {
        self.queue(job, false);
    }

    /// As [`begin`](SearchThread::begin), but nobody hears anything of it: a search in the time of the
    /// opponent, for its memory.
    pub fn begin_silently(&mut self, job: J) {
        self.queue(job, true);
    }

    fn queue(&mut self, job: J, is_silent: bool) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        let searching = Searching { stop: stop.clone(), events: self.news.clone() };
        self.unfinished.push_back(Unfinished { stop, is_silent });
        // The thread catches every panic, so it listens.
        let _ = self.jobs.send((job, searching));
    }

    /// Tells the last search to answer. All before it have been told already.
    pub fn stop(&self) {
        if let Some(last) = self.unfinished.back() {
            last.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an answer will come.
    pub fn is_awaited(&self) -> bool {
        self.unfinished.iter().any(|search| !search.is_silent)
    }

    /// How many searches have not ended.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// What [`accept`](SearchThread::accept) takes.
    pub fn events(&self) -> &Receiver<SearchEvent<R, A>> {
        &self.events
    }

    /// The news of an event; `None` if its search is silent.
    pub fn accept(&mut self, SearchEvent(news): SearchEvent<R, A>) -> Option<SearchNews<R, A>> {
        // One thread sends everything, so the events are those of the first search.
        let first = self.unfinished.front()?;
        let is_wanted = !first.is_silent;
        if !matches!(news, SearchNews::Report(_)) {
            self.unfinished.pop_front();
        }
        is_wanted.then_some(news)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Reports its job, waits until it is stopped, and answers with its job.
    fn echo() -> SearchThread<u32, u32, u32> {
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
    fn news(search: &mut SearchThread<u32, u32, u32>) -> Vec<SearchNews<u32, u32>> {
        let mut news = Vec::new();
        while search.unfinished() > 0 {
            let event = search.events().recv_timeout(Duration::from_secs(10)).unwrap();
            news.extend(search.accept(event));
        }
        news
    }

    #[test]
    fn each_search_answers_once_and_in_its_turn() {
        let mut search = echo();
        for job in 1..=3 {
            search.begin(job);
        }
        search.stop();
        search.stop();
        let each = |job| [SearchNews::Report(job), SearchNews::Answer(job)];
        assert_eq!(news(&mut search), [1, 2, 3].map(each).concat());
        assert!(!search.is_awaited() && search.events().is_empty());
    }

    #[test]
    fn a_silent_search_says_nothing_and_the_next_does() {
        let mut search = echo();
        search.begin_silently(1);
        assert!(!search.is_awaited() && search.unfinished() == 1);
        search.begin(2);
        search.stop();
        assert_eq!(news(&mut search), [SearchNews::Report(2), SearchNews::Answer(2)]);
    }

    #[test]
    fn a_search_that_panics_is_reported_and_the_next_runs() {
        let mut search = echo();
        search.begin(13);
        search.begin(1);
        search.stop();
        let expected = [
            SearchNews::Report(13),
            SearchNews::Failed,
            SearchNews::Report(1),
            SearchNews::Answer(1),
        ];
        assert_eq!(news(&mut search), expected);
    }
}
