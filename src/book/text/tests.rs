use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::book::testing::{file_of, games};
use crate::book::{Book, BookFormat, LineError, MemoryBook};
use crate::position::Position;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

fn open(text: &str, validation: Validation) -> Result<Book, BookError> {
    Book::open(&file_of(text.as_bytes()), validation)
}

fn moves_at(book: &Book, setup: &Setup, ply: Option<u32>) -> Option<String> {
    let moves = book.look_up(setup, ply)?.moves;
    Some(moves.iter().map(|mv| mv.mv.to_string()).collect::<Vec<_>>().join(" "))
}

#[test]
fn lines_may_have_many_forms() {
    for end in ["\n", "\r\n"] {
        let text = format!(
            "\u{feff}#YANEURAOU-DB2016 1.00\n\nsfen {START} 1\n// \u{5b9a}\u{8de1}\n\
             7g7f 3c3d 10 32 1\n\n2g2f none 12 none\n#note\n9g9f\nnone\n\
             sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n3c3d 2g2f"
        );
        let text = text.replace('\n', end);
        for validation in [Validation::Full, Validation::Sampled] {
            let book = open(&text, validation).unwrap();
            assert_eq!(book.format(), BookFormat::Text);
            assert_eq!(moves_at(&book, &Setup::startpos(), None).unwrap(), "2g2f 7g7f 9g9f");
            let entry = book.look_up(&Setup::startpos(), Some(1)).unwrap();
            assert_eq!(entry.ply, Some(1));
            assert_eq!(entry.moves[1].reply, "3c3d".parse().ok());
            assert_eq!(entry.moves[0].depth, None);
            assert_eq!(book.look_up(&Setup::startpos(), Some(3)), None);
        }
    }
}

/// Regression: the whole file was one comment, and the book had no positions.
#[test]
fn a_text_whose_lines_end_in_cr_alone_is_refused_with_the_reason() {
    let head = "#YANEURAOU-DB2016 1.00\n";
    for (text, refused) in [
        (format!("{head}sfen {START} 1\n7g7f\n").replace('\n', "\r"), true),
        (format!("sfen {START} 1\r7g7f\r\n"), true),
        (format!("{head}sfen {START} 1\n7g7f\n").replace('\n', "\r\n"), false),
        (format!("sfen {START} 1\r"), false),
    ] {
        for validation in [Validation::Full, Validation::Sampled] {
            let opened = open(&text, validation).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(opened.is_err(), refused, "{text:?}");
            if let Err(error) = opened {
                assert!(error.starts_with("its lines end in CR alone"), "{error}");
            }
        }
    }
}

/// Regression: a comment in the place of the header was left out without a word.
#[test]
fn every_comment_but_the_header_is_counted() {
    for (head, lost) in [("#YANEURAOU-DB2016 1.00\n", 0), ("", 0), ("# mine\n// it\n", 1)] {
        let book = open(&format!("{head}sfen {START} 1\n7g7f\n"), Validation::Full).unwrap();
        let messages = book.for_each(&mut |_, _| {});
        assert_eq!(messages.len(), lost, "{head}");
        assert!(messages.iter().all(|message| message.en.starts_with("2 lines")), "{messages:?}");
    }
}

/// Regression: it was lost without a word, or the move or the position with it.
#[test]
fn a_comment_behind_a_position_or_a_move_is_counted() {
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {START} 1 # 平手\n7g7f none 20 25 6 #ここが急所\n\
         2g2f none 10 // no depth\n9g9f\t#best\n1g1f none 0 1 1 of six fields\n"
    );
    for validation in [Validation::Full, Validation::Sampled] {
        let book = open(&text, validation).unwrap();
        assert!(book.summary().notes.is_empty() && !book.summary().indexed);
        assert_eq!(moves_at(&book, &Setup::startpos(), Some(1)).unwrap(), "7g7f 2g2f 9g9f 1g1f");
        let messages = book.for_each(&mut |_, _| {});
        let texts: Vec<&str> = messages.iter().map(|message| message.en.as_str()).collect();
        assert_eq!(texts, ["5 lines of comment left out"]);
    }
}

#[test]
fn hands_may_be_in_any_order() {
    let board = "4k4/9/9/9/9/9/9/9/4K4";
    let setup: Setup = format!("{board} b RB2P3p 9").parse().unwrap();
    for hands in ["RB2P3p", "2PBR3p", "3pPPRB", "p2pPRPB"] {
        let book = open(&format!("sfen {board} b {hands} 9\n5i5h\n"), Validation::Sampled).unwrap();
        assert_eq!(moves_at(&book, &setup, Some(9)).unwrap(), "5i5h", "{hands}");
    }
}

#[test]
fn equal_positions_are_merged_unless_a_move_number_is_given() {
    let text = format!("sfen {START} 5\n2g2f\nsfen {START} 3\n7g7f\nsfen {START} 33\n9g9f\n");
    let book = open(&text, Validation::Full).unwrap();
    let start = Setup::startpos();
    assert_eq!(moves_at(&book, &start, None).unwrap(), "2g2f 7g7f 9g9f");
    assert_eq!(moves_at(&book, &start, Some(5)).unwrap(), "2g2f");
    assert_eq!(moves_at(&book, &start, Some(33)).unwrap(), "9g9f");
    assert_eq!(moves_at(&book, &start, Some(1)), None);
    assert!(!book.summary().indexed);
}

/// Regression: 0 was read as 1, so that the position was found only at the start of a game.
#[test]
fn the_move_number_0_means_unknown() {
    for number in ["0", "000"] {
        for validation in [Validation::Full, Validation::Sampled] {
            let book = open(&format!("sfen {START} {number}\n7g7f\n"), validation).unwrap();
            let entry = book.look_up(&Setup::startpos(), Some(5)).unwrap();
            assert_eq!((entry.ply, entry.moves.len()), (None, 1));
        }
    }
}

/// Regression: a converted book had moves that the original had not shown.
#[test]
fn a_converted_book_has_the_same_entry_of_equal_positions() {
    let equal = format!("sfen {START} 5\n7g7f none 10 9\nsfen {START} 3\n7g7f none 20 8\n2g2f\n");
    let after = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n3c3d\n";
    let start = Setup::startpos();
    for (text, indexed) in [(format!("{after}{equal}"), false), (format!("{equal}{after}"), true)] {
        let book = open(&text, Validation::Full).unwrap();
        assert_eq!(book.summary().indexed, indexed);
        let mut converted = MemoryBook::default();
        book.for_each(&mut |setup, entry| _ = converted.merge(setup, entry));
        let entry = book.look_up(&start, None);
        assert_eq!(entry.as_ref().map(|entry| (entry.ply, entry.moves.len())), Some((Some(3), 2)));
        assert_eq!(entry, converted.look_up(&start, None));
    }
}

/// Regression: they vanished without a word, and of a repeated move the first was kept.
#[test]
fn repeated_and_invalid_moves_of_an_entry_are_merged_and_counted() {
    let head = format!("sfen {START} 1\n");
    let (first, rest) = ("7g7f none 10 5 1\n", "7g7f 8c8d 50 30 900\nnone none\n2g2f\n");
    let one = open(&format!("{head}{first}{rest}"), Validation::Full).unwrap();
    let two = open(&format!("{head}{first}{head}{rest}"), Validation::Full).unwrap();
    let entry = one.look_up(&Setup::startpos(), None);
    assert_eq!(entry, two.look_up(&Setup::startpos(), None));
    assert_eq!(entry.unwrap().moves[0].depth, Some(30));
    let messages = one.for_each(&mut |_, _| {});
    let texts: Vec<&str> = messages.iter().map(|message| message.en.as_str()).collect();
    assert_eq!(texts, ["2 invalid or repeated moves left out"]);
}

#[test]
fn a_text_that_is_no_book_is_refused_with_the_line() {
    let refused = |text: &str| match open(text, Validation::Sampled).unwrap_err() {
        BookError::Line { line, error } => (line, error),
        other => panic!("{other}"),
    };
    assert_eq!(refused("\n# a\n7g7f 3c3d\n"), (3, LineError::NoPosition("7g7f 3c3d".into())));
    assert_eq!(refused("# Title\n\nSome text.\n"), (3, LineError::NoPosition("Some text.".into())));
    assert!(matches!(refused("sfen 9/9 b - 1\n"), (1, LineError::Position(_))));
    assert_eq!(refused("sfen \u{5b9a}\n"), (1, LineError::NotText));
    assert!(matches!(open("", Validation::Full), Err(BookError::Empty)));
}

#[test]
fn later_invalid_lines_are_skipped_and_reported() {
    let text = format!("sfen {START} 1\n7g7f x\n2g2f\nsfen nonsense\n9g9f\n");
    let book = open(&text, Validation::Full).unwrap();
    assert_eq!(moves_at(&book, &Setup::startpos(), None).unwrap(), "2g2f");
    let note = "line 2: \"x\" is not a move; skipped 2 invalid lines";
    assert_eq!(book.summary().notes[0].en, note);
}

/// The text of a book with these positions and a move for each.
fn text_of<'a>(setups: impl IntoIterator<Item = &'a Setup>) -> String {
    let mut text = String::from("#YANEURAOU-DB2016 1.00\n");
    for setup in setups {
        let position = Position::from_setup(setup).unwrap();
        let mv = position.legal_moves().moves().next().unwrap();
        writeln!(text, "sfen {setup}\n{mv} none 0 1 1").unwrap();
    }
    text
}

#[test]
fn only_unsorted_files_get_an_index() {
    let mut setups = games(40, 30);
    let sorted = text_of(&setups);
    setups.reverse();
    let reversed = text_of(&setups);
    let mut appended = setups.clone();
    appended.sort_by_key(Setup::sfen_without_ply);
    appended.rotate_left(1);
    let appended = text_of(&appended);
    for validation in [Validation::Full, Validation::Sampled] {
        for (text, indexed) in [(&sorted, false), (&reversed, true), (&appended, true)] {
            let book = open(text, validation).unwrap();
            assert_eq!(book.summary().indexed, indexed, "{validation:?}");
            for setup in &setups {
                assert!(book.look_up(setup, Some(setup.game_ply)).is_some(), "{setup}");
            }
        }
    }
}

/// Regression: an empty field counted as canonical, and no lookup found the position.
#[test]
fn a_book_with_two_blanks_between_fields_gets_an_index() {
    for text in [START.replace(" b", "  b"), START.replace(" -", "  -")] {
        for validation in [Validation::Full, Validation::Sampled] {
            let book = open(&format!("sfen {text} 1\n7g7f\n"), validation).unwrap();
            assert!(book.summary().indexed, "{text}");
            assert_eq!(moves_at(&book, &Setup::startpos(), Some(1)).unwrap(), "7g7f", "{text}");
        }
    }
}

#[test]
fn an_entry_longer_than_a_lookup_reads_gets_an_index() {
    let start = Setup::startpos();
    let mut setups = games(3, 10);
    setups.retain(|setup| setup.sfen_without_ply() != start.sfen_without_ply());
    let long = format!("sfen {start}\n2g2f\n{}\n", "# comment\n".repeat(MAX_ENTRY_BYTES / 5));
    let text = text_of(&setups) + &long + &text_of(&setups);
    let book = open(&text, Validation::Sampled).unwrap();
    assert!(book.summary().indexed);
    assert_eq!(moves_at(&book, &start, None).unwrap(), "2g2f");
    assert!(setups.iter().all(|setup| book.look_up(setup, None).is_some()));
}

#[test]
fn a_line_without_end_ends_no_lookup() {
    let text = format!("sfen {START} 1\n7g7f\n#{}", " ".repeat(3 * MAX_ENTRY_BYTES));
    for validation in [Validation::Full, Validation::Sampled] {
        let book = open(&text, validation).unwrap();
        assert_eq!(moves_at(&book, &Setup::startpos(), None).unwrap(), "7g7f");
    }
}

/// A fragment of a book, or something similar.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("sfen {START} 1\n")),
        Just("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\r\n".into()),
        Just("7g7f 3c3d 0 0 1\n".into()),
        Just("# c\n".into()),
        Just("\n".into()),
        "sfen [ -~]{0,40}\n",
        "[ -~\n]{0,30}",
        "\\PC{0,10}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_makes_it_panic(pieces in prop::collection::vec(piece(), 0..12)) {
        let text: String = pieces.concat();
        for validation in [Validation::Full, Validation::Sampled] {
            if let Ok(book) = open(&text, validation) {
                book.look_up(&Setup::startpos(), None);
                book.look_up(&Setup::startpos(), Some(2));
                book.for_each(&mut |_, _| {});
            }
        }
    }
}
