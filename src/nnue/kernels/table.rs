//! The function pointers of one instruction set, and the macro that compiles them.

use crate::nnue::net::LayerStack;

pub(super) type UpdateFn = unsafe fn(*mut i16, *const i16, usize, *const i16, &[u32], &[u32]);
pub(super) type ForwardFn = unsafe fn(&LayerStack, &[i16], &[i16]) -> i32;

/// The kernels of one instruction set. Each is safe to call if the processor supports the set and
/// the arguments are as [`Kernels`](super::Kernels) checks them.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelTable {
    pub(super) update: UpdateFn,
    pub(super) classic: ForwardFn,
    pub(super) sfnn: ForwardFn,
}

/// Makes a module `$name` with the [`KernelTable`] of an instruction set: functions with its target
/// features into which the generic code is inlined. `$tile` vectors of an accumulator are kept in
/// registers.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! entry_points {
    ($name:ident, $simd:ty, $tile:literal, $features:literal) => {
        pub(super) mod $name {
            use crate::nnue::kernels::table::KernelTable;
            use crate::nnue::kernels::{accumulator, forward};
            use crate::nnue::net::LayerStack;

            pub(in crate::nnue::kernels) const TABLE: KernelTable =
                KernelTable { update, classic, sfnn };

            #[target_feature(enable = $features)]
            unsafe fn update(
                to: *mut i16,
                from: *const i16,
                width: usize,
                rows: *const i16,
                added: &[u32],
                removed: &[u32],
            ) {
                // SAFETY: the caller of the table keeps the contract of the kernel.
                unsafe {
                    accumulator::update::<$simd, $tile>(to, from, width, rows, added, removed);
                }
            }

            #[target_feature(enable = $features)]
            unsafe fn classic(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
                // SAFETY: as above.
                unsafe { forward::classic::<$simd>(stack, own.as_ptr(), other.as_ptr(), own.len()) }
            }

            #[target_feature(enable = $features)]
            unsafe fn sfnn(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
                // SAFETY: as above.
                unsafe { forward::sfnn::<$simd>(stack, own.as_ptr(), other.as_ptr(), own.len()) }
            }
        }
    };
}
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
pub(super) use entry_points;
