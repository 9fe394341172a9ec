//! Output of the tools: progress and messages on standard error, reports on standard output.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::{self, ExitCode};
use std::time::{Duration, Instant};

use crate::sys::{StatusLine, interrupted_exit_code, write_stderr};

/// Writes a report to standard output. A closed pipe is not an error.
///
/// # Errors
/// If it cannot be written.
pub fn print(report: impl Display) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match write!(out, "{report}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Why a tool does not end with success.
#[derive(Debug)]
pub enum Failure {
    /// An interrupt has ended the work before it was complete. What is done is written, and the same command
    /// continues it.
    Interrupted,
    Error(String),
}

impl From<String> for Failure {
    fn from(error: String) -> Failure {
        Failure::Error(error)
    }
}

/// The exit code of a tool. Writes an error to standard error.
pub fn exit(tool: &str, result: Result<(), impl Into<Failure>>) -> ExitCode {
    match result.map_err(Into::into) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => interrupted_exit_code(),
        Err(Failure::Error(message)) => {
            print_error(format_args!("{tool}: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints what is wrong with the arguments, or the help that they ask for, and exits. Clap alone would exit with
/// status 0 too if the help cannot be written.
pub fn exit_by_arguments(tool: &str, error: &clap::Error) -> ! {
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(why) if !error.use_stderr() && why.kind() != ErrorKind::BrokenPipe => {
            print_error(format_args!("{tool}: {why}"));
            process::exit(1)
        }
        _ => process::exit(error.exit_code()),
    }
}

/// Writes a line to standard error.
pub fn print_error(line: impl Display) {
    write_stderr(format_args!("{line}\n"));
}

/// Shows progress on standard error: on a terminal as one line that is overwritten, elsewhere as a
/// line from time to time.
#[derive(Debug, Default)]
pub struct ProgressDisplay {
    status: StatusLine,
    last: Option<Instant>,
}

impl ProgressDisplay {
    /// Between two updates on a terminal.
    const REFRESH: Duration = Duration::from_millis(200);
    /// Between two lines elsewhere.
    const PAUSE: Duration = Duration::from_secs(60);

    pub fn new() -> ProgressDisplay {
        ProgressDisplay::default()
    }

    /// Shows the line if enough time has passed.
    pub fn show(&mut self, line: &dyn Fn() -> String) {
        let pause =
            if self.status.is_shown() { ProgressDisplay::REFRESH } else { ProgressDisplay::PAUSE };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        if self.status.is_shown() {
            self.status.show(line());
        } else {
            print_error(line());
        }
    }

    /// Writes a permanent line.
    pub fn print_line(&self, line: &str) {
        self.clear();
        print_error(line);
    }

    /// Removes the progress line.
    pub fn clear(&self) {
        self.status.clear();
    }
}
