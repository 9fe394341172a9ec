//! How a tool shows its progress on the error output: one line that is written over again at a
//! terminal, and now and then a line elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Terminal {
    is_terminal: bool,
    last: Option<Instant>,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal { is_terminal: io::stderr().is_terminal(), last: None }
    }
}

impl Terminal {
    /// Between two lines that stay.
    const PAUSE: Duration = Duration::from_secs(60);

    /// How things stand.
    pub fn progress(&mut self, line: &str) {
        if self.is_terminal {
            eprint!("\r\x1b[K{line}");
            // Nothing to be done if the terminal is gone.
            let _ = io::stderr().flush();
        } else if self.last.is_none_or(|last| last.elapsed() >= Terminal::PAUSE) {
            self.last = Some(Instant::now());
            eprintln!("{line}");
        }
    }

    /// What must not be missed.
    pub fn trouble(&mut self, text: &str) {
        self.clear();
        eprintln!("{text}");
    }

    /// Takes the line of progress away.
    pub fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}
