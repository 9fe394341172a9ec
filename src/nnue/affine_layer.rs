//! An affine layer with 8-bit weights, packed in the three orders that the kernels read.

use crate::sys::{AllocationError, HugePages};

/// In files, inputs are padded to a multiple of this.
pub(super) const INPUT_BLOCK: usize = 32;
/// In memory, rows are padded to a multiple of this: the bytes of the longest vector.
pub(super) const ROW_BLOCK: usize = 64;
/// In memory, biases and outputs above [`MIN_OUTPUTS`] are padded to a multiple of this: the
/// 32-bit lanes of the longest vector.
pub(super) const OUTPUT_BLOCK: usize = 16;
/// In memory, the smallest number of outputs.
pub(super) const MIN_OUTPUTS: usize = 8;
/// Bytes after the groups, so that the longest vector can be loaded from the last one.
const SLACK: usize = 64;

/// `outputs = weights * inputs + bias`: inputs are bytes of 0..=127, weights have 8 bits, biases and outputs 32.
#[derive(Debug)]
pub struct AffineLayer {
    inputs: usize,
    outputs: usize,
    bias: HugePages<i32>,
    /// For sparse inputs, and for the second layer: the weights of four neighbouring inputs together.
    groups: HugePages<i8>,
    /// For the scalar kernels and the output layer: rows as in files, but longer padded.
    rows: HugePages<i8>,
    /// For dense inputs of the first layer: sixteen rows interleaved, by cache lines.
    tiles: HugePages<i8>,
    adds_in_16_bits: bool,
}

impl AffineLayer {
    /// Packs a layer. `bias` is `[outputs]`, `weights` is `[outputs][padded inputs]` as in files;
    /// the padding is ignored.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    ///
    /// # Panics
    /// Unless the lengths match.
    pub fn new(
        inputs: usize,
        outputs: usize,
        bias: &[i32],
        weights: &[i8],
    ) -> Result<AffineLayer, AllocationError> {
        let columns = padded_inputs(inputs);
        assert!(inputs > 0 && outputs > 0, "a layer without inputs or outputs");
        assert_eq!((bias.len(), weights.len()), (outputs, outputs * columns));
        let padded_outputs = outputs.next_multiple_of(OUTPUT_BLOCK);
        let row = inputs.next_multiple_of(ROW_BLOCK);
        let mut layer = AffineLayer {
            inputs,
            outputs,
            bias: HugePages::zeroed(padded_outputs)?,
            groups: HugePages::zeroed(inputs.div_ceil(4) * group_bytes(outputs) + SLACK)?,
            rows: HugePages::zeroed(padded_outputs * row)?,
            tiles: HugePages::zeroed(padded_outputs * row)?,
            adds_in_16_bits: true,
        };
        layer.bias[..outputs].copy_from_slice(bias);
        for (output, weights) in weights.chunks_exact(columns).enumerate() {
            let weights = &weights[..inputs];
            layer.adds_in_16_bits &= row_adds_in_16_bits(weights);
            for (weights, group) in bytemuck::cast_slice::<i8, u8>(weights)
                .chunks(4)
                .zip(layer.groups.chunks_exact_mut(group_bytes(outputs)))
            {
                let bytes = bytemuck::cast_slice_mut::<i8, u8>(&mut group[output * 4..][..4]);
                bytes[..weights.len()].copy_from_slice(weights);
            }
            layer.rows[output * row..][..inputs].copy_from_slice(weights);
            for (column, weights) in weights.chunks(ROW_BLOCK).enumerate() {
                let tile = output / OUTPUT_BLOCK * (row / ROW_BLOCK) + column;
                let start = (tile * OUTPUT_BLOCK + output % OUTPUT_BLOCK) * ROW_BLOCK;
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

    /// `[outputs]`, padded with zeros to a multiple of [`OUTPUT_BLOCK`].
    #[inline(always)]
    pub(super) fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// `[inputs / 4][padded outputs][4]`: the weights of four neighbouring inputs for one output
    /// are one 32-bit lane, as dot-product instructions need them. A group of four inputs that are
    /// all zero is skipped.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[i8] {
        &self.groups
    }

    /// Bytes per group of four inputs.
    #[inline(always)]
    pub(super) fn group_bytes(&self) -> usize {
        group_bytes(self.outputs)
    }

    /// `[padded outputs][row_bytes]`: the order of files. Every weight is read, but inputs need no broadcast.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[i8] {
        &self.rows
    }

    /// `[outputs / OUTPUT_BLOCK][inputs / ROW_BLOCK][OUTPUT_BLOCK][ROW_BLOCK]`, the quotients rounded up: the rows,
    /// with sixteen of them interleaved.
    #[inline(always)]
    pub(super) fn tiles(&self) -> &[i8] {
        &self.tiles
    }

    /// Whether the sum of any two pairs of neighbouring inputs, multiplied by their weights, fits
    /// 16 bits.
    #[inline(always)]
    pub(super) fn adds_in_16_bits(&self) -> bool {
        self.adds_in_16_bits
    }

    /// Bytes per row.
    #[inline(always)]
    pub(super) fn row_bytes(&self) -> usize {
        self.inputs.next_multiple_of(ROW_BLOCK)
    }
}

/// [`AffineLayer::adds_in_16_bits`] for the weights of one output.
fn row_adds_in_16_bits(weights: &[i8]) -> bool {
    // Each of the two pairs that are added may take half of the range; inputs are at most 127.
    let max_sum = i32::from(i16::MAX) / (2 * 127);
    weights.chunks(2).all(|pair| {
        let above: i32 = pair.iter().map(|&weight| i32::from(weight.max(0))).sum();
        let below: i32 = pair.iter().map(|&weight| i32::from(weight.min(0))).sum();
        above <= max_sum && below >= -max_sum
    })
}

const fn group_bytes(outputs: usize) -> usize {
    if outputs <= MIN_OUTPUTS {
        4 * MIN_OUTPUTS
    } else {
        4 * outputs.next_multiple_of(OUTPUT_BLOCK)
    }
}

pub(super) const fn padded_inputs(inputs: usize) -> usize {
    inputs.next_multiple_of(INPUT_BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_that_overflow_16_bits_are_known() {
        let fits = [[127, 2], [-128, -1], [127, -128]].map(|pair| (pair, true));
        let overflows = [[127, 3], [-128, -2], [-128, -128]].map(|pair| (pair, false));
        for ([a, b], adds) in fits.into_iter().chain(overflows) {
            for turned in [[a, b], [b, a]] {
                let weights = turned.repeat(8 * 256 / 2);
                let layer = AffineLayer::new(256, 8, &[0; 8], &weights).unwrap();
                assert_eq!(layer.adds_in_16_bits(), adds, "{turned:?}");
            }
        }
    }
}
