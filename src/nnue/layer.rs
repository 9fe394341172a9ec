//! One affine layer of small integers, in the order in which the kernels read it.
//!
//! Owns the packing of weights; knows nothing of files and of what the numbers mean.

use crate::sys::{MemoryRefused, Pages};

/// Inputs are padded to a multiple of this, in files and in memory.
pub const INPUT_BLOCK: usize = 32;
/// Outputs are padded to a multiple of this in memory.
pub const OUTPUT_BLOCK: usize = 8;

/// `outputs` sums of `inputs` products, plus `outputs` biases.
#[derive(Debug)]
pub struct Layer {
    inputs: usize,
    outputs: usize,
    bias: Pages<i32>,
    /// `[inputs / 4][outputs][4]`, both padded: four neighbouring inputs of one output lie in one
    /// 32-bit lane, which is what dot-product instructions take, and a group of four inputs that is
    /// all zero is skipped as one run of memory.
    weights: Pages<i8>,
}

impl Layer {
    /// Packs a layer. `bias` has `outputs` elements; `weights` is `[outputs][padded inputs]`, as in
    /// files, the padding of no effect.
    ///
    /// # Errors
    /// If there is no memory for it.
    ///
    /// # Panics
    /// Unless the lengths are as said.
    pub fn new(
        inputs: usize,
        outputs: usize,
        bias: &[i32],
        weights: &[i8],
    ) -> Result<Layer, MemoryRefused> {
        let (rows, columns) = (padded_outputs(outputs), padded_inputs(inputs));
        assert_eq!((bias.len(), weights.len()), (outputs, outputs * columns));
        let mut layer = Layer {
            inputs,
            outputs,
            bias: Pages::zeroed(rows)?,
            weights: Pages::zeroed(rows * columns)?,
        };
        layer.bias[..outputs].copy_from_slice(bias);
        for (output, row) in weights.chunks_exact(columns).enumerate() {
            for (input, &weight) in row[..inputs].iter().enumerate() {
                layer.weights[(input / 4 * rows + output) * 4 + input % 4] = weight;
            }
        }
        Ok(layer)
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// One for each padded output.
    pub(super) fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// `[padded inputs / 4][padded outputs][4]`
    pub(super) fn weights(&self) -> &[i8] {
        &self.weights
    }
}

pub const fn padded_inputs(inputs: usize) -> usize {
    inputs.next_multiple_of(INPUT_BLOCK)
}

pub const fn padded_outputs(outputs: usize) -> usize {
    outputs.next_multiple_of(OUTPUT_BLOCK)
}
