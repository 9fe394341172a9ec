//! NEON, which every 64-bit Arm processor has.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "every line is an intrinsic under the contract of `Simd`"
)]

use std::arch::aarch64::*;

use super::simd::{Simd, by_outputs};

pub(super) struct Neon;

impl Simd for Neon {
    type V = uint8x16_t;

    const BYTES: usize = 16;

    #[inline(always)]
    fn dense_percent(outputs: usize) -> usize {
        by_outputs(outputs, [77, 90, 93])
    }

    #[inline(always)]
    unsafe fn zero() -> uint8x16_t {
        vdupq_n_u8(0)
    }

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> uint8x16_t {
        vld1q_u8(from.cast())
    }

    #[inline(always)]
    unsafe fn store<T>(to: *mut T, v: uint8x16_t) {
        vst1q_u8(to.cast(), v);
    }

    #[inline(always)]
    unsafe fn splat_group(from: *const u8) -> uint8x16_t {
        vreinterpretq_u8_u32(vdupq_n_u32(from.cast::<u32>().read_unaligned()))
    }

    #[inline(always)]
    unsafe fn add16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        vreinterpretq_u8_u16(vaddq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)))
    }

    #[inline(always)]
    unsafe fn sub16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        vreinterpretq_u8_u16(vsubq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)))
    }

    #[inline(always)]
    unsafe fn byte_differences(a: *const u8, b: *const u8) -> [uint8x16_t; 2] {
        let (a, b) = (Self::load(a), Self::load(b));
        let low = vsubl_u8(vget_low_u8(a), vget_low_u8(b));
        [vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(vsubl_high_u8(a, b))]
    }

    #[inline(always)]
    unsafe fn clipped_relu16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (a, b) = (vqmovn_s16(words(a)), vqmovn_s16(words(b)));
        vreinterpretq_u8_s8(vmaxq_s8(vcombine_s8(a, b), vdupq_n_s8(0)))
    }

    #[inline(always)]
    unsafe fn pairwise_product16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (zero, top) = (vdupq_n_s16(0), vdupq_n_s16(127));
        let a = vminq_s16(vmaxq_s16(words(a), zero), top);
        let b = vminq_s16(vmaxq_s16(words(b), zero), top);
        vreinterpretq_u8_s16(vshrq_n_s16::<7>(vmulq_s16(a, b)))
    }

    #[inline(always)]
    unsafe fn add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        bytes(vaddq_s32(lanes(a), lanes(b)))
    }

    #[inline(always)]
    unsafe fn clipped_relu32(v: uint8x16_t) -> uint8x16_t {
        let v = vmaxq_s32(vshrq_n_s32::<6>(lanes(v)), vdupq_n_s32(0));
        bytes(vminq_s32(v, vdupq_n_s32(127)))
    }

    #[inline(always)]
    unsafe fn squared_clipped_relu32(v: uint8x16_t) -> uint8x16_t {
        // From 8192 on the result is 127, and 8192 squared fits.
        let v = vminq_s32(vmaxq_s32(lanes(v), vdupq_n_s32(-8192)), vdupq_n_s32(8192));
        bytes(vminq_s32(vshrq_n_s32::<19>(vmulq_s32(v, v)), vdupq_n_s32(127)))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, v: uint8x16_t) {
        let words = vmovn_s32(lanes(v));
        let bytes = vreinterpret_u32_s8(vmovn_s16(vcombine_s16(words, words)));
        to.cast::<u32>().write_unaligned(vget_lane_u32::<0>(bytes));
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> uint8x16_t {
        let four = vreinterpret_s8_u32(vdup_n_u32(from.cast::<u32>().read_unaligned()));
        bytes(vmovl_s16(vget_low_s16(vmovl_s8(four))))
    }

    #[inline(always)]
    unsafe fn small_product(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        bytes(vmulq_s32(lanes(a), lanes(b)))
    }

    #[inline(always)]
    unsafe fn dot(sum: uint8x16_t, inputs: uint8x16_t, weights: uint8x16_t) -> uint8x16_t {
        let (input, weight) = (vreinterpretq_s8_u8(inputs), vreinterpretq_s8_u8(weights));
        let low = vmull_s8(vget_low_s8(input), vget_low_s8(weight));
        let high = vmull_high_s8(input, weight);
        bytes(vpadalq_s16(lanes(sum), vpaddq_s16(low, high)))
    }

    #[inline(always)]
    unsafe fn sum32(v: uint8x16_t) -> i32 {
        vaddvq_s32(lanes(v))
    }

    #[inline(always)]
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[uint8x16_t; 8]) {
        for half in [0, 4] {
            let sums = sums4(v[half], v[half + 1], v[half + 2], v[half + 3]);
            vst1q_s32(to.add(half), vaddq_s32(sums, vld1q_s32(bias.add(half))));
        }
    }

    #[inline(always)]
    unsafe fn nnz_mask(from: *const u8) -> usize {
        const BITS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
        let low = vreinterpretq_u32_u8(Self::load(from));
        let high = vreinterpretq_u32_u8(Self::load(from.add(16)));
        let low = vandq_u32(vtstq_u32(low, low), vld1q_u32(BITS.as_ptr()));
        let high = vandq_u32(vtstq_u32(high, high), vld1q_u32(BITS.as_ptr().add(4)));
        vaddvq_u32(vorrq_u32(low, high)) as usize
    }
}

#[inline(always)]
unsafe fn words(v: uint8x16_t) -> int16x8_t {
    vreinterpretq_s16_u8(v)
}

#[inline(always)]
unsafe fn lanes(v: uint8x16_t) -> int32x4_t {
    vreinterpretq_s32_u8(v)
}

#[inline(always)]
unsafe fn bytes(v: int32x4_t) -> uint8x16_t {
    vreinterpretq_u8_s32(v)
}

/// The sums of the lanes of each vector.
#[inline(always)]
unsafe fn sums4(a: uint8x16_t, b: uint8x16_t, c: uint8x16_t, d: uint8x16_t) -> int32x4_t {
    vpaddq_s32(vpaddq_s32(lanes(a), lanes(b)), vpaddq_s32(lanes(c), lanes(d)))
}

super::entry_points::entry_points!(plain, crate::nnue::kernels::neon::Neon, 8, "neon");
