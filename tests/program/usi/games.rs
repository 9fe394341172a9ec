//! Whole games of the engine against itself.

use kawasemi::position::Repetition;

use super::engine::Engine;
use super::game::Game;

/// More moves than any sensible game takes.
const MAX_MOVES: usize = 512;

/// Plays until one side resigns or declares, or until the position has occurred four times.
fn play(mut game: Game, go: &str, settings: &[&str]) -> Game {
    let mut engine = Engine::ready(settings);
    engine.send("usinewgame");
    while game.moves.len() < MAX_MOVES && game.position.repetition().is_none() {
        let answer = engine.ask(&game, go);
        match answer.best() {
            "resign" | "win" => break,
            best => game.play(best),
        }
    }
    engine.send("gameover win");
    engine.quit();
    game
}

#[test]
fn a_game_by_node_count_is_legal_to_its_end() {
    let game = play(Game::new(), "go nodes 400", &["MaxMovesToDraw=320"]);
    assert!(game.moves.len() > 20, "{}", game.command());
}

#[test]
fn a_game_by_depth_with_two_threads_is_legal_to_its_end() {
    let start = "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65";
    play(Game::from(start), "go depth 3", &["Threads=2"]);
}

#[test]
fn moving_the_kings_back_and_forth_ends_by_repetition() {
    let game = Game::from("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    // One of these moves is legal in every position.
    let game = play(game, "go nodes 50 searchmoves 5i5h 5h5i 5a5b 5b5a", &[]);
    assert_eq!(game.position.repetition(), Some(Repetition::Draw), "{}", game.command());
    assert_eq!(game.moves, ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(3));
}

#[test]
fn pondering_with_hits_and_misses_makes_a_legal_game() {
    let mut engine = Engine::ready(&["USI_Ponder=true"]);
    let clock = "btime 0 wtime 0 byoyomi 20";
    let mut game = Game::new();
    let mut answer = engine.ask(&game, &format!("go {clock}"));
    let (mut rounds, mut pondered) = (0, 0);
    for ply in 0..24 {
        if ["resign", "win"].contains(&answer.best()) {
            break;
        }
        game.play(answer.best());
        let guess = answer.ponder().map(str::to_owned);
        let replies = game.position.legal_moves();
        // Mated: no ponder move is expected.
        let Some(other) = replies.moves().next().map(|mv| mv.to_string()) else { break };
        rounds += 1;
        let Some(guess) = guess else {
            game.play(&other);
            answer = engine.ask(&game, &format!("go {clock}"));
            continue;
        };
        pondered += 1;
        let expected = game.clone().after(&guess);
        engine.send(&expected.command());
        engine.send(&format!("go ponder {clock}"));
        if ply % 3 == 0 {
            engine.stop(&expected);
            game.play(&other);
            answer = engine.ask(&game, &format!("go {clock}"));
        } else {
            game = expected;
            let asked = std::time::Instant::now();
            engine.send("ponderhit");
            answer = engine.answer_since(asked, "bestmove ");
            game.check(&answer);
        }
    }
    assert!(pondered * 2 > rounds, "a reply was expected only {pondered} times of {rounds}");
    engine.quit();
}
