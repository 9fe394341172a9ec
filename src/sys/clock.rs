//! The monotonic clock, and seeds for random numbers. In a browser the clock of the standard library panics, so the
//! page gives the time.

use std::hash::{BuildHasher, RandomState};

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use self::page::Instant;

/// A seed that differs from call to call and from run to run. In a browser only the time of the call differs from
/// run to run.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

#[cfg(target_family = "wasm")]
mod page {
    use std::ops::{Add, AddAssign, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "kawasemi")]
    unsafe extern "C" {
        /// Milliseconds since the page was loaded, with fractions.
        safe fn now() -> f64;
    }

    /// As [`std::time::Instant`]: the time since the page was loaded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(Duration::from_secs_f64(now().max(0.0) / 1000.0))
        }

        /// Zero if `earlier` is later.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }

        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }

        pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_sub(duration).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0 + duration)
        }
    }

    impl AddAssign<Duration> for Instant {
        fn add_assign(&mut self, duration: Duration) {
            self.0 += duration;
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Instant;

        fn sub(self, duration: Duration) -> Instant {
            Instant(self.0.saturating_sub(duration))
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
