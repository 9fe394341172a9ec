//! Progress on the error output: one line that is written over again at a terminal, and elsewhere a
//! line now and then. And reports on the output.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::sys::write_error;

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
            tell(format_args!("{tool}: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes a line to the error output, as one that stays.
pub fn tell(line: impl Display) {
    write_error(format_args!("{line}\n"));
}

/// Hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// See the module's comment.
#[derive(Debug)]
pub struct Terminal {
    is_terminal: bool,
    last: Option<Instant>,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new()
    }
}

impl Terminal {
    /// Between two lines that are written over each other.
    const REFRESH: Duration = Duration::from_millis(200);
    /// Between two lines that stay.
    const PAUSE: Duration = Duration::from_secs(60);

    pub fn new() -> Terminal {
        Terminal { is_terminal: io::stderr().is_terminal(), last: None }
    }

    /// Shows the line if it is time for one.
    pub fn show(&mut self, line: &dyn Fn() -> String) {
        let pause = if self.is_terminal { Terminal::REFRESH } else { Terminal::PAUSE };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        if self.is_terminal {
            write_error(format_args!("\r\x1b[K{}", line()));
        } else {
            tell(line());
        }
    }

    /// Writes a line that stays.
    pub fn say(&self, line: &str) {
        self.clear();
        tell(line);
    }

    /// Takes the line of progress away.
    pub fn clear(&self) {
        if self.is_terminal {
            write_error("\r\x1b[K");
        }
    }
}
