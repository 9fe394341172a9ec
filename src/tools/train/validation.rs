//! Evaluates a network on held-out positions.

use std::sync::Arc;

use super::export::{engine_outputs, map_with_evaluator};
use super::objective::{Objective, sigmoid};
use super::recipe::Recipe;
use super::sample::{Label, TrainingSample};
use crate::nnue::{Evaluator, NetworkWeights};
use crate::position::Position;
use crate::tools::game_file::is_quiet;
use crate::types::Move;

/// Means over held-out positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidationReport {
    pub positions: usize,
    /// The loss of the labels, without the ranking loss.
    pub loss: f64,
    /// Mean squared difference between the win rates of network and search.
    pub mean_square_error: f64,
    /// Share of the positions of decided games in which the network favours the winner; NaN if no game is
    /// decided.
    pub outcome_accuracy: f64,
    /// Share of the positions with a known quiet best move in which the network prefers it to all other
    /// quiet moves at depth one; NaN if none is known.
    pub move_agreement: f64,
}

impl ValidationReport {
    /// Evaluates positions with the engine. Uses the objective of the end of the training, so that
    /// reports are comparable.
    pub(super) fn of_network(
        net: &Arc<NetworkWeights>,
        recipe: &Recipe,
        samples: &[TrainingSample],
        threads: usize,
    ) -> ValidationReport {
        let outputs = engine_outputs(net, samples, threads);
        ValidationReport::of_engine_outputs(net, recipe, samples, &outputs, threads)
    }

    /// [`ValidationReport::of_network`] with the known outputs of the network, one for each position.
    pub(super) fn of_engine_outputs(
        net: &Arc<NetworkWeights>,
        recipe: &Recipe,
        samples: &[TrainingSample],
        outputs: &[f64],
        threads: usize,
    ) -> ValidationReport {
        let unit =
            f64::from(recipe.score_unit()) * f64::from(net.fv_scale.unwrap_or(recipe.fv_scale));
        let outputs: Vec<(Label, f32)> = samples
            .iter()
            .zip(outputs)
            .map(|(sample, raw)| (sample.label, (raw / unit) as f32))
            .collect();
        ValidationReport {
            move_agreement: move_agreement(net, samples, threads),
            ..ValidationReport::of(&outputs, &recipe.objective(1.0))
        }
    }

    /// A report of outputs with their labels; `move_agreement` is NaN.
    pub(super) fn of(outputs: &[(Label, f32)], objective: &Objective) -> ValidationReport {
        let (mut loss, mut error, mut decided, mut right) = (0.0, 0.0, 0u64, 0u64);
        for &(label, output) in outputs {
            loss += f64::from(objective.loss.with_gradient(output, objective.target(label)).0);
            error += f64::from(sigmoid(output) - objective.win_rate(label.score)).powi(2);
            if label.result != 0 {
                decided += 1;
                right += u64::from((output > 0.0) == (label.result > 0));
            }
        }
        let count = outputs.len().max(1) as f64;
        ValidationReport {
            positions: outputs.len(),
            loss: loss / count,
            mean_square_error: error / count,
            outcome_accuracy: right as f64 / decided as f64,
            move_agreement: f64::NAN,
        }
    }
}

/// Of more positions with known moves, at least this many and fewer than twice as many are evaluated: each costs as
/// much as a hundred others.
const MIN_MOVES: usize = 2000;

/// The share of positions with a known quiet best move in which the network prefers it to all other
/// quiet moves at depth one; NaN if none is known. (Captures are excluded: without a search a network
/// always prefers them.)
pub(super) fn move_agreement(
    net: &Arc<NetworkWeights>,
    samples: &[TrainingSample],
    threads: usize,
) -> f64 {
    let is_known = |sample: &&TrainingSample| {
        sample.best.is_some() && is_quiet(&sample.position(), sample.best)
    };
    let known: Vec<&TrainingSample> = samples.iter().filter(is_known).collect();
    let step = (known.len() / MIN_MOVES).max(1);
    let known: Vec<&TrainingSample> = known.into_iter().step_by(step).collect();
    let agrees = map_with_evaluator(net, threads, &known, |evaluator, sample| {
        let mut position = sample.position();
        let moves: Vec<Move> =
            position.useful_moves().moves().filter(|&mv| is_quiet(&position, mv)).collect();
        best_move(evaluator, &mut position, moves) == Some(sample.best)
    });
    agrees.iter().filter(|&&agrees| agrees).count() as f64 / agrees.len() as f64
}

/// The move with the highest evaluation at depth one.
fn best_move(evaluator: &mut Evaluator, position: &mut Position, moves: Vec<Move>) -> Option<Move> {
    evaluator.reset(position);
    moves.into_iter().max_by_key(|&mv| {
        let dirty = position.do_move(mv);
        evaluator.push(&dirty);
        let value = -i64::from(evaluator.output(position));
        evaluator.pop();
        position.undo_move(mv);
        value
    })
}
