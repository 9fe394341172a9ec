//! The sizes of nets that are read, up to what the kernels support.

use crate::nnue::architecture::Architecture;
use crate::nnue::kernels::{MAX_OUTPUTS, MAX_WIDTH};

/// Widths of the feature transformer start here and are multiples of [`WIDTH_STEP`].
pub(super) const MIN_WIDTH: usize = 64;
pub(super) const WIDTH_STEP: usize = 32;
/// Outputs of the later layers are multiples of this.
pub(super) const LAYER_STEP: usize = 8;

pub(super) fn widths() -> impl Iterator<Item = usize> {
    (MIN_WIDTH..=MAX_WIDTH).step_by(WIDTH_STEP)
}

pub(super) fn layer_sizes() -> impl Iterator<Item = usize> {
    (LAYER_STEP..=MAX_OUTPUTS).step_by(LAYER_STEP)
}

/// Whether files with this architecture are read.
pub fn is_readable(architecture: &Architecture) -> bool {
    let is_layer = |outputs: usize| layer_sizes().any(|size| size == outputs);
    widths().any(|width| width == architecture.width)
        && is_layer(architecture.l1_outputs())
        && is_layer(architecture.h2)
}
