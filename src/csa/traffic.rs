//! The log of all lines to and from the server. It never sees a password.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use chrono::Local;

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Traffic(File);

impl Traffic {
    /// Goes on at the end of a file, or makes it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn open(path: &Path) -> io::Result<Traffic> {
        OpenOptions::new().create(true).append(true).open(path).map(Traffic)
    }

    /// Adds a line, behind a mark that says where it comes from.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn note(&mut self, mark: char, line: &str) -> io::Result<()> {
        let now = Local::now().format("%Y-%m-%dT%H:%M:%S%.3f");
        self.0.write_all(format!("{now} {mark} {line}\n").as_bytes())
    }
}
