//! The way out: lines to the GUI, and a copy of everything for the logs.
//!
//! The only way to the GUI. Lines are gathered and sent together, so that those of one iteration
//! arrive together. That the GUI has gone is noticed here, and is no error.

use std::io::{self, Write};
use std::time::Duration;

use crossbeam::channel::Receiver;

use super::line;
use super::log::{Entry, Logs};
use super::writer::Writer;
use crate::engine::Settings;

/// With so much unread, a GUI has stopped reading, and need not be told how a search goes on.
const FAR_BEHIND: usize = 4096;

#[derive(Debug)]
pub(crate) struct Output {
    writer: Writer,
    /// Lines not sent yet, each with its end.
    pending: String,
    /// The line before, sent or pending.
    last: String,
    logs: Logs,
}

impl Output {
    /// # Errors
    /// If there is no thread to write with.
    pub(crate) fn open(sink: impl Write + Send + 'static, logs: Logs) -> io::Result<Output> {
        // That nobody reads is seen by the writer's end.
        let writer = Writer::spawn("usi-writer", || Ok(sink), |_| ())?;
        Ok(Output { writer, pending: String::new(), last: String::new(), logs })
    }

    /// One line of protocol.
    pub(crate) fn line(&mut self, text: &str) {
        self.logs.record(Entry::Output(text));
        self.push(text);
    }

    /// One line, if it would not repeat the last.
    pub(crate) fn line_unless_last(&mut self, text: &str) {
        if self.last != text {
            self.line(text);
        }
    }

    /// Plain words for the user.
    pub(crate) fn message(&mut self, text: &str) {
        self.line(&line::message(text));
    }

    /// Plain words on what is wrong.
    pub(crate) fn complain(&mut self, text: &str) {
        let text = line::message(text);
        self.logs.record(Entry::Failure(&text));
        self.push(&text);
    }

    /// A line from the GUI, for the logs.
    pub(crate) fn heard(&mut self, bytes: &[u8]) {
        self.logs.record(Entry::Input(bytes));
    }

    /// A remark for the logs only.
    pub(crate) fn note(&mut self, text: &str) {
        self.logs.record(Entry::Note(text));
    }

    /// Logs are kept as these settings say from now on.
    pub(crate) fn follow(&mut self, settings: &Settings) {
        self.logs.follow(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
    }

    /// Sends what is pending.
    pub(crate) fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.writer.write(std::mem::take(&mut self.pending).into_bytes());
        }
    }

    /// Disconnects when nobody reads any more.
    pub(crate) fn closed(&self) -> &Receiver<()> {
        self.writer.ended()
    }

    /// Whether much is still unread.
    pub(crate) fn is_far_behind(&self) -> bool {
        self.writer.backlog() > FAR_BEHIND
    }

    /// Sends the rest, which may take so long, but at least as long as each log may.
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
