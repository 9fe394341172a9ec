//! Opening books: the formats that players bring, looking positions up in them, and choosing a move.
//!
//! [`Book::open`] finds out what a file is from its content. Books are used where they lie in the
//! mapped file, so the memory they take is that of the pages a lookup touches; only books of ShogiGUI
//! are read into memory. [`Shelf`] is the books in use, [`Policy`] how a move is chosen from them.
//! A [`Collection`] is a book that can be changed and written. Nothing in a file is believed: moves
//! are held against the rules before anybody plays them, and every length against the file.
//!
//! What formats hold and what is tolerated is told in `docs/books.md`.

mod apery;
mod collection;
mod entry;
mod error;
mod format;
mod losses;
mod policy;
mod sbk;
mod shelf;
#[cfg(test)]
mod testing;
mod text;
mod ybb;

use std::path::Path;
use std::sync::Arc;

pub use collection::Collection;
pub use entry::{BookMove, Entry, name_of};
pub use error::{BookError, LineFault};
pub use format::{Format, NotWritten, UnknownEnding};
pub use losses::Losses;
pub use policy::{Advice, Candidate, Policy};
pub use shelf::Shelf;

use crate::position::Setup;
use crate::sys::MappedFile;
use apery::AperyBook;
use text::TextBook;
use ybb::YbbBook;

/// More moves than any position has.
const MOST_MOVES: usize = 600;
/// More entries for one position than a lookup puts together.
const MOST_TWINS: usize = 1000;

/// How well a file is looked at before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// All of it is read.
    Check,
    /// Some thousand places are, so that the largest file is ready at once.
    Trust,
}

/// A file with a book.
#[derive(Debug)]
pub struct Book {
    file: Arc<MappedFile>,
    content: Content,
    summary: Summary,
}

#[derive(Debug)]
enum Content {
    Text(TextBook),
    Ybb(YbbBook),
    Apery(AperyBook),
    Sbk(Collection),
}

/// What was found when a book was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
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
    pub fn open(path: &Path, care: Care) -> Result<Book, BookError> {
        let file = Arc::new(MappedFile::open(path)?);
        let (content, summary) = read(&file, care)?;
        if file.is_damaged() {
            return Err(BookError::CutOff);
        }
        Ok(Book { file, content, summary })
    }

    pub fn format(&self) -> Format {
        match self.content {
            Content::Text(_) => Format::Text,
            Content::Ybb(_) => Format::Ybb,
            Content::Apery(_) => Format::Apery,
            Content::Sbk(_) => Format::Sbk,
        }
    }

    pub fn summary(&self) -> &Summary {
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
    pub fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<Entry> {
        match &self.content {
            Content::Text(book) => book.look_up(setup, ply),
            Content::Ybb(book) => book.look_up(setup, ply),
            Content::Apery(book) => book.look_up(setup),
            Content::Sbk(book) => book.look_up(setup, ply),
        }
    }

    /// Hands out all positions. Returns what had to be left out, in words, besides what was found out
    /// when the book was opened with [`Care::Check`].
    pub fn for_each(&self, visit: &mut dyn FnMut(&Setup, Entry)) -> Vec<String> {
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

fn read(file: &Arc<MappedFile>, care: Care) -> Result<(Content, Summary), BookError> {
    let shared = Arc::clone(file);
    if file.is_empty() {
        Err(BookError::Empty)
    } else if YbbBook::may_be(file) {
        YbbBook::open(shared, care).map(|(book, summary)| (Content::Ybb(book), summary))
    } else if sbk::may_be(file) {
        sbk::read(file).map(|(book, summary)| (Content::Sbk(book), summary))
    } else if TextBook::may_be(file) {
        TextBook::open(shared, care).map(|(book, summary)| (Content::Text(book), summary))
    } else if AperyBook::may_be(file) {
        AperyBook::open(shared, care).map(|(book, summary)| (Content::Apery(book), summary))
    } else {
        Err(BookError::Unknown)
    }
}

#[cfg(test)]
mod tests;
