//! The quantisation scales of the layers.
//!
//! In a file an input of 1, the upper end of the clipped range, is 127, and a weight of 1 is 64, so a
//! sum of 1 is 127 * 64 = 8128. The output of a layer is shifted right by six bits, which rounds down;
//! half a unit in the bias turns that into rounding to nearest. The output of the network is the score
//! times its divisor (`FV_SCALE`), so the last layer has another scale.

use super::tensor_layout::TensorLayout;
use super::tensors::StackTensors;

/// The value in a file for 1, the upper end of the clipped range.
pub(super) const QUANTIZED_ONE: f32 = 127.0;
/// The value in a file for a weight of 1.
const WEIGHT_SCALE: f32 = 64.0;
/// The largest weight in a file.
const MAX_WEIGHT: f32 = 127.0;

/// The scale of one output of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutputScale {
    pub(super) weight: f32,
    pub(super) bias: f32,
    /// Added to the bias, in units of the file.
    pub(super) half: f32,
}

/// The scales of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QuantScales {
    /// The output of the file for an output of 1 in training.
    output: f32,
}

/// A layer of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerId {
    L1,
    L2,
    Output,
}

impl LayerId {
    /// From the inputs to the output.
    pub(super) const ALL: [LayerId; 3] = [LayerId::L1, LayerId::L2, LayerId::Output];
}

impl QuantScales {
    /// `score_unit` is the score for an output of 1, `fv_scale` the divisor of the output of the
    /// file.
    pub(super) fn new(score_unit: f32, fv_scale: u32) -> QuantScales {
        QuantScales { output: score_unit * fv_scale as f32 }
    }

    pub(super) fn of(&self, layout: &TensorLayout, layer: LayerId, output: usize) -> OutputScale {
        let whole =
            OutputScale { weight: self.output / QUANTIZED_ONE, bias: self.output, half: 0.0 };
        match layer {
            LayerId::Output => whole,
            LayerId::L1 if layout.shortcut() == Some(output) => whole,
            // Squared as well as shifted, so a constant would be wrong for one of them.
            LayerId::L1 if layout.is_sfnn() => OutputScale { half: 0.0, ..QuantScales::HIDDEN },
            LayerId::L1 | LayerId::L2 => QuantScales::HIDDEN,
        }
    }

    const HIDDEN: OutputScale = OutputScale {
        weight: WEIGHT_SCALE,
        bias: QUANTIZED_ONE * WEIGHT_SCALE,
        half: WEIGHT_SCALE / 2.0,
    };

    /// Clips the weights of layers to the range of a file.
    pub(super) fn clip(&self, layout: &TensorLayout, stack: &mut StackTensors) {
        for layer in LayerId::ALL {
            self.for_each_weight(layout, stack, layer, |weight, scale| {
                let limit = MAX_WEIGHT / scale;
                weight.clamp(-limit, limit)
            });
        }
    }

    /// Rounds the weights of a layer as in a file.
    pub(super) fn round(&self, layout: &TensorLayout, stack: &mut StackTensors, layer: LayerId) {
        self.for_each_weight(layout, stack, layer, |weight, scale| {
            (weight * scale).round() / scale
        });
    }

    /// Replaces each weight of a layer by `change(weight, scale)`.
    fn for_each_weight(
        &self,
        layout: &TensorLayout,
        stack: &mut StackTensors,
        layer: LayerId,
        change: impl Fn(f32, f32) -> f32,
    ) {
        let affine = match layer {
            LayerId::L1 => &mut stack.l1,
            LayerId::L2 => &mut stack.l2,
            LayerId::Output => &mut stack.output,
        };
        let outputs = affine.outputs();
        let scales: Vec<f32> =
            (0..outputs).map(|output| self.of(layout, layer, output).weight).collect();
        for row in affine.weights.chunks_exact_mut(outputs) {
            for (weight, &scale) in row.iter_mut().zip(&scales) {
                *weight = change(*weight, scale);
            }
        }
    }
}
