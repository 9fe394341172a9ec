//! Workers that end, hang, or answer wrongly.

use super::pondering;
use crate::cluster::testing::{CLOCK, TestCluster};

#[test]
fn a_worker_that_ends_while_pondering_is_replaced_and_restarted() {
    let mut cluster = TestCluster::playing(3);
    cluster.ponder();
    (0..3).for_each(|id| _ = cluster.sent_to(id));
    cluster.ends(0);
    assert_eq!((&cluster.killed[..], &cluster.started[..]), (&[0][..], &[0][..]));
    assert_eq!(cluster.messages, ["worker 1 (Kawasemi test): it died; restarting it"]);
    // Another worker switches to the expected reply.
    assert_eq!(cluster.sent_to(1), "stop");
    cluster.worker(1, "bestmove 2g2f");
    assert_eq!(cluster.sent_to(1), pondering("3c3d"));
    cluster.revive(0);
    assert!(cluster.sent_to(0).ends_with(&pondering("8c8d")), "the reply that was left");
    cluster.gui("ponderhit");
    assert_eq!(cluster.sent_to(1), "ponderhit");
    cluster.worker(1, "bestmove 2g2f");
    assert_eq!(cluster.output().last().unwrap(), "bestmove 2g2f");
}

/// Regression: at `ponderhit`, unlike at `go`, a worker still paused before its start while the clock ran.
#[test]
fn a_ponderhit_ends_the_pause_of_a_worker() {
    let mut cluster = TestCluster::playing(1);
    cluster.gui("position startpos moves 7g7f 3c3d");
    cluster.gui(&format!("go ponder {CLOCK}"));
    (0..3).for_each(|_| cluster.ends(0));
    assert_eq!(cluster.started, [0]);
    cluster.gui("ponderhit");
    assert_eq!(cluster.started, [0, 0]);
    cluster.revive(0);
    assert!(cluster.sent_to(0).ends_with("; go btime 59990 wtime 60000 byoyomi 1000"));
}

#[test]
fn after_the_end_of_a_worker_another_searches_with_the_remaining_time() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go btime 5000 wtime 5000 byoyomi 1000");
    assert!(cluster.sent_to(0).ends_with("go btime 4990 wtime 5000 byoyomi 1000"));
    cluster.after(2000);
    cluster.ends(0);
    assert_eq!(cluster.sent_to(1), "position startpos; go btime 2990 wtime 5000 byoyomi 1000");
    cluster.worker(1, "bestmove 7g7f");
    assert_eq!(cluster.output().last().unwrap(), "bestmove 7g7f");
}

#[test]
fn a_worker_that_does_not_answer_a_ping_is_replaced() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui(&format!("go {CLOCK}"));
    _ = cluster.sent_to(0);
    cluster.after(900);
    cluster.worker(0, "info depth 3 score cp 1 pv 7g7f");
    cluster.after(1100);
    assert_eq!(cluster.sent_to(0), "usi");
    cluster.worker(0, "usiok");
    cluster.after(1100);
    assert_eq!(cluster.sent_to(0), "usi");
    cluster.after(5000);
    assert_eq!(cluster.killed, [0]);
    assert!(cluster.messages[0].contains("no answer to a ping"), "{:?}", cluster.messages);
    assert!(cluster.sent_to(1).starts_with("position startpos; go btime 5"));
}

#[test]
fn with_little_time_the_answer_to_a_ping_is_awaited_for_less_time() {
    let mut cluster = TestCluster::playing(2);
    cluster.gui("position startpos");
    cluster.gui("go btime 10000 wtime 10000 byoyomi 0");
    cluster.after(2300);
    assert_eq!(cluster.killed, [0]);
    assert_eq!(cluster.last_sent_to(1), "go btime 7740 wtime 10000 byoyomi 0");
}

#[test]
fn a_worker_that_ignores_stop_is_replaced_and_the_go_is_answered() {
    let mut cluster = TestCluster::playing(2);
    cluster.ponder();
    (0..2).for_each(|id| _ = cluster.sent_to(id));
    cluster.gui("stop");
    cluster.after(900);
    assert!(cluster.output().is_empty());
    cluster.after(200);
    let output = cluster.output();
    assert!(output.len() == 1 && output[0].starts_with("bestmove "), "{output:?}");
    assert!(cluster.sent_to(0).starts_with("stop"));
    assert!(!cluster.sent_to(1).contains("stop"), "the other one ponders on");
    cluster.gui("position startpos moves 7g7f 8c8d");
    cluster.gui(&format!("go {CLOCK}"));
    assert_eq!(cluster.sent_to(1), "ponderhit btime 59990 wtime 60000 byoyomi 1000");
    cluster.after(2000);
    assert_eq!(cluster.killed, [0]);
    cluster.worker(1, "bestmove 2g2f");
    assert_eq!(cluster.output(), ["bestmove 2g2f"]);
}

#[test]
fn at_the_end_of_the_time_the_best_known_move_is_played() {
    let mut cluster = TestCluster::playing_with(1, "Another");
    cluster.gui("position startpos");
    cluster.gui("go btime 0 wtime 0 byoyomi 1000");
    cluster.worker(0, "info depth 3 score cp 1 pv 2g2f 3c3d");
    _ = (cluster.output(), cluster.sent_to(0));
    cluster.after(935);
    assert_eq!(cluster.sent_to(0), "");
    cluster.after(10);
    assert_eq!(cluster.sent_to(0), "stop");
    cluster.after(30);
    assert_eq!(cluster.output(), ["bestmove 2g2f ponder 3c3d"]);
    cluster.worker(0, "bestmove 7g7f");
    assert!(cluster.output().is_empty());
    // The same without a running worker.
    cluster.gui("go btime 0 wtime 0 byoyomi 1000");
    cluster.ends(0);
    cluster.after(1000);
    assert_eq!(cluster.output().len(), 1);
}

#[test]
fn without_any_worker_the_first_that_is_ready_takes_over() {
    let mut cluster = TestCluster::playing(1);
    cluster.gui("position startpos");
    cluster.gui(&format!("go {CLOCK}"));
    cluster.ends(0);
    assert_eq!(cluster.started, [0]);
    cluster.revive(0);
    assert!(
        cluster.sent_to(0).ends_with("position startpos; go btime 59990 wtime 60000 byoyomi 1000")
    );
    cluster.worker(0, "bestmove 7g7f");
    assert_eq!(cluster.output().last().unwrap(), "bestmove 7g7f");
}

#[test]
fn a_worker_that_never_starts_is_tried_less_and_less_often() {
    let mut cluster = TestCluster::new(&[true]);
    cluster.gui("usi");
    cluster.ends(0);
    assert_eq!(cluster.started, [0, 0]);
    cluster.ends(0);
    cluster.after(900);
    assert_eq!(cluster.started.len(), 2);
    cluster.after(200);
    assert_eq!(cluster.started.len(), 3);
}

/// Regression: the cluster sent `usiok` and `readyok`, and played moves without a search.
#[test]
fn without_any_worker_that_starts_the_cluster_fails() {
    let mut cluster = TestCluster::new(&[true, true]);
    cluster.gui("usi");
    cluster.gui("isready");
    (0..2).for_each(|id| cluster.ends(id));
    (0..2).for_each(|id| cluster.ends(id));
    cluster.after(1100);
    cluster.ends(0);
    assert!(!cluster.over, "the other one may still come");
    cluster.ends(1);
    assert!(cluster.over && cluster.output().is_empty());
    assert_eq!(cluster.errors, ["no worker can be started: worker 2: it died"]);
    let error = cluster.coordinator.start_error.as_ref().unwrap();
    assert_eq!(error.en, "no worker can be started: worker 2: it died");
    assert_eq!(error.ja, "ワーカーを起動できません：worker 2: it died");
}

#[test]
fn after_the_end_of_the_input_workers_that_never_start_are_an_error_too() {
    let mut cluster = TestCluster::new(&[true]);
    cluster.gui("isready");
    cluster.end_input();
    (0..2).for_each(|_| cluster.ends(0));
    cluster.after(1100);
    cluster.ends(0);
    assert!(cluster.over && cluster.output().is_empty());
    assert_eq!(cluster.errors, ["no worker can be started: worker 1: it died"]);
}

#[test]
fn workers_that_were_ready_once_are_awaited_and_their_loss_is_an_error() {
    let mut cluster = TestCluster::playing(1);
    cluster.ends(0);
    cluster.ends(0);
    cluster.after(1100);
    cluster.ends(0);
    cluster.gui("usi");
    assert_eq!(cluster.output().last().unwrap(), "usiok", "nobody else will say it");
    cluster.gui("isready");
    assert_eq!(cluster.output().last().unwrap(), "readyok");
    assert_eq!(cluster.errors, ["workers that are not ready: 1 of 1"]);
    cluster.gui("position startpos");
    cluster.gui("go nodes 10");
    assert!(cluster.output().last().unwrap().starts_with("bestmove "));
    assert!(!cluster.over);
}

#[test]
fn invalid_answers_are_faults() {
    for line in ["bestmove 7g7e", "bestmove win", "bestmove", "checkmate nomate"] {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        cluster.worker(0, line);
        assert_eq!(cluster.killed, [0], "{line}");
        cluster.worker(1, "bestmove 7g7f ponder 7g7f");
        assert_eq!(cluster.output(), ["bestmove 7g7f"], "{line}");
    }
}
