//! The search: alpha-beta with iterative deepening, a transposition table, killer moves and a static
//! order of the squares. Where the depth reaches the end of the game, `endgame` solves the position.

use std::time::Instant;

use crate::engine::board::{Bitboard, Board, Square, squares_of};
use crate::engine::evaluation::evaluate;
use crate::engine::move_order::SortedMoves;
use crate::engine::table::{NO_MOVE, Table};

/// From this number of empty squares on, the game is solved.
const SOLVE_EMPTIES: u32 = 22;
/// The last iterations before the one that solves the game, which are skipped.
const SKIPPED_ITERATIONS: u32 = 11;
/// Beyond any score, in hundredths of a disc.
const INFINITE: i32 = 6_500;
/// Number of nodes between two checks of the clock.
const CHECK_NODES: u64 = 1_024;
const MAX_PLY: usize = 64;
/// Half the width of the first aspiration window, in hundredths of a disc.
const WINDOW: i32 = 300;

/// The static move order, lowest first: corners first, their neighbours last.
const SQUARE_ORDER: [i32; 64] = {
    const QUARTER: [[i32; 4]; 4] =
        [[0, 70, 20, 25], [70, 90, 60, 55], [20, 60, 40, 35], [25, 55, 35, 30]];
    let mut order = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        order[square] = QUARTER[row][column];
        square += 1;
    }
    order
};

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// No iteration begins after this time.
    pub soft: Option<Instant>,
    /// The search is cut off at this time.
    pub hard: Option<Instant>,
    pub depth: Option<u32>,
}

/// The principal variation of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub depth: u32,
    /// In hundredths of a disc, for the side to move.
    pub score: i32,
    /// Whether the game is solved, so that the score is exact.
    pub is_exact: bool,
    /// Moves without passes, the best one first.
    pub moves: Vec<Square>,
    pub nodes: u64,
}

/// A search in progress.
pub struct Search<'a> {
    pub(crate) table: &'a mut Table,
    pub(crate) nodes: u64,
    is_stopped: &'a dyn Fn() -> bool,
    hard: Option<Instant>,
    is_aborted: bool,
    killers: [[Square; 2]; MAX_PLY],
}

/// Searches a position in which the side to move has a move. `report` receives the result of each iteration.
pub fn best_line(
    board: Board,
    limits: Limits,
    table: &mut Table,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(&Line),
) -> Line {
    let killers = [[NO_MOVE; 2]; MAX_PLY];
    let mut search =
        Search { table, nodes: 0, is_stopped, hard: limits.hard, is_aborted: false, killers };
    let mut root = Root::new(board);
    let empties = board.empties();
    let mut best = Line {
        depth: 0,
        score: -evaluate(board.play(root.moves[0])),
        is_exact: false,
        moves: vec![root.moves[0]],
        nodes: 0,
    };
    let mut depth = 0;
    while depth < empties && limits.depth.is_none_or(|max| depth < max) {
        depth += 1;
        if empties <= SOLVE_EMPTIES
            && depth + SKIPPED_ITERATIONS >= empties
            && limits.depth.is_none()
        {
            depth = empties;
        }
        let score = search.iterate(&mut root, depth, best.score);
        let score = if search.is_aborted { root.improved } else { Some(score) };
        if let Some(score) = score {
            let is_exact = depth >= empties && !search.is_aborted;
            let moves = search.principal_variation(board, root.moves[0]);
            best = Line { depth, score, is_exact, moves, nodes: search.nodes };
            report(&best);
        }
        if search.is_aborted
            || is_stopped()
            || limits.soft.is_some_and(|soft| Instant::now() >= soft)
        {
            break;
        }
    }
    best
}

/// The root position and its moves, the best so far first.
struct Root {
    board: Board,
    moves: Vec<Square>,
    /// The score, or a lower bound, of a move that this iteration has found to be better than the first.
    improved: Option<i32>,
}

impl Root {
    fn new(board: Board) -> Root {
        let mut moves: Vec<Square> = squares_of(board.moves()).collect();
        moves.sort_by_key(|&square| SQUARE_ORDER[usize::from(square)]);
        Root { board, moves, improved: None }
    }
}

impl Search<'_> {
    /// Counts a node, and checks the limits from time to time. Returns whether the search is aborted.
    pub(crate) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_NODES) {
            let is_late = self.hard.is_some_and(|hard| Instant::now() >= hard);
            self.is_aborted |= is_late || (self.is_stopped)();
        }
        self.is_aborted
    }

    /// Whether the search was aborted, so that its last score is meaningless.
    pub(crate) fn is_aborted(&self) -> bool {
        self.is_aborted
    }

    /// Searches all moves to this depth, first in an aspiration window around the expected score.
    fn iterate(&mut self, root: &mut Root, depth: u32, expected: i32) -> i32 {
        let unit = if depth >= root.board.empties() { 100 } else { 1 };
        let (mut low, mut high) = (WINDOW, WINDOW);
        root.improved = None;
        loop {
            let alpha = ((expected - low) / unit * unit).max(-INFINITE);
            let beta = ((expected + high) / unit * unit).min(INFINITE);
            let score = self.search_root(root, depth, alpha, beta);
            if self.is_aborted || (score > alpha && score < beta) {
                return score;
            }
            if score <= alpha {
                low *= 4;
            } else {
                high *= 4;
            }
        }
    }

    fn search_root(&mut self, root: &mut Root, depth: u32, alpha: i32, beta: i32) -> i32 {
        let (mut alpha, mut best) = (alpha, -INFINITE);
        for index in 0..root.moves.len() {
            let square = root.moves[index];
            let child = root.board.play(square);
            let mut score = alpha + 1;
            if index > 0 {
                score = -self.search(child, depth - 1, -alpha - 1, -alpha, 1);
            }
            if score > alpha && !self.is_aborted {
                score = -self.search(child, depth - 1, -beta, -alpha, 1);
            }
            if self.is_aborted {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    root.improved = (index > 0).then_some(score).or(root.improved);
                    root.moves[..=index].rotate_right(1);
                }
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The score for the side to move, exact between `alpha` and `beta`, and otherwise a bound.
    fn search(&mut self, board: Board, depth: u32, alpha: i32, beta: i32, ply: usize) -> i32 {
        if depth >= board.empties() {
            // Scores at the end of the game are whole discs.
            let (alpha, beta) = (alpha.div_euclid(100), -(-beta).div_euclid(100));
            return 100 * self.solve(board, alpha.max(-65), beta.min(65).max(alpha + 1));
        }
        if depth == 0 {
            self.nodes += 1;
            return evaluate(board);
        }
        if self.count_node() {
            return 0;
        }
        let moves = board.moves();
        if moves == 0 {
            if board.pass().moves() == 0 {
                return 100 * board.final_score();
            }
            return -self.search(board.pass(), depth, -beta, -alpha, ply + 1);
        }
        self.search_moves(board, moves, depth, (alpha, beta), ply)
    }

    fn search_moves(
        &mut self,
        board: Board,
        moves: Bitboard,
        depth: u32,
        (mut alpha, mut beta): (i32, i32),
        ply: usize,
    ) -> i32 {
        let start = alpha;
        let mut first = NO_MOVE;
        if let Some(entry) = self.table.find(board) {
            first = entry.best;
            if u32::from(entry.depth) >= depth {
                let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
                (alpha, beta) = (alpha.max(lower), beta.min(upper));
            }
        }
        let sorted = self.sorted(board, moves, first, depth, ply);
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (index, (square, child)) in sorted.iter().enumerate() {
            let mut score = alpha + 1;
            if index > 0 {
                score = -self.search(child, depth - 1, -alpha - 1, -alpha, ply + 1);
            }
            if index == 0 || (score > alpha && score < beta) {
                score = -self.search(child, depth - 1, -beta, -alpha, ply + 1);
            }
            if self.is_aborted {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, square);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.store_killer(square, ply);
                break;
            }
        }
        let lower = if best > start { best } else { -INFINITE };
        let upper = if best < beta { best } else { INFINITE };
        self.table.store(board, (lower, upper), depth as u8, best_move);
        best
    }

    fn store_killer(&mut self, square: Square, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != square
        {
            *killers = [square, killers[0]];
        }
    }

    /// The moves: first that of the table, then killers, then the others by the opponent's mobility and the static
    /// order.
    fn sorted(
        &self,
        board: Board,
        moves: Bitboard,
        first: Square,
        depth: u32,
        ply: usize,
    ) -> SortedMoves {
        let killers = self.killers.get(ply).copied().unwrap_or([NO_MOVE; 2]);
        SortedMoves::new(board, moves, first, |square, child| {
            let replies = if depth >= 2 { child.moves().count_ones() as i32 } else { 0 };
            let is_killer = killers.contains(&square);
            SQUARE_ORDER[usize::from(square)] + 8 * replies - 40 * i32::from(is_killer)
        })
    }

    /// The principal variation from the transposition table, without passes.
    fn principal_variation(&self, board: Board, first: Square) -> Vec<Square> {
        let mut moves = vec![first];
        let mut board = board.play(first);
        while moves.len() < 60 {
            if board.moves() == 0 {
                board = board.pass();
            }
            let Some(entry) = self.table.find(board) else { break };
            if entry.best == NO_MOVE || board.moves() >> entry.best & 1 == 0 {
                break;
            }
            moves.push(entry.best);
            board = board.play(entry.best);
        }
        moves
    }
}
