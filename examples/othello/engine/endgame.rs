//! Solves endgames: the exact disc difference with best play, by an alpha-beta search to the end of the game.
//!
//! Moves that leave the opponent few replies are searched first (fastest first), and with few empty squares those in
//! regions with an odd number of empty squares (parity).

use crate::engine::board::{Bitboard, Board, CORNERS, Square, squares_of};
use crate::engine::evaluation::evaluate;
use crate::engine::move_order::SortedMoves;
use crate::engine::search::Search;
use crate::engine::stability::stable_discs;
use crate::engine::table::{NO_MOVE, SOLVED};

/// With fewer empty squares, sorting and the table cost more than they save.
const MIN_SORTED: u32 = 7;
/// From this number of empty squares on, the evaluation helps to sort.
const MIN_EVALUATED: u32 = 12;
/// With fewer empty squares, stable discs are not worth counting.
const MIN_STABLE: u32 = 8;

/// The four quarters of the board, an approximation of the regions of empty squares.
const QUARTERS: [Bitboard; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

impl Search<'_> {
    /// The disc difference at the end of the game, exact between `alpha` and `beta`, and otherwise a bound. The result
    /// of an aborted search is meaningless.
    pub fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if board.empties() < MIN_SORTED {
            return self.solve_last(board, alpha, beta);
        }
        if self.count_node() {
            return 0;
        }
        let moves = board.moves();
        if moves == 0 {
            if board.pass().moves() == 0 {
                return board.final_score();
            }
            return -self.solve(board.pass(), -beta, -alpha);
        }
        if board.empties() >= MIN_STABLE && alpha >= stability_threshold(board) {
            let max = 64 - 2 * stable_discs(board.pass()).count_ones() as i32;
            if max <= alpha {
                return max;
            }
        }
        self.solve_sorted(board, moves, alpha, beta)
    }

    fn solve_sorted(&mut self, board: Board, moves: Bitboard, alpha: i32, beta: i32) -> i32 {
        let (mut alpha, mut beta, start) = (alpha, beta, alpha);
        let mut first = NO_MOVE;
        if let Some(entry) = self.table.find(board) {
            first = entry.best;
            if entry.depth == SOLVED {
                let (lower, upper) = (i32::from(entry.lower) / 100, i32::from(entry.upper) / 100);
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
                alpha = alpha.max(lower);
                beta = beta.min(upper);
            }
        }
        let sorted = sorted(board, moves, first);
        let (mut best, mut best_move) = (-64, NO_MOVE);
        for (index, (square, child)) in sorted.iter().enumerate() {
            let score = if index == 0 {
                -self.solve(child, -beta, -alpha)
            } else {
                let score = -self.solve(child, -alpha - 1, -alpha);
                if score > alpha && score < beta {
                    -self.solve(child, -beta, -alpha)
                } else {
                    score
                }
            };
            if self.is_aborted() {
                return 0;
            }
            if score > best || best_move == NO_MOVE {
                (best, best_move) = (score, square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        let lower = if best > start { best } else { -64 };
        let upper = if best < beta { best } else { 64 };
        self.table.store(board, (100 * lower, 100 * upper), SOLVED, best_move);
        best
    }

    /// As [`solve`](Search::solve), for few empty squares.
    fn solve_last(&mut self, board: Board, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let empty = board.empty();
        if empty.count_ones() == 1 {
            return last_move(board, empty.trailing_zeros() as Square);
        }
        let moves = board.moves();
        if moves == 0 {
            if board.pass().moves() == 0 {
                return board.final_score();
            }
            return -self.solve_last(board.pass(), -beta, -alpha);
        }
        let odd = odd_quarters(empty);
        let mut best = -64;
        for square in squares_of(moves & odd).chain(squares_of(moves & !odd)) {
            let score = -self.solve_last(board.play(square), -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The score with one empty square left.
fn last_move(board: Board, square: Square) -> i32 {
    let own = board.own.count_ones() as i32;
    match board.flips(square).count_ones() as i32 {
        0 => match board.pass().flips(square).count_ones() as i32 {
            0 => board.final_score(),
            flips => 2 * (own - flips) - 64,
        },
        flips => 2 * (own + flips + 1) - 64,
    }
}

/// For a lower `alpha`, the stable discs of the opponent hardly ever cause a cutoff.
fn stability_threshold(board: Board) -> i32 {
    24 - board.empties() as i32
}

/// The squares in quarters with an odd number of empty squares.
fn odd_quarters(empty: Bitboard) -> Bitboard {
    let is_odd = |quarter: &&Bitboard| (empty & **quarter).count_ones() % 2 == 1;
    QUARTERS.iter().filter(is_odd).fold(0, |odd, quarter| odd | quarter)
}

/// The moves in the order in which they are searched.
fn sorted(board: Board, moves: Bitboard, first: Square) -> SortedMoves {
    let odd = odd_quarters(board.empty());
    let is_evaluated = board.empties() >= MIN_EVALUATED;
    SortedMoves::new(board, moves, first, |square, child| {
        let replies = child.moves();
        let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
        let rank = mobility * 16 - i32::from(odd >> square & 1 == 1) * 8;
        rank + if is_evaluated { evaluate(child) / 32 } else { 0 }
    })
}
