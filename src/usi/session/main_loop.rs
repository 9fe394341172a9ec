//! The state of the session and its loop.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, at, never, select, unbounded};

use super::queue::{PerftRunner, QueuedTask};
use crate::engine::{Engine, LoadResult, Perft, SearchBackend, Settings};
use crate::position::Position;
use crate::search::request::Event;
use crate::usi::command::{Parsed, parse, sets_position};
use crate::usi::log::Logs;
use crate::usi::messages;
use crate::usi::output::UsiOutput;
use crate::usi::reader::{self, InputLine};

/// How long writing each log may take at the end, and writing the output even after the quit deadline.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(100);
/// With this many open tasks and `eval` commands, further lines wait. Not for long: all tasks but the
/// last are stopping, and `eval` only waits for a network to load.
const MAX_TASKS: usize = 64;

/// The timeouts of a session.
#[derive(Clone, Copy, Debug)]
pub struct SessionTimeouts {
    /// Interval of the blank lines sent while `readyok` is pending.
    pub keep_alive: Duration,
    /// Maximum time from `quit` to the end, for answers that the GUI still expects.
    pub quit: Duration,
}

impl Default for SessionTimeouts {
    /// A GUI may give up after 30 s without a line, and kills the engine a second after `quit`.
    fn default() -> SessionTimeouts {
        SessionTimeouts { keep_alive: Duration::from_secs(5), quit: Duration::from_millis(500) }
    }
}

/// A session with a GUI.
#[derive(Debug)]
pub struct Session<S> {
    pub(super) engine: Engine<S>,
    /// The initial settings, which are declared as the defaults.
    pub(super) initial: Settings,
    pub(super) output: UsiOutput,
    pub(super) events: Receiver<Event>,
    /// Errors of the logs.
    pub(super) notices: Receiver<String>,
    pub(super) counter: PerftRunner,
    pub(super) tasks: VecDeque<QueuedTask>,
    /// The last `position` command was refused or too long, so the position of the GUI is not known.
    pub(super) is_position_unknown: bool,
    /// Positions of `eval` commands that wait for a network to load.
    pub(super) awaiting_eval: Vec<Position>,
    /// Number of unanswered `isready`, and when the next blank line is due.
    pub(super) awaiting_ready: usize,
    pub(super) next_blank: Instant,
    pub(super) timeouts: SessionTimeouts,
    pub(super) debug: bool,
    /// After `quit`: when the session ends at the latest.
    pub(super) quit_deadline: Option<Instant>,
}

/// What the loop waits for.
enum SessionEvent<S> {
    Line(InputLine),
    /// The input has ended, or something essential has failed.
    End,
    Event(Event),
    Prepared(Box<LoadResult<S>>),
    Count(Perft),
    Notice(String),
    Timer,
}

impl<S: SearchBackend> Session<S> {
    /// A session for an engine whose searcher sends its events to `events`.
    ///
    /// # Errors
    /// If the writer thread cannot be started.
    pub fn open(
        engine: Engine<S>,
        events: Receiver<Event>,
        output: impl Write + Send + 'static,
    ) -> io::Result<Session<S>> {
        let (complaints, notices) = unbounded();
        let (sender, counts) = unbounded();
        let mut output = UsiOutput::open(output, Logs::new(complaints))?;
        output.set_logs(engine.settings());
        Ok(Session {
            initial: engine.settings().clone(),
            engine,
            output,
            events,
            notices,
            counter: PerftRunner { sender, counts },
            tasks: VecDeque::new(),
            is_position_unknown: false,
            awaiting_eval: Vec::new(),
            awaiting_ready: 0,
            next_blank: Instant::now(),
            timeouts: SessionTimeouts::default(),
            debug: false,
            quit_deadline: None,
        })
    }

    /// The same session at another timeouts.
    pub fn with_timeouts(self, timeouts: SessionTimeouts) -> Session<S> {
        Session { timeouts, ..self }
    }

    /// Runs until `quit`, the end of the input, or until nobody reads the output.
    ///
    /// # Errors
    /// If the reader thread cannot be started.
    pub fn run(mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let lines = reader::spawn(input)?;
        while !self.has_finished() {
            let wake = self.wait(&lines);
            self.handle(wake);
            self.output.flush();
        }
        // Give the writer the rest of the time.
        let left =
            self.quit_deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        self.engine.quit();
        self.output.close(left.unwrap_or_default(), CLOSE_TIMEOUT);
        Ok(())
    }

    fn has_finished(&self) -> bool {
        let has_unanswered =
            !self.tasks.is_empty() || self.awaiting_ready > 0 || !self.awaiting_eval.is_empty();
        self.quit_deadline.is_some_and(|deadline| !has_unanswered || Instant::now() >= deadline)
    }

    fn wait(&self, lines: &Receiver<InputLine>) -> SessionEvent<S> {
        let is_running = self.quit_deadline.is_none();
        let (no_lines, never_closed) = (never(), never());
        let open = self.tasks.len() + self.awaiting_eval.len();
        let is_listening = is_running && open < MAX_TASKS;
        let lines = if is_listening { lines } else { &no_lines };
        let closed = if is_running { self.output.closed() } else { &never_closed };
        let timer = self.timer();
        select! {
            recv(lines) -> line => line.map_or(SessionEvent::End, SessionEvent::Line),
            recv(closed) -> _ => SessionEvent::End,
            recv(self.events) -> event => event.map_or(SessionEvent::End, SessionEvent::Event),
            recv(self.engine.load_results()) -> searcher => {
                searcher.map_or(SessionEvent::End, |searcher| SessionEvent::Prepared(Box::new(searcher)))
            }
            recv(self.counter.counts) -> count => count.map_or(SessionEvent::End, SessionEvent::Count),
            recv(self.notices) -> notice => notice.map_or(SessionEvent::End, SessionEvent::Notice),
            recv(timer) -> _ => SessionEvent::Timer,
        }
    }

    fn timer(&self) -> Receiver<Instant> {
        match self.quit_deadline {
            Some(deadline) => at(deadline),
            None if self.awaiting_ready > 0 => at(self.next_blank),
            None => never(),
        }
    }

    fn handle(&mut self, wake: SessionEvent<S>) {
        match wake {
            SessionEvent::Line(line) => self.handle_line(&line),
            SessionEvent::End => self.begin_quit(),
            SessionEvent::Event(event) => self.handle_event(event),
            SessionEvent::Prepared(searcher) => self.accept_prepared(*searcher),
            SessionEvent::Count(count) => self.finish_perft(&count),
            SessionEvent::Notice(text) => self.output.error(&text),
            SessionEvent::Timer if self.quit_deadline.is_none() => {
                self.output.line("");
                self.next_blank += self.timeouts.keep_alive;
            }
            SessionEvent::Timer => {}
        }
    }

    fn handle_line(&mut self, line: &InputLine) {
        self.output.log_input(&line.bytes);
        if line.truncated {
            return self.handle_truncated_line(&line.bytes);
        }
        let Parsed { command, errors } = parse(&line.bytes);
        for error in errors {
            self.output.error(&error.to_string());
        }
        if let Some(command) = command {
            self.execute(command, line.received);
        }
    }

    /// A truncated line is not executed, but it may have changed the position of the GUI.
    fn handle_truncated_line(&mut self, beginning: &[u8]) {
        self.output.error(&messages::line_too_long());
        self.is_position_unknown |= sets_position(beginning);
    }

    /// Logs a note, and shows it in debug mode.
    pub(super) fn note(&mut self, text: &str) {
        self.output.log_note(text);
        if self.debug {
            self.output.message(text);
        }
    }

    /// Stops the last task. The session ends when everything is answered.
    pub(super) fn begin_quit(&mut self) {
        if self.quit_deadline.is_none() {
            self.quit_deadline = Some(Instant::now() + self.timeouts.quit);
            self.stop_last_task();
        }
    }
}
