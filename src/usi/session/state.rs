//! The state of the session, and what each event does to it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

use crossbeam::channel::{Receiver, unbounded};

use super::lateness::Lateness;
use super::tasks::{PerftRunner, QueuedTask};
use crate::engine::{Engine, LoadResult, Perft, SearchBackend, Settings};
use crate::position::Position;
use crate::search::request::Event;
use crate::session::{InputLine, InputQueue, QueuedInput, SessionOutput, line_too_long};
use crate::sys::{self, Instant};
use crate::usi::command::{Parsed, parse, sets_position, urgency};
use crate::usi::{PROTOCOL_MARKS, messages};

/// Maximum time to give the answers that are due at the end of the input.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The timeouts of a session, which tests shorten.
#[derive(Clone, Copy, Debug)]
pub struct SessionTimeouts {
    /// Interval of the blank lines sent while `readyok` is pending.
    pub keep_alive: Duration,
    /// Maximum time from `quit` to the end of the session, for answers that are still due, unless the input ends too.
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
pub struct Session<B> {
    pub(super) engine: Engine<B>,
    /// The initial settings, which are declared as the defaults.
    pub(super) initial_settings: Settings,
    pub(super) output: SessionOutput,
    pub(super) input_queue: InputQueue,
    pub(super) events: Receiver<Event>,
    /// Error messages of the logs.
    pub(super) log_errors: Receiver<String>,
    pub(super) perft_runner: PerftRunner,
    pub(super) tasks: VecDeque<QueuedTask>,
    pub(super) lateness: Lateness,
    /// Whether the last `position` was refused or truncated, so that the position of the GUI is unknown.
    pub(super) is_position_unknown: bool,
    /// Positions of `eval` commands that wait for a network to load.
    pub(super) awaiting_eval: Vec<Position>,
    /// Number of `isready` commands without an answer.
    pub(super) awaiting_ready: usize,
    pub(super) next_blank: Instant,
    pub(super) timeouts: SessionTimeouts,
    pub(super) debug: bool,
    /// After `quit`: when the session ends at the latest.
    pub(super) quit_deadline: Option<Instant>,
    /// After `quit`: whether the input is still open. Its end postpones the deadline; lines are ignored.
    pub(super) is_open_after_quit: bool,
}

/// An event that the session handles.
pub(super) enum SessionEvent<B> {
    Line(InputLine),
    /// A queued input whose turn has come.
    Queued(QueuedInput),
    /// The input has ended.
    EndOfInput,
    /// The GUI has read something.
    OutputRead,
    /// The output is closed, or a fatal error has occurred.
    End,
    Search(Event),
    Loaded(Box<LoadResult<B>>),
    PerftDone(Perft),
    LogError(String),
    Timer,
}

impl<B: SearchBackend> Session<B> {
    /// A session for an engine whose backend sends its events to `events`.
    ///
    /// # Errors
    /// If the writer thread cannot be started.
    pub fn open(
        engine: Engine<B>,
        events: Receiver<Event>,
        output: impl Write + Send + 'static,
    ) -> io::Result<Session<B>> {
        let (log_error_sender, log_errors) = unbounded();
        let (sender, results) = unbounded();
        let mut output = SessionOutput::open(PROTOCOL_MARKS, output, log_error_sender)?;
        let settings = engine.settings();
        output.set_logs(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
        if let Some(text) = messages::low_memory_warning(sys::available_memory()) {
            output.write_engine_error(&text);
            output.flush();
        }
        Ok(Session {
            initial_settings: engine.settings().clone(),
            engine,
            output,
            input_queue: InputQueue::new(SessionTimeouts::default().quit),
            events,
            log_errors,
            perft_runner: PerftRunner { sender, results },
            tasks: VecDeque::new(),
            lateness: Lateness::default(),
            is_position_unknown: false,
            awaiting_eval: Vec::new(),
            awaiting_ready: 0,
            next_blank: Instant::now(),
            timeouts: SessionTimeouts::default(),
            debug: false,
            quit_deadline: None,
            is_open_after_quit: false,
        })
    }

    /// The same session with other timeouts.
    pub fn with_timeouts(self, timeouts: SessionTimeouts) -> Session<B> {
        Session { timeouts, input_queue: InputQueue::new(timeouts.quit), ..self }
    }

    pub(super) fn handle(&mut self, event: SessionEvent<B>) {
        match event {
            SessionEvent::Line(_) if self.is_open_after_quit => {}
            SessionEvent::EndOfInput if self.is_open_after_quit => self.end_input(),
            SessionEvent::Line(line) if self.must_queue() => {
                let urgency = urgency(&line);
                if self.input_queue.push(line, urgency, Instant::now()) {
                    self.stop_last_task();
                }
            }
            SessionEvent::EndOfInput if self.must_queue() => {
                self.input_queue.push_end(Instant::now());
                self.stop_last_task();
            }
            SessionEvent::Line(line) | SessionEvent::Queued(QueuedInput::Line(line)) => {
                self.handle_line(&line);
            }
            SessionEvent::EndOfInput | SessionEvent::Queued(QueuedInput::End) => self.end_input(),
            SessionEvent::OutputRead => self.input_queue.restart_timeout(Instant::now()),
            SessionEvent::End => self.end(),
            SessionEvent::Search(event) => self.handle_search_event(event),
            SessionEvent::Loaded(loaded) => self.finish_load(*loaded),
            SessionEvent::PerftDone(perft) => self.finish_perft(&perft),
            SessionEvent::LogError(text) => self.output.write_error(&text),
            SessionEvent::Timer => self.check_time(),
        }
    }

    /// Whether a line has to wait until the GUI reads the output.
    fn must_queue(&self) -> bool {
        !self.input_queue.is_empty() || self.output.is_backlogged()
    }

    fn check_time(&mut self) {
        let now = Instant::now();
        let is_over = |end_deadline| now >= end_deadline;
        if self.quit_deadline.is_none() && self.input_queue.end_deadline().is_some_and(is_over) {
            return self.begin_quit();
        }
        if self.awaiting_ready > 0 && now >= self.next_blank {
            self.output.write_line("");
            self.next_blank += self.timeouts.keep_alive;
        }
    }

    fn handle_line(&mut self, line: &InputLine) {
        self.output.log_input(&line.bytes);
        if line.truncated {
            return self.handle_truncated_line(&line.bytes);
        }
        let Parsed { command, errors } = parse(&line.bytes);
        for error in errors {
            self.output.write_error(&error.to_string());
        }
        if let Some(command) = command {
            self.execute(command, line.received);
        }
    }

    /// Handles a truncated line: it is not executed, but may have changed the position of the GUI.
    fn handle_truncated_line(&mut self, beginning: &[u8]) {
        self.output.write_error(&line_too_long());
        self.is_position_unknown |= sets_position(beginning);
    }

    /// Logs a note, and shows it in debug mode.
    pub(super) fn note(&mut self, text: &str) {
        self.output.log_note(text);
        if self.debug {
            self.output.write_message(text);
        }
    }

    /// Handles the end of the input. No GUI kills the engine then, so every command is still answered, however busy
    /// the machine is.
    fn end_input(&mut self) {
        self.begin_quit();
        self.is_open_after_quit = false;
        self.quit_deadline = Some(Instant::now() + ANSWER_TIMEOUT);
    }

    /// Executes `quit`. A GUI does not wait for `readyok` then, but `eval` is typed by a user, who still gets the
    /// answer, and a script that ends the input after `quit` gets all answers.
    pub(super) fn quit(&mut self) {
        self.begin_quit();
        self.is_open_after_quit = true;
        if !self.awaiting_eval.is_empty() {
            self.quit_deadline = Some(Instant::now() + ANSWER_TIMEOUT);
        }
    }

    /// Ends the session at once: nobody receives an answer, or none will come.
    fn end(&mut self) {
        self.begin_quit();
        self.quit_deadline = Some(Instant::now());
    }

    /// Stops the last task. The session ends when every answer is sent.
    pub(super) fn begin_quit(&mut self) {
        if self.quit_deadline.is_none() {
            self.quit_deadline = Some(Instant::now() + self.timeouts.quit);
            self.stop_last_task();
        }
    }
}
