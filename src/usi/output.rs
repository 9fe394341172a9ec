//! Output to the GUI, copied to the logs.
//!
//! Lines are collected and sent together, so that those of one iteration arrive together.

use std::io::{self, Write};
use std::time::Duration;

use crossbeam::channel::Receiver;

use super::format;
use super::log::{LogEntry, Logs};
use crate::engine::Settings;
use crate::sys::{BackgroundWriter, WriteStamp};

/// With more unread bytes the GUI has stopped reading: search reports are skipped, and commands wait.
const MAX_BACKLOG: usize = 4 << 20;

#[derive(Debug)]
pub(crate) struct UsiOutput {
    writer: BackgroundWriter,
    /// Lines not yet sent, each with its line end.
    pending: String,
    /// Of the pending lines.
    stamp: Option<WriteStamp>,
    /// The last line, sent or pending.
    last: String,
    logs: Logs,
}

impl UsiOutput {
    /// # Errors
    /// If the writer thread cannot be started.
    pub(crate) fn open(sink: impl Write + Send + 'static, logs: Logs) -> io::Result<UsiOutput> {
        // A closed pipe is noticed by the end of the writer.
        let writer = BackgroundWriter::spawn("usi-writer", || Ok(sink), |_| ())?;
        Ok(UsiOutput { writer, pending: String::new(), stamp: None, last: String::new(), logs })
    }

    /// Writes one line of the protocol.
    pub(crate) fn line(&mut self, text: &str) {
        self.logs.record(LogEntry::Output(text));
        self.push(text);
    }

    /// Writes one line. The stamp will say when.
    pub(crate) fn stamped_line(&mut self, text: &str) -> WriteStamp {
        self.line(text);
        self.stamp.get_or_insert_default().clone()
    }

    /// Writes one line unless it repeats the last.
    pub(crate) fn line_unless_last(&mut self, text: &str) {
        if self.last != text {
            self.line(text);
        }
    }

    /// Writes a message for the user as `info string`.
    pub(crate) fn message(&mut self, text: &str) {
        self.line(&format::message(text));
    }

    /// Writes an error message as `info string`.
    pub(crate) fn error(&mut self, text: &str) {
        let text = format::message(text);
        self.logs.record(LogEntry::Error(&text));
        self.push(&text);
    }

    /// Logs a line from the GUI.
    pub(crate) fn log_input(&mut self, bytes: &[u8]) {
        self.logs.record(LogEntry::Input(bytes));
    }

    /// Adds a note to the logs only.
    pub(crate) fn log_note(&mut self, text: &str) {
        self.logs.record(LogEntry::Note(text));
    }

    /// Opens, closes or changes the logs according to the settings.
    pub(crate) fn set_logs(&mut self, settings: &Settings) {
        self.logs.set_paths(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
    }

    /// Sends the pending lines.
    pub(crate) fn flush(&mut self) {
        let bytes = std::mem::take(&mut self.pending).into_bytes();
        match self.stamp.take() {
            Some(stamp) => _ = self.writer.write_stamped(bytes, stamp),
            None if bytes.is_empty() => {}
            None => _ = self.writer.write(bytes),
        }
    }

    /// Disconnects when the GUI no longer reads.
    pub(crate) fn closed(&self) -> &Receiver<()> {
        self.writer.ended()
    }

    /// Receives a message when the GUI has read something.
    pub(crate) fn progress(&self) -> &Receiver<()> {
        self.writer.progress()
    }

    /// Whether the GUI has stopped reading.
    pub(crate) fn is_backlogged(&self) -> bool {
        self.writer.backlog() > MAX_BACKLOG
    }

    /// Sends the rest, waiting for at most `patience`, or the time of a log if that is longer.
    pub(crate) fn close(mut self, patience: Duration, for_each_log: Duration) {
        self.flush();
        self.writer.close(patience.max(for_each_log));
        self.logs.close(for_each_log);
    }

    fn push(&mut self, text: &str) {
        self.pending += text;
        self.pending.push('\n');
        text.clone_into(&mut self.last);
    }
}
