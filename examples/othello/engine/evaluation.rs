//! The score of a position without a search: a sum of few features, weighted by the phase of the game.
//!
//! The weights are from games of the program against itself: see `training`.

use crate::engine::board::{Board, Squares};
use crate::engine::stability::stable_discs;

/// What is counted for the side to move, less the same for the other side.
pub const FEATURES: usize = 9;
/// Phases of the game, by the number of discs.
pub const PHASES: usize = 8;
/// The largest score that is not the end of a game, in hundredths of a disc.
pub const MAX_SCORE: i32 = 6_300;

const CORNERS: Squares = 0x8100_0000_0000_0081;
const EDGES: Squares = 0x7e81_8181_8181_817e;
/// Each corner, its neighbours on the edge, and its neighbour on the diagonal.
const CORNER_PARTS: [(Squares, Squares, Squares); 4] = [
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
    let count = |squares: Squares| squares.count_ones() as i32;
    let less = |one: Squares, two: Squares| count(one) - count(two);
    let (beside_own, beside_other) = (neighbours(own) & empty, neighbours(other) & empty);
    let (mut on_edge, mut on_diagonal) = (0, 0);
    for (corner, edge, diagonal) in CORNER_PARTS {
        if corner & empty != 0 {
            on_edge += less(own & edge, other & edge);
            on_diagonal += less(own & diagonal, other & diagonal);
        }
    }
    [
        less(board.moves(), board.pass().moves()),
        // The moves that may come.
        less(beside_other, beside_own),
        less(own & CORNERS, other & CORNERS),
        on_edge,
        on_diagonal,
        less(stable_discs(board), stable_discs(board.pass())),
        less(own & EDGES, other & EDGES),
        less(own, other),
        // Who has the last move, if nobody passes.
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

fn neighbours(squares: Squares) -> Squares {
    const NOT_FIRST: Squares = !0x0101_0101_0101_0101;
    const NOT_LAST: Squares = !0x8080_8080_8080_8080;
    let wide = squares | (squares << 1 & NOT_FIRST) | (squares >> 1 & NOT_LAST);
    wide | wide << 8 | wide >> 8
}

/// Hundredths of a disc for each feature, by phase.
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
