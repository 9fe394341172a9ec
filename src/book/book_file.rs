//! A book in a file of any format.

use std::path::Path;
use std::sync::Arc;

use super::apery::AperyBook;
use super::entry::BookEntry;
use super::error::BookError;
use super::format::BookFormat;
use super::sbk::{self, SbkBook};
use super::text::TextBook;
use super::validation::{BookSummary, Validation};
use super::ybb::YbbBook;
use crate::position::Setup;
use crate::sys::MappedFile;
use crate::types::archive_format;
use crate::types::message::Message;

const BUILT_IN: &[u8] = include_bytes!("../../book/standard_book.db");

/// An opened book.
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
    Sbk(SbkBook),
}

impl Book {
    /// Opens a book. The format is recognised by the content.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn open(path: &Path, validation: Validation) -> Result<Book, BookError> {
        Book::of(MappedFile::open(path)?, validation)
    }

    /// The book that is part of the program.
    ///
    /// # Errors
    /// If the embedded file is not a valid book, which a test rules out.
    pub fn built_in() -> Result<Book, BookError> {
        Book::of(MappedFile::from_static(BUILT_IN), Validation::Sampled)
    }

    fn of(file: MappedFile, validation: Validation) -> Result<Book, BookError> {
        let file = Arc::new(file);
        let (content, summary) = read(&file, validation)?;
        if file.is_damaged() {
            return Err(BookError::Truncated);
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

    /// The size of the file in bytes.
    pub fn size(&self) -> usize {
        self.file.len()
    }

    /// Whether the file was truncated since it was opened, so that lookups are meaningless.
    pub fn is_damaged(&self) -> bool {
        self.file.is_damaged()
    }

    /// The entry of a position; with `ply` only if the book has it at this move number or without a
    /// number. Takes some microseconds, and the time to read a few pages of the file.
    pub fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        match &self.content {
            Content::Text(book) => book.look_up(setup, ply),
            Content::Ybb(book) => book.look_up(setup, ply),
            Content::Apery(book) => book.look_up(setup),
            Content::Sbk(book) => book.look_up(setup, ply),
        }
    }

    /// Visits all positions. Returns messages about what had to be left out, in addition to those in the
    /// summary of a book opened with [`Validation::Full`].
    pub fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<Message> {
        match &self.content {
            Content::Text(book) => book.for_each(visit),
            Content::Ybb(book) => book.for_each(visit),
            Content::Apery(book) => book.for_each(visit),
            Content::Sbk(book) => book.for_each(visit),
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
    } else if YbbBook::matches(file) {
        YbbBook::open(shared, validation).map(|(book, summary)| (Content::Ybb(book), summary))
    } else if sbk::matches(file) {
        sbk::read(file).map(|(book, summary)| (Content::Sbk(book), summary))
    } else if TextBook::matches(file) {
        TextBook::open(shared, validation).map(|(book, summary)| (Content::Text(book), summary))
    } else if AperyBook::matches(file) {
        AperyBook::open(shared, validation).map(|(book, summary)| (Content::Apery(book), summary))
    } else {
        Err(archive_format(file).map_or(BookError::UnknownFormat, BookError::Archive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_book_is_valid() {
        let file = MappedFile::from_static(BUILT_IN);
        let book = Book::of(file, Validation::Full).unwrap();
        assert!(book.summary().notes.is_empty() && !book.summary().indexed);
        let start = crate::position::Position::startpos().setup();
        assert!(Book::built_in().unwrap().look_up(&start, None).is_some());
    }
}
