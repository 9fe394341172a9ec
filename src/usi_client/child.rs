//! A child process with a line-based protocol.
//!
//! Its output is always drained and long lines are cut, so memory stays bounded whatever it prints. The
//! last lines are kept for the report of a fault.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::sys::{self, each_line, refused_thread};

/// Lines kept for the report of a fault, and characters of each.
const TRANSCRIPT_LINES: usize = 40;
const TRANSCRIPT_WIDTH: usize = 400;
/// Lines of the error output that are shown when the process has ended.
const STDERR_LINES: usize = 3;
/// Interval of polling where the standard library has no wait with a timeout.
const POLL: Duration = Duration::from_millis(5);

/// A running child process. Dropping it kills it.
pub struct ChildProcess {
    child: Child,
    /// Whether the process leads a process group and has not been waited for.
    leads_group: bool,
    input: Option<ChildStdin>,
    transcript: Arc<Mutex<Transcript>>,
    /// The threads that read standard output and standard error.
    readers: Vec<JoinHandle<()>>,
}

impl fmt::Debug for ChildProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildProcess").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

impl ChildProcess {
    /// Starts a process. Every line of its output goes to `take`, and `None` when the output is closed, on a thread
    /// that then drops `take`. With `own_group` the process leads a process group, so that killing it also kills
    /// its children. It is killed when this process ends.
    ///
    /// # Errors
    /// If the system cannot start the process, or refuses a thread.
    pub fn spawn(
        command: Command,
        own_group: bool,
        take: impl FnMut(Option<&str>) + Send + 'static,
    ) -> io::Result<ChildProcess> {
        ChildProcess::spawn_with(thread::Builder::new, command, own_group, take)
    }

    /// [`ChildProcess::spawn`] with another thread builder.
    fn spawn_with(
        builder: fn() -> thread::Builder,
        mut command: Command,
        own_group: bool,
        mut take: impl FnMut(Option<&str>) + Send + 'static,
    ) -> io::Result<ChildProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if own_group {
            sys::start_process_group(&mut command);
        }
        let mut child = sys::spawn_child(command)?;
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let transcript = Arc::new(Mutex::new(Transcript::default()));
        // From here on the child is killed if a thread is refused.
        let mut process =
            ChildProcess { child, leads_group: own_group, input, transcript, readers: Vec::new() };
        if let Some(output) = output {
            let transcript = Arc::clone(&process.transcript);
            let read = move || {
                // A broken pipe is the end of the output too.
                let _ = each_line(output, |line| {
                    transcript.lock().push("< ", line);
                    take(Some(line));
                });
                take(None);
            };
            process.readers.push(builder().spawn(read).map_err(refused_thread)?);
        }
        if let Some(errors) = errors {
            let transcript = Arc::clone(&process.transcript);
            let read = move || {
                let _ = each_line(errors, |line| transcript.lock().push("! ", line));
            };
            process.readers.push(builder().spawn(read).map_err(refused_thread)?);
        }
        Ok(process)
    }

    /// Sends one line.
    ///
    /// # Errors
    /// If the process has closed its input.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.transcript.lock().push("> ", line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// Removes the input stream, for use elsewhere. [`ChildProcess::send`] then fails.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Describes how a process that closed its output ended. Waits at most this long for the exit status and
    /// for the rest of the output.
    pub fn exit_status_text(&mut self, timeout: Duration) -> String {
        let deadline = Instant::now() + timeout;
        let Some(status) = self.wait(timeout) else {
            return "the process closed its output but runs on".into();
        };
        // Processes that it has started may keep its pipes open.
        let is_read = || self.readers.iter().all(JoinHandle::is_finished);
        while !is_read() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        format!("the process ended ({status})")
    }

    /// [`ChildProcess::exit_status_text`] with the last lines of standard error, which most likely give the
    /// reason.
    pub fn exit_report(&mut self, timeout: Duration) -> String {
        self.exit_status_text(timeout) + &self.stderr_tail()
    }

    /// The last lines of standard error, each after a semicolon.
    pub fn stderr_tail(&self) -> String {
        self.transcript.lock().stderr_tail()
    }

    /// The last lines sent and received, oldest first.
    pub fn transcript(&self) -> Vec<String> {
        self.transcript.lock().lines.iter().cloned().collect()
    }

    /// Kills the process, and waits until the system has removed it.
    pub fn kill(&mut self) {
        self.start_kill();
        let _ = self.child.wait();
        self.leads_group = false;
    }

    /// Kills the process without waiting.
    pub fn start_kill(&mut self) {
        self.input = None;
        if self.leads_group {
            sys::kill_process_group(&self.child);
        }
        // An error means that the process has already ended.
        let _ = self.child.kill();
    }

    /// Closes the input of the process, and kills it if it does not end in time.
    pub fn close(&mut self, timeout: Duration) {
        self.input = None;
        if self.wait(timeout).is_none() {
            self.kill();
        }
    }

    /// The exit status; `None` if the process still runs after this time.
    fn wait(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.leads_group = false;
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

/// The last lines sent (`> `), received (`< `), and of the error output (`! `).
#[derive(Default)]
struct Transcript {
    lines: VecDeque<String>,
}

impl Transcript {
    fn push(&mut self, mark: &str, line: &str) {
        if self.lines.len() == TRANSCRIPT_LINES {
            self.lines.pop_front();
        }
        let end = line.char_indices().nth(TRANSCRIPT_WIDTH).map_or(line.len(), |(at, _)| at);
        let dots = if end < line.len() { " ..." } else { "" };
        self.lines.push_back(format!("{mark}{}{dots}", &line[..end]));
    }

    fn stderr_tail(&self) -> String {
        let lines = self.lines.iter().filter_map(|line| line.strip_prefix("! "));
        let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(STDERR_LINES)..];
        last.iter().map(|line| format!("; {line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the reason why `ssh` failed, or which library an engine lacks, was not shown.
    #[cfg(unix)]
    #[test]
    fn the_exit_report_shows_the_end_of_standard_error() {
        let exit_report = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let mut process = ChildProcess::spawn(command, false, |_| ()).unwrap();
            process.exit_report(Duration::from_secs(60))
        };
        assert_eq!(exit_report("echo said; exit 2"), "the process ended (exit status: 2)");
        let script = "for n in 1 2 3 4; do echo why $n >&2; echo >&2; done; exit 3";
        let expected = "the process ended (exit status: 3); why 2; why 3; why 4";
        assert_eq!(exit_report(script), expected);
    }

    /// Regression: a refused thread was a panic, which also ended all other engines.
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    #[test]
    fn a_refused_thread_is_an_error_and_kills_the_process() {
        // The name of the folder tells the process from all others.
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().to_str().unwrap();
        let command = || {
            let mut command = Command::new("sh");
            // A shell without a child, which would be called like it and end a little later.
            command.args(["-c", "while :; do read line; done", mark]);
            command
        };
        let runs = || {
            let processes = std::fs::read_dir("/proc").unwrap();
            processes.map(|process| process.unwrap().path()).any(|process| {
                let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).contains(mark)
            })
        };
        let process = ChildProcess::spawn(command(), true, |_| ()).unwrap();
        assert!(runs());
        drop(process);
        // More than a process can address.
        let refused = || thread::Builder::new().stack_size(1 << 60);
        assert!(ChildProcess::spawn_with(refused, command(), true, |_| ()).is_err());
        assert!(!runs());
    }

    #[test]
    fn the_transcript_keeps_the_last_lines_and_cuts_them() {
        let mut transcript = Transcript::default();
        (0..100).for_each(|i| transcript.push("< ", &format!("{i} {}", "語".repeat(500))));
        assert_eq!(transcript.lines.len(), TRANSCRIPT_LINES);
        assert!(
            transcript.lines[0].starts_with("< 60 語") && transcript.lines[0].ends_with("語 ...")
        );
        assert_eq!(transcript.lines[0].chars().count(), TRANSCRIPT_WIDTH + "<  ...".len());
    }
}
