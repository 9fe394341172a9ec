//! Conversations.

use std::fs;

use kawasemi::session::MAX_LINE_BYTES;

use super::gui::Gui;
use crate::engine::board::{Board, squares_of};
use crate::engine::ofen::{Position, Side, square_name};
use crate::engine::testing::START;

/// A position with one empty square, a1, on which Black can play.
fn last_square() -> String {
    let mut cells = "O".repeat(63);
    cells.replace_range(6..7, "X");
    format!("-{cells}B")
}

/// A position in which Black has to pass.
fn no_move() -> String {
    format!("OX{}B", "-".repeat(62))
}

fn both() -> [Gui; 2] {
    [Gui::with_session(), Gui::with_program()]
}

/// All commands of the draft, in its order.
#[test]
fn the_conversation_of_the_draft_goes_as_it_is_written() {
    for mut gui in both() {
        gui.write("uoi");
        let name = concat!("id name Kawasemi Othello ", env!("CARGO_PKG_VERSION"));
        let expected = [
            name,
            "id author the Kawasemi developers",
            "option name Hash default 32",
            "option name MaxDepth default 0",
            "option name ThinkingLog default <empty>",
            "uoiok",
        ];
        assert_eq!(gui.read_to("uoiok"), expected);
        gui.write("score scale and type");
        assert_eq!(gui.read(), "scoretype stone min -64 max 64");
        gui.write("setoption name MaxDepth value 1");
        gui.write("isready");
        assert_eq!(gui.read(), "readyok");
        gui.write("uoinewgame");
        gui.write(&format!("position {START}"));
        gui.write("go btime 60000 wtime 60000");
        let (info, best) = (gui.read(), gui.read());
        let square = best.strip_prefix("bestmove ").unwrap();
        assert!(["c4", "d3", "e6", "f5"].contains(&square), "{best}");
        let [score, pv] = ["info score ", &format!(" pv {square}")];
        assert!(info.starts_with(score) && info.ends_with(pv), "{info}");
        gui.write("# the opponent thinks");
        gui.write(&format!("pass {START}"));
        gui.expect_silence();
        gui.write(&format!("position {START}"));
        gui.write("go btime 60000 wtime 60000 binc 1000 winc 1000");
        assert_eq!(gui.answer(), best);
        gui.write("gameover black_win by double_pass bstone 40 wstone 24");
        gui.expect_silence();
        assert_eq!(gui.end("quit"), Vec::<String>::new());
    }
}

#[test]
fn readyok_and_scoretype_come_in_any_order() {
    let mut gui = Gui::with_session();
    for line in ["score scale and type", "isready", "uoi", "uoinewgame"] {
        gui.write(line);
    }
    let lines = gui.read_to("uoiok");
    assert_eq!(lines[..2], ["scoretype stone min -64 max 64", "readyok"]);
    gui.end("quit");
}

#[test]
fn each_go_gets_one_answer() {
    for mut gui in both() {
        for _ in 0..5 {
            gui.write("go infinite");
        }
        gui.write("stop");
        gui.write("stop");
        for _ in 0..5 {
            assert!(gui.answer().starts_with("bestmove "));
        }
        gui.expect_silence();
        gui.end("quit");
    }
}

#[test]
fn a_pass_starts_a_silent_search_until_the_next_go() {
    let mut gui = Gui::with_session();
    gui.write(&format!("pass {START}"));
    gui.write("isready");
    assert_eq!(gui.read(), "readyok", "no info");
    gui.write("setoption name MaxDepth value 2");
    gui.write("go infinite");
    gui.write("stop");
    assert!(gui.answer().starts_with("bestmove "));
    gui.write(&format!("pass {START}"));
    gui.write("stop");
    gui.expect_silence();
    gui.end("quit");
}

#[test]
fn a_search_that_has_solved_the_game_waits_for_its_stop() {
    let mut gui = Gui::with_session();
    gui.write(&format!("position {}", last_square()));
    gui.write("go infinite");
    gui.write("isready");
    let lines = gui.read_to("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    gui.write("stop");
    assert_eq!(gui.answer(), "bestmove a1");
    gui.write("go");
    assert_eq!(gui.answer(), "bestmove a1");
    gui.end("quit");
}

#[test]
fn quit_and_the_end_of_the_input_stop_the_search_and_answer_it() {
    for last in ["quit", ""] {
        for mut gui in both() {
            gui.write("go infinite");
            let rest = gui.end(last);
            let answers = rest.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 1, "{rest:?}");
        }
    }
}

#[test]
fn after_a_refused_position_nothing_is_searched_until_the_next() {
    let mut gui = Gui::with_session();
    gui.write("setoption name MaxDepth value 1");
    gui.write("position startpos");
    assert_eq!(gui.read(), "# position refused: an ofen has 65 characters, not 8");
    gui.write("go btime 1000 wtime 1000");
    assert_eq!(gui.read(), "# no search, because the last position was refused");
    assert_eq!(gui.read(), "bestmove resign");
    gui.write(&format!("position {START}"));
    gui.write("go");
    assert_ne!(gui.answer(), "bestmove resign");
    // Regression: the engine played in the position before.
    gui.write(&format!("position {}", "-".repeat(MAX_LINE_BYTES)));
    assert_eq!(gui.read(), "# a line of more than 16 MiB was ignored");
    gui.write("go btime 1000 wtime 1000");
    assert_eq!(gui.read(), "# no search, because the last position was refused");
    assert_eq!(gui.read(), "bestmove resign");
    gui.end("quit");
}

/// The protocol has no answer for a pass.
#[test]
fn a_side_without_a_move_resigns_and_says_why() {
    let mut gui = Gui::with_session();
    gui.write(&format!("position {}", no_move()));
    gui.write("go");
    assert_eq!(gui.read(), "# no move here, and the protocol has no answer that passes");
    assert_eq!(gui.read(), "bestmove resign");
    gui.end("quit");
}

#[test]
fn a_line_that_is_not_understood_gets_a_comment_and_does_nothing() {
    let mut gui = Gui::with_session();
    gui.write("setoption name MaxDepth value 1");
    for (line, comment) in [
        (&b"joho"[..], "# no command: \"joho\""),
        (b"\xff\x00\x1b[2J", "# no command: \"\u{fffd}??[2J\""),
        (b"setoption name Hash value 0", "# option Hash is from 1 to 4096, not \"0\""),
        (b"setoption name Joho value 1", "# no option is called \"Joho\""),
        (b"pass x", "# pass refused: an ofen has 65 characters, not 1"),
        (b"gameover", "# gameover: its result is not understood"),
    ] {
        gui.write_bytes(line);
        assert_eq!(gui.read(), comment);
    }
    gui.write("go btime soon wtime 1000");
    assert_eq!(gui.read(), "# go: \"btime\" is ignored");
    assert!(gui.answer().starts_with("bestmove "));
    gui.end("quit");
}

#[test]
fn the_thinking_log_has_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let mut gui = Gui::with_session();
    gui.write(&format!("setoption name ThinkingLog value {}", path.display()));
    gui.write("isready");
    assert_eq!(gui.read(), "readyok");
    gui.write("joho");
    gui.end("quit");
    let log = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = log.lines().map(|line| line.split(" ts:").next().unwrap()).collect();
    let expected = [
        "# # log of Kawasemi",
        "# isready",
        "= uoi:'readyok'",
        "# joho",
        "? uoi:'# no command: \"joho\"'",
        "# quit",
    ];
    assert_eq!(lines, expected);
}

/// The search for the other colour is the same.
#[test]
fn white_is_to_move_as_black_is() {
    let mut gui = Gui::with_session();
    gui.write("setoption name MaxDepth value 4");
    let board = Board::START.play(19);
    let answers = [Side::Black, Side::White].map(|side| {
        gui.write("uoinewgame");
        gui.write(&format!("position {}", Position { board, side }));
        gui.write("go");
        gui.answer()
    });
    assert_eq!(answers[0], answers[1]);
    let square = answers[0].strip_prefix("bestmove ").unwrap();
    assert!(squares_of(board.moves()).any(|legal| square_name(legal) == square));
    gui.end("quit");
}
