//! Limits the output caused by one server: a server that never stops sending must not fill the disk. All
//! times are arguments; the module reads no clock.

use std::time::{Duration, Instant};

/// The length of a window.
pub(super) const WINDOW: Duration = Duration::from_secs(60);

/// A number of bytes for each window. Further lines are dropped and counted.
#[derive(Debug)]
pub(super) struct LineQuota {
    bytes: usize,
    remaining: usize,
    began: Option<Instant>,
    dropped: u64,
}

impl LineQuota {
    pub(super) fn new(bytes: usize) -> LineQuota {
        LineQuota { bytes, remaining: 0, began: None, dropped: 0 }
    }

    /// Whether a line of this length may be written. If so, returns how many were dropped before it.
    pub(super) fn admit(&mut self, length: usize, now: Instant) -> Option<u64> {
        if self.began.is_none_or(|began| now >= began + WINDOW) {
            (self.began, self.remaining) = (Some(now), self.bytes);
        }
        if length > self.remaining {
            // Nothing more in this window, so that the output has one gap only.
            self.remaining = 0;
            self.dropped += 1;
            return None;
        }
        self.remaining -= length;
        Some(self.take_dropped_count())
    }

    /// The number of lines dropped since the last call.
    pub(super) fn take_dropped_count(&mut self) -> u64 {
        std::mem::take(&mut self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_quota_are_dropped_and_counted_until_the_next_window() {
        let (mut quota, start) = (LineQuota::new(10), Instant::now());
        assert_eq!(quota.admit(6, start), Some(0));
        assert_eq!(quota.admit(6, start), None);
        assert_eq!(quota.admit(1, start + WINDOW / 2), None, "one gap only");
        let next = start + WINDOW;
        assert_eq!(quota.admit(10, next), Some(2));
        assert_eq!(quota.admit(1, next), None);
        assert_eq!(quota.take_dropped_count(), 1);
        assert_eq!(quota.admit(1, next + WINDOW), Some(0));
    }
}
