use std::fs;

use tempfile::{TempDir, tempdir};

use super::super::load_manager::{LoadManager, LoadRequest};
use super::super::{BookOptionSet, OptionProfile};
use super::*;
use crate::position::Position;

const BOOK: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn settings(file: &str, folder: &Path) -> Settings {
    let (file, folder) = (Some(file.into()), Some(folder.into()));
    Settings { book_file: file, book_dir: folder, ..Settings::default() }
}

fn manager() -> LoadManager<Books> {
    LoadManager::new(BookOptions::NONE, Books::default())
}

/// The messages for the user, and the book moves at the start of a game.
fn open(manager: &mut LoadManager<Books>, settings: &Settings) -> (Vec<String>, Vec<String>) {
    let mut messages = Vec::new();
    if let Some(request) = manager.start(BookOptions::of(settings)) {
        manager.finish(Some(request.run(FileLookup::beside(None), &mut messages)));
    }
    let position = Position::startpos();
    let hit = settings.book.probe(manager.current(), &position, &[], &mut || 0);
    let moves = hit.map(|hit| hit.variations.iter().map(|line| line.pv[0].to_string()).collect());
    let messages = messages.into_iter().map(LoadMessage::into_text).collect();
    (messages, moves.unwrap_or_default())
}

#[test]
fn the_default_book_need_not_exist() {
    let mut manager = manager();
    let empty = tempdir().unwrap();
    let settings = Settings::default();
    let options = BookOptions::of(&settings);
    assert!(options.is_default());
    let mut messages = Vec::new();
    let request = manager.start(options).unwrap();
    // A folder without a book, so that the working directory of the tests does not matter.
    let options = BookOptions { folder: Some(empty.path().join("book")), ..request.options };
    assert!(!options.is_default());
    let request = LoadRequest { options, ..request };
    let loaded = request.run(FileLookup::beside(None), &mut messages);
    assert!(loaded.resource.is_empty() && !loaded.complete);
    assert!(matches!(&messages[..], [LoadMessage::Error(_), LoadMessage::Note(_)]), "{messages:?}");
    let (messages, moves) = open(&mut manager, &Settings { own_book: false, ..settings });
    assert!(messages.is_empty() && moves.is_empty());
}

#[test]
fn the_default_book_of_the_second_set_of_options_need_not_exist_either() {
    let of_set = |book_options| {
        let profile = OptionProfile { book_options, ..OptionProfile::default() };
        BookOptions::of(&Settings::with_profile(profile))
    };
    let second = of_set(BookOptionSet::V2);
    assert!(second.is_default() && second.validation == Validation::Sampled);
    let first = of_set(BookOptionSet::V1);
    assert!(!BookOptions { file: second.file, ..first }.is_default(), "it was named");
}

/// Regression: the second set of options had no book without a file.
#[test]
fn without_a_file_both_sets_of_options_use_the_built_in_book() {
    let profile = OptionProfile { book_options: BookOptionSet::V2, ..OptionProfile::default() };
    let (messages, moves) = open(&mut manager(), &Settings::with_profile(profile));
    assert!(messages[0].contains(BUILT_IN), "{messages:?}");
    assert!(!moves.is_empty());
}

#[test]
fn a_named_book_is_used_or_the_reason_reported() {
    let book = format!("{BOOK}7g7f\n2g2f\n");
    let folder = folder_of(&[("a.db", &book), ("bad.db", "# no book\nat all\n")]);
    let mut manager = manager();
    let (messages, moves) = open(&mut manager, &settings("a.db", folder.path()));
    assert_eq!(moves, ["7g7f", "2g2f"]);
    assert!(messages[0].contains("a.db\", YaneuraOu text (.db), 1 position, "), "{messages:?}");
    let (messages, moves) = open(&mut manager, &settings("bad.db", folder.path()));
    assert!(moves.is_empty());
    assert!(messages[0].starts_with("the opening book \""), "{messages:?}");
    let why = "line 2: \"at all\" comes before the first position (a line with sfen)";
    assert!(messages[0].ends_with(&format!("bad.db\" cannot be used: {why}")), "{messages:?}");
    let (messages, _) = open(&mut manager, &settings("none.db", folder.path()));
    assert!(messages[0].contains("there is no opening book"), "{messages:?}");
    for none in ["no_book", "NO_BOOK"] {
        let (messages, moves) = open(&mut manager, &settings(none, folder.path()));
        assert!(messages.is_empty() && moves.is_empty());
    }
}

#[test]
fn a_file_that_has_changed_is_opened_again() {
    let folder = tempdir().unwrap();
    let settings = settings("a.db", folder.path());
    let mut manager = manager();
    assert!(open(&mut manager, &settings).1.is_empty());
    fs::write(folder.path().join("a.db"), format!("{BOOK}7g7f\n")).unwrap();
    assert!(open(&mut manager, &settings).1.is_empty());
    manager.recheck_files();
    assert_eq!(open(&mut manager, &settings).1, ["7g7f"]);
    manager.recheck_files();
    assert!(open(&mut manager, &settings).0.is_empty(), "nothing has changed");
    fs::write(folder.path().join("a.db"), format!("{BOOK}2g2f none 0\n")).unwrap();
    manager.recheck_files();
    assert_eq!(open(&mut manager, &settings).1, ["2g2f"]);
}

#[cfg(unix)]
#[test]
fn a_book_that_is_truncated_in_use_is_reported_and_opened_again() {
    let folder = folder_of(&[("a.db", &format!("{BOOK}7g7f\n"))]);
    let (path, settings) = (folder.path().join("a.db"), settings("a.db", folder.path()));
    let mut manager = manager();
    assert_eq!(open(&mut manager, &settings).1, ["7g7f"]);
    fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    // Only the lookup notices it.
    let (messages, moves) = open(&mut manager, &settings);
    assert!(messages.is_empty() && moves.is_empty(), "{messages:?} {moves:?}");
    fs::write(&path, format!("{BOOK}2g2f\n")).unwrap();
    let (messages, moves) = open(&mut manager, &settings);
    assert!(messages[0].ends_with("a.db\" was truncated while in use"), "{messages:?}");
    assert_eq!(moves, ["2g2f"]);
}

#[test]
fn numbered_books_are_looked_up_first() {
    let (first, last) = (format!("{BOOK}9g9f\n"), format!("{BOOK}7g7f\n"));
    let other = BOOK.replace(" b ", " w ") + "3c3d\n";
    let files = [("a-000.db", &*other), ("a-001.ybb", &first), ("a-003.db", "x"), ("a.db", &last)];
    let folder = folder_of(&files);
    let mut manager = manager();
    let mut settings = settings("a.db", folder.path());
    settings.book.flipped = false;
    assert_eq!(open(&mut manager, &settings).1, ["9g9f"]);
}

/// Regression: in such a folder a thousand numbered books were reported.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_reported_once() {
    let folder = tempdir().unwrap();
    let book = folder.path().join("book");
    std::os::unix::fs::symlink(&book, &book).unwrap();
    let (messages, moves) = open(&mut manager(), &settings("a.db", &book));
    assert!(moves.is_empty());
    assert!(messages[0].contains("a.db\" cannot be used: "), "{messages:?}");
    assert_eq!(messages[1..], ["continuing without an opening book"]);
}

/// Regression: with a book of corrections to it, the built-in book was not used.
#[test]
fn numbered_books_are_looked_up_before_the_built_in_book_too() {
    let folder = tempdir().unwrap();
    let corrections = folder.path().join("book/user_book1-000.db");
    fs::create_dir(folder.path().join("book")).unwrap();
    fs::write(&corrections, format!("{BOOK}9g9f\n")).unwrap();
    let profile = OptionProfile { book_options: BookOptionSet::V2, ..OptionProfile::default() };
    let options = BookOptions::of(&Settings::with_profile(profile));
    let opened = options.open(&mut FileLookup::beside(Some(folder.path())));
    let paths: Vec<PathBuf> = opened.into_iter().map(|book| book.unwrap().0).collect();
    assert_eq!(paths, [corrections, BUILT_IN.into()]);
}

#[test]
fn a_binary_book_replaces_a_text_book_that_does_not_exist() {
    let (binary, text) = (format!("{BOOK}9g9f\n"), format!("{BOOK}7g7f\n"));
    let folder = folder_of(&[("a.ybb", &binary)]);
    let mut manager = manager();
    assert_eq!(open(&mut manager, &settings("a.db", folder.path())).1, ["9g9f"]);
    for other in ["a.bin", "a", "b.db"] {
        let (messages, moves) = open(&mut manager, &settings(other, folder.path()));
        assert!(moves.is_empty() && messages[0].contains("there is no opening book"));
    }
    assert_eq!(open(&mut manager, &settings("a.db", folder.path())).1, ["9g9f"]);
    fs::write(folder.path().join("a.db"), text).unwrap();
    manager.recheck_files();
    assert_eq!(open(&mut manager, &settings("a.db", folder.path())).1, ["7g7f"]);
}
