//! The interface between the engine and its search.

use crate::mate;
use crate::nnue::Network;
use crate::search::request::{Clock, KeyedEntry, Request};
use crate::sys::Instant;

/// The search of the engine: the thread pool with the mate solver, or a script in a test.
///
/// [`SearchBackend::go`], [`SearchBackend::stop`] and [`SearchBackend::ponder_hit`] return at once.
/// After each `go`, exactly one `Report::Done` of its id follows, whether the search ends by a limit, by
/// a stop (even one that comes before the search has begun), or because a thread panics. Other reports of
/// that id may still come after it; the caller ignores them. `Done` may come while pondering or in an
/// infinite search: the engine's driver holds it back. After it the next call may follow at once.
pub trait SearchBackend: Send + 'static {
    /// Only while idle; may take long. After an error there is still at least one thread.
    fn resize_threads(&mut self, threads: usize) -> Result<(), String>;

    /// Only while idle; may take long. Returns a message if the table is smaller than asked for.
    fn resize_hash(&mut self, hash_mib: usize) -> Option<String>;

    /// Sets the network, at first the built-in one, and clears everything learned, which depends on
    /// the evaluation. Only while idle; may take long.
    fn set_network(&mut self, network: Network);

    /// Clears the transposition table and the histories. Only while idle; may take long.
    fn clear(&mut self);

    /// Begins a search. Only while idle.
    fn go(&mut self, search_id: u64, request: Request);

    /// Begins a search for a mate. Only while idle. A backend without a mate solver searches for a
    /// move.
    fn go_mate(&mut self, search_id: u64, request: Request, settings: mate::SolverSettings) {
        let _ = settings;
        self.go(search_id, request);
    }

    /// Stops the running search. No effect on later ones.
    fn stop(&self);

    /// The opponent has played the expected move. The search continues with this clock, or else with that of
    /// its request; either counts from `received`.
    fn ponder_hit(&self, clock: Option<Clock>, received: Instant);

    /// Stores entries of other engines that search together with this one, during a search or between two.
    /// A backend that always searches alone ignores them.
    fn insert_entries(&self, entries: &[KeyedEntry]) {
        let _ = entries;
    }
}
