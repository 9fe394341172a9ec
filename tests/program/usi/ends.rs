//! The end of a game: no legal move, declarations, resignation.

use kawasemi::position::EnteringKingRule;

use super::engine::Engine;
use super::game::Game;
use super::info::Score;

#[test]
fn without_a_legal_move_the_engine_resigns() {
    for threads in ["Threads=1", "Threads=4"] {
        let mut engine = Engine::ready(&[threads]);
        for sfen in [
            "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
            // Stalemate is a loss too.
            "k8/2G6/1S7/9/9/9/9/9/8K w - 1",
        ] {
            for go in ["go byoyomi 5000", "go nodes 1000", "go depth 9", "go movetime 20"] {
                let answer = engine.ask(&Game::from(sfen), go);
                assert_eq!(answer.text, "bestmove resign");
                assert_eq!(answer.last().score, Some(Score::Mated(0)));
            }
        }
        engine.quit();
    }
}

#[test]
fn a_valid_declaration_is_made_only_under_its_rule() {
    let mut engine = Engine::ready(&[]);
    let mut game = Game::from("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1");
    assert_eq!(engine.ask(&game, "go byoyomi 5000").text, "bestmove win");
    engine.send("setoption name EnteringKingRule value NoEnteringKing");
    game.rule = EnteringKingRule::None;
    assert_ne!(engine.ask(&game, "go nodes 200").text, "bestmove win");
    // Ten pieces in the camp, and in hand two rooks, a bishop and three pawns: 28 points of 31.
    engine.send("setoption name EnteringKingRule value CSARule24");
    game.rule = EnteringKingRule::Csa24;
    assert_ne!(engine.ask(&game, "go nodes 200").text, "bestmove win");
    engine.quit();
}

/// Regression: with one line an analysis showed two, and with two three.
#[test]
fn an_analysis_of_a_declared_win_obeys_multipv() {
    let mut engine = Engine::ready(&[]);
    let game = Game::from("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1");
    for (wanted, first) in [(1, " pv "), (2, " score mate 1 ")] {
        engine.send(&format!("setoption name MultiPV value {wanted}"));
        engine.send(&game.command());
        engine.send("go infinite");
        let (before, _) = engine.until("info depth ");
        engine.send("stop");
        let (after, _) = engine.until("bestmove win");
        let lines = || before.iter().chain(&after);
        let is_told =
            lines().any(|line| line == "info string the side to move wins by declaration");
        assert!(is_told == (wanted == 1), "{before:?}");
        let ranks = |rank: usize| move |line: &&String| line.contains(&format!(" multipv {rank} "));
        assert!(before.iter().filter(ranks(1)).all(|line| line.contains(first)), "{before:?}");
        assert_eq!(lines().any(|line| ranks(2)(&line)), wanted == 2, "{before:?}");
        assert!(!lines().any(|line| ranks(3)(&line)), "{before:?}");
    }
    engine.quit();
}

#[test]
fn a_win_by_the_try_rule_is_played() {
    let mut engine = Engine::ready(&["EnteringKingRule=TryRule"]);
    let mut game = Game::from("9/4K4/9/9/9/9/9/9/k8 b - 1");
    game.rule = EnteringKingRule::Try;
    let answer = engine.ask(&game, "go byoyomi 5000");
    assert_eq!(answer.best(), "5b5a");
    engine.quit();
}

#[test]
fn a_hopeless_game_is_resigned_if_configured() {
    let mut lost = Game::from("3rkr3/9/9/9/9/9/9/9/4K4 b 2b4g4s4n4l18p 1");
    let mut engine = Engine::ready(&[]);
    assert_ne!(engine.ask(&lost, "go nodes 2000").text, "bestmove resign");
    engine.send("setoption name ResignValue value 1000");
    lost.may_resign = true;
    assert_eq!(engine.ask(&lost, "go nodes 2000").text, "bestmove resign");
    assert_ne!(engine.ask(&Game::new(), "go nodes 2000").text, "bestmove resign");
    engine.quit();
}

#[test]
fn an_analysis_is_never_resigned() {
    let mut lost = Game::from("3rkr3/9/9/9/9/9/9/9/4K4 b 2b4g4s4n4l18p 1");
    lost.may_resign = true;
    let mut engine = Engine::ready(&["ResignValue=1000"]);
    for (analysis, resigns) in [("true", false), ("false", true)] {
        engine.send(&format!("setoption name USI_AnalyseMode value {analysis}"));
        // The previous search must agree.
        engine.ask(&lost, "go nodes 2000");
        let answer = engine.ask(&lost, "go nodes 2000");
        assert_eq!(answer.text == "bestmove resign", resigns, "{}", answer.text);
    }
    engine.quit();
}
