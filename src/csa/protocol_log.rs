//! The log of all lines to and from the server, without the password. A separate thread writes it, so
//! that a slow disk does not delay the game.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::Local;
use crossbeam::channel::{Receiver, bounded};

use super::line_quota::LineQuota;
use crate::sys::{BackgroundWriter, open_log};
use crate::types::message::counted;

/// The beginning of each line: the time and the direction. A `0` stands for any digit.
const STARTS: [&str; 2] = ["0000-00-00T00:00:00.000 < ", "0000-00-00T00:00:00.000 > "];
/// Maximum number of bytes logged in a minute, many times what a game needs.
const QUOTA: usize = 256 << 10;
/// Maximum number of bytes waiting for the disk. Further lines are left out.
const MAX_QUEUED: usize = 1 << 20;
/// Maximum time to write the rest at the end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// An open log file.
#[derive(Debug)]
pub(super) struct ProtocolLog {
    /// `None` while this is being dropped.
    writer: Option<BackgroundWriter>,
    /// Receives the error that has ended the log.
    failure: Receiver<io::Error>,
    quota: LineQuota,
}

impl ProtocolLog {
    /// Opens a log to append to it, or creates it.
    ///
    /// # Errors
    /// If the file cannot be written or is not a log, or if the system refuses a thread.
    pub(super) fn open(path: &Path) -> io::Result<ProtocolLog> {
        let (file, _) = open_log(path, &STARTS)?;
        let (sender, failure) = bounded(1);
        let failed = move |error| drop(sender.send(error));
        let writer = BackgroundWriter::spawn("csa-log", || Ok::<File, _>(file), failed)?;
        Ok(ProtocolLog { writer: Some(writer), failure, quota: LineQuota::new(QUOTA) })
    }

    /// Appends a line with the time, unless the quota is used up. `direction` is `>` for a line to the server, and
    /// `<` for one from it.
    ///
    /// # Errors
    /// If an earlier line could not be written.
    pub(super) fn write(&mut self, direction: char, line: &str) -> io::Result<()> {
        if let Ok(error) = self.failure.try_recv() {
            return Err(error);
        }
        let Some(writer) = &self.writer else { return Ok(()) };
        // A disk that is too slow ends the quota of this minute.
        let is_backlogged = writer.backlog() >= MAX_QUEUED;
        let length = if is_backlogged { usize::MAX } else { logged_length(line) };
        if let Some(left_out) = self.quota.admit(length, Instant::now()) {
            self.report(left_out);
            self.append(direction, line);
        }
        Ok(())
    }

    fn report(&self, left_out: u64) {
        if left_out > 0 {
            self.append('!', &format!("{} left out here", counted(left_out, "line")));
        }
    }

    fn append(&self, direction: char, line: &str) {
        let now = Local::now().format("%Y-%m-%dT%H:%M:%S%.3f");
        if let Some(writer) = &self.writer {
            writer.write(format!("{now} {direction} {line}\n").into_bytes());
        }
    }
}

/// The bytes of a line in the log, with its time, direction and line end.
fn logged_length(line: &str) -> usize {
    STARTS[0].len() + line.len() + 1
}

impl Drop for ProtocolLog {
    fn drop(&mut self) {
        let left_out = self.quota.take_dropped_count();
        self.report(left_out);
        if let Some(writer) = self.writer.take() {
            writer.close(CLOSE_TIMEOUT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a log, without the times.
    fn lines(path: &Path) -> Vec<String> {
        let written = std::fs::read_to_string(path).unwrap();
        written.lines().map(|line| line[24..].to_owned()).collect()
    }

    /// Regression: `--log nn.bin` overwrote the network.
    #[test]
    fn a_log_continues_but_nothing_else_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (direction, line) in [('>', "LOGIN a *****"), ('<', "LOGIN:a OK")] {
            ProtocolLog::open(&path).unwrap().write(direction, line).unwrap();
        }
        assert_eq!(lines(&path), ["> LOGIN a *****", "< LOGIN:a OK"]);
        std::fs::write(&path, "a network").unwrap();
        assert!(ProtocolLog::open(&path).is_err());
    }

    /// Regression: a server that sent junk for ten minutes filled 6.4 GB.
    #[test]
    fn a_server_that_floods_the_log_is_logged_in_part_and_the_rest_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = ProtocolLog::open(&path).unwrap();
        let junk = "x".repeat(QUOTA / 4 - logged_length(""));
        for _ in 0..10 {
            log.write('<', &junk).unwrap();
        }
        drop(log);
        let lines = lines(&path);
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[4], "! 6 lines left out here");
    }

    /// Regression: an empty line used up nothing of the quota, so a server that sent line ends filled the disk.
    #[test]
    fn a_server_that_floods_the_log_with_empty_lines_is_logged_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = ProtocolLog::open(&path).unwrap();
        for _ in 0..QUOTA {
            log.write('<', "").unwrap();
        }
        drop(log);
        assert!(std::fs::metadata(&path).unwrap().len() <= QUOTA as u64 + 100);
        assert!(lines(&path).last().unwrap().ends_with(" lines left out here"));
    }
}
