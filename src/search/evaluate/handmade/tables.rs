//! The weights laid out for reading: one look-up for a piece on a square, one for its place as a
//! king sees it, and the zone round a king cut into bits. Owns tables built at compile time from
//! [`super::weights`]; knows nothing of a position.

use super::weights::{BOARD, ENEMY_KING, IN_HAND, KING_FILES, OWN_KING, PAWN_FILES, RANKS, ZONE};
use crate::types::{Color, PieceKind, Square};

/// What the n-th piece of a kind is worth in hand.
pub(super) static HAND: [[i16; 19]; 8] = {
    let mut table = [[0; 19]; 8];
    let mut kind = 1;
    while kind < 8 {
        let mut n = 1;
        while n < 19 {
            table[kind][n] = IN_HAND[(n > 1) as usize][kind];
            n += 1;
        }
        kind += 1;
    }
    table
};

/// The worth of a piece on the board, material and place, by kind and square as Black has it.
pub(super) static PLACE: [[i16; Square::COUNT]; PieceKind::TABLE] = {
    let mut table = [[0; Square::COUNT]; PieceKind::TABLE];
    let mut i = Square::COUNT;
    while i < PieceKind::TABLE * Square::COUNT {
        let (kind, square) = (i / Square::COUNT, Square::from_index(i % Square::COUNT));
        let files = square.file().abs_diff(4) as usize;
        let mut value = BOARD[kind] + RANKS[kind][square.rank() as usize];
        if kind == PieceKind::King.index() {
            value += KING_FILES[files];
        }
        if kind == PieceKind::Pawn.index() && square.rank() < 6 {
            value += PAWN_FILES[files];
        }
        table[kind][square.index()] = value;
        i += 1;
    }
    table
};

/// Pairs of file distance (0..9) and ranks behind the king (-8..9).
const RELATIONS: usize = 9 * 17;

/// The place of a square as seen from the king of `color`: file distance, and ranks behind it.
#[inline(always)]
pub(super) fn relation(color: Color, king: Square, square: Square) -> usize {
    let files = king.file().abs_diff(square.file()) as usize;
    let ranks = 8 + square.relative_rank(color) - king.relative_rank(color);
    files * 17 + ranks as usize
}

/// What a piece gains by its relation to its own king, by kind.
pub(super) static NEAR_OWN: [[i16; RELATIONS]; PieceKind::TABLE] = by_relation(&OWN_KING);

/// What a piece gains by its relation (as that king sees it) to the enemy king, by kind.
pub(super) static NEAR_ENEMY: [[i16; RELATIONS]; PieceKind::TABLE] = by_relation(&ENEMY_KING);

const fn by_relation(
    weights: &[[[i16; 8]; 2]; PieceKind::TABLE],
) -> [[i16; RELATIONS]; PieceKind::TABLE] {
    let mut table = [[0; RELATIONS]; PieceKind::TABLE];
    let mut i = 0;
    while i < PieceKind::TABLE * RELATIONS {
        let (kind, relation) = (i / RELATIONS, i % RELATIONS);
        let (files, ranks) = (relation / 17, relation as isize % 17 - 8);
        let across = ranks.unsigned_abs();
        let distance = if files > across { files } else { across };
        if distance > 0 {
            table[kind][relation] = weights[kind][(ranks > 0) as usize][distance - 1];
        }
        i += 1;
    }
    table
}

/// The weights of [`ZONE`] by bits, for windows of seven files with the king's in the middle, by
/// colour and rank of the king: the weights of a set add up to popcounts of its parts.
pub(super) static ZONE_BITS: [[[u64; 3]; 9]; 2] = {
    let mut table = [[[0; 3]; 9]; 2];
    let mut i: usize = 0;
    while i < 2 * 9 * 63 {
        let (color, king, square) = (i / (9 * 63), i / 63 % 9, i % 63);
        let files = (square / 9).abs_diff(3);
        let ahead = if color == 0 { king as isize } else { (square % 9) as isize }
            - if color == 0 { (square % 9) as isize } else { king as isize };
        if ahead.abs() <= 3 {
            let weight = ZONE[files][(3 - ahead) as usize];
            let mut bit = 0;
            while bit < 3 {
                table[color][king][bit] |= ((weight >> bit & 1) as u64) << square;
                bit += 1;
            }
        }
        i += 1;
    }
    table
};
