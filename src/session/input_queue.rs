//! The lines of a GUI that does not read the output: they are queued, because their answers would fill the memory.
//! Only a line that stops the search, or the end of the session, acts at once.

use std::collections::VecDeque;
use std::time::Duration;

use super::reader::InputLine;
use crate::sys::Instant;

/// Maximum memory of the queued lines, in bytes. No more is read when it is used up.
const MAX_BYTES: usize = 64 << 20;
/// Memory of a queued line in addition to its text, in bytes.
const LINE_BYTES: usize = 2 * size_of::<InputLine>();
/// When the queue is full, a GUI that reads nothing for this time counts as gone.
const MAX_STALL: Duration = Duration::from_secs(10);

/// The queued lines, oldest first.
#[derive(Debug)]
pub struct InputQueue {
    lines: VecDeque<InputLine>,
    bytes: usize,
    /// Whether `quit` or the end of the input is queued. Nothing is read after it.
    has_end: bool,
    /// Maximum time without a read by the GUI until a queued end takes effect.
    end_timeout: Duration,
    /// When the GUI last read something, or when the wait for that began.
    last_read: Instant,
}

/// Whether a line can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    InTurn,
    /// Stops the search.
    Stop,
    /// Stops the search and ends the session.
    Quit,
}

/// A queued input.
#[derive(Debug, PartialEq, Eq)]
pub enum QueuedInput {
    Line(InputLine),
    /// The end of the input.
    End,
}

impl InputQueue {
    pub fn new(end_timeout: Duration) -> InputQueue {
        let (lines, last_read) = (VecDeque::new(), Instant::now());
        InputQueue { lines, bytes: 0, has_end: false, end_timeout, last_read }
    }

    /// Whether nothing is queued.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.has_end
    }

    /// Whether another line may be read.
    pub fn has_room(&self) -> bool {
        !self.has_end && !self.is_full()
    }

    fn is_full(&self) -> bool {
        self.bytes >= MAX_BYTES
    }

    /// Queues a line. Returns whether the line must also stop the search at once.
    pub fn push(&mut self, line: InputLine, urgency: Urgency, now: Instant) -> bool {
        self.bytes += line.bytes.len() + LINE_BYTES;
        self.lines.push_back(line);
        self.has_end = urgency == Urgency::Quit;
        if !self.has_room() {
            self.last_read = now;
        }
        urgency != Urgency::InTurn
    }

    /// Queues the end of the input.
    pub fn push_end(&mut self, now: Instant) {
        self.has_end = true;
        self.last_read = now;
    }

    /// Removes the oldest input; `None` if nothing is queued.
    pub fn pop(&mut self) -> Option<QueuedInput> {
        let Some(line) = self.lines.pop_front() else {
            return self.has_end.then_some(QueuedInput::End);
        };
        self.bytes -= line.bytes.len() + LINE_BYTES;
        Some(QueuedInput::Line(line))
    }

    /// Restarts the timeout of [`InputQueue::end_deadline`], because the GUI has read something.
    pub fn restart_timeout(&mut self, now: Instant) {
        self.last_read = now;
    }

    /// When the session ends if the GUI reads nothing until then.
    pub fn end_deadline(&self) -> Option<Instant> {
        let timeout = if self.has_end { self.end_timeout } else { MAX_STALL };
        (!self.has_room()).then(|| self.last_read + timeout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, received: Instant) -> InputLine {
        InputLine { bytes: text.into(), truncated: false, received }
    }

    #[test]
    fn lines_are_queued_in_order_and_only_stop_acts_at_once() {
        let (mut queue, now) = (InputQueue::new(Duration::from_secs(1)), Instant::now());
        let texts = ["usi", "stop", "go infinite"];
        let urgencies = [Urgency::InTurn, Urgency::Stop, Urgency::InTurn];
        for (text, urgency) in texts.into_iter().zip(urgencies) {
            let stops = queue.push(line(text, now), urgency, now);
            assert_eq!(stops, urgency == Urgency::Stop, "{text}");
        }
        assert!(queue.has_room() && queue.end_deadline().is_none());
        for text in texts {
            assert_eq!(queue.pop(), Some(QueuedInput::Line(line(text, now))));
        }
        assert!(queue.is_empty() && queue.pop().is_none() && queue.bytes == 0);
    }

    #[test]
    fn quit_is_executed_in_its_turn_or_after_a_timeout_without_reads() {
        let (timeout, now) = (Duration::from_secs(1), Instant::now());
        for end in ["quit", ""] {
            let mut queue = InputQueue::new(timeout);
            queue.push(line("usi", now), Urgency::InTurn, now);
            if end.is_empty() {
                queue.push_end(now);
            } else {
                queue.push(line(end, now), Urgency::Quit, now);
            }
            assert!(!queue.has_room());
            assert_eq!(queue.end_deadline(), Some(now + timeout));
            queue.restart_timeout(now + timeout);
            assert_eq!(queue.end_deadline(), Some(now + 2 * timeout));
            queue.pop();
            assert!(!queue.is_empty());
            let last = queue.pop();
            assert_eq!(last == Some(QueuedInput::End), end.is_empty(), "{last:?}");
        }
    }

    #[test]
    fn the_memory_of_the_lines_is_limited() {
        let (mut queue, now) = (InputQueue::new(Duration::from_secs(1)), Instant::now());
        while queue.has_room() {
            queue.push(line(&"x".repeat(1 << 20), now), Urgency::InTurn, now);
        }
        assert_eq!(queue.lines.len(), 64);
        assert_eq!(queue.end_deadline(), Some(now + MAX_STALL));
        queue.pop();
        assert!(queue.has_room() && queue.end_deadline().is_none());
    }
}
