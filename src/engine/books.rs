//! The opening books that the settings ask for: which files they are, and what comes of them.
//!
//! Owns where books are sought, which is asked first, and the words in which the user is told. What
//! is in a file is `book`'s.

use std::ffi::OsString;
use std::fmt;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Settings;
use super::file_lookup::{Finder, Sightings, places};
use crate::book::{Book, BookError, BookFormat, BookHit, BookPolicy, BookSet, Validation};
use crate::search::request::Request;

/// Most books that are asked before the one that is named.
const MOST_BEFORE: usize = 1000;

/// What the settings say of books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// `None` for no book.
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
    care: Validation,
}

impl Wish {
    const NOTHING: Wish = Wish { file: None, folder: None, care: Validation::Full };

    pub(super) fn of(settings: &Settings) -> Wish {
        let is_none = |file: &Path| file.as_os_str().eq_ignore_ascii_case(Settings::NO_BOOK);
        let file = settings.book_file.as_ref().filter(|file| settings.own_book && !is_none(file));
        if file.is_none() {
            return Wish::NOTHING;
        }
        let care = if settings.book_on_the_fly { Validation::Sampled } else { Validation::Full };
        Wish { file: file.cloned(), folder: settings.book_dir.clone(), care }
    }

    /// Whether nobody has asked for a book by name.
    fn is_default(&self) -> bool {
        let is = |path: &Option<PathBuf>, name: &str| path.as_deref() == Some(name.as_ref());
        is(&self.file, Settings::DEFAULT_BOOK_FILE) && is(&self.folder, Settings::DEFAULT_BOOK_DIR)
    }
}

/// Books that are to be opened.
#[derive(Debug)]
pub(super) struct Order {
    wish: Wish,
    /// The file of a book in use that was cut off.
    damaged: Option<PathBuf>,
}

/// What came of opening books.
#[derive(Debug)]
pub(super) struct Delivery {
    shelf: BookSet,
    failed: bool,
    seen: Sightings,
}

/// The books in use, and what is known of where they came from.
#[derive(Debug)]
pub(super) struct BookDesk {
    /// What was last asked for, whatever came of it.
    asked: Wish,
    shelf: BookSet,
    failed: bool,
    seen: Sightings,
    /// Whether an order is being carried out.
    opening: bool,
    /// Whether to open though the wish is the same.
    again: bool,
    lots: Lots,
}

impl BookDesk {
    /// No book.
    pub(super) fn new() -> BookDesk {
        BookDesk {
            asked: Wish::NOTHING,
            shelf: BookSet::default(),
            failed: false,
            seen: Sightings::default(),
            opening: false,
            again: false,
            lots: Lots { seed: RandomState::new().hash_one(0), drawn: 0 },
        }
    }

    /// Looks again at the files: what has changed, or could not be opened, is to be opened.
    pub(super) fn look_again(&mut self) {
        self.again |= !self.opening && (self.failed || !self.seen.hold());
    }

    /// What is to be opened to fulfil the wish, if anything. Comes back by [`BookDesk::accept`].
    pub(super) fn take_order(&mut self, wish: Wish) -> Option<Order> {
        let damaged = self.shelf.damaged().cloned();
        if self.asked == wish && !self.again && damaged.is_none() {
            return None;
        }
        self.asked.clone_from(&wish);
        (self.opening, self.again) = (true, false);
        Some(Order { wish, damaged })
    }

    /// Takes what came of an order; nothing, if it came to grief.
    pub(super) fn accept(&mut self, delivery: Option<Delivery>) {
        if let Some(delivery) = delivery {
            (self.shelf, self.failed) = (delivery.shelf, delivery.failed);
            self.seen = delivery.seen;
        } else if self.opening {
            (self.shelf, self.failed) = (BookSet::default(), true);
        }
        self.opening = false;
    }

    #[cfg(test)]
    pub(super) fn seed(&mut self, seed: u64) {
        self.lots = Lots { seed, drawn: 0 };
    }

    /// What the books say to a request for a move.
    pub(super) fn advise(&mut self, policy: &BookPolicy, request: &Request) -> Option<BookHit> {
        if self.shelf.is_empty() {
            return None;
        }
        let allowed = &request.limits.search_moves;
        policy.probe(&self.shelf, &request.position, allowed, &mut || self.lots.draw())
    }
}

/// Numbers that follow from a seed, which nobody knows unless it was given.
#[derive(Debug)]
struct Lots {
    seed: u64,
    drawn: u64,
}

impl Lots {
    fn draw(&mut self) -> u64 {
        self.drawn += 1;
        let mut hasher = DefaultHasher::new();
        (self.seed, self.drawn).hash(&mut hasher);
        hasher.finish()
    }
}

/// Why there is no book as wished.
#[derive(Debug)]
enum Failure {
    NoFile(PathBuf),
    NotOpened(PathBuf, BookError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoFile(path) => {
                let (name, sought) = (path.display(), places(path));
                write!(
                    f,
                    "there is no opening book \"{name}\"{sought}; set BookDir and BookFile to one, \
                     or BookFile to no_book"
                )
            }
            Failure::NotOpened(path, error) => {
                write!(f, "the opening book \"{}\" cannot be used: {error}", path.display())
            }
        }
    }
}

impl Order {
    /// Opens what is wanted, which may take long. What the user should know goes into `messages`.
    pub(super) fn carry_out(self, messages: &mut Vec<String>) -> Delivery {
        self.carry_out_with(Finder::new(), messages)
    }

    fn carry_out_with(self, mut finder: Finder, messages: &mut Vec<String>) -> Delivery {
        if let Some(path) = &self.damaged {
            let path = path.display();
            messages.push(format!("error: the opening book \"{path}\" was cut off while in use"));
        }
        let start = Instant::now();
        let mut failed = false;
        let mut books = Vec::new();
        for opened in self.wish.open(&mut finder) {
            match opened {
                Ok((path, book)) => {
                    let notes = book.summary().notes.iter();
                    messages
                        .extend(notes.map(|note| format!("book \"{}\": {note}", path.display())));
                    books.push((path, book));
                }
                Err(failure) => {
                    messages.push(format!("error: {failure}"));
                    failed = true;
                }
            }
        }
        let shelf = BookSet::new(books);
        if !shelf.is_empty() {
            messages.push(format!("book: {shelf}, {} ms", start.elapsed().as_millis()));
        } else if failed {
            messages.push("going on without an opening book".into());
        }
        Delivery { shelf, failed, seen: finder.seen }
    }
}

impl Wish {
    /// The books in the order in which they are asked.
    fn open(&self, finder: &mut Finder) -> Vec<Result<(PathBuf, Book), Failure>> {
        let Some(file) = &self.file else { return Vec::new() };
        let named = match &self.folder {
            Some(folder) => folder.join(file),
            None => file.clone(),
        };
        let mut paths = books_before(&named, finder);
        let found = finder.find(&named).or_else(|| finder.find(&binary_of(&named)?));
        match found {
            Some(found) => paths.push(found.path),
            None if paths.is_empty() && !self.is_default() => {
                return vec![Err(Failure::NoFile(named))];
            }
            None => {}
        }
        let open = |path: PathBuf| match Book::open(&path, self.care) {
            Ok(book) => Ok((path, book)),
            Err(error) => Err(Failure::NotOpened(path, error)),
        };
        paths.into_iter().map(open).collect()
    }
}

/// The book that takes the place of a text that is not there: the binary one of its name. (YaneuraOu
/// does so since 2026.)
fn binary_of(named: &Path) -> Option<PathBuf> {
    let is_text = BookFormat::from_extension(named) == Some(BookFormat::Text);
    is_text.then(|| named.with_extension(BookFormat::Ybb.extension()))
}

/// The books that are asked before the one that is named: for `book.db` those called `book-000.db`,
/// `book-001.db` and so on, or with the ending of the other kind. (YaneuraOu does so since 2026.)
fn books_before(named: &Path, finder: &mut Finder) -> Vec<PathBuf> {
    let Some(stem) = named.file_stem() else { return Vec::new() };
    let own = named.extension().map(|ending| ending.to_owned());
    let usual = [BookFormat::Text, BookFormat::Ybb].map(|format| format.extension().into());
    let endings: Vec<OsString> = own.into_iter().chain(usual).collect();
    let mut found = |number: usize| {
        endings.iter().find_map(|ending| {
            let mut name = stem.to_owned();
            name.push(format!("-{number:03}."));
            name.push(ending);
            Some(finder.find(&named.with_file_name(name))?.path)
        })
    };
    (0..MOST_BEFORE).map_while(&mut found).collect()
}

#[cfg(test)]
mod tests;
