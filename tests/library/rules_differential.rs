//! The fast rules against the slow ones: plays random games from ordinary and odd positions, and
//! compares all state of the engine with the results of the slow rules.

mod compare;
mod endings;
mod properties;

use std::collections::HashMap;

use compare::{compare, compare_deeply, fast, setup_of, verdict_of};
use kawasemi::position::Position;
use kawasemi::types::{Color, Move, PieceKind, Random};

use crate::reference::cases::PAWN_DROPS;
use crate::reference::published::PERFT;
use crate::reference::setups::{Recipe, random_setup};
use crate::reference::slow::{SlowGame, SlowPosition};

/// The number of games: half as many under debug assertions, because the test is slow there.
const fn games(count: u64) -> u64 {
    if cfg!(debug_assertions) { count / 2 } else { count }
}

/// Plays a random game with both, and compares every position. `keys` are the keys of earlier
/// positions.
fn play_game(random: &mut Random, start: SlowPosition, plies: usize, keys: &mut Keys) {
    let mut position = fast(&start);
    let at_start = format!("{position:?}");
    let mut game = SlowGame::new(start);
    let mut played = Vec::new();
    for _ in 0..plies {
        compare(&mut position, game.current());
        keys.note(&position, game.current());
        if random.one_in(24) {
            compare_deeply(&mut position, game.current());
        }
        assert_eq!(verdict_of(position.repetition()), game.verdict());
        let legal = game.current().legal_moves();
        if legal.is_empty() || game.verdict().is_some() {
            break;
        }
        let mv = lively_move(random, game.current(), &legal);
        position.try_play(mv).expect("the move is legal");
        game.play(mv);
        played.push(mv);
    }
    while let Some(mv) = played.pop() {
        position.undo_move(mv);
        game.undo();
        assert_eq!(position.setup(), setup_of(game.current()));
    }
    assert_eq!(format!("{position:?}"), at_start, "undoing a whole game restores its start");
}

/// A random move that favours checks and captures, so that kings are often attacked.
fn lively_move(random: &mut Random, slow: &SlowPosition, legal: &[Move]) -> Move {
    let wanted: Vec<Move> = match random.below(4) {
        0 => legal.iter().copied().filter(|&mv| slow.gives_check(mv)).collect(),
        1 => legal.iter().copied().filter(|&mv| slow.piece_at(mv.to()).is_some()).collect(),
        _ => Vec::new(),
    };
    *random.pick(if wanted.is_empty() { legal } else { &wanted })
}

/// The positions so far by key: equal keys must mean equal positions.
#[derive(Default)]
struct Keys {
    positions: HashMap<u64, SlowPosition>,
}

impl Keys {
    fn note(&mut self, position: &Position, slow: &SlowPosition) {
        let mut slow = slow.clone();
        slow.ply = 1;
        let known = self.positions.entry(position.key()).or_insert_with(|| slow.clone());
        assert_eq!(*known, slow, "two positions with one key");
    }
}

#[test]
fn in_random_games_from_known_positions_fast_and_slow_agree() {
    let mut keys = Keys::default();
    for seed in 0..games(6) {
        let mut random = Random::new(seed);
        for perft in PERFT {
            play_game(&mut random, SlowPosition::from_sfen(perft.sfen), 100, &mut keys);
        }
    }
}

#[test]
fn in_random_games_from_odd_setups_fast_and_slow_agree() {
    let mut random = Random::new(20_000);
    let mut keys = Keys::default();
    for _ in 0..games(300) {
        let recipe = Recipe::random(&mut random);
        let start = random_setup(&mut random, recipe);
        play_game(&mut random, start, 40, &mut keys);
    }
}

#[test]
fn in_games_of_mate_problems_with_one_king_fast_and_slow_agree() {
    let mut random = Random::new(30_000);
    let mut keys = Keys::default();
    for game in 0..games(60) {
        let kings = if game % 2 == 0 { [false, true] } else { [true, false] };
        let start = random_setup(&mut random, Recipe { kings, on_board: 12, in_hand: 26 });
        play_game(&mut random, start, 30, &mut keys);
    }
}

#[test]
fn full_hands_and_full_boards_are_played_alike() {
    let mut random = Random::new(40_000);
    let mut keys = Keys::default();
    for (on_board, in_hand) in [(0, 400), (400, 0), (400, 400), (2, 400), (0, 0), (1, 1)] {
        for _ in 0..4 {
            let recipe = Recipe { kings: [true, true], on_board, in_hand };
            let start = random_setup(&mut random, recipe);
            play_game(&mut random, start, 12, &mut keys);
        }
    }
}

#[test]
fn no_two_hands_have_the_same_key() {
    let mut keys = HashMap::new();
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            for count in 1..=kind.set_size() {
                let mut alone = SlowPosition::empty(Color::Black);
                alone.hands[color.index()][kind.index()] = count;
                let other = keys.insert(fast(&alone).hand_key(), (color, kind, count));
                assert_eq!(other, None, "{color:?} {kind:?} {count}");
            }
        }
    }
}

#[test]
fn the_engine_knows_mate_by_a_dropped_pawn() {
    for case in PAWN_DROPS {
        let mut position = Position::from_sfen(case.sfen).expect(case.sfen);
        let mv = case.mv.parse().expect("a move");
        assert_eq!(position.legal_moves().contains(mv), case.legal, "{mv} in {}", case.sfen);
        assert_eq!(position.is_legal(mv), case.legal, "{mv} in {}", case.sfen);
        compare_deeply(&mut position, &SlowPosition::from_sfen(case.sfen));
    }
}
