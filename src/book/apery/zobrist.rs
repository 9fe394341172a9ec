//! The position keys of Apery's books: Zobrist hashing with numbers of the 64-bit Mersenne Twister
//! with its default seed (Matsumoto and Nishimura, 2000).
//!
//! The numbers are drawn in this order: for 31 piece codes the 81 squares, for the seven kinds in
//! hand the counts 0 to 18, and one for White to move. Only the hand of the side to move counts.

use std::sync::LazyLock;

use rand_mt::Mt64;

use crate::position::Setup;
use crate::types::{Color, Piece, PieceKind, Square};

const SEED: u64 = 5489;
const PIECES: usize = 31;
const COUNTS: usize = 19;
/// The kinds in hand in the order of their numbers.
const HANDS: [PieceKind; 7] = PieceKind::HAND;

struct ZobristNumbers {
    pieces: [[u64; Square::COUNT]; PIECES],
    hands: [[u64; COUNTS]; HANDS.len()],
    turn: u64,
}

static NUMBERS: LazyLock<ZobristNumbers> = LazyLock::new(|| {
    let mut twister = Mt64::new(SEED);
    let mut draw = || twister.next_u64();
    // The fields are drawn in this order.
    ZobristNumbers {
        pieces: std::array::from_fn(|_| std::array::from_fn(|_| draw())),
        hands: std::array::from_fn(|_| std::array::from_fn(|_| draw())),
        turn: draw(),
    }
});

/// The key of a position.
pub(super) fn key_of(setup: &Setup) -> u64 {
    let numbers = &*NUMBERS;
    let board = setup.pieces().map(|(square, piece)| numbers.pieces[code(piece)][square.index()]);
    let hand = setup.hands[setup.side];
    let hand = HANDS.iter().zip(&numbers.hands).map(|(&kind, row)| row[hand.count(kind) as usize]);
    let turn = if setup.side == Color::White { numbers.turn } else { 0 };
    board.chain(hand).fold(turn, |key, number| key ^ number)
}

fn code(piece: Piece) -> usize {
    let kind = match piece.kind() {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 2,
        PieceKind::Knight => 3,
        PieceKind::Silver => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::Gold => 7,
        PieceKind::King => 8,
        PieceKind::ProPawn => 9,
        PieceKind::ProLance => 10,
        PieceKind::ProKnight => 11,
        PieceKind::ProSilver => 12,
        PieceKind::Horse => 13,
        PieceKind::Dragon => 14,
    };
    kind + if piece.color() == Color::White { 16 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// From two independent programs.
    #[test]
    fn keys_equal_those_of_other_programs() {
        let mut position = Position::startpos();
        assert_eq!(key_of(&position.setup()), 0xeebe_8ee7_e1ad_7e15);
        for (mv, key) in [
            ("7g7f", 0x3e7b_1f82_5672_20d5),
            ("3c3d", 0x66db_c18a_af25_d634),
            ("8h2b+", 0xae54_bd28_c40a_f516),
            ("3a2b", 0x90ae_65b3_5a8b_05f5),
        ] {
            position.try_play(mv.parse().unwrap()).unwrap();
            assert_eq!(key_of(&position.setup()), key, "{mv}");
        }
    }
}
