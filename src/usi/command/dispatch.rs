//! Selects the command of a line by its first known word.

use super::error::CommandError;
use super::parser::Parser;
use super::types::Command;
use crate::session::{InputLine, Urgency};
use crate::types::excerpt;

/// Beginning of a comment line.
const COMMENT: &[u8] = b"#";

/// The result of parsing a line, complete or in part.
#[derive(Debug)]
pub struct Parsed {
    /// `None` if the line is empty, a comment, or has no usable command.
    pub command: Option<Command>,
    /// Errors in the order of the line, at most a few.
    pub errors: Vec<CommandError>,
}

/// Parses one line of any bytes, in linear time.
///
/// ```
/// use kawasemi::usi::command::{Command, parse};
/// let parsed = parse(b"joho go  btime x wtime 1000\r");
/// assert!(matches!(parsed.command, Some(Command::Go(_))));
/// assert_eq!(parsed.errors[0].to_string(), "btime needs a number, not \"x\"; ignored");
/// ```
pub fn parse(line: &[u8]) -> Parsed {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let mut parser = Parser::new(line);
    let command = parser.command();
    Parsed { command, errors: parser.into_errors() }
}

/// Whether a truncated line with this beginning sets the position.
pub(crate) fn sets_position(beginning: &[u8]) -> bool {
    matches!(parse(beginning).command, Some(Command::Position { .. } | Command::PosDiff(_)))
}

/// Whether the line can wait until the GUI reads the output again.
pub(crate) fn urgency(line: &InputLine) -> Urgency {
    match parse(&line.bytes).command.filter(|_| !line.truncated) {
        Some(Command::Stop | Command::GameOver) => Urgency::Stop,
        Some(Command::Quit) => Urgency::Quit,
        _ => Urgency::InTurn,
    }
}

impl Parser<'_> {
    /// Finds the first word that is a command, and parses its arguments.
    fn command(&mut self) -> Option<Command> {
        let first = self.peek()?;
        // For users who keep commands in files.
        if first.starts_with(COMMENT) {
            return None;
        }
        while let Some(word) = self.next() {
            match word {
                b"usi" => return Some(Command::Usi),
                b"debug" => return self.debug(),
                b"isready" => return Some(Command::IsReady),
                b"setoption" => return self.set_option(),
                b"getoption" => return Some(self.get_option()),
                b"help" => return Some(self.help()),
                b"register" => return Some(Command::Register),
                b"usinewgame" => return Some(Command::NewGame),
                b"position" => return Some(self.position()),
                b"posdiff" => return self.pos_diff(),
                b"go" => return self.go(),
                b"stop" => return Some(Command::Stop),
                b"ponderhit" => return Some(self.ponder_hit()),
                b"entries" => return Some(self.entries()),
                b"gameover" => return Some(Command::GameOver),
                b"quit" => return Some(Command::Quit),
                b"moves" => return Some(Command::Moves),
                b"d" => return Some(Command::Display),
                b"key" => return Some(Command::Key),
                b"side" => return Some(Command::Side),
                b"eval" => return Some(Command::Eval),
                b"compiler" => return Some(Command::Compiler),
                _ => {}
            }
        }
        self.error(CommandError::Unknown { token: excerpt(first) });
        None
    }

    /// Words that are no entries are left out without a message, which would disturb a game.
    fn entries(&mut self) -> Command {
        let words = std::iter::from_fn(|| self.next());
        let read = |word| str::from_utf8(word).ok()?.parse().ok();
        Command::Entries(words.filter_map(read).collect())
    }

    fn debug(&mut self) -> Option<Command> {
        match self.next() {
            Some(b"on") => Some(Command::Debug(true)),
            Some(b"off") => Some(Command::Debug(false)),
            Some(token) => {
                self.error(CommandError::UnexpectedToken { word: "debug", token: excerpt(token) });
                None
            }
            None => {
                self.error(CommandError::Missing { word: "debug", what: "on or off" });
                None
            }
        }
    }
}
