//! The numbers that training begins with when there is no net to begin with.
//!
//! Sums of rows begin in the middle of the clipped range, and so do the outputs of all layers
//! behind: the choice of Nasu's first trainer (2018). Every stack of layers begins alike.

use super::rng_streams::INITIAL;
use super::tensor_layout::TensorLayout;
use super::tensors::{AffineTensors, NetTensors, RowRef, StackTensors};
use crate::nnue::PieceList;
use crate::sys::AllocationError;
use crate::types::Random;

/// Deviation of a sum of rows.
const SPREAD: f32 = 0.1;
/// About how many rows there are in a sum.
const ACTIVE: f32 = 40.0;
/// What the values that a layer takes are on average.
const MIDDLE: f32 = 0.5;

/// # Errors
/// If there is no memory for them.
pub(super) fn initial(shape: &TensorLayout, seed: u64) -> Result<NetTensors, AllocationError> {
    let mut net = drawn(shape, seed)?;
    // Games with all pieces never teach it, but in those with a handicap it would be in every sum.
    let number = usize::from(PieceList::MISSING_PIECE);
    let own = (0..shape.blocks).map(|block| RowRef::Of { block, number });
    for row in own.chain(shape.shared.then_some(RowRef::Shared { number })) {
        (0..shape.tiles).for_each(|tile| net.row_tile_mut(shape, tile, row).fill(0.0));
    }
    Ok(net)
}

/// The same, but for missing pieces too the numbers are drawn.
pub(super) fn drawn(shape: &TensorLayout, seed: u64) -> Result<NetTensors, AllocationError> {
    let mut net = NetTensors::zeros(shape)?;
    let mut random = Random::of_part(seed, INITIAL);
    net.bias[..shape.architecture.width].fill(MIDDLE);
    let deviation = SPREAD / ACTIVE.sqrt();
    let rows = if shape.shared { 1 } else { shape.blocks };
    for (block, number) in (0..rows).flat_map(|block| (0..shape.numbers).map(move |n| (block, n))) {
        let row =
            if shape.shared { RowRef::Shared { number } } else { RowRef::Of { block, number } };
        let mut left = shape.architecture.width;
        for tile in 0..shape.tiles {
            for weight in net.row_tile_mut(shape, tile, row).iter_mut().take(left) {
                *weight = deviation * normal(&mut random);
            }
            left = left.saturating_sub(super::tensor_layout::TILE);
        }
    }
    let stack = stack(shape, &mut random);
    net.stacks.fill(stack);
    Ok(net)
}

fn stack(shape: &TensorLayout, random: &mut Random) -> StackTensors {
    let architecture = &shape.architecture;
    let mut stack = StackTensors::zeros(shape);
    let inputs: Vec<usize> = (0..architecture.l1_inputs()).map(|i| shape.l1_input(i)).collect();
    layer(&mut stack.l1, &inputs, architecture.h1, random);
    let inputs: Vec<usize> = (0..architecture.l2_inputs()).map(|i| shape.l2_input(i)).collect();
    layer(&mut stack.l2, &inputs, architecture.h2, random);
    // The output begins at nothing.
    stack
}

/// Fills the weights between these inputs and the first outputs.
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
        layer.bias[output] = MIDDLE - MIDDLE * sum;
    }
}

/// Normally distributed around 0 with deviation 1 (Box and Muller 1958).
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

    /// What the row began with stayed for ever, and was in the sums of every handicap game as often
    /// as pieces were missing.
    #[test]
    fn a_missing_piece_is_worth_nothing_as_long_as_none_was_seen() {
        let (width, h1, h2, topology) = (64, 8, 8, Topology::Classic);
        for (features, factorized) in
            [(FeatureSet::KP, true), (FeatureSet::HalfKpVm, true), (FeatureSet::HalfKpVm, false)]
        {
            let architecture = Architecture { features, width, h1, h2, topology };
            let shape = TensorLayout::new(architecture, factorized);
            let net = initial(&shape, 1).unwrap();
            let file = quantized(&shape, &net, &QuantScales::new(600.0, 16));
            for (input, row) in file.rows.chunks_exact(width).enumerate() {
                let is_nothing = row.iter().all(|&number| number == 0);
                let is_missing = input % shape.numbers == usize::from(PieceList::MISSING_PIECE);
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
