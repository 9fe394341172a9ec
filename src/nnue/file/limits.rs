//! The sizes of networks that are read, up to what the kernels support.

use crate::nnue::architecture::{Architecture, Topology};
use crate::nnue::kernels::{MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH};

/// Widths of the feature transformer are multiples of this.
pub(super) const WIDTH_STEP: usize = 32;
/// Outputs of the later layers are multiples of this.
pub(super) const LAYER_STEP: usize = 8;

/// Whether SFNN networks may be that wide.
pub(super) fn is_sfnn_width(width: usize) -> bool {
    (WIDTH_STEP..=MAX_WIDTH).contains(&width) && width.is_multiple_of(WIDTH_STEP)
}

/// Whether classic networks may be that wide.
pub(super) fn is_classic_width(width: usize) -> bool {
    is_sfnn_width(width) && width <= MAX_CLASSIC_WIDTH
}

pub(super) fn layer_sizes() -> impl Iterator<Item = usize> {
    (LAYER_STEP..=MAX_OUTPUTS).step_by(LAYER_STEP)
}

/// Whether files with this architecture are read.
pub fn is_readable(architecture: &Architecture) -> bool {
    let is_layer = |outputs: usize| layer_sizes().any(|size| size == outputs);
    let is_width = match architecture.topology {
        Topology::Classic => is_classic_width(architecture.width),
        Topology::Sfnn { .. } => is_sfnn_width(architecture.width),
    };
    is_width && is_layer(architecture.l1_outputs()) && is_layer(architecture.h2)
}
