//! Games that end without mate: repetitions, declarations and the try rule, by both rules.

use std::collections::HashMap;

use kawasemi::position::{Position, Repetition};
use kawasemi::types::{Color, Move, Piece, PieceKind, Random, Square};

use super::compare::{compare_declarations, engine_rule, fast, verdict_of};
use crate::reference::cases::{DECLARATIONS, REPETITIONS};
use crate::reference::setups::{Builder, Recipe, random_setup};
use crate::reference::slow::{Rule, SlowGame, SlowPosition};

/// A move that prefers to return to an earlier position, and to give check for the side `checker`.
fn circling_move(random: &mut Random, game: &SlowGame, checker: Option<Color>) -> Option<Move> {
    let now = game.current();
    let mut legal = now.legal_moves();
    legal.retain(|mv| !mv.is_drop());
    if Some(now.side) == checker && !random.one_in(40) {
        let checks: Vec<Move> = legal.iter().copied().filter(|&mv| now.gives_check(mv)).collect();
        if !checks.is_empty() {
            legal = checks;
        }
    }
    let returns = |mv: &Move| {
        let mut after = game.clone();
        after.play(*mv);
        after.occurrences().len() > 1
    };
    let back: Vec<Move> = legal.iter().copied().filter(returns).collect();
    match (back.is_empty(), legal.is_empty()) {
        (_, true) => None,
        (false, _) if !random.one_in(12) => Some(*random.pick(&back)),
        _ => Some(*random.pick(&legal)),
    }
}

#[test]
fn fast_and_slow_rules_end_repeating_games_alike() {
    let mut random = Random::new(50_000);
    let mut seen: HashMap<String, u32> = HashMap::new();
    for number in 0..250 {
        let recipe = Recipe { kings: [true, true], on_board: 2 + random.below(5), in_hand: 1 };
        let mut game = SlowGame::new(random_setup(&mut random, recipe));
        let mut position = fast(game.current());
        let checker = [None, Some(Color::Black), Some(Color::White)][number % 3];
        for _ in 0..120 {
            let verdict = game.verdict();
            assert_eq!(verdict_of(position.repetition()), verdict, "{}", position.to_sfen());
            if let Some(verdict) = verdict {
                *seen.entry(format!("{verdict:?}")).or_default() += 1;
                break;
            }
            let Some(mv) = circling_move(&mut random, &game, checker) else { break };
            position.do_move(mv);
            game.play(mv);
        }
    }
    for verdict in ["Draw", "Win", "Loss"] {
        assert!(seen.get(verdict).is_some_and(|&n| n >= 5), "too few of {verdict}: {seen:?}");
    }
}

#[test]
fn the_engine_knows_repetitions() {
    for case in REPETITIONS {
        let mut position = Position::from_sfen(case.sfen).expect(case.sfen);
        for (ply, text) in (1..=case.plies).zip(case.cycle.split(' ').cycle()) {
            assert_eq!(position.repetition(), None, "{} at {ply}", case.name);
            position.try_play(text.parse().expect("a move")).expect("it is legal");
        }
        assert_eq!(verdict_of(position.repetition()), Some(case.verdict), "{}", case.name);
    }
}

#[test]
fn the_search_judges_a_fourth_occurrence_in_the_game_as_the_rules_do() {
    for case in REPETITIONS {
        let mut position = Position::from_sfen(case.sfen).expect(case.sfen);
        for (ply, text) in (1..=case.plies).zip(case.cycle.split(' ').cycle()) {
            assert_eq!(position.search_repetition(0), None, "{} at {ply}", case.name);
            position.do_move(text.parse().expect("a move"));
        }
        // At the root, and so far from it that only the last cycle is within the search.
        for ply in [0, 5] {
            let verdict = verdict_of(position.search_repetition(ply));
            assert_eq!(verdict, Some(case.verdict), "{} {ply} plies from the root", case.name);
        }
    }
}

#[test]
fn a_second_occurrence_within_the_search_counts_like_the_fourth() {
    // In the other cases no cycle of four plies leads back to the start.
    for case in &REPETITIONS[..3] {
        let mut position = Position::from_sfen(case.sfen).expect(case.sfen);
        for text in case.cycle.split(' ') {
            position.do_move(text.parse().expect("a move"));
        }
        assert_eq!(position.repetition(), None, "{}", case.name);
        // At ply 4 the repeated position is the root, which does not count.
        let verdicts = [4, 5].map(|ply| verdict_of(position.search_repetition(ply)));
        assert_eq!(verdicts, [None, Some(case.verdict)], "{}", case.name);
    }
}

#[test]
fn the_search_sees_no_repetition_across_a_null_move() {
    let mut position = Position::startpos();
    // Each side moves its rook back and forth, and passes while the other does.
    for text in ["2h3h", "", "3h2h", "8b7b", "", "7b8b"] {
        match text {
            "" => position.do_null_move(),
            mv => _ = position.do_move(mv.parse().expect("a move")),
        }
    }
    assert_eq!(position.board_key(), Position::startpos().board_key());
    assert_eq!(position.search_repetition(20), None);
}

/// A king that moves back and forth along its rank, and a rook that gives check with every move. On
/// each file except the outer two the king is twice in a cycle of 28 plies.
fn long_laps() -> (Position, impl Iterator<Item = Move>) {
    let files = (1..8).chain((2..=8).rev()).cycle();
    let steps = files.clone().zip(files.skip(1));
    let moves = steps.flat_map(|(from, to)| [format!("{from}a{to}a"), format!("{from}i{to}i")]);
    let position = Position::from_sfen("8k/9/9/9/9/9/9/K8/8R w - 1").expect("it is sound");
    (position, moves.map(|text| text.parse().expect("a move")))
}

#[test]
fn the_search_finds_a_fourth_occurrence_after_long_cycles_too() {
    let (mut position, moves) = long_laps();
    for (ply, mv) in (1..=44).zip(moves) {
        assert_eq!(position.repetition(), None, "before ply {ply}");
        position.try_play(mv).expect("it is legal");
        for near in 0..=2 {
            assert_eq!(position.search_repetition(near), position.repetition(), "at ply {ply}");
        }
    }
    // For the fourth time after 12, 16, 40 and 44 plies.
    assert_eq!(position.repetition(), Some(Repetition::Win));
}

#[test]
fn a_threefold_position_is_found_after_long_cycles_too() {
    let (mut position, moves) = long_laps();
    for (ply, mv) in (1..=30).zip(moves) {
        assert!(!position.has_threefold_position(), "before ply {ply}");
        position.try_play(mv).expect("it is legal");
    }
    // For the third time after 2, 26 and 30 plies.
    assert!(position.has_threefold_position());
}

#[test]
fn a_board_that_returns_with_other_hands_is_no_repetition() {
    let start = SlowPosition::from_sfen("4k4/9/9/9/9/9/9/9/K8 b 8P 1");
    let mut position = fast(&start);
    let mut game = SlowGame::new(start.clone());
    let cycle = "P*5b 5a5b 9i8i 5b5a P*5b 5a5b 8i9i 5b5a";
    // The board of the start occurs four times, each time with two pawns fewer in Black's hand.
    for text in cycle.split(' ').cycle().take(24) {
        let mv = text.parse().expect("a move");
        position.try_play(mv).expect("it is legal");
        game.play(mv);
        assert_eq!((position.repetition(), game.verdict()), (None, None), "after {mv}");
    }
    assert_eq!(position.setup().board, start.board);
}

#[test]
fn a_repeated_board_with_other_hands_is_superior_or_inferior_in_the_search() {
    let plays = |sfen: &str, line: &str| {
        let mut position = Position::from_sfen(sfen).expect(sfen);
        for text in line.split(' ') {
            position.try_play(text.parse().expect("a move")).expect("it is legal");
        }
        position
    };
    // Black gives away two pawns between two occurrences of the board.
    let given = "P*5b 5a5b 9i8i 5b5a P*5b 5a5b 8i9i 5b5a";
    let black_to_move = plays("4k4/9/9/9/9/9/9/9/K8 b 8P 1", given);
    let white_to_move =
        plays("4k4/9/9/9/9/9/9/9/1K7 w 8P 1", &format!("5a4a 8i9i 4a5a {given} 9i8i"));
    for (position, expected) in
        [(black_to_move, Repetition::Inferior), (white_to_move, Repetition::Superior)]
    {
        assert_eq!(position.search_repetition(0), None);
        assert_eq!(position.search_repetition(8), None, "the root itself does not count");
        assert_eq!(position.search_repetition(20), Some(expected));
        assert_eq!(position.repetition(), None);
    }
}

#[test]
fn the_engine_knows_who_may_declare() {
    for case in DECLARATIONS {
        let position = Position::from_sfen(case.sfen).expect(case.sfen);
        for (rule, wins) in Rule::ALL.into_iter().zip(case.wins) {
            assert_eq!(
                position.declaration_win(engine_rule(rule)),
                wins,
                "{rule:?}: {}",
                case.name
            );
        }
    }
}

/// The side to move with its king in the enemy camp or near it, with many of its pieces.
fn entered_king(random: &mut Random) -> SlowPosition {
    let color = *random.pick(&Color::ALL);
    let ranks = 3 + usize::from(random.one_in(8));
    let far = |random: &mut Random| {
        let (file, rank) = (random.below(9) as u8, random.below(ranks) as u8);
        let square = Square::new(file, rank);
        if color == Color::Black { square } else { square.rotated() }
    };
    let mut builder = Builder::new(color);
    while !builder.place(Piece::new(color, PieceKind::King), far(random)) {}
    let movable: Vec<PieceKind> =
        PieceKind::ALL.into_iter().filter(|k| *k != PieceKind::King).collect();
    for _ in 0..random.below(24) {
        builder.place(Piece::new(color, *random.pick(&movable)), far(random));
    }
    for _ in 0..random.below(4) {
        let square = Square::from_index(random.below(Square::COUNT));
        builder.place(Piece::new(!color, *random.pick(&movable)), square);
    }
    for _ in 0..random.below(34) {
        let receiver = if random.one_in(3) { !color } else { color };
        builder.give(receiver, *random.pick(&PieceKind::HAND));
    }
    builder.finish()
}

#[test]
fn declarations_and_tries_of_entered_kings_are_judged_alike() {
    let mut random = Random::new(60_000);
    let mut wins = [[0; 2]; 4];
    let mut tries = 0;
    for _ in 0..4_000 {
        let slow = entered_king(&mut random);
        compare_declarations(&fast(&slow), &slow);
        for (rule, wins) in Rule::ALL.into_iter().zip(&mut wins) {
            wins[slow.side.index()] += u32::from(slow.declaration_wins(rule));
        }
        tries += u32::from(slow.try_move().is_some());
    }
    assert!(wins.iter().flatten().all(|&n| n >= 50) && tries >= 50, "{wins:?} {tries}");
}
