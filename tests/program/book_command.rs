//! The command `book` of the program, as a user calls it.

use std::fs;
use std::process::Command;

use crate::folder::Folder;
use crate::kawasemi::command;

fn book(arguments: &[&str]) -> Command {
    let mut command = command(&["book"]);
    command.args(arguments);
    command
}

/// The standard output and the standard error of a command that succeeds.
#[track_caller]
fn output_of(arguments: &[&str]) -> (String, String) {
    let output = book(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// The standard error of a command that fails.
#[track_caller]
fn error_of(arguments: &[&str]) -> String {
    crate::program::stderr_of(&mut book(arguments))
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const AFTER: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
const HEAD: &str = "#YANEURAOU-DB2016 1.00\n";

#[test]
fn a_book_is_described_and_searched() {
    let folder = Folder::new();
    let text = format!("{START}7g7f 3c3d 40 32 2\n5e5d\n{AFTER}3c3d none -30 20 1\n");
    let file = folder.write("a.db", &text);
    let (info, _) = output_of(&["info", &file]);
    assert!(info.starts_with("format     YaneuraOu text (.db)\n"), "{info}");
    assert!(info.contains("positions  2\nmoves      3\nsorted     no"), "{info}");
    let (found, _) = output_of(&["lookup", &file, "startpos"]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[2], "7g7f   3c3d        40     32        2");
    assert_eq!(lines[3], "5e5d   -            -      -        -  not legal");
    let (after, _) = output_of(&["lookup", &file, "startpos moves 7g7f"]);
    assert!(after.contains("\n3c3d   -          -30"), "{after}");
    let (swapped, _) = output_of(&["lookup", &file, "sfen", &START.replace(" b ", " w ")[5..]]);
    assert!(swapped.contains("\n3c3d   7g7f        40"), "{swapped}");
    let (unknown, _) = output_of(&["lookup", &file, "startpos", "moves", "9g9f"]);
    assert!(unknown.starts_with("not in the book: lnsg"), "{unknown}");
}

#[test]
fn invalid_books_and_arguments_are_refused_with_the_reason() {
    let folder = Folder::new();
    let bad = folder.write("bad.db", "\nsfen 9/9 b - 1\n");
    assert!(error_of(&["info", &bad]).contains("bad.db: line 2: "));
    assert!(error_of(&["info", "no-such-file"]).starts_with("kawasemi: no-such-file: "));
    let good = folder.write("good.db", format!("{START}7g7f\n"));
    assert!(error_of(&["lookup", &good, "startpos moves 5e5d"]).contains("5e5d cannot be played"));
    assert!(error_of(&["lookup", &good, "nonsense"]).starts_with("kawasemi: "));
    assert!(error_of(&["convert", &good, "out.sbk"]).contains("only read"));
    // Regression: the message offered .sbk, which cannot be written.
    let unknown = "out.foo: unknown extension; a book is written as .db, .ybb or .bin\n";
    assert!(error_of(&["convert", &good, "out.foo"]).ends_with(unknown));
    let words = folder.write("words.db", "hello\n");
    let text = error_of(&["info", &words]);
    assert!(text.contains("line 1: \"hello\" comes before the first position"), "{text}");
    assert!(error_of(&["make", &folder.path("a.bin")]).contains(".db or .ybb"));
    let empty = folder.write("empty.db", "#YANEURAOU-DB2016 1.00\n");
    assert!(error_of(&["convert", &empty, &good]).contains("no book is written"));
    assert!(output_of(&["lookup", &good, "startpos"]).0.contains("7g7f"), "the old book remains");
    let nowhere = folder.path("missing/a.db");
    assert!(error_of(&["make", &nowhere]).contains("missing: there is no such folder"));
    assert!(error_of(&["convert", &good, &nowhere]).contains("missing: there is no such folder"));
}

#[test]
fn books_are_converted_and_losses_are_reported() {
    let folder = Folder::new();
    let start = format!("{START}7g7f 3c3d 40 32 2\n2g2f none 30 32\n");
    let after = format!("{AFTER}3c3d none -30 20\n");
    let text = format!("{HEAD}{start}{after}");
    let (db, ybb, bin) = (folder.write("a.db", &text), folder.path("a.ybb"), folder.path("a.bin"));
    let again = folder.path("b.db");
    let (counted, lost) = output_of(&["convert", &db, &again]);
    assert_eq!((&*counted, &*lost), ("2 positions\n", ""));
    assert_eq!(fs::read_to_string(&again).unwrap(), format!("{HEAD}{after}{start}"), "sorted");
    let (_, lost) = output_of(&["convert", &db, &ybb]);
    assert_eq!(lost.lines().count(), 2, "{lost}");
    assert!(lost.contains("1 move lost the reply"), "{lost}");
    output_of(&["convert", &ybb, &again]);
    assert!(fs::read_to_string(&again).unwrap().contains("\n7g7f none 40 32\n"));
    let (_, lost) = output_of(&["convert", &db, &bin]);
    assert!(lost.contains("2 positions lost the move number"), "{lost}");
    output_of(&["convert", &bin, &again]);
    assert!(fs::read_to_string(&again).unwrap().contains("L b - 1\n7g7f none 40 none 2\n"));
}

/// Regression: a pattern was taken for the name of a file. The shells of Windows do not expand wildcards.
#[cfg(windows)]
#[test]
fn wildcards_are_expanded() {
    let folder = Folder::new();
    folder.write("a.db", format!("{HEAD}{START}7g7f\n"));
    folder.write("b.db", format!("{HEAD}{AFTER}3c3d\n"));
    let (counted, _) = output_of(&["merge", &folder.path("?.db"), "-o", &folder.path("all.db")]);
    assert_eq!(counted, "2 positions\n");
}

#[test]
fn errors_of_a_book_are_reported_once() {
    let folder = Folder::new();
    let text = format!("{HEAD}{START}7g7f none 40 10\nzzz\nsfen nonsense\n// a\n{AFTER}3c3d\n");
    let (counted, notes) =
        output_of(&["convert", &folder.write("a.db", &text), &folder.path("b.db")]);
    assert_eq!(counted, "2 positions\n");
    assert_eq!(notes.lines().count(), 2, "{notes}");
    assert!(
        notes.contains("skipped 2 invalid lines") && notes.contains("1 line of comment"),
        "{notes}"
    );
}

/// Regression: a book that was sorted in its own file lost its comments and its invalid lines.
#[test]
fn a_book_is_not_replaced_by_a_part_of_it() {
    let folder = Folder::new();
    let other = folder.write("b.db", format!("{HEAD}{AFTER}3c3d\n"));
    let lines = ["// a\n", "zzz\n", "2g2f none 30 10 1 #a\n", "7g7f none 20 8\n", "none none\n"];
    for lost in lines {
        let text = format!("{HEAD}{START}7g7f none 40 10\n{lost}");
        let book = folder.write("a.db", &text);
        for command in [&["convert", &book, &book][..], &["merge", &other, &book, "-o", &book]] {
            let error = error_of(command);
            assert!(error.contains("a.db: is one of the input files"), "{error}");
            assert_eq!(fs::read_to_string(&book).unwrap(), text);
        }
    }
    output_of(&["convert", &other, &other]);
}

/// Regression: a text with the extension of another format lost its counts and replies.
#[test]
fn a_book_is_not_replaced_by_one_of_another_format() {
    let folder = Folder::new();
    let text = format!("{HEAD}{START}7g7f 3c3d 40 10 5\n");
    let other = folder.write("b.db", format!("{HEAD}{AFTER}3c3d\n"));
    for name in ["a.ybb", "a.bin"] {
        let book = folder.write(name, &text);
        for command in [&["convert", &book, &book][..], &["merge", &other, &book, "-o", &book]] {
            let error = error_of(command);
            assert!(error.contains("is one of the input files"), "{error}");
        }
        assert_eq!(fs::read_to_string(&book).unwrap(), text);
    }
    let book = folder.path("a.ybb");
    let error = error_of(&["make", &book, "--positions", "2", "--nodes", "300"]);
    let why = "a.ybb: the format is YaneuraOu text (.db), not YaneuraOu binary (.ybb); convert";
    assert!(error.contains(why), "{error}");
    assert_eq!(fs::read_to_string(&book).unwrap(), text);
}

/// Regression: the unknown evaluations of the file became 0.
#[test]
fn a_binary_book_with_unknown_evaluations_is_not_replaced() {
    let folder = Folder::new();
    let text = folder.write("a.db", format!("{HEAD}{START}7g7f none 40\n"));
    let book = folder.path("a.ybb");
    output_of(&["convert", &text, &book]);
    output_of(&["convert", &book, &book]);
    let mut bytes = fs::read(&book).unwrap();
    let eval = bytes.len() - 2;
    bytes[eval..].copy_from_slice(&i16::MAX.to_le_bytes());
    fs::write(&book, &bytes).unwrap();
    let error = error_of(&["convert", &book, &book]);
    assert!(error.contains("is one of the input files"), "{error}");
    assert_eq!(fs::read(&book).unwrap(), bytes);
}

#[test]
fn a_lost_move_number_is_reported() {
    let folder = Folder::new();
    let later = START.replace(" 1\n", " 5\n");
    let text = format!("{HEAD}{AFTER}3c3d\n{START}7g7f none 40 10\n{later}2g2f none 30 10\n");
    let (counted, notes) =
        output_of(&["convert", &folder.write("a.db", &text), &folder.path("b.db")]);
    assert_eq!(counted, "2 positions\n");
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert!(notes.contains("a.db: several move numbers in 1 position;"), "{notes}");
    let written = fs::read_to_string(folder.path("b.db")).unwrap();
    assert!(written.ends_with(&format!("{START}7g7f none 40 10\n2g2f none 30 10\n")), "{written}");
}

#[test]
fn books_are_merged() {
    let folder = Folder::new();
    let one = folder.write("1.db", format!("{START}7g7f none 40 10 1\n2g2f none 30 32 1\n"));
    let two = folder.write("2.db", format!("// note\n{START}7g7f none 20 20 1\n{AFTER}3c3d\n"));
    let out = folder.path("out.db");
    let (counted, notes) = output_of(&["merge", &one, &two, "-o", &out]);
    assert_eq!(counted, "2 positions\n");
    let merged =
        format!("{HEAD}{AFTER}3c3d none none none\n{START}2g2f none 30 32 1\n7g7f none 20 20 1\n");
    assert_eq!(fs::read_to_string(&out).unwrap(), merged);
    assert!(notes.ends_with("2.db: 1 line of comment left out\n"), "{notes}");
}

#[test]
fn a_book_is_built_and_continued() {
    let folder = Folder::new();
    let out = folder.path("new.db");
    let make = |positions: &str, out: &str| {
        let limits = ["--nodes", "300", "--moves", "2", "--threads", "2", "--hash", "1"];
        let start = [["make", out], ["--positions", positions]].concat();
        output_of(&[&start[..], &limits].concat()).0
    };
    assert!(make("3", &out).starts_with("positions  3, 3 new\n"));
    assert!(make("10", &out).starts_with("positions  10, 7 new\n"));
    let (found, _) = output_of(&["lookup", &out, "startpos"]);
    assert_eq!(found.lines().count(), 4, "{found}");
    let whole = folder.path("whole.db");
    make("10", &whole);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&out).unwrap());
    let ybb = folder.path("new.ybb");
    assert!(make("2", &ybb).starts_with("positions  2, 2 new\n"));
    assert!(make("2", &ybb).starts_with("positions  2, 0 new\n"));
}

/// Regression: the command said that a book has `3 of 2` positions, or stopped at fewer without a reason.
#[test]
fn a_book_to_which_nothing_is_added_is_reported_with_the_reason() {
    let folder = Folder::new();
    let out = folder.path("new.db");
    let make = |options: &[&str]| {
        let limits = ["make", &out, "--nodes", "300", "--threads", "1", "--hash", "1"];
        output_of(&[&limits[..], options].concat()).1
    };
    let notes = make(&["--positions", "3", "--last-ply", "1"]);
    assert!(notes.contains("no position is left to search within --last-ply 1 and "), "{notes}");
    let notes = make(&["--positions", "3"]);
    assert!(notes.contains("1 of 3 positions") && !notes.contains("is left"), "{notes}");
    let notes = make(&["--positions", "2"]);
    assert!(notes.contains("the book has 3 positions already; nothing is added"), "{notes}");
    for option in ["--positions", "--last-ply"] {
        let text = error_of(&["make", &out, option, "0"]);
        assert!(text.contains("this must be a whole number"), "{text}");
    }
}

#[test]
fn continuing_another_book_keeps_its_entries_and_reports_losses() {
    let folder = Folder::new();
    let text = format!(
        "{HEAD}{START}7g7f 3c3d 52 32 10\n2g2f 8c8d 40 30 5\nno move\n// a\n\
         {AFTER}3c3d 2g2f -60 30 4\n"
    );
    let book = folder.write("others.db", &text);
    let make = |positions: &str| {
        let limits = ["--nodes", "300", "--threads", "1", "--hash", "1"];
        output_of(&[&["make", &book, "--positions", positions][..], &limits].concat())
    };
    let (out, notes) = make("2");
    assert!(out.starts_with("positions  2, 0 new\n"), "{out}");
    assert!(notes.contains("line 5") && !notes.contains("comment"), "{notes}");
    assert_eq!(fs::read_to_string(&book).unwrap(), text, "nothing was added");
    let (out, notes) = make("3");
    assert!(out.starts_with("positions  3, 1 new\n"), "{out}");
    assert_eq!(notes.matches("1 line of comment left out").count(), 1, "{notes}");
    let (found, _) = output_of(&["lookup", &book, "startpos"]);
    let rows: Vec<Vec<&str>> =
        found.lines().skip(2).map(|row| row.split_whitespace().collect()).collect();
    assert_eq!((rows[0][0], rows[0][4]), ("7g7f", "10"), "{found}");
    assert_eq!((rows[1][0], rows[1][1], rows[1][4]), ("2g2f", "8c8d", "5"), "{found}");
}

#[test]
fn an_unknown_root_has_no_value() {
    let folder = Folder::new();
    let book = folder.write("other.db", format!("{HEAD}{AFTER}3c3d 2g2f -60 30 4\n"));
    let (text, _) =
        output_of(&["make", &book, "--positions", "1", "--threads", "1", "--hash", "1"]);
    assert!(text.contains("\nvalue      ? cp\n"), "{text}");
}

/// Regression: a run that was interrupted at 88 of 300 positions left nothing and said nothing.
#[cfg(unix)]
#[test]
fn an_interrupted_book_is_saved_and_that_is_reported() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = Folder::new();
    let out = folder.path("new.db");
    let mut making = book(&["make", &out, "--positions", "1000000", "--nodes", "200"]);
    making.args(["--threads", "1", "--hash", "1"]).stderr(Stdio::piped()).stdout(Stdio::piped());
    let mut child = making.spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(errors.any(|line| line.contains("an interrupt ends and saves the book")));
    crate::signal::send("INT", child.id());
    let line = errors.find(|line| line.contains("stopped; ")).expect("the end is told");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let count: usize =
        line.split(" has ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let written = fs::read_to_string(&out).map_or(0, |book| book.matches("sfen ").count());
    assert_eq!(count, written, "{line}");
    assert!(String::from_utf8(output.stdout).unwrap().contains(&format!("positions  {count}, ")));
}

/// Regression: an interrupt left a hidden temporary file.
#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_no_file() {
    use std::fmt::Write;
    use std::process::Stdio;
    use std::time::Duration;

    let folder = Folder::new();
    let entries = || fs::read_dir(folder.path("")).unwrap().map(Result::unwrap);
    // Enough positions that writing takes a while: kings, and pieces in hand.
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
    let (source, out) = (folder.write("a.db", text), folder.path("b.db"));
    // A part of the new book is on the disk, under any name.
    let is_being_written = || {
        let has_grown = |entry: fs::DirEntry| entry.metadata().is_ok_and(|file| file.len() > 0);
        entries().any(|entry| entry.file_name() != "a.db" && has_grown(entry))
    };
    // It may be complete before the interrupt, but hardly every time.
    let was_interrupted = (0..5).any(|_| {
        let mut conversion = book(&["convert", &source, &out]);
        conversion.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = conversion.spawn().unwrap();
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
    assert!(was_interrupted, "each conversion was complete before the interrupt");
    let names: Vec<_> = entries().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["a.db"]);
}
