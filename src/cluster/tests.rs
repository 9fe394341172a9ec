//! What the coordinator makes of hits, misses and faults, as transcripts.

use super::testing::{CLOCK, Table};
use crate::engine::Settings;

/// What a worker is told that ponders on this after 7g7f.
fn pondering(reply: &str) -> String {
    let less = "btime 59990 wtime 60000 byoyomi 1000";
    format!("position startpos moves 7g7f {reply}; go ponder {less}")
}

#[test]
fn the_whole_greets_and_gets_ready_like_one_engine() {
    let mut table = Table::new(&[true, true, false]);
    assert_eq!(table.started, [0, 1, 2]);
    assert_eq!(table.told(0), "usi");
    table.outside("usi");
    assert!(table.said().is_empty(), "nobody has said yet who it is");
    table.greet(1, 5);
    let said = table.said();
    assert_eq!(said[0], "id name Kawasemi test x3");
    assert_eq!(said.iter().filter(|line| *line == "usiok").count(), 1);
    assert!(said.iter().any(|line| line.starts_with("option name USI_Ponder ")));
    table.outside("setoption name Threads value 5");
    table.outside("setoption name EvalFile value nn.bin");
    table.outside("isready");
    table.greet(0, 7);
    table.greet(2, 30);
    let shared = "setoption name USI_Hash value 128; setoption name USI_Ponder value true; \
                  setoption name Threads value 3; setoption name EvalFile value nn.bin; isready";
    assert_eq!(table.told(0), format!("usi; usi; usi; {shared}"));
    let shared = shared.replace("Threads value 3", "Threads value 2");
    assert_eq!(table.told(1), format!("usi; usi; usi; usi; {shared}"));
    let remote =
        "setoption name USI_Ponder value true; setoption name EvalFile value nn.bin; isready";
    assert_eq!(table.told(2), format!("usi; usi; usi; usi; {remote}"));
    table.worker(2, "readyok");
    table.worker(0, "readyok");
    assert!(table.said().is_empty());
    table.worker(1, "readyok");
    assert_eq!(table.said(), ["info string 3 workers, latency 30.0 ms at most", "readyok"]);
}

#[test]
fn nobody_waits_for_a_worker_that_does_not_greet_if_another_is_ready() {
    let mut table = Table::new(&[true, true]);
    table.greet(0, 0);
    table.outside("isready");
    table.worker(0, "readyok");
    table.after(59_000);
    assert!(!table.said().contains(&"readyok".into()), "it may still come");
    table.after(2_000);
    assert_eq!(table.said().last().unwrap(), "readyok");
    assert!(table.complained.iter().any(|text| text.contains("1 of 2 workers")));
}

#[test]
fn an_error_of_any_worker_while_it_gets_ready_is_told() {
    let mut table = Table::playing(2);
    table.outside("isready");
    table.worker(1, "info string error: there is no file \"nn.bin\"");
    let told = table.complained.last().unwrap();
    assert!(told.starts_with("worker 2") && told.ends_with("no file \"nn.bin\""), "{told}");
}

#[test]
fn each_worker_ponders_on_another_reply_and_the_guess_is_always_among_them() {
    let mut table = Table::playing(3);
    table.outside("position startpos moves 7g7f 3c3d");
    table.outside(&format!("go ponder {CLOCK}"));
    assert_eq!(table.told(0), pondering("3c3d"));
    assert_eq!(table.told(2), "");
    let ranking = "setoption name MultiPV value 3; position startpos moves 7g7f; go movetime 100";
    assert_eq!(table.told(1), ranking);
    table.worker(1, "info depth 4 multipv 1 score cp 5 pv 8c8d 2g2f");
    table.worker(1, "info depth 4 multipv 2 score cp 3 pv 3c3d 2g2f");
    table.worker(1, "info depth 4 multipv 3 score cp 1 pv 4a3b 2g2f");
    table.worker(1, "bestmove 8c8d ponder 2g2f");
    assert_eq!(table.told(1), format!("setoption name MultiPV value 1; {}", pondering("8c8d")));
    assert_eq!(table.told(2), pondering("4a3b"));
    table.worker(2, "info depth 9 score cp 77 pv 2g2f");
    table.worker(0, "info depth 9 score cp -7 pv 2g2f");
    assert_eq!(table.said(), ["info depth 9 score cp -7 pv 2g2f"], "the guess's worker alone");
}

#[test]
fn at_a_hit_the_workers_of_other_replies_stop() {
    let mut table = Table::playing(3);
    table.ponder();
    (0..3).for_each(|id| _ = table.told(id));
    table.outside("ponderhit");
    assert_eq!([0, 1, 2].map(|id| table.told(id)), ["ponderhit", "stop", "stop"]);
    table.worker(1, "bestmove 2g2f");
    table.worker(0, "info depth 9 score cp 4 pv 2g2f 8c8d");
    table.worker(0, "bestmove 2g2f ponder 8c8d");
    table.worker(2, "bestmove 2g2f");
    let said = ["info depth 9 score cp 4 pv 2g2f 8c8d", "bestmove 2g2f ponder 8c8d"];
    assert_eq!(table.said(), said);
    assert!(table.complained.is_empty() && table.killed.is_empty());
}

#[test]
fn a_hit_with_clocks_is_passed_on_with_less_time() {
    let mut table = Table::playing(2);
    table.outside("position startpos moves 7g7f 3c3d");
    table.outside("go ponder");
    table.rank("8c8d");
    assert_eq!(table.last_told(0), "go ponder");
    table.outside(&format!("ponderhit {CLOCK}"));
    assert_eq!(table.told(0), "ponderhit btime 59990 wtime 60000 byoyomi 1000");
}

#[test]
fn a_miss_that_another_worker_has_pondered_on_is_a_hit() {
    let mut table = Table::playing(3);
    table.ponder();
    // Longer than all the time on the clock, of which none goes by meanwhile.
    for _ in 0..100 {
        table.after(900);
        (0..3).for_each(|id| table.worker(id, "info nodes 1"));
    }
    _ = (table.said(), (0..3).for_each(|id| _ = table.told(id)));
    table.outside("stop");
    assert_eq!([0, 1, 2].map(|id| table.told(id)), ["stop", "", ""]);
    table.after(5);
    assert!(table.said().is_empty());
    table.worker(0, "bestmove 2g2f ponder 8c8d");
    assert_eq!(table.said(), ["bestmove 2g2f ponder 8c8d"]);
    table.outside("position startpos moves 7g7f 4a3b");
    table.outside("go btime 50000 wtime 60000 byoyomi 1000");
    let hit = "ponderhit btime 49990 wtime 60000 byoyomi 1000";
    assert_eq!([0, 1, 2].map(|id| table.told(id)), ["", "stop", hit]);
    table.worker(2, "info depth 12 score cp 30 pv 2g2f");
    table.worker(1, "bestmove 1g1f");
    table.worker(2, "bestmove 2g2f");
    assert_eq!(table.said(), ["info depth 12 score cp 30 pv 2g2f", "bestmove 2g2f"]);
    // It leads from now on.
    table.outside("position startpos moves 7g7f 4a3b 2g2f 3c3d");
    table.outside(&format!("go ponder {CLOCK}"));
    assert!(table.told(2).ends_with("2g2f 3c3d; go ponder btime 59990 wtime 60000 byoyomi 1000"));
}

#[test]
fn stop_position_and_go_in_one_breath_are_a_hit_too() {
    let mut table = Table::playing(2);
    table.ponder();
    (0..2).for_each(|id| _ = table.told(id));
    table.outside("stop");
    table.outside("position startpos moves 7g7f 8c8d");
    table.outside(&format!("go {CLOCK}"));
    assert_eq!([0, 1].map(|id| table.told(id)), ["stop", ""]);
    table.after(4);
    table.worker(0, "bestmove 2g2f");
    assert_eq!(table.told(1), "ponderhit btime 59986 wtime 60000 byoyomi 1000");
    table.worker(1, "bestmove 2f2e");
    assert_eq!(table.said(), ["bestmove 2g2f"], "an illegal move is no answer");
    assert_eq!(table.killed, [1]);
}

#[test]
fn engines_of_another_make_are_told_only_what_they_understand() {
    let mut table = Table::playing_with(2, "Another");
    let miss = |table: &mut Table, clock: &str| {
        table.ponder();
        table.outside("stop");
        table.worker(0, "bestmove 2g2f");
        (0..2).for_each(|id| _ = table.told(id));
        table.outside("position startpos moves 7g7f 8c8d");
        table.outside(&format!("go {clock}"));
        table.told(1)
    };
    assert_eq!(miss(&mut table, CLOCK), "ponderhit", "its clock is that of its go ponder");
    table.worker(1, "bestmove 2g2f");
    // The leader is the other one now, so the guess is its.
    table.outside("usinewgame");
    let other = "btime 40000 wtime 60000 byoyomi 1000";
    assert_eq!(miss(&mut table, other), "stop");
    table.worker(1, "bestmove 2g2f");
    let fresh = "position startpos moves 7g7f 8c8d; go btime 39990 wtime 60000 byoyomi 1000";
    assert_eq!(table.told(1), fresh);
}

#[test]
fn a_miss_by_all_is_searched_by_the_leader() {
    let mut table = Table::playing(3);
    table.ponder();
    table.outside("stop");
    table.worker(0, "bestmove 2g2f");
    (0..3).for_each(|id| _ = table.told(id));
    table.outside("position startpos moves 7g7f 1c1d");
    table.outside(&format!("go {CLOCK}"));
    let fresh = "position startpos moves 7g7f 1c1d; go btime 59990 wtime 60000 byoyomi 1000";
    assert_eq!([0, 1, 2].map(|id| table.told(id)), [fresh, "stop", "stop"]);
    table.worker(0, "bestmove 2g2f");
    assert_eq!(table.said().last().unwrap(), "bestmove 2g2f");
}

#[test]
fn pondering_after_a_miss_does_not_go_on_for_ever() {
    let mut table = Table::playing(2);
    table.ponder();
    table.outside("stop");
    table.worker(0, "bestmove 2g2f");
    _ = table.told(1);
    table.after(4_900);
    assert!(!table.told(1).contains("stop"));
    table.after(200);
    assert_eq!(table.told(1), "stop");
}

#[test]
fn every_go_has_one_answer() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go infinite");
    assert_eq!(table.told(0), "position startpos; go infinite");
    assert_eq!(table.told(1), "", "one worker analyses");
    table.outside("stop");
    table.outside("stop");
    assert_eq!(table.told(0), "stop");
    table.worker(0, "bestmove 7g7f");
    table.outside("stop");
    table.outside("ponderhit");
    assert_eq!(table.said(), ["bestmove 7g7f"]);
    // One go upon another ends it.
    table.outside("go nodes 100");
    table.outside("go mate 1000");
    assert_eq!(table.told(0), "position startpos; go nodes 100; stop");
    table.worker(0, "bestmove 2g2f");
    assert_eq!(table.told(0), "position startpos; go mate 1000");
    table.worker(0, "checkmate nomate");
    assert_eq!(table.said(), ["bestmove 2g2f", "checkmate nomate"]);
}

#[test]
fn an_early_answer_to_an_analysis_waits_for_stop() {
    let mut table = Table::playing_with(2, "Another");
    table.outside("position startpos");
    table.outside("go infinite");
    table.worker(0, "info depth 30 score cp 9 pv 7g7f");
    table.worker(0, "bestmove 7g7f");
    assert_eq!(table.said(), ["info depth 30 score cp 9 pv 7g7f"]);
    table.outside("stop");
    assert_eq!(table.said(), ["bestmove 7g7f"]);
}

#[test]
fn a_worker_that_dies_while_pondering_is_replaced_and_started_again() {
    let mut table = Table::playing(3);
    table.ponder();
    (0..3).for_each(|id| _ = table.told(id));
    table.dies(0);
    assert_eq!((&table.killed[..], &table.started[..]), (&[0][..], &[0][..]));
    assert_eq!(table.complained, ["worker 1 (Kawasemi test): it died; it is started again"]);
    // Another one leaves its reply for the guess.
    assert_eq!(table.told(1), "stop");
    table.worker(1, "bestmove 2g2f");
    assert_eq!(table.told(1), pondering("3c3d"));
    table.revive(0);
    assert!(table.told(0).ends_with(&pondering("8c8d")), "the reply that was left");
    table.outside("ponderhit");
    assert_eq!(table.told(1), "ponderhit");
    table.worker(1, "bestmove 2g2f");
    assert_eq!(table.said().last().unwrap(), "bestmove 2g2f");
}

#[test]
fn a_worker_that_dies_on_the_own_turn_leaves_the_rest_of_the_time_to_another() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go btime 5000 wtime 5000 byoyomi 1000");
    assert!(table.told(0).ends_with("go btime 4990 wtime 5000 byoyomi 1000"));
    table.after(2000);
    table.dies(0);
    assert_eq!(table.told(1), "position startpos; go btime 2990 wtime 5000 byoyomi 1000");
    table.worker(1, "bestmove 7g7f");
    assert_eq!(table.said().last().unwrap(), "bestmove 7g7f");
}

#[test]
fn a_worker_that_hangs_gives_no_sign_of_life_and_is_replaced() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside(&format!("go {CLOCK}"));
    _ = table.told(0);
    table.after(900);
    table.worker(0, "info depth 3 score cp 1 pv 7g7f");
    table.after(1100);
    assert_eq!(table.told(0), "usi");
    table.worker(0, "usiok");
    table.after(1100);
    assert_eq!(table.told(0), "usi");
    table.after(5000);
    assert_eq!(table.killed, [0]);
    assert!(table.complained[0].contains("no sign of life"), "{:?}", table.complained);
    assert!(table.told(1).starts_with("position startpos; go btime 5"));
}

#[test]
fn with_little_time_a_sign_of_life_is_waited_for_more_shortly() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go btime 10000 wtime 10000 byoyomi 0");
    table.after(2300);
    assert_eq!(table.killed, [0]);
    assert_eq!(table.last_told(1), "go btime 7740 wtime 10000 byoyomi 0");
}

#[test]
fn a_worker_that_does_not_stop_costs_neither_the_game_nor_the_answer() {
    let mut table = Table::playing(2);
    table.ponder();
    (0..2).for_each(|id| _ = table.told(id));
    table.outside("stop");
    table.after(900);
    assert!(table.said().is_empty());
    table.after(200);
    let said = table.said();
    assert!(said.len() == 1 && said[0].starts_with("bestmove "), "{said:?}");
    assert!(table.told(0).starts_with("stop"));
    assert!(!table.told(1).contains("stop"), "the other one ponders on");
    table.outside("position startpos moves 7g7f 8c8d");
    table.outside(&format!("go {CLOCK}"));
    assert_eq!(table.told(1), "ponderhit btime 59990 wtime 60000 byoyomi 1000");
    table.after(2000);
    assert_eq!(table.killed, [0]);
    table.worker(1, "bestmove 2g2f");
    assert_eq!(table.said(), ["bestmove 2g2f"]);
}

#[test]
fn when_time_runs_out_the_best_move_known_is_played() {
    let mut table = Table::playing_with(1, "Another");
    table.outside("position startpos");
    table.outside("go btime 0 wtime 0 byoyomi 1000");
    table.worker(0, "info depth 3 score cp 1 pv 2g2f 3c3d");
    _ = (table.said(), table.told(0));
    table.after(935);
    assert_eq!(table.told(0), "");
    table.after(10);
    assert_eq!(table.told(0), "stop");
    table.after(30);
    assert_eq!(table.said(), ["bestmove 2g2f ponder 3c3d"]);
    table.worker(0, "bestmove 7g7f");
    assert!(table.said().is_empty());
    // And without any worker.
    table.outside("go btime 0 wtime 0 byoyomi 1000");
    table.dies(0);
    table.after(1000);
    assert_eq!(table.said().len(), 1);
}

#[test]
fn with_nobody_alive_the_first_to_be_ready_takes_over() {
    let mut table = Table::playing(1);
    table.outside("position startpos");
    table.outside(&format!("go {CLOCK}"));
    table.dies(0);
    assert_eq!(table.started, [0]);
    table.revive(0);
    assert!(table.told(0).ends_with("position startpos; go btime 59990 wtime 60000 byoyomi 1000"));
    table.worker(0, "bestmove 7g7f");
    assert_eq!(table.said().last().unwrap(), "bestmove 7g7f");
}

#[test]
fn a_worker_that_never_starts_is_tried_less_and_less_often() {
    let mut table = Table::new(&[true]);
    table.outside("usi");
    table.dies(0);
    assert_eq!(table.started, [0, 0]);
    table.dies(0);
    table.after(900);
    assert_eq!(table.started.len(), 2);
    table.after(200);
    assert_eq!(table.started.len(), 3);
}

/// It said `usiok` and `readyok`, and played moves that nobody had searched for.
#[test]
fn where_no_worker_can_be_started_it_ends_as_an_error() {
    let mut table = Table::new(&[true, true]);
    table.outside("usi");
    table.outside("isready");
    (0..2).for_each(|id| table.dies(id));
    (0..2).for_each(|id| table.dies(id));
    table.after(1100);
    table.dies(0);
    assert!(!table.over, "the other one may still come");
    table.dies(1);
    assert!(table.over && table.said().is_empty());
    let error = "error: no worker can be started: worker 2: it died";
    assert_eq!(table.complained.last().unwrap(), error);
    assert_eq!(table.coordinator.in_vain.as_deref(), error.strip_prefix("error: "));
}

#[test]
fn workers_that_were_ready_once_are_waited_for_and_that_none_is_now_is_an_error() {
    let mut table = Table::playing(1);
    table.dies(0);
    table.dies(0);
    table.after(1100);
    table.dies(0);
    table.outside("usi");
    assert_eq!(table.said().last().unwrap(), "usiok", "nobody else will say it");
    table.outside("isready");
    assert_eq!(table.said().last().unwrap(), "readyok");
    assert_eq!(table.complained.last().unwrap(), "error: 1 of 1 workers are not ready");
    table.outside("position startpos");
    table.outside("go nodes 10");
    assert!(table.said().last().unwrap().starts_with("bestmove "));
    assert!(!table.over);
}

#[test]
fn answers_that_are_none_count_as_faults() {
    for line in ["bestmove 7g7e", "bestmove win", "bestmove", "checkmate nomate"] {
        let mut table = Table::playing(2);
        table.outside("position startpos");
        table.outside(&format!("go {CLOCK}"));
        table.worker(0, line);
        assert_eq!(table.killed, [0], "{line}");
        table.worker(1, "bestmove 7g7f ponder 7g7f");
        assert_eq!(table.said(), ["bestmove 7g7f"], "{line}");
    }
    let mut table = Table::playing(2);
    table.worker(1, "bestmove 7g7f");
    assert_eq!(table.killed, [1], "nobody has asked");
}

#[test]
fn an_answer_before_the_hit_is_kept_for_it() {
    let mut table = Table::playing(2);
    table.ponder();
    table.worker(0, "bestmove 2g2f");
    assert!(table.said().is_empty());
    table.outside("ponderhit");
    assert_eq!(table.said(), ["bestmove 2g2f"]);
    table.worker(1, "bestmove 2g2f");
    assert!(table.said().is_empty() && table.killed.is_empty());
}

/// A move that was to take so long, and no longer, was never played.
#[test]
fn a_worker_that_hangs_costs_no_answer_where_a_time_is_set_for_the_move() {
    let mut table = Table::playing_with(2, "Another");
    table.outside("position startpos");
    table.outside("go movetime 1500");
    table.after(2000);
    assert!(table.said().is_empty() && table.killed.is_empty());
    table.after(1000);
    let said = table.said();
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
}

/// What a worker took once for a greeting was taken off every clock, even by the next process.
#[test]
fn a_worker_that_is_started_again_is_measured_anew() {
    let mut table = Table::distant(400);
    table.outside("go btime 0 wtime 0 byoyomi 3000");
    assert_eq!(table.last_told(0), "go btime 0 wtime 0 byoyomi 2600");
    table.dies(0);
    table.revive(0);
    table.outside("stop");
    table.worker(0, "bestmove 7g7f");
    table.outside("go btime 0 wtime 0 byoyomi 3000");
    assert_eq!(table.last_told(0), "go btime 0 wtime 0 byoyomi 2990");
}

#[test]
fn latency_is_taken_off_the_clock() {
    let mut table = Table::distant(120);
    table.outside("go btime 100 wtime 0 byoyomi 1000");
    assert_eq!(table.last_told(0), "go btime 0 wtime 0 byoyomi 980");
}

#[test]
fn workers_vote_where_they_are_to() {
    let vote = |rule: &str| {
        let mut table = Table::playing(3);
        table.outside(&format!("setoption name MultiPonderOwnTurn value {rule}"));
        table.outside("position startpos");
        table.outside(&format!("go {CLOCK}"));
        assert!((0..3).all(|id| table.last_told(id).starts_with("go btime 59990 ")));
        table.worker(0, "info depth 5 score cp 90 pv 7g7f");
        table.worker(1, "info depth 5 score cp 10 pv 2g2f");
        table.worker(2, "info depth 5 score cp 20 pv 2g2f");
        table.worker(0, "bestmove 7g7f");
        assert_eq!([1, 2].map(|id| table.told(id)), ["stop", "stop"]);
        table.worker(2, "bestmove 2g2f ponder 8c8d");
        assert_eq!(table.said(), ["info depth 5 score cp 90 pv 7g7f"]);
        table.worker(1, "bestmove 2g2f");
        table.said()
    };
    let majority = ["info depth 5 score cp 20 pv 2g2f", "bestmove 2g2f ponder 8c8d"];
    assert_eq!(vote("majority"), majority);
    assert_eq!(vote("optimistic"), ["info depth 5 score cp 90 pv 7g7f", "bestmove 7g7f"]);
}

#[test]
fn votes_that_come_late_or_never_do_not_count() {
    let mut table = Table::playing(3);
    table.outside("setoption name MultiPonderOwnTurn value majority");
    table.outside("position startpos");
    table.outside(&format!("go {CLOCK}"));
    table.dies(2);
    table.worker(0, "bestmove 7g7f");
    assert!(table.said().is_empty());
    table.after(210);
    assert_eq!(table.said(), ["bestmove 7g7f"]);
    table.worker(1, "bestmove 2g2f");
    assert!(table.said().is_empty());
    assert_eq!(table.killed, [2]);
}

#[test]
fn isready_is_answered_at_once_during_a_search_and_ends_no_pondering_of_a_go() {
    let mut table = Table::playing(2);
    table.ponder();
    _ = (table.said(), table.told(0));
    table.outside("isready");
    assert_eq!((table.said(), table.told(0)), (vec!["readyok".to_owned()], String::new()));
}

#[test]
fn isready_behind_a_stop_is_answered_when_the_workers_have_got_ready() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go infinite");
    _ = table.told(0);
    table.outside("stop");
    table.outside("isready");
    assert_eq!([0, 1].map(|id| table.told(id)), ["stop", "isready"]);
    table.worker(1, "readyok");
    assert!(table.said().is_empty());
    table.worker(0, "bestmove 7g7f");
    assert_eq!(table.said(), ["bestmove 7g7f"]);
    assert_eq!(table.told(0), "isready");
    table.worker(0, "readyok");
    assert_eq!(table.said().last().unwrap(), "readyok");
}

#[test]
fn options_wait_for_the_end_of_a_search() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go infinite");
    _ = table.told(0);
    table.outside("setoption name MultiPV value 3");
    assert_eq!(table.told(0), "");
    assert_eq!(table.told(1), "setoption name MultiPV value 3");
    table.outside("stop");
    table.worker(0, "bestmove 7g7f");
    assert_eq!(table.told(0), "stop; setoption name MultiPV value 3");
    table.outside("setoption name MultiPonderTime value 1");
    assert_eq!(table.complained, ["MultiPonderTime is from 10 to 10000"]);
}

/// A worker that ranks moves is told another number of lines, and then this one again.
#[test]
fn a_value_that_an_option_cannot_have_is_refused_and_goes_to_nobody() {
    let mut table = Table::playing(2);
    table.outside("setoption name MultiPV value 601");
    assert_eq!(table.complained.len(), 1, "{:?}", table.complained);
    assert!(table.complained[0].contains("MultiPV"), "{:?}", table.complained);
    assert_eq!((table.told(0), table.told(1)), (String::new(), String::new()));
}

#[test]
fn an_option_that_nobody_has_is_no_mistake_until_all_have_said_what_they_have() {
    let mut table = Table::new(&[true, true]);
    table.greet(0, 0);
    table.outside("setoption name Foo value 1");
    assert!(table.complained.is_empty(), "{:?}", table.complained);
    table.worker(1, "option name Other type spin default 1 min 1 max 9");
    table.greet(1, 0);
    table.outside("setoption name other value 2");
    table.outside("setoption name MultiPonderTime value 20");
    assert!(table.complained.is_empty(), "{:?}", table.complained);
    table.outside("setoption name Foo value 1");
    assert_eq!(table.complained.len(), 1);
    assert!(table.complained[0].contains("no option is called \"Foo\""), "{:?}", table.complained);
}

#[test]
fn workers_are_told_an_option_by_the_name_that_they_declare() {
    let mut table = Table::playing(2);
    table.outside("setoption name usi_multipv value 3");
    assert_eq!(table.told(1), "setoption name MultiPV value 3");
    table.outside("setoption name Hash value 64");
    assert_eq!(table.told(1), "setoption name USI_Hash value 32");
}

#[test]
fn a_gui_that_sends_every_default_back_leaves_the_logs_as_they_were() {
    let logs = ["my m.log".into(), "späße.log".into()].map(Some);
    let [debug_log, thinking_log] = logs.clone();
    let settings = Settings { debug_log, thinking_log, ..Settings::default() };
    let mut table = Table::with_settings(&[true], settings);
    table.greet(0, 0);
    table.outside("usi");
    let said = table.said();
    let declared: Vec<(&str, &str)> = (said.iter())
        .filter_map(|line| line.strip_prefix("option name ")?.split_once(" type string default "))
        .collect();
    let named = |log: &str| declared.iter().filter(|(name, _)| *name == log).count();
    assert_eq!(["DebugLogFile", "ThinkingLog"].map(named), [1, 1], "{declared:?}");
    let log_files = |table: &Table| {
        let settings = &table.coordinator.settings;
        [settings.debug_log.clone(), settings.thinking_log.clone()]
    };
    for (name, default) in declared {
        table.outside(&format!("setoption name {name} value {default}"));
    }
    assert_eq!(log_files(&table), logs);
    table.outside("setoption name DebugLogFile value <empty>");
    assert_eq!(log_files(&table)[0], None, "a log can still be closed");
    assert!(!table.told(0).contains("Log"));
}

#[test]
fn names_of_files_reach_the_workers_in_whatever_encoding_they_came() {
    let mut table = Table::playing(2);
    // In Shift_JIS, where the second byte of a character may be a backslash.
    let set = b"setoption name EvalFile value \x83\\\x8e\xa1 n.bin";
    table.outside_bytes(set);
    let line = set.escape_ascii().to_string();
    assert_eq!([0, 1].map(|id| table.told(id)), [line.clone(), line.clone()]);
    table.dies(1);
    table.revive(1);
    assert!(table.told(1).contains(&line));
    table.outside_bytes(b"gameover \x83\x5c\r");
    assert_eq!(table.told(0), "gameover \\x83\\\\");
}

#[test]
fn the_end_of_a_game_ends_all_pondering() {
    let mut table = Table::playing(2);
    table.ponder();
    (0..2).for_each(|id| _ = table.told(id));
    table.outside("gameover win");
    assert_eq!([0, 1].map(|id| table.told(id)), ["stop", "stop"]);
    table.worker(0, "bestmove 2g2f");
    table.worker(1, "bestmove 2g2f");
    assert_eq!([0, 1].map(|id| table.told(id)), ["gameover win", "gameover win"]);
    assert_eq!(table.said(), ["bestmove 2g2f"]);
}

#[test]
fn a_position_that_was_refused_is_answered_by_nothing_found_of_another() {
    for wrong in [
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f 3c3x",
        "posdiff 3c3d 8h2b++",
        "position sfen 9/9/9 b - 1",
        "position",
    ] {
        let mut table = Table::playing(2);
        table.outside("position startpos moves 7g7f");
        table.outside(wrong);
        assert_eq!(table.complained.len(), 1, "{:?}", table.complained);
        table.outside("go btime 1000 wtime 1000");
        table.outside("go mate 10");
        assert_eq!(table.said(), ["bestmove resign", "checkmate timeout"], "{wrong}");
        for (waiting, word) in [("go infinite", "stop"), ("go ponder btime 1000", "ponderhit")] {
            table.outside(waiting);
            assert_eq!(table.said(), [""; 0], "{wrong}, {waiting}");
            table.outside(word);
            assert_eq!(table.said(), ["bestmove resign"], "{wrong}, {waiting}");
        }
        assert_eq!([0, 1].map(|id| table.told(id)), ["", ""], "{wrong}");
        table.outside("position startpos moves 7g7f 3c3d");
        table.outside("go nodes 1");
        assert_eq!(table.told(0), "position startpos moves 7g7f 3c3d; go nodes 1");
    }
}

#[test]
fn after_a_position_too_long_to_be_read_no_go_is_answered_for_the_one_before() {
    let mut table = Table::playing(1);
    table.outside("position startpos moves 7g7f");
    table.outside_cut("setoption name EvalFile value x");
    table.outside("go nodes 1");
    assert_eq!(table.told(0), "position startpos moves 7g7f; go nodes 1");
    table.worker(0, "bestmove 3c3d");
    assert_eq!(table.said(), ["bestmove 3c3d"], "it has said nothing of the position");
    for cut in ["position startpos moves 7g7f 3c3d 2g", "posdiff 3c3d 2"] {
        table.outside_cut(cut);
        assert_eq!(table.complained.pop().unwrap(), "a line of more than 16 MiB was ignored");
        table.outside("go nodes 1");
        assert_eq!(table.said(), ["bestmove resign"], "{cut}");
        table.outside("position startpos moves 7g7f");
    }
    assert_eq!(table.told(0), "");
}

#[test]
fn a_refused_position_ends_what_was_pondered() {
    let mut table = Table::playing(2);
    table.ponder();
    (0..2).for_each(|id| _ = table.told(id));
    table.outside("position startpos moves 7g7f 3c3x");
    table.outside("go btime 1000 wtime 1000");
    assert_eq!([0, 1].map(|id| table.told(id)), ["stop", ""]);
    table.worker(0, "bestmove 2g2f");
    assert_eq!(table.said(), ["bestmove 2g2f", "bestmove resign"]);
    assert_eq!(table.told(1), "stop");
}

#[test]
fn what_cannot_be_played_is_refused_and_what_is_unknown_passed_on() {
    let mut table = Table::playing(2);
    table.outside("position startpos moves 7g7f 3c3e 2g2f");
    assert!(table.complained[0].starts_with("move 2 (3c3e) cannot be played: "));
    table.outside("position sfen 8k/9 b - 1");
    assert!(table.complained[1].starts_with("position refused: "), "{:?}", table.complained);
    table.outside("d");
    assert_eq!(table.told(0), "position startpos moves 7g7f; d");
    table.worker(0, "a board");
    table.worker(1, "noise");
    assert_eq!(table.said(), ["a board"]);
    table.outside("position startpos moves 7g7f");
    table.outside("posdiff 3c3d");
    table.outside("go nodes 1");
    assert_eq!(table.told(0), "position startpos moves 7g7f 3c3d; go nodes 1");
    table.worker(0, "bestmove 2g2f");
    table.outside("quit");
    assert!(table.over);
}

/// A worker was told them, and may have obeyed.
#[test]
fn remarks_are_not_passed_on() {
    let mut table = Table::playing(2);
    for line in ["# quit", "", "#d"] {
        table.outside(line);
    }
    assert_eq!([0, 1].map(|id| table.told(id)), ["", ""]);
    assert!(!table.over && table.complained.is_empty(), "{:?}", table.complained);
}

#[test]
fn a_go_before_quit_is_answered_before_the_end() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go infinite");
    _ = table.told(0);
    table.outside("quit");
    assert_eq!(table.told(0), "stop");
    assert!(!table.over);
    table.worker(0, "bestmove 7g7f");
    assert_eq!(table.said(), ["bestmove 7g7f"]);
    assert!(table.over);
}

#[test]
fn after_quit_a_worker_that_does_not_answer_is_not_waited_for_longer_than_half_a_second() {
    let mut table = Table::playing(2);
    table.outside("position startpos");
    table.outside("go infinite");
    table.worker(0, "info depth 3 score cp 1 pv 2g2f 3c3d");
    _ = table.said();
    table.outside("quit");
    table.after(490);
    assert!(!table.over && table.said().is_empty());
    table.after(20);
    assert_eq!(table.said(), ["bestmove 2g2f ponder 3c3d"]);
    let remark = "no worker has answered in time; the best move known is played";
    assert_eq!(table.complained, [remark]);
    assert!(table.over);
}

#[test]
fn usi_and_isready_before_quit_are_answered_too_where_that_does_not_take_long() {
    let mut table = Table::new(&[true]);
    for line in ["usi", "isready", "position startpos", "go nodes 1000", "quit"] {
        table.outside(line);
    }
    table.greet(0, 1);
    table.worker(0, "readyok");
    let said = table.said();
    let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(["bestmove ", "usiok", "readyok"].map(count), [1, 1, 1], "{said:?}");
    let remark = "no worker has answered in time; a move without a search is played";
    assert_eq!(table.complained, [remark]);
    assert!(table.over);
    let mut table = Table::new(&[true]);
    table.outside("usi");
    table.outside("quit");
    table.after(510);
    assert!(table.over, "nobody waits for a worker that does not greet");
}
