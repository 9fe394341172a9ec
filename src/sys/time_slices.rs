//! Time slices, for searches without threads: in a browser a search shares the only thread with the page,
//! and yields to it every few milliseconds.
//!
//! A search calls [`pause_if_due`] periodically. With threads that does nothing. In WebAssembly it calls
//! the page, which lets the search go on or suspends it: the build rewrites the functions between the start
//! of a search and these calls, so that they can be left and entered again (Binaryen's Asyncify).

#[cfg(not(target_family = "wasm"))]
pub use self::threads::{pause_if_due, sleep};

#[cfg(target_family = "wasm")]
pub use self::page::{pause_if_due, sleep};

#[cfg(not(target_family = "wasm"))]
mod threads {
    use std::time::Duration;

    /// Does nothing, because other threads do the other work.
    #[inline(always)]
    pub fn pause_if_due() {}

    /// Waits. In a browser the search is suspended meanwhile.
    pub fn sleep(time: Duration) {
        std::thread::sleep(time);
    }
}

#[cfg(target_family = "wasm")]
mod page {
    use std::time::Duration;

    use crate::sys::Instant;

    #[link(wasm_import_module = "kawasemi")]
    unsafe extern "C" {
        /// Suspends the search if its slice of time is over.
        safe fn pause();
        /// Suspends the search until the next slice.
        safe fn wait();
    }

    /// Gives control back to the page if the slice of time is over.
    #[inline(always)]
    pub fn pause_if_due() {
        pause();
    }

    /// Waits for at least this time; the search is suspended meanwhile.
    #[inline(always)]
    pub fn sleep(time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            wait();
        }
    }
}
