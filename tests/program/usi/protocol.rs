//! The protocol apart from searches: handshake, errors, and the end.

use std::process::Command;
use std::time::{Duration, Instant};

use super::engine::{Engine, TEST_OPTIONS, ms};
use super::game::Game;
use crate::folder::Folder;

/// From the start of the process to `usiok`.
fn greeting() -> Duration {
    let start = Instant::now();
    let mut engine = Engine::start(&[]);
    engine.send("usi");
    let (_, at) = engine.until("usiok");
    engine.quit();
    at - start
}

#[test]
fn usi_is_answered_within_a_second_of_the_start() {
    // The machine may be busy, but hardly every time. Unpacking the built-in network takes most of the time.
    assert!((0..10).any(|_| greeting() < ms(1000)));
}

#[test]
fn without_an_argument_the_program_speaks_usi() {
    let mut engine = Engine::start(&[]);
    engine.send("usi");
    let (lines, _) = engine.until("usiok");
    assert!(lines[0].starts_with("id name Kawasemi "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options = &lines[2..lines.len() - 1];
    assert!(options.iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    engine.quit();
}

#[test]
fn options_of_the_command_line_are_declared_as_defaults() {
    let mut engine = Engine::start(&["--usi-option", "MultiPV=3", "--", "Threads=2", "hash=8"]);
    engine.send("usi");
    let (lines, _) = engine.until("usiok");
    for start in ["MultiPV type spin default 3 ", "Threads type spin default 2 "] {
        let start = format!("option name {start}");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{start}: {lines:?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("option name USI_Hash type spin default 8 ")));
    engine.quit();
}

#[test]
fn an_option_profile_in_the_working_directory_selects_the_book_options() {
    let folder = Folder::new();
    folder.write("engine_option_profile.txt", "BOOK_OPTIONS=V2\nEVAL_OPTIONS=V9\n");
    folder.write("engine_options.txt", "Threads 4\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.args(TEST_OPTIONS).current_dir(folder.path(""));
    let mut engine = Engine::run(command);
    engine.send("usi");
    let (lines, _) = engine.until("usiok");
    assert!(lines.iter().all(|line| !line.starts_with("info")), "{lines:?}");
    let declared = |name: &str| lines.iter().any(|line| line.split(' ').nth(2) == Some(name));
    assert!(declared("BookEvalBlackDiff") && declared("BookDepthWhiteLimit"), "{lines:?}");
    assert!(!declared("BookEvalDiff") && !declared("NarrowBook"), "{lines:?}");
    engine.send("getoption");
    let (shown, _) = engine.until("info string ThinkingLog = ");
    let is_shown = |name: &str| shown.iter().any(|line| line.contains(&format!(" {name} = ")));
    assert!(is_shown("BookEvalBlackDiff") && !is_shown("NarrowBook"), "{shown:?}");
    engine.send("setoption name NarrowBook value true");
    let refused = engine.settle();
    assert!(refused.iter().any(|line| line.contains("chooses version 2")), "{refused:?}");
    for arguments in [["options", "--lang=en"], ["define", "--lang=en"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        let text = crate::program::stdout_of(command.args(arguments).current_dir(folder.path("")));
        assert!(text.contains("BookEvalBlackDiff") && !text.contains("NarrowBook"), "{text}");
    }
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    for words in [
        "engine_option_profile.txt: EVAL_OPTIONS V9 is unknown",
        "engine_option_profile.txt: book options of version 2",
        "engine_options.txt\", which sets options of YaneuraOu, is not used here",
    ] {
        assert!(lines.iter().any(|line| line.contains(words)), "{words}: {lines:?}");
    }
    engine.quit();
}

/// Regression: every default file was reported as unreadable, and one next to the program was not used. (The system
/// refuses nothing to root.)
#[cfg(target_os = "linux")]
#[test]
fn a_working_directory_without_access_has_no_files() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let mut command = crate::program::started_after("chmod 0 .", env!("CARGO_BIN_EXE_kawasemi"));
    command.args(["--", "Threads=1", "USI_Hash=16"]).current_dir(folder.path(""));
    let mut engine = Engine::run(command);
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    set_permissions(folder.path(""), Permissions::from_mode(0o700)).unwrap();
    assert!(lines.iter().any(|line| line.contains("book: \"built-in book\"")), "{lines:?}");
    let wrong = ["error", "cannot be read", "engine_options.txt"];
    assert!(!lines.iter().any(|line| wrong.iter().any(|word| line.contains(word))), "{lines:?}");
    engine.quit();
}

#[test]
fn isready_is_answered_during_a_search_which_continues() {
    let mut engine = Engine::ready(&[]);
    engine.send("go infinite");
    engine.until("info depth ");
    engine.send("isready");
    let (mut before, _) = engine.until("readyok");
    before.pop();
    let (after, _) = engine.until("info depth ");
    for line in before.iter().chain(&after) {
        assert!(line.starts_with("info "), "{line}");
    }
    engine.stop(&Game::new());
    engine.quit();
}

#[test]
fn quit_ends_the_program_within_a_second_in_every_state() {
    type Before = fn(&mut Engine);
    let cases: [Before; 5] = [
        |_| {},
        |engine| engine.send("isready"),
        |engine| _ = (engine.send("go infinite"), engine.until("info depth ")),
        |engine| engine.send("go ponder btime 1000 wtime 1000"),
        |engine| engine.send("go mate infinite"),
    ];
    for (number, before) in cases.iter().enumerate() {
        // The machine may be busy, but hardly every time.
        let mut took = (0..10).map(|_| {
            let mut engine = Engine::start(&["--", "Threads=2", "USI_Hash=64", "BookFile=no_book"]);
            before(&mut engine);
            let start = Instant::now();
            engine.send("quit");
            assert_eq!(engine.wait().0.code(), Some(0), "case {number}");
            assert_eq!(engine.errors(), "", "case {number}");
            start.elapsed()
        });
        assert!(took.any(|took| took < ms(1000)), "case {number}");
    }
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for go in ["", "go infinite\n", "go ponder\n", "go byoyomi 100000\n"] {
        let mut engine = Engine::start(&TEST_OPTIONS);
        engine.send_bytes(format!("isready\n{go}").as_bytes());
        engine.end_input();
        let (status, _) = engine.wait();
        assert_eq!(status.code(), Some(0), "{go}");
        assert_eq!(engine.errors(), "", "{go}");
    }
}

#[test]
fn an_invalid_position_is_refused_with_the_reason_and_the_next_go_resigns() {
    let mut engine = Engine::ready(&[]);
    let game = Game::from("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    engine.ask(&game, "go nodes 100");
    for wrong in [
        "position sfen 9/9 b - 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1",
        "position sfen 4k4/9/9/9/9/9/9/4K4/4K4 b - 1",
        "position sfen 4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
        "position",
    ] {
        engine.send(wrong);
        let complaint = engine.settle();
        assert!(complaint.len() == 1 && complaint[0].starts_with("info string "), "{complaint:?}");
        engine.send("go nodes 100");
        let (lines, _) = engine.until("bestmove ");
        assert_eq!(lines.last().unwrap(), "bestmove resign", "{wrong}");
        engine.ask(&game, "go nodes 100");
    }
    engine.quit();
}

#[test]
fn meaningless_lines_are_ignored() {
    let mut engine = Engine::ready(&[]);
    let long = "x".repeat(1 << 20);
    for line in ["", "  \t ", "stop", "ponderhit", "gameover win", "joho", &long, "go nodes x 1"] {
        engine.send(line);
    }
    engine.send_bytes(b"\xff\xfe\x00\x80 \xe3\x81\x82\r\n\r\n\r");
    let lines = engine.settle();
    let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert!(answers <= 1 && lines.iter().all(|line| !line.is_empty()), "{lines:?}");
    engine.send("stop");
    if answers == 0 {
        engine.until("bestmove ");
    }
    engine.ask(&Game::new(), "joho  go \t nodes   100 ");
    engine.quit();
}

#[test]
fn options_set_during_a_search_wait_for_its_end() {
    let mut engine = Engine::ready(&[]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.until("info depth ");
    for line in ["MultiPV value 3", "Threads value 2", "USI_Hash value 4", "Joho value 1"] {
        engine.send(&format!("setoption name {line}"));
    }
    engine.until("info string no option is called");
    engine.until("info depth ");
    let stopped = engine.stop(&Game::new());
    assert!(stopped.infos().iter().all(|info| info.multi_pv == 1), "{:?}", stopped.lines);
    let answer = engine.ask(&Game::new(), "go depth 4");
    assert_eq!(answer.infos().iter().map(|info| info.multi_pv).max(), Some(3));
    engine.quit();
}
