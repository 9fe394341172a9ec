//! How good a net is at positions that it has not learned from.

use std::sync::Arc;

use super::export::{engine_outputs, with_net};
use super::objective::{Objective, sigmoid};
use super::recipe::Recipe;
use super::sample::{Label, TrainingSample};
use crate::nnue::{Evaluator, Net};
use crate::position::Position;
use crate::tools::game_file::is_quiet;
use crate::types::Move;

/// Means over some positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidationReport {
    pub positions: usize,
    /// Of what is minimised, but for comparisons of moves.
    pub loss: f64,
    /// Mean square of the difference between the winning probabilities of net and search.
    pub error: f64,
    /// Of positions from games that somebody won, how often the net saw that side ahead.
    pub outcomes: f64,
    /// Of positions whose best move is known and quiet, how often the net finds it among all quiet
    /// moves, looking one move ahead.
    pub moves: f64,
}

impl ValidationReport {
    /// Judges positions by a net, as the engine evaluates with it. The goal is that of the recipe's end,
    /// so that reports can be compared.
    pub(super) fn of_net(
        net: &Arc<Net>,
        recipe: &Recipe,
        samples: &[TrainingSample],
        threads: usize,
    ) -> ValidationReport {
        let unit = f64::from(recipe.score_unit()) * f64::from(net.scale.unwrap_or(recipe.fv_scale));
        let judged: Vec<(Label, f32)> = samples
            .iter()
            .zip(engine_outputs(net, samples, threads))
            .map(|(sample, raw)| (sample.label, (raw / unit) as f32))
            .collect();
        let moves = move_agreement(net, samples, threads);
        ValidationReport { moves, ..ValidationReport::of(&judged, &recipe.goal(1.0)) }
    }

    /// Sums up outputs, each with the label of its position; what is said of moves is left at 0.
    pub(super) fn of(judged: &[(Label, f32)], goal: &Objective) -> ValidationReport {
        let (mut loss, mut error, mut decided, mut right) = (0.0, 0.0, 0u64, 0u64);
        for &(label, output) in judged {
            loss += f64::from(goal.loss.at(output, goal.of(label)).0);
            error += f64::from(sigmoid(output) - goal.win_rate(label.score)).powi(2);
            if label.result != 0 {
                decided += 1;
                right += u64::from((output > 0.0) == (label.result > 0));
            }
        }
        let count = judged.len().max(1) as f64;
        ValidationReport {
            positions: judged.len(),
            loss: loss / count,
            error: error / count,
            outcomes: right as f64 / decided.max(1) as f64,
            moves: 0.0,
        }
    }
}

/// Most positions whose moves are looked at: each costs as much as a hundred others.
const MOVES: usize = 2000;

/// How often the quiet move after which the net likes the position best is the best of all moves:
/// the share, of those positions where one is known and quiet. (Without a search a net takes
/// whatever is to be taken.)
pub(super) fn move_agreement(net: &Arc<Net>, samples: &[TrainingSample], threads: usize) -> f64 {
    let is_known = |sample: &&TrainingSample| {
        sample.best.is_some() && is_quiet(&sample.position(), sample.best)
    };
    let known: Vec<&TrainingSample> = samples.iter().filter(is_known).collect();
    let step = (known.len() / MOVES).max(1);
    let known: Vec<&TrainingSample> = known.into_iter().step_by(step).collect();
    let agrees = with_net(net, threads, &known, |evaluator, sample| {
        let mut position = sample.position();
        let moves: Vec<Move> =
            position.useful_moves().moves().filter(|&mv| is_quiet(&position, mv)).collect();
        favourite(evaluator, &mut position, moves) == Some(sample.best)
    });
    agrees.iter().filter(|&&agrees| agrees).count() as f64 / agrees.len().max(1) as f64
}

/// The move after which the net likes the position best.
fn favourite(evaluator: &mut Evaluator, position: &mut Position, moves: Vec<Move>) -> Option<Move> {
    evaluator.reset(position);
    moves.into_iter().max_by_key(|&mv| {
        let delta = position.do_move(mv);
        evaluator.push(&delta);
        let value = -i64::from(evaluator.output(position));
        evaluator.pop();
        position.undo_move(mv);
        value
    })
}
