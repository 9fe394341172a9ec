//! The vector operations that the generic kernels are written in.
//!
//! Every function is a few instructions and always inlined, so that a forward pass becomes one
//! function of its instruction set. Lanes are in memory order.

use super::nnz::SET_BITS;

/// The operations of one instruction set on vectors of 8-, 16- or 32-bit lanes.
///
/// # Safety
/// All functions require that the processor supports the set, and that pointers are valid for the
/// bytes read or written; they need no alignment.
pub(super) trait Simd {
    type V: Copy;

    /// Bytes of a vector.
    const BYTES: usize;
    /// 32-bit lanes of a vector.
    const LANES: usize = Self::BYTES / 4;
    /// Whether [`Simd::dot_pair`] is faster than two of [`Simd::dot`]. Requires that two vectors
    /// are no longer than a block of a row.
    const PAIRS: bool = false;

    /// The percentage of nonzero groups of inputs from which a dense first layer is faster than a
    /// sparse one; measured.
    fn dense_percent(outputs: usize) -> usize;

    unsafe fn zero() -> Self::V;
    unsafe fn load<T>(from: *const T) -> Self::V;
    unsafe fn store<T>(to: *mut T, v: Self::V);
    /// The four bytes at `from` in every 32-bit lane.
    unsafe fn splat_group(from: *const u8) -> Self::V;

    unsafe fn add16(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub16(a: Self::V, b: Self::V) -> Self::V;
    /// The differences of the unsigned bytes at `a` and `b`, in 16 bits: of the low eight of every sixteen, and of
    /// the high eight.
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [Self::V; 2];
    /// 16-bit lanes of `a`, then of `b`, clamped to 0..=127, as bytes.
    unsafe fn clipped_relu16(a: Self::V, b: Self::V) -> Self::V;
    /// For 16-bit lanes, both clamped to 0..=127: the product, shifted right by 7.
    unsafe fn pairwise_product16(a: Self::V, b: Self::V) -> Self::V;

    unsafe fn add32(a: Self::V, b: Self::V) -> Self::V;
    /// 32-bit lanes shifted right by 6 (rounding down), clamped to 0..=127.
    unsafe fn clipped_relu32(v: Self::V) -> Self::V;
    /// For 32-bit lanes: the square, shifted right by 19, at most 127; exact for every value.
    unsafe fn squared_clipped_relu32(v: Self::V) -> Self::V;
    /// 32-bit lanes of 0..=127, as `LANES` bytes.
    unsafe fn store_bytes(to: *mut u8, v: Self::V);
    /// `LANES` bytes as 32-bit lanes.
    unsafe fn load_bytes(from: *const i8) -> Self::V;
    /// For 32-bit lanes: the product of 0..=127 and -128..=127.
    unsafe fn small_product(a: Self::V, b: Self::V) -> Self::V;

    /// Adds to each 32-bit lane of `sum`, wrapping, the products of four bytes of 0..=127 and four
    /// signed bytes. (Two such products fit 16 bits, so no intermediate result saturates.)
    unsafe fn dot(sum: Self::V, bytes: Self::V, weights: Self::V) -> Self::V;
    /// [`Simd::dot`] of two vectors of bytes, for layers whose products [add up in 16
    /// bits](crate::nnue::affine_layer::AffineLayer::adds_in_16_bits).
    #[inline(always)]
    unsafe fn dot_pair(sum: Self::V, bytes: [Self::V; 2], weights: [Self::V; 2]) -> Self::V {
        // SAFETY: the contract of the trait.
        unsafe {
            let sum = Self::dot(sum, bytes[0], weights[0]);
            Self::dot(sum, bytes[1], weights[1])
        }
    }
    /// The wrapping sum of the 32-bit lanes.
    unsafe fn sum32(v: Self::V) -> i32;
    /// Stores the wrapping sums of the 32-bit lanes of eight vectors, plus eight biases, to `to`;
    /// up to sixteen `i32` may be read and written.
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[Self::V; 8]);
    /// The same for sixteen vectors; used only if a vector holds sixteen sums.
    #[inline(always)]
    unsafe fn store_sums16(to: *mut i32, bias: *const i32, v: &[Self::V; 16]) {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *v;
        // SAFETY: the contract of the trait.
        unsafe {
            Self::store_sums8(to, bias, &[a, b, c, d, e, f, g, h]);
            Self::store_sums8(to.add(8), bias.add(8), &[i, j, k, l, m, n, o, p]);
        }
    }

    /// One bit per group of four bytes for the eight groups at `from`: whether it is nonzero. Bytes
    /// are at most 127.
    unsafe fn nnz_mask(from: *const u8) -> usize;
    /// Writes the indices of the nonzero groups of four bytes at `from` to `nnz` and returns their
    /// number; `bytes` is a multiple of 64. Up to sixteen more elements may be written.
    #[inline(always)]
    unsafe fn find_nnz(from: *const u8, bytes: usize, nnz: *mut u16) -> usize {
        let mut count = 0;
        let mut at = 0;
        while at < bytes {
            // SAFETY: the contract of the trait.
            let mask = unsafe { Self::nnz_mask(from.add(at)) } & 0xFF;
            let (bits, set) = &SET_BITS[mask];
            let first = (at / 4) as u16;
            let mut indices = *bits;
            for index in &mut indices {
                *index = index.wrapping_add(first);
            }
            // SAFETY: there is room for eight more indices.
            unsafe { nnz.add(count).cast::<[u16; 8]>().write_unaligned(indices) };
            count += usize::from(*set);
            at += 32;
        }
        count
    }
}

/// Selects a figure for up to 8 outputs, up to 16, or more.
#[inline(always)]
pub(super) const fn by_outputs(outputs: usize, figures: [usize; 3]) -> usize {
    match outputs {
        0..=8 => figures[0],
        9..=16 => figures[1],
        _ => figures[2],
    }
}
