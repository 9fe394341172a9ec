//! Weaker play on purpose.

use super::engine::{Engine, SLACK, ms};
use super::game::Game;

fn weak(level: i32) -> Engine {
    Engine::ready(&["USI_LimitStrength=true", &format!("USI_Strength={level}")])
}

#[test]
fn a_weak_player_takes_his_time_but_never_too_much() {
    let mut engine = weak(-8);
    // A busy machine may be late once, but hardly every time.
    let took = (0..4).map(|_| engine.ask(&Game::new(), "go btime 0 wtime 0 byoyomi 400").took);
    let least = took.min().unwrap();
    assert!((ms(100)..ms(400)).contains(&least), "{least:?}");
    let hurried = engine.ask(&Game::new(), "go btime 0 wtime 0 byoyomi 40");
    assert!(hurried.took < ms(40) + SLACK, "{:?}", hurried.took);
    engine.quit();
}

#[test]
fn a_weak_player_is_stopped_like_any_other() {
    let mut engine = weak(-15);
    let game = Game::new();
    for go in ["go infinite", "go ponder btime 60000 wtime 60000", "go btime 600000 wtime 600000"] {
        engine.send(&game.command());
        engine.send(go);
        assert!(engine.during(ms(30)).iter().all(|line| line.starts_with("info ")), "{go}");
        assert!(engine.stop(&game).took < SLACK, "{go}");
    }
    engine.quit();
}

#[test]
fn weak_players_play_whole_games() {
    let mut engine = weak(-15);
    let mut game = Game::new();
    for ply in 0..60 {
        let level = if ply % 2 == 0 { -15 } else { -1 };
        engine.send(&format!("setoption name USI_Strength value {level}"));
        let answer = engine.ask(&game, "go btime 0 wtime 0 byoyomi 2");
        if answer.best() == "resign" || answer.best() == "win" {
            break;
        }
        game.play(answer.best());
    }
    engine.quit();
}
