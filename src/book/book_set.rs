//! The books in use, in the order in which they are looked up.

use std::fmt;
use std::path::PathBuf;

use super::book_file::Book;
use super::entry::BookEntry;
use crate::position::Setup;
use crate::types::Move;

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
                || has(book.look_up(&setup.rotate(), None), mv.rotate())
        })
    }

    /// The first book whose file was truncated.
    pub fn damaged(&self) -> Option<&PathBuf> {
        self.books.iter().find(|(_, book)| book.is_damaged()).map(|(path, _)| path)
    }

    /// The entry of a position and the index of its book. With `ply` only entries of this move
    /// number; with `flipped` also the entry of the position with colours swapped.
    pub(super) fn look_up(
        &self,
        setup: &Setup,
        ply: Option<u32>,
        flipped: bool,
    ) -> Option<(usize, BookEntry)> {
        let has_moves = |entry: &BookEntry| !entry.moves.is_empty();
        self.books.iter().enumerate().find_map(|(index, (_, book))| {
            let direct = book.look_up(setup, ply).filter(has_moves);
            let swapped = || Some(book.look_up(&setup.rotate(), ply).filter(has_moves)?.rotate());
            let entry = direct.or_else(|| if flipped { swapped() } else { None })?;
            Some((index, entry))
        })
    }

    pub(super) fn path(&self, index: usize) -> &PathBuf {
        &self.books[index].0
    }
}

impl fmt::Display for BookSet {
    /// All books in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, book)) in self.books.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}\"{}\", {}", path.display(), book.format())?;
            if let Some(positions) = book.summary().positions {
                write!(f, ", {positions} positions")?;
            }
            if book.summary().indexed {
                write!(f, ", not sorted")?;
            }
        }
        Ok(())
    }
}
