//! Pondering: no answer before the ponder hit or the stop.

use std::time::Duration;

use kawasemi::search::request::{Clock, Report};
use kawasemi::types::{ByColor, Color};

use super::harness::{Gui, moves, variation};

const PONDER: &str = "go ponder btime 60000 wtime 50000 byoyomi 1000";

/// A GUI that has started pondering on 3c3d.
fn pondering(line: &str) -> (Gui, super::harness::Search) {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f 3c3d");
    gui.send(line);
    let search = gui.search();
    assert!(search.request.limits.ponder);
    (gui, search)
}

#[test]
fn a_pondering_search_is_answered_after_the_ponderhit() {
    let (mut gui, search) = pondering(PONDER);
    gui.expect_silence();
    gui.send("ponderhit");
    assert_eq!(gui.ponder_hit(), None);
    gui.expect_silence();
    search.plays("2g2f 8c8d");
    gui.expect_move("2g2f ponder 8c8d");
    gui.quit();
}

#[test]
fn a_stop_while_pondering_is_answered_once() {
    let (mut gui, search) = pondering(PONDER);
    gui.stop_search(&search, "2g2f");
    gui.send("ponderhit");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_ponderhit_passes_its_clocks_to_the_search() {
    let (mut gui, _search) = pondering("go ponder");
    gui.send("ponderhit btime 30000 wtime 20000 binc 500 winc 400");
    let clock = gui.ponder_hit().unwrap();
    assert_eq!(clock.time, ByColor([Duration::from_secs(30), Duration::from_secs(20)]));
    assert_eq!(clock.increment[Color::White], Duration::from_millis(400));
    gui.send("quit");
}

/// Regression: it ended the search at once, whatever other limits there were.
#[test]
fn a_ponderhit_with_zero_clocks_keeps_the_other_limits_of_the_search() {
    for limit in ["nodes 5000", "depth 9", "btime 0 wtime 0 nodes 5000"] {
        let (mut gui, search) = pondering(&format!("go ponder {limit}"));
        assert_eq!(search.request.limits.clock, None);
        gui.send("ponderhit btime 0 wtime 0");
        assert_eq!(gui.ponder_hit(), None, "{limit}");
        search.plays("2g2f");
        gui.expect_move("2g2f");
        // Nor is it the clock of the game.
        gui.send("go");
        assert!(!gui.search().request.limits.clock.unwrap().is_zero(), "{limit}");
        gui.send("quit");
    }
    let (mut gui, _search) = pondering(PONDER);
    gui.send("ponderhit btime 0 wtime 0");
    assert_eq!(gui.ponder_hit(), Some(Clock::default()), "the time is up");
    gui.send("quit");
}

#[test]
fn a_ponderhit_without_any_clock_gets_two_seconds() {
    let (mut gui, search) = pondering("go ponder");
    let clock = search.request.limits.clock.unwrap();
    assert_eq!(clock.byoyomi, ByColor([Duration::from_secs(2); 2]));
    gui.send("ponderhit");
    assert_eq!(gui.ponder_hit(), None);
    search.plays("2g2f");
    gui.expect_move("2g2f");
    gui.quit();
}

#[test]
fn a_bare_ponder_continues_by_the_clock_of_the_game() {
    let mut gui = Gui::ready();
    gui.send("go btime 60000 wtime 50000 byoyomi 1000");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.send("position startpos moves 7g7f 3c3d");
    gui.send("go ponder");
    let clock = gui.search().request.limits.clock.unwrap();
    assert_eq!(clock.time[Color::White], Duration::from_secs(50));
    assert!(clock.time[Color::Black] <= Duration::from_secs(60));
    assert!(clock.time[Color::Black] > Duration::from_secs(20));
    assert_eq!(clock.byoyomi[Color::Black], Duration::from_secs(1));
    gui.send("quit");
}

/// Regression: the clock of the ponder hit was stored after the time of the answer had been subtracted
/// from the earlier clock.
#[test]
fn the_delay_of_a_held_answer_counts_for_the_clock_of_its_ponderhit() {
    let (mut gui, search) = pondering("go ponder");
    search.plays("2g2f");
    gui.expect_silence();
    gui.send("ponderhit btime 30000 wtime 20000 binc 20000 winc 20000");
    gui.expect_move("2g2f");
    gui.send("go ponder");
    let clock = gui.search().request.limits.clock.unwrap();
    // The answer took no time and got the increment.
    assert!(clock.time[Color::Black] > Duration::from_secs(30));
    assert_eq!(clock.time[Color::White], Duration::from_secs(20));
    gui.send("quit");
}

#[test]
fn gameover_ends_pondering_with_one_late_bestmove() {
    let (mut gui, search) = pondering(PONDER);
    gui.send("gameover win");
    gui.expect_stop();
    gui.send("stop");
    gui.send("isready");
    gui.expect_silence();
    search.plays("2g2f");
    gui.expect_move("2g2f");
    gui.expect("readyok");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_ponderhit_of_a_plain_search_does_nothing() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    gui.send("ponderhit");
    gui.expect_silence();
    gui.expect_no_call();
    search.plays("7g7f");
    gui.expect_silence();
    gui.send("stop");
    gui.expect_move("7g7f");
    gui.quit();
}

/// A GUI that ponders on 3c3d while the engine searches the position before that move.
fn pondering_stochastically() -> (Gui, super::harness::Search) {
    let mut gui = Gui::ready();
    gui.send("setoption name Stochastic_Ponder value true");
    gui.send("position startpos moves 7g7f 3c3d");
    gui.send(PONDER);
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 2);
    assert!(search.request.limits.ponder);
    (gui, search)
}

#[test]
fn stochastic_ponder_shows_no_moves_of_the_other_position() {
    let (mut gui, search) = pondering_stochastically();
    search.report(Report::CurrentMove { depth: 4, mv: moves("8c8d")[0], number: 1 });
    search.report(Report::CurrentLine(moves("8c8d 2g2f")));
    search.report(Report::Refutation(moves("9c9d 2g2f")));
    search.reports(&[variation(1, 40, "8c8d 2g2f")]);
    gui.expect("info depth 4 seldepth 6 time 10 nodes 300 nps 30000 hashfull 5");
    gui.send("quit");
}

#[test]
fn a_ponderhit_restarts_stochastic_ponder_without_output() {
    let (mut gui, other) = pondering_stochastically();
    gui.send("ponderhit btime 30000 wtime 20000 byoyomi 2000");
    gui.expect_stop();
    other.reports(&[variation(1, 40, "8c8d 2g2f")]);
    other.plays("8c8d");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 3);
    assert!(!search.request.limits.ponder);
    assert_eq!(search.request.limits.clock.unwrap().time[Color::Black], Duration::from_secs(30));
    gui.expect_silence();
    search.plays("2g2f");
    gui.expect_move("2g2f");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_ponderhit_restarts_stochastic_ponder_that_has_a_result() {
    let (mut gui, other) = pondering_stochastically();
    other.plays("8c8d");
    gui.expect_silence();
    gui.send("ponderhit");
    let search = gui.search();
    assert_eq!(search.request.position.game_ply(), 3);
    search.plays("2g2f");
    gui.expect_move("2g2f");
    gui.quit();
}
