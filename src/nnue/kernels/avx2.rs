//! AVX2, with and without AVX-VNNI.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "every line is an intrinsic under the contract of `Simd`"
)]

use std::arch::x86_64::*;

use super::simd::{Simd, by_outputs};

pub(super) struct Avx2<const VNNI: bool>;

impl<const VNNI: bool> Simd for Avx2<VNNI> {
    type V = __m256i;

    const BYTES: usize = 32;
    const PAIRS: bool = !VNNI;

    #[inline(always)]
    fn dense_percent(outputs: usize) -> usize {
        if VNNI { by_outputs(outputs, [10, 40, 54]) } else { by_outputs(outputs, [52, 81, 88]) }
    }

    #[inline(always)]
    unsafe fn zero() -> __m256i {
        _mm256_setzero_si256()
    }

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> __m256i {
        _mm256_loadu_si256(from.cast())
    }

    #[inline(always)]
    unsafe fn store<T>(to: *mut T, v: __m256i) {
        _mm256_storeu_si256(to.cast(), v);
    }

    #[inline(always)]
    unsafe fn splat_group(from: *const u8) -> __m256i {
        _mm256_set1_epi32(from.cast::<i32>().read_unaligned())
    }

    #[inline(always)]
    unsafe fn add16(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn sub16(a: __m256i, b: __m256i) -> __m256i {
        _mm256_sub_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [__m256i; 2] {
        // Bytes of `a` times 1 plus bytes of `b` times -1.
        let signs = _mm256_set1_epi16(i16::from_le_bytes([1, 0xFF]));
        let (a, b) = (Self::load(a), Self::load(b));
        let (low, high) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
        [_mm256_maddubs_epi16(low, signs), _mm256_maddubs_epi16(high, signs)]
    }

    #[inline(always)]
    unsafe fn clipped_relu16(a: __m256i, b: __m256i) -> __m256i {
        let packed = _mm256_max_epi8(_mm256_packs_epi16(a, b), _mm256_setzero_si256());
        // Packing works within 128 bits: a0 b0 a1 b1.
        _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
    }

    #[inline(always)]
    unsafe fn pairwise_product16(a: __m256i, b: __m256i) -> __m256i {
        let (zero, top) = (_mm256_setzero_si256(), _mm256_set1_epi16(127));
        let a = _mm256_min_epi16(_mm256_max_epi16(a, zero), top);
        let b = _mm256_min_epi16(_mm256_max_epi16(b, zero), top);
        _mm256_srli_epi16::<7>(_mm256_mullo_epi16(a, b))
    }

    #[inline(always)]
    unsafe fn add32(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi32(a, b)
    }

    #[inline(always)]
    unsafe fn clipped_relu32(v: __m256i) -> __m256i {
        let v = _mm256_max_epi32(_mm256_srai_epi32::<6>(v), _mm256_setzero_si256());
        _mm256_min_epi32(v, _mm256_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn squared_clipped_relu32(v: __m256i) -> __m256i {
        // From 8192 on the result is 127, and 8192 squared fits.
        let v = _mm256_max_epi32(v, _mm256_set1_epi32(-8192));
        let v = _mm256_min_epi32(v, _mm256_set1_epi32(8192));
        let square = _mm256_srli_epi32::<19>(_mm256_mullo_epi32(v, v));
        _mm256_min_epi32(square, _mm256_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, v: __m256i) {
        let (low, high) = (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
        let words = _mm_packs_epi32(low, high);
        _mm_storel_epi64(to.cast(), _mm_packs_epi16(words, words));
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> __m256i {
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(from.cast()))
    }

    #[inline(always)]
    unsafe fn small_product(a: __m256i, b: __m256i) -> __m256i {
        // The upper half of each lane of `a` is zero, so the sum of the two products is the lower
        // one.
        _mm256_madd_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn dot(sum: __m256i, bytes: __m256i, weights: __m256i) -> __m256i {
        if VNNI {
            _mm256_dpbusd_avx_epi32(sum, bytes, weights)
        } else {
            let pairs = _mm256_maddubs_epi16(bytes, weights);
            _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn dot_pair(sum: __m256i, bytes: [__m256i; 2], weights: [__m256i; 2]) -> __m256i {
        let first = _mm256_maddubs_epi16(bytes[0], weights[0]);
        let second = _mm256_maddubs_epi16(bytes[1], weights[1]);
        let pairs = _mm256_add_epi16(first, second);
        _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    #[inline(always)]
    unsafe fn sum32(v: __m256i) -> i32 {
        let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
        let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b01_00_11_10>(v));
        _mm_cvtsi128_si32(_mm_add_epi32(v, _mm_shuffle_epi32::<0b10_11_00_01>(v)))
    }

    #[inline(always)]
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[__m256i; 8]) {
        let low = halves(v[0], v[1], v[2], v[3]);
        let high = halves(v[4], v[5], v[6], v[7]);
        let sums = _mm256_add_epi32(
            _mm256_permute2x128_si256::<0x20>(low, high),
            _mm256_permute2x128_si256::<0x31>(low, high),
        );
        Self::store(to, _mm256_add_epi32(sums, Self::load(bias)));
    }

    #[inline(always)]
    unsafe fn nnz_mask(from: *const u8) -> usize {
        let set = _mm256_cmpgt_epi32(Self::load(from), _mm256_setzero_si256());
        _mm256_movemask_ps(_mm256_castsi256_ps(set)) as usize
    }
}

/// In each 128 bits: the sums of the four lanes of `a`, `b`, `c` and `d`.
#[inline(always)]
unsafe fn halves(a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> __m256i {
    let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
    _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd))
}

super::entry_points::entry_points!(
    plain,
    crate::nnue::kernels::avx2::Avx2<false>,
    8,
    "avx2,popcnt,bmi1,bmi2"
);
super::entry_points::entry_points!(
    vnni,
    crate::nnue::kernels::avx2::Avx2<true>,
    8,
    "avx2,avxvnni,popcnt,bmi1,bmi2"
);
