//! The largest dimensions that the kernels support; buffers on the stack are sized for them.

/// Largest width of an accumulator.
pub const MAX_WIDTH: usize = 8192;
/// Largest width of a classic network, whose first layer takes all of both accumulators; that of an
/// SFNN network takes half of each.
pub const MAX_CLASSIC_WIDTH: usize = MAX_WIDTH / 2;
/// Most inputs of a layer.
pub(super) const MAX_INPUTS: usize = MAX_WIDTH;
/// Most outputs of a layer.
pub const MAX_OUTPUTS: usize = 128;
