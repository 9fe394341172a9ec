//! A progress bar with the time left.

use std::time::{Duration, Instant};

use kawasemi::record::format_duration;
use kawasemi::sys::StatusLine;
use kawasemi::types::language::Language;
use kawasemi::types::message::message;
use kawasemi::types::printable;

use super::columns::truncate;
use super::language::system_language;
use super::terminal::error_columns;

/// The longest and the shortest bar, in columns.
const MAX_BAR_WIDTH: usize = 30;
const MIN_BAR_WIDTH: usize = 8;
/// The width of the numbers and the time next to the bar, in columns.
const NUMBERS_WIDTH: usize = 32;
/// The width of a terminal that does not report it, in columns.
const DEFAULT_COLUMNS: usize = 80;

/// A progress bar on standard error. Nothing is shown if that is not a terminal.
#[derive(Debug)]
pub struct ProgressBar {
    total: usize,
    done: usize,
    /// The number of those steps that took time.
    worked: usize,
    start: Instant,
    status: StatusLine,
    language: Language,
    columns: usize,
}

impl ProgressBar {
    /// A bar for this many steps.
    pub fn new(total: usize) -> ProgressBar {
        ProgressBar {
            total,
            done: 0,
            worked: 0,
            start: Instant::now(),
            status: StatusLine::new(),
            language: system_language(),
            columns: error_columns().unwrap_or(DEFAULT_COLUMNS),
        }
    }

    /// The bar in this language instead of that of the system.
    pub fn in_language(self, language: Language) -> ProgressBar {
        ProgressBar { language, ..self }
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

    pub(super) fn line(&self, elapsed: Duration, remark: &str) -> String {
        let length = self.columns.saturating_sub(NUMBERS_WIDTH).clamp(MIN_BAR_WIDTH, MAX_BAR_WIDTH);
        let full = (self.done * length / self.total.max(1)).min(length);
        let bar = "#".repeat(full) + &".".repeat(length - full);
        let mut line = format!("[{bar}] {}/{}", self.done, self.total);
        if self.worked > 0 {
            let count = |steps: usize| u32::try_from(steps).unwrap_or(u32::MAX);
            let rest = count(self.total.saturating_sub(self.done));
            let rest = format_duration((elapsed / count(self.worked)).saturating_mul(rest));
            line += message!(", {rest} left", " 残り{rest}").of(self.language);
        }
        if !remark.is_empty() {
            line += ", ";
            line += &printable(remark);
        }
        // A line that wraps into the next row could not be erased.
        truncate(&line, self.columns.saturating_sub(1)).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::columns::width;

    #[test]
    fn the_remaining_time_is_estimated_from_steps_that_took_time() {
        let english =
            ProgressBar { language: Language::English, columns: 80, ..ProgressBar::new(6) };
        let mut progress = english;
        assert_eq!(
            progress.line(Duration::ZERO, ""),
            format!("[{}] 0/6", ".".repeat(MAX_BAR_WIDTH))
        );
        progress.advance(true);
        progress.advance(false);
        let line = progress.line(Duration::from_secs(20), "a\x1b.kif");
        let bar = "#".repeat(10) + &".".repeat(20);
        assert_eq!(line, format!("[{bar}] 2/6, 0:01:20 left, a?.kif"));
    }

    /// Regression: the number of steps left was cut to 32 bits.
    #[test]
    fn more_steps_than_32_bits_hold_have_no_short_time_left() {
        let language = Language::English;
        let mut progress = ProgressBar { language, columns: 80, ..ProgressBar::new((1 << 32) + 1) };
        progress.advance(true);
        let line = progress.line(Duration::from_secs(3600), "");
        assert!(line.contains(", 4294967295:00:00 left"), "{line}");
    }

    #[test]
    fn the_bar_fits_a_terminal_of_40_columns() {
        for language in Language::ALL {
            let mut progress = ProgressBar { language, columns: 40, ..ProgressBar::new(1234) };
            (0..617).for_each(|_| progress.advance(true));
            let line = progress.line(Duration::from_secs(4000), "藤井・羽生.kif");
            assert!(width(&line) < 40, "{line}");
            assert!(line.starts_with("[####....] 617/1234") && line.contains("1:06:"), "{line}");
        }
    }
}
