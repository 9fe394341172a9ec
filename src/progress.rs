//! A bar on the terminal of whoever waits for a command of the program.

use std::io::{self, IsTerminal};

/// Characters of the bar.
const BAR: usize = 30;
/// Characters of a line that are made blank.
const LINE: usize = 79;

/// Shows how much is done, and a few words more.
pub fn show(done: usize, all: usize, more: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    let full = (done * BAR / all.max(1)).min(BAR);
    let (full, rest) = ("#".repeat(full), ".".repeat(BAR - full));
    let text = format!("[{full}{rest}] {done}/{all}, {more}");
    eprint!("\r{text:<LINE$}");
}

/// Takes the bar away.
pub fn clear() {
    if io::stderr().is_terminal() {
        eprint!("\r{:LINE$}\r", "");
    }
}
