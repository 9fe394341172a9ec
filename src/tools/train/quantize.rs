//! From the numbers of a net in training to those of a file, and back.

use super::scales::{LayerId, QuantScales, RANGE};
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::{AffineTensors, NetTensors, RowRef, StackTensors};
use crate::nnue::{LayerParameters, LayerStackParameters, NetParameters};
use crate::sys::AllocationError;

/// The numbers of a file. Rows that blocks share are added to those of every block.
pub(super) fn quantized(
    shape: &TensorLayout,
    net: &NetTensors,
    scales: &QuantScales,
) -> NetParameters {
    let mut file = NetParameters::zeros(shape.architecture);
    let width = shape.architecture.width;
    let whole = |number: f32| (number * RANGE).round() as i16;
    file.bias.iter_mut().zip(&net.bias).for_each(|(to, &bias)| *to = whole(bias));
    for (input, to) in file.rows.chunks_exact_mut(width).enumerate() {
        for (tile, to) in to.chunks_mut(TILE).enumerate() {
            let row = folded(shape, net, input, tile);
            to.iter_mut().zip(row).for_each(|(to, number)| *to = whole(number));
        }
    }
    for (to, stack) in file.stacks.iter_mut().zip(&net.stacks) {
        for (to, from, layer) in layers_mut(to, stack) {
            let place = LayerQuantizer { shape, scales, layer };
            place.quantize(from, to);
        }
    }
    file
}

/// Makes the transformer's numbers those that a file would hold: rows that blocks share stay, and
/// their sums with those of the blocks become whole.
pub(super) fn round_transformer(shape: &TensorLayout, net: &mut NetTensors) {
    let whole = |number: f32| (number * RANGE).round() / RANGE;
    net.bias.iter_mut().for_each(|bias| *bias = whole(*bias));
    if shape.blocks == 0 {
        return net.shared.iter_mut().for_each(|number| *number = whole(*number));
    }
    let block = shape.numbers * TILE;
    for (at, own) in net.blocks.chunks_exact_mut(block).enumerate() {
        let shared = net.shared.chunks_exact(block).nth(at / shape.blocks);
        match shared {
            Some(shared) => own.iter_mut().zip(shared).for_each(|(own, &shared)| {
                *own = whole(*own + shared) - shared;
            }),
            None => own.iter_mut().for_each(|number| *number = whole(*number)),
        }
    }
}

/// One tile of the row of an input, as a file counts inputs.
fn folded(shape: &TensorLayout, net: &NetTensors, input: usize, tile: usize) -> [f32; TILE] {
    let (block, number) = (input / shape.numbers, input % shape.numbers);
    let mut sum = [0.0; TILE];
    let own = (shape.blocks > 0).then_some(RowRef::Of { block, number });
    let shared = shape.shared.then_some(RowRef::Shared { number });
    for row in own.into_iter().chain(shared) {
        let row = net.row_tile(shape, tile, row);
        sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    sum
}

/// The numbers to train a net on that stands in a file. Rows that blocks share begin with nothing,
/// unless the file has no others ([`TensorLayout::grows_from`]): then those of the blocks do.
///
/// # Errors
/// If there is no memory for them.
pub(super) fn dequantized(
    shape: &TensorLayout,
    file: &NetParameters,
    scales: &QuantScales,
) -> Result<NetTensors, AllocationError> {
    let mut net = NetTensors::zeros(shape)?;
    let width = shape.architecture.width;
    let is_shared = file.rows.len() == shape.numbers * width;
    let single = |number: i16| f32::from(number) / RANGE;
    net.bias.iter_mut().zip(&file.bias).for_each(|(to, &bias)| *to = single(bias));
    for (input, from) in file.rows.chunks_exact(width).enumerate() {
        let (block, number) = (input / shape.numbers, input % shape.numbers);
        let row = if is_shared { RowRef::Shared { number } } else { RowRef::Of { block, number } };
        for (tile, from) in from.chunks(TILE).enumerate() {
            let to = net.row_tile_mut(shape, tile, row);
            to.iter_mut().zip(from).for_each(|(to, &number)| *to = single(number));
        }
    }
    for (from, stack) in file.stacks.iter().zip(&mut net.stacks) {
        for (from, to, layer) in layers(from, stack) {
            let place = LayerQuantizer { shape, scales, layer };
            place.dequantize(from, to);
        }
    }
    Ok(net)
}

fn layers_mut<'a>(
    file: &'a mut LayerStackParameters,
    stack: &'a StackTensors,
) -> [(&'a mut LayerParameters, &'a AffineTensors, LayerId); 3] {
    [
        (&mut file.l1, &stack.l1, LayerId::First),
        (&mut file.l2, &stack.l2, LayerId::Second),
        (&mut file.output, &stack.output, LayerId::Last),
    ]
}

fn layers<'a>(
    file: &'a LayerStackParameters,
    stack: &'a mut StackTensors,
) -> [(&'a LayerParameters, &'a mut AffineTensors, LayerId); 3] {
    [
        (&file.l1, &mut stack.l1, LayerId::First),
        (&file.l2, &mut stack.l2, LayerId::Second),
        (&file.output, &mut stack.output, LayerId::Last),
    ]
}

/// A layer of some shape of net, at its place.
struct LayerQuantizer<'a> {
    shape: &'a TensorLayout,
    scales: &'a QuantScales,
    layer: LayerId,
}

impl LayerQuantizer<'_> {
    fn inputs(&self) -> usize {
        let architecture = &self.shape.architecture;
        match self.layer {
            LayerId::First => architecture.l1_inputs(),
            LayerId::Second => architecture.l2_inputs(),
            LayerId::Last => architecture.h2,
        }
    }

    /// Where a weight of a file stands in training.
    fn at(&self, input: usize, output: usize, outputs: usize) -> usize {
        let input = match self.layer {
            LayerId::First => self.shape.l1_input(input),
            LayerId::Second => self.shape.l2_input(input),
            LayerId::Last => input,
        };
        input * outputs + output
    }

    fn quantize(&self, from: &AffineTensors, to: &mut LayerParameters) {
        let padded = to.weights.len() / to.bias.len();
        for (output, row) in to.weights.chunks_exact_mut(padded).enumerate() {
            let scale = self.scales.of(self.shape, self.layer, output);
            to.bias[output] = (from.bias[output] * scale.bias + scale.half).round() as i32;
            for (input, weight) in row[..self.inputs()].iter_mut().enumerate() {
                let number = from.weights[self.at(input, output, from.outputs())] * scale.weight;
                *weight = number.round() as i8;
            }
        }
    }

    fn dequantize(&self, from: &LayerParameters, to: &mut AffineTensors) {
        let padded = from.weights.len() / from.bias.len();
        let outputs = to.outputs();
        for (output, row) in from.weights.chunks_exact(padded).enumerate() {
            let scale = self.scales.of(self.shape, self.layer, output);
            to.bias[output] = (from.bias[output] as f32 - scale.half) / scale.bias;
            for (input, &weight) in row[..self.inputs()].iter().enumerate() {
                to.weights[self.at(input, output, outputs)] = f32::from(weight) / scale.weight;
            }
        }
    }
}
