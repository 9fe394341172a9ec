//! Trains the weights of the evaluation: plays self-play games, and fits the weights of each phase to the final scores
//! by least squares.

use kawasemi::types::Random;

use crate::engine::board::{Board, squares_of};
use crate::engine::evaluation::{FEATURES, PHASES, features, phase};
use crate::engine::search::{Limits, best_line};
use crate::engine::table::Table;

/// Number of random moves at the start of each game.
const RANDOM_MOVES: u32 = 12;
/// Search depth of the other moves.
const DEPTH: u32 = 3;
/// From this number of empty squares on, the game is solved.
const SOLVED_EMPTIES: u32 = 11;
/// Ridge regularisation: pulls weights that the games hardly determine towards 0.
const RIDGE: f64 = 10.0;

/// The normal equations of one phase: products of the features, and of each feature with the score in the last column.
type Equations = [[f64; FEATURES + 1]; FEATURES];

/// The weights of all phases, fitted to this many games.
pub fn train(games: u32, random: &mut Random) -> [[i32; FEATURES]; PHASES] {
    let mut equations = [[[0.0; FEATURES + 1]; FEATURES]; PHASES];
    let mut table = Table::new(1);
    for _ in 0..games {
        let (boards, score) = play(random, &mut table);
        for (back, &board) in boards.iter().rev().enumerate() {
            // The score is for the side to move in the last board.
            let score = if back % 2 == 0 { score } else { -score };
            add(&mut equations[phase(board)], board, 100.0 * f64::from(score));
        }
    }
    equations.map(solve)
}

/// Plays a game. Returns its boards, with alternating sides to move, and the final score for that of the last board.
fn play(random: &mut Random, table: &mut Table) -> (Vec<Board>, i32) {
    let mut board = Board::START;
    let mut boards = Vec::new();
    while !board.is_over() {
        let moves = board.moves();
        board = if moves == 0 {
            board.pass()
        } else if board.empties() + RANDOM_MOVES > 60 {
            let index = random.below(moves.count_ones() as usize);
            board.play(squares_of(moves).nth(index).expect("the index is below their number"))
        } else {
            let depth = Some(DEPTH).filter(|_| board.empties() > SOLVED_EMPTIES);
            let limits = Limits { depth, ..Limits::default() };
            board.play(best_line(board, limits, table, &|| false, &mut |_| ()).moves[0])
        };
        boards.push(board);
    }
    (boards, board.final_score())
}

fn add(equations: &mut Equations, board: Board, score: f64) {
    let features = features(board).map(f64::from);
    for (row, one) in equations.iter_mut().zip(features) {
        for (cell, other) in row.iter_mut().zip(features.into_iter().chain([score])) {
            *cell += one * other;
        }
    }
}

/// Solves the equations by Gauss-Jordan elimination. The matrix is positive definite, so no pivoting is needed.
fn solve(mut equations: Equations) -> [i32; FEATURES] {
    for (index, row) in equations.iter_mut().enumerate() {
        row[index] += RIDGE;
    }
    for index in 0..FEATURES {
        // Afterwards only the row of this feature has a coefficient for it.
        let pivot = equations[index].map(|cell| cell / equations[index][index]);
        for row in equations.iter_mut() {
            let factor = row[index];
            for (cell, by) in row.iter_mut().zip(pivot) {
                *cell -= factor * by;
            }
        }
        equations[index] = pivot;
    }
    equations.map(|row| row[FEATURES].round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores that are a sum of the features are fitted by the weights of the sum.
    #[test]
    fn training_recovers_the_weights_that_made_the_scores() {
        let weights: [i32; FEATURES] = std::array::from_fn(|index| 100 * (index as i32 - 4));
        let mut equations = [[0.0; FEATURES + 1]; FEATURES];
        let mut random = Random::new(3);
        for _ in 0..2_000 {
            let board = Board { own: random.next() & random.next(), other: 0 };
            let board = Board { other: random.next() & random.next() & !board.own, ..board };
            let score: i32 = features(board).iter().zip(weights).map(|(one, by)| one * by).sum();
            add(&mut equations, board, f64::from(score));
        }
        let found = solve(equations);
        assert!(found.iter().zip(weights).all(|(one, by)| (one - by).abs() <= 20), "{found:?}");
    }
}
