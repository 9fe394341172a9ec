//! The event loop of programs with one source of events: lines of the GUI and events of other threads go to
//! one [`Protocol`], which writes all answers. No call in the loop may take long.

use std::io::{self, Read, Write};
use std::time::Duration;

use crossbeam::channel::{Receiver, at, never, select, unbounded};

use super::input_queue::{InputQueue, QueuedInput, Urgency};
use super::output::{ProtocolMarks, SessionOutput};
use super::reader::{self, InputLine};
use crate::sys::Instant;

/// Maximum time without a read by the GUI after `quit`; then the lines queued before it are dropped.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum time to write the rest of the output, and of each log, at the end.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(100);

/// Executes the lines of the GUI and handles the events of other threads.
pub trait Protocol {
    /// An event of another thread.
    type Event;

    fn events(&self) -> &Receiver<Self::Event>;

    fn urgency(&self, line: &InputLine) -> Urgency;

    /// Executes a line of the GUI.
    fn execute_line(&mut self, line: &InputLine, output: &mut SessionOutput);

    /// Handles an event of another thread.
    fn handle_event(&mut self, event: Self::Event, output: &mut SessionOutput);

    /// Stops the search because of a line that is still queued.
    fn stop(&mut self);

    /// The GUI has ended the input, perhaps after `quit`.
    fn end_input(&mut self) {
        self.quit();
    }

    /// The GUI has stopped reading.
    fn quit(&mut self) {
        self.stop();
    }

    /// Does the work whose time has come. Called before each wait for an event.
    fn advance(&mut self, _output: &mut SessionOutput) {}

    /// When [`Protocol::advance`] must be called even if no event comes before; `None` for never.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Whether further lines have to wait because too many searches are unfinished.
    fn is_busy(&self) -> bool {
        false
    }

    /// Whether the protocol owes an answer. The conversation does not end before it is written, unless the output is
    /// closed.
    fn owes_answer(&self) -> bool;

    /// Whether a fatal error has occurred. It ends the conversation.
    fn has_failed(&self) -> bool {
        false
    }
}

/// The state of the event loop.
#[derive(Debug)]
pub struct EventLoop {
    pub output: SessionOutput,
    input_queue: InputQueue,
    log_errors: Receiver<String>,
    /// `quit` has been executed, or the GUI is gone. No more lines are executed.
    is_quitting: bool,
    /// After `quit`: whether the input is still open. A script that ends it gets answers that a GUI does not wait for.
    is_open_after_quit: bool,
    /// The output is closed, or a fatal error has occurred. No answer is waited for.
    has_ended: bool,
}

/// What ends a wait.
enum LoopEvent<E> {
    Line(InputLine),
    /// A queued input whose turn has come.
    Queued(QueuedInput),
    /// The input has ended.
    EndOfInput,
    /// The GUI has read something.
    OutputRead,
    Event(E),
    LogError(String),
    /// The output is closed, or a fatal error has occurred.
    End,
    Timer,
}

impl EventLoop {
    /// A conversation with a GUI that reads `output`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(
        marks: ProtocolMarks,
        output: impl Write + Send + 'static,
    ) -> io::Result<EventLoop> {
        let (log_error_sender, log_errors) = unbounded();
        let output = SessionOutput::open(marks, output, log_error_sender)?;
        Ok(EventLoop {
            output,
            input_queue: InputQueue::new(QUIT_TIMEOUT),
            log_errors,
            is_quitting: false,
            is_open_after_quit: false,
            has_ended: false,
        })
    }

    /// Runs until `quit`, the end of a stream, or a fatal error.
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
            let has_finished = self.is_quitting && !protocol.owes_answer();
            if has_finished || self.has_ended || protocol.has_failed() {
                return Ok(());
            }
            let event = self.wait(protocol, &lines);
            self.handle(protocol, event);
        }
    }

    /// Writes the rest of the output and of the logs.
    ///
    /// # Errors
    /// See [`SessionOutput::close`].
    pub fn close(self) -> io::Result<()> {
        self.output.close(CLOSE_TIMEOUT, CLOSE_TIMEOUT)
    }

    fn wait<P: Protocol>(
        &mut self,
        protocol: &P,
        lines: &Receiver<InputLine>,
    ) -> LoopEvent<P::Event> {
        let is_running = !self.is_quitting;
        let may_execute = is_running && !protocol.is_busy();
        if may_execute
            && !self.output.is_backlogged()
            && let Some(input) = self.input_queue.pop()
        {
            return LoopEvent::Queued(input);
        }
        let end_deadline = self.input_queue.end_deadline().filter(|_| is_running);
        let timer = protocol.due().into_iter().chain(end_deadline).min().map_or_else(never, at);
        let (no_lines, no_progress) = (never(), never());
        // Not after the end of the input: the closed channel would wake the loop again and again.
        let may_read = self.is_open_after_quit || may_execute && self.input_queue.has_room();
        let lines = if may_read { lines } else { &no_lines };
        let has_queued = is_running && !self.input_queue.is_empty();
        let progress = if has_queued { self.output.progress() } else { &no_progress };
        select! {
            recv(lines) -> line => line.map_or(LoopEvent::EndOfInput, LoopEvent::Line),
            recv(progress) -> _ => LoopEvent::OutputRead,
            recv(protocol.events()) -> event => event.map_or(LoopEvent::End, LoopEvent::Event),
            recv(self.log_errors) -> text => text.map_or(LoopEvent::End, LoopEvent::LogError),
            recv(self.output.closed()) -> _ => LoopEvent::End,
            recv(timer) -> _ => LoopEvent::Timer,
        }
    }

    fn handle<P: Protocol>(&mut self, protocol: &mut P, event: LoopEvent<P::Event>) {
        let now = Instant::now();
        let is_waiting = !self.input_queue.is_empty() || self.output.is_backlogged();
        let must_queue = is_waiting && !self.is_quitting;
        match event {
            LoopEvent::Line(_) if self.is_quitting => {}
            LoopEvent::Line(line) if must_queue => {
                let urgency = protocol.urgency(&line);
                if self.input_queue.push(line, urgency, now) {
                    protocol.stop();
                }
            }
            LoopEvent::EndOfInput if must_queue => {
                self.input_queue.push_end(now);
                protocol.stop();
            }
            LoopEvent::Line(line) | LoopEvent::Queued(QueuedInput::Line(line)) => {
                self.output.log_input(&line.bytes);
                self.is_quitting = protocol.urgency(&line) == Urgency::Quit;
                self.is_open_after_quit = self.is_quitting;
                protocol.execute_line(&line, &mut self.output);
            }
            LoopEvent::EndOfInput | LoopEvent::Queued(QueuedInput::End) => {
                (self.is_quitting, self.is_open_after_quit) = (true, false);
                protocol.end_input();
            }
            LoopEvent::OutputRead => self.input_queue.restart_timeout(now),
            LoopEvent::Event(event) => protocol.handle_event(event, &mut self.output),
            LoopEvent::LogError(text) => self.output.write_error(&text),
            LoopEvent::End => {
                self.has_ended = true;
                protocol.quit();
            }
            LoopEvent::Timer if self.input_queue.end_deadline().is_some_and(|end| now >= end) => {
                self.is_quitting = true;
                protocol.quit();
            }
            LoopEvent::Timer => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::Sender;

    use super::*;

    const MARKS: ProtocolMarks = ProtocolMarks { name: "test", message_prefix: "# " };

    /// Owes an answer until the input ends, or a minute is over. Repeats the lines.
    struct Waiting {
        events: (Sender<()>, Receiver<()>),
        lines: Vec<Vec<u8>>,
        has_input_ended: bool,
        give_up: Instant,
    }

    impl Waiting {
        fn new() -> Waiting {
            let give_up = Instant::now() + Duration::from_secs(60);
            let (events, lines) = (unbounded(), Vec::new());
            Waiting { events, lines, has_input_ended: false, give_up }
        }
    }

    impl Protocol for Waiting {
        type Event = ();

        fn events(&self) -> &Receiver<()> {
            &self.events.1
        }

        fn urgency(&self, line: &InputLine) -> Urgency {
            if line.bytes == b"quit" { Urgency::Quit } else { Urgency::InTurn }
        }

        fn execute_line(&mut self, line: &InputLine, output: &mut SessionOutput) {
            self.lines.push(line.bytes.clone());
            output.write_line(&String::from_utf8_lossy(&line.bytes));
        }

        fn handle_event(&mut self, (): (), _output: &mut SessionOutput) {}

        fn stop(&mut self) {}

        fn end_input(&mut self) {
            self.has_input_ended = true;
        }

        fn due(&self) -> Option<Instant> {
            Some(self.give_up)
        }

        fn owes_answer(&self) -> bool {
            !self.has_input_ended && Instant::now() < self.give_up
        }
    }

    /// Regression: it went unnoticed.
    #[test]
    fn the_end_of_the_input_after_quit_is_noticed_and_lines_before_it_are_ignored() {
        let mut event_loop = EventLoop::open(MARKS, io::sink()).unwrap();
        let mut protocol = Waiting::new();
        event_loop.run(&mut protocol, &b"first\nquit\nlast\n"[..]).unwrap();
        event_loop.close().unwrap();
        assert!(protocol.has_input_ended);
        assert_eq!(protocol.lines, [&b"first"[..], b"quit"]);
    }

    /// Regression: the loop waited for the answer, which nobody could receive.
    #[test]
    fn a_closed_output_ends_the_conversation_at_once_after_quit_too() {
        let (input, _open_end) = io::pipe().unwrap();
        // It takes no byte.
        let closed: &mut [u8] = &mut [];
        let mut event_loop = EventLoop::open(MARKS, closed).unwrap();
        let mut protocol = Waiting::new();
        event_loop.run(&mut protocol, (&b"quit\n"[..]).chain(input)).unwrap();
        assert!(Instant::now() < protocol.give_up);
    }
}
