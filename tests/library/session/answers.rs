//! Exactly one answer to each `go`, for the current position.

use std::time::Duration;

use kawasemi::mate::{INFINITE, SolverProgress};
use kawasemi::search::request::{Answer, MateAnswer, MateLimit, Report};
use kawasemi::types::ByColor;

use super::harness::{Gui, moves};

/// Black mates by a gold on 5b.
const MATE_IN_ONE: &str = "position sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
/// White, to move, is mated.
const MATED: &str = "position sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1";

#[test]
fn a_go_is_answered_by_exactly_one_bestmove() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f");
    gui.send("go btime 60000 wtime 60000 byoyomi 1000");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 2);
    search.plays("3c3d 2g2f");
    gui.expect_start("info depth 1 ");
    gui.expect("bestmove 3c3d ponder 2g2f");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_stop_is_answered_once_and_a_second_one_is_silent() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    gui.send("stop");
    gui.expect_stop();
    gui.send("stop");
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.send("stop");
    gui.expect_silence();
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn stop_ponderhit_and_gameover_are_silent_while_idle() {
    let mut gui = Gui::ready();
    for line in ["stop", "ponderhit", "ponderhit btime 1000 wtime 1000", "gameover", "gameover win"]
    {
        gui.send(line);
        gui.expect_silence();
    }
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn a_go_without_position_searches_the_start_position() {
    let mut gui = Gui::ready();
    gui.send("go depth 1");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 1);
    assert_eq!(search.request.position.legal_moves().len(), 30);
    assert_eq!(search.request.limits.depth, Some(1));
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn an_infinite_search_that_has_its_result_waits_for_the_stop() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    search.plays("7g7f");
    gui.expect_silence();
    gui.send("isready");
    gui.expect("readyok");
    gui.send("stop");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn a_second_go_ends_the_first_which_is_answered_first() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let first = gui.search();
    gui.send("position startpos moves 7g7f");
    gui.send("go infinite");
    gui.expect_stop();
    gui.expect_silence();
    gui.expect_no_call();
    first.plays("2g2f");
    gui.expect_move("2g2f");
    let second = gui.search();
    assert_eq!(second.request.position.game_ply(), 2);
    gui.stop_search(&second, "8c8d");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_second_go_releases_a_result_that_is_held() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    gui.search().plays("2g2f");
    gui.expect_silence();
    gui.send("go infinite");
    gui.expect_move("2g2f");
    gui.search();
    gui.send("quit");
}

#[test]
fn each_of_many_goes_in_a_row_is_answered_once_in_order() {
    let mut gui = Gui::ready();
    let line = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d";
    for played in 0..7 {
        let played = line.split(' ').take(played).collect::<Vec<_>>().join(" ");
        gui.send(&format!("position startpos moves {played}"));
        gui.send("go infinite");
    }
    for (index, answer) in line.split(' ').take(6).enumerate() {
        let search = gui.search();
        assert_eq!(search.request.position.game_ply() as usize, index + 1);
        gui.expect_stop();
        search.plays(answer);
        gui.expect_move(answer);
    }
    let last = gui.search();
    gui.expect_silence();
    gui.expect_no_call();
    gui.stop_search(&last, "2e2d");
    gui.quit();
}

#[test]
fn events_of_an_older_search_are_dropped() {
    let mut gui = Gui::ready();
    gui.send("go movetime 100");
    let old = gui.search();
    old.plays("7g7f");
    gui.expect_move("7g7f");
    gui.send("go movetime 100");
    let new = gui.search();
    old.report(Report::Error("too late".into()));
    old.plays("9g9f");
    new.plays("2g2f");
    gui.expect_move("2g2f");
    gui.quit();
}

#[test]
fn a_position_that_comes_while_searching_is_for_the_next_go() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    gui.send("position startpos moves 7g7f");
    gui.send("stop");
    gui.expect_stop();
    search.plays("7g7f 3c3d");
    gui.expect_move("7g7f ponder 3c3d");
    gui.send("go infinite");
    assert_eq!(gui.search().request.position.game_ply(), 2);
    gui.send("quit");
}

#[test]
fn gameover_ends_a_search_like_a_stop() {
    let mut gui = Gui::ready();
    gui.send("go btime 1000 wtime 1000");
    let search = gui.search();
    gui.send("gameover lose");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn resignation_and_declaration_are_answers_too() {
    let mut gui = Gui::ready();
    for (answer, text) in
        [(Answer::Resign, "bestmove resign"), (Answer::DeclareWin, "bestmove win")]
    {
        gui.send("go movetime 10");
        gui.search().done(answer);
        gui.expect(text);
        gui.expect_silence();
    }
    gui.quit();
}

#[test]
fn an_answer_that_cannot_be_played_is_replaced_and_that_is_reported() {
    let mut gui = Gui::ready();
    gui.send("go movetime 10 searchmoves 9g9f");
    gui.search().plays("5e5d");
    gui.expect_start("info string the search gave no usable answer");
    gui.expect_start("info depth 1 ");
    gui.expect("bestmove 9g9f");
    gui.quit();
}

#[test]
fn a_mate_search_is_answered_by_checkmate_only() {
    let mut gui = Gui::ready();
    gui.send(MATE_IN_ONE);
    for (answer, text) in [
        (MateAnswer::Mate(moves("G*5b")), "checkmate G*5b"),
        (MateAnswer::NoMate, "checkmate nomate"),
        (MateAnswer::Unknown, "checkmate timeout"),
    ] {
        gui.send("go mate 5000");
        let search = gui.search();
        assert!(matches!(search.request.limits.mate, Some(MateLimit::Time(_))));
        search.done(Answer::Mate(answer));
        gui.expect(text);
        gui.expect_silence();
    }
    gui.quit();
}

#[test]
fn a_mate_search_reports_progress_before_its_answer_only() {
    let mut gui = Gui::ready();
    gui.send(MATE_IN_ONE);
    gui.send("go mate infinite");
    let search = gui.search();
    let report = || Report::Mate {
        progress: SolverProgress {
            nodes: 2,
            depth: 1,
            pn: 0,
            dn: INFINITE,
            hashfull_permille: 0,
            mate: moves("G*5b"),
            line: Vec::new(),
        },
        elapsed: Duration::from_millis(10),
    };
    search.report(report());
    search.done(Answer::Mate(MateAnswer::Mate(moves("G*5b"))));
    gui.expect("info string pn 0 dn infinite");
    gui.expect("info depth 1 seldepth 1 score mate 1 time 10 nodes 2 nps 200 hashfull 0 pv G*5b");
    gui.expect("checkmate G*5b");
    search.report(report());
    gui.expect_silence();
    gui.quit();
}

/// Regression: where the defender was to move in the middle of a mate, the message said only that
/// there is no mate.
#[test]
fn a_mate_search_with_the_defender_to_move_reports_for_which_side_it_searched() {
    let mut gui = Gui::ready();
    gui.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1 moves S*6b");
    for (answer, text) in
        [(MateAnswer::NoMate, "checkmate nomate"), (MateAnswer::Unknown, "checkmate timeout")]
    {
        gui.send("go mate 5000");
        gui.search().done(Answer::Mate(answer.clone()));
        if answer == MateAnswer::NoMate {
            gui.expect_start("info string the side to move has no mate; ");
        }
        gui.expect(text);
        gui.expect_silence();
    }
    gui.quit();
}

#[test]
fn an_unlimited_mate_search_answers_as_soon_as_it_is_decided() {
    let mut gui = Gui::ready();
    gui.send(MATE_IN_ONE);
    for line in ["go mate infinite", "go mate", "go infinite mate", "go nodes 100 mate infinite"] {
        gui.send(line);
        gui.search().done(Answer::Mate(MateAnswer::Mate(moves("G*5b"))));
        gui.expect("checkmate G*5b");
    }
    gui.quit();
}

#[test]
fn a_mate_search_that_is_stopped_has_timed_out() {
    let mut gui = Gui::ready();
    gui.send("go mate infinite");
    let search = gui.search();
    gui.send("stop");
    gui.expect_stop();
    // Whatever the backend answers.
    search.plays("7g7f");
    gui.expect("checkmate timeout");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_false_mate_is_not_passed_on() {
    let mut gui = Gui::ready();
    gui.send(MATE_IN_ONE);
    gui.send("go mate 5000");
    gui.search().done(Answer::Mate(MateAnswer::Mate(moves("G*6b"))));
    gui.expect_start("info string the search reported a false mate");
    gui.expect("checkmate timeout");
    gui.quit();
}

#[test]
fn a_mated_side_has_no_mate() {
    let mut gui = Gui::ready();
    gui.send(MATED);
    gui.send("go mate 5000");
    gui.search().done(Answer::Resign);
    gui.expect("checkmate nomate");
    gui.send("go movetime 10");
    gui.search().done(Answer::Resign);
    gui.expect("bestmove resign");
    gui.quit();
}

#[test]
fn a_go_without_limits_gets_two_seconds() {
    let mut gui = Gui::ready();
    gui.send("go");
    let search = gui.search();
    let clock = search.request.limits.clock.unwrap();
    assert_eq!(clock.time, ByColor([Duration::ZERO; 2]));
    assert_eq!(clock.byoyomi, ByColor([Duration::from_secs(2); 2]));
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}
