//! Mate searches, which are answered by `checkmate` and never by `bestmove`.

use std::time::Instant;

use super::engine::Engine;
use super::game::Game;

const MATE_IN_ONE: &str = "4k4/9/4G4/9/9/9/9/9/9 b G 1";
const NO_CHECKS: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";

/// Checks the answer as far as the rules allow.
fn check(game: &Game, answer: &str) {
    let words: Vec<String> = answer.split(' ').skip(1).map(str::to_owned).collect();
    match words.first().map(String::as_str) {
        Some("timeout" | "nomate") => assert_eq!(words.len(), 1, "{answer}"),
        _ => {
            let end = game.clone().after(&words.join(" "));
            assert!(words.len() % 2 == 1, "{answer}");
            assert!(end.position.in_check() && end.position.legal_moves().is_empty(), "{answer}");
        }
    }
}

#[test]
fn a_mate_search_is_answered_at_its_limits() {
    let mut engine = Engine::ready(&[]);
    for sfen in [MATE_IN_ONE, NO_CHECKS, "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"] {
        let game = Game::from(sfen);
        for go in [
            "go mate 100",
            "go mate nodes 1000",
            "go nodes 1000 mate infinite",
            "go depth 3 mate infinite",
            "go mate infinite movetime 50",
        ] {
            engine.send(&game.command());
            engine.send(go);
            let answer = engine.answer_since(Instant::now(), "checkmate ");
            check(&game, &answer.text);
            assert!(!answer.lines.iter().any(|line| line.starts_with("bestmove")));
        }
    }
    engine.quit();
}

#[test]
fn a_mate_is_found_and_its_absence_is_disproved() {
    let mut engine = Engine::ready(&[]);
    for (sfen, plies) in [
        (MATE_IN_ONE, Some(1)),
        ("7nl/7k1/6ppp/9/9/9/9/9/9 b RG2S 1", Some(3)),
        (NO_CHECKS, None),
        ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", None),
    ] {
        let game = Game::from(sfen);
        engine.send(&game.command());
        engine.send("go mate infinite");
        let (lines, _) = engine.until("checkmate ");
        let answer = lines.last().unwrap();
        check(&game, answer);
        match plies {
            Some(plies) => {
                assert_eq!(answer.split(' ').count(), plies + 1, "{answer}");
                let shown = &lines[lines.len() - 2];
                assert!(shown.contains(&format!(" score mate {plies} ")), "{shown}");
                assert!(shown.ends_with(&answer.replace("checkmate ", " pv ")), "{shown}");
            }
            None => assert_eq!(answer, "checkmate nomate", "{sfen}"),
        }
    }
    engine.quit();
}

#[test]
fn a_mate_search_ignores_repetitions_and_the_move_limit() {
    let mut engine = Engine::ready(&["MaxMovesToDraw=1"]);
    let start = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let game = Game::from(start).after(&"5i5h 5a4a 5h5i 4a5a ".repeat(3));
    assert!(game.position.repetition().is_some());
    engine.send(&game.command());
    engine.send("go mate infinite");
    let (lines, _) = engine.until("checkmate ");
    assert_eq!(lines.last().unwrap(), "checkmate G*5b", "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("MaxMovesToDraw")), "{lines:?}");
    engine.quit();
}

#[test]
fn a_mate_search_without_a_limit_ends_when_it_is_stopped() {
    let mut engine = Engine::ready(&[]);
    let game = Game::new();
    for go in ["go mate infinite", "go mate"] {
        engine.send(&game.command());
        engine.send(go);
        engine.send("stop");
        let (lines, _) = engine.until("checkmate ");
        check(&game, lines.last().unwrap());
        assert_eq!(engine.settle(), Vec::<String>::new());
    }
    engine.ask(&game, "go nodes 100");
    engine.quit();
}
