//! The limits of a search: nodes, depth, time, moves.

use super::engine::{Engine, ms};
use super::game::Game;

const MIDDLE_GAME: &str =
    "l2g3nl/1ks2rg2/pppp1sbpp/4ppp2/7P1/2PPPPP2/PP1GSSN1P/2GB3R1/LNK5L w n 50";

#[test]
fn one_thread_searches_exactly_the_node_limit() {
    let mut engine = Engine::ready(&[]);
    let game = Game::from(MIDDLE_GAME);
    for nodes in [1, 2, 31, 500, 511, 512, 513, 7777, 50_000] {
        let answer = engine.ask(&game, &format!("go nodes {nodes}"));
        assert_eq!(answer.last().nodes, nodes);
    }
    engine.quit();
}

#[test]
fn more_threads_search_hardly_more_nodes_than_the_limit() {
    let mut engine = Engine::ready(&["Threads=4"]);
    let game = Game::from(MIDDLE_GAME);
    for nodes in [1, 1000, 20_000] {
        for _ in 0..5 {
            let searched = engine.ask(&game, &format!("go nodes {nodes}")).last().nodes;
            assert!((nodes..nodes + 512 + 3 * 256).contains(&searched), "{searched} of {nodes}");
        }
    }
    engine.quit();
}

#[test]
fn the_same_search_after_a_new_game_takes_the_same_nodes() {
    let mut engine = Engine::ready(&[]);
    let game = Game::from(MIDDLE_GAME);
    let mut searched = Vec::new();
    for between in [&["usinewgame"][..], &["isready", "usinewgame"], &["usinewgame", "isready"]] {
        for line in between {
            engine.send(line);
            if *line == "isready" {
                engine.expect("readyok");
            }
        }
        let answer = engine.ask(&game, "go depth 7");
        searched.push((answer.text.clone(), answer.last().nodes, answer.last().pv));
    }
    searched.dedup();
    assert_eq!(searched.len(), 1, "{searched:?}");
    engine.quit();
}

#[test]
fn a_depth_is_reached_and_not_passed() {
    let mut engine = Engine::ready(&[]);
    for depth in [1, 2, 5, 8] {
        let answer = engine.ask(&Game::new(), &format!("go depth {depth}"));
        let depths: Vec<u32> = answer.infos().iter().map(|info| info.depth).collect();
        assert!(depths.iter().all(|&reached| reached <= depth), "{depths:?}");
        assert_eq!(answer.last().depth, depth);
        assert!(answer.last().score.is_some());
    }
    engine.quit();
}

/// Upper limits are tested with the clock of the time budget; here, that the clock counts at all.
#[test]
fn a_search_uses_the_byoyomi_or_the_time_for_the_move() {
    let mut engine = Engine::ready(&["Threads=2"]);
    for (go, least) in [
        ("go btime 0 wtime 0 byoyomi 50", 20),
        ("go btime 0 wtime 0 byoyomi 50 binc 0 winc 0 nodes 0 rtime 0", 20),
        ("go movetime 60", 59),
    ] {
        let mut game = Game::new();
        for _ in 0..3 {
            let answer = engine.ask(&game, go);
            assert!(answer.took >= ms(least), "{go}: {:?}", answer.took);
            game.play(answer.best());
        }
    }
    engine.quit();
}

#[test]
fn a_clock_at_zero_still_gives_a_move() {
    let mut engine = Engine::ready(&[]);
    for go in [
        "go btime 0 wtime 0 byoyomi 0",
        "go btime 0 wtime 0",
        "go movetime 0",
        "go btime 1 wtime 1",
        "go byoyomi 1",
    ] {
        engine.ask(&Game::new(), go);
    }
    engine.quit();
}

#[test]
fn the_first_limit_that_is_reached_ends_the_search() {
    let mut engine = Engine::ready(&[]);
    let nodes = engine.ask(&Game::new(), "go nodes 300 depth 60 movetime 20000 byoyomi 20000");
    assert_eq!(nodes.last().nodes, 300);
    let depth = engine.ask(&Game::new(), "go movetime 20000 nodes 900000000 depth 3");
    assert_eq!(depth.last().depth, 3);
    engine.ask(&Game::new(), "go nodes 900000000000 movetime 30");
    engine.quit();
}

#[test]
fn only_the_moves_that_are_to_be_searched_are_played() {
    let mut engine = Engine::ready(&["MultiPV=5"]);
    for go in ["go searchmoves 9g9f 1g1f nodes 2000", "go nodes 2000 searchmoves 9g9f 1g1f"] {
        let answer = engine.ask(&Game::new(), go);
        let first_moves = answer.infos().into_iter().map(|info| info.pv[0].clone());
        assert!(first_moves.into_iter().all(|mv| ["9g9f", "1g1f"].contains(&mv.as_str())), "{go}");
    }
    engine.send("go searchmoves 5e5d nodes 100");
    let (lines, _) = engine.until("bestmove ");
    assert!(lines[0].starts_with("info string searchmoves not legal here: 5e5d"), "{lines:?}");
    engine.quit();
}
