//! Positions that no game reaches, but that problem books and analysis boards contain.

use super::engine::{Engine, ms};
use super::game::Game;

const ODD: [&str; 12] = [
    // One king only: mate problems with and without a solution.
    "4k4/9/4G4/9/9/9/9/9/9 b G 1",
    "7nl/5+P1gk/2np5/9/9/9/9/9/9 b RGr2b2g4s2n3l16p 1",
    "9/9/9/9/9/9/9/9/4K4 b - 1",
    "9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "9/9/9/9/4K4/9/9/9/9 w 2r2b 1",
    // No king at all.
    "9/9/9/9/9/9/9/9/9 b GSPrb 1",
    "lnsg1gsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSG1GSNL b - 1",
    "9/9/9/9/4P4/9/9/9/9 b - 1",
    // The side to move in check by two pieces.
    "4k4/9/4R4/2B6/9/9/9/9/4K4 w - 1",
    // More moves than in any game.
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    // A high move number.
    "4k4/9/9/9/9/9/9/9/4K4 b - 1000000",
    "8k/9/8P/7+R1/9/9/9/9/K8 b 2b4g4s4n4lr17p 999",
];

#[test]
fn every_position_that_is_accepted_is_searched() {
    let mut engine = Engine::ready(&["MultiPV=2"]);
    for sfen in ODD {
        let game = Game::from(sfen);
        for go in ["go nodes 1500", "go depth 3", "go movetime 5"] {
            engine.ask(&game, go);
        }
        engine.send(&game.command());
        engine.send("go infinite");
        engine.during(ms(5));
        engine.stop(&game);
    }
    engine.quit();
}

#[test]
fn every_position_that_is_accepted_is_searched_by_four_threads() {
    let mut engine = Engine::ready(&["Threads=4"]);
    for sfen in ODD {
        // With fewer nodes only one thread would search.
        engine.ask(&Game::from(sfen), "go nodes 16384");
    }
    engine.quit();
}

#[test]
fn the_attacker_of_a_mate_problem_needs_no_king() {
    let mut engine = Engine::ready(&[]);
    let answer = engine.ask(&Game::from(ODD[0]), "go depth 3");
    assert!(answer.lines.iter().any(|line| line.contains(" score mate 1 ")), "{:?}", answer.lines);
    engine.quit();
}

#[test]
fn moves_and_counts_are_shown_of_odd_positions_too() {
    let mut engine = Engine::ready(&[]);
    for sfen in ODD {
        let game = Game::from(sfen);
        engine.send(&game.command());
        let legal = game.position.legal_moves().len();
        engine.send("moves");
        assert_eq!(engine.line().split(' ').count(), legal, "{sfen}");
        engine.send("go perft 1");
        let (lines, _) = engine.until("perft ");
        assert!(lines.last().unwrap().starts_with(&format!("perft {legal} in ")), "{lines:?}");
        engine.send("d");
        engine.send("key");
        assert!(engine.settle().len() > 9);
    }
    engine.quit();
}
