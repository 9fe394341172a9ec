//! How the coordinator handles hits, misses and faults, as transcripts.

mod failing_workers;
#[cfg(unix)]
mod stalls;

use super::testing::{CLOCK, TestCluster};
use crate::engine::Settings;

/// The lines sent to a worker that ponders on this reply after 7g7f.
fn pondering(reply: &str) -> String {
    let less = "btime 59990 wtime 60000 byoyomi 1000";
    format!("position startpos moves 7g7f {reply}; go ponder {less}")
}

#[test]
fn the_cluster_gets_ready_like_one_engine() {
    let mut cluster = TestCluster::new(&[true, true, false]);
    assert_eq!(cluster.started, [0, 1, 2]);
    assert_eq!(cluster.sent_to(0), "usi");
    cluster.gui("usi");
    assert!(cluster.output().is_empty(), "nobody has said yet who it is");
    cluster.finish_handshake(1, 5);
    let output = cluster.output();
    assert_eq!(output[0], "id name Kawasemi test x3");
    assert_eq!(output.iter().filter(|line| *line == "usiok").count(), 1);
    assert!(output.iter().any(|line| line.starts_with("option name USI_Ponder ")));
    cluster.gui("setoption name Threads value 5");
    cluster.gui("setoption name EvalFile value nn.bin");
    cluster.gui("isready");
    cluster.finish_handshake(0, 7);
    cluster.finish_handshake(2, 30);
    let shared = "setoption name USI_Hash value 128; setoption name USI_Ponder value true; \
                  setoption name Threads value 3; setoption name EvalFile value nn.bin; isready";
    assert_eq!(cluster.sent_to(0), format!("usi; usi; usi; {shared}"));
    let shared = shared.replace("Threads value 3", "Threads value 2");
    assert_eq!(cluster.sent_to(1), format!("usi; usi; usi; usi; {shared}"));
    let remote =
        "setoption name USI_Ponder value true; setoption name EvalFile value nn.bin; isready";
    assert_eq!(cluster.sent_to(2), format!("usi; usi; usi; usi; {remote}"));
    cluster.worker(2, "readyok");
    cluster.worker(0, "readyok");
    assert!(cluster.output().is_empty());
    cluster.worker(1, "readyok");
    assert_eq!(cluster.output(), ["info string workers: 3, latency 30.0 ms at most", "readyok"]);
}

#[test]
fn a_worker_without_usiok_is_not_awaited_if_another_is_ready() {
    let mut cluster = TestCluster::new(&[true, true]);
    cluster.finish_handshake(0, 0);
    cluster.gui("isready");
    cluster.worker(0, "readyok");
    cluster.after(59_000);
    assert!(!cluster.output().contains(&"readyok".into()), "it may still come");
    cluster.after(2_000);
    assert_eq!(cluster.output().last().unwrap(), "readyok");
    assert!(cluster.messages.iter().any(|text| text.contains("not ready: 1 of 2")));
}

#[test]
fn an_error_of_any_worker_while_it_gets_ready_is_shown() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("isready");
    cluster.worker(1, "info string error: there is no file \"nn.bin\"");
    let message = cluster.messages.last().unwrap();
    assert!(
        message.starts_with("worker 2") && message.ends_with("no file \"nn.bin\""),
        "{message}"
    );
}

#[test]
fn each_worker_ponders_on_another_reply_including_the_expected_one() {
    let mut cluster = TestCluster::playing(3);
    cluster.gui("position startpos moves 7g7f 3c3d");
    cluster.gui(&format!("go ponder {CLOCK}"));
    assert_eq!(cluster.sent_to(0), pondering("3c3d"));
    assert_eq!(cluster.sent_to(2), "");
    let ranking = "setoption name MultiPV value 3; position startpos moves 7g7f; go movetime 100";
    assert_eq!(cluster.sent_to(1), ranking);
    cluster.worker(1, "info depth 4 multipv 1 score cp 5 pv 8c8d 2g2f");
    cluster.worker(1, "info depth 4 multipv 2 score cp 3 pv 3c3d 2g2f");
    cluster.worker(1, "info depth 4 multipv 3 score cp 1 pv 4a3b 2g2f");
    cluster.worker(1, "bestmove 8c8d ponder 2g2f");
    assert_eq!(
        cluster.sent_to(1),
        format!("setoption name MultiPV value 1; {}", pondering("8c8d"))
    );
    assert_eq!(cluster.sent_to(2), pondering("4a3b"));
    cluster.worker(2, "info depth 9 score cp 77 pv 2g2f");
    cluster.worker(0, "info depth 9 score cp -7 pv 2g2f");
    assert_eq!(
        cluster.output(),
        ["info depth 9 score cp -7 pv 2g2f"],
        "the worker of the expected move alone"
    );
}

#[test]
fn at_a_hit_the_workers_of_other_replies_stop() {
    let mut cluster = TestCluster::playing(3);
    cluster.ponder();
    (0..3).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("ponderhit");
    assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), ["ponderhit", "stop", "stop"]);
    cluster.worker(1, "bestmove 2g2f");
    cluster.worker(0, "info depth 9 score cp 4 pv 2g2f 8c8d");
    cluster.worker(0, "bestmove 2g2f ponder 8c8d");
    cluster.worker(2, "bestmove 2g2f");
    let output = ["info depth 9 score cp 4 pv 2g2f 8c8d", "bestmove 2g2f ponder 8c8d"];
    assert_eq!(cluster.output(), output);
    assert!(cluster.messages.is_empty() && cluster.killed.is_empty());
}

#[test]
fn a_ponderhit_with_clocks_is_forwarded_with_less_time() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos moves 7g7f 3c3d");
    cluster.gui("go ponder");
    cluster.rank("8c8d");
    assert_eq!(cluster.last_sent_to(0), "go ponder");
    cluster.gui(&format!("ponderhit {CLOCK}"));
    assert_eq!(cluster.sent_to(0), "ponderhit btime 59990 wtime 60000 byoyomi 1000");
}

#[test]
fn a_miss_that_another_worker_has_pondered_on_is_a_hit() {
    let mut cluster = TestCluster::playing(3);
    cluster.ponder();
    // Longer than all the time on the clock, which does not run meanwhile.
    for _ in 0..100 {
        cluster.after(900);
        (0..3).for_each(|id| cluster.worker(id, "info nodes 1"));
    }
    _ = (cluster.output(), (0..3).for_each(|id| _ = cluster.sent_to(id)));
    cluster.gui("stop");
    assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), ["stop", "", ""]);
    cluster.after(5);
    assert!(cluster.output().is_empty());
    cluster.worker(0, "bestmove 2g2f ponder 8c8d");
    assert_eq!(cluster.output(), ["bestmove 2g2f ponder 8c8d"]);
    cluster.gui("position startpos moves 7g7f 4a3b");
    cluster.gui("go btime 50000 wtime 60000 byoyomi 1000");
    let hit = "ponderhit btime 49990 wtime 60000 byoyomi 1000";
    assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), ["", "stop", hit]);
    cluster.worker(2, "info depth 12 score cp 30 pv 2g2f");
    cluster.worker(1, "bestmove 1g1f");
    cluster.worker(2, "bestmove 2g2f");
    assert_eq!(cluster.output(), ["info depth 12 score cp 30 pv 2g2f", "bestmove 2g2f"]);
    // It is the leader from now on.
    cluster.gui("position startpos moves 7g7f 4a3b 2g2f 3c3d");
    cluster.gui(&format!("go ponder {CLOCK}"));
    assert!(
        cluster.sent_to(2).ends_with("2g2f 3c3d; go ponder btime 59990 wtime 60000 byoyomi 1000")
    );
}

#[test]
fn stop_position_and_go_at_once_are_a_hit_too() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    (0..2).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("stop");
    cluster.gui("position startpos moves 7g7f 8c8d");
    cluster.gui(&format!("go {CLOCK}"));
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["stop", ""]);
    cluster.after(4);
    cluster.worker(0, "bestmove 2g2f");
    assert_eq!(cluster.sent_to(1), "ponderhit btime 59986 wtime 60000 byoyomi 1000");
    cluster.worker(1, "bestmove 2f2e");
    assert_eq!(cluster.output(), ["bestmove 2g2f"], "an illegal move is no answer");
    assert_eq!(cluster.killed, [1]);
}

#[test]
fn other_engines_are_sent_only_what_they_understand() {
    let mut cluster = TestCluster::playing_with(2, "Another");
    let miss = |cluster: &mut TestCluster, clock: &str| {
        cluster.ponder();
        cluster.gui("stop");
        cluster.worker(0, "bestmove 2g2f");
        (0..2).for_each(|id| _ = cluster.sent_to(id));
        cluster.gui("position startpos moves 7g7f 8c8d");
        cluster.gui(&format!("go {clock}"));
        cluster.sent_to(1)
    };
    assert_eq!(miss(&mut cluster, CLOCK), "ponderhit", "its clock is that of its go ponder");
    cluster.worker(1, "bestmove 2g2f");
    // The leader is now the other one, so it gets the expected reply.
    cluster.gui("usinewgame");
    let other = "btime 40000 wtime 60000 byoyomi 1000";
    assert_eq!(miss(&mut cluster, other), "stop");
    cluster.worker(1, "bestmove 2g2f");
    let fresh = "position startpos moves 7g7f 8c8d; go btime 39990 wtime 60000 byoyomi 1000";
    assert_eq!(cluster.sent_to(1), fresh);
}

#[test]
fn a_miss_by_all_is_searched_by_the_leader() {
    let mut cluster = TestCluster::playing(3);
    cluster.ponder();
    cluster.gui("stop");
    cluster.worker(0, "bestmove 2g2f");
    (0..3).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("position startpos moves 7g7f 1c1d");
    cluster.gui(&format!("go {CLOCK}"));
    let fresh = "position startpos moves 7g7f 1c1d; go btime 59990 wtime 60000 byoyomi 1000";
    assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), [fresh, "stop", "stop"]);
    cluster.worker(0, "bestmove 2g2f");
    assert_eq!(cluster.output().last().unwrap(), "bestmove 2g2f");
}

#[test]
fn pondering_after_a_miss_ends_after_a_while() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    cluster.gui("stop");
    cluster.worker(0, "bestmove 2g2f");
    _ = cluster.sent_to(1);
    cluster.after(4_900);
    assert!(!cluster.sent_to(1).contains("stop"));
    cluster.after(200);
    assert_eq!(cluster.sent_to(1), "stop");
}

#[test]
fn every_go_has_one_answer() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    assert_eq!(cluster.sent_to(0), "position startpos; go infinite");
    assert_eq!(cluster.sent_to(1), "", "one worker analyses");
    cluster.gui("stop");
    cluster.gui("stop");
    assert_eq!(cluster.sent_to(0), "stop");
    cluster.worker(0, "bestmove 7g7f");
    cluster.gui("stop");
    cluster.gui("ponderhit");
    assert_eq!(cluster.output(), ["bestmove 7g7f"]);
    // A go ends the one before it.
    cluster.gui("go nodes 100");
    cluster.gui("go mate 1000");
    assert_eq!(cluster.sent_to(0), "position startpos; go nodes 100; stop");
    cluster.worker(0, "bestmove 2g2f");
    assert_eq!(cluster.sent_to(0), "position startpos; go mate 1000");
    cluster.worker(0, "checkmate nomate");
    assert_eq!(cluster.output(), ["bestmove 2g2f", "checkmate nomate"]);
}

/// Regression: the worker was killed, because its line did not begin with `checkmate`.
#[test]
fn the_answer_to_a_mate_search_may_have_any_spaces() {
    for (line, answer) in [
        (" checkmate nomate", "checkmate nomate"),
        ("checkmate  G*5b  5a4a ", "checkmate G*5b 5a4a"),
    ] {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos");
        cluster.gui("go mate infinite");
        cluster.worker(0, line);
        assert_eq!(cluster.output(), [answer]);
        assert!(cluster.killed.is_empty());
    }
}

#[test]
fn an_early_answer_to_an_analysis_waits_for_stop() {
    let mut cluster = TestCluster::playing_with(2, "Another");
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    cluster.worker(0, "info depth 30 score cp 9 pv 7g7f");
    cluster.worker(0, "bestmove 7g7f");
    assert_eq!(cluster.output(), ["info depth 30 score cp 9 pv 7g7f"]);
    cluster.gui("stop");
    assert_eq!(cluster.output(), ["bestmove 7g7f"]);
}

#[test]
fn an_answer_before_the_ponderhit_is_kept() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    cluster.worker(0, "bestmove 2g2f");
    assert!(cluster.output().is_empty());
    cluster.gui("ponderhit");
    assert_eq!(cluster.output(), ["bestmove 2g2f"]);
    cluster.worker(1, "bestmove 2g2f");
    assert!(cluster.output().is_empty() && cluster.killed.is_empty());
}

/// Regression: with `movetime` the GUI got no answer.
#[test]
fn a_go_with_movetime_is_answered_if_the_worker_hangs() {
    let mut cluster = TestCluster::playing_with(2, "Another");
    cluster.gui("position startpos");
    cluster.gui("go movetime 1500");
    cluster.after(2000);
    assert!(cluster.output().is_empty() && cluster.killed.is_empty());
    cluster.after(1000);
    let output = cluster.output();
    assert!(output.last().is_some_and(|line| line.starts_with("bestmove ")), "{output:?}");
}

/// Regression: a slow first answer was subtracted from every clock, even of the next process.
#[test]
fn a_restarted_worker_is_measured_again() {
    let mut cluster = TestCluster::distant(400);
    cluster.gui("go btime 0 wtime 0 byoyomi 3000");
    assert_eq!(cluster.last_sent_to(0), "go btime 0 wtime 0 byoyomi 2600");
    cluster.ends(0);
    cluster.revive(0);
    cluster.gui("stop");
    cluster.worker(0, "bestmove 7g7f");
    cluster.gui("go btime 0 wtime 0 byoyomi 3000");
    assert_eq!(cluster.last_sent_to(0), "go btime 0 wtime 0 byoyomi 2990");
}

#[test]
fn latency_is_subtracted_from_the_clock() {
    let mut cluster = TestCluster::distant(120);
    cluster.gui("go btime 100 wtime 0 byoyomi 1000");
    assert_eq!(cluster.last_sent_to(0), "go btime 0 wtime 0 byoyomi 980");
}

#[test]
fn workers_vote_if_the_option_says_so() {
    let vote = |rule: &str| {
        let mut cluster = TestCluster::playing(3);
        cluster.gui(&format!("setoption name MultiPonderOwnTurn value {rule}"));
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        assert!((0..3).all(|id| cluster.last_sent_to(id).starts_with("go btime 59990 ")));
        cluster.worker(0, "info depth 5 score cp 90 pv 7g7f");
        cluster.worker(1, "info depth 5 score cp 10 pv 2g2f");
        cluster.worker(2, "info depth 5 score cp 20 pv 2g2f");
        cluster.worker(0, "bestmove 7g7f");
        assert_eq!([1, 2].map(|id| cluster.sent_to(id)), ["stop", "stop"]);
        cluster.worker(2, "bestmove 2g2f ponder 8c8d");
        assert_eq!(cluster.output(), ["info depth 5 score cp 90 pv 7g7f"]);
        cluster.worker(1, "bestmove 2g2f");
        cluster.output()
    };
    let majority = ["info depth 5 score cp 20 pv 2g2f", "bestmove 2g2f ponder 8c8d"];
    assert_eq!(vote("majority"), majority);
    assert_eq!(vote("optimistic"), ["info depth 5 score cp 90 pv 7g7f", "bestmove 7g7f"]);
}

/// Regression: a fail-high at the end of a search counted as its score.
#[test]
fn a_bound_is_no_vote_if_an_exact_score_is_known() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("setoption name MultiPonderOwnTurn value optimistic");
    cluster.gui("position startpos");
    cluster.gui(&format!("go {CLOCK}"));
    cluster.worker(0, "info depth 5 score cp 20 pv 7g7f 3c3d");
    cluster.worker(1, "info depth 5 score cp 10 pv 2g2f");
    cluster.worker(1, "info depth 6 score cp 900 lowerbound pv 2g2f");
    cluster.worker(0, "info depth 6 score cp -900 upperbound pv 7g7f");
    _ = cluster.output();
    cluster.worker(0, "bestmove 7g7f");
    cluster.worker(1, "bestmove 2g2f");
    assert_eq!(cluster.output(), ["info depth 5 score cp 20 pv 7g7f 3c3d", "bestmove 7g7f"]);
}

#[test]
fn votes_that_come_late_or_never_do_not_count() {
    let mut cluster = TestCluster::playing(3);
    cluster.gui("setoption name MultiPonderOwnTurn value majority");
    cluster.gui("position startpos");
    cluster.gui(&format!("go {CLOCK}"));
    cluster.ends(2);
    cluster.worker(0, "bestmove 7g7f");
    assert!(cluster.output().is_empty());
    cluster.after(210);
    assert_eq!(cluster.output(), ["bestmove 7g7f"]);
    cluster.worker(1, "bestmove 2g2f");
    assert!(cluster.output().is_empty());
    assert_eq!(cluster.killed, [2]);
}

#[test]
fn isready_during_a_search_is_answered_at_once_and_ends_no_pondering() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    _ = (cluster.output(), cluster.sent_to(0));
    cluster.gui("isready");
    assert_eq!((cluster.output(), cluster.sent_to(0)), (vec!["readyok".to_owned()], String::new()));
}

#[test]
fn isready_after_stop_is_answered_when_the_workers_are_ready() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    _ = cluster.sent_to(0);
    cluster.gui("stop");
    cluster.gui("isready");
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["stop", "isready"]);
    cluster.worker(1, "readyok");
    assert!(cluster.output().is_empty());
    cluster.worker(0, "bestmove 7g7f");
    assert_eq!(cluster.output(), ["bestmove 7g7f"]);
    assert_eq!(cluster.sent_to(0), "isready");
    cluster.worker(0, "readyok");
    assert_eq!(cluster.output().last().unwrap(), "readyok");
}

#[test]
fn options_wait_for_the_end_of_a_search() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    _ = cluster.sent_to(0);
    cluster.gui("setoption name MultiPV value 3");
    assert_eq!(cluster.sent_to(0), "");
    assert_eq!(cluster.sent_to(1), "setoption name MultiPV value 3");
    cluster.gui("stop");
    cluster.worker(0, "bestmove 7g7f");
    assert_eq!(cluster.sent_to(0), "stop; setoption name MultiPV value 3");
    cluster.gui("setoption name MultiPonderTime value 1");
    assert_eq!(cluster.messages, ["MultiPonderTime is from 10 to 10000"]);
}

/// A worker that ranks is sent another MultiPV, and then this one again.
#[test]
fn an_invalid_value_of_an_option_is_refused_and_not_sent() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("setoption name MultiPV value 601");
    assert_eq!(cluster.messages.len(), 1, "{:?}", cluster.messages);
    assert!(cluster.messages[0].contains("MultiPV"), "{:?}", cluster.messages);
    assert_eq!((cluster.sent_to(0), cluster.sent_to(1)), (String::new(), String::new()));
}

#[test]
fn an_unknown_option_is_an_error_only_when_all_options_are_declared() {
    let mut cluster = TestCluster::new(&[true, true]);
    cluster.finish_handshake(0, 0);
    cluster.gui("setoption name Foo value 1");
    assert!(cluster.messages.is_empty(), "{:?}", cluster.messages);
    cluster.worker(1, "option name Other type spin default 1 min 1 max 9");
    cluster.finish_handshake(1, 0);
    cluster.gui("setoption name other value 2");
    cluster.gui("setoption name MultiPonderTime value 20");
    assert!(cluster.messages.is_empty(), "{:?}", cluster.messages);
    cluster.gui("setoption name Foo value 1");
    assert_eq!(cluster.messages.len(), 1);
    assert!(cluster.messages[0].contains("no option is called \"Foo\""), "{:?}", cluster.messages);
}

/// Regression: options of YaneuraOu, and values beyond those of this program, were refused.
#[test]
fn an_option_of_another_engine_is_sent_with_the_values_of_that_engine() {
    let mut cluster = TestCluster::playing_with(1, "Another");
    cluster.ends(0);
    cluster.worker(0, "option name BookEvalBlackDiff type spin default 30 min 0 max 99999");
    cluster.revive(0);
    _ = cluster.sent_to(0);
    cluster.messages.clear();
    for (name, value) in [("BookEvalBlackDiff", "50"), ("MultiPV", "800")] {
        let line = format!("setoption name {name} value {value}");
        cluster.gui(&line);
        assert_eq!(cluster.sent_to(0), line);
    }
    assert!(cluster.messages.is_empty(), "{:?}", cluster.messages);
}

#[test]
fn workers_are_sent_an_option_by_the_name_that_they_declare() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("setoption name usi_multipv value 3");
    assert_eq!(cluster.sent_to(1), "setoption name MultiPV value 3");
    cluster.gui("setoption name Hash value 64");
    assert_eq!(cluster.sent_to(1), "setoption name USI_Hash value 32");
}

#[test]
fn a_gui_that_sends_all_defaults_does_not_change_the_logs() {
    let logs = ["my m.log".into(), "späße.log".into()].map(Some);
    let [debug_log, thinking_log] = logs.clone();
    let settings = Settings { debug_log, thinking_log, ..Settings::default() };
    let mut cluster = TestCluster::with_settings(&[true], settings);
    cluster.finish_handshake(0, 0);
    cluster.gui("usi");
    let output = cluster.output();
    let declared: Vec<(&str, &str)> = (output.iter())
        .filter_map(|line| line.strip_prefix("option name ")?.split_once(" type string default "))
        .collect();
    let named = |log: &str| declared.iter().filter(|(name, _)| *name == log).count();
    assert_eq!(["DebugLogFile", "ThinkingLog"].map(named), [1, 1], "{declared:?}");
    let log_files = |cluster: &TestCluster| {
        let settings = &cluster.coordinator.settings;
        [settings.debug_log.clone(), settings.thinking_log.clone()]
    };
    for (name, default) in declared {
        cluster.gui(&format!("setoption name {name} value {default}"));
    }
    assert_eq!(log_files(&cluster), logs);
    cluster.gui("setoption name DebugLogFile value <empty>");
    assert_eq!(log_files(&cluster)[0], None, "a log can still be closed");
    assert!(!cluster.sent_to(0).contains("Log"));
}

#[test]
fn file_names_are_sent_to_workers_in_their_encoding() {
    let mut cluster = TestCluster::playing(2);
    // In Shift_JIS, where the second byte of a character may be a backslash.
    let set = b"setoption name EvalFile value \x83\\\x8e\xa1 n.bin";
    cluster.gui_bytes(set);
    let line = set.escape_ascii().to_string();
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), [line.clone(), line.clone()]);
    cluster.ends(1);
    cluster.revive(1);
    assert!(cluster.sent_to(1).contains(&line));
    cluster.gui_bytes(b"gameover \x83\x5c\r");
    assert_eq!(cluster.sent_to(0), "gameover \\x83\\\\");
}

#[test]
fn gameover_ends_all_pondering() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    (0..2).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("gameover win");
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["stop", "stop"]);
    cluster.worker(0, "bestmove 2g2f");
    cluster.worker(1, "bestmove 2g2f");
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["gameover win", "gameover win"]);
    assert_eq!(cluster.output(), ["bestmove 2g2f"]);
}

#[test]
fn a_refused_position_is_not_answered_by_results_of_another() {
    for wrong in [
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f 3c3x",
        "posdiff 3c3d 8h2b++",
        "position sfen 9/9/9 b - 1",
        "position",
    ] {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("position startpos moves 7g7f");
        cluster.gui(wrong);
        assert_eq!(cluster.messages.len(), 1, "{:?}", cluster.messages);
        cluster.gui("go btime 1000 wtime 1000");
        cluster.gui("go mate 10");
        assert_eq!(cluster.output(), ["bestmove resign", "checkmate timeout"], "{wrong}");
        for (waiting, word) in [("go infinite", "stop"), ("go ponder btime 1000", "ponderhit")] {
            cluster.gui(waiting);
            assert_eq!(cluster.output(), [""; 0], "{wrong}, {waiting}");
            cluster.gui(word);
            assert_eq!(cluster.output(), ["bestmove resign"], "{wrong}, {waiting}");
        }
        assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["", ""], "{wrong}");
        cluster.gui("position startpos moves 7g7f 3c3d");
        cluster.gui("go nodes 1");
        assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f 3c3d; go nodes 1");
    }
}

#[test]
fn after_a_position_that_was_cut_no_go_is_answered_for_the_one_before() {
    let mut cluster = TestCluster::playing(1);
    cluster.gui("position startpos moves 7g7f");
    cluster.gui_cut("setoption name EvalFile value x");
    cluster.gui("go nodes 1");
    assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f; go nodes 1");
    cluster.worker(0, "bestmove 3c3d");
    assert_eq!(cluster.output(), ["bestmove 3c3d"], "it has said nothing of the position");
    for cut in ["position startpos moves 7g7f 3c3d 2g", "posdiff 3c3d 2"] {
        cluster.gui_cut(cut);
        assert_eq!(cluster.messages.pop().unwrap(), "a line of more than 16 MiB was ignored");
        cluster.gui("go nodes 1");
        assert_eq!(cluster.output(), ["bestmove resign"], "{cut}");
        cluster.gui("position startpos moves 7g7f");
    }
    assert_eq!(cluster.sent_to(0), "");
}

#[test]
fn a_refused_position_ends_pondering() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    (0..2).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("position startpos moves 7g7f 3c3x");
    cluster.gui("go btime 1000 wtime 1000");
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["stop", ""]);
    cluster.worker(0, "bestmove 2g2f");
    assert_eq!(cluster.output(), ["bestmove 2g2f", "bestmove resign"]);
    assert_eq!(cluster.sent_to(1), "stop");
}

#[test]
fn illegal_moves_are_refused_and_unknown_commands_forwarded() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos moves 7g7f 3c3e 2g2f");
    assert!(cluster.messages[0].starts_with("move 2 (3c3e) cannot be played: "));
    cluster.gui("position sfen 8k/9 b - 1");
    assert!(cluster.messages[1].starts_with("position refused: "), "{:?}", cluster.messages);
    cluster.gui("d");
    assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f; d; usi");
    cluster.worker(0, "a board");
    cluster.worker(0, "usiok");
    cluster.worker(1, "noise");
    assert_eq!(cluster.output(), ["a board"]);
    cluster.gui("position startpos moves 7g7f");
    cluster.gui("posdiff 3c3d");
    cluster.gui("go nodes 1");
    assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f 3c3d; go nodes 1");
    cluster.worker(0, "bestmove 2g2f");
    cluster.gui("quit");
    assert!(cluster.over);
}

/// Regression: comments were sent to a worker, which might have executed them.
#[test]
fn comments_are_not_forwarded() {
    let mut cluster = TestCluster::playing(2);
    for line in ["# quit", "", "#d"] {
        cluster.gui(line);
    }
    assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["", ""]);
    assert!(!cluster.over && cluster.messages.is_empty(), "{:?}", cluster.messages);
}

#[test]
fn a_go_before_quit_is_answered_before_the_end() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    _ = cluster.sent_to(0);
    cluster.gui("quit");
    assert_eq!(cluster.sent_to(0), "stop");
    assert!(!cluster.over);
    cluster.worker(0, "bestmove 7g7f");
    assert_eq!(cluster.output(), ["bestmove 7g7f"]);
    assert!(cluster.over);
}

#[test]
fn after_quit_a_silent_worker_is_awaited_for_half_a_second() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go infinite");
    cluster.worker(0, "info depth 3 score cp 1 pv 2g2f 3c3d");
    _ = cluster.output();
    cluster.gui("quit");
    cluster.after(490);
    assert!(!cluster.over && cluster.output().is_empty());
    cluster.after(20);
    assert_eq!(cluster.output(), ["bestmove 2g2f ponder 3c3d"]);
    let forward_idle_info = "no worker has answered in time; playing the best move known";
    assert_eq!(cluster.messages, [forward_idle_info]);
    assert!(cluster.over);
}

#[test]
fn usi_and_isready_before_quit_are_answered_if_that_is_quick() {
    let mut cluster = TestCluster::new(&[true]);
    for line in ["usi", "isready", "position startpos", "go nodes 1000", "quit"] {
        cluster.gui(line);
    }
    cluster.finish_handshake(0, 1);
    cluster.worker(0, "readyok");
    let output = cluster.output();
    let count = |start: &str| output.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(["bestmove ", "usiok", "readyok"].map(count), [1, 1, 1], "{output:?}");
    let forward_idle_info = "no worker has answered in time; playing a move without a search";
    assert_eq!(cluster.messages, [forward_idle_info]);
    assert!(cluster.over);
    let mut cluster = TestCluster::new(&[true]);
    cluster.gui("usi");
    cluster.gui("quit");
    cluster.after(510);
    assert!(cluster.over, "nobody waits for a worker that does not greet");
}

/// Regression: commands through a pipe were answered only if the workers were ready within half a second, later only
/// without `quit`.
#[test]
fn commands_before_the_end_of_the_input_wait_for_the_workers() {
    for end in [&[][..], &["quit"]] {
        let mut cluster = TestCluster::new(&[true]);
        for line in [&["usi", "isready"][..], end].concat() {
            cluster.gui(line);
        }
        cluster.end_input();
        cluster.after(4000);
        assert!(!cluster.over);
        cluster.finish_handshake(0, 1);
        cluster.worker(0, "readyok");
        let output = cluster.output();
        assert_eq!(output.last().unwrap(), "readyok", "{output:?}");
        assert!(cluster.over && output.contains(&"usiok".into()), "{output:?}");
    }
}
