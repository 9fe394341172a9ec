//! Random initial weights.
//!
//! Accumulators start in the middle of the clipped range, and so do the outputs of all layers, as
//! in Nasu's first trainer (2018). All layer stacks start equal.

use super::rng_streams::INITIAL;
use super::tensor_layout::TensorLayout;
use super::tensors::{AffineTensors, NetworkTensors, RowRef, StackTensors};
use crate::nnue::PieceList;
use crate::sys::AllocationError;
use crate::types::Random;

/// Standard deviation of an accumulator.
const ACCUMULATOR_DEVIATION: f32 = 0.1;
/// Typical number of active features.
const TYPICAL_ACTIVE_FEATURES: f32 = 40.0;
/// Mean of the inputs of a layer.
const RANGE_MIDDLE: f32 = 0.5;

/// Initial weights; the rows of missing pieces are zero.
///
/// # Errors
/// If memory cannot be allocated.
pub(super) fn initial(layout: &TensorLayout, seed: u64) -> Result<NetworkTensors, AllocationError> {
    let mut net = random_weights(layout, seed)?;
    // Games with all pieces never train it, but in handicap games it would be in every accumulator.
    let feature = usize::from(PieceList::MISSING_PIECE);
    let own = (0..layout.king_buckets).map(|bucket| RowRef::Own { bucket, feature });
    for row in own.chain(layout.shared.then_some(RowRef::Shared { feature })) {
        (0..layout.tiles).for_each(|tile| net.row_tile_mut(layout, tile, row).fill(0.0));
    }
    Ok(net)
}

/// Random weights for all rows, including those of missing pieces.
pub(super) fn random_weights(
    layout: &TensorLayout,
    seed: u64,
) -> Result<NetworkTensors, AllocationError> {
    let mut net = NetworkTensors::zeros(layout)?;
    let mut random = Random::of_part(seed, INITIAL);
    net.bias[..layout.architecture.width].fill(RANGE_MIDDLE);
    let deviation = ACCUMULATOR_DEVIATION / TYPICAL_ACTIVE_FEATURES.sqrt();
    let rows = if layout.shared { 1 } else { layout.king_buckets };
    for (bucket, feature) in
        (0..rows).flat_map(|bucket| (0..layout.bucket_len).map(move |n| (bucket, n)))
    {
        let row = if layout.shared {
            RowRef::Shared { feature }
        } else {
            RowRef::Own { bucket, feature }
        };
        let mut left = layout.architecture.width;
        for tile in 0..layout.tiles {
            for weight in net.row_tile_mut(layout, tile, row).iter_mut().take(left) {
                *weight = deviation * normal(&mut random);
            }
            left = left.saturating_sub(super::tensor_layout::TILE);
        }
    }
    let stack = stack(layout, &mut random);
    net.stacks.fill(stack);
    Ok(net)
}

fn stack(layout: &TensorLayout, random: &mut Random) -> StackTensors {
    let architecture = &layout.architecture;
    let mut stack = StackTensors::zeros(layout);
    let inputs: Vec<usize> = (0..architecture.l1_inputs()).map(|i| layout.l1_input(i)).collect();
    layer(&mut stack.l1, &inputs, architecture.h1, random);
    let inputs: Vec<usize> = (0..architecture.l2_inputs()).map(|i| layout.l2_input(i)).collect();
    layer(&mut stack.l2, &inputs, architecture.h2, random);
    // The last layer starts at zero.
    stack
}

/// Draws the weights between these inputs and the first `outputs` outputs.
fn layer(layer: &mut AffineTensors, inputs: &[usize], outputs: usize, random: &mut Random) {
    let deviation = 1.0 / (inputs.len() as f32).sqrt();
    let columns = layer.outputs();
    for output in 0..outputs {
        let mut sum = 0.0;
        for &input in inputs {
            let weight = deviation * normal(random);
            layer.weights[input * columns + output] = weight;
            sum += weight;
        }
        layer.bias[output] = RANGE_MIDDLE - RANGE_MIDDLE * sum;
    }
}

/// A standard normal number (Box and Muller 1958).
pub(super) fn normal(random: &mut Random) -> f32 {
    let mut unit = || (random.next() >> 11) as f64 / (1u64 << 53) as f64;
    let radius = (-2.0 * (1.0 - unit()).ln()).sqrt();
    (radius * (std::f64::consts::TAU * unit()).cos()) as f32
}

#[cfg(test)]
mod tests {
    use super::super::quantize::quantized;
    use super::super::scales::QuantScales;
    use super::*;
    use crate::nnue::{Architecture, FeatureSet, Topology};

    /// Regression: the row kept its random weights for ever, and handicap games added it once per
    /// missing piece.
    #[test]
    fn the_rows_of_missing_pieces_start_at_zero() {
        let (width, h1, h2, topology) = (64, 8, 8, Topology::Classic);
        for (features, factorized) in
            [(FeatureSet::KP, true), (FeatureSet::HalfKpVm, true), (FeatureSet::HalfKpVm, false)]
        {
            let architecture = Architecture { features, width, h1, h2, topology };
            let layout = TensorLayout::new(architecture, factorized);
            let net = initial(&layout, 1).unwrap();
            let file = quantized(&layout, &net, &QuantScales::new(600.0, 16));
            for (input, row) in file.rows.chunks_exact(width).enumerate() {
                let is_nothing = row.iter().all(|&number| number == 0);
                let is_missing = input % layout.bucket_len == usize::from(PieceList::MISSING_PIECE);
                assert_eq!(is_nothing, is_missing, "{features:?} {input}");
            }
        }
    }

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        let mut random = Random::new(1);
        let numbers: Vec<f64> = (0..100_000).map(|_| f64::from(normal(&mut random))).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
