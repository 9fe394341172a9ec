//! Why a file cannot be used as a book, and what is wrong with a line of one.

use std::error::Error;
use std::fmt;
use std::io;

use crate::position::SfenError;

/// A file that is no book, or a broken one. Whoever knows the file names it.
#[derive(Debug)]
pub enum BookError {
    Unreadable(io::Error),
    Empty,
    /// Of none of the known formats.
    Unknown,
    /// A text whose lines end as no program here ends them.
    CarriageReturns,
    /// A text that is no book from this line on. From 1.
    Line {
        line: u64,
        fault: LineError,
    },
    /// More is announced than the file has.
    TooShort {
        records: u64,
        bytes: u64,
    },
    /// The head announces what is not known.
    Flags(u64),
    /// The record of this number (from 0) must not come behind the one before it.
    Unsorted {
        record: u64,
    },
    /// The moves of this record (from 0) lie outside the file.
    MovesOutside {
        record: u64,
    },
    /// A book of ShogiGUI that cannot be read from this byte on.
    Sbk {
        offset: usize,
        what: &'static str,
    },
    /// The file was cut off while it was read.
    CutOff,
}

/// What is wrong with a line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    NotText,
    Position(SfenError),
    /// A move before the first position.
    NoPosition(String),
    /// Neither a comment nor a position nor a move.
    NotAMove(String),
    NotANumber(String),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Unreadable(error) => error.fmt(f),
            BookError::Empty => f.write_str("the file is empty"),
            BookError::Unknown => f.write_str(
                "this is no opening book: neither a text of YaneuraOu (.db), nor .ybb, nor \
                 book.bin of Apery, nor .sbk",
            ),
            BookError::CarriageReturns => {
                f.write_str("its lines end in CR alone; write them anew, ending in LF or CRLF")
            }
            BookError::Line { line, fault } => write!(f, "line {line}: {fault}"),
            BookError::TooShort { records, bytes } => {
                write!(f, "{bytes} bytes are too few for the {records} positions it announces")
            }
            BookError::Flags(flags) => {
                write!(f, "it is of a later kind than is known here (flags {flags:#x})")
            }
            BookError::Unsorted { record } => {
                write!(f, "record {record} is out of order, so positions cannot be found in it")
            }
            BookError::MovesOutside { record } => {
                write!(f, "the moves of record {record} lie outside the file")
            }
            BookError::Sbk { offset, what } => write!(f, "byte {offset}: {what}"),
            BookError::CutOff => f.write_str("the file was cut off while it was read"),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NotText => f.write_str("the position is not in ASCII"),
            LineError::Position(error) => error.fmt(f),
            LineError::NoPosition(text) => {
                write!(f, "\"{text}\" stands before the first position (a line with sfen)")
            }
            LineError::NotAMove(text) => write!(f, "\"{text}\" is no move"),
            LineError::NotANumber(text) => write!(f, "\"{text}\" is no number"),
        }
    }
}

impl Error for BookError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BookError::Unreadable(error) => Some(error),
            BookError::Line { fault, .. } => Some(fault),
            _ => None,
        }
    }
}

impl Error for LineError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> BookError {
        BookError::Unreadable(error)
    }
}

/// The beginning of what stands in a file, in ASCII.
pub(super) fn quote(bytes: &[u8]) -> String {
    const MOST: usize = 24;
    let shown = bytes.iter().take(MOST).flat_map(|&byte| byte.escape_ascii());
    let end = if bytes.len() > MOST { "..." } else { "" };
    shown.map(char::from).chain(end.chars()).collect()
}
