//! Positions and the smaller commands.

use super::harness::{Gui, moves};

fn key(gui: &mut Gui) -> String {
    gui.send("key");
    gui.line()
}

#[test]
fn an_illegal_move_is_reported_with_the_reason_and_the_position_before_it_stays() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f 3c3d 7g7f 2g2f");
    let complaint = gui.expect_start("info string move 3 (7g7f) cannot be played: ");
    assert!(complaint.contains("there is no piece"), "{complaint}");
    let stands = key(&mut gui);
    gui.send("position startpos moves 7g7f 3c3d");
    assert_eq!(key(&mut gui), stands);
    gui.quit();
}

#[test]
fn results_for_another_position_never_answer_a_refused_position() {
    let mut gui = Gui::ready();
    for wrong in [
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f 3c3x",
        "posdiff 3c3d 8h2b++",
        "position sfen 9/9/9 b - 1",
        "position startpos moves7g7f",
        "position",
    ] {
        gui.send("position startpos moves 7g7f");
        gui.send(wrong);
        gui.expect_start("info string ");
        for (go, answer) in
            [("go movetime 10", "bestmove resign"), ("go mate 10", "checkmate timeout")]
        {
            gui.send(go);
            gui.expect_start("info string no search");
            gui.expect(answer);
        }
        gui.send("go infinite");
        gui.expect_start("info string no search");
        gui.expect_silence();
        gui.send("stop");
        gui.expect("bestmove resign");
        gui.expect_no_call();
        // A valid position ends the error.
        gui.send("position startpos moves 7g7f 3c3d");
        gui.send("go movetime 10");
        let search = gui.search();
        assert_eq!(search.request.position.history().collect::<Vec<_>>(), moves("7g7f 3c3d"));
        search.plays("2g2f");
        gui.expect_move("2g2f");
    }
    gui.quit();
}

#[test]
fn a_search_beyond_the_move_limit_reports_why_everything_is_a_draw() {
    let mut gui = Gui::ready();
    gui.send("setoption name MaxMovesToDraw value 2");
    let mut search = |line: &str, remark: Option<&str>| {
        gui.send(line);
        gui.send("go movetime 10");
        if let Some(remark) = remark {
            gui.expect(remark);
        }
        gui.search().plays("2g2f");
        gui.expect_move("2g2f");
    };
    search("position startpos", None);
    let remark = "info string by MaxMovesToDraw the game was a draw after 2 moves";
    search("position startpos moves 7g7f 3c3d", Some(remark));
    gui.quit();
}

#[test]
fn an_illegal_position_keeps_the_previous_one() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f");
    let before = key(&mut gui);
    for wrong in [
        "position sfen 9/9/9 b - 1 moves 7g7f",
        "position sfen 4k4/9/9/9/9/9/9/9/4KK3 b - 1",
        "position nonsense",
        "position sfen",
        "position",
    ] {
        gui.send(wrong);
        gui.expect_start("info string ");
        assert_eq!(key(&mut gui), before, "{wrong}");
    }
    gui.quit();
}

#[test]
fn a_move_that_cannot_be_read_is_reported_and_the_position_before_it_stays() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f oops 3c3d");
    gui.expect_start("info string ");
    let damaged = key(&mut gui);
    gui.send("position startpos moves 7g7f");
    assert_eq!(key(&mut gui), damaged);
    gui.quit();
}

#[test]
fn posdiff_continues_from_the_current_position() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f 3c3d 2g2f");
    let played = key(&mut gui);
    gui.send("position startpos moves 7g7f");
    gui.send("posdiff 3c3d 2g2f");
    assert_eq!(key(&mut gui), played);
    gui.send("posdiff 2g2f");
    gui.expect_start("info string move 1 (2g2f) cannot be played: ");
    assert_eq!(key(&mut gui), played);
    gui.quit();
}

#[test]
fn the_whole_history_reaches_the_search() {
    let mut gui = Gui::ready();
    let game = "7g7f 3c3d 8h7g 2b3c 7g8h 3c2b";
    gui.send(&format!("position startpos moves {game}"));
    gui.send("go infinite");
    assert_eq!(gui.search().request.position.history().collect::<Vec<_>>(), moves(game));
    gui.send("quit");
}

/// Regression: Ayane took the message that there is none for the moves.
#[test]
fn all_legal_moves_are_listed_on_one_line_and_none_on_an_empty_one() {
    let mut gui = Gui::ready();
    gui.send("moves");
    let line = gui.line();
    assert_eq!(line.split(' ').count(), 30);
    assert_eq!(moves(&line).len(), 30);
    gui.send("position sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1");
    gui.send("moves");
    gui.expect("");
    gui.quit();
}

/// Regression: Ayane took the error message about an unknown command for `white`, and told the engine
/// that moved first the clock of the other.
#[test]
fn the_side_to_move_is_printed_in_one_word() {
    let mut gui = Gui::ready();
    gui.send("side");
    gui.expect("black");
    gui.send("position startpos moves 7g7f");
    gui.send("side");
    gui.expect("white");
    gui.expect_silence();
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn the_board_is_shown_with_its_sfen_and_key() {
    let mut gui = Gui::ready();
    let key = key(&mut gui);
    gui.send("d");
    let lines = gui.settle();
    assert!(lines.len() > 11, "{lines:?}");
    let text = lines.join("\n");
    assert!(text.contains("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"));
    assert!(text.contains(&key), "{text}");
    gui.quit();
}

/// Regression: they looked like the board and the evaluation of the refused position.
#[test]
fn a_board_or_an_evaluation_after_a_refused_position_is_said_to_be_of_another() {
    let mut gui = Gui::ready();
    let warning = "info string the last position was refused; this is the last one that is valid";
    for wrong in ["position startpos moves 7g7f 7g7f", "position sfen 9/9/9 b - 1"] {
        gui.send(wrong);
        gui.expect_start("info string ");
        gui.send("d");
        assert_eq!(gui.settle()[0], warning, "{wrong}");
        gui.send("eval");
        gui.expect(warning);
        gui.expect_start("info string eval ");
        // Programs take the next line for the answer.
        gui.send("side");
        gui.expect("white");
    }
    gui.send("position startpos");
    gui.send("eval");
    gui.expect_start("info string eval ");
    gui.quit();
}

#[test]
fn help_lists_the_commands_and_starts_nothing() {
    let mut gui = Gui::ready();
    gui.send("help");
    let lines = gui.settle();
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
    assert!(lines.iter().any(|line| line == "info string d: show the board"), "{lines:?}");
    gui.send("help go mate");
    gui.expect_start("info string go mate 10000: ");
    gui.expect_silence();
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn perft_prints_the_count_of_each_move_and_the_total() {
    let mut gui = Gui::ready();
    gui.send("go perft 3");
    let mut sum = 0;
    for _ in 0..30 {
        let line = gui.line();
        let (mv, count) = line.split_once(": ").unwrap();
        assert_eq!(moves(mv).len(), 1);
        sum += count.parse::<u64>().unwrap();
    }
    assert_eq!(sum, 25_470);
    gui.expect_start("perft 25470 in ");
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn perft_can_be_stopped_and_does_not_block_a_search() {
    let mut gui = Gui::ready();
    gui.send("go perft 40");
    gui.send("isready");
    gui.expect("readyok");
    gui.send("go movetime 10");
    let search = gui.search();
    while !gui.line().ends_with("stopped before the end") {}
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn nothing_is_counted_where_the_position_is_not_known() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f 7g7f");
    gui.expect_start("info string ");
    gui.send("go perft 1");
    gui.expect("info string no search, because the last position was refused");
    gui.expect("perft 0 in 0 ms, stopped before the end");
    gui.expect_silence();
    gui.send("position startpos");
    gui.send("go perft 1");
    while !gui.line().starts_with("perft 30 in ") {}
    gui.quit();
}

#[test]
fn quit_does_not_wait_for_perft() {
    let mut gui = Gui::ready();
    gui.send("go perft 40");
    gui.send("quit");
    gui.expect_end();
}

#[test]
fn debug_on_adds_info_strings() {
    let mut gui = Gui::ready();
    gui.send("debug on");
    gui.send("go infinite");
    let search = gui.search();
    gui.expect_start("info string search 1 begins");
    gui.send("debug off");
    gui.send("stop");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_start("info depth ");
    gui.expect("bestmove 7g7f");
    gui.quit();
}

#[test]
fn a_registration_is_accepted() {
    let mut gui = Gui::ready();
    for line in ["register later", "register name A. N. Other code 4359874324"] {
        gui.send(line);
        gui.expect("registration checking");
        gui.expect("registration ok");
    }
    gui.quit();
}

#[test]
fn illegal_searchmoves_are_reported_and_ignored() {
    let mut gui = Gui::ready();
    gui.send("go searchmoves 7g7f 5e5d 2g2f movetime 10");
    gui.expect("info string searchmoves not legal here: 5e5d");
    let search = gui.search();
    assert_eq!(search.request.limits.search_moves, moves("7g7f 2g2f"));
    search.plays("7g7f");
    gui.expect_start("info depth ");
    gui.expect("bestmove 7g7f");
    gui.send("go movetime 10 searchmoves 5e5d");
    gui.expect("info string searchmoves not legal here: 5e5d, so all moves are searched");
    assert!(gui.search().request.limits.search_moves.is_empty());
    gui.send("quit");
}

/// Regression: one message said that all moves are searched, and the next that none is.
#[test]
fn searchmoves_are_not_checked_against_another_position_than_the_guis() {
    let mut gui = Gui::ready();
    gui.send("setoption name MaxMovesToDraw value 1");
    gui.send("position startpos moves 7g7f 3c3d 7g7f");
    gui.expect_start("info string move 3 (7g7f) cannot be played");
    gui.send("go movetime 10 searchmoves 7g7f");
    gui.expect("info string no search, because the last position was refused");
    gui.expect("bestmove resign");
    gui.quit();
}

#[test]
fn a_mate_search_says_that_it_tries_more_than_searchmoves() {
    let mut gui = Gui::ready();
    gui.send("go mate 1000 searchmoves 7g7f 5e5d");
    gui.expect("info string go mate tries all moves, not searchmoves alone");
    let search = gui.search();
    assert!(search.request.limits.mate.is_some());
    gui.send("quit");
}
