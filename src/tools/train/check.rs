//! Evaluates a network on positions of games with the evaluator of the engine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::calibration::Calibration;
use super::checkpoint::Checkpoint;
use super::clipped_stacks::{ClippedStack, clipped_stacks};
use super::error::TrainError;
use super::export::{
    AccumulatorRange, QuantizationError, accumulator_range, engine_outputs, quantization_error,
};
use super::quantize::dequantized;
use super::recipe::Recipe;
use super::run::load_options;
use super::sample::{Label, TrainingSample};
use super::tensor_layout::TensorLayout;
use super::trainer::Trainer;
use super::training_data::{self, SampleCounts, fitted_scale};
use super::validation::ValidationReport;
use crate::nnue::Architecture;
use crate::nnue::file::{self, LoadOptions};
use crate::types::message::counted;

/// The results of checking a network.
#[derive(Clone, Debug)]
pub struct NetworkCheck {
    pub architecture: Architecture,
    /// The divisor of the output.
    pub fv_scale: u32,
    pub counts: SampleCounts,
    /// Why some games were skipped, and the layer stacks that training hardly changes.
    pub warnings: Vec<String>,
    pub report: ValidationReport,
    /// How the scores of the network predict the scores of the games.
    pub search: Option<Calibration>,
    /// How they predict the results of decided games.
    pub results: Option<Calibration>,
    pub accumulators: AccumulatorRange,
    /// Compared with the network without rounding between layers, or with the network of a checkpoint.
    pub quantization_error: QuantizationError,
    /// The scale that fits the results of the games best.
    pub scale: Option<f64>,
}

/// Evaluates a network on the positions of these games, at most as many as the recipe holds out.
/// Without a checkpoint, only filter, objective and `fv_scale` of the recipe matter, the last if
/// the file does not state it.
///
/// # Errors
/// See [`TrainError`].
pub fn check(
    net: &Path,
    games: &[PathBuf],
    recipe: &Recipe,
    checkpoint: Option<&Path>,
    threads: usize,
) -> Result<NetworkCheck, TrainError> {
    let beside = net.with_file_name(LoadOptions::PROGRESS_NAME);
    let default_progress_file = beside.is_file().then_some(beside);
    let options = LoadOptions { default_progress_file, ..load_options(recipe) };
    let net = Arc::new(file::load(net, &options).map_err(TrainError::Load)?);
    let architecture = net.architecture;
    let fv_scale = net.fv_scale.unwrap_or(recipe.fv_scale);
    let recipe = Recipe { fv_scale, ..recipe.clone() };
    let data = training_data::read_for_validation(games, &recipe, &net.buckets, threads)
        .map_err(TrainError::Data)?;
    let samples = &data.held_out;
    if samples.is_empty() {
        return Err(TrainError::NoValidationPositions(data.counts));
    }
    let parameters = net.parameters();
    let (quantization_error, clipped) = match checkpoint {
        Some(path) => {
            let (trainer, trained) = trainer_of(path, architecture, threads)?;
            let (layout, weights) = (&trainer.layout, trainer.ema_weights());
            // The unit of its outputs, whatever the scale of this check.
            let Recipe { sigmoid_scale, output_scale, .. } = trained;
            let recipe = Recipe { sigmoid_scale, output_scale, ..recipe.clone() };
            let error = quantization_error(layout, weights, &net, &recipe, samples, threads);
            (error, clipped_stacks(layout, weights, samples))
        }
        None => {
            let layout = TensorLayout::new(architecture, false);
            let weights = dequantized(&layout, &parameters, &recipe.scales());
            let weights = weights.map_err(TrainError::Memory)?;
            let error = quantization_error(&layout, &weights, &net, &recipe, samples, threads);
            (error, clipped_stacks(&layout, &weights, samples))
        }
    };
    let clipped = clipped.iter().map(ClippedStack::message);
    let outputs = engine_outputs(&net, samples, threads);
    let [search, results] = calibrations(&recipe, samples, &outputs);
    let report = ValidationReport::of_engine_outputs(&net, &recipe, samples, &outputs, threads);
    Ok(NetworkCheck {
        architecture,
        fv_scale,
        counts: data.counts,
        report,
        search,
        results,
        accumulators: accumulator_range(&parameters),
        quantization_error,
        scale: fitted_scale(samples),
        warnings: data.warnings.into_iter().chain(clipped).collect(),
    })
}

/// The trainer and the recipe of a checkpoint of a network of this architecture.
fn trainer_of(
    checkpoint: &Path,
    architecture: Architecture,
    threads: usize,
) -> Result<(Trainer, Recipe), TrainError> {
    let at_path = |error| TrainError::Checkpoint(checkpoint.into(), error);
    let opened = Checkpoint::open(checkpoint).map_err(at_path)?;
    let recipe = opened.recipe.clone();
    let trainer = opened.trainer(threads).map_err(at_path)?;
    match trainer.layout.architecture {
        has if has == architecture => Ok((trainer, recipe)),
        has => Err(TrainError::OtherNetwork { path: checkpoint.into(), has, needs: architecture }),
    }
}

/// The curves that fit the scores of the samples best, and the results of the decided games. `outputs` are
/// those of the network, one for each sample.
fn calibrations(
    recipe: &Recipe,
    samples: &[TrainingSample],
    outputs: &[f64],
) -> [Option<Calibration>; 2] {
    let scores = outputs.iter().map(|output| output / f64::from(recipe.fv_scale));
    let objective = recipe.objective(1.0);
    let (mut labels, mut results) = (Vec::new(), Vec::new());
    for (score, sample) in scores.zip(samples) {
        let Label { score: label, result } = sample.label;
        labels.push((score, f64::from(objective.win_rate(label))));
        if result != 0 {
            results.push((score, f64::from(sample.label.points())));
        }
    }
    [labels, results].map(|pairs| Calibration::fit(&pairs))
}

impl fmt::Display for NetworkCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValidationReport {
            positions,
            loss,
            mean_square_error: error,
            outcome_accuracy,
            move_agreement,
        } = self.report;
        self.warnings.iter().try_for_each(|warning| writeln!(f, "{warning}"))?;
        writeln!(f, "network    {}, FV_SCALE {}", self.architecture, self.fv_scale)?;
        writeln!(f, "games      {}", self.counts)?;
        writeln!(f, "evaluated  {}", counted(positions as u64, "position"))?;
        writeln!(f, "loss       {loss:.5}")?;
        writeln!(f, "error      {error:.5} (mean square, win rate against the search)")?;
        if outcome_accuracy.is_nan() {
            writeln!(f, "outcomes   no game is decided")?;
        } else {
            writeln!(f, "outcomes   {:.1} % of decided games predicted", 100.0 * outcome_accuracy)?;
        }
        for (what, calibration) in [("search    ", self.search), ("results   ", self.results)] {
            match calibration {
                Some(calibration) => writeln!(f, "{what} {calibration}")?,
                None => writeln!(f, "{what} no curve fits")?,
            }
        }
        if move_agreement.is_nan() {
            writeln!(f, "moves      no quiet best move is known")?;
        } else {
            let percent = 100.0 * move_agreement;
            writeln!(f, "moves      {percent:.1} % of best moves found, one move deep")?;
        }
        writeln!(f, "quantised  {}", self.quantization_error)?;
        writeln!(f, "range      {} (accumulators)", self.accumulators)?;
        match self.scale {
            Some(scale) => writeln!(f, "scale      {scale:.0} fits the scores of these games"),
            None => writeln!(f, "scale      none fits the scores of these games"),
        }
    }
}
