//! Opening books: the formats that players bring, looking positions up in them, and choosing a move.
//!
//! [`Book::open`] finds out what a file is from its content. Books are used where they lie in the
//! mapped file, so the memory they take is that of the pages a lookup touches; only books of ShogiGUI
//! are read into memory. [`BookSet`] is the books in use, [`BookPolicy`] how a move is chosen from them.
//! A [`MemoryBook`] is a book that can be changed and written. Nothing in a file is believed: moves
//! are held against the rules before anybody plays them, and every length against the file.
//!
//! What formats hold and what is tolerated is told in `docs/book.md`.

mod apery;
mod book_set;
mod entry;
mod error;
mod format;
mod losses;
mod memory_book;
mod policy;
mod sbk;
#[cfg(test)]
mod testing;
mod text;
mod ybb;

use std::path::Path;
use std::sync::Arc;

pub use book_set::BookSet;
pub use entry::{BookEntry, BookMove, sfen_key};
pub use error::{BookError, LineError};
pub use format::{BookFormat, BookWriteError, UnknownExtension};
pub use losses::WriteLosses;
pub use memory_book::MemoryBook;
pub use policy::{BookHit, BookPolicy, BookVariation};

use crate::position::Setup;
use crate::sys::MappedFile;
use apery::AperyBook;
use text::TextBook;
use ybb::YbbBook;

/// More moves than any position has.
const MAX_MOVES: usize = 600;
/// More entries for one position than a lookup puts together.
const MAX_DUPLICATES: usize = 1000;

/// How well a file is looked at before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// All of it is read.
    Full,
    /// Some thousand places are, so that the largest file is ready at once.
    Sampled,
}

/// A file with a book.
#[derive(Debug)]
pub struct Book {
    file: Arc<MappedFile>,
    content: Content,
    summary: BookSummary,
}

#[derive(Debug)]
enum Content {
    Text(TextBook),
    Ybb(YbbBook),
    Apery(AperyBook),
    Sbk(MemoryBook),
}

/// What was found when a book was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookSummary {
    /// `None` where not all was read.
    pub positions: Option<u64>,
    /// `None` where not all was read.
    pub moves: Option<u64>,
    /// Whether it was not in order, so that an index had to be made.
    pub indexed: bool,
    /// What had to be passed over, in words.
    pub notes: Vec<String>,
}

impl Book {
    /// Opens a book. What it is follows from the content.
    ///
    /// # Errors
    /// Why the file cannot be used.
    pub fn open(path: &Path, validation: Validation) -> Result<Book, BookError> {
        let file = Arc::new(MappedFile::open(path)?);
        let (content, summary) = read(&file, validation)?;
        if file.is_damaged() {
            return Err(BookError::CutOff);
        }
        Ok(Book { file, content, summary })
    }

    pub fn format(&self) -> BookFormat {
        match self.content {
            Content::Text(_) => BookFormat::Text,
            Content::Ybb(_) => BookFormat::Ybb,
            Content::Apery(_) => BookFormat::Apery,
            Content::Sbk(_) => BookFormat::Sbk,
        }
    }

    pub fn summary(&self) -> &BookSummary {
        &self.summary
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        self.file.len()
    }

    /// Whether the file was cut off since, so that what it says is of no worth.
    pub fn is_damaged(&self) -> bool {
        self.file.is_damaged()
    }

    /// What the book says of a position; with `ply` only where it says so of the position before
    /// this move. Takes some microseconds, and as long as the system needs to read some pages.
    pub fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        match &self.content {
            Content::Text(book) => book.look_up(setup, ply),
            Content::Ybb(book) => book.look_up(setup, ply),
            Content::Apery(book) => book.look_up(setup),
            Content::Sbk(book) => book.look_up(setup, ply),
        }
    }

    /// Hands out all positions. Returns what had to be left out, in words, besides what was found out
    /// when the book was opened with [`Validation::Full`].
    pub fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<String> {
        match &self.content {
            Content::Text(book) => book.for_each(visit),
            Content::Ybb(book) => book.for_each(visit),
            Content::Apery(book) => book.for_each(visit),
            Content::Sbk(book) => {
                book.setups().for_each(|(setup, entry)| visit(&setup, entry.clone()));
                Vec::new()
            }
        }
    }
}

fn read(
    file: &Arc<MappedFile>,
    validation: Validation,
) -> Result<(Content, BookSummary), BookError> {
    let shared = Arc::clone(file);
    if file.is_empty() {
        Err(BookError::Empty)
    } else if YbbBook::may_be(file) {
        YbbBook::open(shared, validation).map(|(book, summary)| (Content::Ybb(book), summary))
    } else if sbk::may_be(file) {
        sbk::read(file).map(|(book, summary)| (Content::Sbk(book), summary))
    } else if TextBook::may_be(file) {
        TextBook::open(shared, validation).map(|(book, summary)| (Content::Text(book), summary))
    } else if AperyBook::may_be(file) {
        AperyBook::open(shared, validation).map(|(book, summary)| (Content::Apery(book), summary))
    } else {
        Err(BookError::Unknown)
    }
}

#[cfg(test)]
mod tests;
