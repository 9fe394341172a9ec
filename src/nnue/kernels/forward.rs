//! The forward pass from two accumulators to the output, for any instruction set.
//!
//! Buffers on the stack hold the values between layers: inputs are bytes of 0..=127, outputs are
//! 32-bit sums. Lanes after the last output of a layer are arbitrary; they are multiplied by the
//! zero padding of the next [`AffineLayer`].

use std::mem::MaybeUninit;

use super::limits::{MAX_INPUTS, MAX_OUTPUTS};
use super::simd::Simd;
use crate::nnue::affine_layer::{AffineLayer, OUTPUT_BLOCK, ROW_BLOCK};
use crate::nnue::weights::LayerStack;

/// Elements that may be written after the end of a buffer: the longest vector.
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
type NnzIndices = Buffer<u16, { MAX_INPUTS / 4 + SLACK }>;
type Hidden = Buffer<u8, { 2 * MAX_OUTPUTS + SLACK }>;
type Sums = Buffer<i32, { MAX_OUTPUTS + SLACK }>;

/// The output of a classic network.
///
/// # Safety
/// The processor supports `S`; the accumulators are valid for `width` elements; the layers fit each
/// other, the accumulators and the limits, as `kernels::fits` checks. All functions below rely on
/// it.
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
    // SAFETY: the accumulators, layers and buffers fit each other.
    unsafe {
        clipped_relu_accumulator::<S>(own, width, inputs);
        clipped_relu_accumulator::<S>(other, width, inputs.add(width));
        first_layer::<S, true>(&stack.l1, inputs, first);
        clipped_relu::<S>(first, stack.l1.outputs(), hidden);
        second_layer::<S>(&stack.l2, hidden, second);
        output_layer::<S>(&stack.output, second)
    }
}

/// The output of a layer stack of an SFNN network.
///
/// # Safety
/// See [`classic`].
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
    // SAFETY: the accumulators, layers and buffers fit each other.
    unsafe {
        pairwise_product::<S>(own, width, inputs);
        pairwise_product::<S>(other, width, inputs.add(width / 2));
        first_layer::<S, false>(&stack.l1, inputs, first);
        let h1 = stack.l2.inputs() / 2;
        // The last group of four may reach three bytes past the inputs.
        hidden.add(2 * h1).cast::<u32>().write_unaligned(0);
        squared_clipped_relu::<S>(first, h1, hidden);
        clipped_relu::<S>(first, h1, hidden.add(h1));
        second_layer::<S>(&stack.l2, hidden, second);
        let raw = output_layer::<S>(&stack.output, second);
        if stack.l1.outputs() > h1 { raw.wrapping_add(*first.add(h1)) } else { raw }
    }
}

/// The accumulator clamped to 0..=127, as bytes.
#[inline(always)]
unsafe fn clipped_relu_accumulator<S: Simd>(from: *const i16, width: usize, to: *mut u8) {
    // SAFETY: `from` has `width` elements, `to` has room for as many.
    unsafe {
        let whole = width - width % S::BYTES;
        let mut at = 0;
        while at < whole {
            let low = S::load(from.add(at));
            let high = S::load(from.add(at + S::BYTES / 2));
            S::store(to.add(at), S::clipped_relu16(low, high));
            at += S::BYTES;
        }
        for at in whole..width {
            *to.add(at) = (*from.add(at)).clamp(0, 127) as u8;
        }
    }
}

/// The halves of an accumulator, clamped and multiplied pairwise, as bytes.
#[inline(always)]
unsafe fn pairwise_product<S: Simd>(from: *const i16, width: usize, to: *mut u8) {
    // SAFETY: `from` has `width` elements, `to` has room for half as many.
    unsafe {
        let half = width / 2;
        let whole = half - half % S::BYTES;
        let step = S::BYTES / 2;
        let mut at = 0;
        while at < whole {
            let (a, b) = (from.add(at), from.add(half + at));
            let low = S::pairwise_product16(S::load(a), S::load(b));
            let high = S::pairwise_product16(S::load(a.add(step)), S::load(b.add(step)));
            S::store(to.add(at), S::clipped_relu16(low, high));
            at += S::BYTES;
        }
        for at in whole..half {
            let (a, b) = ((*from.add(at)).clamp(0, 127), (*from.add(half + at)).clamp(0, 127));
            *to.add(at) = ((i32::from(a) * i32::from(b)) >> 7) as u8;
        }
    }
}

/// From the sums of a layer to the inputs of the next.
#[inline(always)]
unsafe fn clipped_relu<S: Simd>(sums: *const i32, count: usize, to: *mut u8) {
    // SAFETY: both have room for `count` elements and one more vector.
    unsafe {
        let mut at = 0;
        while at < count {
            S::store_bytes(to.add(at), S::clipped_relu32(S::load(sums.add(at))));
            at += S::LANES;
        }
    }
}

/// From the sums of a layer to the squared half of the inputs of the next.
#[inline(always)]
unsafe fn squared_clipped_relu<S: Simd>(sums: *const i32, count: usize, to: *mut u8) {
    // SAFETY: both have room for `count` elements and one more vector.
    unsafe {
        let mut at = 0;
        while at < count {
            S::store_bytes(to.add(at), S::squared_clipped_relu32(S::load(sums.add(at))));
            at += S::LANES;
        }
    }
}

/// The last layer including the activation before it.
#[inline(always)]
unsafe fn output_layer<S: Simd>(layer: &AffineLayer, sums: *const i32) -> i32 {
    // SAFETY: the sums and the weights are padded to whole vectors.
    unsafe {
        let mut total = S::zero();
        let weights = layer.rows().as_ptr();
        let mut at = 0;
        while at < layer.inputs() {
            let value = S::clipped_relu32(S::load(sums.add(at)));
            let weight = S::load_bytes(weights.add(at));
            total = S::add32(total, S::small_product(value, weight));
            at += S::LANES;
        }
        S::sum32(total).wrapping_add(*layer.bias().as_ptr())
    }
}

/// The lowest percentage of nonzero groups that is expected of inputs that are only clipped. (Pairwise products may
/// have any percentage.)
const CLIPPED_NNZ_PERCENT: usize = 35;

/// The first layer, sparse or dense depending on how many groups of inputs are nonzero.
#[inline(always)]
unsafe fn first_layer<S: Simd, const CLIPPED: bool>(
    layer: &AffineLayer,
    inputs: *mut u8,
    sums: *mut i32,
) {
    // SAFETY: the inputs and the indices have room for the padded inputs.
    unsafe {
        let bytes = layer.inputs().next_multiple_of(ROW_BLOCK);
        for at in layer.inputs()..bytes {
            *inputs.add(at) = 0;
        }
        let percent = S::dense_percent(layer.outputs());
        let expected = if CLIPPED { CLIPPED_NNZ_PERCENT } else { 0 };
        let in_pairs = S::PAIRS && layer.adds_in_16_bits();
        if percent <= expected || is_dense::<S>(inputs, bytes, percent) {
            if in_pairs {
                dense_affine::<S, true>(layer, inputs, sums);
            } else {
                dense_affine::<S, false>(layer, inputs, sums);
            }
            return;
        }
        let mut nnz = NnzIndices::new();
        let nnz = nnz.start();
        let count = S::find_nnz(inputs, bytes, nnz);
        if in_pairs {
            grouped_affine::<S, true, true>(layer, inputs, nnz, count, sums);
        } else {
            grouped_affine::<S, true, false>(layer, inputs, nnz, count, sums);
        }
    }
}

/// Whether at least `percent` of the groups are nonzero, estimated from a quarter of them.
#[inline(always)]
unsafe fn is_dense<S: Simd>(inputs: *const u8, bytes: usize, percent: usize) -> bool {
    // SAFETY: `inputs` is valid for `bytes` bytes.
    unsafe {
        let (mut set, mut seen, mut at) = (0, 0, 0);
        while at < bytes {
            set += S::nnz_mask(inputs.add(at)).count_ones() as usize;
            seen += 8;
            at += 128;
        }
        set * 100 >= seen * percent
    }
}

/// The second layer: all groups of its inputs, which are few.
#[inline(always)]
unsafe fn second_layer<S: Simd>(layer: &AffineLayer, inputs: *const u8, sums: *mut i32) {
    // SAFETY: the inputs are padded to whole groups.
    unsafe {
        let count = layer.inputs().div_ceil(4);
        grouped_affine::<S, false, false>(layer, inputs, std::ptr::null(), count, sums);
    }
}

/// All outputs from `count` groups of four inputs: those whose indices `nnz` lists if `SPARSE`, else the first.
/// `PAIRS` takes two at a time, for layers whose products add up in 16 bits.
#[inline(always)]
unsafe fn grouped_affine<S: Simd, const SPARSE: bool, const PAIRS: bool>(
    layer: &AffineLayer,
    inputs: *const u8,
    nnz: *const u16,
    count: usize,
    sums: *mut i32,
) {
    // SAFETY: the blocks cover the padded outputs once.
    unsafe {
        let vectors = layer.outputs().div_ceil(S::LANES);
        let mut done = 0;
        while vectors - done >= 8 {
            grouped_block::<S, SPARSE, PAIRS, 8, 1>(layer, inputs, nnz, count, done, sums);
            done += 8;
        }
        if vectors - done >= 4 {
            grouped_block::<S, SPARSE, PAIRS, 4, 2>(layer, inputs, nnz, count, done, sums);
            done += 4;
        }
        if vectors - done >= 2 {
            grouped_block::<S, SPARSE, PAIRS, 2, 4>(layer, inputs, nnz, count, done, sums);
            done += 2;
        }
        if vectors - done >= 1 {
            grouped_block::<S, SPARSE, PAIRS, 1, 8>(layer, inputs, nnz, count, done, sums);
        }
    }
}

/// `N` vectors of outputs from the vector `first` on. `CHAINS` groups at a time are added to
/// separate sums, to hide the latency of the dot product; pairs need half as many.
#[inline(always)]
unsafe fn grouped_block<
    S: Simd,
    const SPARSE: bool,
    const PAIRS: bool,
    const N: usize,
    const CHAINS: usize,
>(
    layer: &AffineLayer,
    inputs: *const u8,
    nnz: *const u16,
    count: usize,
    first: usize,
    sums: *mut i32,
) {
    // SAFETY: the layer is padded to whole vectors of outputs.
    unsafe {
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
                    let (a, from_a) = load_group::<S, SPARSE>(inputs, nnz, at, weights, stride);
                    let (b, from_b) = load_group::<S, SPARSE>(inputs, nnz, at + 1, weights, stride);
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
                    let (bytes, from) = load_group::<S, SPARSE>(inputs, nnz, at, weights, stride);
                    for (n, acc) in acc.iter_mut().enumerate() {
                        *acc = S::dot(*acc, bytes, S::load(from.add(n * S::BYTES)));
                    }
                    at += 1;
                }
            }
        }
        while at < count {
            let (bytes, from) = load_group::<S, SPARSE>(inputs, nnz, at, weights, stride);
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
}

/// The inputs of the group at `at` in every lane, and the start of its weights.
#[inline(always)]
unsafe fn load_group<S: Simd, const SPARSE: bool>(
    inputs: *const u8,
    nnz: *const u16,
    at: usize,
    weights: *const i8,
    stride: usize,
) -> (S::V, *const i8) {
    // SAFETY: groups and their weights are within the layer.
    unsafe {
        let group = if SPARSE { usize::from(*nnz.add(at)) } else { at };
        (S::splat_group(inputs.add(group * 4)), weights.add(group * stride))
    }
}

/// All outputs from whole rows; for `PAIRS` see [`grouped_affine`].
#[inline(always)]
unsafe fn dense_affine<S: Simd, const PAIRS: bool>(
    layer: &AffineLayer,
    inputs: *const u8,
    sums: *mut i32,
) {
    // SAFETY: the layer is padded to whole vectors of outputs.
    unsafe {
        let mut first = 0;
        while first < layer.outputs() {
            let bias = layer.bias().as_ptr().add(first);
            if S::BYTES == 64 && layer.outputs() - first > 8 {
                let acc = dense_block::<S, PAIRS, 16>(layer, inputs, first);
                S::store_sums16(sums.add(first), bias, &acc);
                first += 16;
            } else {
                let acc = dense_block::<S, PAIRS, 8>(layer, inputs, first);
                S::store_sums8(sums.add(first), bias, &acc);
                first += 8;
            }
        }
    }
}

/// The products of the inputs with `N` rows of weights from the row `first` on, one vector for each row. The sum of
/// its lanes is still to be taken and the bias to be added.
#[inline(always)]
unsafe fn dense_block<S: Simd, const PAIRS: bool, const N: usize>(
    layer: &AffineLayer,
    inputs: *const u8,
    first: usize,
) -> [S::V; N] {
    // SAFETY: the layer is padded to whole tiles.
    unsafe {
        let bytes = layer.row_bytes();
        let band = layer.tiles().as_ptr().add(first / OUTPUT_BLOCK * OUTPUT_BLOCK * bytes);
        let mut acc = [S::zero(); N];
        let mut at = 0;
        while at < bytes {
            let row = at / ROW_BLOCK * OUTPUT_BLOCK + first % OUTPUT_BLOCK;
            let tile = band.add(row * ROW_BLOCK + at % ROW_BLOCK);
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
}
