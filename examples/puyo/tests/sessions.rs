//! Conversations over pipes in memory.

use super::engine::placement::Placement;
use super::engine::position::Position;
use super::engine::tumo::Tumo;
use super::pipes::{Gui, PAIRS};

/// All moves that are legal in a position of the example, as text.
fn legal(pfen: &str) -> Vec<String> {
    let position: Position = pfen.parse().unwrap();
    let pairs = PAIRS.split_ascii_whitespace().skip(1).map(|letters| {
        let mut colors = letters.chars().filter_map(super::engine::field::Puyo::from_letter);
        super::engine::tumo::Pair { axis: colors.next().unwrap(), child: colors.next().unwrap() }
    });
    let tumo = Tumo::new(pairs.collect::<Vec<_>>().try_into().unwrap());
    let pair = tumo.pair(position.number);
    Placement::all(&position.own.field, pair).map(|placement| placement.to_string()).collect()
}

/// The lines of the document, with the blank that one of them begins with.
#[test]
fn the_example_conversation_of_the_protocol_goes_as_it_is_written() {
    let mut gui = Gui::new();
    gui.say("upi");
    assert!(gui.read_line().starts_with("id name Kawasemi Puyo "));
    assert!(gui.read_line().starts_with("id author "));
    assert_eq!(gui.read_line(), "upiok");
    gui.say(PAIRS);
    gui.say(" rule falltime 2 chaintime 60 settime 15 nexttime 7 autodroptime 50");
    gui.say("isready");
    assert_eq!(gui.read_line(), "readyok");
    for pfen in
        ["////// 0 ////// 0 0 0 0", "ry////// 1 ////// 0 0 0 0", "ryrb////// 2 ////// 0 0 0 0"]
    {
        gui.say(&format!("position {pfen}"));
        gui.say("go 300");
        let answer = gui.read_move();
        assert!(legal(pfen).contains(&answer), "{answer} in {pfen}");
    }
    gui.say("gameover win");
    gui.say("quit");
    assert_eq!(gui.end(), [""; 0]);
}

/// The GUI of the protocol's author reads the answer to `upi` in one piece.
#[test]
fn the_answer_to_upi_comes_in_one_piece() {
    let mut gui = Gui::new();
    gui.say("upi");
    let piece = gui.read_piece();
    assert!(piece.starts_with("id name ") && piece.ends_with("\nupiok\n"), "{piece}");
    gui.end();
}

#[test]
fn a_go_without_a_time_is_answered_too() {
    let mut gui = Gui::with_pairs();
    gui.say("position ////// 5 ////// 5 0 0 0\ngo");
    gui.read_move();
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn without_any_time_the_answer_is_legal() {
    let mut gui = Gui::with_pairs();
    let pfen = "ryrybgbgbgbg/rbrbrb/ggyyggyyggy/rrbbrrbb/yyggyygg/bbrr/ 77 ////// 0 0 0 0";
    gui.say(&format!("position {pfen}"));
    gui.say("go 0");
    let answer = gui.read_move();
    assert!(legal(pfen).contains(&answer), "{answer}");
    assert_eq!(gui.end(), [""; 0]);
}

/// The second `go` says that the time of the first is over.
#[test]
fn a_repeated_go_ends_the_thinking_and_is_not_answered_again() {
    let mut gui = Gui::with_pairs();
    gui.say("position ////// 0 ////// 0 0 0 0\ngo 90000000\ngo 90000000");
    gui.read_move();
    // The third has crossed the answer.
    gui.say("go 90000000\nposition ////// 0 ////// 0 0 0 0\ngo 90000000\nisready");
    assert_eq!(gui.read_line(), "readyok");
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn the_next_position_and_the_next_game_are_answered() {
    let mut gui = Gui::with_pairs();
    for line in ["position ry////// 1 ////// 0 0 0 0", "position ryrb////// 2 ////// 0 0 0 0"] {
        gui.say(line);
        gui.say("go 1");
        gui.read_move();
    }
    for between in ["isready", "gameover lose", PAIRS] {
        gui.say(between);
        if between == "isready" {
            assert_eq!(gui.read_line(), "readyok");
        }
        gui.say("position ryrb////// 2 ////// 0 0 0 0\ngo 1");
        gui.read_move();
    }
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn a_move_that_was_called_illegal_is_not_sent_again() {
    let mut gui = Gui::with_pairs();
    let pfen = "////// 0 ////// 0 0 0 0";
    gui.say(&format!("position {pfen}"));
    let mut sent = Vec::new();
    for _ in legal(pfen) {
        gui.say("go 1");
        let answer = gui.read_move();
        assert!(
            legal(pfen).contains(&answer) && !sent.contains(&answer),
            "{answer} after {sent:?}"
        );
        gui.say(&format!("illegalmove {answer}"));
        sent.push(answer);
    }
    // Nothing is left: a move that is none.
    gui.say("go 1");
    assert_eq!(gui.read_line(), "bestmove 1a1a");
    assert_eq!(gui.end(), [""; 0]);
}

/// In the GUI of the protocol's author, the line names another move than the one refused.
#[test]
fn the_last_answer_is_refused_whatever_move_is_named() {
    let mut gui = Gui::with_pairs();
    gui.say("position ////// 0 ////// 0 0 0 0\ngo 1");
    let first = gui.read_move();
    gui.say("illegalmove 1a1a\ngo 1");
    let second = gui.read_move();
    assert_ne!(second, first);
    // The same position again changes nothing about that.
    gui.say(&format!("illegalmove {second}\nposition ////// 0 ////// 0 1 0 0\ngo 1"));
    assert!(![first, second].contains(&gui.read_move()));
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn a_lost_field_has_no_move() {
    let mut gui = Gui::with_pairs();
    gui.say("position //rgrgrgrgrgrg//// 0 ////// 0 0 0 0\ngo 1");
    assert_eq!(gui.read_line(), "bestmove 1a1a");
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn a_line_that_is_refused_gets_a_comment_and_changes_nothing() {
    let mut gui = Gui::with_pairs();
    gui.say("position ry////// 1 ////// 0 0 0 0");
    let bad = [
        "position ///// 1 ////// 0 0 0 0",
        "position x////// 1 ////// 0 0 0 0",
        "position",
        "tumo rr gg",
        "rule falltime 2",
        "go fast",
        "illegalmove 9z9z",
        "illegalmove 1a1b",
        "gameover",
        "stop",
        "\u{1b}[2J\u{7f}",
    ];
    for line in bad {
        gui.say(line);
        let comment = gui.read_line();
        assert!(comment.starts_with("# ") && !comment.contains('\u{1b}'), "{line}: {comment}");
    }
    gui.say_bytes(b"\xff\xfe\n");
    assert!(gui.read_line().starts_with("# "));
    gui.say("go 1");
    let answer = gui.read_move();
    assert!(legal("ry////// 1 ////// 0 0 0 0").contains(&answer));
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn a_go_without_pairs_or_position_gets_a_comment() {
    let mut gui = Gui::new();
    gui.say("position ////// 0 ////// 0 0 0 0\ngo 1");
    assert_eq!(gui.read_line(), "# go needs the pairs of a tumo line first");
    gui.say(PAIRS);
    gui.say("go 1");
    assert_eq!(gui.read_line(), "# go needs a position first");
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn comments_and_empty_lines_are_skipped() {
    let mut gui = Gui::new();
    gui.say("# hello\n\n   \r\n#\nisready");
    assert_eq!(gui.read_line(), "readyok");
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn each_interruption_of_a_search_gives_one_answer() {
    for line in ["quit", "gameover win", "isready", PAIRS, "position ry////// 1 ////// 0 0 0 0", ""]
    {
        let mut gui = Gui::with_pairs();
        gui.say("position ////// 0 ////// 0 0 0 0\ngo 90000000");
        gui.say(line);
        let output = gui.end();
        let answers = output.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "{line}: {output:?}");
    }
}
