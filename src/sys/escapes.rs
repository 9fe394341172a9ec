//! Escape sequences: what moves the cursor of a terminal and erases what it shows. Consoles of Windows
//! obey them only when they are told to, and old ones never.

use std::io::IsTerminal;
#[cfg(windows)]
use std::os::windows::io::AsHandle;

/// Sees to it that escape sequences are obeyed where this stream goes. False if they are not, or if it
/// goes to no terminal.
#[cfg(not(windows))]
pub fn enable_escapes(stream: &impl IsTerminal) -> bool {
    are_obeyed(stream.is_terminal(), None)
}

/// Sees to it that escape sequences are obeyed where this stream goes. False if they are not, or if it
/// goes to no terminal.
#[cfg(windows)]
pub fn enable_escapes(stream: &(impl IsTerminal + AsHandle)) -> bool {
    are_obeyed(stream.is_terminal(), console::enable(stream))
}

/// Whether they are, by what a console of Windows does when it is told to; `None` if it is none.
fn are_obeyed(is_terminal: bool, console: Option<bool>) -> bool {
    // All other terminals obey them, on Windows too.
    is_terminal && console.unwrap_or(true)
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

    /// Whether the console obeys from now on; `None` if this goes to no console.
    pub(super) fn enable(stream: &impl AsHandle) -> Option<bool> {
        let console = stream.as_handle().as_raw_handle();
        let mut mode = 0;
        // SAFETY: the stream keeps its handle open, and a handle of anything else is an error without
        // effect; the mode is written to a place of its own.
        if unsafe { GetConsoleMode(console, &mut mode) } == 0 {
            return None;
        }
        // SAFETY: the same handle; a mode that is not known is refused.
        Some(unsafe { SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) } != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_console_that_refuses_does_not_obey() {
        assert!(are_obeyed(true, None) && are_obeyed(true, Some(true)));
        assert!(!are_obeyed(true, Some(false)));
        assert!(!are_obeyed(false, None));
    }
}
