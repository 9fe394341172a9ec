//! How many units of a file each number of a net in training is worth, and what fits into them.
//!
//! Files count the clipped range in 127 units, and the weights of layers in 64ths, so that a sum
//! has 8128 to one. A layer's output is shifted down by six bits, which rounds towards minus
//! infinity: half a unit in the bias before makes that rounding to the nearest. The output of the
//! net is the score times the divisor that belongs to it (`FV_SCALE`); so the last layer has units
//! of its own.

use super::tensor_layout::TensorLayout;
use super::tensors::StackTensors;

/// Units of the clipped range.
pub(super) const RANGE: f32 = 127.0;
/// Units of a weight of a layer.
const WEIGHT: f32 = 64.0;
/// The largest weight that files have.
const LARGEST: f32 = 127.0;

/// The scale of one output of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutputScale {
    pub(super) weight: f32,
    pub(super) bias: f32,
    /// Added to the bias, in units of the file.
    pub(super) half: f32,
}

/// The scales of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QuantScales {
    /// What the output of the file is for an output of 1 in training.
    output: f32,
}

/// Names a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerId {
    First,
    Second,
    Last,
}

impl LayerId {
    /// From the inputs to the output.
    pub(super) const ALL: [LayerId; 3] = [LayerId::First, LayerId::Second, LayerId::Last];
}

impl QuantScales {
    /// `score_unit` is the score for an output of 1, `fv_scale` what the output of the file is
    /// divided by to make a score.
    pub(super) fn new(score_unit: f32, fv_scale: u32) -> QuantScales {
        QuantScales { output: score_unit * fv_scale as f32 }
    }

    pub(super) fn of(&self, shape: &TensorLayout, layer: LayerId, output: usize) -> OutputScale {
        let whole = OutputScale { weight: self.output / RANGE, bias: self.output, half: 0.0 };
        match layer {
            LayerId::Last => whole,
            LayerId::First if shape.shortcut() == Some(output) => whole,
            // Not only shifted but squared as well.
            LayerId::First if shape.is_sfnn() => OutputScale { half: 0.0, ..QuantScales::HIDDEN },
            LayerId::First | LayerId::Second => QuantScales::HIDDEN,
        }
    }

    const HIDDEN: OutputScale =
        OutputScale { weight: WEIGHT, bias: RANGE * WEIGHT, half: WEIGHT / 2.0 };

    /// Brings the weights of layers into the range that a file can hold.
    pub(super) fn clip(&self, shape: &TensorLayout, stack: &mut StackTensors) {
        for layer in LayerId::ALL {
            self.for_each_weight(shape, stack, layer, |weight, scale| {
                let limit = LARGEST / scale;
                weight.clamp(-limit, limit)
            });
        }
    }

    /// Makes the weights of a layer those that a file would hold.
    pub(super) fn round(&self, shape: &TensorLayout, stack: &mut StackTensors, layer: LayerId) {
        self.for_each_weight(shape, stack, layer, |weight, scale| (weight * scale).round() / scale);
    }

    /// Replaces each weight of a layer by what `change` makes of it and its scale.
    fn for_each_weight(
        &self,
        shape: &TensorLayout,
        stack: &mut StackTensors,
        layer: LayerId,
        change: impl Fn(f32, f32) -> f32,
    ) {
        let affine = match layer {
            LayerId::First => &mut stack.l1,
            LayerId::Second => &mut stack.l2,
            LayerId::Last => &mut stack.output,
        };
        let outputs = affine.outputs();
        let scales: Vec<f32> =
            (0..outputs).map(|output| self.of(shape, layer, output).weight).collect();
        for row in affine.weights.chunks_exact_mut(outputs) {
            for (weight, &scale) in row.iter_mut().zip(&scales) {
                *weight = change(*weight, scale);
            }
        }
    }
}
