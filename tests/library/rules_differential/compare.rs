//! Compares the fast and the slow rules in one position.

use kawasemi::position::movegen::NonPromotions;
use kawasemi::position::{
    DirtyPieces, EnteringKingRule, MoveList, PieceLocation, Position, Repetition, Setup,
};
use kawasemi::types::{Bitboard, Color, Hand, Move, Piece, PieceKind, Square};

use crate::reference::slow::{Rule, SlowPosition, Verdict};

// ---- Conversions between both ----

pub fn fast(slow: &SlowPosition) -> Position {
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

pub fn setup_of(slow: &SlowPosition) -> Setup {
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
    setup.game_ply = slow.ply;
    setup
}

pub fn verdict_of(repetition: Option<Repetition>) -> Option<Verdict> {
    repetition.map(|repetition| match repetition {
        Repetition::Draw => Verdict::Draw,
        Repetition::Win => Verdict::Win,
        Repetition::Loss => Verdict::Loss,
        other => panic!("{other:?} is no rule of the game"),
    })
}

/// All public properties that do not depend on the history.
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

/// Compared in every position of every game.
pub fn compare(position: &mut Position, slow: &SlowPosition) {
    assert_eq!(position.to_sfen(), slow.to_sfen());
    assert_eq!(position.setup(), setup_of(slow));
    assert_eq!(position.in_check(), slow.in_check(slow.side), "{slow}");
    assert_eq!(squares(position.checkers()), slow.checkers(slow.side), "{slow}");
    compare_board(position, slow);
    compare_declarations(position, slow);

    let list = position.legal_moves();
    let legal = sorted(slow.legal_moves());
    assert_eq!(sorted(list.moves()), legal, "{slow}");
    assert_eq!(position.count_legal(Bitboard::len), legal.len() as u64, "{slow}");
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "{slow}");
    for scored in list.iter() {
        let (mv, piece) = (scored.mv(), scored.piece());
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

pub fn engine_rule(rule: Rule) -> EnteringKingRule {
    match rule {
        Rule::Csa27 => EnteringKingRule::Csa27,
        Rule::Csa27Handicap => EnteringKingRule::Csa27Handicap,
        Rule::Csa24 => EnteringKingRule::Csa24,
        Rule::Csa24Handicap => EnteringKingRule::Csa24Handicap,
    }
}

pub fn compare_declarations(position: &Position, slow: &SlowPosition) {
    for rule in Rule::ALL {
        let wins = slow.declaration_wins(rule);
        assert_eq!(position.declaration_win(engine_rule(rule)), wins, "{rule:?}: {slow}");
    }
    for rule in [EnteringKingRule::None, EnteringKingRule::Try] {
        assert!(!position.declaration_win(rule), "{rule:?}: {slow}");
    }
    assert_eq!(position.try_rule_move(), slow.try_move(), "{slow}");
}

/// Compared in some positions only, because it is slow.
pub fn compare_deeply(position: &mut Position, slow: &SlowPosition) {
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
        let dirty = position.do_move(mv);
        assert_eq!(face(position), face(&fast(&after)), "{mv} in {slow}");
        assert_eq!(applied(pieces, &dirty), pieces_with_spots(position), "{mv}");
        position.undo_move(mv);
    }
    assert_eq!(format!("{position:?}"), before, "undo does not restore {slow}");
}

/// Tests for all 65,536 codes whether they are legal moves here.
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
pub fn compare_blockers(position: &Position, slow: &SlowPosition) {
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

/// The stages of generation: the useful moves, and captures and quiet moves, which together are all
/// moves.
pub fn compare_stages(position: &Position, slow: &SlowPosition) {
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
    for (non_promotions, expected) in
        [(NonPromotions::All, &legal), (NonPromotions::Useful, &useful)]
    {
        let mut all = MoveList::default();
        position.generate_legal(non_promotions, &mut all);
        assert_eq!(
            sorted(all.moves()),
            sorted(expected.iter().copied()),
            "{non_promotions:?}: {slow}"
        );
        if position.in_check() {
            continue;
        }
        let (captures, quiets): (Vec<Move>, Vec<Move>) =
            expected.iter().partition(|mv| slow.piece_at(mv.to()).is_some());
        let mut list = MoveList::default();
        position.generate_captures(non_promotions, &mut list);
        assert_eq!(sorted(list.moves()), sorted(captures), "{slow}");
        let attacked = position.attack_counts().attacked_by(!position.side_to_move());
        let mut list = MoveList::default();
        position.generate_quiets(non_promotions, attacked, &mut list);
        assert_eq!(sorted(list.moves()), sorted(quiets), "{slow}");
    }
}

/// Every key is the sum of the keys of its pieces, each computed on a board with that piece alone.
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

/// A null move changes nothing but the side to move.
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

// ---- The dirty pieces of a move ----

/// Every piece with its location, in a fixed order.
fn pieces_with_spots(position: &Position) -> Vec<(usize, Piece, PieceLocation)> {
    let mut found = Vec::new();
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            found.push((order(PieceLocation::Board(square)), piece, PieceLocation::Board(square)));
        }
    }
    for color in Color::ALL {
        let hand: Hand = position.hand(color);
        for (kind, count) in hand.iter() {
            for nth in 1..=count as u8 {
                found.push((
                    order(PieceLocation::Hand(nth)),
                    Piece::new(color, kind),
                    PieceLocation::Hand(nth),
                ));
            }
        }
    }
    found.sort_by_key(|&(order, piece, _)| (order, piece.index()));
    found
}

fn order(spot: PieceLocation) -> usize {
    match spot {
        PieceLocation::Board(square) => square.index(),
        PieceLocation::Hand(nth) => Square::COUNT + nth as usize,
    }
}

/// The pieces after a move, which must take away existing pieces only.
fn applied(
    mut pieces: Vec<(usize, Piece, PieceLocation)>,
    dirty: &DirtyPieces,
) -> Vec<(usize, Piece, PieceLocation)> {
    for dirty in dirty.captured.iter().chain([&dirty.moved]) {
        let (piece, spot) = dirty.before;
        let found = pieces.iter().position(|&(_, p, s)| (p, s) == (piece, spot));
        pieces.remove(found.expect("a move takes away what is there"));
        let (piece, spot) = dirty.after;
        pieces.push((order(spot), piece, spot));
    }
    pieces.sort_by_key(|&(order, piece, _)| (order, piece.index()));
    pieces
}
