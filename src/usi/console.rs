//! USI on the standard streams, with a welcome message at a terminal.

use std::io::{self, IsTerminal};

use crossbeam::channel::Receiver;

use super::session::Session;
use crate::engine::{Engine, NAME, SearchBackend, Settings};
use crate::search::request::Event;
use crate::types::language::Language;
use crate::types::message::{Message, message};

/// Commands to try at a terminal.
const COMMANDS: &str = "help, usi, isready, go byoyomi 1000, quit";

/// A USI session that writes to standard output. The settings are also declared as the defaults. The backend sends
/// its events to `events`. The welcome is in this language.
///
/// ```no_run
/// use crossbeam::channel::unbounded;
/// use kawasemi::engine::{PoolBackend, Settings};
/// use kawasemi::types::language::Language;
/// use kawasemi::usi::console;
/// let (sender, events) = unbounded();
/// let backend = PoolBackend::new(sender).unwrap();
/// let session = console::open(backend, events, Settings::default(), Language::English).unwrap();
/// session.run(std::io::stdin()).unwrap();
/// ```
///
/// # Errors
/// If the system refuses a thread or memory at the start.
pub fn open<B: SearchBackend>(
    backend: B,
    events: Receiver<Event>,
    settings: Settings,
    language: Language,
) -> io::Result<Session<B>> {
    if io::stdin().is_terminal() {
        // Standard output is for the protocol only.
        eprintln!("{}", welcome().of(language));
    }
    let engine = Engine::new(backend, settings)?;
    Session::open(engine, events, io::stdout())
}

fn welcome() -> Message {
    message!(
        "{NAME} is a shogi engine: load it into a shogi GUI, or type {COMMANDS} \
         (see also kawasemi --help)",
        "{NAME}は将棋エンジンです。将棋GUIに登録して使います。{COMMANDS}などのコマンドも\
         入力できます（kawasemi --helpも見てください）"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::parse;

    /// Regression: it was in English on Japanese systems too.
    #[test]
    fn the_welcome_is_one_line_in_every_language_with_known_commands() {
        let Message { en, ja } = welcome();
        assert!(en.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{en}");
        assert!(ja.contains("将棋エンジン") && !ja.contains('\n'), "{ja}");
        assert!(en.contains(COMMANDS) && ja.contains(COMMANDS));
        for line in COMMANDS.split(", ") {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_some() && parsed.errors.is_empty(), "{line}");
        }
    }
}
