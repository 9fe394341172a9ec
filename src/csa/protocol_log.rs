//! The log of all lines to and from the server, without the password.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use chrono::Local;

/// An open log file.
#[derive(Debug)]
pub(super) struct ProtocolLog(File);

impl ProtocolLog {
    /// Opens a file to append to it, or creates it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn open(path: &Path) -> io::Result<ProtocolLog> {
        OpenOptions::new().create(true).append(true).open(path).map(ProtocolLog)
    }

    /// Appends a line with the time. `mark` says where it comes from.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, mark: char, line: &str) -> io::Result<()> {
        let now = Local::now().format("%Y-%m-%dT%H:%M:%S%.3f");
        self.0.write_all(format!("{now} {mark} {line}\n").as_bytes())
    }
}
