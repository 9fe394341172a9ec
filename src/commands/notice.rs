//! Messages of the program on standard error.

use std::fmt::Display;

use kawasemi::engine::Settings;
use kawasemi::sys::write_stderr;

/// Prints one line, with the name of the program.
pub fn notice(text: impl Display) {
    write_stderr(format_args!("kawasemi: {text}\n"));
}

/// Warns that a log named in the settings is not kept: only a session with a GUI has logs.
pub fn warn_of_unused_logs(settings: &Settings) {
    if settings.debug_log.is_some() || settings.thinking_log.is_some() {
        notice("DebugLogFile and ThinkingLog have no effect here: they log a session with a GUI");
    }
}
