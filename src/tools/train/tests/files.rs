//! Networks as files, and their evaluation.

use std::fs;
use std::sync::Arc;

use tempfile::tempdir;

use super::*;
use crate::nnue::file::{self, LoadOptions};
use crate::nnue::{Evaluator, Network};
use crate::tools::game_file::is_quiet;
use crate::tools::train::export::{
    ExportError, accumulator_range, engine_outputs, quantization_error, write,
};
use crate::tools::train::recipe::Recipe;
use crate::tools::train::validation::{ValidationReport, move_agreement};

fn recipe(net: &str, buckets: &str) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.set("architecture", net).unwrap();
    recipe.set("bucket-mode", buckets).unwrap();
    recipe
}

/// The architecture of a recipe, and a network of it.
fn network_of(recipe: &Recipe) -> (TensorLayout, NetworkTensors) {
    let layout = TensorLayout::new(recipe.architecture().unwrap().0, recipe.factorizer);
    (layout, noisy(&layout, 11))
}

#[test]
fn a_written_network_is_read_exactly_and_evaluates_as_trained() {
    for (net, buckets) in [
        ("K-P 96x2-32-32", "none"),
        ("HalfKP_vm 64x2-8-32", "none"),
        ("HalfKA_hm2 64x2-15-32", "k3k3"),
        ("K-P 64x2-15-8", "one"),
    ] {
        let folder = tempdir().unwrap();
        let path = folder.path().join("net.bin");
        let recipe = recipe(net, buckets);
        let (layout, numbers) = network_of(&recipe);
        let file = quantized(&layout, &numbers, &recipe.scales());
        let accumulators = write(&path, &file, recipe.bucket_mode.as_deref(), recipe.fv_scale)
            .unwrap_or_else(|e| panic!("{e}"));
        let read = file::load(&path, &LoadOptions::default()).unwrap();
        assert!(read.parameters() == file && read.fv_scale == Some(16) && accumulators.fits());
        let mode = recipe.bucket_mode.as_deref().filter(|mode| *mode != "one");
        let mut again = Vec::new();
        let description = file::description(&file.architecture, mode, Some(16));
        file::write(&mut again, &read.parameters(), &description).unwrap();
        assert!(fs::read(&path).unwrap() == again);
        let samples = samples_for(&layout.architecture, 200, 5);
        let samples: Vec<TrainingSample> = match buckets {
            "one" => {
                samples.into_iter().map(|sample| TrainingSample { stack: 0, ..sample }).collect()
            }
            _ => samples,
        };
        let read = Arc::new(read);
        let found = quantization_error(&layout, &numbers, &read, &recipe, &samples, 2);
        assert!(found.positions > 150, "{net}: {found}");
        assert!(found.mean < 60.0 && found.worst < 200.0, "{net}: {found}");
        assert!((found.losses[0] - found.losses[1]).abs() < 0.02, "{net}: {found}");
        let mut outputs = [vec![0.0; samples.len()], engine_outputs(&read, &samples, 2)];
        for (sample, _, output) in evaluate(&layout, &numbers, &samples, 2) {
            outputs[0][sample as usize] = 600.0 * 16.0 * f64::from(output);
        }
        let [trained, engine] = outputs.map(|outputs| deviations(&outputs));
        assert!(size(&trained) / 16.0 > 50.0, "{net}: {}", size(&trained) / 16.0);
        let error: Vec<f64> = trained.iter().zip(&engine).map(|(a, b)| a - b).collect();
        let share = size(&error) / size(&trained);
        assert!(share < 0.2, "{net}: {share}");
    }
}

/// The differences of numbers from their mean.
fn deviations(numbers: &[f64]) -> Vec<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|number| number - mean).collect()
}

/// The root of the mean square.
fn size(numbers: &[f64]) -> f64 {
    (numbers.iter().map(|number| number * number).sum::<f64>() / numbers.len() as f64).sqrt()
}

#[test]
fn the_description_of_a_network_names_its_bucket_mode() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("net.bin");
    let recipe = recipe("K-P 64x2-15-8", "k9k9");
    let (layout, numbers) = network_of(&recipe);
    write(
        &path,
        &quantized(&layout, &numbers, &recipe.scales()),
        recipe.bucket_mode.as_deref(),
        recipe.fv_scale,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let read = file::load(&path, &LoadOptions::default()).unwrap();
    assert_eq!(read.buckets.count(), 81);
}

#[test]
fn sums_are_bounded_by_the_largest_rows_and_too_large_ones_are_not_written() {
    let architecture = classic(FeatureSet::KP, [64, 8, 8]);
    let mut file = NetworkParameters::zeros(architecture);
    assert_eq!((accumulator_range(&file).min, accumulator_range(&file).max), (0, 0));
    file.bias[3] = 10;
    for input in 100..200 {
        file.rows[input * 64 + 3] = 700;
        file.rows[input * 64 + 4] = -5;
    }
    file.rows[1700 * 64 + 3] = 1000;
    let range = accumulator_range(&file);
    assert_eq!((range.min, range.max), (-5 * 42, 10 + 1000 + 41 * 700));
    assert!(range.fits());
    let folder = tempdir().unwrap();
    let path = folder.path().join("net.bin");
    let recipe = recipe("K-P 64x2-8-8", "none");
    assert!(write(&path, &file, recipe.bucket_mode.as_deref(), recipe.fv_scale).is_ok());
    file.rows[1701 * 64 + 3] = 10_000;
    let error = write(&path, &file, recipe.bucket_mode.as_deref(), recipe.fv_scale).unwrap_err();
    assert!(matches!(error, ExportError::Overflow(range) if range.max > 32_767));
    assert!(file::load(&path, &LoadOptions::default()).is_ok(), "the old file stays");
}

/// Regression: it was counted once, so a network trained on mate problems could overflow in them.
#[test]
fn the_row_of_missing_pieces_is_in_the_sums_as_often_as_pieces_can_be_missing() {
    let mut file = NetworkParameters::zeros(classic(FeatureSet::KP, [64, 8, 8]));
    (file.bias[3], file.rows[3], file.rows[4]) = (5, 800, -900);
    let range = accumulator_range(&file);
    assert_eq!((range.min, range.max), (38 * -900, 5 + 38 * 800));
    assert!(!range.fits());
}

#[test]
fn the_move_with_the_highest_evaluation_is_found() {
    let recipe = recipe("K-P 64x2-8-8", "none");
    let (layout, numbers) = network_of(&recipe);
    let net = quantized(&layout, &numbers, &recipe.scales()).packed(Buckets::One).unwrap();
    let net = Arc::new(net);
    let samples = flat_samples(60, 8);
    let mut evaluator = Evaluator::new(Network::new(Arc::clone(&net)), &Position::startpos());
    let best_moves: Vec<TrainingSample> = samples
        .iter()
        .map(|&sample| {
            let position = sample.position();
            let moves = position.useful_moves();
            let value = |mv: &Move| {
                let mut after = position.clone();
                after.do_move(*mv);
                evaluator.reset(&after);
                evaluator.output(&after)
            };
            let last_minimum = |best: Option<(i32, Move)>, (value, mv)| match best {
                Some((minimum, _)) if minimum < value => best,
                _ => Some((value, mv)),
            };
            let mut value = value;
            let values =
                moves.moves().filter(|&mv| is_quiet(&position, mv)).map(|mv| (value(&mv), mv));
            let best = values.fold(None, last_minimum).map_or(Move::NONE, |(_, mv)| mv);
            TrainingSample { best, ..sample }
        })
        .collect();
    assert_eq!(move_agreement(&net, &best_moves, 2), 1.0);
    assert!(move_agreement(&net, &samples, 2).is_nan(), "no best move is known");
}

#[test]
fn the_figures_of_a_report_are_means() {
    let label = |score, result| Label { score, result };
    let judged =
        [(label(0, 1), 2.0), (label(600, 0), -1.0), (label(0, -1), 0.5), (label(0, -1), -0.5)];
    let objective = Objective { loss: LossFunction::Power(2.0), lambda: 0.0, sigmoid_scale: 600.0 };
    let report = ValidationReport::of(&judged, &objective);
    assert_eq!(report.positions, 4);
    assert!((report.outcome_accuracy - 2.0 / 3.0).abs() < 1e-9);
    let error = [0.8808 - 0.5, 0.2689 - 0.7311, 0.6225 - 0.5, 0.3775 - 0.5f64];
    let error = error.iter().map(|error| error * error).sum::<f64>() / 4.0;
    assert!((report.mean_square_error - error).abs() < 1e-4);
    let loss = [0.8808 - 1.0, 0.2689 - 0.5, 0.6225, 0.3775f64];
    let loss = loss.iter().map(|loss| loss * loss).sum::<f64>() / 4.0;
    assert!((report.loss - loss).abs() < 1e-4);
}

#[test]
fn positions_of_games_can_be_evaluated() {
    let recipe = recipe("HalfKP_vm 64x2-8-8", "none");
    let (layout, numbers) = network_of(&recipe);
    let net =
        Arc::new(quantized(&layout, &numbers, &recipe.scales()).packed(Buckets::One).unwrap());
    let samples = flat_samples(50, 8);
    assert_eq!(engine_outputs(&net, &samples, 1), engine_outputs(&net, &samples, 3));
}
