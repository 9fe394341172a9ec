//! The log of all lines to and from the server, without the password.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use chrono::Local;

use crate::sys::open_log;

/// How each line begins: the time, and where the line comes from.
const STARTS: [&str; 2] = ["0000-00-00T00:00:00.000 < ", "0000-00-00T00:00:00.000 > "];

/// An open log file.
#[derive(Debug)]
pub(super) struct ProtocolLog(File);

impl ProtocolLog {
    /// Opens a log to append to it, or creates it.
    ///
    /// # Errors
    /// A file that cannot be written, or is something else.
    pub(super) fn open(path: &Path) -> io::Result<ProtocolLog> {
        open_log(path, &STARTS).map(|(file, _)| ProtocolLog(file))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: `--log nn.bin` spoiled the network.
    #[test]
    fn a_log_goes_on_but_nothing_else_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (mark, line) in [('>', "LOGIN a *****"), ('<', "LOGIN:a OK")] {
            ProtocolLog::open(&path).unwrap().write(mark, line).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = written.lines().map(|line| &line[23..]).collect();
        assert_eq!(lines, [" > LOGIN a *****", " < LOGIN:a OK"]);
        std::fs::write(&path, "a network").unwrap();
        assert!(ProtocolLog::open(&path).is_err());
    }
}
