//! What the engine needs of whatever searches for it.

use std::time::Instant;

use crate::mate;
use crate::nnue::Network;
use crate::search::request::{Clock, Request};

/// A searcher: the pool of workers with the mate solver beside it, or a script in a test.
///
/// [`SearchBackend::go`], [`SearchBackend::stop`] and [`SearchBackend::ponder_hit`] return at once. After each
/// `go`, exactly one `Report::Done` of its generation follows as its last event (but that a worker has
/// died may be told later), whatever happens:
/// by a limit, after a stop (also one that comes before the search has really begun), and if a
/// worker dies. It may come early while pondering or infinite; holding it back is not the
/// searcher's duty. When it has come, the next call may follow at once.
pub trait SearchBackend: Send + 'static {
    /// Only while idle; may take long. On an error there is still at least one thread.
    fn resize_threads(&mut self, threads: usize) -> Result<(), String>;

    /// Only while idle; may take long. Says so if the table has become smaller than asked.
    fn resize_hash(&mut self, mebibytes: usize) -> Option<String>;

    /// Sets what evaluates positions, at first the built-in network, and forgets everything learnt,
    /// since it was learnt with another evaluation. Only while idle; may take long.
    fn set_network(&mut self, network: Network);

    /// Forgets everything learnt. Only while idle; may take long.
    fn clear(&mut self);

    /// Begins a search. Only while idle.
    fn go(&mut self, generation: u64, request: Request);

    /// Begins a search for a mate. Only while idle. Who knows nothing better searches as ever.
    fn go_mate(&mut self, generation: u64, request: Request, settings: mate::SolverSettings) {
        let _ = settings;
        self.go(generation, request);
    }

    /// Ends the search that runs. Has no effect on later ones.
    fn stop(&self);

    /// The search that ponders goes on by the clock: this one, or else that of its request, either
    /// counted from `received`.
    fn ponder_hit(&self, clock: Option<Clock>, received: Instant);
}
