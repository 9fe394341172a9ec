//! Errors of opening books.

use std::error::Error;
use std::fmt;
use std::io;

use crate::position::SfenError;
use crate::types::language::Localized;
use crate::types::message::{Message, message};

/// Why a file cannot be used as a book. The message does not name the file.
#[derive(Debug)]
pub enum BookError {
    Unreadable(io::Error),
    Empty,
    UnknownFormat,
    /// An archive or a compressed file.
    Archive(Localized),
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
    /// The header has flags of another version of the format.
    UnknownFlags(u64),
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
        what: Localized,
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

impl BookError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            BookError::Unreadable(error) => error.into(),
            BookError::Empty => message!("the file is empty", "ファイルが空です"),
            BookError::UnknownFormat => message!(
                "this is not an opening book of a known format: YaneuraOu text (.db) or binary \
                 (.ybb), Apery (book.bin), ShogiGUI (.sbk)",
                "読み込める形式の定跡ではありません。読み込めるのはやねうら王（.db、.ybb）、\
                 Apery（book.bin）、ShogiGUI（.sbk）です"
            ),
            BookError::Archive(what) => message!("this is {}", "{}"; what),
            BookError::CarriageReturns => message!(
                "its lines end in CR alone; convert them to LF or CRLF",
                "改行がCRだけです。LFかCRLFに変えてください"
            ),
            BookError::Line { line, error } => {
                message!("line {line}: {}", "{line}行目：{}"; error.message())
            }
            BookError::TooShort { records, bytes } => message!(
                "the file of {bytes} bytes is too short for {records} positions",
                "{bytes}バイトのファイルは{records}局面には短すぎます"
            ),
            BookError::UnknownFlags(flags) => message!(
                "unsupported version of the format (flags {flags:#x})",
                "対応していない版の形式です（フラグ{flags:#x}）"
            ),
            BookError::Unsorted { record } => message!(
                "the positions are not sorted (record {record})",
                "局面がソートされていません（レコード{record}）"
            ),
            BookError::MovesOutside { record } => message!(
                "the moves of record {record} lie outside the file",
                "レコード{record}の指し手がファイルの外にあります"
            ),
            BookError::Sbk { offset, what } => {
                message!("byte {offset}: {}", "{offset}バイト目：{}"; what)
            }
            BookError::Truncated => message!(
                "the file was truncated while it was read",
                "読んでいる間にファイルが短くなりました"
            ),
        }
    }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl LineError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            LineError::NotText => {
                message!("the position is not ASCII text", "局面にASCII以外の文字があります")
            }
            LineError::Position(error) => error.message(),
            LineError::NoPosition(text) => message!(
                "\"{text}\" comes before the first position (a line with sfen)",
                "最初の局面（sfenの行）の前に「{text}」があります"
            ),
            LineError::NotAMove(text) => {
                message!("\"{text}\" is not a move", "「{text}」は指し手ではありません")
            }
            LineError::NotANumber(text) => {
                message!("\"{text}\" is not a number", "「{text}」は数ではありません")
            }
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

// Without a source: the text holds the reason, and a report of the chain would repeat it.
impl Error for BookError {}

impl Error for LineError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> BookError {
        BookError::Unreadable(error)
    }
}
