//! Errors of opening books.

use std::error::Error;
use std::fmt;
use std::io;

use crate::position::SfenError;

/// Why a file cannot be used as a book. The message does not name the file.
#[derive(Debug)]
pub enum BookError {
    Unreadable(io::Error),
    Empty,
    /// The format is unknown.
    Unknown,
    /// The lines of a text end in CR alone.
    CarriageReturns,
    /// A line before the first position of a text is invalid. Lines count from 1.
    Line {
        line: u64,
        error: LineError,
    },
    /// The header announces more records than the file has.
    TooShort {
        records: u64,
        bytes: u64,
    },
    /// The header has unknown flags.
    Flags(u64),
    /// This record (from 0) is less than the one before it.
    Unsorted {
        record: u64,
    },
    /// The moves of this record (from 0) lie outside the file.
    MovesOutside {
        record: u64,
    },
    /// A book of ShogiGUI is invalid at this byte.
    Sbk {
        offset: usize,
        what: &'static str,
    },
    /// The file was truncated while it was read.
    Truncated,
}

/// Why a line of a text is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    NotText,
    Position(SfenError),
    /// A move or other text before the first position.
    NoPosition(String),
    /// Neither a comment, a position nor a move.
    NotAMove(String),
    NotANumber(String),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Unreadable(error) => error.fmt(f),
            BookError::Empty => f.write_str("the file is empty"),
            BookError::Unknown => f.write_str(
                "this is not an opening book of a known format: YaneuraOu text (.db) or binary \
                 (.ybb), Apery (book.bin), ShogiGUI (.sbk)",
            ),
            BookError::CarriageReturns => {
                f.write_str("its lines end in CR alone; convert them to LF or CRLF")
            }
            BookError::Line { line, error } => write!(f, "line {line}: {error}"),
            BookError::TooShort { records, bytes } => {
                write!(f, "the file of {bytes} bytes is too short for {records} positions")
            }
            BookError::Flags(flags) => {
                write!(f, "unsupported version of the format (flags {flags:#x})")
            }
            BookError::Unsorted { record } => {
                write!(f, "the positions are not sorted (record {record})")
            }
            BookError::MovesOutside { record } => {
                write!(f, "the moves of record {record} lie outside the file")
            }
            BookError::Sbk { offset, what } => write!(f, "byte {offset}: {what}"),
            BookError::Truncated => f.write_str("the file was truncated while it was read"),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NotText => f.write_str("the position is not ASCII text"),
            LineError::Position(error) => error.fmt(f),
            LineError::NoPosition(text) => {
                write!(f, "\"{text}\" comes before the first position (a line with sfen)")
            }
            LineError::NotAMove(text) => write!(f, "\"{text}\" is not a move"),
            LineError::NotANumber(text) => write!(f, "\"{text}\" is not a number"),
        }
    }
}

impl Error for BookError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BookError::Unreadable(error) => Some(error),
            BookError::Line { error, .. } => Some(error),
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

/// The beginning of a word or line, without control characters, for a message.
pub(super) fn quote(bytes: &[u8]) -> String {
    const MAX: usize = 24;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MAX + 4)]);
    let end = if text.chars().nth(MAX).is_some() { "..." } else { "" };
    text.chars().take(MAX).flat_map(char::escape_debug).chain(end.chars()).collect()
}
