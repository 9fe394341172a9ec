//! Zobrist keys. Bit 0 is never set: it is the side to move.

use crate::types::{Color, GOLDEN_RATIO, Piece, PieceKind, Square, mix64};

/// The key of White to move.
pub(super) const SIDE: u64 = 1;

/// Selects this sequence of keys: `kawasemi` in ASCII.
const SEED: u64 = u64::from_be_bytes(*b"kawasemi");

const fn number(index: usize) -> u64 {
    mix64((SEED + index as u64).wrapping_mul(GOLDEN_RATIO)) & !SIDE
}

static BOARD: [[u64; Square::COUNT]; Piece::TABLE] = {
    let mut table = [[0; Square::COUNT]; Piece::TABLE];
    let mut piece = 0;
    while piece < Piece::TABLE {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = number(piece * Square::COUNT + square);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// The number of the first key of hands, after those of the board.
const FIRST_OF_HANDS: usize = Piece::TABLE * Square::COUNT;
/// Size of a table by the kinds that a hand can hold, of which 0 is unused.
const HAND_KINDS: usize = PieceKind::Gold.index() + 1;
/// Size of a table by the count of a kind in a hand.
const HAND_COUNTS: usize = PieceKind::Pawn.set_size() as usize + 1;

/// By colour, kind and count; zero for a count of zero.
static HAND: [[[u64; HAND_COUNTS]; HAND_KINDS]; 2] = {
    let mut table = [[[0; HAND_COUNTS]; HAND_KINDS]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < HAND_KINDS {
            let mut count = 1;
            while count < HAND_COUNTS {
                table[color][kind][count] =
                    number(FIRST_OF_HANDS + (color * HAND_KINDS + kind) * HAND_COUNTS + count);
                count += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

#[inline(always)]
pub(super) fn board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

#[inline(always)]
pub(super) fn hand(color: Color, kind: PieceKind, count: u32) -> u64 {
    HAND[color.index()][kind.index()][count as usize]
}
