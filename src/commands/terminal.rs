//! The capabilities of the terminal: its width, and colours.

use std::env;
use std::ffi::OsStr;
use std::io;

use kawasemi::sys::enable_ansi_escapes;
use terminal_size::{Width, terminal_size_of};

/// Columns of the terminal that shows standard output; `None` if that is not a terminal.
pub fn output_columns() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into())
}

/// Columns of the terminal that shows standard error.
pub fn error_columns() -> Option<usize> {
    terminal_size_of(io::stderr()).map(|(Width(columns), _)| columns.into())
}

/// Whether standard output shows colours, and the user wants them.
pub fn shows_colours() -> bool {
    wants_colours(env::var_os("NO_COLOR").as_deref(), env::var_os("TERM").as_deref())
        && enable_ansi_escapes(&io::stdout())
}

/// Any text in NO_COLOR disables colours (no-color.org).
fn wants_colours(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_and_a_dumb_terminal_forbid_colours() {
        let wants = |no_color: Option<&str>, term: Option<&str>| {
            wants_colours(no_color.map(OsStr::new), term.map(OsStr::new))
        };
        assert!(wants(None, None) && wants(Some(""), Some("xterm-256color")));
        assert!(!wants(Some("1"), None) && !wants(Some("0"), Some("xterm")));
        assert!(!wants(None, Some("dumb")));
    }
}
