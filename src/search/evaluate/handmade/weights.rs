//! The weights of the hand-made evaluation: plain numbers, no code. First set by hand from what
//! players teach, then fitted to the results and scores of games the engine played against itself.
//!
//! In units of a pawn of 90 unless said otherwise. Rows by kind follow the order of `PieceKind`,
//! with an empty row for number 0.

use crate::types::PieceKind;

const KINDS: usize = PieceKind::TABLE;

/// What a piece is worth on the board, apart from what it does there.
pub(super) const BOARD: [i16; KINDS] =
    [0, 67, 215, 166, 377, 597, 640, 378, 0, 420, 371, 398, 387, 760, 915];

/// What the first piece of a kind is worth in hand, and each further one.
pub(super) const IN_HAND: [[i16; 8]; 2] =
    [[0, 68, 270, 321, 447, 700, 779, 484], [0, 80, 243, 267, 419, 657, 771, 482]];

/// What a piece gains by the rank it stands on: 0 is the far edge, 8 its own.
#[rustfmt::skip]
pub(super) const RANKS: [[i16; 9]; KINDS] = [
    [0; 9],
    [-8, 21, 15, 17, -1, 2, -17, -9, -7], // pawn
    [10, 20, 20, 10, 0, 1, 2, 3, 7], // lance
    [10, 10, 20, 16, -1, -3, 11, -1, 14], // knight
    [-27, -16, -9, -2, -4, 0, -10, -15, -39], // silver
    [2, 2, 3, -1, 0, -6, -8, -5, -18], // bishop
    [15, 21, 20, 11, -3, -10, -18, -4, -7], // rook
    [-30, -15, 0, 5, 0, 5, 10, 8, 12], // gold
    [31, 10, -49, -120, -129, -85, -34, 4, -4], // king
    [-3, 1, 1, 1, 0, 0, 0, 0, 0], // pro-pawn
    [0, 0, -2, 0, 0, 0, 0, 0, 0], // pro-lance
    [0, 0, -1, 0, 0, 0, 0, 0, 0], // pro-knight
    [-2, 1, -1, 0, 0, 0, 0, 0, 0], // pro-silver
    [-2, -2, 0, 1, 0, 0, 1, 0, 0], // horse
    [-1, 0, 0, 0, 1, -1, 0, -1, 0], // dragon
];

/// What a king gains by the distance of its file from the central one.
pub(super) const KING_FILES: [i16; 5] = [-21, 6, 27, 35, 12];

/// The same for a pawn that has left its first rank.
pub(super) const PAWN_FILES: [i16; 5] = [-4, 0, 6, 7, 7];

/// What a piece gains by its distance (1 to 8, the longer of files and ranks) from its own king:
/// beside it or before it, and behind it.
#[rustfmt::skip]
pub(super) const OWN_KING: [[[i16; 8]; 2]; KINDS] = [
    [[0; 8]; 2],
    [[15, 0, -9, -12, 6, 2, 2, -1], [1, 3, 2, 3, 3, 2, 1, 1]], // pawn
    [[6, 0, -2, -3, -1, 2, 1, -1], [4, 2, 2, 1, 0, 0, 2, 0]], // lance
    [[6, 0, 0, 2, -2, 0, 0, 0], [3, 4, 1, -2, 0, 1, 0, 0]], // knight
    [[20, 9, 3, -2, -5, -8, -10, -12], [19, 11, 5, 0, -4, -8, -11, -12]], // silver
    [[3, 2, -2, 1, -1, 0, -2, -3], [3, 1, 1, 0, 0, -1, -2, -2]], // bishop
    [[-33, -25, 1, 0, -3, 1, 0, 0], [-28, -29, 0, 0, 1, 0, 0, 0]], // rook
    [[20, 11, 11, -1, -6, -11, -14, -15], [20, 12, 7, 0, -5, -10, -13, -15]], // gold
    [[0; 8]; 2], // king
    [[8, 5, 3, 1, 0, -3, -5, -9], [7, 4, 2, 0, -1, -3, -5, -5]], // pro-pawn
    [[8, 5, 2, 1, -2, -5, -5, -6], [7, 4, 2, 0, -1, -3, -5, -5]], // pro-lance
    [[8, 5, 2, 0, -2, -3, -6, -6], [7, 4, 2, 0, -1, -3, -5, -5]], // pro-knight
    [[10, 6, 3, 0, -2, -4, -6, -7], [9, 5, 3, 0, -2, -4, -6, -6]], // pro-silver
    [[24, 17, 8, 0, -5, -12, -16, -17], [21, 12, 7, 0, -5, -10, -14, -15]], // horse
    [[11, 7, 3, 1, -2, -6, -8, -8], [10, 6, 3, 0, -2, -5, -7, -7]], // dragon
];

/// What a piece gains by its distance (1 to 8, the longer of files and ranks) from the enemy king:
/// beside it or before it, and behind it.
#[rustfmt::skip]
pub(super) const ENEMY_KING: [[[i16; 8]; 2]; KINDS] = [
    [[0; 8]; 2],
    [[11, 7, 7, 2, 4, 1, -4, -1], [0, -1, -1, -2, -1, -1, -2, 0]], // pawn
    [[9, 7, 3, 0, 2, 2, -8, 2], [0, 0, 0, 0, 0, 0, 0, 0]], // lance
    [[16, 14, 5, 2, -1, -7, -4, 2], [0, 0, 0, 0, 0, 0, 0, 0]], // knight
    [[33, 24, 13, 3, 4, 3, -5, -13], [33, 24, 13, 5, 1, -3, -6, -10]], // silver
    [[8, 6, 4, -1, 2, 1, 1, -1], [8, 5, 3, 1, 0, 0, 0, 0]], // bishop
    [[9, 7, 5, -1, -1, 1, -1, 0], [9, 7, 3, 1, 0, 0, 0, 0]], // rook
    [[33, 24, 11, 5, 3, -7, 0, -8], [33, 24, 12, 5, 0, -4, -6, -9]], // gold
    [[0; 8]; 2], // king
    [[35, 26, 14, 6, 2, -2, -6, -9], [35, 26, 14, 5, 0, -3, -6, -10]], // pro-pawn
    [[35, 26, 14, 6, 1, -3, -7, -9], [35, 26, 14, 6, 1, -3, -6, -9]], // pro-lance
    [[35, 26, 14, 6, 1, -3, -6, -9], [35, 26, 15, 6, 1, -4, -6, -9]], // pro-knight
    [[35, 26, 14, 7, 1, -3, -6, -9], [35, 26, 14, 6, 1, -3, -7, -10]], // pro-silver
    [[46, 34, 19, 7, 1, -3, -8, -12], [46, 34, 19, 8, 2, -4, -8, -12]], // horse
    [[55, 39, 22, 10, 3, -5, -10, -15], [55, 40, 21, 10, 2, -6, -11, -15]], // dragon
];

/// Each square that a bishop, horse, rook, dragon may slide to.
pub(super) const MOBILITY: [i32; 4] = [4, 3, 4, 3];

/// A piece that alone stands between its king and an enemy slider.
pub(super) const PINNED: i32 = -12;

/// A piece that an enemy pawn attacks.
pub(super) const CHASED: i32 = -26;

/// A piece that is attacked and not defended: when the enemy is to move, when its own side is.
pub(super) const HANGING: [[i32; KINDS]; 2] = [
    [0, 0, -11, -17, -28, -45, -52, -30, 0, -30, -30, -32, -31, -59, -70],
    [0, -6, -19, -22, -36, -45, -52, -31, 0, -31, -30, -32, -31, -59, -70],
];

/// The right to move.
pub(super) const TEMPO: i32 = 10;

/// How much an attack on a square counts by its place about the king: files 0 to 3 across, ranks
/// from three ahead to three behind. At most 7, so that three bits hold it.
pub(super) const ZONE: [[u8; 7]; 4] =
    [[3, 5, 7, 0, 5, 1, 0], [2, 5, 7, 7, 4, 0, 0], [2, 4, 4, 4, 2, 1, 0], [1, 1, 1, 2, 0, 0, 0]];

/// By unit of [`ZONE`], in 64ths: squares that the king's side guards once, twice.
pub(super) const GUARDED: [i32; 2] = [108, 82];
/// Squares that the enemy attacks once, twice, thrice.
pub(super) const ATTACKED: [i32; 3] = [186, 71, 31];

/// Danger, in its own unit's 64ths: an attack's weight (of 64) by the sum of [`ATTACKED`].
pub(super) const DANGER_ATTACK: i32 = 71;
/// A square beside the king that the enemy covers and only the king guards.
pub(super) const DANGER_ENTRY: i32 = 492;
/// An empty square beside the king that only it guards.
pub(super) const DANGER_OPEN: i32 = 162;
/// A square that the king may go to: less danger.
pub(super) const DANGER_ESCAPE: i32 = 122;
/// Each of the first two pieces of a kind in the attacker's hand, by itself and for each entry.
pub(super) const DANGER_HAND: [[i32; 8]; 2] =
    [[0, 65, 21, 80, 220, 233, 322, 255], [0, 66, 22, 80, 221, 234, 323, 256]];

/// The square of the danger, divided by this, is what it costs; never more than the second.
pub(super) const DANGER_DIVISOR: i32 = 163840;
pub(super) const DANGER_LIMIT: i32 = 2000;
