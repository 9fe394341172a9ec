//! One affine layer of small integers, in the orders in which the kernels read it.
//!
//! Owns the packing of weights; knows nothing of files and of what the numbers mean.

use crate::sys::{MemoryRefused, Pages};

/// Inputs are padded to a multiple of this in files.
pub(super) const INPUT_BLOCK: usize = 32;
/// Rows are padded to a multiple of this in memory: the bytes of the longest vector.
pub(super) const ROW_BLOCK: usize = 64;
/// Biases, and outputs above [`OUTPUT_BLOCK`], are padded to a multiple of this in memory: the
/// 32-bit lanes of the longest vector.
pub(super) const LANES: usize = 16;
/// The least number of outputs in memory.
pub(super) const OUTPUT_BLOCK: usize = 8;
/// Bytes behind the groups, so that the longest vector may be read from the last of them.
const SLACK: usize = 64;

/// `outputs` sums of `inputs` products, plus `outputs` biases.
#[derive(Debug)]
pub struct AffineLayer {
    inputs: usize,
    outputs: usize,
    bias: Pages<i32>,
    groups: Pages<i8>,
    rows: Pages<i8>,
    tiles: Pages<i8>,
    adds_in_16_bits: bool,
}

impl AffineLayer {
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
    ) -> Result<AffineLayer, MemoryRefused> {
        let columns = padded_inputs(inputs);
        assert!(inputs > 0 && outputs > 0, "a layer without inputs or outputs");
        assert_eq!((bias.len(), weights.len()), (outputs, outputs * columns));
        let lanes = outputs.next_multiple_of(LANES);
        let row = inputs.next_multiple_of(ROW_BLOCK);
        let mut layer = AffineLayer {
            inputs,
            outputs,
            bias: Pages::zeroed(lanes)?,
            groups: Pages::zeroed(inputs.div_ceil(4) * group_bytes(outputs) + SLACK)?,
            rows: Pages::zeroed(lanes * row)?,
            tiles: Pages::zeroed(lanes * row)?,
            adds_in_16_bits: true,
        };
        layer.bias[..outputs].copy_from_slice(bias);
        for (output, weights) in weights.chunks_exact(columns).enumerate() {
            let weights = &weights[..inputs];
            layer.adds_in_16_bits &= add_in_16_bits(weights);
            for (weights, group) in bytemuck::cast_slice::<i8, u8>(weights)
                .chunks(4)
                .zip(layer.groups.chunks_exact_mut(group_bytes(outputs)))
            {
                let bytes = bytemuck::cast_slice_mut::<i8, u8>(&mut group[output * 4..][..4]);
                bytes[..weights.len()].copy_from_slice(weights);
            }
            layer.rows[output * row..][..inputs].copy_from_slice(weights);
            for (column, weights) in weights.chunks(ROW_BLOCK).enumerate() {
                let tile = output / LANES * (row / ROW_BLOCK) + column;
                let start = (tile * LANES + output % LANES) * ROW_BLOCK;
                layer.tiles[start..][..weights.len()].copy_from_slice(weights);
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

    /// One for each output, and zeros up to a multiple of [`LANES`].
    #[inline(always)]
    pub(super) fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// `[inputs / 4][padded outputs][4]`, and slack behind: four neighbouring inputs of one output
    /// lie in one 32-bit lane, which is what dot-product instructions take, and four inputs that
    /// are all zero are skipped as one run of memory.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[i8] {
        &self.groups
    }

    /// Bytes from one group of four inputs to the next.
    #[inline(always)]
    pub(super) fn group_bytes(&self) -> usize {
        group_bytes(self.outputs)
    }

    /// `[outputs][row_bytes]`, outputs up to a multiple of [`LANES`]: as in files. Every weight is
    /// read, but inputs need not be spread over the lanes first.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[i8] {
        &self.rows
    }

    /// `[outputs / LANES][inputs / ROW_BLOCK][LANES][ROW_BLOCK]`: the rows, in the order in which sixteen
    /// of them are gone through side by side.
    #[inline(always)]
    pub(super) fn tiles(&self) -> &[i8] {
        &self.tiles
    }

    /// Whether the products of four inputs, two neighbours and two more, with the weights of an output
    /// have a sum of 16 bits, whichever they are.
    #[inline(always)]
    pub(super) fn adds_in_16_bits(&self) -> bool {
        self.adds_in_16_bits
    }

    /// Bytes from the weights of one output to those of the next.
    #[inline(always)]
    pub(super) fn row_bytes(&self) -> usize {
        self.inputs.next_multiple_of(ROW_BLOCK)
    }
}

/// As [`AffineLayer::adds_in_16_bits`], for the weights of one output.
fn add_in_16_bits(weights: &[i8]) -> bool {
    // Of two pairs, each input at most 127.
    let most = i32::from(i16::MAX) / (2 * 127);
    weights.chunks(2).all(|pair| {
        let above: i32 = pair.iter().map(|&weight| i32::from(weight.max(0))).sum();
        let below: i32 = pair.iter().map(|&weight| i32::from(weight.min(0))).sum();
        above <= most && below >= -most
    })
}

const fn group_bytes(outputs: usize) -> usize {
    if outputs <= OUTPUT_BLOCK { 4 * OUTPUT_BLOCK } else { 4 * outputs.next_multiple_of(LANES) }
}

pub(super) const fn padded_inputs(inputs: usize) -> usize {
    inputs.next_multiple_of(INPUT_BLOCK)
}
