//! The formats of books, and writing them.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use super::{MemoryBook, WriteLosses, apery, text, ybb};
use crate::sys::AtomicFile;

/// What a file of a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
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
pub struct UnknownExtension;

/// Why a book was not written.
#[derive(Debug)]
pub enum BookWriteError {
    /// Books of ShogiGUI are only read.
    Sbk,
    /// It can hold none of the positions.
    Nothing,
    Failed(io::Error),
}

impl BookFormat {
    /// The ending of such files.
    pub fn extension(self) -> &'static str {
        match self {
            BookFormat::Text => "db",
            BookFormat::Ybb => "ybb",
            BookFormat::Apery => "bin",
            BookFormat::Sbk => "sbk",
        }
    }

    /// The format that the name of a file promises.
    pub fn from_extension(path: &Path) -> Option<BookFormat> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Writes a book into a file, which has its name only when it is whole. Says what was lost.
    ///
    /// # Errors
    /// Those of the system, and a book of which nothing would be left. What stood in the file before
    /// stands there still.
    pub fn save(self, book: &MemoryBook, path: &Path) -> Result<WriteLosses, BookWriteError> {
        let write = match self {
            BookFormat::Text => text::write,
            BookFormat::Ybb => ybb::write,
            BookFormat::Apery => apery::write,
            BookFormat::Sbk => return Err(BookWriteError::Sbk),
        };
        let save = || {
            let mut out = AtomicFile::create(path)?;
            let losses = write(book, &mut out)?;
            if !book.is_empty() && losses.positions == book.len() as u64 {
                return Ok(None);
            }
            out.commit()?;
            Ok(Some(losses))
        };
        save().map_err(BookWriteError::Failed)?.ok_or(BookWriteError::Nothing)
    }
}

impl FromStr for BookFormat {
    type Err = UnknownExtension;

    fn from_str(text: &str) -> Result<BookFormat, UnknownExtension> {
        let all = [BookFormat::Text, BookFormat::Ybb, BookFormat::Apery, BookFormat::Sbk];
        let named = all.into_iter().find(|format| format.extension().eq_ignore_ascii_case(text));
        named.ok_or(UnknownExtension)
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BookFormat::Text => "YaneuraOu text (.db)",
            BookFormat::Ybb => "YaneuraOu binary (.ybb)",
            BookFormat::Apery => "Apery (book.bin)",
            BookFormat::Sbk => "ShogiGUI (.sbk)",
        })
    }
}

impl fmt::Display for UnknownExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a book is called .db, .ybb, .bin or .sbk")
    }
}

impl fmt::Display for BookWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookWriteError::Sbk => {
                f.write_str("books of ShogiGUI are only read; write .db, .ybb or .bin")
            }
            BookWriteError::Nothing => f.write_str("this format can hold none of the positions"),
            BookWriteError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnknownExtension {}
impl std::error::Error for BookWriteError {}
