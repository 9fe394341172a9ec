//! The largest dimensions that the kernels support; buffers on the stack are sized for them.

/// Largest width of an accumulator.
pub const MAX_WIDTH: usize = 2304;
/// Most inputs of a layer.
pub(super) const MAX_INPUTS: usize = 2 * MAX_WIDTH;
/// Most outputs of a layer.
pub const MAX_OUTPUTS: usize = 128;
