//! Writes a trained network in the format of the engine, and verifies that the file equals the network.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parallel;
use super::recipe::Recipe;
use super::sample::TrainingSample;
use super::tensor_layout::TensorLayout;
use super::tensors::NetworkTensors;
use super::trainer::evaluate;
use crate::nnue::file::{self, LoadError, LoadOptions};
use crate::nnue::{Evaluator, Network, NetworkParameters, NetworkWeights, PieceList};
use crate::position::Position;
use crate::sys::{AllocationError, AtomicFile};

/// Why a network cannot be written.
#[derive(Debug)]
pub enum ExportError {
    Io(PathBuf, io::Error),
    /// The engine cannot load the written file.
    Load(LoadError),
    /// The engine loads other parameters than were written.
    Differs(PathBuf),
    /// Accumulators may exceed 16 bits.
    Overflow(AccumulatorRange),
    Memory(AllocationError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ExportError::Load(error) => write!(f, "the engine cannot load the network: {error}"),
            ExportError::Differs(path) => {
                write!(f, "{}: the engine loads other parameters than were written", path.display())
            }
            ExportError::Overflow(range) => {
                write!(f, "accumulators may overflow 16 bits: {range}; train with weight-decay")
            }
            ExportError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExportError {}

/// The range of the accumulators of all positions, in units of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccumulatorRange {
    pub min: i64,
    pub max: i64,
}

impl AccumulatorRange {
    /// Whether 16 bits are enough.
    pub fn fits(&self) -> bool {
        self.min >= i64::from(i16::MIN) && self.max <= i64::from(i16::MAX)
    }
}

impl fmt::Display for AccumulatorRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} of {} to {}", self.min, self.max, i16::MIN, i16::MAX)
    }
}

/// Bounds the accumulators of all positions: for each column and king bucket, the sum of as many of
/// the largest weights as features can be active, whether or not these can be active together.
pub fn accumulator_range(net: &NetworkParameters) -> AccumulatorRange {
    let width = net.architecture.width;
    let mut range = AccumulatorRange { min: 0, max: 0 };
    for block in net.rows.chunks_exact(net.architecture.king_bucket_weights()) {
        for (column, &bias) in net.bias.iter().enumerate() {
            let mut numbers: Vec<i16> = block[column..].iter().step_by(width).copied().collect();
            // Active once per missing piece.
            let missing = numbers[usize::from(PieceList::MISSING_PIECE)];
            numbers.extend(std::iter::repeat_n(missing, PieceList::MAX_MISSING - 1));
            let end = numbers.len() - PieceList::MAX_ACTIVE;
            let (_, _, largest) = numbers.select_nth_unstable(end - 1);
            let above: i64 = largest.iter().map(|&number| i64::from(number.max(0))).sum();
            let (smallest, _, _) = numbers.select_nth_unstable(PieceList::MAX_ACTIVE);
            let below: i64 = smallest.iter().map(|&number| i64::from(number.min(0))).sum();
            range.max = range.max.max(i64::from(bias) + above);
            range.min = range.min.min(i64::from(bias) + below);
        }
    }
    range
}

/// Writes a network atomically, after loading it again and comparing all parameters. `mode` selects its
/// layer stacks.
///
/// # Errors
/// See [`ExportError`].
pub(super) fn write(
    path: &Path,
    net: &NetworkParameters,
    mode: Option<&str>,
    fv_scale: u32,
) -> Result<AccumulatorRange, ExportError> {
    let range = accumulator_range(net);
    if !range.fits() {
        return Err(ExportError::Overflow(range));
    }
    let at_path = |error| ExportError::Io(path.to_owned(), error);
    let mode = mode.filter(|mode| *mode != "one");
    let description = file::description(&net.architecture, mode, Some(fv_scale));
    let mut fresh = AtomicFile::create(path).map_err(at_path)?;
    file::write(&mut fresh, net, &description).and_then(|()| fresh.flush()).map_err(at_path)?;
    // The description names the bucket mode.
    let read = file::load(fresh.path(), &LoadOptions::default()).map_err(ExportError::Load)?;
    if read.parameters() != *net || read.fv_scale != Some(fv_scale) {
        return Err(ExportError::Differs(path.to_owned()));
    }
    drop(read);
    fresh.commit().map_err(at_path)?;
    Ok(range)
}

/// The effect of quantisation: the differences of the scores of the file from those of the trained network, in
/// units of the engine, and both losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantizationError {
    /// The undecided positions; the losses are means over all.
    pub positions: usize,
    /// Mean absolute difference.
    pub mean: f64,
    /// Mean signed difference.
    pub bias: f64,
    pub worst: f64,
    /// Mean loss before and after quantisation.
    pub losses: [f64; 2],
}

impl fmt::Display for QuantizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuantizationError { positions, mean, bias, worst, losses: [before, after] } = self;
        write!(
            f,
            "error {mean:.2} on average, {worst:.1} at worst, bias {bias:+.2} over {positions} \
             positions; loss {before:.5} becomes {after:.5}"
        )
    }
}

/// Larger scores do not count.
const DECIDED: f64 = 3000.0;

/// Compares the trained network with the engine and the quantised weights of its file.
pub(super) fn quantization_error(
    layout: &TensorLayout,
    weights: &NetworkTensors,
    net: &Arc<NetworkWeights>,
    recipe: &Recipe,
    samples: &[TrainingSample],
    threads: usize,
) -> QuantizationError {
    let scale = f64::from(recipe.score_unit());
    let unit = scale * f64::from(recipe.fv_scale);
    let objective = recipe.objective(1.0);
    let engine_outputs = engine_outputs(net, samples, threads);
    let mut found =
        QuantizationError { positions: 0, mean: 0.0, bias: 0.0, worst: 0.0, losses: [0.0; 2] };
    for (sample, label, before) in evaluate(layout, weights, samples, threads) {
        let after = engine_outputs[sample as usize] / unit;
        for (sum, output) in found.losses.iter_mut().zip([before, after as f32]) {
            *sum += f64::from(objective.loss.with_gradient(output, objective.target(label)).0);
        }
        let before = f64::from(before);
        if scale * before.abs() > DECIDED {
            continue;
        }
        let error = scale * (after - before);
        found.positions += 1;
        found.mean += error.abs();
        found.bias += error;
        found.worst = found.worst.max(error.abs());
    }
    let positions = found.positions.max(1) as f64;
    (found.mean, found.bias) = (found.mean / positions, found.bias / positions);
    found.losses = found.losses.map(|sum| sum / samples.len().max(1) as f64);
    found
}

/// The unscaled outputs of the engine.
pub(super) fn engine_outputs(
    net: &Arc<NetworkWeights>,
    samples: &[TrainingSample],
    threads: usize,
) -> Vec<f64> {
    map_with_evaluator(net, threads, samples, |evaluator, sample| {
        let position = sample.position();
        evaluator.reset(&position);
        f64::from(evaluator.output(&position))
    })
}

/// Maps items to results in order, on `threads` threads, each with an evaluator at an arbitrary
/// position.
pub(super) fn map_with_evaluator<T: Sync, R: Clone + Default + Send>(
    net: &Arc<NetworkWeights>,
    threads: usize,
    items: &[T],
    each: impl Fn(&mut Evaluator, &T) -> R + Sync,
) -> Vec<R> {
    let mut results = vec![R::default(); items.len()];
    let size = items.len().div_ceil(threads.max(1)).max(1);
    let jobs = items.chunks(size).zip(results.chunks_mut(size)).collect();
    parallel::for_each(threads, jobs, |(items, results): (&[T], &mut [R])| {
        let start = Position::startpos();
        let mut evaluator = Evaluator::new(Network::new(Arc::clone(net)), &start);
        for (item, result) in items.iter().zip(results) {
            *result = each(&mut evaluator, item);
        }
    });
    results
}
