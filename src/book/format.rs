//! The formats of book files, and writing a book in one of them.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use super::losses::WriteLosses;
use super::memory_book::MemoryBook;
use super::{apery, text, ybb};
use crate::sys::AtomicFile;
use crate::types::message::{Message, message};

/// The format of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// YaneuraOu text (`.db`).
    Text,
    /// YaneuraOu binary (`.ybb`).
    Ybb,
    /// Apery (`book.bin`).
    Apery,
    /// ShogiGUI (`.sbk`). Cannot be written.
    Sbk,
}

/// The extension of a file name is not that of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownExtension;

/// Why a book was not written.
#[derive(Debug)]
pub enum BookWriteError {
    /// Books of ShogiGUI cannot be written.
    SbkIsReadOnly,
    /// The format cannot hold any of the positions.
    NoPosition,
    Io(io::Error),
}

impl BookFormat {
    /// The usual extension of the file name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            BookFormat::Text => "db",
            BookFormat::Ybb => "ybb",
            BookFormat::Apery => "bin",
            BookFormat::Sbk => "sbk",
        }
    }

    /// The format of a file by its name.
    pub fn from_extension(path: &Path) -> Option<BookFormat> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Writes a book to a file. The file is replaced in one step when the new one is complete.
    /// Returns what the format could not hold.
    ///
    /// # Errors
    /// Those of the system, and if no position could be written. Then the old file remains.
    pub fn save(self, book: &MemoryBook, path: &Path) -> Result<WriteLosses, BookWriteError> {
        let write = match self {
            BookFormat::Text => text::write,
            BookFormat::Ybb => ybb::write,
            BookFormat::Apery => apery::write,
            BookFormat::Sbk => return Err(BookWriteError::SbkIsReadOnly),
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
        save().map_err(BookWriteError::Io)?.ok_or(BookWriteError::NoPosition)
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

impl UnknownExtension {
    /// The error in every language.
    pub fn message(&self) -> Message {
        message!(
            "unknown extension; a book is written as .db, .ybb or .bin",
            "この拡張子では書き出せません。定跡は.db、.ybb、.binのどれかです"
        )
    }
}

impl fmt::Display for UnknownExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl BookWriteError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            BookWriteError::SbkIsReadOnly => message!(
                "books of ShogiGUI are only read; write .db, .ybb or .bin",
                "ShogiGUIの定跡は読むだけです。.db、.ybb、.binで書き出してください"
            ),
            BookWriteError::NoPosition => message!(
                "this format cannot hold any of the positions",
                "この形式で表せる局面がありません"
            ),
            BookWriteError::Io(error) => error.into(),
        }
    }
}

impl fmt::Display for BookWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for UnknownExtension {}
impl std::error::Error for BookWriteError {}
