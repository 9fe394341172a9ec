//! AVX-512 (F, BW, VL, DQ), with and without VNNI.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "every line is an intrinsic under the contract of `Simd`"
)]

use std::arch::x86_64::*;

use super::simd::{Simd, by_outputs};

pub(super) struct Avx512<const VNNI: bool>;

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type V = __m512i;

    const BYTES: usize = 64;

    #[inline(always)]
    fn dense_percent(outputs: usize) -> usize {
        if VNNI { by_outputs(outputs, [0, 27, 33]) } else { by_outputs(outputs, [15, 60, 78]) }
    }

    #[inline(always)]
    unsafe fn zero() -> __m512i {
        _mm512_setzero_si512()
    }

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> __m512i {
        _mm512_loadu_si512(from.cast())
    }

    #[inline(always)]
    unsafe fn store<T>(to: *mut T, v: __m512i) {
        _mm512_storeu_si512(to.cast(), v);
    }

    #[inline(always)]
    unsafe fn splat_group(from: *const u8) -> __m512i {
        _mm512_set1_epi32(from.cast::<i32>().read_unaligned())
    }

    #[inline(always)]
    unsafe fn add16(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn sub16(a: __m512i, b: __m512i) -> __m512i {
        _mm512_sub_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [__m512i; 2] {
        // Bytes of `a` times 1 plus bytes of `b` times -1.
        let signs = _mm512_set1_epi16(i16::from_le_bytes([1, 0xFF]));
        let (a, b) = (Self::load(a), Self::load(b));
        let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
        [_mm512_maddubs_epi16(low, signs), _mm512_maddubs_epi16(high, signs)]
    }

    #[inline(always)]
    unsafe fn clipped_relu16(a: __m512i, b: __m512i) -> __m512i {
        let packed = _mm512_max_epi8(_mm512_packs_epi16(a, b), _mm512_setzero_si512());
        // Packing works within 128 bits: a0 b0 a1 b1 a2 b2 a3 b3.
        _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
    }

    #[inline(always)]
    unsafe fn pairwise_product16(a: __m512i, b: __m512i) -> __m512i {
        let (zero, top) = (_mm512_setzero_si512(), _mm512_set1_epi16(127));
        let a = _mm512_min_epi16(_mm512_max_epi16(a, zero), top);
        let b = _mm512_min_epi16(_mm512_max_epi16(b, zero), top);
        _mm512_srli_epi16::<7>(_mm512_mullo_epi16(a, b))
    }

    #[inline(always)]
    unsafe fn add32(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi32(a, b)
    }

    #[inline(always)]
    unsafe fn clipped_relu32(v: __m512i) -> __m512i {
        let v = _mm512_max_epi32(_mm512_srai_epi32::<6>(v), _mm512_setzero_si512());
        _mm512_min_epi32(v, _mm512_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn squared_clipped_relu32(v: __m512i) -> __m512i {
        // From 8192 on the result is 127, and 8192 squared fits.
        let v = _mm512_max_epi32(v, _mm512_set1_epi32(-8192));
        let v = _mm512_min_epi32(v, _mm512_set1_epi32(8192));
        let square = _mm512_srli_epi32::<19>(_mm512_mullo_epi32(v, v));
        _mm512_min_epi32(square, _mm512_set1_epi32(127))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, v: __m512i) {
        _mm_storeu_si128(to.cast(), _mm512_cvtepi32_epi8(v));
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> __m512i {
        _mm512_cvtepi8_epi32(_mm_loadu_si128(from.cast()))
    }

    #[inline(always)]
    unsafe fn small_product(a: __m512i, b: __m512i) -> __m512i {
        // The upper half of each lane of `a` is zero, so the sum of the two products is the lower
        // one.
        _mm512_madd_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn dot(sum: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
        if VNNI {
            _mm512_dpbusd_epi32(sum, bytes, weights)
        } else {
            let pairs = _mm512_maddubs_epi16(bytes, weights);
            _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn sum32(v: __m512i) -> i32 {
        _mm512_reduce_add_epi32(v)
    }

    #[inline(always)]
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[__m512i; 8]) {
        let zero = _mm512_setzero_si512();
        let low = quarters(v[0], v[1], v[2], v[3]);
        let high = quarters(v[4], v[5], v[6], v[7]);
        let sums = joined(low, high, zero, zero);
        Self::store(to, _mm512_add_epi32(sums, Self::load(bias)));
    }

    #[inline(always)]
    unsafe fn store_sums16(to: *mut i32, bias: *const i32, v: &[__m512i; 16]) {
        let a = quarters(v[0], v[1], v[2], v[3]);
        let b = quarters(v[4], v[5], v[6], v[7]);
        let c = quarters(v[8], v[9], v[10], v[11]);
        let d = quarters(v[12], v[13], v[14], v[15]);
        Self::store(to, _mm512_add_epi32(joined(a, b, c, d), Self::load(bias)));
    }

    #[inline(always)]
    unsafe fn nnz_mask(from: *const u8) -> usize {
        let v = _mm256_loadu_si256(from.cast());
        usize::from(_mm256_test_epi32_mask(v, v))
    }

    #[inline(always)]
    unsafe fn find_nnz(from: *const u8, bytes: usize, nnz: *mut u16) -> usize {
        let mut indices = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let mut count = 0;
        let mut at = 0;
        while at < bytes {
            let v = Self::load(from.add(at));
            let set = _mm512_test_epi32_mask(v, v);
            let listed = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(set, indices));
            _mm256_storeu_si256(nnz.add(count).cast(), listed);
            count += set.count_ones() as usize;
            indices = _mm512_add_epi32(indices, _mm512_set1_epi32(16));
            at += 64;
        }
        count
    }
}

/// In each 128 bits: the sums of the four lanes of `a`, `b`, `c` and `d`.
#[inline(always)]
unsafe fn quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
    let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
}

/// The sums of the 128-bit parts of `a`, then of `b`, `c` and `d`.
#[inline(always)]
unsafe fn joined(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
    // Parts 0 1 of a, 0 1 of b plus parts 2 3: a01 a23 b01 b23 in two additions.
    let ab = _mm512_add_epi32(
        _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
    );
    let cd = _mm512_add_epi32(
        _mm512_shuffle_i64x2::<0b01_00_01_00>(c, d),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(c, d),
    );
    _mm512_add_epi32(
        _mm512_shuffle_i64x2::<0b10_00_10_00>(ab, cd),
        _mm512_shuffle_i64x2::<0b11_01_11_01>(ab, cd),
    )
}

super::entry_points::entry_points!(
    plain,
    crate::nnue::kernels::avx512::Avx512<false>,
    8,
    "avx512f,avx512bw,avx512vl,avx512dq,popcnt,bmi1,bmi2"
);
super::entry_points::entry_points!(
    vnni,
    crate::nnue::kernels::avx512::Avx512<true>,
    8,
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,popcnt,bmi1,bmi2"
);
