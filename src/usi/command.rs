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
    Unknown {
        token: String,
    },
    /// After this word something must follow.
    Missing {
        word: &'static str,
        what: &'static str,
    },
    /// The token is ignored, and the word before it counts as absent.
    NotANumber {
        word: &'static str,
        token: String,
    },
    /// The number was brought into the range of the word.
    Clamped {
        word: &'static str,
        token: String,
        to: u64,
    },
    NotAMove {
        word: &'static str,
        token: String,
    },
    /// A token that means nothing here, and was skipped.
    Stray {
        word: &'static str,
        token: String,
    },
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
                write!(
                    f,
                    "{token} after {word} is not a move (a move looks like 7g7f, 2b3c+, P*5e)"
                )
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
            self.eat_to_moves();
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

    /// Steps over the word `moves` and what should not stand before it. The word may be missing.
    fn eat_to_moves(&mut self) {
        while !self.eat(b"moves") {
            match self.peek() {
                Some(token) if parse_move(token).is_none() => {
                    self.next();
                    self.error(CommandError::Stray { word: "startpos", token: quote(token) });
                }
                _ => break,
            }
        }
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
        let or_zero =
            |sides: ByColor<Option<Duration>>| ByColor(sides.0.map(Option::unwrap_or_default));
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
    let add =
        |sum: i128, digit: &u8| sum.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
    let magnitude = digits.iter().fold(0, add);
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The command of a line in which nothing is wrong.
    fn clean(line: &str) -> Command {
        let parsed = parse(line.as_bytes());
        assert_eq!(parsed.errors, [], "{line}");
        parsed.command.unwrap_or_else(|| panic!("no command: {line}"))
    }

    fn limits(command: Option<Command>) -> Limits {
        match command {
            Some(Command::Go(limits)) => *limits,
            other => panic!("not a go: {other:?}"),
        }
    }

    fn go(line: &str) -> Limits {
        limits(Some(clean(line)))
    }

    /// A line with errors: its limits, and what it says.
    fn go_with_errors(line: &str) -> (Limits, Vec<String>) {
        let parsed = parse(line.as_bytes());
        assert!(!parsed.errors.is_empty(), "{line}");
        (limits(parsed.command), parsed.errors.iter().map(ToString::to_string).collect())
    }

    fn position(line: &str) -> (Start, String) {
        match clean(line) {
            Command::Position { start, moves } => (start, text(&moves)),
            other => panic!("not a position: {other:?}"),
        }
    }

    fn text(moves: &[Move]) -> String {
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// A command without its arguments, for commands that have none.
    fn name(command: &Command) -> String {
        format!("{command:?}")
    }

    #[test]
    fn plain_commands_are_known() {
        let lines = [
            ("usi", "Usi"),
            ("debug on", "Debug(true)"),
            ("debug off", "Debug(false)"),
            ("isready", "IsReady"),
            ("register later", "Register"),
            ("register name Taro Yamada code 12 34", "Register"),
            ("usinewgame", "NewGame"),
            ("stop", "Stop"),
            ("ponderhit", "PonderHit(None)"),
            ("gameover win", "GameOver"),
            ("gameover", "GameOver"),
            ("quit", "Quit"),
            ("moves", "Moves"),
            ("d", "Display"),
            ("key", "Key"),
            ("getoption", "GetOption(None)"),
            ("go perft 5", "Perft(5)"),
        ];
        for (line, expected) in lines {
            assert_eq!(name(&clean(line)), expected);
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(name(&clean("joho debug on")), "Debug(true)");
        assert_eq!(go("please do go depth 3").depth, Some(3));
    }

    #[test]
    fn a_line_without_a_command_names_its_first_word() {
        let parsed = parse("\u{fffd}foo bar".as_bytes());
        assert!(parsed.command.is_none());
        assert_eq!(parsed.errors, [CommandError::Unknown { token: "\"???foo\"".into() }]);
    }

    #[test]
    fn an_empty_line_is_nothing_and_no_error() {
        for line in ["", " \t \r\n", "\0", "\u{feff}"] {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_none() && parsed.errors.is_empty(), "{line:?}");
        }
    }

    #[test]
    fn any_white_space_and_a_byte_order_mark_are_stepped_over() {
        assert_eq!(name(&clean("\u{feff}usi\r")), "Usi");
        let limits = go("\t go\tbtime \x0b 1000\x0c wtime   2000\r\n");
        assert_eq!(limits.clock.unwrap().time, ByColor([ms(1000), ms(2000)]));
    }

    #[test]
    fn debug_without_on_or_off_says_so() {
        assert_eq!(parse(b"debug").errors[0].to_string(), "on or off is missing after debug");
        assert_eq!(
            parse(b"debug joho on").errors[0].to_string(),
            "\"joho\" means nothing after debug; ignored"
        );
    }

    #[test]
    fn an_option_has_a_name_and_perhaps_a_value() {
        let option = |line: &str| match clean(line) {
            Command::SetOption { name, value } => {
                let value = value.map(|value| String::from_utf8(value).unwrap());
                (String::from_utf8(name).unwrap(), value)
            }
            other => panic!("not an option: {other:?}"),
        };
        let some = |value: &str| Some(value.to_string());
        for (line, name, value) in [
            ("setoption name Threads value 4", "Threads", some("4")),
            (
                "setoption name EvalFile value C:\\My  Nets\\a b.nnue \r",
                "EvalFile",
                some("C:\\My  Nets\\a b.nnue"),
            ),
            ("setoption name EvalFile value a value b", "EvalFile", some("a value b")),
            ("setoption name EvalFile value ", "EvalFile", some("")),
            ("setoption name EvalFile value", "EvalFile", some("")),
            ("setoption name Clear Hash", "Clear Hash", None),
            ("setoption name  Clear Hash  value 1", "Clear Hash", some("1")),
            ("setoption Threads value 4", "Threads", some("4")),
        ] {
            assert_eq!(option(line), (name.to_string(), value), "{line}");
        }
    }

    #[test]
    fn an_option_value_may_be_any_bytes() {
        match parse(b"setoption name EvalFile value /\x83\x65\xff").command {
            Some(Command::SetOption { value, .. }) => assert_eq!(value.unwrap(), b"/\x83\x65\xff"),
            other => panic!("not an option: {other:?}"),
        }
    }

    #[test]
    fn an_option_without_a_name_says_so() {
        for line in ["setoption", "setoption name", "setoption name value 3"] {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_none());
            assert_eq!(parsed.errors[0].to_string(), "a name is missing after setoption name");
        }
    }

    #[test]
    fn getoption_may_name_one() {
        assert_eq!(
            name(&clean("getoption  Threads ")),
            format!("GetOption(Some({:?}))", b"Threads")
        );
    }

    #[test]
    fn positions_come_in_all_spellings() {
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let start = || Start::Startpos;
        let set = |text: &str| Start::Sfen(text.into());
        for (line, expected, moves) in [
            ("position startpos".to_string(), start(), ""),
            ("position startpos moves".to_string(), start(), ""),
            (
                "position startpos moves 7g7f 3c3d 8h2b+ P*5e".to_string(),
                start(),
                "7g7f 3c3d 8h2b+ P*5e",
            ),
            ("position startpos 7g7f".to_string(), start(), "7g7f"),
            ("position sfen startpos moves 7g7f".to_string(), start(), "7g7f"),
            (format!("position sfen {sfen}"), set(sfen), ""),
            (format!("position {sfen}"), set(sfen), ""),
            (
                format!("position  sfen  {}  moves  7g7f", sfen.replace(' ', "\t ")),
                set(sfen),
                "7g7f",
            ),
            (
                "position sfen 9/9/9/9/9/9/9/9/9 w moves 1a1b".to_string(),
                set("9/9/9/9/9/9/9/9/9 w"),
                "1a1b",
            ),
            ("position sfen 8k/9 b".to_string(), set("8k/9 b"), ""),
        ] {
            assert_eq!(position(&line), (expected, moves.to_string()), "{line}");
        }
    }

    #[test]
    fn the_result_behind_a_pasted_record_ends_its_moves() {
        for ending in ["resign", "win", "rep_draw", "timeup"] {
            let line = format!("position startpos moves 7g7f 3c3d {ending} 2g2f");
            assert_eq!(position(&line), (Start::Startpos, "7g7f 3c3d".into()));
        }
    }

    #[test]
    fn moves_behind_a_token_that_is_none_are_not_played() {
        let parsed = parse(b"position startpos moves 7g7f 3c3x 2g2f");
        match parsed.command {
            Some(Command::Position { moves, .. }) => assert_eq!(text(&moves), "7g7f"),
            other => panic!("not a position: {other:?}"),
        }
        let expected = CommandError::NotAMove { word: "moves", token: "\"3c3x\"".into() };
        assert_eq!(parsed.errors, [expected]);
    }

    #[test]
    fn a_stray_token_before_the_moves_does_not_lose_them() {
        let parsed = parse(b"position startpos joho moves 7g7f");
        match parsed.command {
            Some(Command::Position { moves, .. }) => assert_eq!(text(&moves), "7g7f"),
            other => panic!("not a position: {other:?}"),
        }
        assert_eq!(parsed.errors[0].to_string(), "\"joho\" means nothing after startpos; ignored");
    }

    #[test]
    fn a_position_that_is_not_given_says_so() {
        for line in ["position", "position sfen", "position moves 7g7f"] {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_none(), "{line}");
            assert!(matches!(parsed.errors[..], [CommandError::Missing { .. }]), "{line}");
        }
    }

    #[test]
    fn posdiff_is_a_list_of_moves() {
        match clean("posdiff 7g7f 3c3d") {
            Command::PosDiff(moves) => assert_eq!(text(&moves), "7g7f 3c3d"),
            other => panic!("not a posdiff: {other:?}"),
        }
        assert!(parse(b"posdiff").command.is_none());
        assert_eq!(parse(b"posdiff").errors.len(), 1);
        assert_eq!(parse(b"posdiff x").errors.len(), 1);
    }

    #[test]
    fn byoyomi_counts_for_both_sides_unless_a_side_has_its_own() {
        let clock = go("go btime 1000 wtime 2000 byoyomi 3000").clock.unwrap();
        assert_eq!(clock.time, ByColor([ms(1000), ms(2000)]));
        assert_eq!(clock.byoyomi, ByColor([ms(3000), ms(3000)]));
        assert_eq!(clock.increment, ByColor([ms(0), ms(0)]));
        let clock = go("go wbyoyomi 5 byoyomi 3000 btime 0").clock.unwrap();
        assert_eq!(clock.byoyomi, ByColor([ms(3000), ms(5)]));
        let clock = go("go bbyoyomi 7 wbyoyomi 5").clock.unwrap();
        assert_eq!(clock.byoyomi, ByColor([ms(7), ms(5)]));
    }

    #[test]
    fn fischer_clocks_and_moves_to_go_are_read() {
        let clock = go("go winc 20 binc 10 wtime 2000 btime 1000 movestogo 12").clock.unwrap();
        assert_eq!(clock.increment, ByColor([ms(10), ms(20)]));
        assert_eq!(clock.moves_to_go, Some(12));
        assert_eq!(go("go btime 1 movestogo 0").clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn no_clock_word_means_no_clock() {
        for line in ["go", "go ponder", "go infinite", "go movetime 100", "go movestogo 3"] {
            assert_eq!(go(line).clock, None, "{line}");
        }
    }

    #[test]
    fn plain_limits_are_read_in_any_order() {
        let limits = go("go movetime 500 nodes 18446744073709551615 depth 9 rtime 30 ponder");
        assert_eq!(limits.move_time, Some(ms(500)));
        assert_eq!(limits.nodes, Some(u64::MAX));
        assert_eq!(limits.depth, Some(9));
        assert_eq!(limits.random_time, Some(ms(30)));
        assert!(limits.ponder && !limits.infinite);
        assert_eq!(limits.mate, None);
    }

    #[test]
    fn search_moves_run_to_the_next_word() {
        for line in [
            "go infinite searchmoves 7g7f 2g2f",
            "go searchmoves 7g7f 2g2f infinite",
            "go searchmoves 7g7f infinite searchmoves 2g2f",
        ] {
            let limits = go(line);
            assert_eq!(text(&limits.search_moves), "7g7f 2g2f", "{line}");
            assert!(limits.infinite);
        }
    }

    #[test]
    fn a_bad_search_move_costs_only_itself() {
        let (limits, errors) = go_with_errors("go searchmoves 7g7f 77 2g2f depth 2");
        assert_eq!(text(&limits.search_moves), "7g7f 2g2f");
        assert_eq!(limits.depth, Some(2));
        assert!(errors[0].starts_with("\"77\" after searchmoves is not a move"), "{errors:?}");
    }

    #[test]
    fn mate_comes_in_all_the_forms_that_are_sent() {
        let unlimited = Some(MateLimit::Unlimited);
        for (line, mate, nodes, depth) in [
            ("go mate 10000", Some(MateLimit::Time(ms(10_000))), None, None),
            ("go mate 5", Some(MateLimit::Time(ms(5))), None, None),
            ("go mate infinite", unlimited, None, None),
            ("go mate", unlimited, None, None),
            ("go infinite mate", unlimited, None, None),
            ("go nodes 77 mate infinite", unlimited, Some(77), None),
            ("go depth 8 mate infinite", unlimited, None, Some(8)),
            ("go mate nodes 77", unlimited, Some(77), None),
            ("go mate depth 8", unlimited, None, Some(8)),
            ("go mate 10 nodes 77 depth 8", Some(MateLimit::Time(ms(10))), Some(77), Some(8)),
        ] {
            let limits = go(line);
            assert_eq!((limits.mate, limits.nodes, limits.depth), (mate, nodes, depth), "{line}");
            assert!(!limits.infinite, "{line}");
        }
    }

    #[test]
    fn a_mate_limit_that_is_no_number_is_no_limit() {
        let (limits, errors) = go_with_errors("go mate soon");
        assert_eq!(limits.mate, Some(MateLimit::Unlimited));
        assert_eq!(errors, ["mate needs a number, not \"soon\"; ignored"]);
    }

    #[test]
    fn a_bad_clock_leaves_the_rest_of_the_line() {
        let (limits, errors) = go_with_errors("go btime x wtime 1000 byoyomi 500");
        let clock = limits.clock.unwrap();
        assert_eq!(clock.time, ByColor([ms(0), ms(1000)]));
        assert_eq!(clock.byoyomi, ByColor([ms(500), ms(500)]));
        assert_eq!(errors, ["btime needs a number, not \"x\"; ignored"]);
    }

    #[test]
    fn a_missing_number_does_not_eat_the_next_word() {
        let (limits, errors) = go_with_errors("go btime wtime 1000 depth");
        assert_eq!(limits.clock.unwrap().time, ByColor([ms(0), ms(1000)]));
        assert_eq!(limits.depth, None);
        let missing = |word| format!("a number is missing after {word}");
        assert_eq!(errors, [missing("btime"), missing("depth")]);
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it_and_said() {
        let huge = "9".repeat(100);
        let line = format!("go btime -5 wtime {huge} nodes {huge} depth 0 movestogo -1");
        let (limits, errors) = go_with_errors(&line);
        let clock = limits.clock.unwrap();
        assert_eq!(clock.time, ByColor([ms(0), ms(LONGEST_MS)]));
        assert_eq!(clock.moves_to_go, None);
        assert_eq!(limits.nodes, Some(u64::MAX));
        assert_eq!(limits.depth, Some(1));
        assert_eq!(errors.len(), 5);
        assert_eq!(errors[0], "btime \"-5\" is out of range; taken as 0");
    }

    #[test]
    fn a_stray_token_of_go_is_skipped_and_said() {
        let (limits, errors) = go_with_errors("go joho depth 4 on");
        assert_eq!(limits.depth, Some(4));
        let stray = |token| format!("{token:?} means nothing after go; ignored");
        assert_eq!(errors, [stray("joho"), stray("on")]);
    }

    #[test]
    fn ponderhit_may_bring_clocks() {
        let hit = |line: &str| match clean(line) {
            Command::PonderHit(clock) => clock,
            other => panic!("not a ponderhit: {other:?}"),
        };
        let clock = hit("ponderhit btime 60000 wtime 50000 byoyomi 1000").unwrap();
        assert_eq!(clock.time, ByColor([ms(60_000), ms(50_000)]));
        assert_eq!(clock.byoyomi, ByColor([ms(1000), ms(1000)]));
        let clock = hit("ponderhit btime 1 wtime 2 binc 3 winc 4").unwrap();
        assert_eq!(clock.increment, ByColor([ms(3), ms(4)]));
        assert_eq!(hit("ponderhit"), None);
    }

    #[test]
    fn perft_without_a_depth_says_so() {
        for line in ["go perft", "go perft x"] {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_none());
            assert_eq!(parsed.errors.len(), 1);
        }
    }

    #[test]
    fn errors_are_few_however_long_the_line() {
        let parsed = parse(format!("go {}", "x ".repeat(100_000)).as_bytes());
        assert_eq!(parsed.errors.len(), MOST_ERRORS + 1);
        assert_eq!(parsed.errors[MOST_ERRORS], CommandError::More(100_000 - MOST_ERRORS));
    }

    /// Quadratic work on these lines would take hours.
    #[test]
    fn lines_of_megabytes_take_linear_time() {
        let begin = std::time::Instant::now();
        for (head, part) in [
            ("", "x "),
            ("", "x"),
            ("", " "),
            ("go ", "searchmoves "),
            ("go searchmoves ", "7g7f "),
            ("go ", "btime "),
            ("go btime ", "9"),
            ("position startpos moves ", "7g7f "),
            ("position sfen ", "x "),
            ("position sfen ", "x"),
            ("setoption name ", "x "),
            ("setoption name x value ", "value "),
            ("getoption ", "x "),
        ] {
            parse(format!("{head}{}", part.repeat((2 << 20) / part.len())).as_bytes());
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    }

    /// Words of the protocol and junk, so that lines go deep into the grammar.
    fn word() -> impl Strategy<Value = Vec<u8>> {
        let known = prop::sample::select(
            [
                "usi",
                "go",
                "position",
                "sfen",
                "startpos",
                "moves",
                "setoption",
                "name",
                "value",
                "mate",
                "ponderhit",
                "7g7f",
                "P*5e",
                "8h2b+",
                "0",
                "-1",
                "1000",
                "resign",
                "posdiff",
                "99999999999999999999999999999999999999999999999999",
                "+",
                "-",
                "debug",
                "on",
            ]
            .map(|word| word.as_bytes().to_vec())
            .into_iter()
            .chain(GO_WORDS.map(<[u8]>::to_vec))
            .collect::<Vec<_>>(),
        );
        prop_oneof![4 => known, 1 => prop::collection::vec(any::<u8>(), 0..6)]
    }

    /// What must hold for every line.
    fn check(line: &[u8]) {
        let Parsed { command, errors } = parse(line);
        assert!(errors.len() <= MOST_ERRORS + 1);
        for error in errors {
            let text = error.to_string();
            assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text}");
        }
        if let Some(Command::Position { start: Start::Sfen(sfen), .. }) = command {
            assert!(sfen.is_ascii() && !sfen.is_empty());
        }
    }

    proptest! {
        #[test]
        fn no_bytes_can_upset_the_parser(line in prop::collection::vec(any::<u8>(), 0..200)) {
            check(&line);
        }

        #[test]
        fn no_words_can_upset_the_parser(words in prop::collection::vec(word(), 0..20)) {
            check(&words.join(&b' '));
        }

        #[test]
        fn moves_are_read_as_they_are_written(bits in prop::collection::vec(any::<u16>(), 0..50)) {
            let moves: Vec<Move> = bits.into_iter().filter_map(Move::from_bits).collect();
            let line = format!("position startpos moves {}", text(&moves));
            prop_assert_eq!(position(&line).1, text(&moves));
        }
    }
}
