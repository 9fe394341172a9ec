//! The capabilities of the terminal: its width, and colours.

use std::env;
use std::ffi::OsStr;
use std::io;

use kawasemi::sys::enable_ansi_escapes;
use terminal_size::{Height, Width, terminal_size_of};

/// Columns of the terminal that shows standard output; `None` if that is not a terminal.
pub fn output_columns() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into())
}

/// Columns and rows of the terminal that shows standard output; `None` if that is not a terminal.
pub fn output_size() -> Option<(usize, usize)> {
    terminal_size_of(io::stdout())
        .map(|(Width(columns), Height(rows))| (columns.into(), rows.into()))
}

/// Columns of the terminal that shows standard error.
pub fn error_columns() -> Option<usize> {
    terminal_size_of(io::stderr()).map(|(Width(columns), _)| columns.into())
}

/// Whether standard output shows colours, and the user wants them.
pub fn shows_colours() -> bool {
    wants_colours(env::var_os("NO_COLOR").as_deref()) && enable_ansi_escapes(&io::stdout())
}

/// Any text in NO_COLOR disables colours (no-color.org).
fn wants_colours(no_color: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_in_no_color_forbids_colours() {
        let wants = |no_color: Option<&str>| wants_colours(no_color.map(OsStr::new));
        assert!(wants(None) && wants(Some("")));
        assert!(!wants(Some("1")) && !wants(Some("0")));
    }
}
