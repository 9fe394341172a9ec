//! A bar on the terminal of whoever waits, for the commands of the program that take long.

use std::time::{Duration, Instant};

use kawasemi::record::format_duration;
use kawasemi::sys::StatusLine;

/// Characters of the bar.
const BAR: usize = 30;

/// See the module's comment. Nothing is shown where the error output is no terminal.
#[derive(Debug)]
pub struct Progress {
    all: usize,
    done: usize,
    /// Of these, what has taken time.
    worked: usize,
    start: Instant,
    status: StatusLine,
}

impl Progress {
    /// Nothing done of so many pieces of work.
    pub fn new(all: usize) -> Progress {
        Progress { all, done: 0, worked: 0, start: Instant::now(), status: StatusLine::new() }
    }

    /// The same where some is done from before.
    pub fn resumed(all: usize, done: usize) -> Progress {
        Progress { done, ..Progress::new(all) }
    }

    /// Notes a piece of work, and whether it took time or was done already.
    pub fn advance(&mut self, took_time: bool) {
        self.done += 1;
        self.worked += usize::from(took_time);
    }

    /// Notes how much is done in all; what is new has taken time.
    pub fn reach(&mut self, done: usize) {
        self.worked += done.saturating_sub(self.done);
        self.done = done;
    }

    /// Shows the bar, with a remark behind it.
    pub fn show(&self, remark: &str) {
        self.status.show(self.line(self.start.elapsed(), remark));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.status.clear();
    }

    fn line(&self, elapsed: Duration, remark: &str) -> String {
        let full = (self.done * BAR / self.all.max(1)).min(BAR);
        let bar = "#".repeat(full) + &".".repeat(BAR - full);
        let mut line = format!("[{bar}] {}/{}", self.done, self.all);
        if self.worked > 0 {
            let rest = elapsed / self.worked as u32 * self.all.saturating_sub(self.done) as u32;
            line += &format!(", {} left", format_duration(rest));
        }
        if !remark.is_empty() {
            line += ", ";
            line += remark;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_reckoned_by_what_took_time() {
        let mut progress = Progress::new(6);
        assert_eq!(progress.line(Duration::ZERO, ""), format!("[{}] 0/6", ".".repeat(BAR)));
        progress.advance(true);
        progress.advance(false);
        let line = progress.line(Duration::from_secs(20), "a.kif");
        let bar = "#".repeat(10) + &".".repeat(20);
        assert_eq!(line, format!("[{bar}] 2/6, 0:01:20 left, a.kif"));
    }
}
