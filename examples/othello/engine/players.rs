//! Simple players, and matches against them.

use std::time::{Duration, Instant};

use kawasemi::types::Random;

use crate::engine::board::{Board, Square, squares_of};
use crate::engine::search::{Limits, best_line};
use crate::engine::table::Table;

/// Chooses one of the legal moves of a board that has at least one.
pub type Player<'a> = dyn FnMut(Board) -> Square + 'a;

/// Plays a random move.
pub fn random(random: &mut Random) -> impl FnMut(Board) -> Square {
    move |board| {
        let moves = board.moves();
        squares_of(moves).nth(random.below(moves.count_ones() as usize)).expect("there is a move")
    }
}

/// Plays one of the moves that flip the most discs.
pub fn greedy(random: &mut Random) -> impl FnMut(Board) -> Square {
    move |board| {
        let flips = |square: &Square| (board.flips(*square).count_ones(), random.next());
        squares_of(board.moves()).max_by_key(flips).expect("there is a move")
    }
}

/// Plays the best move of a search with this time for each move.
pub fn timed(per_move: Duration) -> impl FnMut(Board) -> Square {
    let mut table = Table::new(16);
    move |board| {
        let hard = Some(Instant::now() + per_move);
        let limits = Limits { hard, ..Limits::default() };
        best_line(board, limits, &mut table, &|| false, &mut |_| ()).moves[0]
    }
}

/// Plays a game. Returns the disc difference at its end, for Black.
pub fn play(black: &mut Player<'_>, white: &mut Player<'_>) -> i32 {
    let (mut board, mut is_black) = (Board::START, true);
    while !board.is_over() {
        board = match board.moves() {
            0 => board.pass(),
            _ if is_black => board.play(black(board)),
            _ => board.play(white(board)),
        };
        is_black = !is_black;
    }
    if is_black { board.final_score() } else { -board.final_score() }
}

/// Plays this many games, with alternating colours. Returns wins, draws and losses of the first player.
pub fn play_match(games: u32, player: &mut Player<'_>, opponent: &mut Player<'_>) -> [u32; 3] {
    let mut results = [0; 3];
    for game in 0..games {
        let score = if game % 2 == 0 { play(player, opponent) } else { -play(opponent, player) };
        results[(1 - score.signum()) as usize] += 1;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the best move of a search to this depth.
    fn fixed_depth(depth: u32) -> impl FnMut(Board) -> Square {
        let mut table = Table::new(1);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        move |board| best_line(board, limits, &mut table, &|| false, &mut |_| ()).moves[0]
    }

    /// `othello match random 100 100` and `othello match greedy 100 100` do this with more time.
    #[test]
    fn the_engine_beats_simple_players_in_every_game() {
        let mut seed = Random::new(50);
        assert_eq!(play_match(6, &mut fixed_depth(4), &mut random(&mut seed)), [6, 0, 0]);
        assert_eq!(play_match(6, &mut fixed_depth(4), &mut greedy(&mut seed)), [6, 0, 0]);
    }
}
