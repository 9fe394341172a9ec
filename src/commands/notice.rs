//! Messages of the program on standard error.

use std::fmt::Display;

use kawasemi::engine::Settings;
use kawasemi::sys::{printable, write_stderr};

/// Prints one line, with the name of the program. The text may quote names and lines of files.
pub fn notice(text: impl Display) {
    write_stderr(format_args!("kawasemi: {}\n", printable(&text.to_string())));
}

/// Warns that a log named in the settings is not kept: only a session with a GUI has logs.
pub fn warn_of_unused_logs(settings: &Settings) {
    if settings.debug_log.is_some() || settings.thinking_log.is_some() {
        notice("DebugLogFile and ThinkingLog have no effect here: they log a session with a GUI");
    }
}
