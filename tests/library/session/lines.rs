//! The lines that the GUI gets during a search and at its end.

use std::time::Duration;

use kawasemi::search::request::{Answer, PvEnding, PvLine, Report};

use super::harness::{Gui, moves, variation};

#[test]
fn the_lines_of_an_iteration_come_together_sorted_and_different() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 4");
    gui.send("go infinite");
    let search = gui.search();
    assert_eq!(search.request.options.multi_pv, 4);
    search.reports(&[
        variation(1, 10, "7g7f 3c3d"),
        variation(2, 50, "2g2f 8c8d"),
        variation(3, 30, "7g7f 8c8d"),
        variation(4, -20, "9g9f"),
    ]);
    let lines = gui.lines_at_once();
    let pvs: Vec<&str> = lines.iter().map(|line| line.split(" pv ").nth(1).unwrap()).collect();
    assert_eq!(pvs, ["2g2f 8c8d", "7g7f 8c8d", "9g9f"]);
    for (rank, line) in lines.iter().enumerate() {
        assert!(line.contains(&format!(" multipv {} ", rank + 1)), "{line}");
    }
    gui.send("quit");
}

#[test]
fn the_line_directly_before_the_answer_begins_with_it_and_is_complete() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 2");
    gui.send("go infinite");
    let search = gui.search();
    search.reports(&[variation(1, 50, "2g2f 8c8d"), variation(2, 30, "7g7f 3c3d")]);
    gui.lines_at_once();
    gui.send("stop");
    search.plays("7g7f");
    gui.expect(
        "info depth 4 seldepth 6 multipv 1 score cp 30 time 20 nodes 400 nps 20000 hashfull 5 \
         pv 7g7f 3c3d",
    );
    gui.expect("bestmove 7g7f ponder 3c3d");
    gui.quit();
}

#[test]
fn an_answer_without_a_report_gets_a_line_without_a_score() {
    let mut gui = Gui::ready();
    gui.send("go movetime 1");
    gui.search().plays("7g7f 3c3d");
    gui.expect(
        "info depth 1 seldepth 1 multipv 1 time 20 nodes 400 nps 20000 hashfull 0 pv 7g7f 3c3d",
    );
    gui.expect("bestmove 7g7f ponder 3c3d");
    gui.quit();
}

#[test]
fn a_line_already_complete_is_not_repeated() {
    let mut gui = Gui::ready();
    gui.send("go movetime 1");
    let search = gui.search();
    // A later end of the search gives no new line.
    search.reports(&[PvLine { nodes: 400, ..variation(1, 9, "7g7f 3c3d") }]);
    search.plays("7g7f");
    gui.expect_move("7g7f ponder 3c3d");
    gui.quit();
}

#[test]
fn lines_that_the_end_of_a_search_repeats_are_not_sent_again() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 2");
    gui.send("go depth 4");
    let search = gui.search();
    let mut lines = [variation(1, 50, "2g2f 8c8d"), variation(2, 30, "7g7f 3c3d")];
    search.reports(&lines);
    assert_eq!(gui.lines_at_once().len(), 2);
    lines.iter_mut().for_each(|line| line.elapsed += Duration::from_millis(2));
    search.reports(&lines);
    search.plays("2g2f");
    // The best line is repeated, because another line was sent last.
    gui.expect_move("2g2f ponder 8c8d");
    gui.quit();
}

/// Regression: on a busy machine other threads ran in between, and only the answer was late.
#[test]
fn the_last_lines_and_the_answer_are_written_at_once() {
    let mut gui = Gui::ready();
    let answer = Answer::Move { best: moves("7g7f")[0], ponder: None };
    let lines = vec![PvLine { nodes: 400, ..variation(1, 9, "7g7f 3c3d") }];
    gui.send("go movetime 1");
    gui.search().done_with(answer.clone(), lines.clone());
    let sent = gui.lines_at_once();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(sent[0].starts_with("info depth 4 ") && sent[0].ends_with(" pv 7g7f 3c3d"), "{sent:?}");
    assert_eq!(sent[1], "bestmove 7g7f ponder 3c3d");
    // They are sent at once if the answer has to wait.
    gui.send("go infinite");
    gui.search().done_with(answer, lines);
    gui.expect_start("info depth 4 ");
    gui.expect_silence();
    gui.send("stop");
    gui.expect_move("7g7f ponder 3c3d");
    gui.quit();
}

#[test]
fn a_variation_is_cut_before_a_move_that_cannot_be_played() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    search.reports(&[variation(1, 0, "7g7f 3c3d 7g7f 8c8d")]);
    assert!(gui.line().ends_with(" pv 7g7f 3c3d"));
    gui.send("quit");
}

#[test]
fn the_ending_of_a_line_is_shown_only_with_its_option() {
    let ended = PvLine { ending: Some(PvEnding::RepetitionDraw), ..variation(1, 0, "7g7f 3c3d") };
    let mut gui = Gui::ready();
    for (option, end) in [("false", " pv 7g7f 3c3d"), ("true", " pv 7g7f 3c3d rep_draw")] {
        gui.send(&format!("setoption name ConsiderationMode value {option}"));
        gui.send("go infinite");
        let search = gui.search();
        search.reports(std::slice::from_ref(&ended));
        assert!(gui.line().ends_with(end));
        gui.send("stop");
        gui.expect_stop();
        search.plays("7g7f");
        assert!(gui.line().ends_with(end));
        gui.expect("bestmove 7g7f ponder 3c3d");
    }
    gui.quit();
}

#[test]
fn details_of_the_search_are_shown_as_they_arrive() {
    let mut gui = Gui::ready();
    gui.send("setoption name USI_ShowCurrLine value true");
    gui.send("setoption name USI_ShowRefutations value true");
    gui.send("go infinite");
    let search = gui.search();
    let options = &search.request.options;
    assert!(options.show_current_line && options.show_refutations);
    let mv = moves("7g7f")[0];
    search.report(Report::CurrentMove { depth: 5, mv, number: 1 });
    search.report(Report::CurrentLine(moves("7g7f 3c3d")));
    search.report(Report::Refutation(moves("9g9f 3c3d")));
    search.report(Report::Error("a worker failed".into()));
    gui.expect("info depth 5 currmove 7g7f currmovenumber 1");
    gui.expect("info currline 7g7f 3c3d");
    gui.expect("info refutation 9g9f 3c3d");
    gui.expect("info string error: a worker failed");
    gui.send("quit");
}
