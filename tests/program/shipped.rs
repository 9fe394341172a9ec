//! What is delivered: the program, which needs no other file, and the opening book beside it.

use std::path::{Path, PathBuf};

use kawasemi::book::{Book, Validation};
use kawasemi::position::Position;

use crate::usi::engine::Engine;

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
    let mut engine = Engine::start(&[]);
    engine.send(&format!("setoption name BookDir value {}", folder().display()));
    engine.send("isready");
    engine.until("readyok");
    engine.send("position startpos");
    engine.send("go byoyomi 1000");
    let (lines, _) = engine.until("bestmove ");
    engine.quit();
    let played = lines[lines.len() - 1].split(' ').nth(1).unwrap();
    assert!(lines[0].starts_with(&format!("info string book: {played}, of ")), "{lines:?}");
    // Only a search counts nodes.
    assert!(lines.iter().all(|line| !line.contains(" nodes ")), "{lines:?}");
}
