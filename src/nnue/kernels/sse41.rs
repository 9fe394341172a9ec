//! SSE4.1 with SSSE3, which nearly every x86-64 processor in use has.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "every line is an intrinsic under the contract of `Simd`"
)]

use std::arch::x86_64::*;

use super::simd::{Simd, by_outputs};

pub(super) struct Sse41;

impl Simd for Sse41 {
    type V = __m128i;

    const BYTES: usize = 16;
    const PAIRS: bool = true;

    #[inline(always)]
    fn dense_percent(outputs: usize) -> usize {
        by_outputs(outputs, [77, 90, 93])
    }

    #[inline(always)]
    unsafe fn zero() -> __m128i {
        _mm_setzero_si128()
    }

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> __m128i {
        _mm_loadu_si128(from.cast())
    }

    #[inline(always)]
    unsafe fn store<T>(to: *mut T, v: __m128i) {
        _mm_storeu_si128(to.cast(), v);
    }

    #[inline(always)]
    unsafe fn splat_group(from: *const u8) -> __m128i {
        _mm_set1_epi32(from.cast::<i32>().read_unaligned())
    }

    #[inline(always)]
    unsafe fn add16(a: __m128i, b: __m128i) -> __m128i {
        _mm_add_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn sub16(a: __m128i, b: __m128i) -> __m128i {
        _mm_sub_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [__m128i; 2] {
        // Bytes of `a` times 1 plus bytes of `b` times -1.
        let signs = _mm_set1_epi16(i16::from_le_bytes([1, 0xFF]));
        let (a, b) = (Self::load(a), Self::load(b));
        let (low, high) = (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b));
        [_mm_maddubs_epi16(low, signs), _mm_maddubs_epi16(high, signs)]
    }

    #[inline(always)]
    unsafe fn clipped_relu16(a: __m128i, b: __m128i) -> __m128i {
        _mm_max_epi8(_mm_packs_epi16(a, b), _mm_setzero_si128())
    }

    #[inline(always)]
    unsafe fn pairwise_product16(a: __m128i, b: __m128i) -> __m128i {
        let (zero, top) = (_mm_setzero_si128(), _mm_set1_epi16(127));
        let a = _mm_min_epi16(_mm_max_epi16(a, zero), top);
        let b = _mm_min_epi16(_mm_max_epi16(b, zero), top);
        _mm_srli_epi16::<7>(_mm_mullo_epi16(a, b))
    }

    #[inline(always)]
    unsafe fn add32(a: __m128i, b: __m128i) -> __m128i {
        _mm_add_epi32(a, b)
    }

    #[inline(always)]
    unsafe fn clipped_relu32(v: __m128i) -> __m128i {
        let v = _mm_max_epi32(_mm_srai_epi32::<6>(v), _mm_setzero_si128());
        _mm_min_epi32(v, _mm_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn squared_clipped_relu32(v: __m128i) -> __m128i {
        // From 8192 on the result is 127, and 8192 squared fits.
        let v = _mm_min_epi32(_mm_max_epi32(v, _mm_set1_epi32(-8192)), _mm_set1_epi32(8192));
        _mm_min_epi32(_mm_srli_epi32::<19>(_mm_mullo_epi32(v, v)), _mm_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, v: __m128i) {
        let words = _mm_packs_epi32(v, v);
        let bytes = _mm_cvtsi128_si32(_mm_packs_epi16(words, words));
        to.cast::<i32>().write_unaligned(bytes);
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> __m128i {
        _mm_cvtepi8_epi32(_mm_cvtsi32_si128(from.cast::<i32>().read_unaligned()))
    }

    #[inline(always)]
    unsafe fn small_product(a: __m128i, b: __m128i) -> __m128i {
        // The upper half of each lane of `a` is zero, so the sum of the two products is the lower
        // one.
        _mm_madd_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn dot(sum: __m128i, bytes: __m128i, weights: __m128i) -> __m128i {
        let pairs = _mm_maddubs_epi16(bytes, weights);
        _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
    }

    #[inline(always)]
    unsafe fn dot_pair(sum: __m128i, bytes: [__m128i; 2], weights: [__m128i; 2]) -> __m128i {
        let first = _mm_maddubs_epi16(bytes[0], weights[0]);
        let second = _mm_maddubs_epi16(bytes[1], weights[1]);
        let pairs = _mm_add_epi16(first, second);
        _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
    }

    #[inline(always)]
    unsafe fn sum32(v: __m128i) -> i32 {
        let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b01_00_11_10>(v));
        _mm_cvtsi128_si32(_mm_add_epi32(v, _mm_shuffle_epi32::<0b10_11_00_01>(v)))
    }

    #[inline(always)]
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[__m128i; 8]) {
        for half in [0, 4] {
            let sums = sums4(v[half], v[half + 1], v[half + 2], v[half + 3]);
            Self::store(to.add(half), _mm_add_epi32(sums, Self::load(bias.add(half))));
        }
    }

    #[inline(always)]
    unsafe fn nnz_mask(from: *const u8) -> usize {
        let low = _mm_cmpgt_epi32(Self::load(from), _mm_setzero_si128());
        let high = _mm_cmpgt_epi32(Self::load(from.add(16)), _mm_setzero_si128());
        let words = _mm_packs_epi32(low, high);
        _mm_movemask_epi8(_mm_packs_epi16(words, words)) as usize & 0xFF
    }
}

/// The sums of the lanes of each vector.
#[inline(always)]
unsafe fn sums4(a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> __m128i {
    let ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    let cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd))
}

super::entry_points::entry_points!(plain, crate::nnue::kernels::sse41::Sse41, 8, "sse4.1,ssse3");
