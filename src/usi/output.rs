//! The way out: lines to the GUI, and a copy of everything for the logs.
//!
//! The only place that writes to the GUI. Lines are gathered and sent together, so that those of one
//! iteration arrive together. A GUI that has gone is noticed here, and is no error.

use std::io::Write;
use std::time::Duration;

use super::line;
use super::log::{Entry, Logs};
use crate::engine::Settings;

#[derive(Debug)]
pub(super) struct Output<W> {
    sink: W,
    /// Lines not sent yet, each with its end.
    pending: String,
    /// The line before, sent or pending.
    last: String,
    logs: Logs,
    /// Whether nobody reads any more.
    closed: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(sink: W, logs: Logs) -> Output<W> {
        Output { sink, pending: String::new(), last: String::new(), logs, closed: false }
    }

    /// One line of protocol.
    pub(super) fn line(&mut self, text: &str) {
        self.logs.record(Entry::Output(text));
        self.push(text);
    }

    /// One line, if it would not repeat the last.
    pub(super) fn line_unless_last(&mut self, text: &str) {
        if self.last != text {
            self.line(text);
        }
    }

    /// Plain words for the user.
    pub(super) fn message(&mut self, text: &str) {
        self.line(&line::message(text));
    }

    /// Plain words on what is wrong.
    pub(super) fn complain(&mut self, text: &str) {
        let text = line::message(text);
        self.logs.record(Entry::Failure(&text));
        self.push(&text);
    }

    /// A line from the GUI, for the logs.
    pub(super) fn heard(&mut self, bytes: &[u8]) {
        self.logs.record(Entry::Input(bytes));
    }

    /// A remark for the logs only.
    pub(super) fn note(&mut self, text: &str) {
        self.logs.record(Entry::Note(text));
    }

    /// Logs are kept as these settings say from now on.
    pub(super) fn follow(&mut self, settings: &Settings) {
        self.logs.follow(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
    }

    /// Sends what is pending.
    pub(super) fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let sent = self.sink.write_all(self.pending.as_bytes()).and_then(|()| self.sink.flush());
        self.closed |= sent.is_err();
        self.pending.clear();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Sends the rest, and gives each log this long to be written.
    pub(super) fn close(&mut self, patience: Duration) {
        self.flush();
        self.logs.close(patience);
    }

    fn push(&mut self, text: &str) {
        self.pending += text;
        self.pending.push('\n');
        text.clone_into(&mut self.last);
    }
}
