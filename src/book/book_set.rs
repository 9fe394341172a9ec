//! The books in use, in the order in which they are asked.

use std::fmt;
use std::path::PathBuf;

use super::{Book, BookEntry};
use crate::position::Setup;

/// Books and the files they are from. The first that knows a position answers.
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

    /// The first book whose file was cut off.
    pub fn damaged(&self) -> Option<&PathBuf> {
        self.books.iter().find(|(_, book)| book.is_damaged()).map(|(path, _)| path)
    }

    /// What the books say of a position, and the number of the book that says it. With `ply` only
    /// what is said of the position before this move; `flipped` also what is said of the position
    /// as the other side sees it.
    pub(super) fn look_up(
        &self,
        setup: &Setup,
        ply: Option<u32>,
        flipped: bool,
    ) -> Option<(usize, BookEntry)> {
        let known = |entry: &BookEntry| !entry.moves.is_empty();
        self.books.iter().enumerate().find_map(|(number, (_, book))| {
            let direct = book.look_up(setup, ply).filter(known);
            let turned = || Some(book.look_up(&setup.rotate(), ply).filter(known)?.rotate());
            let entry = direct.or_else(|| if flipped { turned() } else { None })?;
            Some((number, entry))
        })
    }

    /// The file of a book.
    pub(super) fn path(&self, number: usize) -> &PathBuf {
        &self.books[number].0
    }
}

impl fmt::Display for BookSet {
    /// The books, in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, book)) in self.books.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}\"{}\", {}", path.display(), book.format())?;
            if let Some(positions) = book.summary().positions {
                write!(f, ", {positions} positions")?;
            }
            if book.summary().indexed {
                write!(f, ", not in order")?;
            }
        }
        Ok(())
    }
}
