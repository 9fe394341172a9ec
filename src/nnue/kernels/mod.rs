//! The integer arithmetic of a net, once for each instruction set, chosen while the program runs.
//!
//! Owns the choice, and the promise that every instruction set gives the same numbers: what may
//! overflow wraps, in 16 bits in accumulators and in 32 bits behind them, so that the order of
//! additions does not matter, and nothing ever saturates. Knows nothing of positions and files.
//!
//! All `unsafe` of the nets is here and below, and rests on what [`Kernels`] sees to:
//!
//! - A function for an instruction set is reached only through a [`Kernels`], which
//!   [`Kernels::of`] makes only after it has asked the processor.
//! - The safe functions of [`Kernels`] check all lengths before they call it: rows are in range,
//!   accumulators are as long as said, and [`fits`] holds for a stack. A [`AffineLayer`] has its own
//!   lengths right by construction, its padding included.
//! - Behind that, code written for any instruction set reads and writes within these lengths, with
//!   loads and stores that need no alignment; buffers on the stack are sized for [`MAX_INPUTS`] and
//!   [`MAX_OUTPUTS`] plus one vector, and what is read of them has been written before.
//!
//! The code is written once, over the operations of an instruction set ([`simd`]), and inlined into
//! one function for each of them ([`entry_points`]).

#![allow(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    clippy::undocumented_unsafe_blocks,
    reason = "processor instructions have no safe form; the module says why they are sound"
)]

use std::fmt;

#[cfg(doc)]
use super::affine_layer::AffineLayer;
use super::net::LayerStack;

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
mod forward;
mod groups;
#[cfg(all(target_arch = "aarch64", not(miri)))]
mod neon;
mod scalar;
mod simd;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse41;
mod sums;
#[cfg(test)]
mod tests;

/// The widest accumulator of one view.
pub const MAX_WIDTH: usize = 2304;
/// The most inputs of a layer.
const MAX_INPUTS: usize = 2 * MAX_WIDTH;
/// The most outputs of a layer.
pub const MAX_OUTPUTS: usize = 128;

/// An instruction set that there are kernels for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    Scalar,
    Sse41,
    Avx2,
    AvxVnni,
    Avx512,
    Avx512Vnni,
    Neon,
}

impl Isa {
    /// All, on whatever processor; the last one that a processor has is used.
    pub const ALL: [Isa; 7] =
        [Isa::Scalar, Isa::Sse41, Isa::Avx2, Isa::AvxVnni, Isa::Avx512, Isa::Avx512Vnni, Isa::Neon];

    pub const fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Sse41 => "sse41",
            Isa::Avx2 => "avx2",
            Isa::AvxVnni => "avxvnni",
            Isa::Avx512 => "avx512",
            Isa::Avx512Vnni => "avx512vnni",
            Isa::Neon => "neon",
        }
    }

    /// Whether this program has kernels for it and this processor executes them.
    pub fn is_available(self) -> bool {
        self.table().is_some()
    }

    /// The fastest that is available.
    pub fn best() -> Isa {
        let available = |isa: &Isa| isa.is_available();
        Isa::ALL.into_iter().rev().find(available).unwrap_or(Isa::Scalar)
    }

    fn table(self) -> Option<KernelTable> {
        match self {
            Isa::Scalar => Some(scalar::TABLE),
            _ => self.vector_table(),
        }
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    fn vector_table(self) -> Option<KernelTable> {
        let sse41 = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        let avx2 = sse41
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq");
        match self {
            Isa::Sse41 => sse41.then_some(sse41::plain::TABLE),
            Isa::Avx2 => avx2.then_some(avx2::plain::TABLE),
            Isa::AvxVnni => {
                (avx2 && is_x86_feature_detected!("avxvnni")).then_some(avx2::vnni::TABLE)
            }
            Isa::Avx512 => avx512.then_some(avx512::plain::TABLE),
            Isa::Avx512Vnni => {
                (avx512 && is_x86_feature_detected!("avx512vnni")).then_some(avx512::vnni::TABLE)
            }
            Isa::Scalar | Isa::Neon => None,
        }
    }

    #[cfg(all(target_arch = "aarch64", not(miri)))]
    fn vector_table(self) -> Option<KernelTable> {
        let neon = std::arch::is_aarch64_feature_detected!("neon");
        (self == Isa::Neon && neon).then_some(neon::plain::TABLE)
    }

    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    fn vector_table(self) -> Option<KernelTable> {
        None
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

type UpdateFn = unsafe fn(*mut i16, *const i16, usize, *const i16, &[u32], &[u32]);
type ForwardFn = unsafe fn(&LayerStack, &[i16], &[i16]) -> i32;

/// The kernels for one instruction set.
#[derive(Clone, Copy, Debug)]
struct KernelTable {
    sum: UpdateFn,
    classic: ForwardFn,
    sfnn: ForwardFn,
}

/// Makes a module `$name` with the [`KernelTable`] of an instruction set: functions of its features into
/// which the generic code is inlined. `$tile` vectors of an accumulator are held in registers.
macro_rules! entry_points {
    ($name:ident, $simd:ty, $tile:literal, $features:literal) => {
        pub(super) mod $name {
            #[allow(clippy::wildcard_imports, reason = "the instruction set is named there")]
            use super::*;
            use crate::nnue::kernels::{KernelTable, forward, sums};
            use crate::nnue::net::LayerStack;

            pub(in crate::nnue::kernels) const TABLE: KernelTable =
                KernelTable { sum, classic, sfnn };

            #[target_feature(enable = $features)]
            unsafe fn sum(
                to: *mut i16,
                from: *const i16,
                width: usize,
                rows: *const i16,
                added: &[u32],
                removed: &[u32],
            ) {
                sums::sum::<$simd, $tile>(to, from, width, rows, added, removed)
            }

            #[target_feature(enable = $features)]
            unsafe fn classic(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
                forward::classic::<$simd>(stack, own.as_ptr(), other.as_ptr(), own.len())
            }

            #[target_feature(enable = $features)]
            unsafe fn sfnn(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
                forward::sfnn::<$simd>(stack, own.as_ptr(), other.as_ptr(), own.len())
            }
        }
    };
}
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use entry_points;

/// The arithmetic of nets, in the instructions of this processor.
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

    /// The fastest.
    pub fn best() -> Kernels {
        let isa = Isa::best();
        Kernels { isa, table: isa.table().unwrap_or(scalar::TABLE) }
    }

    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// `to = from + rows of added - rows of removed`, wrapping. Row `i` is `rows[i * w..][..w]`, `w`
    /// being the length of `to`.
    ///
    /// # Panics
    /// If `from` has another length than `to`, or there is no such row.
    #[inline]
    pub fn update(
        &self,
        to: &mut [i16],
        from: &[i16],
        rows: &[i16],
        added: &[u32],
        removed: &[u32],
    ) {
        assert_eq!(to.len(), from.len(), "accumulators of one width");
        check_rows(to.len(), rows, added, removed);
        // SAFETY: the lengths were checked above; the rest is as the module says.
        unsafe {
            (self.table.sum)(
                to.as_mut_ptr(),
                from.as_ptr(),
                to.len(),
                rows.as_ptr(),
                added,
                removed,
            );
        }
    }

    /// [`update`](Kernels::update) in place.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn update_within(&self, sums: &mut [i16], rows: &[i16], added: &[u32], removed: &[u32]) {
        check_rows(sums.len(), rows, added, removed);
        let (width, sums) = (sums.len(), sums.as_mut_ptr());
        // SAFETY: as above.
        unsafe { (self.table.sum)(sums, sums, width, rows.as_ptr(), added, removed) }
    }

    /// The output of a classic net, before it is scaled.
    ///
    /// # Panics
    /// Unless the accumulators and the layers fit each other.
    #[inline]
    pub fn classic(&self, stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
        assert!(own.len() == other.len() && fits(stack, 2 * own.len(), 1), "a stack that fits");
        // SAFETY: checked above; the rest is as the module says.
        unsafe { (self.table.classic)(stack, own, other) }
    }

    /// The output of a stack of an SFNN net, before it is scaled.
    ///
    /// # Panics
    /// Unless the accumulators and the layers fit each other.
    #[inline]
    pub fn sfnn(&self, stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
        let even = own.len().is_multiple_of(2);
        assert!(even && own.len() == other.len() && fits(stack, own.len(), 2), "a stack that fits");
        // SAFETY: checked above; the rest is as the module says.
        unsafe { (self.table.sfnn)(stack, own, other) }
    }
}

#[inline(always)]
fn check_rows(width: usize, rows: &[i16], added: &[u32], removed: &[u32]) {
    for &index in added.iter().chain(removed) {
        let end = (index as usize).checked_add(1).and_then(|end| end.checked_mul(width));
        assert!(end.is_some_and(|end| end <= rows.len()), "a row that there is");
    }
}

/// Whether a stack takes that many inputs, its layers fit each other, where the second takes
/// `copies` values for each output of the first but one that may be a shortcut, and none is larger
/// than there is room for.
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
