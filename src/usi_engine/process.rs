//! A child process that talks in lines: its pipes are always drained, its answers stamped with the
//! time at which they came.
//!
//! It knows which lines of an engine matter, but not what they mean. Whatever the child prints, and
//! however much, memory stays bounded: `info` lines are folded into the figures of the running
//! search at once, lines that nobody waits for are dropped, long ones are cut.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded};
use parking_lot::Mutex;

use super::SearchInfo;

/// Longest part of a line that is read, in bytes.
const LINE_LIMIT: usize = 1 << 16;
/// Lines that may wait to be looked at.
const QUEUE: usize = 4096;
/// Lines kept for the report of a fault, and how many characters of each.
const TAIL_LINES: usize = 40;
const TAIL_WIDTH: usize = 400;

/// A line that matters.
#[derive(Debug)]
pub struct Heard {
    pub line: String,
    pub at: Instant,
    /// With `bestmove`: what the search reported before it.
    pub info: SearchInfo,
}

/// Why nothing was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// Not in time.
    Timeout,
    /// The process closed its output.
    Closed,
}

/// A running child.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    tail: Arc<Mutex<Tail>>,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

impl Process {
    /// Starts it, with readers on its output and its error output. The figures of its searches go
    /// to `watcher` too, as they come.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn spawn(mut command: Command, watcher: Option<Sender<SearchInfo>>) -> io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (sender, heard) = bounded(QUEUE);
        let tail = Arc::new(Mutex::new(Tail::default()));
        if let Some(output) = child.stdout.take() {
            let tail = Arc::clone(&tail);
            thread::spawn(move || listen(output, &sender, watcher.as_ref(), &tail));
        }
        if let Some(output) = child.stderr.take() {
            let tail = Arc::clone(&tail);
            thread::spawn(move || each_line(output, |line| tail.lock().push("! ", line)));
        }
        Ok(Process { child, input, heard, tail })
    }

    /// Sends one line.
    ///
    /// # Errors
    /// When the process no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.tail.lock().push("> ", line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// The next line that matters, waiting for it until `deadline`.
    ///
    /// # Errors
    /// [`Silence`] when there is none.
    pub fn hear(&self, deadline: Instant) -> Result<Heard, Silence> {
        self.heard.recv_deadline(deadline).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Timeout,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })
    }

    /// The next line that has already come.
    ///
    /// # Errors
    /// [`Silence`] when there is none.
    pub fn hear_now(&self) -> Result<Heard, Silence> {
        self.heard.try_recv().map_err(|error| match error {
            TryRecvError::Empty => Silence::Timeout,
            TryRecvError::Disconnected => Silence::Closed,
        })
    }

    /// Where the lines that matter come in.
    pub fn heard(&self) -> &Receiver<Heard> {
        &self.heard
    }

    /// How many lines have come that were not looked at.
    pub fn pending(&self) -> usize {
        self.heard.len()
    }

    /// How a process that closed its pipes ended, in words.
    pub fn epitaph(&mut self) -> String {
        match self.wait(Duration::from_secs(1)) {
            Some(status) => format!("the process ended ({status})"),
            None => "the process closed its output but runs on".into(),
        }
    }

    /// The last lines sent and received, oldest first.
    pub fn transcript(&self) -> Vec<String> {
        self.tail.lock().lines.iter().cloned().collect()
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.input = None;
        // An error means that it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Closes its input, and ends it if it does not end itself in time.
    pub fn close(&mut self, patience: Duration) {
        self.input = None;
        if self.wait(patience).is_none() {
            self.kill();
        }
    }

    /// The exit status, waiting for it this long. (The standard library cannot wait with a limit.)
    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads an engine's output to its end.
fn listen(
    output: impl Read,
    sender: &Sender<Heard>,
    watcher: Option<&Sender<SearchInfo>>,
    tail: &Mutex<Tail>,
) {
    let mut info = SearchInfo::default();
    each_line(output, |line| {
        let at = Instant::now();
        tail.lock().push("< ", line);
        let keep = match line.split_whitespace().next() {
            Some("info") => {
                info.update(line);
                // Who does not keep up misses some; the last comes with the answer.
                _ = watcher.map(|watcher| watcher.try_send(info.clone()));
                return;
            }
            Some("bestmove") => std::mem::take(&mut info),
            Some("id" | "option" | "usiok" | "readyok" | "checkmate") => SearchInfo::default(),
            _ => return,
        };
        // A full queue is an engine gone mad; the lines that wait already show it.
        let _ = sender.try_send(Heard { line: line.trim().into(), at, info: keep });
    });
}

/// Calls `take` with every line, without its end and cut to 64 KiB; what is no UTF-8 is replaced.
pub fn each_line(input: impl Read, mut take: impl FnMut(&str)) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut input, &mut line) {
        let text = String::from_utf8_lossy(&line);
        take(text.trim_end_matches(['\r', '\n']));
    }
}

/// Reads up to a line feed; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        let room = LINE_LIMIT.saturating_sub(line.len());
        line.extend_from_slice(&chunk[..used.min(room)]);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// The last lines of a conversation.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
}

impl Tail {
    fn push(&mut self, mark: &str, line: &str) {
        if self.lines.len() == TAIL_LINES {
            self.lines.pop_front();
        }
        let end = line.char_indices().nth(TAIL_WIDTH).map_or(line.len(), |(at, _)| at);
        let dots = if end < line.len() { " ..." } else { "" };
        self.lines.push_back(format!("{mark}{}{dots}", &line[..end]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str) -> Vec<Heard> {
        let (sender, receiver) = bounded(QUEUE);
        listen(text.as_bytes(), &sender, None, &Mutex::default());
        drop(sender);
        receiver.iter().collect()
    }

    #[test]
    fn only_lines_that_matter_are_heard_and_info_goes_with_its_bestmove() {
        let text = "hello\n\nid name x\nusiok\r\ninfo depth 3 nodes 7\ninfo string bestmove\n\
                    bestmove 7g7f\nbestmove 2g2f";
        let heard = heard(text);
        let lines: Vec<&str> = heard.iter().map(|heard| heard.line.as_str()).collect();
        assert_eq!(lines, ["id name x", "usiok", "bestmove 7g7f", "bestmove 2g2f"]);
        assert_eq!(heard[2].info.depth, Some(3));
        assert_eq!(heard[3].info, SearchInfo::default());
    }

    #[test]
    fn a_flood_of_answers_fills_the_queue_and_no_more() {
        assert_eq!(heard(&"bestmove 7g7f\n".repeat(QUEUE + 100)).len(), QUEUE);
    }

    #[test]
    fn endless_lines_are_cut_and_bytes_that_are_no_text_are_read() {
        let mut bytes = b"readyok \xff\xfe\n".to_vec();
        bytes.extend(vec![b'x'; LINE_LIMIT * 2]);
        bytes.extend(b"\nusiok\n");
        let mut lines = Vec::new();
        each_line(&bytes[..], |line| lines.push(line.to_string()));
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("readyok "));
        assert_eq!((lines[1].len(), lines[2].as_str()), (LINE_LIMIT, "usiok"));
    }

    #[test]
    fn the_tail_keeps_the_last_lines_and_cuts_them() {
        let mut tail = Tail::default();
        (0..100).for_each(|i| tail.push("< ", &format!("{i} {}", "語".repeat(500))));
        assert_eq!(tail.lines.len(), TAIL_LINES);
        assert!(tail.lines[0].starts_with("< 60 語") && tail.lines[0].ends_with("語 ..."));
        assert_eq!(tail.lines[0].chars().count(), TAIL_WIDTH + "<  ...".len());
    }
}
