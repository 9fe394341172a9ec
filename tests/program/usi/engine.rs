//! The program as a process: its input and output line by line, with time limits.
//!
//! It checks when the engine must have answered or ended. `info` checks the contents of lines, and
//! `game` which moves are legal.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};

use super::game::Game;
use super::info::Info;

/// Longer than anything takes on a busy machine; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// One thread, so that node counts are exact, little memory, and independent of networks and books in
/// the working directory.
pub const TEST_OPTIONS: [&str; 5] =
    ["--", "Threads=1", "USI_Hash=16", "EvalDir=", "BookFile=no_book"];

pub const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// The error output, once it has ended.
    errors: Option<JoinHandle<String>>,
    /// The last line received.
    last: String,
    /// All lines sent and received, for the report of a failure.
    transcript: Vec<String>,
}

/// The answer to a `go`.
pub struct Answer {
    /// The lines since the command, or since the last lines that were read.
    pub lines: Vec<String>,
    /// The line directly before the answer, whenever it came.
    before: String,
    /// `bestmove ...` or `checkmate ...`.
    pub text: String,
    /// The time from the command to the answer.
    pub took: Duration,
}

impl Engine {
    /// The program before any line.
    pub fn start(arguments: &[&str]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        command.args(arguments);
        Engine::run(command)
    }

    /// Ready for a game, with these settings in addition to [`TEST_OPTIONS`].
    pub fn ready(settings: &[&str]) -> Engine {
        let mut engine = Engine::start(&[&TEST_OPTIONS, settings].concat());
        engine.send("isready");
        let (mut lines, _) = engine.until("readyok");
        lines.pop();
        // A test may want more threads than the machine has processors, and a slow machine gets blank lines.
        let is_expected = |line: &String| {
            line.is_empty() || line.starts_with("info string ") && line.contains(" processor")
        };
        if !lines.iter().all(is_expected) {
            engine.fail("is not just ready");
        }
        engine
    }

    pub fn run(mut command: Command) -> Engine {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = unbounded();
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("the output is text");
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let mut stream = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            let _ = stream.read_to_string(&mut text);
            text
        });
        let input = child.stdin.take();
        let (last, transcript) = Default::default();
        Engine { child, input, lines, errors: Some(errors), last, transcript }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = &bytes[..bytes.len().min(200)];
        self.transcript.push(format!("> {}", String::from_utf8_lossy(shown).trim_end()));
        let written = self.input.as_mut().unwrap().write_all(bytes);
        if let Err(error) = written {
            self.fail(&format!("does not listen any more: {error}"));
        }
    }

    /// Fails the test with the last lines of the communication.
    fn fail(&self, what: &str) -> ! {
        let from = self.transcript.len().saturating_sub(60);
        panic!("the engine {what}; the last lines were\n{}", self.transcript[from..].join("\n"))
    }

    fn heard(&mut self, line: &str) {
        self.transcript.push(format!("< {line}"));
        let is_ascii = line.is_ascii() || line.starts_with("info string ");
        if !is_ascii || line.contains(char::is_control) {
            self.fail("says something that is not ASCII");
        }
        line.clone_into(&mut self.last);
    }

    /// The next line and its time.
    fn next(&mut self) -> (Instant, String) {
        match self.lines.recv_timeout(PATIENCE) {
            Ok((at, line)) => {
                self.heard(&line);
                (at, line)
            }
            Err(RecvTimeoutError::Timeout) => self.fail("says nothing"),
            Err(RecvTimeoutError::Disconnected) => self.fail("has ended"),
        }
    }

    pub fn line(&mut self) -> String {
        self.next().1
    }

    #[track_caller]
    pub fn expect(&mut self, line: &str) {
        let received = self.line();
        if received != line {
            self.fail(&format!("says {received:?} instead of {line:?}"));
        }
    }

    /// The lines up to and including the first that begins so, and the time of that one.
    pub fn until(&mut self, start: &str) -> (Vec<String>, Instant) {
        let mut lines = Vec::new();
        loop {
            let (at, line) = self.next();
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return (lines, at);
            }
        }
    }

    /// The output within this time.
    pub fn during(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok((_, line)) = self.lines.recv_deadline(deadline) {
            self.heard(&line);
            lines.push(line);
        }
        lines
    }

    /// The output until all lines sent so far have been handled.
    pub fn settle(&mut self) -> Vec<String> {
        self.send("getoption FV_SCALE");
        let (mut lines, _) = self.until("info string FV_SCALE = ");
        lines.pop();
        lines
    }

    /// The answer to the command sent at this time.
    pub fn answer_since(&mut self, asked: Instant, word: &str) -> Answer {
        let heard = self.last.clone();
        let (mut lines, at) = self.until(word);
        let text = lines.pop().unwrap_or_default();
        let before = lines.last().unwrap_or(&heard).clone();
        Answer { lines, before, text, took: at.saturating_duration_since(asked) }
    }

    /// Requests a move in this game; the answer must have the right form.
    pub fn ask(&mut self, game: &Game, go: &str) -> Answer {
        self.send(&game.command());
        let asked = Instant::now();
        self.send(go);
        let answer = self.answer_since(asked, "bestmove ");
        game.check(&answer);
        answer
    }

    /// Sends `stop` and returns the answer.
    pub fn stop(&mut self, game: &Game) -> Answer {
        let asked = Instant::now();
        self.send("stop");
        let answer = self.answer_since(asked, "bestmove ");
        game.check(&answer);
        answer
    }

    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// The number of the process.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the process. Returns how long it took.
    pub fn wait(&mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, start.elapsed());
            }
            if start.elapsed() > PATIENCE {
                self.fail("does not end");
            }
            thread::sleep(ms(1));
        }
    }

    /// The output of a process that has ended, after what was read. Waits for processes that inherited it.
    pub fn rest(&self) -> Vec<String> {
        self.lines.iter().map(|(_, line)| line).collect()
    }

    /// The error output of a process that has ended.
    pub fn errors(&mut self) -> String {
        self.errors.take().unwrap().join().unwrap()
    }

    /// Sends `quit`, after which the engine must end without further output. Returns how long that
    /// took.
    #[track_caller]
    pub fn quit(mut self) -> Duration {
        self.send("quit");
        let (status, took) = self.wait();
        assert_eq!(self.rest(), Vec::<String>::new());
        assert_eq!(status.code(), Some(0));
        assert_eq!(self.errors(), "");
        took
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The move, or `resign` or `win`.
    pub fn best(&self) -> &str {
        self.text.split(' ').nth(1).unwrap_or_default()
    }

    pub fn ponder(&self) -> Option<&str> {
        self.text.split(' ').nth(3)
    }

    /// The lines about the search.
    pub fn infos(&self) -> Vec<Info> {
        self.lines.iter().filter_map(|line| Info::parse(line)).collect()
    }

    /// The line before the answer.
    pub fn last(&self) -> Info {
        let last = Info::parse(&self.before);
        last.unwrap_or_else(|| panic!("{:?} before {}", self.before, self.text))
    }
}
