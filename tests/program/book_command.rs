//! The command `book` of the program, as a user calls it.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::folder::Folder;

fn book(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.arg("book").args(arguments).stdin(Stdio::null());
    command.output().unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// What it says on the standard output, and on the other.
fn said(arguments: &[&str]) -> (String, String) {
    let output = book(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn complained(arguments: &[&str]) -> String {
    let output = book(arguments);
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const AFTER: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
const HEAD: &str = "#YANEURAOU-DB2016 1.00\n";

#[test]
fn a_book_is_described_and_searched() {
    let folder = Folder::new();
    let text = format!("{START}7g7f 3c3d 40 32 2\n5e5d\n{AFTER}3c3d none -30 20 1\n");
    let file = folder.write("a.db", &text);
    let (info, _) = said(&["info", &file]);
    assert!(info.starts_with("format     YaneuraOu text (.db)\n"), "{info}");
    assert!(info.contains("positions  2\nmoves      3\nin order   no"), "{info}");
    let (found, _) = said(&["lookup", &file, "startpos"]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[2], "7g7f   3c3d        40     32        2");
    assert_eq!(lines[3], "5e5d   -            -      -        -  not legal");
    let (after, _) = said(&["lookup", &file, "startpos moves 7g7f"]);
    assert!(after.contains("\n3c3d   -          -30"), "{after}");
    let (turned, _) = said(&["lookup", &file, "sfen", &START.replace(" b ", " w ")[5..]]);
    assert!(turned.contains("\n3c3d   7g7f        40"), "{turned}");
    let (unknown, _) = said(&["lookup", &file, "startpos", "moves", "9g9f"]);
    assert!(unknown.starts_with("the book does not know lnsg"), "{unknown}");
}

#[test]
fn what_cannot_be_done_is_told_with_the_reason() {
    let folder = Folder::new();
    let bad = folder.write("bad.db", "\nsfen 9/9 b - 1\n");
    assert!(complained(&["info", &bad]).contains("bad.db: line 2: "));
    assert!(complained(&["info", "no-such-file"]).starts_with("kawasemi: no-such-file: "));
    let good = folder.write("good.db", format!("{START}7g7f\n"));
    assert!(
        complained(&["lookup", &good, "startpos moves 5e5d"]).contains("5e5d cannot be played")
    );
    assert!(complained(&["lookup", &good, "nonsense"]).starts_with("kawasemi: "));
    assert!(complained(&["convert", &good, "out.sbk"]).contains("only read"));
    assert!(complained(&["convert", &good, "out"]).contains("out: a book is called"));
    assert!(complained(&["make", &folder.path("a.bin")]).contains(".db or .ybb"));
    let empty = folder.write("empty.db", "#YANEURAOU-DB2016 1.00\n");
    assert!(complained(&["convert", &empty, &good]).contains("no book is written"));
    assert!(said(&["lookup", &good, "startpos"]).0.contains("7g7f"), "it is still there");
    let nowhere = folder.path("missing/a.db");
    assert!(complained(&["make", &nowhere]).contains("missing: there is no such folder"));
    assert!(complained(&["convert", &good, &nowhere]).contains("missing: there is no such folder"));
}

#[test]
fn books_are_rewritten_and_what_is_lost_is_told() {
    let folder = Folder::new();
    let start = format!("{START}7g7f 3c3d 40 32 2\n2g2f none 30 32\n");
    let after = format!("{AFTER}3c3d none -30 20\n");
    let text = format!("{HEAD}{start}{after}");
    let (db, ybb, bin) = (folder.write("a.db", &text), folder.path("a.ybb"), folder.path("a.bin"));
    let again = folder.path("b.db");
    let (counted, lost) = said(&["convert", &db, &again]);
    assert_eq!((&*counted, &*lost), ("2 positions\n", ""));
    assert_eq!(fs::read_to_string(&again).unwrap(), format!("{HEAD}{after}{start}"), "in order");
    let (_, lost) = said(&["convert", &db, &ybb]);
    assert_eq!(lost.lines().count(), 2, "{lost}");
    assert!(lost.contains("1 moves lost their reply"), "{lost}");
    said(&["convert", &ybb, &again]);
    assert!(fs::read_to_string(&again).unwrap().contains("\n7g7f none 40 32\n"));
    let (_, lost) = said(&["convert", &db, &bin]);
    assert!(lost.contains("2 positions lost the number of their move"), "{lost}");
    said(&["convert", &bin, &again]);
    assert!(fs::read_to_string(&again).unwrap().contains("L b - 1\n7g7f none 40 none 2\n"));
}

/// No shell of Windows says which books are meant, and none of this name was found.
#[cfg(windows)]
#[test]
fn a_pattern_stands_for_the_books_that_fit_it() {
    let folder = Folder::new();
    folder.write("a.db", format!("{HEAD}{START}7g7f\n"));
    folder.write("b.db", format!("{HEAD}{AFTER}3c3d\n"));
    let (counted, _) = said(&["merge", &folder.path("?.db"), "-o", &folder.path("all.db")]);
    assert_eq!(counted, "2 positions\n");
}

#[test]
fn what_is_wrong_with_a_book_is_told_once() {
    let folder = Folder::new();
    let text = format!("{HEAD}{START}7g7f none 40 10\nzzz\nsfen nonsense\n// a\n{AFTER}3c3d\n");
    let (counted, told) = said(&["convert", &folder.write("a.db", &text), &folder.path("b.db")]);
    assert_eq!(counted, "2 positions\n");
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.contains("passed over 2 lines") && told.contains("1 lines of comment"), "{told}");
}

#[test]
fn a_number_of_the_move_that_is_not_kept_is_told() {
    let folder = Folder::new();
    let later = START.replace(" 1\n", " 5\n");
    let text = format!("{HEAD}{AFTER}3c3d\n{START}7g7f none 40 10\n{later}2g2f none 30 10\n");
    let (counted, told) = said(&["convert", &folder.write("a.db", &text), &folder.path("b.db")]);
    assert_eq!(counted, "2 positions\n");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("a.db: 1 positions were known before another move"), "{told}");
    let written = fs::read_to_string(folder.path("b.db")).unwrap();
    assert!(written.ends_with(&format!("{START}7g7f none 40 10\n2g2f none 30 10\n")), "{written}");
}

#[test]
fn books_are_put_together() {
    let folder = Folder::new();
    let one = folder.write("1.db", format!("{START}7g7f none 40 10 1\n2g2f none 30 32 1\n"));
    let two = folder.write("2.db", format!("// note\n{START}7g7f none 20 20 1\n{AFTER}3c3d\n"));
    let out = folder.path("out.db");
    let (counted, notes) = said(&["merge", &one, &two, "-o", &out]);
    assert_eq!(counted, "2 positions\n");
    let merged = format!("{HEAD}{AFTER}3c3d none\n{START}2g2f none 30 32 1\n7g7f none 20 20 1\n");
    assert_eq!(fs::read_to_string(&out).unwrap(), merged);
    assert_eq!(notes, "", "what stands in the first line is no remark");
}

#[test]
fn a_book_is_made_and_gone_on_with() {
    let folder = Folder::new();
    let out = folder.path("new.db");
    let make = |positions: &str, out: &str| {
        let limits = ["--nodes", "300", "--moves", "2", "--threads", "2", "--hash", "1"];
        let start = [["make", out], ["--positions", positions]].concat();
        said(&[&start[..], &limits].concat()).0
    };
    assert!(make("3", &out).starts_with("positions  3, 3 of them new\n"));
    assert!(make("10", &out).starts_with("positions  10, 7 of them new\n"));
    let (found, _) = said(&["lookup", &out, "startpos"]);
    assert_eq!(found.lines().count(), 4, "{found}");
    let whole = folder.path("whole.db");
    make("10", &whole);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&out).unwrap());
    let ybb = folder.path("new.ybb");
    assert!(make("2", &ybb).starts_with("positions  2, 2 of them new\n"));
    assert!(make("2", &ybb).starts_with("positions  2, 0 of them new\n"));
}

#[test]
fn going_on_with_a_book_of_others_keeps_what_it_says_and_tells_what_cannot_be_kept() {
    let folder = Folder::new();
    let text = format!(
        "{HEAD}{START}7g7f 3c3d 52 32 10\n2g2f 8c8d 40 30 5\nno move\n// a\n\
         {AFTER}3c3d 2g2f -60 30 4\n"
    );
    let book = folder.write("others.db", &text);
    let make = |positions: &str| {
        let limits = ["--nodes", "300", "--threads", "1", "--hash", "1"];
        said(&[&["make", &book, "--positions", positions][..], &limits].concat())
    };
    let (out, notes) = make("2");
    assert!(out.starts_with("positions  2, 0 of them new\n"), "{out}");
    assert!(notes.contains("line 5") && !notes.contains("comment"), "{notes}");
    assert_eq!(fs::read_to_string(&book).unwrap(), text, "nothing was added");
    let (out, notes) = make("3");
    assert!(out.starts_with("positions  3, 1 of them new\n"), "{out}");
    assert_eq!(notes.matches("1 lines of comment are not kept").count(), 1, "{notes}");
    let (found, _) = said(&["lookup", &book, "startpos"]);
    let rows: Vec<Vec<&str>> =
        found.lines().skip(2).map(|row| row.split_whitespace().collect()).collect();
    assert_eq!((rows[0][0], rows[0][4]), ("7g7f", "10"), "{found}");
    assert_eq!((rows[1][0], rows[1][1], rows[1][4]), ("2g2f", "8c8d", "5"), "{found}");
}

#[test]
fn a_root_of_which_nothing_is_known_has_no_value() {
    let folder = Folder::new();
    let out = folder.path("new.db");
    let (text, _) = said(&["make", &out, "--positions", "0", "--threads", "1", "--hash", "1"]);
    assert!(text.contains("\nvalue      ? cp\n"), "{text}");
}

/// An interrupt left a hidden file behind, as large as what was written of the book.
#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_nothing_behind() {
    use std::fmt::Write;
    use std::time::Duration;

    let folder = Folder::new();
    let entries = || fs::read_dir(folder.path("")).unwrap().map(Result::unwrap);
    // So many that writing them takes a while: kings, and pieces in hand.
    let mut text = HEAD.to_owned();
    for number in 0..200_000 {
        let mut rest = number;
        let mut digit = |base: u32| {
            let last = rest % base;
            rest /= base;
            last
        };
        let mut hand = String::from("R");
        for (kind, most) in [('G', 4), ('S', 4), ('N', 4), ('L', 4), ('P', 18)] {
            match digit(most + 1) {
                0 => {}
                1 => hand.push(kind),
                count => write!(hand, "{count}{kind}").unwrap(),
            }
        }
        let (left, below) = (digit(9) as usize, digit(6) as usize);
        let mut ranks =
            ["9".to_owned(), "9".into(), "9".into(), "9".into(), "9".into(), "9".into()];
        ranks[below] = format!("{left}K{}", 8 - left).replace('0', "");
        writeln!(text, "sfen 4k4/9/9/{} b {hand} 1\nR*5e none 0 1 1", ranks.join("/")).unwrap();
    }
    let (book, out) = (folder.write("a.db", text), folder.path("b.db"));
    // Something of the new book is on the disk, under whatever name.
    let is_being_written = || {
        let has_grown = |entry: fs::DirEntry| entry.metadata().is_ok_and(|file| file.len() > 0);
        entries().any(|entry| entry.file_name() != "a.db" && has_grown(entry))
    };
    // It may be done before the interrupt comes, but hardly every time.
    let was_interrupted = (0..5).any(|_| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        command.args(["book", "convert", &book, &out]).stderr(Stdio::null());
        let mut running = command.stdout(Stdio::null()).spawn().unwrap();
        while running.try_wait().unwrap().is_none() {
            if is_being_written() {
                crate::signal::send("INT", running.id());
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = running.wait().unwrap();
        let is_whole = fs::remove_file(&out).is_ok();
        assert!(is_whole || status.code() == Some(130), "{status}");
        !is_whole
    });
    assert!(was_interrupted, "it ended by itself each time");
    let names: Vec<_> = entries().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["a.db"]);
}
