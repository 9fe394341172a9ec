//! The formats of books, and writing them.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use super::{Collection, Losses, apery, text, ybb};
use crate::sys::Replacement;

/// What a file of a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text of YaneuraOu (`.db`).
    Text,
    /// Binary of YaneuraOu (`.ybb`).
    Ybb,
    /// `book.bin` of Apery.
    Apery,
    /// Of ShogiGUI; not written.
    Sbk,
}

/// The name of a file does not end as that of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEnding;

/// Why a book was not written.
#[derive(Debug)]
pub enum NotWritten {
    /// Books of ShogiGUI are only read.
    Sbk,
    /// It can hold none of the positions.
    Nothing,
    Failed(io::Error),
}

impl Format {
    /// The ending of such files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Text => "db",
            Format::Ybb => "ybb",
            Format::Apery => "bin",
            Format::Sbk => "sbk",
        }
    }

    /// The format that the name of a file promises.
    pub fn of_name(path: &Path) -> Option<Format> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Writes a book into a file, which has its name only when it is whole. Says what was lost.
    ///
    /// # Errors
    /// Those of the system, and a book of which nothing would be left. What stood in the file before
    /// stands there still.
    pub fn save(self, book: &Collection, path: &Path) -> Result<Losses, NotWritten> {
        let write = match self {
            Format::Text => text::write,
            Format::Ybb => ybb::write,
            Format::Apery => apery::write,
            Format::Sbk => return Err(NotWritten::Sbk),
        };
        let save = || {
            let mut out = Replacement::of(path)?;
            let losses = write(book, &mut out)?;
            if !book.is_empty() && losses.positions == book.len() as u64 {
                return Ok(None);
            }
            out.put()?;
            Ok(Some(losses))
        };
        save().map_err(NotWritten::Failed)?.ok_or(NotWritten::Nothing)
    }
}

impl FromStr for Format {
    type Err = UnknownEnding;

    fn from_str(text: &str) -> Result<Format, UnknownEnding> {
        let all = [Format::Text, Format::Ybb, Format::Apery, Format::Sbk];
        let named = all.into_iter().find(|format| format.ending().eq_ignore_ascii_case(text));
        named.ok_or(UnknownEnding)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Text => "YaneuraOu text (.db)",
            Format::Ybb => "YaneuraOu binary (.ybb)",
            Format::Apery => "Apery (book.bin)",
            Format::Sbk => "ShogiGUI (.sbk)",
        })
    }
}

impl fmt::Display for UnknownEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a book is called .db, .ybb, .bin or .sbk")
    }
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::Sbk => {
                f.write_str("books of ShogiGUI are only read; write .db, .ybb or .bin")
            }
            NotWritten::Nothing => f.write_str("this format can hold none of the positions"),
            NotWritten::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnknownEnding {}
impl std::error::Error for NotWritten {}
