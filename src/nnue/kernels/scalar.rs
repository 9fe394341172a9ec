//! The reference kernels in plain arithmetic. All others equal them bit for bit.

use super::limits::{MAX_INPUTS, MAX_OUTPUTS};
use super::table::KernelTable;
use crate::nnue::affine_layer::AffineLayer;
use crate::nnue::byte_rows::{BLOCK, ByteRows, place};
use crate::nnue::weights::LayerStack;

pub(super) const TABLE: KernelTable = KernelTable { update, update_from_bytes, classic, sfnn };

/// Updates an accumulator: `to = from + added rows - removed rows`, wrapping.
///
/// # Safety
/// See [`super::accumulator::update`], for any processor.
pub(super) unsafe fn update(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    // SAFETY: both are valid for `width` elements and do not overlap unless they are equal.
    let to = unsafe {
        if !std::ptr::eq(to, from) {
            std::ptr::copy_nonoverlapping(from, to, width);
        }
        std::slice::from_raw_parts_mut(to, width)
    };
    let row = |index: u32| {
        // SAFETY: `rows` holds a row of `width` elements for every index.
        unsafe { std::slice::from_raw_parts(rows.add(index as usize * width), width) }
    };
    for &index in added {
        for (to, &weight) in to.iter_mut().zip(row(index)) {
            *to = to.wrapping_add(weight);
        }
    }
    for &index in removed {
        for (to, &weight) in to.iter_mut().zip(row(index)) {
            *to = to.wrapping_sub(weight);
        }
    }
}

/// [`update`] with rows in 8 bits.
///
/// # Safety
/// See [`super::accumulator::update_from_bytes`], for any processor.
unsafe fn update_from_bytes(
    to: *mut i16,
    from: *const i16,
    rows: &ByteRows,
    added: &[u32],
    removed: &[u32],
) {
    let width = rows.width();
    let row = |index: usize| &rows.bytes()[index * width..][..width];
    let zero = row(rows.zero_row());
    for column in 0..width {
        let at = column / BLOCK * BLOCK + place(column % BLOCK);
        // SAFETY: both are valid for `width` elements.
        let mut sum = unsafe { *from.add(column) };
        for &index in added {
            sum = sum.wrapping_add(i16::from(row(index as usize)[at]) - i16::from(zero[at]));
        }
        for &index in removed {
            sum = sum.wrapping_sub(i16::from(row(index as usize)[at]) - i16::from(zero[at]));
        }
        // SAFETY: as above.
        unsafe { *to.add(column) = sum };
    }
}

fn classic(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
    let mut inputs = [0; MAX_INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(own.iter().chain(other)) {
        *input = sum.clamp(0, 127) as u8;
    }
    let mut first = [0; MAX_OUTPUTS];
    affine(&stack.l1, &inputs, &mut first);
    let mut hidden = [0; MAX_OUTPUTS];
    for (hidden, &sum) in hidden.iter_mut().zip(&first[..stack.l1.outputs()]) {
        *hidden = clipped_relu(sum);
    }
    after_first_layer(stack, &hidden)
}

fn sfnn(stack: &LayerStack, own: &[i16], other: &[i16]) -> i32 {
    let mut inputs = [0; MAX_INPUTS];
    let half = own.len() / 2;
    for (inputs, sums) in inputs.chunks_exact_mut(half).zip([own, other]) {
        for (at, input) in inputs.iter_mut().enumerate() {
            let (a, b) = (sums[at].clamp(0, 127), sums[half + at].clamp(0, 127));
            *input = ((i32::from(a) * i32::from(b)) >> 7) as u8;
        }
    }
    let mut first = [0; MAX_OUTPUTS];
    affine(&stack.l1, &inputs, &mut first);
    let h1 = stack.l2.inputs() / 2;
    let mut hidden = [0; 2 * MAX_OUTPUTS];
    for (at, &sum) in first[..h1].iter().enumerate() {
        let square = i64::from(sum) * i64::from(sum);
        hidden[at] = (square >> 19).min(127) as u8;
        hidden[h1 + at] = clipped_relu(sum);
    }
    let raw = after_first_layer(stack, &hidden);
    if stack.l1.outputs() > h1 { raw.wrapping_add(first[h1]) } else { raw }
}

fn after_first_layer(stack: &LayerStack, hidden: &[u8]) -> i32 {
    let mut second = [0; MAX_OUTPUTS];
    affine(&stack.l2, hidden, &mut second);
    let last = second.map(clipped_relu);
    let mut raw = [0];
    affine(&stack.output, &last, &mut raw);
    raw[0]
}

fn clipped_relu(sum: i32) -> u8 {
    (sum >> 6).clamp(0, 127) as u8
}

fn affine(layer: &AffineLayer, inputs: &[u8], sums: &mut [i32]) {
    let rows = layer.rows().chunks_exact(layer.row_bytes());
    for ((sum, &bias), row) in sums[..layer.outputs()].iter_mut().zip(layer.bias()).zip(rows) {
        let products = inputs[..layer.inputs()].iter().zip(row);
        *sum = products.fold(bias, |sum, (&input, &weight)| {
            sum.wrapping_add(i32::from(input) * i32::from(weight))
        });
    }
}
