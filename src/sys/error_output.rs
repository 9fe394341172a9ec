//! The error output. Perhaps nobody can read it any more, as the terminal is closed or the disk of a
//! log is full; what a program has worked for must not be lost with it, as it is where `eprint!`
//! panics.

use std::fmt::Display;
use std::io::{self, Write};

use super::enable_escapes;

/// Has a terminal go back to the first column, and empty the line from there on.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Writes this to the error output, if that still goes anywhere.
pub fn write_error(text: impl Display) {
    // There is nobody left to be told of an error.
    let _ = write!(io::stderr(), "{text}");
}

/// A line on the error output that is written over again and again. Where that is no terminal, or
/// a console that cannot erase a line, nothing is shown.
#[derive(Debug)]
pub struct StatusLine {
    is_seen: bool,
}

impl Default for StatusLine {
    fn default() -> StatusLine {
        StatusLine::new()
    }
}

impl StatusLine {
    pub fn new() -> StatusLine {
        StatusLine { is_seen: enable_escapes(&io::stderr()) }
    }

    /// Whether there is a terminal to show it on.
    pub fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// Puts this in the place of what is shown.
    pub fn show(&self, line: impl Display) {
        if self.is_seen {
            write_error(format_args!("{CLEAR_LINE}{line}"));
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.show("");
    }
}
