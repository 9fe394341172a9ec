//! What ShogiHome 1.29 and its usi-csa-bridge send with early pondering (`enableEarlyPonder`): a
//! `go ponder` without clocks straight after the answer, and the clocks with the `ponderhit`. The
//! lines are those of its scenarios `usi-csa-bridge/e2e/scenario/{2,30}` and of
//! `src/background/usi/engine.ts`.

use std::time::Duration;

use kawasemi::search::request::Clock;
use kawasemi::types::ByColor;

use super::harness::{Gui, Search};

const fn seconds(black: u64, white: u64) -> ByColor<Duration> {
    ByColor([Duration::from_secs(black), Duration::from_secs(white)])
}

/// The handshake up to the first move.
fn greet() -> Gui {
    let mut gui = Gui::start();
    gui.send("usi");
    while gui.line() != "usiok" {}
    gui.send("setoption name USI_Hash value 32");
    gui.send("setoption name USI_Ponder value true");
    gui.send("isready");
    gui.expect("readyok");
    gui.send("usinewgame");
    gui.settle();
    gui.forget_calls();
    gui
}

/// Sends `go` for a position; the search it begins.
fn go(gui: &mut Gui, moves: &str, clocks: &str) -> Search {
    gui.send(&format!("position startpos{moves}"));
    gui.send(&format!("go {clocks}"));
    gui.search()
}

/// Sends `go ponder` for a position; the search it begins, which must not be answered.
fn ponder(gui: &mut Gui, moves: &str) -> Search {
    let search = go(gui, moves, "ponder");
    assert!(search.request.limits.ponder);
    gui.expect_silence();
    search
}

/// The clock that the backend is told with the hit.
fn hit(gui: &mut Gui, clocks: &str) -> Clock {
    gui.send(&format!("ponderhit {clocks}"));
    gui.ponder_hit().expect("clocks")
}

#[test]
fn early_pondering_of_the_bridge_gets_its_clocks_with_the_hit() {
    let mut gui = greet();
    let search = go(&mut gui, " moves 2g2f", "btime 33000 wtime 30000 binc 5000 winc 5000");
    search.plays("8c8d 2f2e");
    gui.expect_move("8c8d ponder 2f2e");
    // A hit.
    let search = ponder(&mut gui, " moves 2g2f 8c8d 2f2e");
    let clock = hit(&mut gui, "btime 36000 wtime 34000 binc 5000 winc 5000");
    assert_eq!((clock.time, clock.increment), (seconds(36, 34), seconds(5, 5)));
    search.plays("8d8e 7g7f");
    gui.expect_move("8d8e ponder 7g7f");
    // A miss.
    let search = ponder(&mut gui, " moves 2g2f 8c8d 2f2e 8d8e 7g7f");
    gui.stop_search(&search, "8e8f");
    let clocks = "btime 38000 wtime 38000 binc 5000 winc 5000";
    let search = go(&mut gui, " moves 2g2f 8c8d 2f2e 8d8e 6i7h", clocks);
    assert_eq!(search.request.limits.clock.unwrap().increment, seconds(5, 5));
    search.plays("3c3d 2e2d");
    gui.expect_move("3c3d ponder 2e2d");
    // The game ends while the engine ponders.
    let search = ponder(&mut gui, " moves 2g2f 8c8d 2f2e 8d8e 6i7h 3c3d 2e2d");
    gui.send("stop");
    gui.send("gameover win");
    gui.expect_stop();
    search.plays("8e8f");
    gui.expect_move("8e8f");
    gui.quit();
}

#[test]
fn early_pondering_of_the_first_player_is_answered_once_for_each_search() {
    let mut gui = greet();
    let search = go(&mut gui, "", "btime 30000 wtime 30000 binc 5000 winc 5000");
    search.plays("2g2f 8c8d");
    gui.expect_move("2g2f ponder 8c8d");
    let search = ponder(&mut gui, " moves 2g2f 8c8d");
    let clock = hit(&mut gui, "btime 34000 wtime 33000 binc 5000 winc 5000");
    assert_eq!(clock.time, seconds(34, 33));
    search.plays("2f2e 8d8e");
    gui.expect_move("2f2e ponder 8d8e");
    let search = ponder(&mut gui, " moves 2g2f 8c8d 2f2e 8d8e");
    gui.stop_search(&search, "6i7h");
    let clocks = "btime 38000 wtime 36000 binc 5000 winc 5000";
    let search = go(&mut gui, " moves 2g2f 8c8d 2f2e 3c3d", clocks);
    search.plays("6i7h 4a3b");
    gui.expect_move("6i7h ponder 4a3b");
    gui.expect_silence();
    gui.quit();
}

#[test]
fn early_pondering_in_a_game_with_byoyomi_gets_main_time_and_byoyomi() {
    let mut gui = greet();
    go(&mut gui, "", "btime 0 wtime 0 byoyomi 1000").plays("2g2f 8c8d");
    gui.expect_move("2g2f ponder 8c8d");
    let search = ponder(&mut gui, " moves 2g2f 8c8d");
    let clock = hit(&mut gui, "btime 37082 wtime 23103 byoyomi 10000");
    let millis = |black, white| ByColor([black, white].map(Duration::from_millis));
    assert_eq!((clock.time, clock.byoyomi), (millis(37_082, 23_103), seconds(10, 10)));
    search.plays("2f2e");
    gui.expect_move("2f2e");
    gui.quit();
}

/// The bridge ponders before the server has confirmed the move, so the game may end, or be refused,
/// while the engine is asked to get ready for the next one.
#[test]
fn a_game_that_ends_in_early_pondering_is_followed_by_another() {
    let mut gui = greet();
    go(&mut gui, "", "btime 30000 wtime 30000 binc 5000 winc 5000").plays("2g2f 8c8d");
    gui.expect_move("2g2f ponder 8c8d");
    let search = ponder(&mut gui, " moves 2g2f 8c8d");
    for line in ["stop", "gameover draw", "isready"] {
        gui.send(line);
    }
    gui.expect_stop();
    search.plays("2f2e");
    gui.expect_move("2f2e");
    gui.expect("readyok");
    gui.send("usinewgame");
    gui.settle();
    gui.forget_calls();
    go(&mut gui, "", "btime 30000 wtime 30000 binc 5000 winc 5000").plays("7g7f");
    gui.expect_move("7g7f");
    gui.quit();
}
