//! A running engine: handshake, options, and which answers are expected.
//!
//! An unexpected answer is a fault. The caller decides which commands to send, and interprets the
//! answers.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TryRecvError, at, bounded, select_biased};

use super::child::ChildProcess;
use super::commands::setoption_line;
use super::fault::EngineFault;
use super::info::is_error;
use super::launch::{EngineTimeouts, LaunchConfig, StartError};
use super::option::{MAX_OPTIONS, OptionDeclaration, is_always_accepted};
use super::output::{ANSWER_QUEUE, EngineLine, EngineReport, OutputSorter};

/// How long to wait for the exit status of a process that has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// An option as the engine declares it.
#[derive(Debug)]
struct DeclaredOption {
    name: String,
    kind: String,
}

/// A running engine. When dropped, it gets `quit`, and is killed if it does not exit.
#[derive(Debug)]
pub struct UsiEngine {
    process: ChildProcess,
    lines: Receiver<EngineLine>,
    timeouts: EngineTimeouts,
    /// Disconnects when every wait for the engine must end.
    cancel: Receiver<Infallible>,
    /// The declared options, by name in lower case.
    declared: HashMap<String, DeclaredOption>,
    /// False after a fault: the engine is then killed without `quit`.
    is_usable: bool,
}

impl UsiEngine {
    /// Starts the engine, waits for `usiok` and sets its options. Its `info` lines go to `reports`.
    /// When `cancel` disconnects, this and every later wait for the engine ends in a fault.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn start(
        launch: &LaunchConfig,
        timeouts: EngineTimeouts,
        reports: Option<Sender<EngineReport>>,
        cancel: Receiver<Infallible>,
    ) -> Result<UsiEngine, StartError> {
        let (sender, lines) = bounded(ANSWER_QUEUE);
        let mut sorter = OutputSorter::new(sender, reports);
        let process = launch
            .spawn(move |line| line.into_iter().for_each(|line| sorter.take(line)))
            .map_err(StartError::Spawn)?;
        let declared = HashMap::new();
        let mut engine = UsiEngine { process, lines, timeouts, cancel, declared, is_usable: true };
        engine.send("usi")?;
        engine.read_options()?;
        engine.set_options(&launch.options)?;
        Ok(engine)
    }

    /// Waits for `usiok`, and notes the declared options.
    fn read_options(&mut self) -> Result<(), EngineFault> {
        let deadline = Instant::now() + self.timeouts.ready;
        let mut declared = HashMap::new();
        let done = self.wait_for(deadline, |line| {
            if declared.len() < MAX_OPTIONS {
                declared.extend(declared_option(&line.line));
            }
            line.line == "usiok"
        })?;
        self.or_timeout(done, "no usiok in time")?;
        self.declared = declared;
        Ok(())
    }

    /// Sets options. No search may be running.
    ///
    /// # Errors
    /// If the engine does not declare an option, or does not read.
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), StartError> {
        for (name, value) in options {
            let line = option_line(name, value, &self.declared)
                .ok_or_else(|| StartError::UnknownOption(name.clone()))?;
            self.send(&line)?;
        }
        Ok(())
    }

    /// Gets the engine ready for a new game within this time. Returns the first error that it reported, because an
    /// engine may answer `readyok` without its network or book.
    ///
    /// # Errors
    /// If the engine does not get ready, or sends an answer.
    pub fn new_game(&mut self, timeout: Duration) -> Result<Option<String>, EngineFault> {
        self.check_no_answer()?;
        self.send("isready")?;
        let deadline = Instant::now() + timeout;
        let line =
            self.wait_for(deadline, |line| line.line == "readyok" || is_answer(&line.line))?;
        let line = self.or_timeout(line, "no readyok in time")?;
        if is_answer(&line.line) {
            return Err(self.unexpected(&line));
        }
        self.send("usinewgame")?;
        Ok(line.info.error)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine has closed its input.
    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        if self.process.send(line).is_ok() {
            return Ok(());
        }
        Err(EngineFault::crash(format!("{} and did not read `{line}`", self.exit_report())))
    }

    pub fn timeouts(&self) -> EngineTimeouts {
        self.timeouts
    }

    /// The answers of the engine. The channel disconnects when the engine closes its output.
    pub fn lines(&self) -> &Receiver<EngineLine> {
        &self.lines
    }

    /// The first wanted line; `None` if none comes before the deadline. Lines that have already arrived count
    /// after the deadline too, up to the first unwanted one, so that a flood of lines cannot prolong the
    /// wait.
    ///
    /// # Errors
    /// If the engine closed its output, or the wait was cancelled.
    pub fn wait_for(
        &mut self,
        deadline: Instant,
        mut is_wanted: impl FnMut(&EngineLine) -> bool,
    ) -> Result<Option<EngineLine>, EngineFault> {
        loop {
            let line = select_biased! {
                recv(self.lines) -> line => line,
                recv(self.cancel) -> _ => {
                    self.kill_on_drop();
                    return Err(EngineFault::hang("the wait was aborted"));
                }
                recv(at(deadline)) -> _ => return Ok(None),
            };
            match line {
                Ok(line) if is_wanted(&line) => return Ok(Some(line)),
                Ok(_) if Instant::now() < deadline => {}
                Ok(_) => return Ok(None),
                Err(_) => return Err(self.closed()),
            }
        }
    }

    /// The value, or the fault of an engine that was silent for too long.
    ///
    /// # Errors
    /// [`EngineFault::hang`] with this text if there is no value.
    pub fn or_timeout<T>(&mut self, value: Option<T>, text: &str) -> Result<T, EngineFault> {
        value.ok_or_else(|| {
            self.is_usable = false;
            EngineFault::hang(text)
        })
    }

    /// The fault of an engine that closed its output.
    pub fn closed(&mut self) -> EngineFault {
        EngineFault::crash(self.exit_report())
    }

    /// Describes how an engine that closed its output ended, with its last error message or else the last
    /// lines of standard error, which most likely give the reason.
    fn exit_report(&mut self) -> String {
        self.is_usable = false;
        let status = self.process.exit_status_text(EXIT_TIMEOUT);
        let mut lines = self.transcript().into_iter().rev();
        let error = lines.find(|line| line.strip_prefix("< ").is_some_and(is_error));
        let error = error.map(|line| format!("; {}", &line[2..]));
        status + &error.unwrap_or_else(|| self.process.stderr_tail())
    }

    /// The fault of an unexpected line.
    pub fn unexpected(&mut self, line: &EngineLine) -> EngineFault {
        self.is_usable = false;
        EngineFault::protocol(format!("unexpected answer: {}", line.line))
    }

    /// Checks that the engine has given no answer while no search was running.
    ///
    /// # Errors
    /// If the engine sent an answer or closed its output.
    pub fn check_no_answer(&mut self) -> Result<(), EngineFault> {
        // One more than the number of lines, to detect a closed output too.
        for _ in 0..=self.lines.len() {
            match self.lines.try_recv() {
                Ok(line) if is_answer(&line.line) => return Err(self.unexpected(&line)),
                Ok(_) => {}
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(self.closed()),
            }
        }
        Ok(())
    }

    /// Kills the engine when it is dropped, instead of telling it to quit.
    pub fn kill_on_drop(&mut self) {
        self.is_usable = false;
    }

    /// The last lines sent and received, oldest first.
    pub fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }
}

impl Drop for UsiEngine {
    fn drop(&mut self) {
        if !self.is_usable || self.send("quit").is_err() {
            return self.process.kill();
        }
        self.process.close(self.timeouts.quit);
    }
}

/// Whether a line answers a `go`.
pub fn is_answer(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("bestmove" | "checkmate"))
}

/// The option of an `option` line, with its name in lower case.
fn declared_option(line: &str) -> Option<(String, DeclaredOption)> {
    let OptionDeclaration { name, kind, .. } = OptionDeclaration::read(line)?;
    Some((name.to_lowercase(), DeclaredOption { name: name.into(), kind: kind.into() }))
}

/// The line that sets an option, by its declared name, because not every engine ignores case; `None` if the
/// engine has no such option.
fn option_line(
    name: &str,
    value: &str,
    declared: &HashMap<String, DeclaredOption>,
) -> Option<String> {
    let (name, kind) = match declared.get(&name.to_lowercase()) {
        Some(option) => (option.name.as_str(), option.kind.as_str()),
        None if is_always_accepted(name) => (name, ""),
        None => return None,
    };
    if kind == "button" {
        return Some(format!("setoption name {name}"));
    }
    let line = setoption_line(name, value.as_bytes());
    Some(String::from_utf8(line).expect("name and value are text"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn start(launch: &LaunchConfig) -> Result<UsiEngine, StartError> {
        UsiEngine::start(launch, EngineTimeouts::default(), None, crossbeam::channel::never())
    }

    #[test]
    fn a_missing_engine_and_a_missing_directory_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let refused = |directory: &Path| {
            let command = vec!["/no/such/engine".into(), "argument".into()];
            let directory = Some(directory.to_path_buf());
            let launch = LaunchConfig { command, directory, ..LaunchConfig::default() };
            start(&launch).unwrap_err().to_string()
        };
        let text = refused(folder.path());
        assert!(text.starts_with("cannot start it: /no/such/engine: "), "{text}");
        let directory = format!("its directory, {}, is not a folder", gone.display());
        assert_eq!(refused(&gone), format!("cannot start it: {directory}"));
    }

    /// Regression: the error was shown when the engine closed its output, but not when it stopped reading.
    #[cfg(unix)]
    #[test]
    fn the_last_error_of_an_engine_is_shown_wherever_it_fails() {
        let error = "info string error: no network";
        for (close_input, greeting) in [("", ""), ("exec <&-;", "echo usiok;")] {
            let output = format!("echo '{error}'; echo why >&2; {greeting}");
            let script = format!("read line; {close_input} {output} exit 3");
            let command = ["sh", "-c", script.as_str()].map(Into::into).to_vec();
            let options = vec![("USI_Hash".into(), "16".into())];
            let launch = LaunchConfig { command, options, ..LaunchConfig::default() };
            let text = start(&launch).unwrap_err().to_string();
            assert!(text.contains(error) && !text.contains("why"), "{text}");
        }
    }

    #[test]
    fn options_are_sent_as_they_are_declared() {
        let lines = [
            "option name USI_Hash type spin default 16 min 1 max 100",
            "option name Clear Hash type button",
            "option name EvalFile type string default <empty>",
        ];
        let declared: HashMap<_, _> =
            lines.iter().filter_map(|line| declared_option(line)).collect();
        let line = |name, value| option_line(name, value, &declared);
        let sent = |text: &str| Some(text.to_string());
        // Regression: an engine that does not ignore case did not know the name as the user wrote it.
        assert_eq!(line("usi_hash", "64"), sent("setoption name USI_Hash value 64"));
        assert_eq!(line("clear hash", ""), sent("setoption name Clear Hash"));
        assert_eq!(line("EvalFile", ""), sent("setoption name EvalFile value <empty>"));
        assert_eq!(line("EvalFile", "a b"), sent("setoption name EvalFile value a b"));
        assert_eq!(line("USI_Ponder", "true"), sent("setoption name USI_Ponder value true"));
        assert_eq!(line("Thread", "1"), None, "a mistyped option must not be ignored");
    }
}
