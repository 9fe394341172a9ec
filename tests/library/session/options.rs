//! Options that are set at various times of a session.

use kawasemi::engine::BookOptionSet;
use kawasemi::usi::options;

use super::harness::{Call, Gui};

#[test]
fn an_option_between_position_and_go_keeps_the_position() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f");
    gui.send("setoption name USI_MultiPV value 3");
    gui.send("go infinite");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 2);
    assert_eq!(search.request.options.multi_pv, 3);
    gui.send("quit");
}

/// Regression: it was shown as question marks.
#[test]
fn a_path_in_japanese_is_shown_as_it_is() {
    let mut gui = Gui::ready();
    gui.send("setoption name EvalFile value 将棋/nn.bin");
    gui.send("getoption EvalFile");
    gui.expect("info string EvalFile = 将棋/nn.bin");
    gui.send("position 金");
    gui.expect_start("info string position refused: '金' is not a board");
    gui.send("quit");
}

#[test]
fn an_option_while_searching_waits_for_the_next_search_and_blocks_nothing() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    gui.send("setoption name Threads value 3");
    gui.send("setoption name MultiPV value 2");
    gui.send("setoption name Hash value 3333");
    gui.expect_silence();
    gui.expect_no_call();
    gui.stop_search(&search, "7g7f");
    gui.send("go infinite");
    assert!(matches!(gui.call(), Call::Threads(3)));
    assert!(matches!(gui.call(), Call::Hash(3333)));
    assert_eq!(gui.search().request.options.multi_pv, 2);
    gui.send("quit");
}

#[test]
fn an_option_after_usinewgame_takes_effect() {
    let mut gui = Gui::ready();
    gui.send("usinewgame");
    gui.send("setoption name MultiPV value 2");
    gui.send("position startpos");
    gui.send("go infinite");
    assert_eq!(gui.search().request.options.multi_pv, 2);
    gui.send("quit");
}

#[test]
fn an_invalid_name_or_value_is_reported_and_changes_nothing() {
    let mut gui = Gui::ready();
    for line in [
        "setoption name MultiPV value 0",
        "setoption name MultiPV value many",
        "setoption name MultiPV",
        "setoption name MultiPV 3",
        "setoption name MultiVP value 3",
        "setoption name NoSuchThing value 1",
        "setoption",
    ] {
        gui.send(line);
        gui.expect_start("info string ");
    }
    gui.send("getoption multipv");
    gui.expect("info string MultiPV = 1");
    gui.quit();
}

#[test]
fn all_options_can_be_shown() {
    let mut gui = Gui::ready();
    gui.send("getoption");
    let mut all = Vec::new();
    while all.len() < options::declared(BookOptionSet::V1).count() {
        all.push(gui.expect_start("info string "));
    }
    assert!(all.iter().any(|line| line == "info string MultiPV = 1"), "{all:?}");
    gui.send("getoption NoSuchThing");
    gui.expect("info string no option is called \"NoSuchThing\"");
    gui.quit();
}

#[test]
fn an_option_is_explained_with_its_declaration_and_its_current_value() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 3");
    gui.send("help usi_multipv");
    gui.expect("info string MultiPV (or USI_MultiPV): Number of candidate moves to show.");
    gui.expect("info string values: 1 to 600; default: 1; now: 3");
    gui.send("help NoSuchThing");
    gui.expect("info string no command and no option is called \"NoSuchThing\"");
    gui.quit();
}

/// Regression: the message began with `no command and option`.
#[test]
fn help_on_an_option_of_the_other_book_options_says_so_in_one_sentence() {
    let mut gui = Gui::ready();
    gui.send("help BookEvalBlackDiff");
    gui.expect_start(
        "info string option BookEvalBlackDiff is one of version 2 of the book options; ",
    );
    gui.quit();
}

/// Regression: only `setoption` suggested the option that was probably meant.
#[test]
fn a_similar_option_name_is_suggested_in_every_command() {
    let mut gui = Gui::ready();
    for (command, beginning) in
        [("setoption name", "no"), ("getoption", "no"), ("help", "no command and no")]
    {
        gui.send(&format!("{command} Thread"));
        let words = "option is called \"Thread\"; did you mean Threads?";
        gui.expect(&format!("info string {beginning} {words}"));
    }
    gui.quit();
}
