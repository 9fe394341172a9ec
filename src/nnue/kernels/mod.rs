//! The integer arithmetic of networks for each instruction set, selected at run time.
//!
//! Every instruction set gives the same numbers: additions wrap, in 16 bits in accumulators and in
//! 32 bits after them, so their order does not matter, and nothing saturates.
//!
//! All `unsafe` code of the networks is here. It is sound because of [`Kernels`]:
//!
//! - A function of an instruction set is reached only through a [`Kernels`], which [`Kernels::of`]
//!   creates only if the processor supports the set.
//! - The safe methods of [`Kernels`] check all lengths: row indices are in range, accumulators have
//!   the stated length, and [`fits`] holds for a layer stack. An [`AffineLayer`] guarantees its own
//!   lengths including padding.
//! - The generic code stays within these lengths. Loads and stores need no alignment, buffers on
//!   the stack hold the largest layer plus one vector, and are written before they are read.
//!
//! The generic code is written over the operations of the trait `Simd` and inlined into one
//! function per instruction set (`entry_points`). The files of the instruction sets allow
//! `unsafe_op_in_unsafe_fn`, because every line of theirs is an intrinsic.

#![allow(unsafe_code, reason = "processor instructions have no safe form")]

#[cfg(doc)]
use super::affine_layer::AffineLayer;
use super::byte_rows::FeatureRows;
use super::weights::LayerStack;
use limits::MAX_INPUTS;
pub use limits::{MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH};
use table::KernelTable;

mod accumulator;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
#[cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32"),
    not(miri)
))]
mod entry_points;
mod forward;
mod isa;
mod limits;
#[cfg(all(target_arch = "aarch64", not(miri)))]
mod neon;
mod nnz;
mod scalar;
mod simd;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse41;
mod table;

pub use isa::Isa;

/// The arithmetic of networks in one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    isa: Isa,
    table: KernelTable,
}

impl Kernels {
    /// `None` unless the instruction set is available.
    pub fn of(isa: Isa) -> Option<Kernels> {
        isa.table().map(|table| Kernels { isa, table })
    }

    /// The fastest available kernels.
    pub fn best() -> Kernels {
        let isa = Isa::best();
        Kernels { isa, table: isa.table().unwrap_or(scalar::TABLE) }
    }

    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Updates an accumulator: `to = from + added rows - removed rows`, wrapping. The width of the rows is the
    /// length of `to`.
    ///
    /// # Panics
    /// If the lengths of `from` and `to` differ, or a row is out of range.
    #[inline]
    pub fn update(
        &self,
        to: &mut [i16],
        from: &[i16],
        rows: FeatureRows<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        assert_eq!(to.len(), from.len(), "accumulators have one width");
        // SAFETY: both have this length.
        unsafe { self.update_raw(to.as_mut_ptr(), from.as_ptr(), to.len(), rows, added, removed) }
    }

    /// [`Kernels::update`] with `from` and `to` the same.
    ///
    /// # Panics
    /// If a row is out of range.
    #[inline]
    pub fn update_in_place(
        &self,
        accumulator: &mut [i16],
        rows: FeatureRows<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        let (width, to) = (accumulator.len(), accumulator.as_mut_ptr());
        // SAFETY: it has this length.
        unsafe { self.update_raw(to, to, width, rows, added, removed) }
    }

    /// # Safety
    /// `to` and `from` are valid for `width` elements and either equal or disjoint.
    #[inline(always)]
    unsafe fn update_raw(
        &self,
        to: *mut i16,
        from: *const i16,
        width: usize,
        rows: FeatureRows<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        match rows {
            FeatureRows::Words(rows) => {
                check_rows(width, rows.len(), added, removed);
                // SAFETY: the lengths were checked; see the module for the rest.
                unsafe { (self.table.update)(to, from, width, rows.as_ptr(), added, removed) }
            }
            FeatureRows::Bytes(rows) => {
                assert_eq!(rows.width(), width, "rows have the width of accumulators");
                check_rows(width, rows.bytes().len(), added, removed);
                // SAFETY: as above.
                unsafe { (self.table.update_from_bytes)(to, from, rows, added, removed) }
            }
        }
    }

    /// The output of a classic network, to be divided by `FV_SCALE`. `own` and `other` are the accumulators
    /// (`[width]`) of the side to move and of the opponent.
    ///
    /// # Panics
    /// If the accumulators and the layers do not fit each other.
    #[inline]
    pub fn forward_classic(&self, stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
        assert!(
            own.len() == other.len() && fits(stack, 2 * own.len(), 1),
            "the layers fit the accumulators"
        );
        // SAFETY: checked above; see the module for the rest.
        unsafe { (self.table.classic)(stack, own, other) }
    }

    /// The output of a layer stack of an SFNN network, with arguments as in [`Kernels::forward_classic`].
    ///
    /// # Panics
    /// If the accumulators and the layers do not fit each other.
    #[inline]
    pub fn forward_sfnn(&self, stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
        let even = own.len().is_multiple_of(2);
        assert!(
            even && own.len() == other.len() && fits(stack, own.len(), 2),
            "the layers fit the accumulators"
        );
        // SAFETY: checked above; see the module for the rest.
        unsafe { (self.table.sfnn)(stack, own, other) }
    }
}

#[inline(always)]
fn check_rows(width: usize, numbers: usize, added: &[u32], removed: &[u32]) {
    for &index in added.iter().chain(removed) {
        let end = (index as usize).checked_add(1).and_then(|end| end.checked_mul(width));
        assert!(end.is_some_and(|end| end <= numbers), "rows are in range");
    }
}

/// Whether a layer stack takes `inputs` inputs, its layers fit each other and none exceeds the
/// limits. The second layer takes `copies` inputs per output of the first, of which one may be a
/// shortcut.
#[inline(always)]
fn fits(stack: &LayerStack, inputs: usize, copies: usize) -> bool {
    let LayerStack { l1, l2, output } = stack;
    let shortcut = copies == 2 && l2.inputs() + copies == l1.outputs() * copies;
    (1..=MAX_INPUTS).contains(&inputs)
        && l1.inputs() == inputs
        && (l2.inputs() == l1.outputs() * copies || shortcut)
        && l1.outputs() <= MAX_OUTPUTS
        && l2.outputs() <= MAX_OUTPUTS
        && output.inputs() == l2.outputs()
        && output.outputs() == 1
}
