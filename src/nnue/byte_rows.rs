//! Rows of a feature transformer in 8 bits: half the memory traffic of 16 bits.
//!
//! An update adds differences of rows, so a weight `w` is stored as the byte `w + 128`, and a row of zeros
//! follows the last row, for additions without a subtraction and the reverse.

use crate::sys::{AllocationError, HugePages};

/// The largest weight, of either sign, that trainers write; larger ones would need 16 bits.
pub const MAX_BYTE_WEIGHT: i16 = i8::MAX as i16;

/// The byte of a weight of zero.
const ZERO: u8 = 128;
/// Columns of a block. Within it, the weights of two groups of eight columns, 32 columns apart, are next to each
/// other. So widening the low and the high eight bytes of every sixteen gives consecutive columns each, with
/// vectors of any length.
pub(super) const BLOCK: usize = 64;

/// Whether these weights fit 8 bits. Tests all of them at once, with vector instructions.
fn fits(weights: &[i16]) -> bool {
    let bytes = weights.iter().map(|weight| weight.wrapping_add(i16::from(ZERO)) as u16);
    bytes.fold(0, |all, byte| all | byte) <= u16::from(u8::MAX)
}

/// The place of a column in its block.
pub(super) const fn place(column: usize) -> usize {
    16 * (column % 32 / 8) + 8 * (column / 32) + column % 8
}

/// `[dimensions + 1][width]`; the last row is zero.
#[derive(Debug)]
pub struct ByteRows {
    width: usize,
    bytes: HugePages<u8>,
}

impl ByteRows {
    /// The rows `[dimensions][width]` in 8 bits; `None` if a weight is too large or blocks do not divide the
    /// width.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn of(rows: &[i16], width: usize) -> Result<Option<ByteRows>, AllocationError> {
        if width == 0 || !width.is_multiple_of(BLOCK) || !rows.chunks(BLOCK).all(fits) {
            return Ok(None);
        }
        let mut bytes = HugePages::zeroed(rows.len() + width)?;
        let (packed, zero_row) = bytes.split_at_mut(rows.len());
        zero_row.fill(ZERO);
        for (to, from) in packed.chunks_exact_mut(BLOCK).zip(rows.chunks_exact(BLOCK)) {
            // Groups of eight columns, because the compiler makes vector instructions of these.
            for (group, from) in from.chunks_exact(8).enumerate() {
                let to = &mut to[place(8 * group)..][..8];
                for (to, &weight) in to.iter_mut().zip(from) {
                    *to = (weight as u8).wrapping_add(ZERO);
                }
            }
        }
        Ok(Some(ByteRows { width, bytes }))
    }

    /// The rows in 16 bits, without the row of zeros.
    pub(super) fn to_vec(&self) -> Vec<i16> {
        let count = self.bytes.len() - self.width;
        let block = |block: &[u8]| -> [i16; BLOCK] {
            std::array::from_fn(|column| i16::from(block[place(column)]) - i16::from(ZERO))
        };
        self.bytes[..count].chunks_exact(BLOCK).flat_map(block).collect()
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The index of the row of zeros.
    pub(super) fn zero_row(&self) -> usize {
        self.bytes.len() / self.width - 1
    }
}

/// The rows of a feature transformer, one per feature.
#[derive(Clone, Copy, Debug)]
pub enum FeatureRows<'a> {
    /// `[dimensions][width]`
    Words(&'a [i16]),
    Bytes(&'a ByteRows),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Random;

    #[test]
    fn rows_of_eight_bits_are_packed_and_unpacked() {
        let mut random = Random::new(1);
        let rows: Vec<i16> = (0..3 * 128).map(|_| random.below(256) as i16 - 128).collect();
        let packed = ByteRows::of(&rows, 128).unwrap().unwrap();
        assert_eq!(packed.to_vec(), rows);
        assert_eq!(packed.zero_row(), 3);
        assert!(packed.bytes()[3 * 128..].iter().all(|&byte| byte == ZERO));
    }

    #[test]
    fn rows_with_a_larger_weight_or_another_width_are_not_packed() {
        let mut rows = vec![0; 2 * 64];
        assert!(ByteRows::of(&rows, 64).unwrap().is_some());
        assert!(ByteRows::of(&rows, 32).unwrap().is_none());
        for weight in [128, -129, i16::MIN, i16::MAX] {
            rows[100] = weight;
            assert!(ByteRows::of(&rows, 64).unwrap().is_none());
        }
    }
}
