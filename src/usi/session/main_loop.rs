//! The loop of a session whose input, output and search run on other threads.

use std::io::{self, Read};
use std::time::Duration;

use crossbeam::channel::{Receiver, at, never, select};

use super::state::{Session, SessionEvent};
use crate::engine::SearchBackend;
use crate::session::{InputLine, spawn_reader};
use crate::sys::Instant;

/// Maximum time to write each log at the end, and the output if the deadline of `quit` is over.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(100);
/// Number of open tasks and `eval` commands from which further lines wait. The wait is short: all tasks but
/// the last are stopping, and `eval` only waits for a network to load.
const MAX_TASKS: usize = 64;

impl<B: SearchBackend> Session<B> {
    /// Runs until `quit`, the end of the input, or until the output is closed.
    ///
    /// # Errors
    /// If the reader thread cannot be started, or the output cannot be written.
    pub fn run(mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let lines = spawn_reader(input)?;
        while !self.has_finished() {
            let event = self.wait(&lines);
            self.handle(event);
            self.output.flush();
        }
        // Give the writer the rest of the time.
        let left =
            self.quit_deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        self.engine.quit();
        self.output.close(left.unwrap_or_default(), CLOSE_TIMEOUT)
    }

    fn has_finished(&self) -> bool {
        let has_unanswered =
            !self.tasks.is_empty() || self.awaiting_ready > 0 || !self.awaiting_eval.is_empty();
        self.quit_deadline.is_some_and(|deadline| !has_unanswered || Instant::now() >= deadline)
    }

    fn wait(&mut self, lines: &Receiver<InputLine>) -> SessionEvent<B> {
        let is_running = self.quit_deadline.is_none();
        let (no_lines, no_progress) = (never(), never());
        let open = self.tasks.len() + self.awaiting_eval.len();
        let may_execute = is_running && open < MAX_TASKS;
        if may_execute
            && !self.output.is_backlogged()
            && let Some(input) = self.input_queue.pop()
        {
            return SessionEvent::Queued(input);
        }
        let may_read = self.is_open_after_quit || may_execute && self.input_queue.has_room();
        let lines = if may_read { lines } else { &no_lines };
        let has_queued = is_running && !self.input_queue.is_empty();
        let progress = if has_queued { self.output.progress() } else { &no_progress };
        let timer = self.timer();
        select! {
            recv(lines) -> line => line.map_or(SessionEvent::EndOfInput, SessionEvent::Line),
            recv(self.output.closed()) -> _ => SessionEvent::End,
            recv(progress) -> _ => SessionEvent::OutputRead,
            recv(self.events) -> event => event.map_or(SessionEvent::End, SessionEvent::Search),
            recv(self.engine.load_results()) -> loaded => {
                loaded.map_or(SessionEvent::End, |loaded| SessionEvent::Loaded(Box::new(loaded)))
            }
            recv(self.perft_runner.results) -> perft => perft.map_or(SessionEvent::End, SessionEvent::PerftDone),
            recv(self.log_errors) -> text => text.map_or(SessionEvent::End, SessionEvent::LogError),
            recv(timer) -> _ => SessionEvent::Timer,
        }
    }

    fn timer(&self) -> Receiver<Instant> {
        let blank = (self.awaiting_ready > 0).then_some(self.next_blank);
        let end = self.quit_deadline.or_else(|| self.input_queue.end_deadline());
        blank.into_iter().chain(end).min().map_or_else(never, at)
    }
}
