//! The way from two accumulators to the output, for any instruction set.
//!
//! Values between layers go through small buffers on the stack: bytes of 0..=127 into a layer, sums
//! of 32 bits out of it. Lanes behind a layer's last output hold anything; the weights they meet
//! later are zero, because the padding of a [`AffineLayer`] is.

use std::mem::MaybeUninit;

use super::simd::Simd;
use super::{MAX_INPUTS, MAX_OUTPUTS};
use crate::nnue::affine_layer::{AffineLayer, LANES, ROW_BLOCK};
use crate::nnue::net::LayerStack;

/// What may be written behind the last element of a buffer, in elements: the longest vector.
const SLACK: usize = 64;

#[repr(C, align(64))]
struct Buffer<T, const N: usize>([MaybeUninit<T>; N]);

impl<T, const N: usize> Buffer<T, N> {
    #[inline(always)]
    const fn new() -> Buffer<T, N> {
        Buffer([const { MaybeUninit::uninit() }; N])
    }

    #[inline(always)]
    const fn start(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

type Inputs = Buffer<u8, { MAX_INPUTS + SLACK }>;
type Indices = Buffer<u16, { MAX_INPUTS / 4 + SLACK }>;
type Hidden = Buffer<u8, { 2 * MAX_OUTPUTS + SLACK }>;
type Sums = Buffer<i32, { MAX_OUTPUTS + SLACK }>;

/// The output of a classic net.
///
/// # Safety
/// The processor has `S`; the accumulators are good for `width` elements; the layers fit each other,
/// the accumulators and the limits, as [`super::fits`] says.
#[inline(always)]
pub(super) unsafe fn classic<S: Simd>(
    stack: &LayerStack,
    own: *const i16,
    other: *const i16,
    width: usize,
) -> i32 {
    let (mut inputs, mut hidden) = (Inputs::new(), Hidden::new());
    let (mut first, mut second) = (Sums::new(), Sums::new());
    let (inputs, hidden, first, second) =
        (inputs.start(), hidden.start(), first.start(), second.start());
    clip::<S>(own, width, inputs);
    clip::<S>(other, width, inputs.add(width));
    first_layer::<S, true>(&stack.l1, inputs, first);
    activate::<S>(first, stack.l1.outputs(), hidden);
    dense::<S>(&stack.l2, hidden, second);
    output::<S>(&stack.output, second)
}

/// The output of a stack of an SFNN net.
///
/// # Safety
/// As for [`classic`].
#[inline(always)]
pub(super) unsafe fn sfnn<S: Simd>(
    stack: &LayerStack,
    own: *const i16,
    other: *const i16,
    width: usize,
) -> i32 {
    let (mut inputs, mut hidden) = (Inputs::new(), Hidden::new());
    let (mut first, mut second) = (Sums::new(), Sums::new());
    let (inputs, hidden, first, second) =
        (inputs.start(), hidden.start(), first.start(), second.start());
    multiply::<S>(own, width, inputs);
    multiply::<S>(other, width, inputs.add(width / 2));
    first_layer::<S, false>(&stack.l1, inputs, first);
    let h1 = stack.l2.inputs() / 2;
    // The last group of four reaches up to three bytes behind the squares and the rest.
    hidden.add(2 * h1).cast::<u32>().write_unaligned(0);
    square::<S>(first, h1, hidden);
    activate::<S>(first, h1, hidden.add(h1));
    dense::<S>(&stack.l2, hidden, second);
    let raw = output::<S>(&stack.output, second);
    if stack.l1.outputs() > h1 { raw.wrapping_add(*first.add(h1)) } else { raw }
}

/// An accumulator clamped to 0..=127, as bytes.
#[inline(always)]
unsafe fn clip<S: Simd>(from: *const i16, width: usize, to: *mut u8) {
    let whole = width - width % S::BYTES;
    let mut at = 0;
    while at < whole {
        let low = S::load(from.add(at));
        let high = S::load(from.add(at + S::BYTES / 2));
        S::store(to.add(at), S::clip16(low, high));
        at += S::BYTES;
    }
    for at in whole..width {
        *to.add(at) = (*from.add(at)).clamp(0, 127) as u8;
    }
}

/// The two halves of an accumulator, clamped and multiplied with each other, as bytes.
#[inline(always)]
unsafe fn multiply<S: Simd>(from: *const i16, width: usize, to: *mut u8) {
    let half = width / 2;
    let whole = half - half % S::BYTES;
    let step = S::BYTES / 2;
    let mut at = 0;
    while at < whole {
        let (a, b) = (from.add(at), from.add(half + at));
        let low = S::product16(S::load(a), S::load(b));
        let high = S::product16(S::load(a.add(step)), S::load(b.add(step)));
        S::store(to.add(at), S::clip16(low, high));
        at += S::BYTES;
    }
    for at in whole..half {
        let (a, b) = ((*from.add(at)).clamp(0, 127), (*from.add(half + at)).clamp(0, 127));
        *to.add(at) = ((i32::from(a) * i32::from(b)) >> 7) as u8;
    }
}

/// Sums to the inputs of the next layer.
#[inline(always)]
unsafe fn activate<S: Simd>(sums: *const i32, count: usize, to: *mut u8) {
    let mut at = 0;
    while at < count {
        S::store_bytes(to.add(at), S::clip32(S::load(sums.add(at))));
        at += S::LANES;
    }
}

/// Sums to the squared half of the inputs of the next layer.
#[inline(always)]
unsafe fn square<S: Simd>(sums: *const i32, count: usize, to: *mut u8) {
    let mut at = 0;
    while at < count {
        S::store_bytes(to.add(at), S::square32(S::load(sums.add(at))));
        at += S::LANES;
    }
}

/// The last layer, with the activation before it.
#[inline(always)]
unsafe fn output<S: Simd>(layer: &AffineLayer, sums: *const i32) -> i32 {
    let mut total = S::zero();
    let weights = layer.rows().as_ptr();
    let mut at = 0;
    while at < layer.inputs() {
        let value = S::clip32(S::load(sums.add(at)));
        let weight = S::load_bytes(weights.add(at));
        total = S::add32(total, S::small_product(value, weight));
        at += S::LANES;
    }
    S::sum32(total).wrapping_add(*layer.bias().as_ptr())
}

/// Groups that are not all zero, in percent: fewer are not to be expected of inputs that are clipped
/// only. (Of those that are products there may be any number.)
const CLIPPED_SHARE: usize = 35;

/// The first layer: inputs in plenty, many of them zero.
#[inline(always)]
unsafe fn first_layer<S: Simd, const CLIPPED: bool>(
    layer: &AffineLayer,
    inputs: *mut u8,
    sums: *mut i32,
) {
    let bytes = layer.inputs().next_multiple_of(ROW_BLOCK);
    for at in layer.inputs()..bytes {
        *inputs.add(at) = 0;
    }
    let share = S::rows_pay_from(layer.outputs());
    let expected = if CLIPPED { CLIPPED_SHARE } else { 0 };
    let in_pairs = S::PAIRS && layer.adds_in_16_bits();
    if share <= expected || has_nonzero_share::<S>(inputs, bytes, share) {
        if in_pairs {
            rows::<S, true>(layer, inputs, sums);
        } else {
            rows::<S, false>(layer, inputs, sums);
        }
        return;
    }
    let mut list = Indices::new();
    let list = list.start();
    let count = S::list_groups(inputs, bytes, list);
    if in_pairs {
        groups::<S, true, true>(layer, inputs, list, count, sums);
    } else {
        groups::<S, true, false>(layer, inputs, list, count, sums);
    }
}

/// Whether at least `percent` of the groups are not zero, as far as a sample of a quarter tells.
#[inline(always)]
unsafe fn has_nonzero_share<S: Simd>(inputs: *const u8, bytes: usize, percent: usize) -> bool {
    let (mut set, mut seen, mut at) = (0, 0, 0);
    while at < bytes {
        set += S::nonzero_groups(inputs.add(at)).count_ones() as usize;
        seen += 8;
        at += 128;
    }
    set * 100 >= seen * percent
}

/// A later layer: every group of inputs counts.
#[inline(always)]
unsafe fn dense<S: Simd>(layer: &AffineLayer, inputs: *const u8, sums: *mut i32) {
    let count = layer.inputs().div_ceil(4);
    groups::<S, false, false>(layer, inputs, std::ptr::null(), count, sums);
}

/// All outputs, by groups of four inputs: the listed ones if `LISTED`, else the first `count`. Two at
/// a time if `PAIRS`, which is for layers whose products add up in 16 bits.
#[inline(always)]
unsafe fn groups<S: Simd, const LISTED: bool, const PAIRS: bool>(
    layer: &AffineLayer,
    inputs: *const u8,
    list: *const u16,
    count: usize,
    sums: *mut i32,
) {
    let vectors = layer.outputs().div_ceil(S::LANES);
    let mut done = 0;
    while vectors - done >= 8 {
        block::<S, LISTED, PAIRS, 8, 1>(layer, inputs, list, count, done, sums);
        done += 8;
    }
    if vectors - done >= 4 {
        block::<S, LISTED, PAIRS, 4, 2>(layer, inputs, list, count, done, sums);
        done += 4;
    }
    if vectors - done >= 2 {
        block::<S, LISTED, PAIRS, 2, 4>(layer, inputs, list, count, done, sums);
        done += 2;
    }
    if vectors - done >= 1 {
        block::<S, LISTED, PAIRS, 1, 8>(layer, inputs, list, count, done, sums);
    }
}

/// `N` vectors of outputs from the vector `first` on, `CHAINS` groups at a time, each into sums of
/// its own, because a dot product takes longer than the next one can wait. (What is added in pairs
/// waits less, and goes into half as many.)
#[inline(always)]
unsafe fn block<
    S: Simd,
    const LISTED: bool,
    const PAIRS: bool,
    const N: usize,
    const CHAINS: usize,
>(
    layer: &AffineLayer,
    inputs: *const u8,
    list: *const u16,
    count: usize,
    first: usize,
    sums: *mut i32,
) {
    let stride = layer.group_bytes();
    let weights = layer.groups().as_ptr().add(first * S::BYTES);
    let mut acc = [[S::zero(); N]; CHAINS];
    let bias = layer.bias().as_ptr().add(first * S::LANES);
    for (n, acc) in acc[0].iter_mut().enumerate() {
        *acc = S::load(bias.add(n * S::LANES));
    }
    let mut at = 0;
    if PAIRS {
        let pairs = CHAINS.div_ceil(2);
        while at + 2 * pairs <= count {
            for acc in &mut acc[..pairs] {
                let (a, from_a) = group::<S, LISTED>(inputs, list, at, weights, stride);
                let (b, from_b) = group::<S, LISTED>(inputs, list, at + 1, weights, stride);
                for (n, acc) in acc.iter_mut().enumerate() {
                    let offset = n * S::BYTES;
                    let weights = [S::load(from_a.add(offset)), S::load(from_b.add(offset))];
                    *acc = S::dot_pair(*acc, [a, b], weights);
                }
                at += 2;
            }
        }
    } else {
        while at + CHAINS <= count {
            for acc in &mut acc {
                let (bytes, from) = group::<S, LISTED>(inputs, list, at, weights, stride);
                for (n, acc) in acc.iter_mut().enumerate() {
                    *acc = S::dot(*acc, bytes, S::load(from.add(n * S::BYTES)));
                }
                at += 1;
            }
        }
    }
    while at < count {
        let (bytes, from) = group::<S, LISTED>(inputs, list, at, weights, stride);
        for (n, acc) in acc[0].iter_mut().enumerate() {
            *acc = S::dot(*acc, bytes, S::load(from.add(n * S::BYTES)));
        }
        at += 1;
    }
    let sums = sums.add(first * S::LANES);
    for (n, &total) in acc[0].iter().enumerate() {
        let mut total = total;
        for chain in &acc[1..] {
            total = S::add32(total, chain[n]);
        }
        S::store(sums.add(n * S::LANES), total);
    }
}

/// The inputs of the group at this place, in every lane, and where its weights begin.
#[inline(always)]
unsafe fn group<S: Simd, const LISTED: bool>(
    inputs: *const u8,
    list: *const u16,
    at: usize,
    weights: *const i8,
    stride: usize,
) -> (S::V, *const i8) {
    let group = if LISTED { usize::from(*list.add(at)) } else { at };
    (S::splat_group(inputs.add(group * 4)), weights.add(group * stride))
}

/// All outputs, by rows; `PAIRS` as for [`groups`].
#[inline(always)]
unsafe fn rows<S: Simd, const PAIRS: bool>(layer: &AffineLayer, inputs: *const u8, sums: *mut i32) {
    let mut first = 0;
    while first < layer.outputs() {
        let bias = layer.bias().as_ptr().add(first);
        if S::BYTES == 64 && layer.outputs() - first > 8 {
            let acc = row_block::<S, PAIRS, 16>(layer, inputs, first);
            S::store_sums16(sums.add(first), bias, &acc);
            first += 16;
        } else {
            let acc = row_block::<S, PAIRS, 8>(layer, inputs, first);
            S::store_sums8(sums.add(first), bias, &acc);
            first += 8;
        }
    }
}

#[inline(always)]
unsafe fn row_block<S: Simd, const PAIRS: bool, const N: usize>(
    layer: &AffineLayer,
    inputs: *const u8,
    first: usize,
) -> [S::V; N] {
    let bytes = layer.row_bytes();
    let band = layer.tiles().as_ptr().add(first / LANES * LANES * bytes);
    let mut acc = [S::zero(); N];
    let mut at = 0;
    while at < bytes {
        let tile = band.add((at / ROW_BLOCK * LANES + first % LANES) * ROW_BLOCK + at % ROW_BLOCK);
        let inputs = inputs.add(at);
        if PAIRS {
            let inputs = [S::load(inputs), S::load(inputs.add(S::BYTES))];
            for (n, acc) in acc.iter_mut().enumerate() {
                let tile = tile.add(n * ROW_BLOCK);
                let weights = [S::load(tile), S::load(tile.add(S::BYTES))];
                *acc = S::dot_pair(*acc, inputs, weights);
            }
            at += 2 * S::BYTES;
        } else {
            let inputs = S::load(inputs);
            for (n, acc) in acc.iter_mut().enumerate() {
                *acc = S::dot(*acc, inputs, S::load(tile.add(n * ROW_BLOCK)));
            }
            at += S::BYTES;
        }
    }
    acc
}
