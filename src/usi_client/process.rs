//! A child process that speaks USI: what it answers, stamped with the time at which it came.
//!
//! It knows which lines of an engine matter, but not what they mean. `info` lines are folded into
//! the figures of the running search at once, and lines that nobody waits for are dropped, so memory
//! stays bounded.

use std::convert::Infallible;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TryRecvError, at, bounded, select_biased};

use super::SearchInfo;
use super::child::ChildProcess;

/// Lines that may wait to be looked at.
const QUEUE: usize = 4096;
/// How long a process that has closed its pipes may take to end before nobody asks why it did.
const CLEAR: Duration = Duration::from_secs(1);

/// A line that matters.
#[derive(Debug)]
pub struct EngineLine {
    pub line: String,
    pub at: Instant,
    /// With `bestmove`: what the search reported before it.
    pub info: SearchInfo,
}

/// Why nothing was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// Not in time.
    Timeout,
    /// Nobody wants to hear it any more.
    Left,
    /// The process closed its output.
    Closed,
}

/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pipes: ChildProcess,
    /// Where the lines that matter come in.
    pub(super) heard: Receiver<EngineLine>,
}

impl Process {
    /// Starts it, as [`ChildProcess::spawn`] does. The figures of its searches go to `watcher` too, as they
    /// come.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub(super) fn spawn(
        command: Command,
        own_group: bool,
        watcher: Option<Sender<SearchInfo>>,
    ) -> io::Result<Process> {
        let (sender, heard) = bounded(QUEUE);
        let mut ear = Ear { sender, watcher, info: SearchInfo::default() };
        let pipes = ChildProcess::spawn(command, own_group, move |line| ear.hear(line))?;
        Ok(Process { pipes, heard })
    }

    /// The next line that matters, waiting for it until `deadline`, or until `interest`
    /// disconnects. A line that has come already is heard in any case.
    ///
    /// # Errors
    /// [`Silence`] when there is none.
    pub(super) fn hear(
        &self,
        deadline: Instant,
        interest: &Receiver<Infallible>,
    ) -> Result<EngineLine, Silence> {
        select_biased! {
            recv(self.heard) -> heard => heard.map_err(|_| Silence::Closed),
            recv(interest) -> _ => Err(Silence::Left),
            recv(at(deadline)) -> _ => Err(Silence::Timeout),
        }
    }

    /// The next line that has already come.
    ///
    /// # Errors
    /// [`Silence`] when there is none, never [`Silence::Left`].
    pub(super) fn hear_now(&self) -> Result<EngineLine, Silence> {
        self.heard.try_recv().map_err(|error| match error {
            TryRecvError::Empty => Silence::Timeout,
            TryRecvError::Disconnected => Silence::Closed,
        })
    }

    /// How a process that closed its pipes ended, in words.
    pub(super) fn end(&mut self) -> String {
        self.pipes.end(CLEAR)
    }
}

/// What hears an engine.
struct Ear {
    sender: Sender<EngineLine>,
    watcher: Option<Sender<SearchInfo>>,
    info: SearchInfo,
}

impl Ear {
    fn hear(&mut self, line: &str) {
        let at = Instant::now();
        let keep = match line.split_whitespace().next() {
            Some("info") => {
                self.info.update(line);
                // Who does not keep up misses some; the last comes with the answer.
                _ = self.watcher.as_ref().map(|watcher| watcher.try_send(self.info.clone()));
                return;
            }
            Some("bestmove" | "readyok") => std::mem::take(&mut self.info),
            Some("option" | "usiok" | "checkmate") => SearchInfo::default(),
            _ => return,
        };
        // A full queue is an engine gone mad; the lines that wait already show it.
        let _ = self.sender.try_send(EngineLine { line: line.trim().into(), at, info: keep });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str) -> Vec<EngineLine> {
        let (sender, receiver) = bounded(QUEUE);
        let mut ear = Ear { sender, watcher: None, info: SearchInfo::default() };
        text.lines().for_each(|line| ear.hear(line));
        drop(ear);
        receiver.iter().collect()
    }

    #[test]
    fn only_lines_that_matter_are_heard_and_info_goes_with_its_bestmove() {
        let text = "hello\n\nid name x\nusiok\r\ninfo depth 3 nodes 7\ninfo string bestmove\n\
                    bestmove 7g7f\nbestmove 2g2f";
        let heard = heard(text);
        let lines: Vec<&str> = heard.iter().map(|heard| heard.line.as_str()).collect();
        assert_eq!(lines, ["usiok", "bestmove 7g7f", "bestmove 2g2f"]);
        assert_eq!(heard[1].info.depth, Some(3));
        assert_eq!(heard[2].info, SearchInfo::default());
    }

    #[test]
    fn a_flood_of_answers_fills_the_queue_and_no_more() {
        assert_eq!(heard(&"bestmove 7g7f\n".repeat(QUEUE + 100)).len(), QUEUE);
    }
}
