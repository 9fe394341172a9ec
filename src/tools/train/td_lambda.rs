//! Targets from later searches of the game: TD(lambda) (R. S. Sutton, *Learning to Predict by the
//! Methods of Temporal Differences*, 1988), forward within a game.
//!
//! The search of a position errs; the searches after the best moves that follow see further. Their
//! mean with exponentially decreasing weights errs less than the first one alone.

use super::objective::{logit, sigmoid};
use crate::tools::game_file::ScoredGame;

/// The score of the position before each move of a game, for the side to move, if it was searched:
/// `1 - lambda` parts of its own search and `lambda` parts of the score of the position after the
/// move, if that was the best one. Scores are averaged as win rates,
/// `sigmoid(score / scale)`.
pub(super) fn scores(game: &ScoredGame, lambda: f32, scale: f32) -> Vec<Option<i16>> {
    let mut scores = vec![None; game.plies.len()];
    let mut after: Option<f32> = None;
    for (ply, score) in game.plies.iter().zip(&mut scores).rev() {
        let own = ply.score().map(|score| sigmoid(f32::from(score.0 as i16) / scale));
        let later = after.filter(|_| ply.is_best()).map(|after| 1.0 - after);
        after = own.map(|own| own + lambda * (later.unwrap_or(own) - own));
        *score = match later {
            Some(_) if lambda > 0.0 => after.map(|known| (logit(known) * scale).round() as i16),
            _ => ply.score().map(|score| score.0 as i16),
        };
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;
    use crate::tools::game_file::GameMove;
    use crate::tools::referee::{GameEnd, GameEndReason};
    use crate::types::{Color, Move, Score};

    const SCALE: f32 = 600.0;

    fn game(plies: &[(Option<i32>, bool)]) -> ScoredGame {
        let mv: Move = "7g7f".parse().unwrap();
        let ply = |&(score, best): &(Option<i32>, bool)| match score {
            Some(score) => GameMove::searched(mv, Score(score), best),
            None => GameMove::unsearched(mv),
        };
        let plies = plies.iter().map(ply).collect();
        let end = GameEnd::win(Color::White, GameEndReason::Adjudication);
        ScoredGame { start: Setup::startpos(), plies, end }
    }

    #[test]
    fn later_searches_have_exponentially_decreasing_weights() {
        let found =
            scores(&game(&[(Some(0), true), (Some(0), true), (Some(600), true)]), 0.5, SCALE);
        // The last search gives the first player a logit of 1; the others are even.
        let won = sigmoid(1.0);
        let second = logit(0.5 * 0.5 + 0.5 * (1.0 - won)) * SCALE;
        let first = logit(0.5 * 0.5 + 0.5 * (1.0 - sigmoid(second / SCALE))) * SCALE;
        assert_eq!(found, [Some(first.round() as i16), Some(second.round() as i16), Some(600)]);
        assert!(first > 0.0 && second < 0.0 && first < -second);
    }

    #[test]
    fn a_move_that_is_not_the_best_or_was_not_searched_ends_the_mean_of_later_searches() {
        let plies = [(Some(100), false), (None, true), (Some(50), true), (None, true)];
        assert_eq!(scores(&game(&plies), 0.5, SCALE), [Some(100), None, Some(50), None]);
    }

    #[test]
    fn with_lambda_zero_every_score_is_that_of_its_own_search() {
        let plies = [(Some(-31_990), true), (Some(31_991), true), (Some(3), true)];
        assert_eq!(scores(&game(&plies), 0.0, SCALE), [Some(-31_990), Some(31_991), Some(3)]);
    }
}
