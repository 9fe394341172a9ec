//! Converts between the tensors of training and the integers of a file.

use super::scales::{LayerId, QUANTIZED_ONE, QuantScales};
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::{AffineTensors, NetworkTensors, RowRef, StackTensors};
use crate::nnue::{LayerParameters, LayerStackParameters, MAX_BYTE_WEIGHT, NetworkParameters};
use crate::sys::AllocationError;

/// Quantises a network. Shared rows are added to those of every king bucket. The weights of rows are limited to 8
/// bits, which makes updates of accumulators faster.
pub(super) fn quantized(
    layout: &TensorLayout,
    net: &NetworkTensors,
    scales: &QuantScales,
) -> NetworkParameters {
    let mut file = NetworkParameters::zeros(layout.architecture);
    let width = layout.architecture.width;
    let rounded = |number: f32| (number * QUANTIZED_ONE).round() as i16;
    file.bias.iter_mut().zip(&net.bias).for_each(|(to, &bias)| *to = rounded(bias));
    let limited = |number: f32| rounded(number).clamp(-MAX_BYTE_WEIGHT, MAX_BYTE_WEIGHT);
    for (input, to) in file.rows.chunks_exact_mut(width).enumerate() {
        for (tile, to) in to.chunks_mut(TILE).enumerate() {
            let row = net.folded_row_tile(layout, tile, input);
            to.iter_mut().zip(row).for_each(|(to, number)| *to = limited(number));
        }
    }
    for (to, stack) in file.stacks.iter_mut().zip(&net.stacks) {
        for (to, from, layer) in layers_mut(to, stack) {
            let quantizer = LayerQuantizer { layout, scales, layer };
            quantizer.quantize(from, to);
        }
    }
    file
}

/// Rounds the feature transformer as in a file. Shared rows stay; the rows of king buckets change
/// so that their sums with these are whole.
pub(super) fn round_transformer(layout: &TensorLayout, net: &mut NetworkTensors) {
    let whole = |number: f32| (number * QUANTIZED_ONE).round() / QUANTIZED_ONE;
    net.bias.iter_mut().for_each(|bias| *bias = whole(*bias));
    let limit = f32::from(MAX_BYTE_WEIGHT) / QUANTIZED_ONE;
    let whole = |number: f32| whole(number).clamp(-limit, limit);
    if layout.king_buckets == 0 {
        return net.shared_rows.iter_mut().for_each(|number| *number = whole(*number));
    }
    let bucket = layout.bucket_len * TILE;
    for (at, own) in net.bucket_rows.chunks_exact_mut(bucket).enumerate() {
        let shared = net.shared_rows.chunks_exact(bucket).nth(at / layout.king_buckets);
        match shared {
            Some(shared) => own.iter_mut().zip(shared).for_each(|(own, &shared)| {
                *own = whole(*own + shared) - shared;
            }),
            None => own.iter_mut().for_each(|number| *number = whole(*number)),
        }
    }
}

/// Converts a file back for training. Shared rows become zero, unless the file has no king buckets
/// ([`TensorLayout::can_start_from`]): then its rows become the shared ones.
///
/// # Errors
/// If memory cannot be allocated.
pub(super) fn dequantized(
    layout: &TensorLayout,
    file: &NetworkParameters,
    scales: &QuantScales,
) -> Result<NetworkTensors, AllocationError> {
    let mut net = NetworkTensors::zeros(layout)?;
    let width = layout.architecture.width;
    let is_shared = file.rows.len() == layout.bucket_len * width;
    let single = |number: i16| f32::from(number) / QUANTIZED_ONE;
    net.bias.iter_mut().zip(&file.bias).for_each(|(to, &bias)| *to = single(bias));
    for (input, from) in file.rows.chunks_exact(width).enumerate() {
        let (bucket, feature) = layout.bucket_and_feature(input);
        let row =
            if is_shared { RowRef::Shared { feature } } else { RowRef::Own { bucket, feature } };
        for (tile, from) in from.chunks(TILE).enumerate() {
            let to = net.row_tile_mut(layout, tile, row);
            to.iter_mut().zip(from).for_each(|(to, &number)| *to = single(number));
        }
    }
    for (from, stack) in file.stacks.iter().zip(&mut net.stacks) {
        for (from, to, layer) in layers(from, stack) {
            let quantizer = LayerQuantizer { layout, scales, layer };
            quantizer.dequantize(from, to);
        }
    }
    Ok(net)
}

fn layers_mut<'a>(
    file: &'a mut LayerStackParameters,
    stack: &'a StackTensors,
) -> [(&'a mut LayerParameters, &'a AffineTensors, LayerId); 3] {
    [
        (&mut file.l1, &stack.l1, LayerId::L1),
        (&mut file.l2, &stack.l2, LayerId::L2),
        (&mut file.output, &stack.output, LayerId::Output),
    ]
}

fn layers<'a>(
    file: &'a LayerStackParameters,
    stack: &'a mut StackTensors,
) -> [(&'a LayerParameters, &'a mut AffineTensors, LayerId); 3] {
    [
        (&file.l1, &mut stack.l1, LayerId::L1),
        (&file.l2, &mut stack.l2, LayerId::L2),
        (&file.output, &mut stack.output, LayerId::Output),
    ]
}

/// Converts one layer.
struct LayerQuantizer<'a> {
    layout: &'a TensorLayout,
    scales: &'a QuantScales,
    layer: LayerId,
}

impl LayerQuantizer<'_> {
    fn inputs(&self) -> usize {
        let architecture = &self.layout.architecture;
        match self.layer {
            LayerId::L1 => architecture.l1_inputs(),
            LayerId::L2 => architecture.l2_inputs(),
            LayerId::Output => architecture.h2,
        }
    }

    /// The position of a weight of a file in the tensor.
    fn at(&self, input: usize, output: usize, outputs: usize) -> usize {
        let input = match self.layer {
            LayerId::L1 => self.layout.l1_input(input),
            LayerId::L2 => self.layout.l2_input(input),
            LayerId::Output => input,
        };
        input * outputs + output
    }

    fn quantize(&self, from: &AffineTensors, to: &mut LayerParameters) {
        let padded = to.weights.len() / to.bias.len();
        for (output, row) in to.weights.chunks_exact_mut(padded).enumerate() {
            let scale = self.scales.of(self.layout, self.layer, output);
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
            let scale = self.scales.of(self.layout, self.layer, output);
            to.bias[output] = (from.bias[output] as f32 - scale.half) / scale.bias;
            for (input, &weight) in row[..self.inputs()].iter().enumerate() {
                to.weights[self.at(input, output, outputs)] = f32::from(weight) / scale.weight;
            }
        }
    }
}
