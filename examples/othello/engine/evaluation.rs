//! The static evaluation of a position: a weighted sum of features, with weights for each phase of the game.
//!
//! `training` fits the weights to self-play games.

use crate::engine::board::{Bitboard, Board, CORNERS, FIRST_COLUMN, LAST_COLUMN};
use crate::engine::stability::stable_discs;

/// Number of features. Each is a count for the side to move minus the same count for the other side.
pub const FEATURES: usize = 9;
/// Number of phases of the game, by the number of discs.
pub const PHASES: usize = 8;
/// The largest evaluation, in hundredths of a disc. Scores at the end of the game may be larger.
pub const MAX_SCORE: i32 = 6_300;

const EDGES: Bitboard = 0x7e81_8181_8181_817e;
/// Each corner with its neighbours on the edge (C-squares) and its diagonal neighbour (X-square).
const CORNER_PARTS: [(Bitboard, Bitboard, Bitboard); 4] = [
    (1, 0x0102, 0x0200),
    (1 << 7, 0x8040, 0x4000),
    (1 << 56, 0x0201_0000_0000_0000, 0x0002_0000_0000_0000),
    (1 << 63, 0x4080_0000_0000_0000, 0x0040_0000_0000_0000),
];

/// The phase of a board.
pub fn phase(board: Board) -> usize {
    let discs = 64 - board.empties() as usize;
    (discs.saturating_sub(5) * PHASES / 60).min(PHASES - 1)
}

/// The features of a board.
pub fn features(board: Board) -> [i32; FEATURES] {
    let (own, other, empty) = (board.own, board.other, board.empty());
    let count = |squares: Bitboard| squares.count_ones() as i32;
    let difference = |one: Bitboard, two: Bitboard| count(one) - count(two);
    let (beside_own, beside_other) = (neighbours(own) & empty, neighbours(other) & empty);
    let (mut on_edge, mut on_diagonal) = (0, 0);
    for (corner, edge, diagonal) in CORNER_PARTS {
        if corner & empty != 0 {
            on_edge += difference(own & edge, other & edge);
            on_diagonal += difference(own & diagonal, other & diagonal);
        }
    }
    [
        difference(board.moves(), board.pass().moves()),
        // Potential mobility: empty squares beside discs of the opponent.
        difference(beside_other, beside_own),
        difference(own & CORNERS, other & CORNERS),
        on_edge,
        on_diagonal,
        difference(stable_discs(board), stable_discs(board.pass())),
        difference(own & EDGES, other & EDGES),
        difference(own, other),
        // Parity: the side that has the last move, if nobody passes.
        if count(empty) % 2 == 1 { 1 } else { -1 },
    ]
}

/// The score for the side to move, in hundredths of a disc.
pub fn evaluate(board: Board) -> i32 {
    let weights = &WEIGHTS[phase(board)];
    let sum: i32 =
        features(board).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
    sum.clamp(-MAX_SCORE, MAX_SCORE)
}

/// The squares and their neighbours.
fn neighbours(squares: Bitboard) -> Bitboard {
    let wide = squares | (squares << 1 & !FIRST_COLUMN) | (squares >> 1 & !LAST_COLUMN);
    wide | wide << 8 | wide >> 8
}

/// The weight of each feature in hundredths of a disc, by phase.
static WEIGHTS: [[i32; FEATURES]; PHASES] = [
    [75, -30, 1174, -1023, -1568, 914, -219, -85, 70],
    [51, 15, 1541, -872, -1871, 594, -73, -65, 29],
    [84, 30, 1656, -448, -1686, 317, 27, -65, 241],
    [95, 20, 1290, -213, -1307, 214, 18, -59, 259],
    [134, -3, 784, -126, -962, 170, -20, -36, 224],
    [214, -60, 423, -116, -622, 146, -52, -14, 216],
    [294, -110, 186, -102, -320, 131, -65, 1, 271],
    [362, -148, 41, -69, -43, 118, -28, -6, 164],
];
