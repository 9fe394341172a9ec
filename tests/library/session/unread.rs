//! A GUI that does not read: the output stays bounded, and a search and the session still end.

use std::time::Duration;

use kawasemi::search::request::Report;
use kawasemi::tt::KeyedEntry;

use super::harness::{Gui, PATIENCE, QUIT, Search};

/// The answers are about 15 MB.
const MANY: usize = 3000;

/// Reads up to a line that begins so. Returns how many `usi` were answered before it.
fn answered_before(gui: &mut Gui, start: &str) -> usize {
    let mut count = 0;
    loop {
        let line = gui.line();
        if line.starts_with(start) {
            return count;
        }
        count += usize::from(line == "usiok");
    }
}

/// A search, and many commands that wait. `quit` is the timeout of `quit`.
fn searching(quit: Duration) -> (Gui, Search) {
    let mut gui = Gui::unread(quit);
    gui.send("isready");
    assert_eq!(answered_before(&mut gui, "readyok"), 0);
    gui.forget_calls();
    gui.send("go infinite");
    let search = gui.search();
    (0..MANY).for_each(|_| gui.send("usi"));
    (gui, search)
}

/// Regression: the answers to 300,000 `usi` that nobody read took 1.6 GB.
#[test]
fn commands_except_stop_wait_while_nobody_reads_the_output() {
    let (mut gui, search) = searching(PATIENCE);
    gui.send("stop");
    gui.send("key");
    gui.expect_stop();
    search.plays("7g7f");
    let before = answered_before(&mut gui, "bestmove 7g7f");
    assert!((100..MANY / 2).contains(&before), "{before}");
    // All others are answered in their turn, and the second look at `stop` stops nothing.
    let behind = answered_before(&mut gui, &start_key());
    assert_eq!(before + behind, MANY);
    gui.expect_no_call();
    gui.quit();
}

/// The answer to `key` in the initial position.
fn start_key() -> String {
    format!("{:016x}", kawasemi::position::Position::startpos().key())
}

/// Both ways in which a GUI ends a session.
const ENDS: [fn(&mut Gui); 2] = [|gui| gui.send("quit"), Gui::end_input];

#[test]
fn a_session_ends_even_if_nobody_reads_its_output() {
    for end in ENDS {
        let (mut gui, search) = searching(QUIT);
        end(&mut gui);
        gui.expect_stop();
        search.plays("7g7f");
        gui.expect_end();
    }
}

/// Regression: the session queued the end of the input again and again, and never ended.
#[test]
fn commands_before_the_end_are_executed_if_the_gui_reads_again() {
    for end in ENDS {
        let (mut gui, search) = searching(PATIENCE);
        gui.send("key");
        end(&mut gui);
        gui.expect_stop();
        search.plays("7g7f");
        let before = answered_before(&mut gui, "bestmove 7g7f");
        assert_eq!(before + answered_before(&mut gui, &start_key()), MANY);
        gui.quit_silently();
    }
}

/// Regression: up to 4 MiB of them were before the answer of a worker behind a slow connection.
#[test]
fn table_entries_that_nobody_reads_are_dropped() {
    let mut gui = Gui::unread(PATIENCE);
    gui.send("isready");
    assert_eq!(answered_before(&mut gui, "readyok"), 0);
    gui.forget_calls();
    gui.send("go depth 9");
    let search = gui.search();
    let entry: KeyedEntry = "0123456789abcdefc0110014001e0000".parse().unwrap();
    (0..1000).for_each(|_| search.report(Report::Entries(vec![entry; 100])));
    search.plays("7g7f");
    // When the next search starts, all reports have been handled.
    gui.send("go depth 9");
    let next = gui.search_after_preparation();
    let mut bytes = 0;
    loop {
        match gui.line() {
            line if line.starts_with("bestmove ") => break,
            line => bytes += line.len(),
        }
    }
    assert!((200_000..300_000).contains(&bytes), "{bytes}");
    next.plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}
