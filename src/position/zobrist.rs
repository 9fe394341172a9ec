//! Zobrist keys. Bit 0 is never set: it is the side to move.

use crate::types::{Color, Piece, PieceKind, Square, mix64};

/// The key of White to move.
pub(super) const SIDE: u64 = 1;

const fn number(index: usize) -> u64 {
    mix64((0x6b61_7761_7365_6d69 + index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) & !SIDE
}

static BOARD: [[u64; 81]; Piece::TABLE] = {
    let mut table = [[0; 81]; Piece::TABLE];
    let mut piece = 0;
    while piece < Piece::TABLE {
        let mut square = 0;
        while square < 81 {
            table[piece][square] = number(piece * 81 + square);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// By colour, kind and count; zero for a count of zero.
static HAND: [[[u64; 19]; 8]; 2] = {
    let mut table = [[[0; 19]; 8]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 8 {
            let mut count = 1;
            while count < 19 {
                table[color][kind][count] =
                    number(Piece::TABLE * 81 + (color * 8 + kind) * 19 + count);
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
