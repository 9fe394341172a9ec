//! The fast rules against the slow ones: random games from ordinary and odd positions, in which
//! everything the engine keeps must be what the slow rules find by looking.

mod common;

use std::collections::HashMap;

use common::cases::{DECLARATIONS, PAWN_DROPS, REPETITIONS};
use common::published::PERFT;
use common::random::Random;
use common::setups::{Builder, Recipe, random_setup};
use common::slow::{Rule, SlowGame, SlowPosition, Verdict};
use kawasemi::position::movegen::Promotions;
use kawasemi::position::{
    Delta, EnteringKingRule, MoveList, Position, Repetition, ScoredMove, Setup, Spot,
};
use kawasemi::types::{Bitboard, Color, Hand, Move, Piece, PieceKind, Square};
use proptest::prelude::*;

// ---- The same thing said by both ----

fn fast(slow: &SlowPosition) -> Position {
    Position::from_sfen(&slow.to_sfen()).expect("legal setups are accepted")
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|mv| mv.bits());
    moves
}

fn squares(set: Bitboard) -> Vec<Square> {
    let mut squares: Vec<Square> = set.into_iter().collect();
    squares.sort();
    squares
}

fn setup_of(slow: &SlowPosition) -> Setup {
    let mut setup = Setup::empty();
    setup.board = slow.board;
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            for _ in 0..slow.in_hand(color, kind) {
                setup.hands[color].add(kind);
            }
        }
    }
    setup.side = slow.side;
    setup.ply = slow.ply;
    setup
}

fn verdict_of(repetition: Option<Repetition>) -> Option<Verdict> {
    repetition.map(|repetition| match repetition {
        Repetition::Draw => Verdict::Draw,
        Repetition::Win => Verdict::Win,
        Repetition::Loss => Verdict::Loss,
        other => panic!("{other:?} is no rule of the game"),
    })
}

/// Everything public that does not depend on the history.
fn face(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let by_color = Color::ALL.map(|color| {
        (
            position.hand(color),
            position.king(color),
            position.pieces(color),
            position.golds(color),
            position.blockers(color),
            position.non_pawn_key(color),
            PieceKind::ALL.map(|kind| position.pieces_of(color, kind)),
        )
    });
    let keys = [
        position.key(),
        position.board_key(),
        position.hand_key(),
        position.pawn_key(),
        position.minor_key(),
    ];
    (position.setup(), by_color, keys, position.checkers(), position.in_check())
}

// ---- What is compared in one position ----

/// What is looked at in every position of every game.
fn compare(position: &mut Position, slow: &SlowPosition) {
    assert_eq!(position.to_sfen(), slow.to_sfen());
    assert_eq!(position.setup(), setup_of(slow));
    assert_eq!(position.in_check(), slow.in_check(slow.side), "{slow}");
    assert_eq!(squares(position.checkers()), slow.checkers(slow.side), "{slow}");
    compare_board(position, slow);
    compare_declarations(position, slow);

    let list = position.legal_moves();
    let legal = sorted(slow.legal_moves());
    assert_eq!(sorted(list.moves()), legal, "{slow}");
    assert_eq!(position.count_legal(), legal.len() as u64, "{slow}");
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "{slow}");
    for &ScoredMove { mv, piece, .. } in list.iter() {
        assert!(position.is_legal(mv), "{mv} in {slow}");
        assert_eq!(position.gives_check(mv), slow.gives_check(mv), "{mv} in {slow}");
        assert_eq!(slow.after(mv).piece_at(mv.to()), Some(piece), "{mv} in {slow}");
        assert_eq!(position.is_capture(mv), slow.piece_at(mv.to()).is_some(), "{mv} in {slow}");
    }
    assert_eq!(face(position), face(&fast(slow)), "incremental is not recomputed: {slow}");
}

fn compare_board(position: &Position, slow: &SlowPosition) {
    for square in Square::all() {
        assert_eq!(position.piece_at(square), slow.piece_at(square));
        assert_eq!(position.occupied().contains(square), slow.piece_at(square).is_some());
    }
    for color in Color::ALL {
        assert_eq!(position.king(color), slow.king(color));
        let own: Vec<Square> = slow.squares_of(color).map(|(square, _)| square).collect();
        assert_eq!(squares(position.pieces(color)), own);
    }
}

fn engine_rule(rule: Rule) -> EnteringKingRule {
    match rule {
        Rule::Csa27 => EnteringKingRule::Csa27,
        Rule::Csa27Handicap => EnteringKingRule::Csa27Handicap,
        Rule::Csa24 => EnteringKingRule::Csa24,
        Rule::Csa24Handicap => EnteringKingRule::Csa24Handicap,
    }
}

fn compare_declarations(position: &Position, slow: &SlowPosition) {
    for rule in Rule::ALL {
        let wins = slow.declaration_wins(rule);
        assert_eq!(position.declaration_win(engine_rule(rule)), wins, "{rule:?}: {slow}");
    }
    for rule in [EnteringKingRule::None, EnteringKingRule::Try] {
        assert!(!position.declaration_win(rule), "{rule:?}: {slow}");
    }
    assert_eq!(position.try_rule_move(), slow.try_move(), "{slow}");
}

/// What is too slow for every position.
fn compare_deeply(position: &mut Position, slow: &SlowPosition) {
    compare_every_code(position, slow);
    compare_blockers(position, slow);
    compare_stages(position, slow);
    compare_null_move(position, slow);
    compare_keys(position, slow);
    let before = format!("{position:?}");
    for mv in sorted(position.legal_moves().moves()) {
        let after = slow.after(mv);
        let pieces = pieces_with_spots(position);
        assert_eq!(position.key_after(mv), fast(&after).key(), "{mv} in {slow}");
        let delta = position.do_move(mv);
        assert_eq!(face(position), face(&fast(&after)), "{mv} in {slow}");
        assert_eq!(applied(pieces, &delta), pieces_with_spots(position), "{mv}");
        position.undo_move(mv);
    }
    assert_eq!(format!("{position:?}"), before, "undo does not restore {slow}");
}

/// Asks of all 65,536 codes whether they are legal moves here.
fn compare_every_code(position: &mut Position, slow: &SlowPosition) {
    let legal = slow.legal_moves();
    let mut accepted = Vec::new();
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        if position.is_legal(mv) {
            accepted.push(mv);
        } else {
            assert!(position.try_play(mv).is_err(), "{mv} in {slow}");
        }
    }
    assert_eq!(sorted(accepted), sorted(legal), "{slow}");
    for mv in [Move::NONE, Move::NULL] {
        assert!(!position.is_legal(mv) && position.try_play(mv).is_err());
    }
}

/// A blocker is a piece whose absence lets one more piece attack the king.
fn compare_blockers(position: &Position, slow: &SlowPosition) {
    for color in Color::ALL {
        let checkers = slow.checkers(color);
        let blocks = |&square: &Square| {
            let mut without = slow.clone();
            let taken = without.board[square.index()].take();
            taken.is_some_and(|piece| piece.kind() != PieceKind::King || piece.color() != color)
                && without.checkers(color).iter().any(|checker| !checkers.contains(checker))
        };
        let blockers: Vec<Square> = Square::all().filter(blocks).collect();
        assert_eq!(squares(position.blockers(color)), blockers, "{color:?}: {slow}");
    }
}

/// The stages of generation: the useful moves, and captures and quiets that make up the whole.
fn compare_stages(position: &Position, slow: &SlowPosition) {
    let legal = slow.legal_moves();
    let is_useful = |mv: &Move| {
        if mv.is_drop() || mv.is_promotion() || !legal.contains(&promoting(*mv)) {
            return true;
        }
        match slow.piece_at(mv.from()).map(Piece::kind) {
            Some(PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) => false,
            Some(PieceKind::Lance) => mv.to().relative_rank(slow.side) > 1,
            _ => true,
        }
    };
    let useful: Vec<Move> = legal.iter().copied().filter(is_useful).collect();
    for (promotions, expected) in [(Promotions::All, &legal), (Promotions::Useful, &useful)] {
        let mut all = MoveList::default();
        position.generate_all(promotions, &mut all);
        assert_eq!(sorted(all.moves()), sorted(expected.iter().copied()), "{promotions:?}: {slow}");
        if position.in_check() {
            continue;
        }
        let (captures, quiets): (Vec<Move>, Vec<Move>) =
            expected.iter().partition(|mv| slow.piece_at(mv.to()).is_some());
        let mut list = MoveList::default();
        position.generate_captures(promotions, &mut list);
        assert_eq!(sorted(list.moves()), sorted(captures.iter().copied()), "{slow}");
        let mut list = MoveList::default();
        position.generate_quiets(promotions, &mut list);
        assert_eq!(sorted(list.moves()), sorted(quiets), "{slow}");
        for square in Square::all() {
            let mut list = MoveList::default();
            position.generate_recaptures(square, promotions, &mut list);
            let expected = captures.iter().copied().filter(|mv| mv.to() == square);
            assert_eq!(sorted(list.moves()), sorted(expected), "on {square}: {slow}");
        }
    }
}

/// Every key is the sum of the keys of its pieces, each asked of a board on which it is alone.
fn compare_keys(position: &Position, slow: &SlowPosition) {
    let side = u64::from(slow.side == Color::White);
    let (mut board, mut pawns, mut minors) = (side, 0, 0);
    for color in Color::ALL {
        let mut others = 0;
        for (square, kind) in slow.squares_of(color) {
            let mut alone = SlowPosition::empty(Color::Black);
            alone.board[square.index()] = Some(Piece::new(color, kind));
            let key = fast(&alone).board_key();
            board ^= key;
            match kind {
                PieceKind::Pawn => pawns ^= key,
                PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => {
                    others ^= key;
                }
                _ => {
                    others ^= key;
                    minors ^= key;
                }
            }
        }
        assert_eq!(position.non_pawn_key(color), others, "{color:?}: {slow}");
    }
    assert_eq!(position.board_key(), board, "{slow}");
    assert_eq!(position.pawn_key(), pawns, "{slow}");
    assert_eq!(position.minor_key(), minors, "{slow}");
    assert_eq!(position.key(), board ^ position.hand_key(), "{slow}");
}

fn promoting(mv: Move) -> Move {
    Move::board(mv.from(), mv.to(), true)
}

/// Passing the turn leaves all but the side as it was.
fn compare_null_move(position: &mut Position, slow: &SlowPosition) {
    if position.in_check() {
        return;
    }
    let before = format!("{position:?}");
    let mut passed = slow.clone();
    passed.side = !slow.side;
    passed.ply += 1;
    position.do_null_move();
    assert_eq!(face(position), face(&fast(&passed)), "{slow}");
    assert_eq!(sorted(position.legal_moves().moves()), sorted(passed.legal_moves()));
    position.undo_null_move();
    assert_eq!(format!("{position:?}"), before, "{slow}");
}

// ---- The delta of a move ----

/// Every piece with where it lies, in one order.
fn pieces_with_spots(position: &Position) -> Vec<(usize, Piece, Spot)> {
    let mut found = Vec::new();
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            found.push((order(Spot::Board(square)), piece, Spot::Board(square)));
        }
    }
    for color in Color::ALL {
        let hand: Hand = position.hand(color);
        for (kind, count) in hand.iter() {
            for nth in 1..=count as u8 {
                found.push((order(Spot::Hand(nth)), Piece::new(color, kind), Spot::Hand(nth)));
            }
        }
    }
    found.sort_by_key(|&(order, piece, _)| (order, piece.index()));
    found
}

fn order(spot: Spot) -> usize {
    match spot {
        Spot::Board(square) => square.index(),
        Spot::Hand(nth) => Square::COUNT + nth as usize,
    }
}

/// The pieces after a delta, which must take away only what is there.
fn applied(mut pieces: Vec<(usize, Piece, Spot)>, delta: &Delta) -> Vec<(usize, Piece, Spot)> {
    for change in delta.captured.iter().chain([&delta.moved]) {
        let (piece, spot) = change.before;
        let found = pieces.iter().position(|&(_, p, s)| (p, s) == (piece, spot));
        pieces.remove(found.expect("a delta takes away what is there"));
        let (piece, spot) = change.after;
        pieces.push((order(spot), piece, spot));
    }
    pieces.sort_by_key(|&(order, piece, _)| (order, piece.index()));
    pieces
}

// ---- Random games ----

/// Plays a random game on both and compares at every position. Keys already met stand in `keys`.
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

/// A random move, checks and captures more often than their share, so that kings live in danger.
fn lively_move(random: &mut Random, slow: &SlowPosition, legal: &[Move]) -> Move {
    let wanted: Vec<Move> = match random.below(4) {
        0 => legal.iter().copied().filter(|&mv| slow.gives_check(mv)).collect(),
        1 => legal.iter().copied().filter(|&mv| slow.piece_at(mv.to()).is_some()).collect(),
        _ => Vec::new(),
    };
    *random.pick(if wanted.is_empty() { legal } else { &wanted })
}

/// The positions met, by their keys: equal keys must mean equal positions.
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
    for seed in 0..6 {
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
    for _ in 0..300 {
        let recipe = Recipe::random(&mut random);
        let start = random_setup(&mut random, recipe);
        play_game(&mut random, start, 40, &mut keys);
    }
}

#[test]
fn in_games_of_mate_problems_with_one_king_fast_and_slow_agree() {
    let mut random = Random::new(30_000);
    let mut keys = Keys::default();
    for game in 0..60 {
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

// ---- Repetition ----

/// Prefers moves that bring an earlier position back, and checks for the side that likes them.
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
fn both_judges_end_circling_games_alike() {
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
        let verdict = verdict_of(position.search_repetition(0));
        assert_eq!(verdict, Some(case.verdict), "{}", case.name);
    }
}

#[test]
fn a_board_that_returns_with_other_hands_is_no_repetition() {
    let start = SlowPosition::from_sfen("4k4/9/9/9/9/9/9/9/K8 b 8P 1");
    let mut position = fast(&start);
    let mut game = SlowGame::new(start);
    let cycle = "P*5b 5a5b 9i8i 5b5a P*5b 5a5b 8i9i 5b5a";
    // The board of the start stands four times, each time with two pawns fewer in Black's hand.
    for text in cycle.split(' ').cycle().take(24) {
        let mv = text.parse().expect("a move");
        position.try_play(mv).expect("it is legal");
        game.play(mv);
        assert_eq!((position.repetition(), game.verdict()), (None, None), "after {mv}");
    }
    assert_eq!(position.setup().board, setup_of(&SlowPosition::from_sfen(START_OF_PAWNS)).board);
}

const START_OF_PAWNS: &str = "4k4/9/9/9/9/9/9/9/K8 b 2P6p 25";

// ---- Single rules ----

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

/// The side to move with its king in the far camp, or near it, among many of its pieces.
fn entered_king(random: &mut Random) -> SlowPosition {
    let color = *random.pick(&Color::ALL);
    let ranks = 3 + usize::from(random.one_in(8));
    let far = |random: &mut Random| {
        let (file, rank) = (random.below(9) as u8, random.below(ranks) as u8);
        let square = Square::new(file, rank);
        if color == Color::Black { square } else { square.rotate() }
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

// ---- Properties ----

/// A legal setup, shrinking towards the empty board.
fn any_setup() -> impl Strategy<Value = SlowPosition> {
    let piece = (0..28_usize, 0..Square::COUNT);
    let in_hand = (0..2_usize, 0..7_usize);
    let on_board = prop::collection::vec(piece, 0..42);
    (on_board, prop::collection::vec(in_hand, 0..38), any::<bool>()).prop_map(build)
}

type Ingredients = (Vec<(usize, usize)>, Vec<(usize, usize)>, bool);

fn build((on_board, in_hand, white): Ingredients) -> SlowPosition {
    let all: Vec<Piece> = Piece::all().collect();
    let mut builder = Builder::new(if white { Color::White } else { Color::Black });
    for (piece, square) in on_board {
        builder.place(all[piece], Square::from_index(square));
    }
    for (color, kind) in in_hand {
        builder.give(Color::ALL[color], PieceKind::HAND[kind]);
    }
    builder.finish()
}

/// Anything at all on the board, mostly no legal setup.
fn any_board() -> impl Strategy<Value = SlowPosition> {
    let piece = (0..28_usize, 0..Square::COUNT);
    (prop::collection::vec(piece, 0..12), any::<bool>()).prop_map(|(on_board, white)| {
        let all: Vec<Piece> = Piece::all().collect();
        let mut position = SlowPosition::empty(if white { Color::White } else { Color::Black });
        for (piece, square) in on_board {
            position.board[square] = Some(all[piece]);
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_any_setup_fast_and_slow_agree(slow in any_setup()) {
        let mut position = fast(&slow);
        compare(&mut position, &slow);
        compare_blockers(&position, &slow);
        compare_stages(&position, &slow);
    }

    #[test]
    fn in_any_setup_every_move_can_be_undone(slow in any_setup()) {
        compare_deeply(&mut fast(&slow), &slow);
    }

    #[test]
    fn a_board_is_accepted_exactly_if_the_rules_allow_it(slow in any_board()) {
        let accepted = Position::from_setup(&setup_of(&slow)).is_ok();
        prop_assert_eq!(accepted, slow.may_be_set_up());
        prop_assert_eq!(Position::from_sfen(&slow.to_sfen()).is_ok(), accepted);
    }
}
