//! USI on the standard streams, with a welcome message at a terminal.

use std::io::{self, IsTerminal};

use crossbeam::channel::Receiver;

use super::session::Session;
use crate::engine::{Engine, NAME, SearchBackend, Settings};
use crate::search::request::Event;

/// Runs a USI session on the standard streams until `quit` or the end of the input. The settings are
/// also declared as the defaults. The backend sends its events to `events`.
///
/// # Errors
/// If the system refuses a thread or memory at the start.
pub fn run<B: SearchBackend>(
    backend: B,
    events: Receiver<Event>,
    settings: Settings,
) -> io::Result<()> {
    if io::stdin().is_terminal() {
        // Standard output is for the protocol only.
        eprintln!("{}", welcome());
    }
    let engine = Engine::new(backend, settings)?;
    Session::open(engine, events, io::stdout())?.run(io::stdin())
}

fn welcome() -> String {
    format!(
        "{NAME} is a shogi engine: load it into a shogi GUI, or type help, usi, isready, \
         go byoyomi 1000, quit (see also kawasemi --help)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::parse;

    #[test]
    fn the_welcome_is_one_line_of_ascii_with_known_commands() {
        let text = welcome();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
        let named = text.split("type ").nth(1).unwrap().split(" (").next().unwrap();
        for line in named.split(", ") {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_some() && parsed.errors.is_empty(), "{line}");
        }
    }
}
