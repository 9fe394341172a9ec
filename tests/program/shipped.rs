//! What is delivered: the program, which needs no other file, and the opening book beside it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kawasemi::book::{Book, Validation};
use kawasemi::position::Position;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("book")
}

/// Regression: the program needed a library of the compiler that does not come with Windows.
#[cfg(all(windows, target_env = "msvc"))]
#[test]
fn the_c_runtime_is_linked_statically() {
    assert!(cfg!(target_feature = "crt-static"));
}

#[test]
fn the_shipped_book_is_sorted_and_has_legal_moves_only() {
    let book = Book::open(&folder().join("standard_book.db"), Validation::Full).unwrap();
    let summary = book.summary();
    assert_eq!((summary.positions, summary.indexed), (Some(2000), false));
    assert_eq!(summary.notes, []);
    let left_out = book.for_each(&mut |setup, entry| {
        let position = Position::from_setup(setup).unwrap();
        assert!(!entry.moves.is_empty(), "{setup}");
        for known in &entry.moves {
            assert!(position.is_legal(known.mv), "{} in {setup}", known.mv);
        }
    });
    assert_eq!(left_out, []);
}

#[test]
fn the_first_move_is_played_from_the_book_without_a_search() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = command.spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines().map(Result::unwrap);
    writeln!(input, "setoption name BookDir value {}\nisready", folder().display()).unwrap();
    assert!(output.any(|line| line == "readyok"));
    writeln!(input, "position startpos\ngo byoyomi 1000").unwrap();
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.starts_with("bestmove ")) {
        lines.push(output.next().expect("an answer"));
    }
    writeln!(input, "quit").unwrap();
    assert!(engine.wait().unwrap().success());
    let played = lines[lines.len() - 1].split(' ').nth(1).unwrap();
    assert!(lines[0].starts_with(&format!("info string book: {played}, of ")), "{lines:?}");
    // Only a search counts nodes.
    assert!(lines.iter().all(|line| !line.contains(" nodes ")), "{lines:?}");
}
