//! Opening books: the known formats, looking up positions, and choosing a move.
//!
//! [`Book::open`] recognises the format of a file by its content. A book is memory-mapped, so it takes only
//! the memory of the pages that lookups touch; only books of ShogiGUI are read into memory. A [`BookSet`]
//! holds the books in use, a [`BookPolicy`] chooses a move from them, and a [`MemoryBook`] is a book that
//! can be changed and written. Nothing in a file is trusted: offsets are checked against the file, moves
//! against the rules.
//!
//! `docs/book.md` describes the formats.

mod apery;
mod book_file;
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
mod validation;
mod ybb;

pub use book_file::Book;
pub use book_set::BookSet;
pub use entry::{BookEntry, BookMove};
pub use error::{BookError, LineError};
pub use format::{BookFormat, BookWriteError, UnknownExtension};
pub use losses::WriteLosses;
pub use memory_book::MemoryBook;
pub use policy::{BookHit, BookPolicy, BookVariation};
pub use validation::{BookSummary, Validation};

#[cfg(test)]
mod tests;
