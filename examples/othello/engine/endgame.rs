//! Solves endgames: the exact difference of discs with best play, by alpha-beta search to the end.
//!
//! Moves that leave the opponent few replies come first, and among the last squares those in regions
//! with an odd number of empty squares.

use crate::engine::board::{Board, Square, Squares, each};
use crate::engine::evaluation::evaluate;
use crate::engine::move_order::SortedMoves;
use crate::engine::search::Search;
use crate::engine::stability::stable_discs;
use crate::engine::table::{NO_MOVE, SOLVED};

/// With fewer empty squares, sorting and the table cost more than they save.
const MIN_SORTED: u32 = 7;
/// From here on the static score helps to sort.
const MIN_EVALUATED: u32 = 12;
/// With fewer empty squares, stable discs are not worth counting.
const MIN_STABLE: u32 = 8;

/// The four quarters of the board, which stand for its regions.
const QUARTERS: [Squares; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
const CORNERS: Squares = 0x8100_0000_0000_0081;

impl Search<'_> {
    /// The difference of discs at the end, exact between `alpha` and `beta`, and otherwise a bound.
    /// Meaningless after [`Search::is_aborted`].
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
            let most = 64 - 2 * stable_discs(board.pass()).count_ones() as i32;
            if most <= alpha {
                return most;
            }
        }
        self.solve_sorted(board, moves, alpha, beta)
    }

    fn solve_sorted(&mut self, board: Board, moves: Squares, alpha: i32, beta: i32) -> i32 {
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
        for square in each(moves & odd).chain(each(moves & !odd)) {
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

/// Below this score stable discs hardly ever decide.
fn stability_threshold(board: Board) -> i32 {
    24 - board.empties() as i32
}

/// The squares in quarters with an odd number of empty squares.
fn odd_quarters(empty: Squares) -> Squares {
    let is_odd = |quarter: &&Squares| (empty & **quarter).count_ones() % 2 == 1;
    QUARTERS.iter().filter(is_odd).fold(0, |odd, quarter| odd | quarter)
}

/// The moves in the order of the search.
fn sorted(board: Board, moves: Squares, first: Square) -> SortedMoves {
    let odd = odd_quarters(board.empty());
    let is_evaluated = board.empties() >= MIN_EVALUATED;
    SortedMoves::new(board, moves, first, |square, child| {
        let replies = child.moves();
        let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
        let rank = mobility * 16 - i32::from(odd >> square & 1 == 1) * 8;
        rank + if is_evaluated { evaluate(child) / 32 } else { 0 }
    })
}
