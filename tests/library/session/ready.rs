//! `usi`, `isready`, `usinewgame` and slow calls; the end of the session.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::unbounded;
use kawasemi::usi::SessionTimeouts;

use super::harness::{Call, Gui, PATIENCE, QUIT, variation, whole_output};
use crate::channel_io::ChannelWriter;

fn introduction(gui: &mut Gui) -> Vec<String> {
    gui.send("usi");
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line| line != "usiok") {
        lines.push(gui.line());
    }
    lines
}

#[test]
fn usi_is_answered_with_the_name_and_the_options() {
    let mut gui = Gui::start();
    let lines = introduction(&mut gui);
    assert!(lines[0].starts_with("id name Kawasemi "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name USI_Hash type spin ")));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn usi_is_answered_at_any_time_and_repeatedly() {
    let mut gui = Gui::start();
    let first = introduction(&mut gui);
    gui.send("isready");
    gui.expect("readyok");
    gui.forget_calls();
    gui.send("setoption name MultiPV value 4");
    gui.send("go infinite");
    gui.search();
    assert_eq!(introduction(&mut gui), first);
    gui.expect_no_call();
    gui.send("quit");
}

#[test]
fn readyok_follows_the_preparation_with_blank_lines_meanwhile() {
    let mut gui = Gui::gated();
    gui.send("isready");
    assert!(matches!(gui.call(), Call::Threads(_)));
    for _ in 0..3 {
        gui.expect("");
    }
    gui.let_work(1);
    assert!(matches!(gui.call(), Call::Hash(_)));
    gui.expect("");
    gui.let_work(1);
    while gui.line() != "readyok" {}
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_session_reads_every_command_during_the_preparation() {
    let mut gui = Gui::gated();
    gui.send("isready");
    gui.call();
    let mut lines = introduction(&mut gui);
    lines.retain(|line| !line.is_empty());
    assert!(lines[0].starts_with("id name "));
    gui.send("setoption name MultiPV value 3");
    gui.send("usinewgame");
    gui.send("position startpos");
    gui.send("go infinite");
    gui.send("stop");
    gui.let_work(2);
    gui.call();
    let search = gui.search();
    assert_eq!(search.request.options.multi_pv, 3);
    gui.expect_stop();
    search.plays("7g7f");
    let mut answers: Vec<String> = Vec::new();
    while answers.last().is_none_or(|line| !line.starts_with("bestmove")) {
        answers.push(gui.line());
    }
    answers.retain(|line| !line.is_empty() && !line.starts_with("info "));
    assert_eq!(answers, ["readyok", "bestmove 7g7f"]);
    gui.quit();
}

#[test]
fn each_isready_has_its_readyok() {
    let mut gui = Gui::gated();
    gui.send("isready");
    gui.send("isready");
    gui.send("isready");
    gui.let_work(2);
    let mut count = 0;
    while count < 3 {
        match gui.line().as_str() {
            "readyok" => count += 1,
            line => assert_eq!(line, ""),
        }
    }
    gui.send("isready");
    gui.expect("readyok");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn a_setting_that_changes_during_the_preparation_is_included() {
    let mut gui = Gui::gated();
    gui.send("isready");
    gui.call();
    gui.send("setoption name USI_Hash value 5");
    gui.settle();
    gui.let_work(3);
    while gui.line() != "readyok" {}
    assert!(matches!(gui.call(), Call::Hash(_)));
    assert!(matches!(gui.call(), Call::Hash(5)));
    gui.expect_silence();
    gui.quit();
}

#[test]
fn isready_while_searching_is_answered_at_once_and_does_not_affect_the_search() {
    let mut gui = Gui::ready();
    gui.send("setoption name USI_Hash value 77");
    gui.send("go infinite");
    assert!(matches!(gui.call(), Call::Hash(77)));
    let search = gui.search();
    gui.send("setoption name USI_Hash value 78");
    for _ in 0..3 {
        gui.send("isready");
        gui.expect("readyok");
    }
    gui.expect_no_call();
    gui.stop_search(&search, "7g7f");
    gui.quit();
}

#[test]
fn isready_after_a_stop_waits_for_the_answer_and_the_preparation() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    gui.send("stop");
    gui.expect_stop();
    gui.send("setoption name USI_Hash value 77");
    gui.send("isready");
    gui.send("isready");
    gui.send("usinewgame");
    gui.expect_silence();
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.expect("readyok");
    gui.expect("readyok");
    let work = [gui.call(), gui.call()];
    assert!(matches!(work, [Call::Hash(77), Call::Clear]), "{work:?}");
    gui.send("go movetime 10");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}

#[test]
fn a_go_after_stop_and_isready_begins_after_the_preparation() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    let search = gui.search();
    for line in ["gameover lose", "isready", "usinewgame", "position startpos", "go infinite"] {
        gui.send(line);
    }
    gui.expect_stop();
    gui.expect_silence();
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.expect("readyok");
    assert!(matches!(gui.call(), Call::Clear));
    let search = gui.search();
    gui.send("isready");
    gui.expect("readyok");
    gui.stop_search(&search, "2g2f");
    gui.quit();
}

#[test]
fn the_backend_is_cleared_only_between_games() {
    let mut gui = Gui::ready();
    gui.send("isready");
    gui.expect("readyok");
    gui.send("usinewgame");
    for _ in 0..2 {
        gui.send("go movetime 10");
        gui.search().plays("7g7f");
        gui.expect_move("7g7f");
    }
    gui.send("gameover win");
    gui.send("isready");
    assert!(matches!(gui.call(), Call::Clear));
    gui.expect("readyok");
    gui.send("usinewgame");
    gui.send("go movetime 10");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn a_new_game_without_isready_clears_the_search_too() {
    let mut gui = Gui::ready();
    gui.send("go movetime 10");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.send("usinewgame");
    gui.send("position startpos");
    gui.send("go movetime 10");
    assert!(matches!(gui.call(), Call::Clear));
    gui.search();
    gui.send("quit");
}

#[test]
fn refused_memory_is_reported() {
    let mut gui = Gui::ready();
    gui.send("setoption name Hash value 9999");
    gui.send("isready");
    gui.expect("info string only 4096 MiB of table");
    gui.expect("readyok");
    gui.quit();
}

/// GUIs kill an engine a second after `quit`; a busy machine needs some of that time.
#[test]
fn the_timeout_of_quit_is_much_less_than_a_second() {
    assert!(SessionTimeouts::default().quit <= Duration::from_millis(500));
}

#[test]
fn quit_ends_the_session_while_idle() {
    let mut gui = Gui::ready();
    gui.send("quit");
    gui.expect_end();
}

#[test]
fn quit_ends_the_session_while_searching_after_one_answer() {
    let mut gui = Gui::gated_with(PATIENCE);
    gui.let_work(2);
    gui.send("go infinite");
    let search = gui.search_after_preparation();
    gui.send("quit");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_move("7g7f");
    gui.expect_end();
}

#[test]
fn quit_ends_the_session_even_if_the_search_never_ends() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    gui.search();
    gui.send("quit");
    gui.expect_end();
}

#[test]
fn quit_ends_the_session_during_the_preparation() {
    let mut gui = Gui::gated();
    gui.send("isready");
    gui.call();
    gui.send("quit");
    gui.expect_end();
}

#[test]
fn pending_answers_are_sent_when_the_input_ends() {
    let mut gui = Gui::start();
    gui.send("isready");
    gui.send("go depth 3");
    gui.end_input();
    assert!(matches!(gui.call(), Call::Threads(_)));
    assert!(matches!(gui.call(), Call::Hash(_)));
    let search = gui.search();
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect("readyok");
    gui.expect_move("7g7f");
    gui.expect_end();
}

#[test]
fn the_end_of_input_ends_the_session() {
    let mut gui = Gui::ready();
    gui.end_input();
    gui.expect_end();
}

#[test]
fn a_gui_that_no_longer_reads_ends_the_session() {
    let mut gui = Gui::ready();
    gui.stop_reading();
    gui.send("usi");
    gui.expect_end();
}

/// Regression: while an answer was not given yet, it ended up to 30 s after the end of the input.
#[test]
fn a_gui_that_no_longer_reads_ends_the_session_after_the_end_of_the_input_too() {
    for (quits, ends) in [(true, false), (false, true), (true, true)] {
        let start = Instant::now();
        let mut gui = Gui::gated_with(PATIENCE);
        gui.send("isready");
        gui.call();
        if quits {
            gui.send("quit");
        }
        if ends {
            gui.end_input();
        }
        gui.expect("");
        gui.stop_reading();
        gui.expect_end();
        assert!(start.elapsed() < PATIENCE);
    }
}

#[test]
fn a_pending_answer_is_written_before_the_session_ends_even_if_writing_is_slow() {
    struct Slow(ChannelWriter);
    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_millis(50));
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (sender, written) = unbounded();
    let mut gui = Gui::with_output(Slow(ChannelWriter(sender)), PATIENCE);
    gui.send("go infinite");
    let search = gui.search_after_preparation();
    gui.send("quit");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_end();
    assert!(whole_output(&written).ends_with("\nbestmove 7g7f\n"));
}

#[test]
fn a_gui_that_reads_none_of_a_long_output_can_still_quit() {
    struct Stuck;
    impl Write for Stuck {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut gui = Gui::with_output(Stuck, QUIT);
    gui.send("usi");
    gui.send("isready");
    gui.send("go infinite");
    let search = gui.search_after_preparation();
    for _ in 0..10_000 {
        search.reports(&[variation(1, 3, "7g7f")]);
    }
    gui.send("quit");
    gui.expect_stop();
    search.plays("7g7f");
    gui.expect_end();
}

#[test]
fn lines_after_quit_are_ignored() {
    let mut gui = Gui::ready();
    gui.send_bytes(b"quit\nusi\nisready\n");
    gui.quit_silently();
}

/// Regression: `isready` through a pipe got no answer if the load took longer than `quit` may.
#[test]
fn a_load_is_finished_when_the_input_ends() {
    let mut gui = Gui::gated_with(Duration::ZERO);
    gui.send("isready");
    gui.call();
    gui.end_input();
    // The session goes on waiting.
    for _ in 0..3 {
        gui.expect("");
    }
    gui.let_work(2);
    while gui.line() != "readyok" {}
    gui.expect_end();
}

/// Regression: `isready` and `quit` through a pipe got no answer if the load took longer than `quit` may.
#[test]
fn a_load_is_finished_when_the_input_ends_after_quit() {
    let mut gui = Gui::gated_with(2 * QUIT);
    gui.send("isready");
    gui.call();
    gui.send_bytes(b"quit\nusi\n");
    gui.end_input();
    // The session goes on waiting, longer than `quit` may take, and does not execute `usi`.
    for _ in 0..60 {
        gui.expect("");
    }
    gui.let_work(2);
    while gui.line() != "readyok" {}
    gui.expect_end();
}

/// Regression: on a busy machine, searches through a pipe that stopped later than `quit` may got no answer.
#[test]
fn a_search_is_answered_after_the_end_of_the_input_however_late_it_stops() {
    for is_loading in [false, true] {
        let mut gui = Gui::gated_with(Duration::ZERO);
        gui.send("isready");
        gui.send("go infinite");
        if is_loading {
            gui.end_input();
        }
        gui.let_work(2);
        while gui.line() != "readyok" {}
        assert!(matches!([gui.call(), gui.call()], [Call::Threads(_), Call::Hash(_)]));
        let search = gui.search();
        if !is_loading {
            gui.end_input();
        }
        gui.expect_stop();
        search.plays("7g7f");
        gui.expect_move("7g7f");
        gui.expect_end();
    }
}

/// Regression: `eval` and `quit` through a pipe got no answer if the load took longer than `quit` may.
#[test]
fn an_eval_that_waits_for_a_load_is_answered_before_the_session_quits() {
    let mut gui = Gui::gated_with(Duration::ZERO);
    gui.send("isready");
    gui.call();
    gui.send("eval");
    gui.send("quit");
    // The session goes on waiting.
    for _ in 0..3 {
        gui.expect("");
    }
    gui.let_work(2);
    while gui.line() != "readyok" {}
    assert!(gui.line().starts_with("info string eval "));
    gui.expect_end();
}
