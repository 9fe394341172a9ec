//! The session survives any input and continues.

use super::harness::Gui;

#[test]
fn line_ends_blanks_and_a_byte_order_mark_do_not_matter() {
    let mut gui = Gui::start();
    gui.send_bytes(b"\xef\xbb\xbf\tisready  \r\n\n\r  \r\n  isready\r isready \n\r");
    for _ in 0..3 {
        while gui.line() != "readyok" {}
    }
    gui.expect_silence();
    gui.quit();
}

#[test]
fn comments_are_skipped() {
    let mut gui = Gui::ready();
    gui.send("# The next line is the one to look at: go infinite, then stop.");
    gui.send("#quit");
    gui.expect_silence();
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn an_unknown_command_is_reported_and_ignored() {
    let mut gui = Gui::ready();
    gui.send("usi_tunables");
    gui.expect("info string unknown command \"usi_tunables\"");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn arbitrary_bytes_are_reported_as_an_unknown_command() {
    let mut gui = Gui::ready();
    let bytes: Vec<u8> = (0..=255).filter(|byte| !b"\r\n".contains(byte)).collect();
    gui.send_bytes(&[bytes.as_slice(), b"\n"].concat());
    gui.expect_start("info string unknown command ");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_game_of_megabytes_is_played_through() {
    let mut gui = Gui::ready();
    let mut line = String::from("position startpos moves");
    for _ in 0..60_000 {
        line += " 2h1h 8b9b 1h2h 9b8b";
    }
    line += " 7g7f";
    assert!(line.len() > 1 << 20);
    gui.send(&line);
    gui.send("key");
    let long = gui.line();
    gui.send("position startpos moves 7g7f");
    gui.send("key");
    gui.expect(&long);
    gui.quit();
}

#[test]
fn an_unknown_line_of_megabytes_gets_a_short_error() {
    let mut gui = Gui::ready();
    gui.send(&"x".repeat(3 << 20));
    assert!(gui.line().len() < 200);
    gui.send(&"go x ".repeat(1 << 19));
    let errors = gui.settle();
    assert!(!errors.is_empty() && errors.iter().all(|line| line.len() < 200), "{errors:?}");
    gui.send("quit");
}

#[test]
fn an_overlong_line_is_ignored() {
    let mut gui = Gui::ready();
    gui.send(&"go ".repeat(6 << 20));
    gui.expect("info string a line of more than 16 MiB was ignored");
    gui.expect_silence();
    gui.expect_no_call();
    // Of the position it has said nothing.
    gui.send("go depth 1");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn after_a_position_too_long_to_be_read_no_go_is_answered_for_the_one_before() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send(&format!("position startpos moves{}", " 2h1h 8b9b 1h2h 9b8b".repeat(1 << 20)));
    gui.expect("info string a line of more than 16 MiB was ignored");
    gui.send("go depth 1");
    gui.expect("info string no search, because the last position was refused");
    gui.expect("bestmove resign");
    gui.expect_no_call();
    gui.send("position startpos");
    gui.send("go depth 1");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn a_last_line_without_a_line_feed_is_executed() {
    let mut gui = Gui::ready();
    gui.send_bytes(b"isready");
    gui.end_input();
    gui.expect("readyok");
    gui.expect_end();
}
