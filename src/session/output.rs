//! Output to the GUI, copied to the logs.
//!
//! Lines are collected and sent together, so that those of one iteration arrive together.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded};

use super::log::{LogEntry, Logs};
use crate::sys::{BackgroundWriter, WriteStamp};
use crate::types::printable;

/// With more unwritten bytes than this the GUI counts as not reading: search reports are skipped, and commands
/// wait.
const MAX_BACKLOG: usize = 4 << 20;

/// Begins the errors of an engine, so that clients recognise them.
const ENGINE_ERROR_PREFIX: &str = "error: ";

/// The name of a protocol in the logs, and its prefix of messages for the user.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolMarks {
    pub name: &'static str,
    /// Such as `info string `.
    pub message_prefix: &'static str,
}

/// Collects lines for the GUI, sends them together, and copies them to the logs.
#[derive(Debug)]
pub struct SessionOutput {
    marks: ProtocolMarks,
    writer: BackgroundWriter,
    /// Receives the error that has ended the writing.
    failure: Receiver<io::Error>,
    /// Lines not yet sent, each with its line end.
    pending: String,
    /// Set to the time at which the pending lines are written.
    stamp: Option<WriteStamp>,
    /// The last line, sent or pending.
    last: String,
    logs: Logs,
}

impl SessionOutput {
    /// No log is open yet. Errors of the logs are sent to `log_errors`.
    ///
    /// # Errors
    /// If the writer thread cannot be started.
    pub fn open(
        marks: ProtocolMarks,
        sink: impl Write + Send + 'static,
        log_errors: Sender<String>,
    ) -> io::Result<SessionOutput> {
        let (failed, failure) = bounded(1);
        let report = move |error| _ = failed.send(error);
        let writer = BackgroundWriter::spawn("gui-writer", || Ok(sink), report)?;
        let logs = Logs::new(marks.name, log_errors);
        let (pending, last) = (String::new(), String::new());
        Ok(SessionOutput { marks, writer, failure, pending, stamp: None, last, logs })
    }

    /// Writes one line of the protocol.
    pub fn write_line(&mut self, text: &str) {
        self.logs.record(LogEntry::Output(text));
        self.push(text);
    }

    /// Writes one line. The stamp is set to the time of writing.
    pub fn write_stamped_line(&mut self, text: &str) -> WriteStamp {
        self.write_line(text);
        self.stamp.get_or_insert_default().clone()
    }

    /// Writes one line unless it repeats the last.
    pub fn write_line_unless_repeated(&mut self, text: &str) {
        if self.last != text {
            self.write_line(text);
        }
    }

    /// Writes a message for the user.
    pub fn write_message(&mut self, text: &str) {
        self.write_line(&self.marked(text));
    }

    /// Writes a message for the user about an error of the engine itself, such as a file that it cannot load.
    pub fn write_engine_error(&mut self, text: &str) {
        self.write_error(&format!("{ENGINE_ERROR_PREFIX}{text}"));
    }

    /// Writes an error message for the user, such as the refusal of a command.
    pub fn write_error(&mut self, text: &str) {
        let text = self.marked(text);
        self.logs.record(LogEntry::Error(&text));
        self.push(&text);
    }

    /// Logs a line from the GUI.
    pub fn log_input(&mut self, bytes: &[u8]) {
        self.logs.record(LogEntry::Input(bytes));
    }

    /// Adds a note to the logs only.
    pub fn log_note(&mut self, text: &str) {
        self.logs.record(LogEntry::Note(text));
    }

    /// Opens, closes or moves the logs: the raw traffic, and the session in the Thinking Log Format.
    pub fn set_logs(&mut self, traffic: Option<&Path>, thinking: Option<&Path>) {
        self.logs.set_paths(traffic, thinking);
    }

    /// Sends the pending lines.
    pub fn flush(&mut self) {
        let bytes = std::mem::take(&mut self.pending).into_bytes();
        match self.stamp.take() {
            Some(stamp) => _ = self.writer.write_stamped(bytes, stamp),
            None if bytes.is_empty() => {}
            None => _ = self.writer.write(bytes),
        }
    }

    /// Disconnects when the GUI no longer reads.
    pub fn closed(&self) -> &Receiver<()> {
        self.writer.ended()
    }

    /// Receives a message when the GUI has read something.
    pub fn progress(&self) -> &Receiver<()> {
        self.writer.progress()
    }

    /// The number of sent bytes that the GUI has not read.
    pub fn backlog(&self) -> usize {
        self.writer.backlog()
    }

    /// Whether the GUI has stopped reading.
    pub fn is_backlogged(&self) -> bool {
        self.backlog() > MAX_BACKLOG
    }

    /// Writes the rest and closes the logs. Waits for the GUI at most the longer of the two times.
    ///
    /// # Errors
    /// If the output could not be written, unless the GUI has closed it.
    pub fn close(mut self, timeout: Duration, for_each_log: Duration) -> io::Result<()> {
        self.flush();
        let has_ended = self.writer.close(timeout.max(for_each_log));
        self.logs.close(for_each_log);
        // A writer that has ended reports its error at once, if there is one.
        let error = if has_ended { self.failure.recv().ok() } else { None };
        error.filter(|error| !is_closed_by_gui(error)).map_or(Ok(()), Err)
    }

    /// The text on one line, with the prefix of a message.
    fn marked(&self, text: &str) -> String {
        format!("{}{}", self.marks.message_prefix, printable(text))
    }

    fn push(&mut self, text: &str) {
        self.pending += text;
        self.pending.push('\n');
        text.clone_into(&mut self.last);
    }
}

/// Whether the GUI has closed the output: a pipe, or a network connection, as `inetd` passes.
fn is_closed_by_gui(error: &io::Error) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    matches!(error.kind(), BrokenPipe | ConnectionReset | ConnectionAborted)
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::*;

    /// An output that cannot be written.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Regression: a GUI that closed a network connection was an error, unlike one that closed a pipe.
    #[test]
    fn output_that_cannot_be_written_is_an_error_unless_the_gui_has_closed_it() {
        let marks = ProtocolMarks { name: "usi", message_prefix: "info string " };
        for (kind, expected) in [
            (ErrorKind::BrokenPipe, Ok(())),
            (ErrorKind::ConnectionReset, Ok(())),
            (ErrorKind::ConnectionAborted, Ok(())),
            (ErrorKind::StorageFull, Err(ErrorKind::StorageFull)),
        ] {
            let mut output = SessionOutput::open(marks, Failing(kind), unbounded().0).unwrap();
            output.write_line("usiok");
            let closed = output.close(Duration::from_secs(60), Duration::from_secs(60));
            assert_eq!(closed.map_err(|error| error.kind()), expected);
        }
    }

    /// Regression: whether a message was an error depended on how its text began.
    #[test]
    fn an_error_of_the_engine_is_marked_whatever_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let marks = ProtocolMarks { name: "usi", message_prefix: "info string " };
        let mut output = SessionOutput::open(marks, io::sink(), unbounded().0).unwrap();
        output.set_logs(None, Some(&log));
        output.write_message("error: is a file");
        output.write_error("no command");
        output.write_engine_error("no file");
        output.close(Duration::from_secs(60), Duration::from_secs(60)).unwrap();
        let log = std::fs::read_to_string(log).unwrap();
        for line in [
            "= usi:'info string error: is a file'",
            "? usi:'info string no command'",
            "? usi:'info string error: no file'",
        ] {
            assert!(log.contains(line), "{line}: {log}");
        }
    }

    #[test]
    fn a_message_has_the_prefix_of_the_protocol_and_is_one_line() {
        let marks = ProtocolMarks { name: "uoi", message_prefix: "# " };
        let output = SessionOutput::open(marks, io::sink(), unbounded().0).unwrap();
        assert_eq!(output.marked("caf\u{e9}\nx"), "# caf\u{e9} x");
    }
}
