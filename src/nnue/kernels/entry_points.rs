//! Compiles the generic kernels for an instruction set.

/// Makes a module `$name` with the `KernelTable` of an instruction set, `$simd`: functions with its
/// target features into which the generic code is inlined. `$tile` vectors of an accumulator are
/// kept in registers.
macro_rules! entry_points {
    ($name:ident, $simd:ty, $tile:literal, $features:literal) => {
        pub(super) mod $name {
            use crate::nnue::byte_rows::ByteRows;
            use crate::nnue::kernels::table::KernelTable;
            use crate::nnue::kernels::{accumulator, forward};
            use crate::nnue::weights::LayerStack;

            pub(in crate::nnue::kernels) const TABLE: KernelTable =
                KernelTable { update, update_from_bytes, classic, sfnn };

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
            unsafe fn update_from_bytes(
                to: *mut i16,
                from: *const i16,
                rows: &ByteRows,
                added: &[u32],
                removed: &[u32],
            ) {
                // SAFETY: as above.
                unsafe { accumulator::update_from_bytes::<$simd>(to, from, rows, added, removed) }
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
pub(super) use entry_points;
