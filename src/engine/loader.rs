//! The thread that loads networks and books, and resizes and clears the search.
//!
//! The thread owns the backend while it works, so nothing can search with it meanwhile, and nothing
//! has to wait. The thread is created at startup: in the middle of a game the system may refuse
//! one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam::channel::{Receiver, unbounded};

use super::books::Books;
use super::file_lookup::FileLookup;
use super::load_manager::{LoadMessage, LoadRequest, Loaded};
use super::network_in_use::NetworkInUse;
use super::search_backend::SearchBackend;
use super::settings::{thread_count_warning, useful_threads};
use crate::sys::{self, MessageThread};

/// A job for the loader thread: everything in which a backend differs from the settings (`None`: nothing),
/// and whether to clear it.
#[derive(Debug)]
pub(super) struct LoadJob<B> {
    pub(super) backend: B,
    pub(super) network: Option<LoadRequest<NetworkInUse>>,
    pub(super) books: Option<LoadRequest<Books>>,
    pub(super) threads: Option<usize>,
    pub(super) hash_mib: Option<usize>,
    /// Whether the table becomes smaller.
    pub(super) hash_shrinks: bool,
    /// Whether to clear the transposition table and the histories.
    pub(super) clear: bool,
}

/// A backend that comes back from the loader, with messages for the user.
#[derive(Debug)]
pub struct LoadResult<B> {
    pub(super) backend: B,
    pub(super) network: Option<Loaded<NetworkInUse>>,
    pub(super) books: Option<Loaded<Books>>,
    pub(super) messages: Vec<LoadMessage>,
}

#[derive(Debug)]
enum LoaderCommand<B> {
    Load(Box<LoadJob<B>>),
    Drop(B),
}

/// Sends [`LoadJob`]s to the loader thread, and receives the backends back from it.
#[derive(Debug)]
pub(super) struct Loader<B> {
    thread: MessageThread<LoaderCommand<B>>,
    results: Receiver<LoadResult<B>>,
}

impl<B: SearchBackend> Loader<B> {
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn spawn() -> io::Result<Loader<B>> {
        let (sender, results) = unbounded();
        let thread = MessageThread::spawn("loader", move |command| match command {
            // Nobody waits for the result if the engine is gone.
            LoaderCommand::Load(job) => _ = sender.send(LoadJob::run(*job)),
            LoaderCommand::Drop(backend) => drop(backend),
        })?;
        Ok(Loader { thread, results })
    }

    pub(super) fn load(&self, job: LoadJob<B>) {
        self.thread.send(LoaderCommand::Load(Box::new(job)));
    }

    /// Drops the backend on the thread, since that may take long.
    pub(super) fn drop_backend(&self, backend: B) {
        self.thread.send(LoaderCommand::Drop(backend));
    }

    pub(super) fn results(&self) -> &Receiver<LoadResult<B>> {
        &self.results
    }
}

impl<B: SearchBackend> LoadJob<B> {
    fn run(mut self) -> LoadResult<B> {
        let mut messages = Vec::new();
        let (mut network, mut books) = (None, None);
        let work = AssertUnwindSafe(|| {
            network = self.prepare_backend(&mut messages);
            books = self.books.take().map(|books| books.run(FileLookup::new(), &mut messages));
        });
        if catch_unwind(work).is_err() {
            let error = "a preparation failed; continuing with what is loaded";
            messages.push(LoadMessage::Error(error.into()));
        }
        LoadResult { backend: self.backend, network, books, messages }
    }

    /// A table that shrinks comes first, because it frees memory. Then comes the network, because without
    /// memory for it there is no evaluation, and without memory for the table only a smaller one. Threads come
    /// before a table that grows, which they help to clear.
    fn prepare_backend(&mut self, messages: &mut Vec<LoadMessage>) -> Option<Loaded<NetworkInUse>> {
        if self.hash_shrinks {
            self.resize_hash(messages);
        }
        let request = self.network.take();
        let before = request.as_ref().map(|request| request.current.network.clone());
        let loaded = request.map(|request| request.run(FileLookup::new(), messages));
        if let Some(threads) = self.threads {
            let processors = sys::processors();
            messages.extend(thread_count_warning(threads, processors).map(LoadMessage::Note));
            let useful = useful_threads(threads, processors);
            messages.extend(self.backend.resize_threads(useful).err().map(LoadMessage::Note));
        }
        self.resize_hash(messages);
        let network = loaded.as_ref().map(|loaded| &loaded.resource.network);
        match network.filter(|&network| Some(network) != before.as_ref()) {
            // This clears too.
            Some(network) => self.backend.set_network(network.clone()),
            None if self.clear => self.backend.clear(),
            None => {}
        }
        loaded
    }

    /// Resizes the table, unless that is not wanted or done already.
    fn resize_hash(&mut self, messages: &mut Vec<LoadMessage>) {
        if let Some(hash_mib) = self.hash_mib.take() {
            messages.extend(self.backend.resize_hash(hash_mib).map(LoadMessage::Note));
        }
    }
}
