//! Searches whose answer must wait: infinite ones and pondering.

use std::time::Instant;

use super::engine::{Answer, Engine, ms};
use super::game::Game;
use super::info::Info;

/// A mate in one, a forced move, and no move: each is found at once.
const SOON_OVER: [&str; 4] = [
    "4k4/9/4G4/9/9/9/9/9/4K4 b G 1",
    "k8/9/1G7/9/9/9/9/9/8K w - 1",
    "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    "GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1",
];

fn expect_no_answer(engine: &mut Engine, millis: u64) {
    for line in engine.during(ms(millis)) {
        assert!(line.starts_with("info "), "{line}");
    }
}

/// Reads reports until the engine has searched for this time by its own clock.
fn ponder_for(engine: &mut Engine, millis: u64) {
    loop {
        let (lines, _) = engine.until("info depth ");
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
        let last = lines.last().and_then(|line| Info::parse(line));
        if last.is_some_and(|info| info.time_ms >= millis) {
            return;
        }
    }
}

/// Sends the ponder hit and returns the answer.
fn hit(engine: &mut Engine, game: &Game, line: &str) -> Answer {
    let told = Instant::now();
    engine.send(line);
    let answer = engine.answer_since(told, "bestmove ");
    game.check(&answer);
    answer
}

#[test]
fn go_infinite_is_answered_only_after_stop() {
    let mut engine = Engine::ready(&[]);
    for game in SOON_OVER.map(Game::from).into_iter().chain([Game::new()]) {
        for go in ["go infinite", "go infinite depth 1", "go nodes 100 infinite"] {
            engine.send(&game.command());
            engine.send(go);
            expect_no_answer(&mut engine, 20);
            engine.stop(&game);
            engine.send("stop");
            assert_eq!(engine.settle(), Vec::<String>::new(), "{go}");
        }
    }
    engine.quit();
}

#[test]
fn a_stop_at_once_is_answered_by_a_move() {
    let mut engine = Engine::ready(&["Threads=2"]);
    let game = Game::new();
    for _ in 0..20 {
        engine.send_bytes(b"go infinite\nstop\n");
        let answer = engine.answer_since(Instant::now(), "bestmove ");
        game.check(&answer);
        assert!(answer.last().score.is_some(), "{:?}", answer.last());
    }
    engine.quit();
}

#[test]
fn the_answer_to_a_ponderhit_uses_the_clock_of_its_go() {
    let mut engine = Engine::ready(&["USI_Ponder=true"]);
    let game = Game::new().after("7g7f 3c3d");
    for go in ["go ponder btime 0 wtime 0 byoyomi 60", "go ponder movetime 60"] {
        engine.send(&game.command());
        engine.send(go);
        ponder_for(&mut engine, 150);
        let answer = hit(&mut engine, &game, "ponderhit");
        assert!(answer.took >= ms(20), "{go}: {:?}", answer.took);
        assert!(answer.last().time_ms >= 150, "counted from the question: {:?}", answer.last());
    }
    engine.quit();
}

#[test]
fn clocks_of_a_ponderhit_are_used() {
    let mut engine = Engine::ready(&["USI_Ponder=true"]);
    let game = Game::new().after("7g7f 3c3d");
    for go in ["go ponder", "go ponder btime 600000 wtime 600000 byoyomi 60000"] {
        engine.send(&game.command());
        engine.send(go);
        ponder_for(&mut engine, 30);
        let answer = hit(&mut engine, &game, "ponderhit btime 0 wtime 0 byoyomi 60");
        assert!(answer.took >= ms(20), "{go}: {:?}", answer.took);
    }
    engine.quit();
}

#[test]
fn a_ponderhit_without_clocks_uses_the_clock_of_the_last_move() {
    let mut engine = Engine::ready(&[]);
    let mut game = Game::new();
    let answer = engine.ask(&game, "go btime 0 wtime 0 byoyomi 60");
    game.play(answer.best());
    game.play(answer.ponder().expect("a reply that is expected"));
    engine.send(&game.command());
    engine.send("go ponder");
    ponder_for(&mut engine, 100);
    let answer = hit(&mut engine, &game, "ponderhit");
    assert!(answer.took >= ms(20), "{:?}", answer.took);
    engine.quit();
}

#[test]
fn a_result_while_pondering_waits_for_the_ponderhit_or_the_stop() {
    let mut engine = Engine::ready(&[]);
    for game in SOON_OVER.map(Game::from) {
        for end in ["ponderhit", "stop", "gameover win"] {
            engine.send(&game.command());
            engine.send("go ponder btime 0 wtime 0 byoyomi 100");
            expect_no_answer(&mut engine, 20);
            hit(&mut engine, &game, end);
        }
    }
    engine.quit();
}

#[test]
fn a_ponder_miss_is_stopped_and_the_next_go_answered() {
    let mut engine = Engine::ready(&["Threads=2"]);
    let guess = Game::new().after("7g7f 3c3d");
    let played = Game::new().after("7g7f 8c8d");
    for _ in 0..5 {
        engine.send(&guess.command());
        engine.send("go ponder btime 1000 wtime 1000");
        // All at once, as some GUIs do.
        engine.send_bytes(format!("stop\n{}\ngo nodes 300\n", played.command()).as_bytes());
        guess.check(&engine.answer_since(Instant::now(), "bestmove "));
        played.check(&engine.answer_since(Instant::now(), "bestmove "));
    }
    engine.quit();
}

#[test]
fn a_second_go_during_a_search_ends_it_and_both_are_answered() {
    let mut engine = Engine::ready(&[]);
    let (first, second) = (Game::new(), Game::new().after("7g7f"));
    for go in ["go infinite", "go byoyomi 100000", "go ponder"] {
        engine.send(&first.command());
        engine.send(go);
        engine.send(&second.command());
        engine.send("go nodes 300");
        first.check(&engine.answer_since(Instant::now(), "bestmove "));
        second.check(&engine.answer_since(Instant::now(), "bestmove "));
    }
    engine.quit();
}

#[test]
fn stochastic_ponder_answers_with_a_move_of_the_requested_position() {
    let mut engine = Engine::ready(&["Stochastic_Ponder=true"]);
    let game = Game::new().after("7g7f 3c3d");
    for end in ["ponderhit btime 0 wtime 0 byoyomi 50", "stop"] {
        engine.send(&game.command());
        engine.send("go ponder");
        // Its lines are for another position, so they have no moves.
        let (meanwhile, _) = engine.until("info depth ");
        assert!(meanwhile.iter().all(|line| !line.contains(" pv ")), "{meanwhile:?}");
        engine.send(end);
        let (lines, _) = engine.until("bestmove ");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        assert_eq!(game.playable(&[best]), 1);
    }
    engine.quit();
}
