//! One line of input to one [`Command`].
//!
//! Owns the grammar of what a GUI may send and how much of a damaged line can be saved. Needs no
//! board: moves come out parsed, but whether they can be played is for others to say. Nothing here
//! can fail as a whole: a line gives a command or none, and says what was wrong with it.

use std::fmt;
use std::time::Duration;

use super::quote::{ascii, quote};
use crate::search::request::{Clock, Limits, MateLimit};
use crate::types::{ByColor, Color, Depth, MAX_PLY, Move};

/// What a line asks for.
#[derive(Clone, Debug)]
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
    Register,
    NewGame,
    Position {
        start: Start,
        moves: Vec<Move>,
    },
    /// Up to two moves on from the position that stands.
    PosDiff(Vec<Move>),
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
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    Startpos,
    /// The fields as sent, one blank between them, ASCII; some may be missing.
    Sfen(String),
}

/// A line, understood as far as possible.
#[derive(Debug)]
pub struct Parsed {
    /// `None` if the line is empty or nothing in it can be obeyed.
    pub command: Option<Command>,
    /// What was wrong, in the order of the line; few however long the line is.
    pub errors: Vec<CommandError>,
}

/// What is wrong with a line. Foreign text in it is already fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No word of the line is a command.
    Unknown { token: String },
    /// After this word something must follow.
    Missing { word: &'static str, what: &'static str },
    /// The token is ignored, and the word before it counts as absent.
    NotANumber { word: &'static str, token: String },
    /// The number was brought into the range of the word.
    Clamped { word: &'static str, token: String, to: u64 },
    NotAMove { word: &'static str, token: String },
    /// A token that means nothing here, and was skipped.
    Stray { word: &'static str, token: String },
    /// Further errors that are not listed.
    More(usize),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown { token } => write!(f, "unknown command {token}"),
            CommandError::Missing { word, what } => write!(f, "{what} is missing after {word}"),
            CommandError::NotANumber { word, token } => {
                write!(f, "{word} needs a number, not {token}; ignored")
            }
            CommandError::Clamped { word, token, to } => {
                write!(f, "{word} {token} is out of range; taken as {to}")
            }
            CommandError::NotAMove { word, token } => {
                write!(f, "{token} after {word} is not a move (a move looks like 7g7f, 2b3c+, P*5e)")
            }
            CommandError::Stray { word, token } => {
                write!(f, "{token} means nothing after {word}; ignored")
            }
            CommandError::More(count) => write!(f, "{count} more errors in the same line"),
        }
    }
}

impl std::error::Error for CommandError {}

/// Errors listed for one line; a line of megabytes may hold a million.
const MOST_ERRORS: usize = 8;

/// Longest time a clock word may give, in milliseconds: about thirty years. Sums of a few such
/// times and a moment of the system clock cannot overflow.
const LONGEST_MS: u64 = 1_000_000_000_000;

/// The words of `go`. One of them is never taken for the value of another.
const GO_WORDS: [&[u8]; 17] = [
    b"searchmoves",
    b"ponder",
    b"btime",
    b"wtime",
    b"binc",
    b"winc",
    b"byoyomi",
    b"bbyoyomi",
    b"wbyoyomi",
    b"movestogo",
    b"depth",
    b"nodes",
    b"movetime",
    b"mate",
    b"infinite",
    b"rtime",
    b"perft",
];

/// Words that end a move list of a pasted record: what follows the last move is a result.
const ENDINGS: [&[u8]; 15] = [
    b"resign",
    b"win",
    b"draw",
    b"lose",
    b"abort",
    b"break",
    b"timeup",
    b"timeout",
    b"illegal",
    b"rep_draw",
    b"rep_win",
    b"rep_lose",
    b"rep_sup",
    b"rep_inf",
    b"none",
];

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
    let mut parser = Parser { rest: line, errors: Vec::new(), more: 0 };
    let command = parser.command();
    let Parser { mut errors, more, .. } = parser;
    if more > 0 {
        errors.push(CommandError::More(more));
    }
    Parsed { command, errors }
}

/// The line from the next token on, and what was wrong so far.
struct Parser<'a> {
    rest: &'a [u8],
    errors: Vec<CommandError>,
    more: usize,
}

/// Control characters separate words too: whatever they are, they are part of none.
fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&byte| !is_blank(byte))?;
        let token = &self.rest[start..];
        let end = token.iter().position(|&byte| is_blank(byte)).unwrap_or(token.len());
        Some(&token[..end])
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&byte| !is_blank(byte))?;
        let token = &self.rest[start..];
        let end = token.iter().position(|&byte| is_blank(byte)).unwrap_or(token.len());
        self.rest = &token[end..];
        Some(&token[..end])
    }

    /// Steps over the next token if it is this word.
    fn eat(&mut self, word: &[u8]) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.next();
        }
        found
    }

    /// All that is left, without the blanks around it.
    fn remainder(&mut self) -> &'a [u8] {
        trim(std::mem::take(&mut self.rest))
    }

    fn error(&mut self, error: CommandError) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        } else {
            self.more += 1;
        }
    }

    /// Looks for the first word that is a command, and reads its arguments.
    fn command(&mut self) -> Option<Command> {
        let first = self.peek()?;
        while let Some(word) = self.next() {
            match word {
                b"usi" => return Some(Command::Usi),
                b"debug" => return self.debug(),
                b"isready" => return Some(Command::IsReady),
                b"setoption" => return self.set_option(),
                b"getoption" => return Some(self.get_option()),
                b"register" => return Some(Command::Register),
                b"usinewgame" => return Some(Command::NewGame),
                b"position" => return self.position(),
                b"posdiff" => return self.pos_diff(),
                b"go" => return self.go(),
                b"stop" => return Some(Command::Stop),
                b"ponderhit" => return Some(self.ponder_hit()),
                b"gameover" => return Some(Command::GameOver),
                b"quit" => return Some(Command::Quit),
                b"moves" => return Some(Command::Moves),
                b"d" => return Some(Command::Display),
                b"key" => return Some(Command::Key),
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

    fn set_option(&mut self) -> Option<Command> {
        self.eat(b"name");
        let text = self.rest;
        let mut name = text;
        let mut value = None;
        while let Some(token) = self.next() {
            if token == b"value" {
                name = &text[..text.len() - self.rest.len() - token.len()];
                value = Some(self.remainder().to_vec());
            }
        }
        let name = trim(name);
        if name.is_empty() {
            self.error(CommandError::Missing { word: "setoption name", what: "a name" });
            return None;
        }
        Some(Command::SetOption { name: name.to_vec(), value })
    }

    fn get_option(&mut self) -> Command {
        self.eat(b"name");
        let name = self.remainder();
        Command::GetOption((!name.is_empty()).then(|| name.to_vec()))
    }

    fn position(&mut self) -> Option<Command> {
        let named = self.eat(b"sfen");
        if self.eat(b"startpos") {
            self.eat(b"moves");
            return Some(Command::Position { start: Start::Startpos, moves: self.move_list() });
        }
        let fields = self.sfen_fields();
        if fields.is_empty() {
            let word = if named { "position sfen" } else { "position" };
            self.error(CommandError::Missing { word, what: "a position" });
            return None;
        }
        Some(Command::Position { start: Start::Sfen(fields), moves: self.move_list() })
    }

    /// The text up to the word `moves`, which is stepped over, or to the end of the line.
    fn sfen_fields(&mut self) -> String {
        let mut fields = String::new();
        while let Some(token) = self.next() {
            if token == b"moves" {
                break;
            }
            if !fields.is_empty() {
                fields.push(' ');
            }
            fields.push_str(&ascii(token));
        }
        fields
    }

    /// The moves up to the end of the line, to a word that ends a record, or to the first token
    /// that is no move: what comes after it would be played in a wrong position.
    fn move_list(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some(token) = self.next() {
            match parse_move(token) {
                Some(mv) => moves.push(mv),
                None if ENDINGS.contains(&token) => break,
                None => {
                    self.error(CommandError::NotAMove { word: "moves", token: quote(token) });
                    break;
                }
            }
        }
        moves
    }

    fn pos_diff(&mut self) -> Option<Command> {
        let moves = self.move_list();
        if moves.is_empty() && self.errors.is_empty() {
            self.error(CommandError::Missing { word: "posdiff", what: "a move" });
        }
        (!moves.is_empty()).then_some(Command::PosDiff(moves))
    }

    fn ponder_hit(&mut self) -> Command {
        let mut clock = ClockWords::default();
        while let Some(word) = self.next() {
            if !clock.read(word, self) {
                self.error(CommandError::Stray { word: "ponderhit", token: quote(word) });
            }
        }
        Command::PonderHit(clock.finish())
    }

    fn go(&mut self) -> Option<Command> {
        let mut limits = Limits::default();
        let mut clock = ClockWords::default();
        while let Some(word) = self.next() {
            match word {
                b"perft" => return self.perft(),
                b"searchmoves" => self.search_moves(&mut limits.search_moves),
                b"ponder" => limits.ponder = true,
                b"infinite" => limits.infinite = true,
                b"mate" => limits.mate = Some(self.mate()),
                b"movetime" => limits.move_time = self.time("movetime").or(limits.move_time),
                b"rtime" => limits.random_time = self.time("rtime").or(limits.random_time),
                b"nodes" => limits.nodes = self.number("nodes", 0, u64::MAX).or(limits.nodes),
                b"depth" => limits.depth = self.depth("depth").or(limits.depth),
                _ if clock.read(word, self) => {}
                _ => self.error(CommandError::Stray { word: "go", token: quote(word) }),
            }
        }
        limits.clock = clock.finish();
        // A mate search answers as soon as it knows, also where `infinite` stands before `mate`.
        limits.infinite &= limits.mate.is_none();
        Some(Command::Go(Box::new(limits)))
    }

    fn perft(&mut self) -> Option<Command> {
        self.depth("perft").map(|depth| Command::Perft(depth.unsigned_abs()))
    }

    fn search_moves(&mut self, moves: &mut Vec<Move>) {
        while let Some(token) = self.peek().filter(|token| !GO_WORDS.contains(token)) {
            self.next();
            match parse_move(token) {
                Some(mv) => moves.push(mv),
                None => {
                    self.error(CommandError::NotAMove { word: "searchmoves", token: quote(token) });
                }
            }
        }
    }

    /// What follows `mate`: milliseconds, `infinite`, or nothing. Shogi GUIs mean milliseconds,
    /// though the first draft of the protocol meant plies; small numbers are no exception.
    fn mate(&mut self) -> MateLimit {
        if self.eat(b"infinite") {
            return MateLimit::Unlimited;
        }
        match self.peek() {
            Some(token) if !GO_WORDS.contains(&token) => {
                self.time("mate").map_or(MateLimit::Unlimited, MateLimit::Time)
            }
            _ => MateLimit::Unlimited,
        }
    }

    fn depth(&mut self, word: &'static str) -> Option<Depth> {
        self.number(word, 1, MAX_PLY as u64).map(|plies| plies as Depth)
    }

    fn time(&mut self, word: &'static str) -> Option<Duration> {
        self.number(word, 0, LONGEST_MS).map(Duration::from_millis)
    }

    /// The number after `word`, brought into the range. `None`, and said, if there is none; a
    /// following word of `go` is left where it is.
    fn number(&mut self, word: &'static str, min: u64, max: u64) -> Option<u64> {
        let Some(token) = self.peek().filter(|token| !GO_WORDS.contains(token)) else {
            self.error(CommandError::Missing { word, what: "a number" });
            return None;
        };
        self.next();
        let Some(number) = parse_number(token) else {
            self.error(CommandError::NotANumber { word, token: quote(token) });
            return None;
        };
        let value = number.clamp(i128::from(min), i128::from(max)) as u64;
        if i128::from(value) != number {
            self.error(CommandError::Clamped { word, token: quote(token), to: value });
        }
        Some(value)
    }
}

/// The clock words of `go` and `ponderhit` as they come.
#[derive(Default)]
struct ClockWords {
    time: ByColor<Option<Duration>>,
    increment: ByColor<Option<Duration>>,
    own_byoyomi: ByColor<Option<Duration>>,
    /// For both sides, where the side has none of its own.
    byoyomi: Option<Duration>,
    moves_to_go: Option<u32>,
}

impl ClockWords {
    /// Reads the number after a clock word; false if the word is none.
    fn read(&mut self, word: &[u8], parser: &mut Parser<'_>) -> bool {
        use Color::{Black, White};
        let (word, slot): (&'static str, _) = match word {
            b"btime" => ("btime", &mut self.time[Black]),
            b"wtime" => ("wtime", &mut self.time[White]),
            b"binc" => ("binc", &mut self.increment[Black]),
            b"winc" => ("winc", &mut self.increment[White]),
            b"byoyomi" => ("byoyomi", &mut self.byoyomi),
            b"bbyoyomi" => ("bbyoyomi", &mut self.own_byoyomi[Black]),
            b"wbyoyomi" => ("wbyoyomi", &mut self.own_byoyomi[White]),
            b"movestogo" => {
                let moves = parser.number("movestogo", 0, u64::from(u32::MAX));
                // Zero means the same as absent: sudden death.
                self.moves_to_go = moves.map(|moves| moves as u32).filter(|&moves| moves > 0);
                return true;
            }
            _ => return false,
        };
        *slot = parser.time(word).or(*slot);
        true
    }

    /// The clocks, if any word gave one. What is not given is zero: better too early than too late.
    fn finish(self) -> Option<Clock> {
        let sides = [self.time.0, self.increment.0, self.own_byoyomi.0];
        let given = self.byoyomi.is_some() || sides.as_flattened().iter().any(Option::is_some);
        let or_zero = |sides: ByColor<Option<Duration>>| ByColor(sides.0.map(Option::unwrap_or_default));
        let byoyomi = self.own_byoyomi.0.map(|own| own.or(self.byoyomi));
        given.then(|| Clock {
            time: or_zero(self.time),
            increment: or_zero(self.increment),
            byoyomi: or_zero(ByColor(byoyomi)),
            moves_to_go: self.moves_to_go,
        })
    }
}

fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|&byte| !is_blank(byte)) else { return &[] };
    let end = text.iter().rposition(|&byte| !is_blank(byte)).map_or(text.len(), |last| last + 1);
    &text[start..end]
}

fn parse_move(token: &[u8]) -> Option<Move> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// A whole number with or without a sign; a number too long for the type is brought into it.
fn parse_number(token: &[u8]) -> Option<i128> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: i128, digit: &u8| sum.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
    let magnitude = digits.iter().fold(0, add);
    Some(if negative { -magnitude } else { magnitude })
}
