//! The weights of the hand-made evaluation: plain numbers, no code. First set by hand from what
//! players teach, then fitted to the results and scores of games the engine played against itself.
//!
//! In units of a pawn of 90 unless said otherwise. Rows by kind follow the order of `PieceKind`,
//! with an empty row for number 0.

use crate::types::PieceKind;

const KINDS: usize = PieceKind::TABLE;

/// What a piece is worth on the board, apart from what it does there.
pub(super) const BOARD: [i16; KINDS] =
    [0, 67, 185, 171, 320, 478, 465, 322, 0, 330, 279, 270, 296, 630, 824];

/// What the first piece of a kind is worth in hand, and each further one.
pub(super) const IN_HAND: [[i16; 8]; 2] =
    [[0, 109, 301, 298, 448, 651, 729, 517], [0, 67, 210, 204, 418, 659, 773, 453]];

/// What a piece gains by the rank it stands on: 0 is the far edge, 8 its own.
#[rustfmt::skip]
pub(super) const RANKS: [[i16; 9]; KINDS] = [
    [0; 9],
    [-8, 15, 12, 40, -6, -5, -15, -13, -9], // pawn
    [10, 20, 19, 5, -5, 13, -1, -2, 15], // lance
    [10, 10, 17, 18, 3, -9, 14, -6, 17], // knight
    [-26, -14, -7, 4, -14, 9, -10, -16, -50], // silver
    [6, 4, 7, -1, -1, -14, -11, 3, -27], // bishop
    [20, 23, 22, 11, -9, -8, -21, -2, -15], // rook
    [-31, -19, 2, 4, 7, 12, 9, 4, 6], // gold
    [37, 12, -47, -119, -127, -81, -33, -5, -12], // king
    [-9, 0, 6, 0, 1, 0, 0, 0, 0], // pro-pawn
    [0, -2, -4, 1, 0, 0, 0, 0, 0], // pro-lance
    [2, -7, 0, 0, 0, 0, 0, 0, 0], // pro-knight
    [-8, 4, -1, 2, -1, 0, 0, 0, 0], // pro-silver
    [-6, -5, -2, 1, 2, 3, 3, 0, -1], // horse
    [-1, 1, -3, -1, -1, -1, 0, -1, 1], // dragon
];

/// What a king gains by the distance of its file from the central one.
pub(super) const KING_FILES: [i16; 5] = [-21, 8, 22, 37, 12];

/// The same for a pawn that has left its first rank.
pub(super) const PAWN_FILES: [i16; 5] = [-13, 0, 8, 11, 12];

/// What a piece gains by its distance (1 to 8, the longer of files and ranks) from its own king:
/// beside it or before it, and behind it.
#[rustfmt::skip]
pub(super) const OWN_KING: [[[i16; 8]; 2]; KINDS] = [
    [[0; 8]; 2],
    [[14, -1, -15, -38, -1, 0, -9, -5], [9, 8, 10, 13, 16, 10, 4, 5]], // pawn
    [[11, -5, -4, -12, 0, 5, 4, -5], [1, 6, 6, 0, 2, 4, -1, 0]], // lance
    [[4, 1, 5, 7, -1, -1, -1, -1], [-3, 10, -1, -4, -1, -3, 1, 1]], // knight
    [[20, 2, 0, -1, -8, -14, -10, -13], [21, 15, 13, 2, -6, -6, -9, -12]], // silver
    [[3, -5, -5, 1, 1, 1, 2, -1], [2, 3, 0, 0, -2, 0, -2, -2]], // bishop
    [[-42, -29, -13, 7, 3, 5, 3, 2], [-30, -31, -1, 0, 2, 2, 0, 0]], // rook
    [[30, 4, 23, -2, -10, -13, -17, -18], [16, 14, 8, 0, -3, -10, -13, -15]], // gold
    [[0; 8]; 2], // king
    [[9, 9, 6, 3, 0, -11, -6, -19], [10, 5, 3, 0, -1, -3, -5, -5]], // pro-pawn
    [[11, 5, 2, 2, -3, -5, -8, -9], [7, 4, 2, 0, -1, -3, -5, -5]], // pro-lance
    [[9, 6, 4, -1, -2, -5, -11, -7], [8, 5, 2, 0, -1, -3, -5, -5]], // pro-knight
    [[10, 7, 4, 0, -4, -3, -8, -11], [9, 6, 4, 0, -2, -4, -6, -6]], // pro-silver
    [[27, 20, 12, 1, -6, -17, -19, -23], [21, 12, 8, 1, -5, -9, -14, -15]], // horse
    [[9, 5, 7, 1, 1, -7, -9, -13], [11, 7, 3, 0, -2, -5, -6, -7]], // dragon
];

/// What a piece gains by its distance (1 to 8, the longer of files and ranks) from the enemy king:
/// beside it or before it, and behind it.
#[rustfmt::skip]
pub(super) const ENEMY_KING: [[[i16; 8]; 2]; KINDS] = [
    [[0; 8]; 2],
    [[7, 5, 18, 7, 9, 8, 3, 2], [-2, -4, -5, -6, -7, -7, -8, -4]], // pawn
    [[7, 6, -2, -2, 5, 3, -7, 12], [-1, -1, -1, -1, 0, 0, -1, 0]], // lance
    [[16, 15, 5, 5, 2, -11, -2, 1], [-1, -1, 0, 0, -1, 0, -1, -1]], // knight
    [[33, 25, 16, -1, 9, 10, -7, -20], [33, 23, 13, 4, -1, -5, -8, -10]], // silver
    [[9, 7, 6, -1, -1, 2, 0, -6], [8, 5, 3, 0, 0, 0, 0, 0]], // bishop
    [[9, 7, 7, 1, -6, 6, -6, -5], [9, 8, 2, 0, 0, 1, 0, 0]], // rook
    [[33, 20, 14, 1, 14, -1, 7, -16], [34, 22, 11, 3, -3, -7, -8, -10]], // gold
    [[0; 8]; 2], // king
    [[35, 28, 18, 6, 3, 1, -5, -9], [35, 25, 14, 2, -2, -4, -7, -14]], // pro-pawn
    [[35, 27, 18, 4, 1, -4, -8, -9], [35, 25, 11, 8, 1, -4, -7, -10]], // pro-lance
    [[35, 26, 14, 7, 2, 0, -5, -8], [36, 26, 13, 4, -1, -6, -7, -10]], // pro-knight
    [[35, 26, 16, 12, -1, -3, -6, -10], [35, 25, 13, 4, 1, -5, -9, -10]], // pro-silver
    [[46, 34, 18, 9, -1, -3, -9, -11], [46, 33, 20, 10, 2, -6, -10, -14]], // horse
    [[55, 38, 21, 13, 6, -1, -8, -12], [55, 39, 18, 8, 1, -9, -12, -17]], // dragon
];

/// Each square that a bishop, horse, rook, dragon may slide to.
pub(super) const MOBILITY: [i32; 4] = [5, 5, 7, 2];

/// A piece that alone stands between its king and an enemy slider.
pub(super) const PINNED: i32 = -5;

/// A piece that an enemy pawn attacks.
pub(super) const CHASED: i32 = -36;

/// A piece that is attacked and not defended: when the enemy is to move, when its own side is.
pub(super) const HANGING: [[i32; KINDS]; 2] = [
    [0, 0, -16, -10, -22, -42, -49, -25, 0, -23, -29, -33, -29, -58, -70],
    [0, -22, -34, -36, -48, -44, -52, -31, 0, -24, -31, -35, -27, -57, -73],
];

/// The right to move.
pub(super) const TEMPO: i32 = 10;

/// How much an attack on a square counts by its place about the king: files 0 to 3 across, ranks
/// from three ahead to three behind. At most 7, so that three bits hold it.
pub(super) const ZONE: [[u8; 7]; 4] =
    [[4, 5, 6, 1, 5, 0, 0], [2, 5, 7, 7, 4, 0, 0], [2, 4, 4, 5, 1, 0, 0], [1, 1, 1, 2, 1, 0, 0]];

/// By unit of [`ZONE`], in 64ths: squares that the king's side guards once, twice.
pub(super) const GUARDED: [i32; 2] = [130, 82];
/// Squares that the enemy attacks once, twice, thrice.
pub(super) const ATTACKED: [i32; 3] = [194, 98, 23];

/// Danger, in its own unit's 64ths: an attack's weight (of 64) by the sum of [`ATTACKED`].
pub(super) const DANGER_ATTACK: i32 = 69;
/// A square beside the king that the enemy covers and only the king guards.
pub(super) const DANGER_ENTRY: i32 = 518;
/// An empty square beside the king that only it guards.
pub(super) const DANGER_OPEN: i32 = 321;
/// A square that the king may go to: less danger.
pub(super) const DANGER_ESCAPE: i32 = 103;
/// Each of the first two pieces of a kind in the attacker's hand, by itself and for each entry.
pub(super) const DANGER_HAND: [[i32; 8]; 2] =
    [[0, 36, 0, 98, 258, 435, 417, 265], [0, 31, 0, 84, 223, 375, 360, 228]];

/// The square of the danger, divided by this, is what it costs; never more than the second.
pub(super) const DANGER_DIVISOR: i32 = 163840;
pub(super) const DANGER_LIMIT: i32 = 2000;
