//! The numbers that training begins with when there is no net to begin with.
//!
//! Sums of rows begin in the middle of the clipped range, and so do the outputs of all layers
//! behind: the choice of Nasu's first trainer (2018). Every stack of layers begins alike.

use super::numbers::{Affine, Numbers, Row, Stack};
use super::random::Random;
use super::shape::Shape;
use crate::sys::MemoryRefused;

/// Deviation of a sum of rows.
const SPREAD: f32 = 0.1;
/// About how many rows there are in a sum.
const ACTIVE: f32 = 40.0;
/// What the values that a layer takes are on average.
const MIDDLE: f32 = 0.5;

/// # Errors
/// If there is no memory for them.
pub(super) fn initial(shape: &Shape, seed: u64) -> Result<Numbers, MemoryRefused> {
    let mut net = Numbers::zeros(shape)?;
    let mut random = Random::new(seed, 0);
    net.bias[..shape.architecture.width].fill(MIDDLE);
    let deviation = SPREAD / ACTIVE.sqrt();
    let rows = if shape.shared { 1 } else { shape.blocks };
    for (block, number) in (0..rows).flat_map(|block| (0..shape.numbers).map(move |n| (block, n))) {
        let row = if shape.shared { Row::Shared { number } } else { Row::Of { block, number } };
        let mut left = shape.architecture.width;
        for tile in 0..shape.tiles {
            for weight in net.row_tile_mut(shape, tile, row).iter_mut().take(left) {
                *weight = deviation * random.normal();
            }
            left = left.saturating_sub(super::shape::TILE);
        }
    }
    let stack = stack(shape, &mut random);
    net.stacks.fill(stack);
    Ok(net)
}

fn stack(shape: &Shape, random: &mut Random) -> Stack {
    let architecture = &shape.architecture;
    let mut stack = Stack::zeros(shape);
    let inputs: Vec<usize> = (0..architecture.l1_inputs()).map(|i| shape.l1_input(i)).collect();
    layer(&mut stack.l1, &inputs, architecture.h1, random);
    let inputs: Vec<usize> = (0..architecture.l2_inputs()).map(|i| shape.l2_input(i)).collect();
    layer(&mut stack.l2, &inputs, architecture.h2, random);
    // The output begins at nothing.
    stack
}

/// Fills the weights between these inputs and the first outputs.
fn layer(layer: &mut Affine, inputs: &[usize], outputs: usize, random: &mut Random) {
    let deviation = 1.0 / (inputs.len() as f32).sqrt();
    let columns = layer.outputs();
    for output in 0..outputs {
        let mut sum = 0.0;
        for &input in inputs {
            let weight = deviation * random.normal();
            layer.weights[input * columns + output] = weight;
            sum += weight;
        }
        layer.bias[output] = MIDDLE - MIDDLE * sum;
    }
}
