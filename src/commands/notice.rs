//! Messages of the program on standard error.

use std::io;
use std::path::Path;

use kawasemi::engine::Settings;
use kawasemi::sys::{in_file, write_stderr};
use kawasemi::types::message::{Message, message};
use kawasemi::types::printable;

use crate::commands::language::system_language;

/// Prints one line, with the name of the program. The text may quote names and lines of files.
pub fn notice(text: impl AsRef<str>) {
    write_stderr(format_args!("kawasemi: {}\n", printable(text.as_ref())));
}

/// Prints a message in the language of the system.
pub fn notify(message: &Message) {
    notice(in_system_language(message));
}

/// A message in the language of the system.
pub fn in_system_language(message: &Message) -> String {
    message.of(system_language()).into()
}

/// A message about a file.
pub fn file_error(path: &Path, message: &Message) -> String {
    in_file(path, in_system_language(message))
}

/// An error of the operating system about a file.
pub fn system_error(path: &Path, error: &io::Error) -> String {
    file_error(path, &Message::from(error))
}

/// Warns that a log named in the settings is not kept: only a session with a GUI has logs.
pub fn warn_of_unused_logs(settings: &Settings) {
    if settings.debug_log.is_some() || settings.thinking_log.is_some() {
        notify(&message!(
            "DebugLogFile and ThinkingLog have no effect here: they log a session with a GUI",
            "DebugLogFileとThinkingLogはここでは使えません。GUIとの通信を記録するオプションです"
        ));
    }
}
