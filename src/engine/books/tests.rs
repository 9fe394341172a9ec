use std::fs;

use tempfile::{TempDir, tempdir};

use super::*;
use crate::position::Position;
use crate::search::request::Limits;

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

/// What the user is told, and the moves that the books give at the start of a game.
fn open(desk: &mut BookDesk, settings: &Settings) -> (Vec<String>, Vec<String>) {
    let mut messages = Vec::new();
    if let Some(order) = desk.take_order(Wish::of(settings)) {
        desk.accept(Some(order.carry_out_with(Finder::at_home_in(None), &mut messages)));
    }
    let request = Request {
        position: Position::startpos(),
        limits: Limits::default(),
        options: settings.search_options(),
        received: Instant::now(),
    };
    let advice = desk.advise(&settings.book, &request);
    let moves = advice.map(|advice| {
        advice.variations.iter().map(|candidate| candidate.pv[0].to_string()).collect()
    });
    (messages, moves.unwrap_or_default())
}

#[test]
fn a_book_that_nobody_named_need_not_be_there() {
    let mut desk = BookDesk::new();
    let home = tempdir().unwrap();
    let settings = Settings::default();
    let wish = Wish::of(&settings);
    assert!(wish.is_default());
    let mut messages = Vec::new();
    let order = desk.take_order(wish).unwrap();
    // Where no folder `book` is, whatever lies in the folder where tests run.
    let order =
        Order { wish: Wish { folder: Some(home.path().join("book")), ..order.wish }, ..order };
    assert!(!order.wish.is_default());
    let delivery = order.carry_out_with(Finder::at_home_in(None), &mut messages);
    assert!(delivery.shelf.is_empty() && delivery.failed);
    assert_eq!(messages.len(), 2, "{messages:?}");
    let (messages, moves) = open(&mut desk, &Settings { own_book: false, ..settings });
    assert!(messages.is_empty() && moves.is_empty());
}

#[test]
fn a_named_book_is_used_or_the_reason_told() {
    let book = format!("{BOOK}7g7f\n2g2f\n");
    let folder = folder_of(&[("a.db", &book), ("bad.db", "# no book\nat all\n")]);
    let mut desk = BookDesk::new();
    let (messages, moves) = open(&mut desk, &settings("a.db", folder.path()));
    assert_eq!(moves, ["7g7f", "2g2f"]);
    assert!(messages[0].contains("a.db\", YaneuraOu text (.db), 1 positions, "), "{messages:?}");
    let (messages, moves) = open(&mut desk, &settings("bad.db", folder.path()));
    assert!(moves.is_empty());
    assert!(messages[0].starts_with("error: the opening book \""), "{messages:?}");
    assert!(messages[0].ends_with("bad.db\" cannot be used: line 2: \"at\" is not a move"));
    let (messages, _) = open(&mut desk, &settings("none.db", folder.path()));
    assert!(messages[0].contains("there is no opening book"), "{messages:?}");
    for none in ["no_book", "NO_BOOK"] {
        let (messages, moves) = open(&mut desk, &settings(none, folder.path()));
        assert!(messages.is_empty() && moves.is_empty());
    }
}

#[test]
fn a_file_that_has_changed_is_opened_again() {
    let folder = tempdir().unwrap();
    let settings = settings("a.db", folder.path());
    let mut desk = BookDesk::new();
    assert!(open(&mut desk, &settings).1.is_empty());
    fs::write(folder.path().join("a.db"), format!("{BOOK}7g7f\n")).unwrap();
    assert!(open(&mut desk, &settings).1.is_empty());
    desk.look_again();
    assert_eq!(open(&mut desk, &settings).1, ["7g7f"]);
    desk.look_again();
    assert!(open(&mut desk, &settings).0.is_empty(), "nothing has changed");
    fs::write(folder.path().join("a.db"), format!("{BOOK}2g2f none 0\n")).unwrap();
    desk.look_again();
    assert_eq!(open(&mut desk, &settings).1, ["2g2f"]);
}

#[test]
fn numbered_books_are_asked_first() {
    let (first, last) = (format!("{BOOK}9g9f\n"), format!("{BOOK}7g7f\n"));
    let other = BOOK.replace(" b ", " w ") + "3c3d\n";
    let files = [("a-000.db", &*other), ("a-001.ybb", &first), ("a-003.db", "x"), ("a.db", &last)];
    let folder = folder_of(&files);
    let mut desk = BookDesk::new();
    let mut settings = settings("a.db", folder.path());
    settings.book.flipped = false;
    assert_eq!(open(&mut desk, &settings).1, ["9g9f"]);
}

/// It was not found, and if nobody had named the text either, nothing was said.
#[test]
fn a_binary_book_takes_the_place_of_a_text_that_is_not_there() {
    let (binary, text) = (format!("{BOOK}9g9f\n"), format!("{BOOK}7g7f\n"));
    let folder = folder_of(&[("a.ybb", &binary)]);
    let mut desk = BookDesk::new();
    assert_eq!(open(&mut desk, &settings("a.db", folder.path())).1, ["9g9f"]);
    for other in ["a.bin", "a", "b.db"] {
        let (messages, moves) = open(&mut desk, &settings(other, folder.path()));
        assert!(moves.is_empty() && messages[0].contains("there is no opening book"));
    }
    assert_eq!(open(&mut desk, &settings("a.db", folder.path())).1, ["9g9f"]);
    fs::write(folder.path().join("a.db"), text).unwrap();
    desk.look_again();
    assert_eq!(open(&mut desk, &settings("a.db", folder.path())).1, ["7g7f"]);
}

#[test]
fn a_seed_repeats_the_draws() {
    let mut desk = BookDesk::new();
    let mut draws = |seed| {
        desk.seed(seed);
        [0; 8].map(|_| desk.lots.draw())
    };
    let (one, other) = (draws(1), draws(2));
    assert_ne!(one, other);
    assert_eq!(draws(1), one);
}
