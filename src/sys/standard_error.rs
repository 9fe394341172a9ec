//! Standard error, without the panic of `eprint!`: a closed terminal or a full disk must not cost the
//! results of a long run.

use std::fmt::Display;
use std::io::{self, Write};

use super::ansi::enable_ansi_escapes;

/// Moves the cursor to the first column and erases the line.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Writes to standard error, and ignores errors.
pub fn write_stderr(text: impl Display) {
    let _ = write!(io::stderr(), "{text}");
}

/// A status line on standard error that is overwritten again and again. Nothing is shown if standard
/// error is not a terminal, or a console that cannot erase a line.
#[derive(Debug)]
pub struct StatusLine {
    is_shown: bool,
}

impl Default for StatusLine {
    fn default() -> StatusLine {
        StatusLine::new()
    }
}

impl StatusLine {
    pub fn new() -> StatusLine {
        StatusLine { is_shown: enable_ansi_escapes(&io::stderr()) }
    }

    /// Whether the line is shown at all.
    pub fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Replaces what is shown.
    pub fn show(&self, line: impl Display) {
        if self.is_shown {
            write_stderr(format_args!("{CLEAR_LINE}{line}"));
        }
    }

    /// Erases the line.
    pub fn clear(&self) {
        self.show("");
    }
}
