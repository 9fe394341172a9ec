//! ANSI escape sequences. Windows consoles support them only when enabled, old ones never; a terminal that is
//! called `dumb` in TERM (in editors, for example) does not.

use std::env;
use std::ffi::OsStr;
use std::io::IsTerminal;
#[cfg(windows)]
use std::os::windows::io::AsHandle;

/// Enables escape sequences on the terminal of this stream. False if it is not a terminal or does not
/// support them.
#[cfg(not(windows))]
pub fn enable_ansi_escapes(stream: &impl IsTerminal) -> bool {
    are_supported(stream.is_terminal(), None, env::var_os("TERM").as_deref())
}

/// Enables escape sequences on the terminal of this stream. False if it is not a terminal or does not
/// support them.
#[cfg(windows)]
pub fn enable_ansi_escapes(stream: &(impl IsTerminal + AsHandle)) -> bool {
    are_supported(stream.is_terminal(), console::enable(stream), env::var_os("TERM").as_deref())
}

/// Whether escape sequences work; `console` says whether a Windows console enabled them, `None` for
/// any other terminal.
fn are_supported(is_terminal: bool, console: Option<bool>, term: Option<&OsStr>) -> bool {
    is_terminal && console.unwrap_or(true) && term.is_none_or(|term| term != "dumb")
}

#[cfg(windows)]
mod console {
    use std::ffi::c_void;
    use std::os::windows::io::{AsHandle, AsRawHandle};

    const ENABLE_VIRTUAL_TERMINAL_PROCESSING: u32 = 4;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetConsoleMode(console: *mut c_void, mode: *mut u32) -> i32;
        fn SetConsoleMode(console: *mut c_void, mode: u32) -> i32;
    }

    /// Whether the console supports them; `None` if the stream is not a console.
    pub(super) fn enable(stream: &impl AsHandle) -> Option<bool> {
        let console = stream.as_handle().as_raw_handle();
        let mut mode = 0;
        // SAFETY: the stream keeps its handle open, a handle of anything else only gives an error, and
        // the mode is written to a local variable.
        if unsafe { GetConsoleMode(console, &mut mode) } == 0 {
            return None;
        }
        // SAFETY: the handle is the same; an unknown mode is refused.
        Some(unsafe { SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) } != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_used_unless_the_console_refuses() {
        assert!(are_supported(true, None, None) && are_supported(true, Some(true), None));
        assert!(!are_supported(true, Some(false), None));
        assert!(!are_supported(false, None, None));
    }

    /// Regression: a dumb terminal got the sequences of the progress bar and of the screen of CSA games.
    #[test]
    fn a_dumb_terminal_gets_no_escape_sequences() {
        assert!(are_supported(true, None, Some("xterm".as_ref())));
        assert!(!are_supported(true, None, Some("dumb".as_ref())));
    }
}
