//! What the session measures of its own delays, and plans the next moves with.

use std::time::{Duration, Instant};

use kawasemi::search::request::{Answer, Report, SearchOutcome};
use kawasemi::types::Color;

use super::harness::{Gui, Search, moves};

const GO: &str = "go btime 60000 wtime 60000 byoyomi 1000";
/// Much more than anything takes on a quiet machine; on a busy one the session may measure more.
const LATE: Duration = Duration::from_millis(700);

/// Answers a search that the clock was to end this long ago.
fn plays_late(search: &Search, late: Duration) {
    let answer = Answer::Move { best: moves("7g7f")[0], ponder: None };
    let planned_end = Instant::now().checked_sub(late);
    let (lines, elapsed) = (Vec::new(), Duration::from_millis(20));
    search.report(Report::Done(SearchOutcome { answer, lines, nodes: 400, elapsed, planned_end }));
}

#[test]
fn after_a_late_answer_the_next_moves_end_earlier() {
    let mut gui = Gui::ready();
    gui.send(GO);
    plays_late(&gui.search(), LATE);
    gui.expect_move("7g7f");
    for go in [GO, "go ponder", "go movetime 100"] {
        gui.send(go);
        let search = gui.search();
        assert!(search.request.options.time.lateness >= LATE, "{go}");
        gui.stop_search(&search, "7g7f");
    }
    gui.quit();
}

#[test]
fn the_stop_of_a_ponder_miss_is_subtracted_from_the_next_clock() {
    for (line, is_charged) in [("getoption PvInterval", true), ("usinewgame", false)] {
        let mut gui = Gui::ready();
        gui.send("go ponder");
        let search = gui.search();
        gui.stop_search(&search, "2g2f");
        gui.send(line);
        gui.settle();
        gui.forget_calls();
        gui.send(GO);
        // A new game clears the backend first.
        let time = gui.search_after_preparation().request.limits.clock.unwrap().time;
        let full = Duration::from_secs(60);
        assert_eq!(time[Color::Black] < full, is_charged, "{time:?}");
        assert_eq!(time[Color::White], full);
        gui.send("quit");
    }
}
