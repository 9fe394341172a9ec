//! How an engine is started, and the timeouts of its answers.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::child::ChildProcess;
use super::fault::EngineFault;

/// The command, folder and options of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchConfig {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The working directory; `None` for this program's own.
    pub directory: Option<PathBuf>,
    /// USI options, in the order in which they are sent.
    pub options: Vec<(String, String)>,
    /// Environment variables that the engine does not inherit, such as a password.
    pub without_variables: Vec<OsString>,
    /// Whether the engine leads a process group: an interrupt at the terminal then reaches only this program,
    /// and killing the engine also kills its children (not on Windows).
    pub own_group: bool,
}

impl LaunchConfig {
    /// Starts the process, as [`ChildProcess::spawn`] does.
    ///
    /// # Errors
    /// Why it does not start, as a message: the error of the system does not say which file is missing.
    pub fn spawn(
        &self,
        take: impl FnMut(Option<&str>) + Send + 'static,
    ) -> Result<ChildProcess, String> {
        let (program, arguments) = self.command.split_first().ok_or("its command is empty")?;
        let command = self.to_command(Path::new(program), arguments);
        ChildProcess::spawn(command, self.own_group, take).map_err(|error| match &self.directory {
            Some(directory) if !directory.is_dir() => {
                format!("cannot start it: its directory, {}, is not a folder", directory.display())
            }
            _ => format!("cannot start it: {}: {error}", program.display()),
        })
    }

    fn to_command(&self, program: &Path, arguments: &[OsString]) -> Command {
        // Systems disagree on whether a relative program is looked up before or after the change of
        // directory. Here it always means relative to the directory of this program.
        let absolute = std::path::absolute(program).ok();
        let is_path = program.components().count() > 1;
        let program = absolute.as_deref().filter(|_| is_path).unwrap_or(program);
        let mut command = Command::new(program);
        command.args(arguments);
        for name in &self.without_variables {
            command.env_remove(name);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// Timeouts of answers that no game clock limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTimeouts {
    /// From the start to `usiok`, and from `isready` to `readyok`.
    pub ready: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process.
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

/// Why an engine does not start.
#[derive(Debug)]
pub enum StartError {
    /// The process does not start, with the reason.
    Spawn(String),
    /// The engine does not declare this option, and the protocol does not require one of this name.
    UnknownOption(String),
    Fault(EngineFault),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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

/// For an engine that runs already: its options are set again between games.
impl From<StartError> for EngineFault {
    fn from(error: StartError) -> EngineFault {
        match error {
            StartError::Fault(fault) => fault,
            error => EngineFault::protocol(error.to_string()),
        }
    }
}
