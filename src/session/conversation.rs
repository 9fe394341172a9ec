//! The loop of a conversation: lines of the GUI and events of other threads go to one [`Protocol`], which
//! writes all answers. Nothing in it may take long.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, at, never, select, unbounded};

use super::held_lines::{Held, HeldLines, Urgency};
use super::output::{ProtocolMarks, SessionOutput};
use super::reader::{self, InputLine};

/// How long the GUI may read nothing after `quit` until the lines before it are given up.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How long the output and each log may take at the end.
const CLOSE_PATIENCE: Duration = Duration::from_millis(100);

/// What a protocol does with what happens.
pub trait Protocol {
    /// What other threads send.
    type Event;

    fn events(&self) -> &Receiver<Self::Event>;

    fn urgency(&self, line: &InputLine) -> Urgency;

    /// Executes a line in its turn.
    fn read(&mut self, line: &InputLine, output: &mut SessionOutput);

    /// Handles an event.
    fn handle(&mut self, event: Self::Event, output: &mut SessionOutput);

    /// Stops the search, because of a line that cannot wait.
    fn stop(&mut self);

    /// The GUI is gone, without `quit`.
    fn quit(&mut self) {
        self.stop();
    }

    /// Does what is due. Called after everything that happens.
    fn advance(&mut self, _output: &mut SessionOutput) {}

    /// When something is due, whatever happens until then.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Whether lines have to wait, because too much is unfinished.
    fn is_busy(&self) -> bool {
        false
    }

    /// Whether an answer is due. The conversation ends only without one.
    fn owes_answer(&self) -> bool;

    /// Whether something essential has failed, which ends the conversation.
    fn has_failed(&self) -> bool {
        false
    }
}

/// The side of the GUI.
#[derive(Debug)]
pub struct Conversation {
    pub output: SessionOutput,
    held: HeldLines,
    log_errors: Receiver<String>,
    /// `quit` has been executed, or the GUI is gone. No line is read any more.
    is_quitting: bool,
}

/// What the loop waits for.
enum LoopEvent<E> {
    Line(InputLine),
    /// A line that was held, in its turn.
    Held(InputLine),
    /// The lines have ended.
    EndOfInput,
    /// The GUI has read something.
    Progress,
    Event(E),
    LogError(String),
    /// The output is closed, or something essential has failed.
    End,
    Timer,
}

impl Conversation {
    /// A GUI that reads `output`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(
        marks: ProtocolMarks,
        output: impl Write + Send + 'static,
    ) -> io::Result<Conversation> {
        let (complaints, log_errors) = unbounded();
        let output = SessionOutput::open(marks, output, complaints)?;
        let held = HeldLines::new(QUIT_TIMEOUT);
        Ok(Conversation { output, held, log_errors, is_quitting: false })
    }

    /// Speaks until the protocol has ended.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn run<P: Protocol>(
        &mut self,
        protocol: &mut P,
        input: impl Read + Send + 'static,
    ) -> io::Result<()> {
        let lines = reader::spawn(input)?;
        loop {
            protocol.advance(&mut self.output);
            self.output.flush();
            if protocol.has_failed() || self.is_quitting && !protocol.owes_answer() {
                return Ok(());
            }
            let event = self.wait(protocol, &lines);
            self.handle(protocol, event);
        }
    }

    /// Sends the rest.
    pub fn close(self) {
        self.output.close(CLOSE_PATIENCE, CLOSE_PATIENCE);
    }

    fn wait<P: Protocol>(
        &mut self,
        protocol: &P,
        lines: &Receiver<InputLine>,
    ) -> LoopEvent<P::Event> {
        // After `quit` the input is ignored; a closed channel would wake the loop again and again.
        let is_running = !self.is_quitting;
        let may_execute = is_running && !protocol.is_busy();
        if may_execute && !self.output.is_backlogged() {
            match self.held.take() {
                Some(Held::Line(line)) => return LoopEvent::Held(line),
                Some(Held::End) => return LoopEvent::End,
                None => {}
            }
        }
        let end_deadline = self.held.end_deadline().filter(|_| is_running);
        let timer = protocol.due().into_iter().chain(end_deadline).min().map_or_else(never, at);
        let (no_lines, no_end, no_progress) = (never(), never(), never());
        let lines = if may_execute && self.held.has_room() { lines } else { &no_lines };
        let closed = if is_running { self.output.closed() } else { &no_end };
        let is_holding = is_running && !self.held.is_empty();
        let progress = if is_holding { self.output.progress() } else { &no_progress };
        select! {
            recv(lines) -> line => line.map_or(LoopEvent::EndOfInput, LoopEvent::Line),
            recv(progress) -> _ => LoopEvent::Progress,
            recv(protocol.events()) -> event => event.map_or(LoopEvent::End, LoopEvent::Event),
            recv(self.log_errors) -> text => text.map_or(LoopEvent::End, LoopEvent::LogError),
            recv(closed) -> _ => LoopEvent::End,
            recv(timer) -> _ => LoopEvent::Timer,
        }
    }

    fn handle<P: Protocol>(&mut self, protocol: &mut P, event: LoopEvent<P::Event>) {
        let now = Instant::now();
        let must_hold = !self.held.is_empty() || self.output.is_backlogged();
        match event {
            LoopEvent::Line(line) if must_hold => {
                let urgency = protocol.urgency(&line);
                if self.held.hold(line, urgency, now) {
                    protocol.stop();
                }
            }
            LoopEvent::Line(line) | LoopEvent::Held(line) => {
                self.output.log_input(&line.bytes);
                self.is_quitting = protocol.urgency(&line) == Urgency::Quit;
                protocol.read(&line, &mut self.output);
            }
            LoopEvent::EndOfInput if must_hold => {
                self.held.hold_end(now);
                protocol.stop();
            }
            LoopEvent::Progress => self.held.note_progress(now),
            LoopEvent::Event(event) => protocol.handle(event, &mut self.output),
            LoopEvent::LogError(text) => self.output.error(&text),
            LoopEvent::EndOfInput | LoopEvent::End => self.quit(protocol),
            LoopEvent::Timer if self.held.end_deadline().is_some_and(|end| now >= end) => {
                self.quit(protocol);
            }
            LoopEvent::Timer => {}
        }
    }

    fn quit(&mut self, protocol: &mut impl Protocol) {
        self.is_quitting = true;
        protocol.quit();
    }
}
