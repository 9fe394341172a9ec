//! The layers behind the feature transformer, forwards and backwards, for some positions at a time.
//!
//! Values are in units of which the files of nets have 127: the clipped range is 0 to 1. What files
//! round is not rounded here, but a product of two clipped values is worth 127/128 of itself, as in
//! files, where it is shifted by seven bits.

use super::matrix::{ROWS, add_product, add_transposed_product, product, transpose};
use super::tensor_layout::TensorLayout;
use super::tensors::{AffineTensors, StackTensors};

/// Positions that go through the layers together.
pub(super) const BLOCK: usize = 64;
/// What a product of two values from 0 to 127 loses that is divided by 128.
const PRODUCT: f32 = 127.0 / 128.0;

/// The weights of a stack the other way round, `[outputs][inputs]`, for the way back.
#[derive(Debug)]
pub(super) struct TransposedStack {
    l1: Vec<f32>,
    l2: Vec<f32>,
}

impl TransposedStack {
    pub(super) fn of(stack: &StackTensors) -> TransposedStack {
        let transposed = |layer: &AffineTensors| {
            let mut to = vec![0.0; layer.weights.len()];
            transpose(&layer.weights, layer.outputs(), &mut to);
            to
        };
        TransposedStack { l1: transposed(&stack.l1), l2: transposed(&stack.l2) }
    }
}

/// Room for what a block of positions makes of its sums, and for the derivatives by all of it.
#[derive(Debug)]
pub(super) struct DenseScratch {
    shape: TensorLayout,
    /// `[BLOCK][inputs]`, of nets that multiply; others take the sums themselves.
    products: Vec<f32>,
    /// `[BLOCK][outputs]`, before anything is done to them.
    first: Vec<f32>,
    /// `[BLOCK][inputs of the second layer]`
    hidden: Vec<f32>,
    /// `[BLOCK][outputs]`, clipped.
    second: Vec<f32>,
    by_inputs: Vec<f32>,
    by_first: Vec<f32>,
    by_hidden: Vec<f32>,
    by_second: Vec<f32>,
}

/// 0 to 1.
#[inline(always)]
pub(super) fn clipped(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// The derivative by a value before it was clipped, from that by the clipped one.
#[inline(always)]
pub(super) fn unclipped(slope: f32, clipped: f32) -> f32 {
    if clipped > 0.0 && clipped < 1.0 { slope } else { 0.0 }
}

impl DenseScratch {
    pub(super) fn new(shape: &TensorLayout) -> DenseScratch {
        let [l1, l2] = shape.layers();
        let room = |columns: usize| vec![0.0; BLOCK * columns];
        DenseScratch {
            shape: *shape,
            products: if shape.is_sfnn() { room(l1.inputs) } else { Vec::new() },
            first: room(l1.outputs),
            hidden: room(l2.inputs),
            second: room(l2.outputs),
            by_inputs: room(l1.inputs),
            by_first: room(l1.outputs),
            by_hidden: room(l2.inputs),
            by_second: room(l2.outputs),
        }
    }

    /// Computes the outputs of up to [`BLOCK`] positions. `sums` is `[positions][2][width]`,
    /// clipped, and goes on for up to seven positions of any content: rows are computed in
    /// multiples of [`ROWS`].
    pub(super) fn forward(&mut self, stack: &StackTensors, sums: &[f32], outputs: &mut [f32]) {
        let rows = outputs.len().next_multiple_of(ROWS);
        let width = self.shape.width();
        let sums = &sums[..rows * 2 * width];
        if self.shape.is_sfnn() {
            let inputs = self.shape.architecture.width;
            let products = self.products.chunks_exact_mut(inputs);
            sums.chunks_exact(2 * width).zip(products).for_each(|(sums, to)| multiply(sums, to));
        }
        let inputs = if self.shape.is_sfnn() { &self.products } else { sums };
        affine(&stack.l1, inputs, rows, &mut self.first);
        self.activate(rows);
        affine(&stack.l2, &self.hidden, rows, &mut self.second);
        self.second.iter_mut().for_each(|value| *value = clipped(*value));
        let shortcut = self.shape.shortcut();
        let values = self.second.chunks_exact(stack.l2.outputs());
        let first = self.first.chunks_exact(stack.l1.outputs());
        for ((output, values), first) in outputs.iter_mut().zip(values).zip(first) {
            let sum: f32 = values.iter().zip(&stack.output.weights).map(|(x, w)| x * w).sum();
            *output = sum + stack.output.bias[0] + shortcut.map_or(0.0, |at| first[at]);
        }
    }

    /// From the first layer's outputs to the second layer's inputs.
    fn activate(&mut self, rows: usize) {
        let (outputs, h1) = (self.first.len() / BLOCK, self.shape.architecture.h1);
        let first = self.first[..rows * outputs].chunks_exact(outputs);
        if self.shape.is_sfnn() {
            for (first, hidden) in first.zip(self.hidden.chunks_exact_mut(2 * outputs)) {
                let (squares, linear) = hidden.split_at_mut(outputs);
                for ((&z, square), linear) in first[..h1].iter().zip(squares).zip(linear) {
                    *square = clipped(z * z * PRODUCT);
                    *linear = clipped(z);
                }
            }
        } else {
            let pairs = first.flatten().zip(&mut self.hidden);
            pairs.for_each(|(&z, hidden)| *hidden = clipped(z));
        }
    }

    /// Goes the way back of the [`DenseScratch::forward`] just done: from the derivatives by the outputs
    /// to those by the weights, which are added to `gradient`, and those by the sums before they
    /// were clipped, `[positions][2][width]`.
    pub(super) fn backward(
        &mut self,
        stack: &StackTensors,
        transposed: &TransposedStack,
        sums: &[f32],
        by_outputs: &[f32],
        gradient: &mut StackTensors,
        by_sums: &mut [f32],
    ) {
        let positions = by_outputs.len();
        let rows = positions.next_multiple_of(ROWS);
        self.back_to_second(stack, by_outputs, &mut gradient.output);
        let by_second = &self.by_second[..positions * stack.l2.outputs()];
        add_gradient(&mut gradient.l2, &self.hidden, by_second, positions);
        back(&transposed.l2, &self.by_second, rows, stack.l2.outputs(), &mut self.by_hidden);
        self.back_to_first(by_outputs);
        let width = self.shape.width();
        let sums = &sums[..positions * 2 * width];
        let inputs = if self.shape.is_sfnn() { &self.products } else { sums };
        let by_first = &self.by_first[..positions * stack.l1.outputs()];
        add_gradient(&mut gradient.l1, inputs, by_first, positions);
        back(&transposed.l1, &self.by_first, rows, stack.l1.outputs(), &mut self.by_inputs);
        let columns = self.by_inputs.len() / BLOCK;
        let by_inputs = self.by_inputs.chunks_exact(columns);
        let rows = sums.chunks_exact(2 * width).zip(by_sums.chunks_exact_mut(2 * width));
        for ((sums, to), by_inputs) in rows.zip(by_inputs) {
            if self.shape.is_sfnn() {
                unmultiply(sums, by_inputs, to);
            } else {
                let pairs = sums.iter().zip(by_inputs);
                to.iter_mut().zip(pairs).for_each(|(to, (&x, &slope))| *to = unclipped(slope, x));
            }
        }
    }

    fn back_to_second(
        &mut self,
        stack: &StackTensors,
        by_outputs: &[f32],
        gradient: &mut AffineTensors,
    ) {
        let outputs = stack.l2.outputs();
        let values = self.second.chunks_exact(outputs);
        let slopes = self.by_second.chunks_exact_mut(outputs);
        for ((&by_output, values), slopes) in by_outputs.iter().zip(values).zip(slopes) {
            let weights = stack.output.weights.iter().zip(&mut gradient.weights);
            for ((slope, &value), (&weight, gradient)) in slopes.iter_mut().zip(values).zip(weights)
            {
                *slope = unclipped(by_output * weight, value);
                *gradient += by_output * value;
            }
            gradient.bias[0] += by_output;
        }
    }

    fn back_to_first(&mut self, by_outputs: &[f32]) {
        let (outputs, h1) = (self.first.len() / BLOCK, self.shape.architecture.h1);
        let slopes = self.by_first.chunks_exact_mut(outputs);
        if !self.shape.is_sfnn() {
            let pairs = self.by_hidden.iter().zip(&self.hidden);
            let slopes = slopes.take(by_outputs.len()).flatten();
            return slopes.zip(pairs).for_each(|(to, (&slope, &x))| *to = unclipped(slope, x));
        }
        let first = self.first.chunks_exact(outputs);
        let by_hidden = self.by_hidden.chunks_exact(2 * outputs);
        for (((slopes, z), by_hidden), &by_output) in
            slopes.zip(first).zip(by_hidden).zip(by_outputs)
        {
            let (by_squares, by_linear) = by_hidden.split_at(outputs);
            for at in 0..h1 {
                let z = z[at];
                let by_square = by_squares[at] * 2.0 * PRODUCT * z;
                slopes[at] = unclipped(by_square, clipped(z * z * PRODUCT))
                    + unclipped(by_linear[at], clipped(z));
            }
            if let Some(at) = self.shape.shortcut() {
                slopes[at] = by_output;
            }
        }
    }
}

/// The two halves of each view, multiplied with each other.
fn multiply(sums: &[f32], products: &mut [f32]) {
    let (width, half) = (sums.len() / 2, products.len() / 2);
    for (view, to) in sums.chunks_exact(width).zip(products.chunks_exact_mut(half)) {
        let (first, second) = view.split_at(half);
        for ((to, a), b) in to.iter_mut().zip(first).zip(second) {
            *to = a * b * PRODUCT;
        }
    }
}

/// The way back of [`multiply`] and of the clipping before it.
fn unmultiply(sums: &[f32], by_products: &[f32], to: &mut [f32]) {
    let (width, half) = (sums.len() / 2, by_products.len() / 2);
    let views = sums.chunks_exact(width).zip(to.chunks_exact_mut(width));
    for ((view, to), slopes) in views.zip(by_products.chunks_exact(half)) {
        for (at, &slope) in slopes.iter().enumerate() {
            let (a, b) = (view[at], view[half + at]);
            to[at] = unclipped(slope * b * PRODUCT, a);
            to[half + at] = unclipped(slope * a * PRODUCT, b);
        }
        to[2 * half..].fill(0.0);
    }
}

/// `rows` rows of a layer's outputs.
fn affine(layer: &AffineTensors, inputs: &[f32], rows: usize, to: &mut [f32]) {
    let outputs = layer.outputs();
    let columns = layer.weights.len() / outputs;
    let to = &mut to[..rows * outputs];
    to.chunks_exact_mut(outputs).for_each(|row| row.copy_from_slice(&layer.bias));
    add_product(to, &inputs[..rows * columns], &layer.weights, columns, outputs);
}

/// Adds the derivatives by the weights of a layer.
fn add_gradient(gradient: &mut AffineTensors, inputs: &[f32], slopes: &[f32], positions: usize) {
    let outputs = gradient.outputs();
    let columns = gradient.weights.len() / outputs;
    let inputs = &inputs[..positions * columns];
    add_transposed_product(&mut gradient.weights, inputs, slopes, columns, outputs);
    for row in slopes.chunks_exact(outputs) {
        gradient.bias.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
    }
}

/// From the derivatives by the outputs of a layer to those by its inputs.
fn back(weights: &[f32], slopes: &[f32], rows: usize, outputs: usize, to: &mut [f32]) {
    let inputs = weights.len() / outputs;
    product(&mut to[..rows * inputs], &slopes[..rows * outputs], weights, outputs, inputs);
}
