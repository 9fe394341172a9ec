//! Remarks of the program on the error output.

use std::fmt::Display;

use kawasemi::engine::Settings;
use kawasemi::sys::write_error;

/// A line of the program.
pub fn remark(text: impl Display) {
    write_error(format_args!("kawasemi: {text}\n"));
}

/// Says that no log is kept where these settings name one: only those that speak USI keep them.
pub fn remark_on_logs(settings: &Settings) {
    if settings.debug_log.is_some() || settings.thinking_log.is_some() {
        remark("DebugLogFile and ThinkingLog do nothing here: they are logs of a talk with a GUI");
    }
}
