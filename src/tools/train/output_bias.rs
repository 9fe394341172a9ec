//! The output bias that gives a network the mean evaluation of another one.

use std::path::PathBuf;
use std::sync::Arc;

use super::error::TrainError;
use super::export::engine_outputs;
use super::recipe::{Recipe, SampleFilter};
use super::training_data;
use crate::nnue::NetworkWeights;

/// Positions whose evaluation by the reference is at most this are even (a pawn is 90).
const MAX_EVEN_SCORE: f64 = 400.0;

/// What to add to the output bias of `net`, so that its mean evaluation of even positions of these games
/// is that of `reference`. Labels are mostly of quiet positions, which favour the side to move, so a
/// network that was trained on them values the right to move more than its initial network did.
///
/// # Errors
/// See [`TrainError`].
pub(super) fn output_bias_difference(
    reference: &Arc<NetworkWeights>,
    net: &Arc<NetworkWeights>,
    games: &[PathBuf],
    threads: usize,
) -> Result<i32, TrainError> {
    let mut recipe = Recipe::default();
    recipe.filter = SampleFilter { noisy: true, repeats: true, ..recipe.filter };
    let data = training_data::read_for_validation(games, &recipe, &net.buckets, threads)
        .map_err(TrainError::Data)?;
    let limit = MAX_EVEN_SCORE * f64::from(reference.fv_scale.unwrap_or(recipe.fv_scale));
    let outputs = [reference, net].map(|net| engine_outputs(net, &data.held_out, threads));
    let differences: Vec<f64> = std::iter::zip(&outputs[0], &outputs[1])
        .filter(|(output, _)| output.abs() <= limit)
        .map(|(output, other)| output - other)
        .collect();
    if differences.is_empty() {
        Err(TrainError::NoValidationPositions(data.counts))
    } else {
        Ok((differences.iter().sum::<f64>() / differences.len() as f64).round() as i32)
    }
}
