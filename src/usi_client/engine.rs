//! The line to a running engine: the handshake, options, and what it says.
//!
//! It knows when an engine may speak, and takes what comes at another time for a fault. What is
//! asked of the engine, and what its answers mean, is for the player.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender};

use super::info::is_error;
use super::option::{OptionDeclaration, is_always_accepted, setoption_line};
use super::process::{EngineLine, Process, Silence};
use super::{EngineFault, SearchInfo};

/// How an engine is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchConfig {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs; `None` for where this program runs.
    pub directory: Option<PathBuf>,
    /// USI options, in the order in which they are sent.
    pub options: Vec<(String, String)>,
    /// It leads a group of processes: an interrupt at the terminal is not for it, but for this
    /// program alone, and when it must be ended, what it has started ends with it (not on Windows).
    pub own_group: bool,
}

impl LaunchConfig {
    /// What the system is told to start; `None` without a command.
    pub fn to_command(&self) -> Option<Command> {
        let (program, arguments) = self.command.split_first()?;
        let program = Path::new(program);
        // Systems disagree on whether a relative program is looked up before or after the change of
        // directory; from here on it is meant from where this program runs.
        let absolute = std::path::absolute(program).ok();
        let is_path = program.components().count() > 1;
        let program = absolute.as_deref().filter(|_| is_path).unwrap_or(program);
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Some(command)
    }

    /// Why the system did not start it, in words. The system itself does not say what is missing.
    pub fn refusal(&self, error: &io::Error) -> String {
        match (&self.directory, self.command.first()) {
            (Some(directory), _) if !directory.is_dir() => {
                format!("cannot start it: its directory, {}, is no folder", directory.display())
            }
            (_, Some(program)) => format!("cannot start it: {}: {error}", program.display()),
            (_, None) => format!("cannot start it: {error}"),
        }
    }
}

/// How long an engine may be silent where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTimeouts {
    /// From the start to `usiok`, and from `isready` to `readyok`.
    pub ready: Duration,
    /// From `stop` to the answer.
    pub stop: Duration,
    /// From `quit` to its end.
    pub quit: Duration,
}

impl Default for EngineTimeouts {
    fn default() -> EngineTimeouts {
        EngineTimeouts {
            ready: Duration::from_secs(60),
            stop: Duration::from_secs(3),
            quit: Duration::from_secs(3),
        }
    }
}

/// Why an engine does not come up.
#[derive(Debug)]
pub enum StartError {
    /// There is no command to start it by.
    NoCommand,
    /// The system does not start it, and why.
    Spawn(String),
    /// It declares no such option, and it is none that every engine must accept.
    UnknownOption(String),
    Fault(EngineFault),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::NoCommand => f.write_str("its command is empty"),
            StartError::Spawn(why) => f.write_str(why),
            StartError::UnknownOption(name) => write!(f, "it declares no option `{name}`"),
            StartError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<EngineFault> for StartError {
    fn from(fault: EngineFault) -> StartError {
        StartError::Fault(fault)
    }
}

/// A running engine. Dropped, it is told to quit, and ended if it does not.
#[derive(Debug)]
pub struct UsiEngine {
    process: Process,
    patience: EngineTimeouts,
    /// Disconnects when nobody wants the engine any more.
    interest: Receiver<Infallible>,
    /// The types of the options it has, by name in lower case.
    declared: HashMap<String, String>,
    /// Whether it can still be spoken to.
    sound: bool,
}

impl UsiEngine {
    /// Starts the engine, waits for `usiok` and sets its options. The figures of its searches go
    /// to `watcher` too, as they come. When `interest` disconnects, no wait for the engine goes on,
    /// here or later: it ends in a fault.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn start(
        launch: &LaunchConfig,
        patience: EngineTimeouts,
        watcher: Option<Sender<SearchInfo>>,
        interest: Receiver<Infallible>,
    ) -> Result<UsiEngine, StartError> {
        let command = launch.to_command().ok_or(StartError::NoCommand)?;
        let process = Process::spawn(command, launch.own_group, watcher)
            .map_err(|error| StartError::Spawn(launch.refusal(&error)))?;
        let declared = HashMap::new();
        let mut link = UsiEngine { process, patience, interest, declared, sound: true };
        link.send("usi")?;
        link.hear_options()?;
        link.set_options(&launch.options)?;
        Ok(link)
    }

    /// Waits for `usiok`, and notes the declared options.
    fn hear_options(&mut self) -> Result<(), EngineFault> {
        let deadline = Instant::now() + self.patience.ready;
        let mut declared = HashMap::new();
        let done = self.hear_until(deadline, |heard| {
            declared.extend(declared_option(&heard.line));
            heard.line == "usiok"
        })?;
        self.in_time(done, "no usiok in time")?;
        self.declared = declared;
        Ok(())
    }

    /// Sets options. No search may be running.
    ///
    /// # Errors
    /// An option that the engine does not declare, or an engine that no longer reads.
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), StartError> {
        for (name, value) in options {
            let line = option_line(name, value, &self.declared)
                .ok_or_else(|| StartError::UnknownOption(name.clone()))?;
            self.send(&line)?;
        }
        Ok(())
    }

    /// Gets the engine ready for a new game. It may say that something went wrong meanwhile, and play
    /// all the same; then with another network or without its book.
    ///
    /// # Errors
    /// An engine that does not get ready, or says what it must not say now.
    pub fn new_game(&mut self) -> Result<Option<String>, EngineFault> {
        self.new_game_within(self.patience.ready)
    }

    /// The same where it may take so long.
    ///
    /// # Errors
    /// See [`UsiEngine::new_game`].
    pub fn new_game_within(&mut self, patience: Duration) -> Result<Option<String>, EngineFault> {
        self.check_silence()?;
        self.send("isready")?;
        let deadline = Instant::now() + patience;
        let heard =
            self.hear_until(deadline, |heard| heard.line == "readyok" || is_answer(&heard.line))?;
        let heard = self.in_time(heard, "no readyok in time")?;
        if is_answer(&heard.line) {
            return Err(self.unasked(&heard));
        }
        self.send("usinewgame")?;
        Ok(heard.info.error)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// An engine that no longer reads.
    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        let Err(error) = self.process.pipes.send(line) else { return Ok(()) };
        Err(EngineFault::crash(format!("{}; {error} at `{line}`", self.exit_report())))
    }

    pub fn patience(&self) -> EngineTimeouts {
        self.patience
    }

    /// Where the lines that matter come in; it disconnects when the engine closes its output.
    pub fn heard(&self) -> &Receiver<EngineLine> {
        &self.process.heard
    }

    /// The first line that is wanted; `None` if none comes until the deadline. A line that comes
    /// late counts as long as nothing unwanted stands before it, so no flood of lines keeps this
    /// from ending.
    ///
    /// # Errors
    /// An engine that closed its output, or that nobody wants any more.
    pub fn hear_until(
        &mut self,
        deadline: Instant,
        mut is_wanted: impl FnMut(&EngineLine) -> bool,
    ) -> Result<Option<EngineLine>, EngineFault> {
        loop {
            match self.process.hear(deadline, &self.interest) {
                Ok(heard) if is_wanted(&heard) => return Ok(Some(heard)),
                Ok(_) if Instant::now() < deadline => {}
                Ok(_) | Err(Silence::Timeout) => return Ok(None),
                Err(Silence::Closed) => return Err(self.closed()),
                Err(Silence::Left) => {
                    self.give_up();
                    return Err(EngineFault::hang("it was waited for no longer"));
                }
            }
        }
    }

    /// What was heard.
    ///
    /// # Errors
    /// The fault of having heard nothing; the engine is not spoken to again.
    pub fn in_time<T>(&mut self, heard: Option<T>, silence: &str) -> Result<T, EngineFault> {
        heard.ok_or_else(|| {
            self.sound = false;
            EngineFault::hang(silence)
        })
    }

    /// The fault of an engine that closed its output.
    pub fn closed(&mut self) -> EngineFault {
        EngineFault::crash(self.exit_report())
    }

    /// How an engine that closed its pipes ended, in words, with the last error that it has told, or
    /// else the end of its error output: why it did so, most likely.
    fn exit_report(&mut self) -> String {
        self.sound = false;
        let end = self.process.end();
        let mut said = self.transcript().into_iter().rev();
        let error = said.find(|line| line.strip_prefix("< ").is_some_and(is_error));
        let error = error.map(|line| format!("; {}", &line[2..]));
        end + &error.unwrap_or_else(|| self.process.pipes.stderr_tail())
    }

    /// The fault of a line that nobody asked for.
    pub fn unasked(&mut self, heard: &EngineLine) -> EngineFault {
        self.sound = false;
        EngineFault::protocol(format!("unasked: {}", heard.line))
    }

    /// Nothing that answers a search may have come while none was asked for.
    ///
    /// # Errors
    /// An answer, or a closed output.
    pub fn check_silence(&mut self) -> Result<(), EngineFault> {
        // One more than there are, to learn of a closed output too.
        for _ in 0..=self.process.heard.len() {
            match self.process.hear_now() {
                Ok(heard) if is_answer(&heard.line) => return Err(self.unasked(&heard)),
                Ok(_) => {}
                Err(Silence::Timeout | Silence::Left) => return Ok(()),
                Err(Silence::Closed) => return Err(self.closed()),
            }
        }
        Ok(())
    }

    /// The engine is in the middle of something, and is ended at once instead of being told to
    /// quit.
    pub fn give_up(&mut self) {
        self.sound = false;
    }

    /// The last lines that went to and fro, oldest first.
    pub fn transcript(&self) -> Vec<String> {
        self.process.pipes.transcript()
    }
}

impl Drop for UsiEngine {
    fn drop(&mut self) {
        if !self.sound || self.send("quit").is_err() {
            return self.process.pipes.kill();
        }
        self.process.pipes.close(self.patience.quit);
    }
}

/// Whether a line answers a `go`.
pub fn is_answer(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("bestmove" | "checkmate"))
}

/// Name (in lower case) and type of an `option` line.
fn declared_option(line: &str) -> Option<(String, String)> {
    let OptionDeclaration { name, kind, .. } = OptionDeclaration::read(line)?;
    Some((name.to_lowercase(), kind.into()))
}

/// The line that sets an option; `None` if there is no such option.
fn option_line(name: &str, value: &str, declared: &HashMap<String, String>) -> Option<String> {
    match declared.get(&name.to_lowercase()).map(String::as_str) {
        None if !is_always_accepted(name) => None,
        Some("button") => Some(format!("setoption name {name}")),
        _ => {
            let line = setoption_line(name, value.as_bytes());
            Some(String::from_utf8(line).expect("name and value are text"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_is_not_there_is_told_by_its_name_and_a_folder_that_is_not_too() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let refused = |directory: &Path| {
            let command = vec!["/no/such/engine".into(), "argument".into()];
            let directory = Some(directory.to_path_buf());
            let launch = LaunchConfig { command, directory, ..LaunchConfig::default() };
            let (_interest, interest) = crossbeam::channel::bounded(0);
            UsiEngine::start(&launch, EngineTimeouts::default(), None, interest)
                .unwrap_err()
                .to_string()
        };
        let text = refused(folder.path());
        assert!(text.starts_with("cannot start it: /no/such/engine: "), "{text}");
        let directory = format!("its directory, {}, is no folder", gone.display());
        assert_eq!(refused(&gone), format!("cannot start it: {directory}"));
    }

    /// It was told where the engine closed its output, but not where it read no more.
    #[cfg(unix)]
    #[test]
    fn an_error_that_an_engine_has_told_is_told_wherever_it_is_missed() {
        let error = "info string error: no network";
        for (deafness, greeting) in [("", ""), ("exec <&-;", "echo usiok;")] {
            let said = format!("echo '{error}'; echo why >&2; {greeting}");
            let script = format!("read line; {deafness} {said} exit 3");
            let command = ["sh", "-c", script.as_str()].map(OsString::from).to_vec();
            let options = vec![("USI_Hash".into(), "16".into())];
            let launch = LaunchConfig { command, options, ..LaunchConfig::default() };
            let (_interest, interest) = crossbeam::channel::bounded(0);
            let refused = UsiEngine::start(&launch, EngineTimeouts::default(), None, interest);
            let text = refused.unwrap_err().to_string();
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
        assert_eq!(line("usi_hash", "64"), sent("setoption name usi_hash value 64"));
        assert_eq!(line("Clear Hash", ""), sent("setoption name Clear Hash"));
        assert_eq!(line("EvalFile", ""), sent("setoption name EvalFile value <empty>"));
        assert_eq!(line("EvalFile", "a b"), sent("setoption name EvalFile value a b"));
        assert_eq!(line("USI_Ponder", "true"), sent("setoption name USI_Ponder value true"));
        assert_eq!(line("Thread", "1"), None, "a mistyped option must not pass in silence");
    }
}
