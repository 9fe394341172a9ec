//! Play below full strength.

use super::engine::{Engine, ms};
use super::game::Game;

fn weak(level: i32) -> Engine {
    Engine::ready(&["USI_LimitStrength=true", &format!("USI_Strength={level}")])
}

#[test]
fn a_weak_player_takes_some_time() {
    let mut engine = weak(-8);
    let answer = engine.ask(&Game::new(), "go btime 0 wtime 0 byoyomi 400");
    assert!(answer.took >= ms(100), "{:?}", answer.took);
    engine.ask(&Game::new(), "go btime 0 wtime 0 byoyomi 40");
    engine.quit();
}

#[test]
fn a_search_with_limited_strength_obeys_stop() {
    let mut engine = weak(-15);
    let game = Game::new();
    for go in ["go infinite", "go ponder btime 60000 wtime 60000", "go btime 600000 wtime 600000"] {
        engine.send(&game.command());
        engine.send(go);
        assert!(engine.during(ms(30)).iter().all(|line| line.starts_with("info ")), "{go}");
        engine.stop(&game);
    }
    engine.quit();
}

#[test]
fn players_of_any_level_play_legal_moves() {
    let mut engine = weak(-20);
    let mut game = Game::new();
    for ply in 0..60 {
        let level = if ply % 2 == 0 { -20 } else { -1 };
        engine.send(&format!("setoption name USI_Strength value {level}"));
        let answer = engine.ask(&game, "go btime 0 wtime 0 byoyomi 2");
        if answer.best() == "resign" || answer.best() == "win" {
            break;
        }
        game.play(answer.best());
    }
    engine.quit();
}
