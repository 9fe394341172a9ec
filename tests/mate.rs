//! The mate solver against problems made by hand and against the slow truth.

#[path = "mate/brute.rs"]
mod brute;
#[path = "mate/random.rs"]
mod random;

use std::cell::Cell;
use std::time::Instant;

use kawasemi::mate::{Answer, Budget, Progress, solve};
use kawasemi::position::Position;
use kawasemi::types::Move;

const UNLIMITED: Budget<'static> =
    Budget { nodes: None, depth: None, deadline: None, stop: &|| false };

/// More than twice what any small position here needs, so that a test ends in any case.
const PLENTY: Budget<'static> = Budget { nodes: Some(1_000_000), ..UNLIMITED };

/// No mate; many positions, with checks round and round.
const LARGE: &str = "9/9/9/9/4k4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn answer(sfen: &str, budget: &Budget<'_>) -> Answer {
    solve(&position(sfen), budget, &mut |_| {})
}

/// Replays a line by the rules and returns its plies.
fn checked_plies(root: &Position, line: &[Move]) -> usize {
    let mut position = root.clone();
    for (ply, &mv) in line.iter().enumerate() {
        position.try_play(mv).unwrap();
        assert!(ply % 2 == 1 || position.in_check(), "{mv} gives no check in {line:?}");
    }
    assert!(position.in_check() && position.legal_moves().is_empty(), "no mate: {line:?}");
    line.len()
}

fn mate(sfen: &str) -> Vec<Move> {
    match answer(sfen, &PLENTY) {
        Answer::Mate(line) => {
            checked_plies(&position(sfen), &line);
            line
        }
        other => panic!("{sfen}: {other:?}"),
    }
}

fn text(line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().map(Move::to_string).collect();
    moves.join(" ")
}

#[test]
fn a_gold_at_the_head_mates() {
    assert_eq!(text(&mate("4k4/9/4P4/9/9/9/9/9/9 b G 1")), "G*5b");
    assert_eq!(text(&mate("9/9/9/9/9/9/4p4/9/4K4 w g 1")), "G*5h");
}
