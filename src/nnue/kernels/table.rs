//! The function pointers of one instruction set.

use crate::nnue::byte_rows::ByteRows;
use crate::nnue::weights::LayerStack;

pub(super) type UpdateFn = unsafe fn(*mut i16, *const i16, usize, *const i16, &[u32], &[u32]);
pub(super) type UpdateFromBytesFn = unsafe fn(*mut i16, *const i16, &ByteRows, &[u32], &[u32]);
pub(super) type ForwardFn = unsafe fn(&LayerStack, &[i16], &[i16]) -> i32;

/// The kernels of one instruction set. Each is safe to call if the processor supports the set and
/// the arguments are as `Kernels` checks them.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelTable {
    pub(super) update: UpdateFn,
    pub(super) update_from_bytes: UpdateFromBytesFn,
    pub(super) classic: ForwardFn,
    pub(super) sfnn: ForwardFn,
}
