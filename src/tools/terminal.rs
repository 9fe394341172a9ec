//! Progress on the error output: one line that is written over again at a terminal, and elsewhere a
//! line now and then. And reports on the output.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::sys::{StatusLine, write_stderr};

/// Writes a report to the standard output. Who reads it may stop when he has seen enough.
///
/// # Errors
/// If it cannot be written, in words.
pub fn print(report: impl Display) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match write!(out, "{report}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// The end of a tool: what went wrong is told on the error output.
pub fn exit(tool: &str, result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            print_error(format_args!("{tool}: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes a line to the error output, as one that stays.
pub fn print_error(line: impl Display) {
    write_stderr(format_args!("{line}\n"));
}

/// See the module's comment.
#[derive(Debug, Default)]
pub struct ProgressDisplay {
    status: StatusLine,
    last: Option<Instant>,
}

impl ProgressDisplay {
    /// Between two lines that are written over each other.
    const REFRESH: Duration = Duration::from_millis(200);
    /// Between two lines that stay.
    const PAUSE: Duration = Duration::from_secs(60);

    pub fn new() -> ProgressDisplay {
        ProgressDisplay::default()
    }

    /// Shows the line if it is time for one.
    pub fn show(&mut self, line: &dyn Fn() -> String) {
        let pause =
            if self.status.is_seen() { ProgressDisplay::REFRESH } else { ProgressDisplay::PAUSE };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        if self.status.is_seen() {
            self.status.show(line());
        } else {
            print_error(line());
        }
    }

    /// Writes a line that stays.
    pub fn say(&self, line: &str) {
        self.clear();
        print_error(line);
    }

    /// Takes the line of progress away.
    pub fn clear(&self) {
        self.status.clear();
    }
}
