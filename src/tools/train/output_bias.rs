//! The output bias that makes the level of a net that of another one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dataset;
use super::error::TrainError;
use super::export::engine_outputs;
use super::recipe::{PositionFilter, Recipe};
use crate::nnue::NetworkWeights;
use crate::nnue::file::{self, LoadOptions};

/// Positions whose evaluation by the reference is at most this are level (a pawn is 90).
const LEVEL: f64 = 400.0;

/// What to add to the output bias of `net`, so that its mean evaluation of level positions of these games
/// is that of `reference`. Labels are mostly of quiet positions, which favour the side to move, so a net that
/// was trained on them values the right to move more than its initial net did.
///
/// # Errors
/// See [`TrainError`].
pub fn output_bias_difference(
    reference: &Path,
    net: &Path,
    games: &[PathBuf],
    threads: usize,
) -> Result<i32, TrainError> {
    let load = |path| -> Result<Arc<NetworkWeights>, TrainError> {
        Ok(Arc::new(file::load(path, &LoadOptions::default()).map_err(TrainError::Load)?))
    };
    let (reference, net) = (load(reference)?, load(net)?);
    let mut recipe = Recipe { held_out: 1000, ..Recipe::default() };
    recipe.filter = PositionFilter { noisy: true, repeats: true, ..recipe.filter };
    let data =
        dataset::read(games, &recipe, &net.buckets, threads, 0).map_err(TrainError::Dataset)?;
    let limit = LEVEL * f64::from(reference.scale.unwrap_or(recipe.fv_scale));
    let outputs = [&reference, &net].map(|net| engine_outputs(net, &data.held_out, threads));
    let differences: Vec<f64> = std::iter::zip(&outputs[0], &outputs[1])
        .filter(|(output, _)| output.abs() <= limit)
        .map(|(output, other)| output - other)
        .collect();
    match differences.is_empty() {
        true => Err(TrainError::NoValidationPositions(data.counts)),
        false => Ok((differences.iter().sum::<f64>() / differences.len() as f64).round() as i32),
    }
}
