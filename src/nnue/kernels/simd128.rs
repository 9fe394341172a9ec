//! The 128-bit vectors of WebAssembly.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "every line is an intrinsic under the contract of `Simd`"
)]

use std::arch::wasm32::*;

use super::simd::{Simd, by_outputs};

pub(super) struct Simd128;

impl Simd for Simd128 {
    type V = v128;

    const BYTES: usize = 16;

    #[inline(always)]
    fn dense_percent(outputs: usize) -> usize {
        by_outputs(outputs, [77, 90, 93])
    }

    #[inline(always)]
    unsafe fn zero() -> v128 {
        i32x4_splat(0)
    }

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> v128 {
        v128_load(from.cast())
    }

    #[inline(always)]
    unsafe fn store<T>(to: *mut T, v: v128) {
        v128_store(to.cast(), v);
    }

    #[inline(always)]
    unsafe fn splat_group(from: *const u8) -> v128 {
        v128_load32_splat(from.cast())
    }

    #[inline(always)]
    unsafe fn add16(a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    unsafe fn sub16(a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [v128; 2] {
        let (a, b) = (Self::load(a), Self::load(b));
        let low = i16x8_sub(u16x8_extend_low_u8x16(a), u16x8_extend_low_u8x16(b));
        let high = i16x8_sub(u16x8_extend_high_u8x16(a), u16x8_extend_high_u8x16(b));
        [low, high]
    }

    #[inline(always)]
    unsafe fn clipped_relu16(a: v128, b: v128) -> v128 {
        i8x16_max(i8x16_narrow_i16x8(a, b), i8x16_splat(0))
    }

    #[inline(always)]
    unsafe fn pairwise_product16(a: v128, b: v128) -> v128 {
        let (zero, top) = (i16x8_splat(0), i16x8_splat(127));
        let a = i16x8_min(i16x8_max(a, zero), top);
        let b = i16x8_min(i16x8_max(b, zero), top);
        i16x8_shr(i16x8_mul(a, b), 7)
    }

    #[inline(always)]
    unsafe fn add32(a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    unsafe fn clipped_relu32(v: v128) -> v128 {
        i32x4_min(i32x4_max(i32x4_shr(v, 6), i32x4_splat(0)), i32x4_splat(127))
    }

    #[inline(always)]
    unsafe fn squared_clipped_relu32(v: v128) -> v128 {
        // From 8192 on the result is 127, and 8192 squared fits.
        let v = i32x4_min(i32x4_max(v, i32x4_splat(-8192)), i32x4_splat(8192));
        i32x4_min(i32x4_shr(i32x4_mul(v, v), 19), i32x4_splat(127))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, v: v128) {
        let words = i16x8_narrow_i32x4(v, v);
        v128_store32_lane::<0>(i8x16_narrow_i16x8(words, words), to.cast());
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> v128 {
        let four = v128_load32_zero(from.cast());
        i32x4_extend_low_i16x8(i16x8_extend_low_i8x16(four))
    }

    #[inline(always)]
    unsafe fn small_product(a: v128, b: v128) -> v128 {
        i32x4_mul(a, b)
    }

    #[inline(always)]
    unsafe fn dot(sum: v128, inputs: v128, weights: v128) -> v128 {
        let even =
            i16x8_mul(v128_and(inputs, i16x8_splat(0xFF)), i16x8_shr(i16x8_shl(weights, 8), 8));
        let odd = i16x8_mul(u16x8_shr(inputs, 8), i16x8_shr(weights, 8));
        i32x4_add(sum, i32x4_extadd_pairwise_i16x8(i16x8_add(even, odd)))
    }

    #[inline(always)]
    unsafe fn sum32(v: v128) -> i32 {
        let v = i32x4_add(v, i32x4_shuffle::<2, 3, 0, 1>(v, v));
        i32x4_extract_lane::<0>(v).wrapping_add(i32x4_extract_lane::<1>(v))
    }

    #[inline(always)]
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[v128; 8]) {
        for half in [0, 4] {
            let sums = sums4(v[half], v[half + 1], v[half + 2], v[half + 3]);
            Self::store(to.add(half), i32x4_add(sums, Self::load(bias.add(half))));
        }
    }

    #[inline(always)]
    unsafe fn nnz_mask(from: *const u8) -> usize {
        let zero = i32x4_splat(0);
        let low = i32x4_bitmask(i32x4_ne(Self::load(from), zero));
        let high = i32x4_bitmask(i32x4_ne(Self::load(from.add(16)), zero));
        usize::from(low | high << 4)
    }
}

/// The sums of the lanes of each vector.
#[inline(always)]
unsafe fn sums4(a: v128, b: v128, c: v128, d: v128) -> v128 {
    let ab = i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let cd = i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d));
    i32x4_add(i32x4_shuffle::<0, 1, 4, 5>(ab, cd), i32x4_shuffle::<2, 3, 6, 7>(ab, cd))
}

super::entry_points::entry_points!(plain, crate::nnue::kernels::simd128::Simd128, 8, "simd128");
