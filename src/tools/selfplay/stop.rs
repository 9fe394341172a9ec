//! How a run is stopped: by its user, in two steps, or because it is complete.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Stops a run from any thread, a signal handler included.
#[derive(Debug, Default)]
pub struct StopSignal(AtomicU8);

impl StopSignal {
    pub const fn new() -> StopSignal {
        StopSignal(AtomicU8::new(0))
    }

    /// The first call: no new game begins. The second: games in progress are abandoned.
    pub fn raise(&self) {
        // More calls have no effect.
        let _ = self.0.fetch_update(Relaxed, Relaxed, |calls| (calls < 2).then_some(calls + 1));
    }
}

/// Whether the threads of a run have to stop.
#[derive(Debug)]
pub struct StopState<'a> {
    signal: &'a StopSignal,
    /// The run is complete or has failed.
    is_over: AtomicBool,
}

impl StopState<'_> {
    pub(in crate::tools) const fn new(signal: &StopSignal) -> StopState<'_> {
        StopState { signal, is_over: AtomicBool::new(false) }
    }

    pub(super) fn set_over(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Whether no new game may begin.
    pub(super) fn must_finish(&self) -> bool {
        self.must_abandon() || self.signal.0.load(Relaxed) > 0
    }

    /// Whether games in progress are of no use any more.
    pub(in crate::tools) fn must_abandon(&self) -> bool {
        self.is_over.load(Relaxed) || self.signal.0.load(Relaxed) > 1
    }
}
