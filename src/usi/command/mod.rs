//! One line of input to one [`Command`].
//!
//! Owns the grammar of what a GUI may send and how much of a damaged line can be saved. Moves come
//! out parsed, but whether they can be played is for others to say. Nothing here can fail as a
//! whole: a line gives a command or none, and says what was wrong with it.

mod clock;
mod error;
mod go;
mod numbers;
mod option;
mod position;
#[cfg(test)]
mod tests;
mod words;

pub use self::error::CommandError;
pub use self::position::{MoveList, Start};
use self::words::Parser;
use super::quote::quote;
use crate::search::request::{Clock, Limits};

/// How a line begins that is for people.
const REMARK: &[u8] = b"#";

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Usi,
    Debug(bool),
    IsReady,
    /// Name and value as sent, without the blanks around them; `None` if the word `value` is
    /// missing. Bytes, because a path may be in any encoding.
    SetOption {
        name: Vec<u8>,
        value: Option<Vec<u8>>,
    },
    /// One option by name, or all.
    GetOption(Option<Vec<u8>>),
    /// What may be typed; or what this command or option is for.
    Help(Option<Vec<u8>>),
    Register,
    NewGame,
    Position {
        start: Start,
        moves: MoveList,
    },
    /// Up to two moves on from the position that stands.
    PosDiff(MoveList),
    /// Nothing is checked against a position. Without any limit it is the bare `go`.
    Go(Box<Limits>),
    /// Count the leaves of the tree of this depth.
    Perft(u32),
    Stop,
    /// With the clocks, if the line brings them.
    PonderHit(Option<Clock>),
    GameOver,
    Quit,
    /// List the legal moves.
    Moves,
    /// Show the board.
    Display,
    /// Show the position key.
    Key,
    /// Say whose move it is.
    Side,
    /// Evaluate the position, without a search.
    Eval,
    /// Say what this program is and with which instructions it evaluates.
    Compiler,
}

/// A line, understood as far as possible.
#[derive(Debug)]
pub struct Parsed {
    /// `None` if the line is empty or a remark, or nothing in it can be obeyed.
    pub command: Option<Command>,
    /// What was wrong, in the order of the line; few however long the line is.
    pub errors: Vec<CommandError>,
}

/// Understands one line. Any bytes are allowed; the time is linear in their number.
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

/// Whether a line that begins so says what the position is.
pub(crate) fn tells_position(beginning: &[u8]) -> bool {
    matches!(parse(beginning).command, Some(Command::Position { .. } | Command::PosDiff(_)))
}

impl Parser<'_> {
    /// Looks for the first word that is a command, and reads its arguments.
    fn command(&mut self) -> Option<Command> {
        let first = self.peek()?;
        // No GUI begins a line so, but people do who keep conversations in files.
        if first.starts_with(REMARK) {
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
        self.error(CommandError::Unknown { token: quote(first) });
        None
    }

    fn debug(&mut self) -> Option<Command> {
        match self.next() {
            Some(b"on") => Some(Command::Debug(true)),
            Some(b"off") => Some(Command::Debug(false)),
            Some(token) => {
                self.error(CommandError::Stray { word: "debug", token: quote(token) });
                None
            }
            None => {
                self.error(CommandError::Missing { word: "debug", what: "on or off" });
                None
            }
        }
    }
}
