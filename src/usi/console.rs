//! USI on the standard streams: a session for a GUI, and a word of welcome for a person.
//!
//! Knows how to tell the two apart, and nothing of what is said then.

use std::io::{self, IsTerminal};

use crossbeam::channel::Receiver;

use super::session::Session;
use crate::engine::{Engine, NAME, SearchBackend, Settings};
use crate::search::request::Event;

/// Speaks USI on the standard streams until told to quit or until the input ends. These settings
/// hold from the start, and are declared as the defaults. The searcher sends to `events`.
pub fn speak<S: SearchBackend>(
    searcher: S,
    events: Receiver<Event>,
    settings: Settings,
) -> io::Result<()> {
    if io::stdin().is_terminal() {
        // Not on standard output, which belongs to the protocol from the first byte.
        eprintln!("{}", welcome());
    }
    let engine = Engine::new(searcher, settings)?;
    Session::open(engine, events, io::stdout())?.run(io::stdin())
}

fn welcome() -> String {
    format!(
        "{NAME} is a shogi engine: load it into a shogi program, or type help, usi, \
         isready, go byoyomi 1000, quit (kawasemi --help says more)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::parse;

    #[test]
    fn the_welcome_is_one_line_of_ascii_that_teaches_known_commands() {
        let text = welcome();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
        let taught = text.split("type ").nth(1).unwrap().split(" (").next().unwrap();
        for line in taught.split(", ") {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_some() && parsed.errors.is_empty(), "{line}");
        }
    }
}
