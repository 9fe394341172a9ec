//! A progress bar with the time left.

use std::time::{Duration, Instant};

use kawasemi::record::format_duration;
use kawasemi::sys::{StatusLine, printable};

/// Characters of the bar.
const BAR: usize = 30;

/// A progress bar on standard error. Nothing is shown if that is not a terminal.
#[derive(Debug)]
pub struct ProgressBar {
    total: usize,
    done: usize,
    /// Of these, the ones that took time.
    worked: usize,
    start: Instant,
    status: StatusLine,
}

impl ProgressBar {
    /// A bar for this many steps.
    pub fn new(total: usize) -> ProgressBar {
        ProgressBar { total, done: 0, worked: 0, start: Instant::now(), status: StatusLine::new() }
    }

    /// A bar for work of which some steps were done earlier.
    pub fn resumed(total: usize, done: usize) -> ProgressBar {
        ProgressBar { done, ..ProgressBar::new(total) }
    }

    /// Counts a step, and whether it took time or was already done.
    pub fn advance(&mut self, took_time: bool) {
        self.done += 1;
        self.worked += usize::from(took_time);
    }

    /// Sets the number of steps done; new ones count as having taken time.
    pub fn reach(&mut self, done: usize) {
        self.worked += done.saturating_sub(self.done);
        self.done = done;
    }

    /// Shows the bar, followed by a remark.
    pub fn show(&self, remark: &str) {
        self.status.show(self.line(self.start.elapsed(), remark));
    }

    /// Erases the bar.
    pub fn clear(&self) {
        self.status.clear();
    }

    fn line(&self, elapsed: Duration, remark: &str) -> String {
        let full = (self.done * BAR / self.total.max(1)).min(BAR);
        let bar = "#".repeat(full) + &".".repeat(BAR - full);
        let mut line = format!("[{bar}] {}/{}", self.done, self.total);
        if self.worked > 0 {
            let rest = elapsed / self.worked as u32 * self.total.saturating_sub(self.done) as u32;
            line += &format!(", {} left", format_duration(rest));
        }
        if !remark.is_empty() {
            line += ", ";
            line += &printable(remark);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_reckoned_by_what_took_time() {
        let mut progress = ProgressBar::new(6);
        assert_eq!(progress.line(Duration::ZERO, ""), format!("[{}] 0/6", ".".repeat(BAR)));
        progress.advance(true);
        progress.advance(false);
        let line = progress.line(Duration::from_secs(20), "a\x1b.kif");
        let bar = "#".repeat(10) + &".".repeat(20);
        assert_eq!(line, format!("[{bar}] 2/6, 0:01:20 left, a?.kif"));
    }
}
