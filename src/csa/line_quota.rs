//! Limits the output caused by one server: a server that never stops sending must not fill the disk. All
//! times are arguments; the module reads no clock.

use std::time::{Duration, Instant};

/// The length of a window.
pub(super) const WINDOW: Duration = Duration::from_secs(60);

/// A number of bytes for each window. Further lines are left out and counted.
#[derive(Debug)]
pub(super) struct LineQuota {
    bytes: usize,
    left: usize,
    began: Option<Instant>,
    left_out: u64,
}

impl LineQuota {
    pub(super) fn new(bytes: usize) -> LineQuota {
        LineQuota { bytes, left: 0, began: None, left_out: 0 }
    }

    /// Whether a line of this length may be written. If so, returns how many were left out before it.
    pub(super) fn admit(&mut self, length: usize, now: Instant) -> Option<u64> {
        if self.began.is_none_or(|began| now >= began + WINDOW) {
            (self.began, self.left) = (Some(now), self.bytes);
        }
        if length > self.left {
            // Nothing more in this window, so that the output has one gap only.
            self.left = 0;
            self.left_out += 1;
            return None;
        }
        self.left -= length;
        Some(self.take_dropped_count())
    }

    /// The number of lines dropped since the last call.
    pub(super) fn take_dropped_count(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_quota_are_left_out_and_counted_until_the_next_window() {
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
