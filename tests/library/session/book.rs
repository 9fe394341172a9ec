//! The opening book: when it answers, what the GUI is sent, and what is searched nevertheless.

use kawasemi::search::request::{Answer, MateAnswer};

use super::harness::Gui;
use crate::folder::Folder;

const BOOK: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 52 32 2
2g2f none 40 32 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f -50 32 1
";
const CLOCK: &str = "go btime 60000 wtime 60000 byoyomi 1000";

/// A session with this book; its first move is always chosen.
fn with_book(folder: &Folder) -> Gui {
    folder.write("a.db", BOOK);
    let mut gui = Gui::start();
    gui.set("BookDir", &folder.path(""));
    gui.set("BookFile", "a.db");
    gui.set("BookEvalDiff", "5");
    gui.send("isready");
    gui.expect_start("info string book: \"");
    gui.expect("readyok");
    gui.forget_calls();
    gui
}

#[track_caller]
fn expect_candidates(gui: &mut Gui) {
    gui.expect_start("info string book: 7g7f, of 2 moves in \"");
    gui.expect("info depth 32 multipv 1 score cp 52 pv 7g7f 3c3d");
    gui.expect("info depth 32 multipv 2 score cp 40 pv 2g2f");
}

#[track_caller]
fn expect_answer(gui: &mut Gui) {
    gui.expect("info depth 32 multipv 1 score cp 52 pv 7g7f 3c3d");
    gui.expect("bestmove 7g7f ponder 3c3d");
    gui.expect_silence();
    gui.expect_no_call();
}

#[test]
fn all_candidates_are_shown_and_one_is_played_without_a_search() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    for _ in 0..2 {
        gui.send("position startpos");
        gui.send(CLOCK);
        expect_candidates(&mut gui);
        expect_answer(&mut gui);
    }
    gui.send("position startpos moves 7g7f");
    gui.send("go nodes 100");
    gui.expect_start("info string book: 3c3d, of 1 move in \"");
    gui.expect("info depth 32 multipv 1 score cp -50 pv 3c3d 2g2f");
    gui.expect("bestmove 3c3d ponder 2g2f");
    gui.quit();
}

#[test]
fn a_reply_that_is_not_shown_is_pondered_on() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.set("BookPvMoves", "1");
    gui.send(CLOCK);
    gui.expect_start("info string book: 7g7f, of 2 moves in \"");
    gui.expect("info depth 32 multipv 1 score cp 52 pv 7g7f");
    gui.expect("info depth 32 multipv 2 score cp 40 pv 2g2f");
    gui.expect("info depth 32 multipv 1 score cp 52 pv 7g7f");
    gui.expect("bestmove 7g7f ponder 3c3d");
    gui.quit();
}

#[test]
fn an_unknown_position_is_searched() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.send("position startpos moves 9g9f");
    gui.send(CLOCK);
    gui.search().plays("3c3d");
    gui.expect_move("3c3d");
    gui.quit();
}

#[test]
fn go_infinite_searches_although_the_book_has_the_position() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.send("go infinite");
    let search = gui.search();
    gui.stop_search(&search, "9g9f");
    gui.quit();
}

#[test]
fn while_pondering_the_answer_waits_for_the_hit_or_the_stop() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    for end in ["ponderhit", "stop"] {
        gui.send("go ponder btime 60000 wtime 60000 byoyomi 1000");
        expect_candidates(&mut gui);
        gui.expect_silence();
        gui.send(end);
        expect_answer(&mut gui);
    }
    gui.quit();
}

#[test]
fn a_new_go_ends_one_that_waits_with_its_answer() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.send("go ponder byoyomi 1000");
    expect_candidates(&mut gui);
    gui.send("go ponder byoyomi 1000");
    gui.expect("info depth 32 multipv 1 score cp 52 pv 7g7f 3c3d");
    gui.expect("bestmove 7g7f ponder 3c3d");
    expect_candidates(&mut gui);
    gui.send("gameover win");
    expect_answer(&mut gui);
    gui.quit();
}

#[test]
fn the_book_is_not_used_where_an_option_excludes_it() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    for (option, value, default) in [
        ("USI_OwnBook", "false", "true"),
        ("BookFile", "no_book", "a.db"),
        ("USI_AnalyseMode", "true", "false"),
        ("BookMoves", "0", "16"),
        ("BookIgnoreRate", "100", "0"),
        ("BookDepthLimit", "33", "16"),
        ("BookEvalBlackLimit", "53", "0"),
    ] {
        gui.set(option, value);
        gui.send(CLOCK);
        gui.search().plays("9g9f");
        gui.expect_move("9g9f");
        gui.set(option, default);
        gui.send("isready");
        while gui.line() != "readyok" {}
        gui.forget_calls();
    }
    gui.send("go mate infinite");
    gui.search().done(Answer::Mate(MateAnswer::NoMate));
    gui.expect("checkmate nomate");
    gui.quit();
}

#[test]
fn dan_levels_use_the_book_and_kyu_levels_do_not() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.set("USI_LimitStrength", "true");
    gui.set("USI_Strength", "-1");
    gui.send(CLOCK);
    gui.search().plays("9g9f");
    gui.expect_move("9g9f");
    gui.set("USI_Strength", "1");
    gui.send(CLOCK);
    expect_candidates(&mut gui);
    expect_answer(&mut gui);
    gui.quit();
}

#[test]
fn only_searchmoves_are_played() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.send("go searchmoves 2g2f 9g9f byoyomi 1000");
    gui.expect_start("info string book: 2g2f, of 1 move");
    gui.expect("info depth 32 multipv 1 score cp 40 pv 2g2f");
    gui.expect("bestmove 2g2f");
    gui.send("go searchmoves 9g9f byoyomi 1000");
    gui.search().plays("9g9f");
    gui.expect_move("9g9f");
    gui.quit();
}

#[test]
fn stochastic_ponder_probes_the_book_at_the_ponderhit() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    gui.set("Stochastic_Ponder", "true");
    gui.send("position startpos moves 7g7f");
    gui.send("go ponder btime 60000 wtime 60000 byoyomi 1000");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 1);
    gui.send("ponderhit");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_start("info string book: 3c3d, of 1 move");
    gui.expect_move("3c3d ponder 2g2f");
    gui.quit();
}

#[test]
fn a_book_that_cannot_be_used_is_reported_and_the_game_continues() {
    let folder = Folder::new();
    let mut gui = with_book(&folder);
    folder.write("bad.db", b"sfen nonsense\n");
    for (file, reason) in [("bad.db", "cannot be used: line 1: "), ("none.db", "there is no ")] {
        gui.set("BookFile", file);
        gui.send("isready");
        let message = gui.expect_start("info string error: ");
        assert!(message.contains(reason), "{message}");
        gui.expect("info string continuing without an opening book");
        gui.expect("readyok");
        gui.forget_calls();
        gui.send(CLOCK);
        gui.search().plays("9g9f");
        gui.expect_move("9g9f");
    }
    gui.quit();
}
