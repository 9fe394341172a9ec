//! The thread on which a searcher is resized and cleared, its network loaded, and books opened.
//!
//! The searcher is handed over and comes back, so nobody can search with it meanwhile, and nobody
//! has to wait. The thread exists from the start: in the middle of a game the system may refuse one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::SearchBackend;
use super::books;
use super::eval::{Delivery, Order as EvalOrder};

/// What is to be done with a searcher.
#[derive(Debug)]
pub(super) struct Job<S> {
    pub(super) searcher: S,
    pub(super) eval: Option<EvalOrder>,
    pub(super) books: Option<books::Order>,
    pub(super) threads: Option<usize>,
    pub(super) hash_mb: Option<usize>,
    pub(super) forget: bool,
}

/// A searcher as it comes back, and what the user should know.
#[derive(Debug)]
pub struct LoadResult<S> {
    pub(super) searcher: S,
    /// What came of loading a network, if that was asked for.
    pub(super) eval: Option<Delivery>,
    /// What came of opening books, if that was asked for.
    pub(super) books: Option<books::Delivery>,
    pub(super) messages: Vec<String>,
}

#[derive(Debug)]
enum Order<S> {
    Prepare(Box<Job<S>>),
    Discard(S),
}

#[derive(Debug)]
pub(super) struct Workshop<S> {
    orders: Sender<Order<S>>,
    finished: Receiver<LoadResult<S>>,
}

impl<S: SearchBackend> Workshop<S> {
    pub(super) fn open() -> io::Result<Workshop<S>> {
        let (orders, incoming) = unbounded();
        let (outgoing, finished) = unbounded();
        thread::Builder::new().name("workshop".into()).spawn(move || {
            for order in incoming {
                match order {
                    // Nobody waits for it if the engine has gone meanwhile.
                    Order::Prepare(job) => _ = outgoing.send(job.run()),
                    Order::Discard(searcher) => drop(searcher),
                }
            }
        })?;
        Ok(Workshop { orders, finished })
    }

    pub(super) fn begin(&self, job: Job<S>) {
        self.order(Order::Prepare(Box::new(job)));
    }

    /// Drops the searcher, which may take its time.
    pub(super) fn discard(&self, searcher: S) {
        self.order(Order::Discard(searcher));
    }

    pub(super) fn finished(&self) -> &Receiver<LoadResult<S>> {
        &self.finished
    }

    fn order(&self, order: Order<S>) {
        // The thread ends only after the sender is gone, so this cannot fail.
        let sent = self.orders.send(order);
        debug_assert!(sent.is_ok());
    }
}

impl<S: SearchBackend> Job<S> {
    fn run(mut self) -> LoadResult<S> {
        let mut messages = Vec::new();
        let (mut eval, mut books) = (None, None);
        let work = AssertUnwindSafe(|| {
            self.work(&mut eval, &mut messages);
            books = self.books.take().map(|order| order.carry_out(&mut messages));
        });
        if catch_unwind(work).is_err() {
            messages.push("error: a preparation failed; going on with what there is".into());
        }
        LoadResult { searcher: self.searcher, eval, books, messages }
    }

    /// The network first, since without memory for it there is none, but a smaller table; and
    /// threads before the table, which they help to clear.
    fn work(&mut self, eval: &mut Option<Delivery>, messages: &mut Vec<String>) {
        let delivery = self.eval.take().map(|order| order.carry_out(messages));
        if let Some(threads) = self.threads {
            messages.extend(self.searcher.resize_threads(threads).err());
        }
        if let Some(hash_mb) = self.hash_mb {
            messages.extend(self.searcher.resize_hash(hash_mb));
        }
        let changed = delivery.as_ref().filter(|delivery| delivery.changed);
        if let Some(delivery) = changed {
            // Forgets everything too.
            self.searcher.set_network(delivery.network().clone());
        } else if self.forget {
            self.searcher.clear();
        }
        *eval = delivery;
    }
}
