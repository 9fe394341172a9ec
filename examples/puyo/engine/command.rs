//! Parses the lines of the GUI.

use std::fmt;
use std::time::Duration;

use kawasemi::session::line_too_long;
use kawasemi::types::excerpt;

use super::field::Puyo;
use super::pfen::{PfenError, unsigned};
use super::placement::Placement;
use super::position::Position;
use super::rule::Rule;
use super::tumo::{Pair, TUMO_PAIRS, Tumo};

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Upi,
    Rule(Rule),
    Tumo(Box<Tumo>),
    Position(Box<Position>),
    IsReady,
    Go(Option<Duration>),
    IllegalMove(Placement),
    GameOver,
    Quit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    Unknown(String),
    NotUtf8,
    TooLong,
    /// Arguments of a command that has none.
    UnexpectedArguments(&'static str),
    Rule,
    TumoCount(usize),
    TumoPair(String),
    Position(PfenError),
    Time,
    Placement(String),
    Result,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => write!(f, "unknown command \"{}\"", excerpt(word)),
            CommandError::TooLong => f.write_str(&line_too_long()),
            CommandError::NotUtf8 => f.write_str("the line is not text in UTF-8"),
            CommandError::UnexpectedArguments(command) => write!(f, "{command} takes no arguments"),
            CommandError::Rule => f.write_str(
                "rule takes falltime, chaintime, settime, nexttime and autodroptime, each with a number of frames",
            ),
            CommandError::TumoCount(count) => {
                write!(f, "tumo takes {TUMO_PAIRS} pairs, not {count}")
            }
            CommandError::TumoPair(pair) => {
                write!(f, "\"{}\" is not a pair of the colours r, g, b, y and p", excerpt(pair))
            }
            CommandError::Position(error) => write!(f, "position: {error}"),
            CommandError::Time => f.write_str("go takes one number of milliseconds, or nothing"),
            CommandError::Placement(text) => {
                write!(f, "\"{}\" is not a move such as 1a1b", excerpt(text))
            }
            CommandError::Result => f.write_str("gameover takes win or lose"),
        }
    }
}

/// The command of a line; `None` if it is empty or a comment.
///
/// # Errors
/// If the line is not a command of the protocol.
pub fn parse(line: &[u8]) -> Result<Option<Command>, CommandError> {
    let text = std::str::from_utf8(line).map_err(|_| CommandError::NotUtf8)?.trim_ascii();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    let alone = |command, name| match rest.trim_ascii() {
        "" => Ok(command),
        _ => Err(CommandError::UnexpectedArguments(name)),
    };
    let command = match word {
        "upi" => alone(Command::Upi, "upi")?,
        "isready" => alone(Command::IsReady, "isready")?,
        "quit" => alone(Command::Quit, "quit")?,
        "rule" => Command::Rule(rule(rest).ok_or(CommandError::Rule)?),
        "tumo" => Command::Tumo(Box::new(tumo(rest)?)),
        "position" => Command::Position(Box::new(rest.parse().map_err(CommandError::Position)?)),
        "go" => Command::Go(time(rest)?),
        "illegalmove" => Command::IllegalMove(placement(rest)?),
        "gameover" => match rest.trim_ascii() {
            "win" | "lose" => Command::GameOver,
            _ => return Err(CommandError::Result),
        },
        _ => return Err(CommandError::Unknown(word.to_owned())),
    };
    Ok(Some(command))
}

/// The five times, in any order, each once.
fn rule(text: &str) -> Option<Rule> {
    let names = ["falltime", "chaintime", "settime", "nexttime", "autodroptime"];
    let mut times = [None; 5];
    let mut words = text.split_ascii_whitespace();
    while let Some(name) = words.next() {
        let time = &mut times[names.iter().position(|known| *known == name)?];
        let frames = unsigned(words.next()?, "number of frames").ok()?;
        if time.replace(frames).is_some() {
            return None;
        }
    }
    let [fall_time, chain_time, set_time, next_time, auto_drop_time] = times;
    Some(Rule {
        fall_time: fall_time?,
        chain_time: chain_time?,
        set_time: set_time?,
        next_time: next_time?,
        auto_drop_time: auto_drop_time?,
    })
}

fn tumo(text: &str) -> Result<Tumo, CommandError> {
    let pairs: Vec<Pair> = text.split_ascii_whitespace().map(pair).collect::<Result<_, _>>()?;
    let count = pairs.len();
    pairs.try_into().map(Tumo::new).map_err(|_| CommandError::TumoCount(count))
}

fn pair(word: &str) -> Result<Pair, CommandError> {
    let color = |letter| Puyo::from_letter(letter).filter(|puyo| *puyo != Puyo::Garbage);
    let mut colors = word.chars().map(color);
    match (colors.next(), colors.next(), colors.next()) {
        (Some(Some(axis)), Some(Some(child)), None) => Ok(Pair { axis, child }),
        _ => Err(CommandError::TumoPair(word.to_owned())),
    }
}

/// A time below zero is zero.
fn time(text: &str) -> Result<Option<Duration>, CommandError> {
    let mut words = text.split_ascii_whitespace();
    let Some(word) = words.next() else { return Ok(None) };
    let number: i64 = word.parse().map_err(|_| CommandError::Time)?;
    match words.next() {
        None => Ok(Some(Duration::from_millis(number.max(0) as u64))),
        Some(_) => Err(CommandError::Time),
    }
}

fn placement(text: &str) -> Result<Placement, CommandError> {
    let text = text.trim_ascii();
    Placement::parse(text).ok_or_else(|| CommandError::Placement(text.to_owned()))
}
