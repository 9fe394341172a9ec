//! Removes puzzles that are similar to others.

use std::collections::HashSet;

use super::puzzle::Puzzle;
use crate::position::{Position, Setup};

/// Puzzles of one game and side with the same goal, answer or motif are similar up to this distance in plies.
const MAX_NEAR_PLIES: usize = 8;

/// A key that is equal for a position, its mirror image, and both with the colours exchanged.
pub(super) fn key(position: &Position) -> String {
    let setup = Setup { game_ply: 1, ..position.setup() };
    let rotated = setup.rotated();
    let all = [setup.mirrored().to_string(), rotated.mirrored().to_string()];
    let all = all.into_iter().chain([setup.to_string(), rotated.to_string()]);
    all.min().unwrap_or_default()
}

/// The puzzles of games without those that are similar to an earlier one: a position occurs in another
/// puzzle, perhaps as its mirror image, or the puzzle is near another of the same game and side with the same
/// goal, answer or motif.
///
/// The puzzles come with the number of their game, in the order of games and moves.
pub fn distinct(puzzles: Vec<(usize, Puzzle)>) -> Vec<(usize, Puzzle)> {
    let mut seen = HashSet::new();
    let mut kept: Vec<(usize, Puzzle)> = Vec::new();
    for (game, puzzle) in puzzles {
        let keys: Vec<String> = puzzle.positions().iter().map(key).collect();
        let mut of_game = kept.iter().rev().take_while(|(other, _)| *other == game);
        let is_near = of_game.any(|(_, known)| are_near(known, &puzzle));
        if is_near || keys.iter().any(|key| seen.contains(key)) {
            continue;
        }
        seen.extend(keys);
        kept.push((game, puzzle));
    }
    kept
}

fn are_near(one: &Puzzle, other: &Puzzle) -> bool {
    let same_side = one.position.side_to_move() == other.position.side_to_move();
    let same_idea = one.goal == other.goal
        || one.steps[0].answer() == other.steps[0].answer()
        || one.motifs.iter().any(|motif| other.motifs.contains(motif));
    same_side && same_idea && one.ply.abs_diff(other.ply) <= MAX_NEAR_PLIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_one_key_on_either_side_of_the_board_and_for_either_colour() {
        let position = Position::from_sfen("4k4/9/3gPS3/9/9/9/9/9/1K7 b G2r 7").unwrap();
        let setup = position.setup();
        let others = [setup.mirrored(), setup.rotated(), setup.rotated().mirrored()];
        for other in others {
            let other = Position::from_setup(&other).unwrap();
            assert_ne!(other.to_sfen(), position.to_sfen());
            assert_eq!(key(&other), key(&position));
        }
        let different = Position::from_sfen("4k4/9/3gPS3/9/9/9/9/9/2K6 b G2r 7").unwrap();
        assert_ne!(key(&different), key(&position));
    }
}
