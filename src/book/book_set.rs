//! The books in use, in the order in which they are looked up.

use std::path::{Path, PathBuf};

use super::book_file::Book;
use super::entry::BookEntry;
use crate::position::Setup;
use crate::types::Move;
use crate::types::message::{Message, counted, message};

/// Books with their paths. The first book that has a position answers.
#[derive(Debug, Default)]
pub struct BookSet {
    books: Vec<(PathBuf, Book)>,
}

impl BookSet {
    pub fn new(books: Vec<(PathBuf, Book)>) -> BookSet {
        BookSet { books }
    }

    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// Whether a book has the move in the position, or in the position with colours swapped.
    pub fn contains(&self, setup: &Setup, mv: Move) -> bool {
        let has = |entry: Option<BookEntry>, mv: Move| {
            entry.is_some_and(|entry| entry.moves.iter().any(|known| known.mv == mv))
        };
        self.books.iter().any(|(_, book)| {
            has(book.look_up(setup, None), mv)
                || has(book.look_up(&setup.rotated(), None), mv.rotated())
        })
    }

    /// The first book whose file was truncated.
    pub fn damaged(&self) -> Option<&PathBuf> {
        self.books.iter().find(|(_, book)| book.is_damaged()).map(|(path, _)| path)
    }

    /// The entry of a position and the index of its book. With `ply` only entries of this move number or of
    /// none; with `flipped` also the entry of the position with colours swapped.
    pub(super) fn look_up(
        &self,
        setup: &Setup,
        ply: Option<u32>,
        flipped: bool,
    ) -> Option<(usize, BookEntry)> {
        let has_moves = |entry: &BookEntry| !entry.moves.is_empty();
        self.books.iter().enumerate().find_map(|(index, (_, book))| {
            let direct = book.look_up(setup, ply).filter(has_moves);
            let swapped = || Some(book.look_up(&setup.rotated(), ply).filter(has_moves)?.rotated());
            let entry = direct.or_else(|| if flipped { swapped() } else { None })?;
            Some((index, entry))
        })
    }

    pub(super) fn path(&self, index: usize) -> &PathBuf {
        &self.books[index].0
    }

    /// All books in one line.
    pub fn message(&self) -> Message {
        let books: Vec<Message> =
            self.books.iter().map(|(path, book)| book_message(path, book)).collect();
        let joined = |text: fn(&Message) -> &str, comma| {
            books.iter().map(text).collect::<Vec<_>>().join(comma)
        };
        Message { en: joined(|book| &book.en, ", "), ja: joined(|book| &book.ja, "、") }
    }
}

/// The path of a book, its format and what is known of its content.
fn book_message(path: &Path, book: &Book) -> Message {
    let (path, format) = (path.display(), book.format());
    let positions = match book.summary().positions {
        Some(positions) => {
            let en = counted(positions, "position");
            message!(", {en}", "、{positions}局面")
        }
        None => Message::default(),
    };
    let order = if book.summary().indexed {
        message!(", not sorted", "、未ソート")
    } else {
        Message::default()
    };
    message!("\"{path}\", {format}{}{}", "「{path}」、{format}{}{}"; positions, order)
}
