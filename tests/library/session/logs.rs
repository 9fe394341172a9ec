//! The logs: written if possible, and never in the way of the session.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::harness::{Gui, PATIENCE};
use crate::folder::Folder;

/// Waits until a file contains a text.
fn read_when(path: &str, text: &str) -> String {
    let start = Instant::now();
    loop {
        match fs::read_to_string(path) {
            Ok(written) if written.contains(text) => return written,
            _ => assert!(start.elapsed() < PATIENCE, "{text} is not written"),
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn both_logs_contain_the_whole_session() {
    let folder = Folder::new();
    let [traffic, thinking] = ["traffic", "thinking"].map(|name| folder.path(name));
    let mut gui = Gui::ready();
    gui.set("DebugLogFile", &traffic);
    gui.set("ThinkingLog", &thinking);
    gui.send("isready");
    gui.expect("readyok");
    gui.send("go infinite");
    let search = gui.search();
    gui.send("oops");
    gui.expect_start("info string unknown");
    gui.send("stop");
    search.plays("7g7f");
    gui.expect_start("info depth ");
    gui.expect("bestmove 7g7f");
    // Flushed after every line, not only at the end.
    let written = read_when(&traffic, " < bestmove 7g7f\n");
    assert!(written.contains(" > go infinite\n"), "{written}");
    let written = read_when(&thinking, "= usi:'bestmove 7g7f' ts:");
    for text in ["# go infinite\n", "? usi:'info string unknown", "# oops\n", "# # search 1 begins"]
    {
        // The message quotes the command, which may contain either kind of quotes.
        assert!(written.contains(text), "{text}: {written}");
    }
    gui.quit();
}

#[test]
fn the_thinking_log_marks_errors_of_a_load_and_no_other_message() {
    let folder = Folder::new();
    let thinking = folder.path("thinking");
    let mut gui = Gui::ready();
    gui.set("ThinkingLog", &thinking);
    gui.set("EvalDir", &folder.path(""));
    gui.send("isready");
    gui.expect_start("info string error: there is no nn.bin");
    gui.expect_start("info string continuing with the built-in");
    gui.expect("readyok");
    let written = read_when(&thinking, "= usi:'readyok' ts:");
    for text in
        ["? usi:'info string error: there is no nn.bin", "= usi:'info string continuing with "]
    {
        assert!(written.contains(text), "{text}: {written}");
    }
    gui.quit();
}

#[test]
fn a_log_that_could_not_be_opened_is_tried_again_when_it_is_named_again() {
    let folder = Folder::new();
    let path = folder.path("made later/log");
    let mut gui = Gui::ready();
    gui.set("DebugLogFile", &path);
    gui.expect_start(&format!("info string cannot write the log {path}: "));
    gui.set("MultiPV", "2");
    gui.expect_silence();
    fs::create_dir(folder.path("made later")).unwrap();
    gui.set("DebugLogFile", &path);
    gui.expect_silence();
    read_when(&path, " > getoption PvInterval\n");
    gui.quit();
}
