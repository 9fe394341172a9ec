//! Opens the opening books that the settings name, in the order in which they are looked up, and
//! reports to the user. `book` reads their contents.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_lookup::{FileLookup, searched_places};
use super::load_manager::{LoadMessage, Resource};
use super::settings::Settings;
use crate::book::{Book, BookError, BookFormat, BookSet, Validation};
use crate::sys::Instant;
use crate::types::message::{Message, message};

/// The name of the built-in book in messages.
const BUILT_IN: &str = "built-in book";
/// Maximum number of numbered books before the named one.
const MAX_EARLIER_BOOKS: usize = 1000;

/// The book options of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookOptions {
    /// `None` for no book.
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
    validation: Validation,
    /// The book that need not exist; see [`BookOptions::is_default`].
    default_file: &'static str,
}

impl BookOptions {
    /// No book.
    pub(super) const NONE: BookOptions =
        BookOptions { file: None, folder: None, validation: Validation::Full, default_file: "" };

    pub(super) fn of(settings: &Settings) -> BookOptions {
        let is_none = |file: &Path| file.as_os_str().eq_ignore_ascii_case(Settings::NO_BOOK);
        let file = settings.book_file.as_ref().filter(|file| settings.own_book && !is_none(file));
        if file.is_none() {
            return BookOptions::NONE;
        }
        let validation =
            if settings.book_on_the_fly { Validation::Sampled } else { Validation::Full };
        BookOptions {
            file: file.cloned(),
            folder: settings.book_dir.clone(),
            validation,
            default_file: settings.default_book_file(),
        }
    }

    /// Whether these are the default options, for which the book need not exist.
    fn is_default(&self) -> bool {
        let is = |path: &Option<PathBuf>, name: &str| path.as_deref() == Some(name.as_ref());
        is(&self.file, self.default_file) && is(&self.folder, Settings::DEFAULT_BOOK_DIR)
    }

    /// Opens the books in the order in which they are looked up.
    fn open(&self, lookup: &mut FileLookup) -> Vec<Result<(PathBuf, Book), BookLoadError>> {
        let Some(file) = &self.file else { return Vec::new() };
        let named = match &self.folder {
            Some(folder) => folder.join(file),
            None => file.clone(),
        };
        let mut paths = books_before(&named, lookup);
        let found = lookup.find(&named).or_else(|| lookup.find(&binary_of(&named)?));
        let is_built_in = found.is_none() && self.is_default();
        paths.extend(found.map(|found| found.path));
        if paths.is_empty() && !is_built_in {
            return vec![Err(BookLoadError::NoFile(named))];
        }
        let opened = |path: PathBuf, book: Result<Book, BookError>| match book {
            Ok(book) => Ok((path, book)),
            Err(error) => Err(BookLoadError::NotOpened(path, error)),
        };
        let open = |path: PathBuf| {
            let book = Book::open(&path, self.validation);
            opened(path, book)
        };
        let mut books: Vec<_> = paths.into_iter().map(open).collect();
        if is_built_in {
            books.push(opened(BUILT_IN.into(), Book::built_in()));
        }
        books
    }
}

/// The books that the settings name. Books that cannot be opened are left out, with the reasons.
pub fn open_books(settings: &Settings) -> (BookSet, Vec<Message>) {
    let opened = BookOptions::of(settings).open(&mut FileLookup::new());
    let (mut books, mut errors) = (Vec::new(), Vec::new());
    for book in opened {
        match book {
            Ok(book) => books.push(book),
            Err(error) => errors.push(error.message()),
        }
    }
    (BookSet::new(books), errors)
}

/// The books in use.
pub(super) type Books = Arc<BookSet>;

impl Resource for Books {
    type Options = BookOptions;

    /// Books that cannot be opened are left out.
    fn load(
        options: &BookOptions,
        current: &Books,
        lookup: &mut FileLookup,
        messages: &mut Vec<LoadMessage>,
    ) -> (Books, bool) {
        if let Some(path) = current.damaged() {
            let path = path.display();
            let error = format!("the opening book \"{path}\" was truncated while in use");
            messages.push(LoadMessage::Error(error));
        }
        let start = Instant::now();
        let mut complete = true;
        let mut books = Vec::new();
        for opened in options.open(lookup) {
            match opened {
                Ok((path, book)) => {
                    let (notes, name) = (book.summary().notes.iter(), path.display());
                    messages.extend(
                        notes.map(|note| LoadMessage::Note(format!("book \"{name}\": {note}"))),
                    );
                    books.push((path, book));
                }
                Err(error) => {
                    messages.push(LoadMessage::Error(error.message().en));
                    complete = false;
                }
            }
        }
        let set = BookSet::new(books);
        if !set.is_empty() {
            let millis = start.elapsed().as_millis();
            messages.push(LoadMessage::Note(format!("book: {}, {millis} ms", set.message())));
        } else if !complete {
            messages.push(LoadMessage::Note("continuing without an opening book".into()));
        }
        (Arc::new(set), complete)
    }

    fn is_damaged(&self) -> bool {
        self.damaged().is_some()
    }

    /// No book, because the options may name other books than those in use.
    fn after_panic(self) -> Books {
        Books::default()
    }
}

/// Why a book cannot be used.
#[derive(Debug)]
enum BookLoadError {
    NoFile(PathBuf),
    NotOpened(PathBuf, BookError),
}

impl BookLoadError {
    fn message(&self) -> Message {
        match self {
            BookLoadError::NoFile(path) => {
                let name = path.display();
                message!(
                    "there is no opening book \"{name}\"{}; set BookDir and BookFile to one, or \
                     BookFile to no_book",
                    "「{name}」という定跡がありません{}。BookDirとBookFileに定跡を指定するか、BookFileを\
                     no_bookにしてください";
                    searched_places(path)
                )
            }
            BookLoadError::NotOpened(path, error) => {
                let name = path.display();
                message!(
                    "the opening book \"{name}\" cannot be used: {}",
                    "定跡「{name}」は使えません：{}";
                    error.message()
                )
            }
        }
    }
}

/// The binary book of the same name, which is used if a text book does not exist. (YaneuraOu does so
/// since 2026.)
fn binary_of(named: &Path) -> Option<PathBuf> {
    let is_text = BookFormat::from_extension(named) == Some(BookFormat::Text);
    is_text.then(|| named.with_extension(BookFormat::Ybb.extension()))
}

/// The books that are looked up before the named one: for `book.db` these are `book-000.db`,
/// `book-001.db` and so on, each also with the extension of the other format. (YaneuraOu does so since
/// 2026.)
fn books_before(named: &Path, lookup: &mut FileLookup) -> Vec<PathBuf> {
    let Some(stem) = named.file_stem() else { return Vec::new() };
    let own = named.extension().map(|extension| extension.to_owned());
    let usual = [BookFormat::Text, BookFormat::Ybb].map(|format| format.extension().into());
    let extensions: Vec<OsString> = own.into_iter().chain(usual).collect();
    let mut find = |number: usize| {
        extensions.iter().find_map(|extension| {
            let mut name = stem.to_owned();
            name.push(format!("-{number:03}."));
            name.push(extension);
            let found = lookup.find(&named.with_file_name(name))?;
            found.is_certain().then_some(found.path)
        })
    };
    (0..MAX_EARLIER_BOOKS).map_while(&mut find).collect()
}

#[cfg(test)]
mod tests;
