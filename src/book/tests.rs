use std::path::Path;

use super::testing::{file_of, games};
use super::*;
use crate::position::Setup;

/// The formats that can be written.
const WRITTEN: [BookFormat; 3] = [BookFormat::Text, BookFormat::Ybb, BookFormat::Apery];

fn sample_book() -> MemoryBook {
    let mut book = MemoryBook::default();
    let mut position = crate::position::Position::startpos();
    for mv in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"] {
        let mv = BookMove { eval: Some(12), count: Some(1), ..BookMove::new(mv.parse().unwrap()) };
        let entry = BookEntry { ply: Some(position.game_ply()), moves: vec![mv.clone()] };
        book.insert(&position.setup(), entry);
        position.try_play(mv.mv).unwrap();
    }
    book
}

fn read(path: &Path) -> MemoryBook {
    let mut book = MemoryBook::default();
    let opened = Book::open(path, Validation::Full).unwrap();
    opened.for_each(&mut |setup, entry| {
        book.merge(setup, entry);
    });
    book
}

#[test]
fn every_format_is_recognised_by_its_content() {
    for format in WRITTEN {
        let file = file_of(b"");
        format.save(&sample_book(), &file).unwrap();
        let book = Book::open(&file, Validation::Sampled).unwrap();
        assert_eq!(book.format(), format);
        assert!(book.look_up(&Setup::startpos(), None).is_some());
    }
}

#[test]
fn a_text_book_is_written_without_losses() {
    let mut book = sample_book();
    for setup in games(20, 30) {
        let mv = BookMove { depth: Some(3), ..BookMove::new("7g7f".parse().unwrap()) };
        book.merge(&setup, BookEntry { ply: None, moves: vec![mv] });
    }
    let file = file_of(b"");
    assert_eq!(BookFormat::Text.save(&book, &file).unwrap(), WriteLosses::default());
    assert_eq!(read(&file), book);
    assert!(!Book::open(&file, Validation::Full).unwrap().summary().indexed);
}

#[test]
fn a_file_of_no_known_format_is_refused() {
    for bytes in [&[0u8; 32][..], &[1, 2, 3], &[0xff; 48]] {
        let error = Book::open(&file_of(bytes), Validation::Full).unwrap_err();
        assert!(matches!(error, BookError::UnknownFormat), "{error}");
    }
    let packed = Book::open(&file_of(b"\x1f\x8b\x08"), Validation::Full).unwrap_err();
    assert!(packed.to_string().starts_with("this is compressed by gzip"), "{packed}");
    assert!(matches!(
        Book::open("no-such-book".as_ref(), Validation::Full),
        Err(BookError::Unreadable(_))
    ));
    let path = Path::new("out.sbk");
    assert!(matches!(
        BookFormat::Sbk.save(&sample_book(), path),
        Err(BookWriteError::SbkIsReadOnly)
    ));
}

/// Regression: the Japanese message was in English, and then it did not say that this is a folder.
#[test]
fn a_folder_is_refused_as_a_book_in_both_languages() {
    let error = Book::open(&std::env::temp_dir(), Validation::Full).unwrap_err();
    let message = error.message();
    assert_eq!(message.en, "this is a folder, not a file");
    assert_eq!(message.ja, "ファイルではなくフォルダです");
}

/// Regression: an empty book replaced the old one if the format could not hold any of the positions.
#[test]
fn a_book_that_would_be_empty_is_not_written() {
    let file = file_of(b"");
    BookFormat::Ybb.save(&sample_book(), &file).unwrap();
    let before = read(&file);
    let mut book = MemoryBook::default();
    let no_king: Setup = "4k4/9/9/9/9/9/9/9/9 b - 1".parse().unwrap();
    let mv = BookMove::new("7g7f".parse().unwrap());
    book.insert(&no_king, BookEntry { ply: None, moves: vec![mv] });
    assert!(matches!(BookFormat::Ybb.save(&book, &file), Err(BookWriteError::NoPosition)));
    let mut no_moves = MemoryBook::default();
    no_moves.insert(&Setup::startpos(), BookEntry::default());
    assert!(matches!(BookFormat::Apery.save(&no_moves, &file), Err(BookWriteError::NoPosition)));
    assert_eq!(read(&file), before);
}

#[test]
fn formats_are_recognised_by_the_extension_too() {
    assert_eq!(BookFormat::from_extension(Path::new("a/b.DB")), Some(BookFormat::Text));
    assert_eq!(BookFormat::from_extension(Path::new("book.bin")), Some(BookFormat::Apery));
    assert_eq!(BookFormat::from_extension(Path::new("book")), None);
}

#[cfg(unix)]
#[test]
fn a_book_that_is_truncated_in_use_gives_no_wrong_entry() {
    let file = file_of(b"");
    BookFormat::Text.save(&sample_book(), &file).unwrap();
    let book = Book::open(&file, Validation::Sampled).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_len(0).unwrap();
    assert_eq!(book.look_up(&Setup::startpos(), None), None);
    assert!(book.is_damaged());
}
