//! The accuracy of a side in a game, from 0 to 1.
//!
//! The method follows lichess (lichess.org/page/accuracy): the accuracy of a move falls exponentially with
//! the win rate that it loses, so one blunder costs more than many small losses; and the accuracy of
//! a game is the average of two means. One is weighted by how much the win rates change around the move,
//! because it is easy to lose nothing in a quiet or a decided position; the other is the harmonic mean,
//! which the worst moves dominate. The formulas and constants here are our own.

use crate::types::Color;

/// The loss of win rate that halves the accuracy of a move.
const HALVING_LOSS: f64 = 0.16;
/// The number of moves in a window: a tenth of the game within these bounds.
const MIN_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;
/// Bounds of the weight of a move, which is the standard deviation of the win rates in its window.
const MIN_WEIGHT: f64 = 0.005;
const MAX_WEIGHT: f64 = 0.12;

/// The accuracy of a move that loses this much win rate.
fn of_move(win_rate_loss: f64) -> f64 {
    0.5_f64.powf(win_rate_loss / HALVING_LOSS)
}

/// A move with Black's win rates, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatedMove {
    pub(super) side: Color,
    pub(super) black_before: f64,
    pub(super) black_after: f64,
    /// The win rate that the move loses for its player.
    pub(super) loss: f64,
    /// Whether the move is from a book, so that it does not count.
    pub(super) is_book: bool,
}

/// The accuracy of a side in the moves of a line; `None` if it made none that counts.
pub(super) fn of_side(moves: &[RatedMove], side: Color) -> Option<f64> {
    let window = (moves.len() / 10).clamp(MIN_WINDOW, MAX_WINDOW);
    let (mut weighted, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (index, mv) in moves.iter().enumerate() {
        if mv.side != side || mv.is_book {
            continue;
        }
        let accuracy = of_move(mv.loss);
        let around = &moves[(index + 1).saturating_sub(window)..=index];
        let win_rates = around.iter().map(|mv| mv.black_after).chain([around[0].black_before]);
        let weight = standard_deviation(win_rates).clamp(MIN_WEIGHT, MAX_WEIGHT);
        weighted += weight * accuracy;
        weights += weight;
        inverse += 1.0 / accuracy;
        count += 1.0;
    }
    (count > 0.0).then(|| f64::midpoint(weighted / weights, count / inverse))
}

fn standard_deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game in which Black's moves lose this much, and White gives everything back.
    fn game(losses: &[f64]) -> Vec<RatedMove> {
        let pair = |&loss: &f64| {
            let (even, worse) = (0.5, 0.5 - loss);
            [(Color::Black, even, worse), (Color::White, worse, even)].map(
                |(side, black_before, black_after)| RatedMove {
                    side,
                    black_before,
                    black_after,
                    loss,
                    is_book: false,
                },
            )
        };
        losses.iter().flat_map(pair).collect()
    }

    fn accuracy(losses: &[f64]) -> f64 {
        of_side(&game(losses), Color::Black).unwrap()
    }

    /// Regression: games with five blunders had accuracies of 97 to 99.5 %.
    #[test]
    fn a_game_with_five_blunders_is_far_less_accurate_than_one_without() {
        let mut losses = [0.01; 50];
        assert!(accuracy(&losses) > 0.95, "{}", accuracy(&losses));
        (0..5).for_each(|index| losses[index * 9] = 0.2);
        let with_blunders = accuracy(&losses);
        assert!(with_blunders < 0.86, "{with_blunders}");
        // The same sum of losses in small parts is the better game.
        let alike = accuracy(&[(0.2 * 5.0 + 0.01 * 45.0) / 50.0; 50]);
        assert!(alike > with_blunders + 0.02, "{alike} {with_blunders}");
    }

    #[test]
    fn no_loss_is_full_accuracy_and_moves_of_a_book_do_not_count() {
        assert!((accuracy(&[0.0; 8]) - 1.0).abs() < 1e-12);
        let mut moves = game(&[0.3, 0.0, 0.0]);
        assert!(of_side(&moves, Color::Black).unwrap() < 0.9);
        moves[0].is_book = true;
        assert!((of_side(&moves, Color::Black).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(of_side(&[], Color::Black), None);
    }

    #[test]
    fn a_loss_of_sixteen_points_halves_the_accuracy_of_a_move() {
        assert_eq!([0.0, 0.16, 0.32].map(of_move), [1.0, 0.5, 0.25]);
    }
}
