//! A child process and its pipes: lines go in, every line that comes out is handed on.
//!
//! It knows of no protocol. Its output is always drained, long lines are cut, and the last lines are
//! kept for the report of a fault, so memory stays bounded whatever the child prints.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::sys;

/// Longest part of a line that is read, in bytes.
const LINE_LIMIT: usize = 1 << 16;
/// Lines kept for the report of a fault, and how many characters of each.
const TAIL_LINES: usize = 40;
const TAIL_WIDTH: usize = 400;
/// Lines of the error output that tell why a process has ended.
const LAST_WORDS: usize = 3;
/// How often something is looked at that cannot be waited for with a limit.
const POLL: Duration = Duration::from_millis(5);

/// A running child. Dropped, it is ended at once.
pub struct ChildProcess {
    child: Child,
    /// It leads a group, and has not been waited for.
    leads: bool,
    input: Option<ChildStdin>,
    tail: Arc<Mutex<Tail>>,
    /// Of its output and its error output.
    readers: Vec<JoinHandle<()>>,
}

impl fmt::Debug for ChildProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildProcess").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

impl ChildProcess {
    /// Starts it, with readers on its output and its error output. Every line of its output goes to
    /// `take`, on a thread that drops it when the output is closed. If it leads a group of its own,
    /// what it has started ends with it where it must be ended.
    ///
    /// # Errors
    /// When the system cannot start it, or refuses a thread.
    pub fn spawn(
        command: Command,
        own_group: bool,
        take: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<ChildProcess> {
        ChildProcess::spawn_with(thread::Builder::new, command, own_group, take)
    }

    /// The same, with threads by such a builder.
    fn spawn_with(
        builder: fn() -> thread::Builder,
        mut command: Command,
        own_group: bool,
        mut take: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<ChildProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if own_group {
            sys::start_process_group(&mut command);
        }
        let mut child = command.spawn()?;
        let (input, answers, complaints) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tail = Arc::new(Mutex::new(Tail::default()));
        // From here on the child ends where a thread is refused.
        let mut pipes = ChildProcess { child, leads: own_group, input, tail, readers: Vec::new() };
        if let Some(answers) = answers {
            let tail = Arc::clone(&pipes.tail);
            pipes.readers.push(builder().spawn(move || {
                // A pipe that breaks has ended, too.
                let _ = each_line(answers, |line| {
                    tail.lock().push("< ", line);
                    take(line);
                });
            })?);
        }
        if let Some(complaints) = complaints {
            let tail = Arc::clone(&pipes.tail);
            pipes.readers.push(builder().spawn(move || {
                let _ = each_line(complaints, |line| tail.lock().push("! ", line));
            })?);
        }
        Ok(pipes)
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

    /// Its input, for whoever writes to it from elsewhere; from then on [`ChildProcess::send`] fails, and
    /// closing the input is theirs too.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// How a process that closed its pipes ended, in words; waits so long for that, and for the rest
    /// of what it has said, at most.
    pub fn end(&mut self, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        let Some(status) = self.wait(patience) else {
            return "the process closed its output but runs on".into();
        };
        // What it has started may hold its pipes open.
        let is_read = || self.readers.iter().all(JoinHandle::is_finished);
        while !is_read() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        format!("the process ended ({status})")
    }

    /// The same with the end of its error output: why it did so, most likely.
    pub fn exit_report(&mut self, patience: Duration) -> String {
        self.end(patience) + &self.stderr_tail()
    }

    /// The end of its error output, each line behind a semicolon.
    pub fn stderr_tail(&self) -> String {
        self.tail.lock().stderr_tail()
    }

    /// The last lines sent and received, oldest first.
    pub fn transcript(&self) -> Vec<String> {
        self.tail.lock().lines.iter().cloned().collect()
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.strike();
        let _ = self.child.wait();
        self.leads = false;
    }

    /// As [`ChildProcess::kill`], but without waiting for the system to clear it away.
    pub fn strike(&mut self) {
        self.input = None;
        if self.leads {
            sys::kill_process_group(&self.child);
        }
        // An error means that it has ended already.
        let _ = self.child.kill();
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
                Ok(Some(status)) => {
                    self.leads = false;
                    return Some(status);
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                _ => return None,
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Calls `take` with every line, without its end and cut to 64 KiB; what is no UTF-8 is replaced.
///
/// # Errors
/// What broke the input before its end. A line begun by then is lost.
pub fn each_line(input: impl Read, mut take: impl FnMut(&str)) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let text = String::from_utf8_lossy(&line);
        take(text.trim_end_matches(['\r', '\n']));
    }
    Ok(())
}

/// Reads up to a line feed; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
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

    fn stderr_tail(&self) -> String {
        let lines = self.lines.iter().filter_map(|line| line.strip_prefix("! "));
        let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LAST_WORDS)..];
        last.iter().map(|line| format!("; {line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_lines_are_cut_and_bytes_that_are_no_text_are_read() {
        let mut bytes = b"readyok \xff\xfe\n".to_vec();
        bytes.extend(vec![b'x'; LINE_LIMIT * 2]);
        bytes.extend(b"\nusiok\n");
        let mut lines = Vec::new();
        each_line(&bytes[..], |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("readyok "));
        assert_eq!((lines[1].len(), lines[2].as_str()), (LINE_LIMIT, "usiok"));
    }

    /// Why `ssh` did not reach its host, or which library an engine lacks, was told nowhere.
    #[cfg(unix)]
    #[test]
    fn a_process_that_ends_is_told_with_the_end_of_its_error_output() {
        let exit_report = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let mut pipes = ChildProcess::spawn(command, false, |_| ()).unwrap();
            pipes.exit_report(Duration::from_secs(60))
        };
        assert_eq!(exit_report("echo said; exit 2"), "the process ended (exit status: 2)");
        let script = "for n in 1 2 3 4; do echo why $n >&2; echo >&2; done; exit 3";
        let expected = "the process ended (exit status: 3); why 2; why 3; why 4";
        assert_eq!(exit_report(script), expected);
    }

    /// It was a panic, which ended all other engines too.
    #[cfg(all(unix, target_pointer_width = "64"))]
    #[test]
    fn a_thread_that_the_system_refuses_is_an_error_and_ends_the_process() {
        // More than a process can address.
        let refused = || thread::Builder::new().stack_size(1 << 60);
        let (mut command, folder) = (Command::new("sh"), tempfile::tempdir().unwrap());
        let end = folder.path().join("end");
        command.args(["-c", "sleep 1; echo >\"$0\""]).arg(&end);
        assert!(ChildProcess::spawn_with(refused, command, true, |_| ()).is_err());
        thread::sleep(Duration::from_millis(1500));
        assert!(!end.exists());
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
