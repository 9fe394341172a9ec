//! The session with a GUI: one loop that hears lines and events, and is the only one to answer.
//!
//! It is idle, or it has tasks: accepted `go`s, of which the first is being searched or holds its
//! result back, and all but the last have been told to end. Each gets exactly one answer. An `isready`
//! behind those that are ending is a task too. Whatever takes long (searching, preparing, counting,
//! reading, writing) happens on other threads, so a line is obeyed as soon as it comes. Knows what may
//! be said when; how it is spelled is `line`'s, and what an event makes of a `go` is `turn`'s.

mod commands;
mod reports;
mod tasks;

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, at, never, select, unbounded};

use super::command::{Parsed, parse, tells_position};
use super::complaint;
use super::log::Logs;
use super::output::Output;
use super::reader::{self, InputLine};
use crate::engine::{Engine, LoadResult, Perft, SearchBackend, Settings};
use crate::position::Position;
use crate::search::request::Event;
use tasks::Task;

/// How long each log may take to be written at the end, and the output even after the farewell.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// With so many tasks and questions open, further lines wait. It is not for long: all tasks but the
/// last are ending, and questions wait for the workshop only.
const MOST_TASKS: usize = 64;

/// How long the session takes over things.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two blank lines that tell a GUI that `readyok` is still to come.
    pub keep_alive: Duration,
    /// At most from `quit` to the end, for what is still owed to the GUI.
    pub farewell: Duration,
}

impl Default for Pace {
    /// A GUI may give up after 30 s without a line, and kills a second after `quit`.
    fn default() -> Pace {
        Pace { keep_alive: Duration::from_secs(5), farewell: Duration::from_millis(500) }
    }
}

/// See the module's comment.
#[derive(Debug)]
pub struct Session<S> {
    engine: Engine<S>,
    /// The settings at the start, which are declared as defaults.
    initial: Settings,
    output: Output,
    events: Receiver<Event>,
    /// What the logs have to say.
    notices: Receiver<String>,
    counter: Counter,
    tasks: VecDeque<Task>,
    /// The GUI has another position than the engine: what it said of it last was refused, or too long.
    is_astray: bool,
    /// Positions whose evaluation waits for a network that is being loaded.
    awaiting_eval: Vec<Position>,
    /// How many `isready` wait for their answer, and when the next blank line is due.
    awaiting_ready: usize,
    next_blank: Instant,
    pace: Pace,
    debug: bool,
    /// Set once the session is to end: when, at the latest.
    leaving: Option<Instant>,
}

/// Where counts come back from their threads.
#[derive(Debug)]
struct Counter {
    sender: Sender<Perft>,
    counts: Receiver<Perft>,
}

/// What woke the session.
enum Wake<S> {
    Line(InputLine),
    /// Of the input, or of something without which nothing can go on.
    End,
    Event(Event),
    Prepared(Box<LoadResult<S>>),
    Count(Perft),
    Notice(String),
    Timer,
}

impl<S: SearchBackend> Session<S> {
    /// A session that drives this engine, whose searcher sends its events to `events`.
    ///
    /// # Errors
    /// If there is no thread to write with.
    pub fn open(
        engine: Engine<S>,
        events: Receiver<Event>,
        output: impl Write + Send + 'static,
    ) -> io::Result<Session<S>> {
        let (complaints, notices) = unbounded();
        let (sender, counts) = unbounded();
        let mut output = Output::open(output, Logs::new(complaints))?;
        output.follow(engine.settings());
        Ok(Session {
            initial: engine.settings().clone(),
            engine,
            output,
            events,
            notices,
            counter: Counter { sender, counts },
            tasks: VecDeque::new(),
            is_astray: false,
            awaiting_eval: Vec::new(),
            awaiting_ready: 0,
            next_blank: Instant::now(),
            pace: Pace::default(),
            debug: false,
            leaving: None,
        })
    }

    /// The same session at another pace.
    pub fn with_pace(self, pace: Pace) -> Session<S> {
        Session { pace, ..self }
    }

    /// Serves until `quit`, the end of the input, or until nobody reads the output.
    ///
    /// # Errors
    /// If there is no thread to read with.
    pub fn run(mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let lines = reader::spawn(input)?;
        while !self.is_over() {
            let wake = self.wait(&lines);
            self.handle(wake);
            self.output.flush();
        }
        // Said is not yet written, least of all on a busy machine.
        let left = self.leaving.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        self.engine.quit();
        self.output.close(left.unwrap_or_default(), LAST_WORDS);
        Ok(())
    }

    fn is_over(&self) -> bool {
        let owing =
            !self.tasks.is_empty() || self.awaiting_ready > 0 || !self.awaiting_eval.is_empty();
        self.leaving.is_some_and(|deadline| !owing || Instant::now() >= deadline)
    }

    fn wait(&self, lines: &Receiver<InputLine>) -> Wake<S> {
        let staying = self.leaving.is_none();
        let (nothing_said, nothing_closed) = (never(), never());
        let open = self.tasks.len() + self.awaiting_eval.len();
        let listening = staying && open < MOST_TASKS;
        let lines = if listening { lines } else { &nothing_said };
        let closed = if staying { self.output.closed() } else { &nothing_closed };
        let timer = self.timer();
        select! {
            recv(lines) -> line => line.map_or(Wake::End, Wake::Line),
            recv(closed) -> _ => Wake::End,
            recv(self.events) -> event => event.map_or(Wake::End, Wake::Event),
            recv(self.engine.load_results()) -> searcher => {
                searcher.map_or(Wake::End, |searcher| Wake::Prepared(Box::new(searcher)))
            }
            recv(self.counter.counts) -> count => count.map_or(Wake::End, Wake::Count),
            recv(self.notices) -> notice => notice.map_or(Wake::End, Wake::Notice),
            recv(timer) -> _ => Wake::Timer,
        }
    }

    fn timer(&self) -> Receiver<Instant> {
        match self.leaving {
            Some(deadline) => at(deadline),
            None if self.awaiting_ready > 0 => at(self.next_blank),
            None => never(),
        }
    }

    fn handle(&mut self, wake: Wake<S>) {
        match wake {
            Wake::Line(line) => self.hear(&line),
            Wake::End => self.leave(),
            Wake::Event(event) => self.report(event),
            Wake::Prepared(searcher) => self.take_back(*searcher),
            Wake::Count(count) => self.counted(&count),
            Wake::Notice(text) => self.output.complain(&text),
            Wake::Timer if self.leaving.is_none() => {
                self.output.line("");
                self.next_blank += self.pace.keep_alive;
            }
            Wake::Timer => {}
        }
    }

    fn hear(&mut self, line: &InputLine) {
        self.output.heard(&line.bytes);
        if line.cut {
            return self.hear_cut(&line.bytes);
        }
        let Parsed { command, errors } = parse(&line.bytes);
        for error in errors {
            self.output.complain(&error.to_string());
        }
        if let Some(command) = command {
            self.obey(command, line.received);
        }
    }

    /// A line that was too long, of which this is kept: not obeyed, but it may have changed what the
    /// GUI means by the position.
    fn hear_cut(&mut self, beginning: &[u8]) {
        self.output.complain(&complaint::line_too_long());
        self.is_astray |= tells_position(beginning);
    }

    /// A remark for the log, and for the user who has asked for such.
    fn note(&mut self, text: &str) {
        self.output.note(text);
        if self.debug {
            self.output.message(text);
        }
    }

    /// The session ends as soon as nothing more is owed to the GUI.
    fn leave(&mut self) {
        if self.leaving.is_none() {
            self.leaving = Some(Instant::now() + self.pace.farewell);
            self.release();
        }
    }
}
