//! Random problems, and random changes of them. The attacker is Black. The defender's hand stays empty: the
//! composer fills it.

use crate::position::Setup;
use crate::types::{Color, Piece, PieceKind, Random, Square};

const ATTACKERS: [PieceKind; 12] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
    PieceKind::ProPawn,
    PieceKind::Knight,
];
const DEFENDERS: [PieceKind; 10] = [
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::ProPawn,
    PieceKind::Lance,
];
/// Maximum distance from the king at which a piece is put, in files and in ranks.
const REACH: usize = 4;
const MAX_IN_HAND: u32 = 4;

/// A random problem with few pieces, perhaps illegal.
pub(super) fn random_problem(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    let king = Square::new(random.below(6) as u8, *random.pick(&[0, 0, 0, 1, 1, 2]));
    setup.board[king.index()] = Some(Piece::new(Color::White, PieceKind::King));
    for _ in 0..1 + random.below(3) {
        put(&mut setup, random, Color::Black);
    }
    for _ in 0..random.below(5) {
        put(&mut setup, random, Color::White);
    }
    for _ in 0..1 + random.below(3) {
        put_in_hand(&mut setup, random);
    }
    setup
}

/// Adds a random piece to the attacker's hand, unless the set has no more of its kind.
fn put_in_hand(setup: &mut Setup, random: &mut Random) {
    let kind = *random.pick(&PieceKind::HAND);
    if setup.count(kind) < kind.set_size() {
        setup.hands[Color::Black].add(kind);
    }
}

/// A random change of a problem, perhaps to an illegal one.
pub(super) fn mutated(setup: &Setup, random: &mut Random) -> Setup {
    let mut setup = setup.clone();
    for _ in 0..1 + random.below(2) {
        mutate(&mut setup, random);
    }
    setup
}

fn mutate(setup: &mut Setup, random: &mut Random) {
    match random.below(10) {
        0 | 1 => put(setup, random, Color::Black),
        2 | 3 => put(setup, random, Color::White),
        4 => {
            take(setup, random);
        }
        5 | 6 => shift(setup, random),
        7 => replace(setup, random),
        8 => {
            if setup.hands[Color::Black].total() < MAX_IN_HAND {
                put_in_hand(setup, random);
            }
        }
        _ => {
            let hand = &mut setup.hands[Color::Black];
            let kind = *random.pick(&PieceKind::HAND);
            if hand.has(kind) {
                hand.remove(kind);
            }
        }
    }
}

fn king(setup: &Setup) -> Option<Square> {
    let king = Piece::new(Color::White, PieceKind::King);
    setup.pieces().find(|&(_, piece)| piece == king).map(|(square, _)| square)
}

/// Puts a random piece on an empty square near the king.
fn put(setup: &mut Setup, random: &mut Random, color: Color) {
    let kinds: &[PieceKind] = if color == Color::Black { &ATTACKERS } else { &DEFENDERS };
    let kind = *random.pick(kinds);
    let mut step = || random.below(2 * REACH + 1) as i8 - REACH as i8;
    let (files, ranks) = (step(), step());
    if let Some(square) = king(setup).and_then(|king| king.offset(files, ranks))
        && setup.board[square.index()].is_none()
    {
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
}

/// Takes a random piece other than the king from the board.
fn take(setup: &mut Setup, random: &mut Random) -> Option<(Square, Piece)> {
    let pieces: Vec<(Square, Piece)> =
        setup.pieces().filter(|(_, piece)| piece.kind() != PieceKind::King).collect();
    if pieces.is_empty() {
        return None;
    }
    let &(square, piece) = random.pick(&pieces);
    setup.board[square.index()] = None;
    Some((square, piece))
}

/// Moves a random piece to an empty square beside it.
fn shift(setup: &mut Setup, random: &mut Random) {
    let pieces: Vec<(Square, Piece)> = setup.pieces().collect();
    let &(square, piece) = random.pick(&pieces);
    let mut step = || random.below(3) as i8 - 1;
    let (files, ranks) = (step(), step());
    if let Some(to) = square.offset(files, ranks)
        && setup.board[to.index()].is_none()
    {
        setup.board[square.index()] = None;
        setup.board[to.index()] = Some(piece);
    }
}

/// Exchanges a random piece for another of either side.
fn replace(setup: &mut Setup, random: &mut Random) {
    if let Some((square, piece)) = take(setup, random) {
        let color = if random.one_in(4) { !piece.color() } else { piece.color() };
        let kinds: &[PieceKind] = if color == Color::Black { &ATTACKERS } else { &DEFENDERS };
        setup.board[square.index()] = Some(Piece::new(color, *random.pick(kinds)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::defender_hand::with_full_hand;
    use super::*;
    use crate::position::Position;

    #[test]
    fn all_pieces_but_the_attackers_king_are_in_a_problem() {
        let mut random = Random::new(1);
        let mut legal = 0;
        let mut setup = random_problem(&mut random);
        for _ in 0..300 {
            let next = mutated(&setup, &mut random);
            // Regression: a hand got more pieces than the set has.
            let hand = next.hands[Color::Black];
            assert!(PieceKind::HAND.iter().all(|&kind| hand.count(kind) <= kind.set_size()));
            let full = with_full_hand(&next);
            if Position::from_setup(&full).is_ok() {
                for kind in PieceKind::HAND {
                    let in_hands: u32 =
                        Color::ALL.iter().map(|&color| full.hands[color].count(kind)).sum();
                    let on_board = full.pieces().filter(|(_, p)| p.kind().unpromoted() == kind);
                    assert_eq!(in_hands + on_board.count() as u32, kind.set_size());
                }
                legal += 1;
                setup = next;
            }
        }
        assert!(legal > 50, "{legal}");
    }
}
