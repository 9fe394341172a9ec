//! Tests the slow rules against published results, because the fast rules are tested against them.

use kawasemi::types::Random;

use crate::reference::cases::{DECLARATIONS, PAWN_DROPS, REPETITIONS};
use crate::reference::published::PERFT;
use crate::reference::setups::{Recipe, random_setup};
use crate::reference::slow::{Rule, SlowGame, SlowPosition};

/// Sizes that the slow generator counts within a second or two.
const MAX_LEAVES: u64 = 50_000;

#[test]
fn perft_of_the_slow_generator_equals_the_published_counts() {
    for perft in PERFT {
        for &(depth, nodes) in perft.nodes.iter().filter(|&&(_, nodes)| nodes <= MAX_LEAVES) {
            let position = SlowPosition::from_sfen(perft.sfen);
            assert_eq!(position.perft(depth), nodes, "{} to depth {depth}", perft.name);
        }
    }
}

#[test]
fn the_slow_rules_know_mate_by_a_dropped_pawn() {
    for case in PAWN_DROPS {
        let position = SlowPosition::from_sfen(case.sfen);
        let mv = case.mv.parse().expect("a move");
        assert_eq!(
            position.legal_moves().contains(&mv),
            case.legal,
            "{} in {}",
            case.mv,
            case.sfen
        );
    }
}

#[test]
fn the_slow_rules_know_who_may_declare() {
    for case in DECLARATIONS {
        let position = SlowPosition::from_sfen(case.sfen);
        for (rule, wins) in Rule::ALL.into_iter().zip(case.wins) {
            assert_eq!(position.declaration_wins(rule), wins, "{rule:?}: {}", case.name);
        }
    }
}

#[test]
fn the_slow_judge_knows_repetitions() {
    for case in REPETITIONS {
        let mut game = SlowGame::new(SlowPosition::from_sfen(case.sfen));
        let mut plies = 0;
        let mut cycle = case.cycle.split(' ').cycle();
        while game.verdict().is_none() {
            let mv = cycle.next().and_then(|text| text.parse().ok()).expect("a move");
            assert!(game.current().legal_moves().contains(&mv), "{}: {mv}", case.name);
            game.play(mv);
            plies += 1;
        }
        assert_eq!((plies, game.verdict()), (case.plies, Some(case.verdict)), "{}", case.name);
    }
}

#[test]
fn random_setups_write_and_read_the_same() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let recipe = Recipe::random(&mut random);
        let setup = random_setup(&mut random, recipe);
        assert_eq!(SlowPosition::from_sfen(&setup.to_sfen()), setup);
    }
}
