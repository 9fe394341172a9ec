//! The layers after the feature transformer, forward and backward, for blocks of positions.
//!
//! An activation of 1 here is 127 in a network file, so the clipped range is 0 to 1. Nothing is rounded, but a
//! product of two clipped values is scaled by 127/128, because files shift it by seven bits.

use super::matrix::{ROWS, add_product, add_transposed_product, product, transpose};
use super::tensor_layout::TensorLayout;
use super::tensors::{AffineTensors, StackTensors};

/// Positions that are processed together.
pub(super) const BLOCK: usize = 64;
/// The scale of a product of two values of 0..=127 that is divided by 128.
const PRODUCT_SCALE: f32 = 127.0 / 128.0;

/// The transposed weights of a stack, `[outputs][inputs]`, for the backward pass.
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

/// The activations of a block of positions and their gradients.
#[derive(Debug)]
pub(super) struct DenseScratch {
    layout: TensorLayout,
    /// `[BLOCK][inputs]`: pairwise products; classic networks use the accumulators directly.
    products: Vec<f32>,
    /// `[BLOCK][outputs]`, before the activation.
    first: Vec<f32>,
    /// `[BLOCK][inputs of the second layer]`
    hidden: Vec<f32>,
    /// `[BLOCK][outputs]`, after the activation.
    second: Vec<f32>,
    input_grads: Vec<f32>,
    first_grads: Vec<f32>,
    hidden_grads: Vec<f32>,
    second_grads: Vec<f32>,
}

/// Clipped ReLU.
#[inline(always)]
pub(super) fn clipped(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// The gradient before the clipping, from that after it.
#[inline(always)]
pub(super) fn clipped_grad(grad: f32, clipped: f32) -> f32 {
    if clipped > 0.0 && clipped < 1.0 { grad } else { 0.0 }
}

impl DenseScratch {
    pub(super) fn new(layout: &TensorLayout) -> DenseScratch {
        let [l1, l2] = layout.layers();
        let room = |columns: usize| vec![0.0; BLOCK * columns];
        DenseScratch {
            layout: *layout,
            products: if layout.is_sfnn() { room(l1.inputs) } else { Vec::new() },
            first: room(l1.outputs),
            hidden: room(l2.inputs),
            second: room(l2.outputs),
            input_grads: room(l1.inputs),
            first_grads: room(l1.outputs),
            hidden_grads: room(l2.inputs),
            second_grads: room(l2.outputs),
        }
    }

    /// Computes the outputs of up to [`BLOCK`] positions. `accumulators` is
    /// `[positions][2][width]`, clipped, followed by up to seven positions of any content: rows are
    /// computed in multiples of [`ROWS`].
    pub(super) fn forward(
        &mut self,
        stack: &StackTensors,
        accumulators: &[f32],
        outputs: &mut [f32],
    ) {
        let rows = outputs.len().next_multiple_of(ROWS);
        let width = self.layout.width();
        let accumulators = &accumulators[..rows * 2 * width];
        if self.layout.is_sfnn() {
            let inputs = self.layout.architecture.width;
            let products = self.products.chunks_exact_mut(inputs);
            accumulators
                .chunks_exact(2 * width)
                .zip(products)
                .for_each(|(accumulators, to)| pairwise_products(accumulators, to));
        }
        let inputs = if self.layout.is_sfnn() { &self.products } else { accumulators };
        affine(&stack.l1, inputs, rows, &mut self.first);
        self.activate(rows);
        affine(&stack.l2, &self.hidden, rows, &mut self.second);
        self.second.iter_mut().for_each(|value| *value = clipped(*value));
        let shortcut = self.layout.shortcut();
        let values = self.second.chunks_exact(stack.l2.outputs());
        let first = self.first.chunks_exact(stack.l1.outputs());
        for ((output, values), first) in outputs.iter_mut().zip(values).zip(first) {
            let sum: f32 = values.iter().zip(&stack.output.weights).map(|(x, w)| x * w).sum();
            *output = sum + stack.output.bias[0] + shortcut.map_or(0.0, |at| first[at]);
        }
    }

    /// The outputs of the second layer of the last [`DenseScratch::forward`], one row for each of its `positions`.
    pub(super) fn second(&self, positions: usize) -> &[f32] {
        &self.second[..positions * (self.second.len() / BLOCK)]
    }

    /// From the outputs of the first layer to the inputs of the second.
    fn activate(&mut self, rows: usize) {
        let (outputs, h1) = (self.first.len() / BLOCK, self.layout.architecture.h1);
        let first = self.first[..rows * outputs].chunks_exact(outputs);
        if self.layout.is_sfnn() {
            for (first, hidden) in first.zip(self.hidden.chunks_exact_mut(2 * outputs)) {
                let (squares, linear) = hidden.split_at_mut(outputs);
                for ((&z, square), linear) in first[..h1].iter().zip(squares).zip(linear) {
                    *square = clipped(z * z * PRODUCT_SCALE);
                    *linear = clipped(z);
                }
            }
        } else {
            let pairs = first.flatten().zip(&mut self.hidden);
            pairs.for_each(|(&z, hidden)| *hidden = clipped(z));
        }
    }

    /// The backward pass of the last [`DenseScratch::forward`]: adds the gradient of the weights to
    /// `gradient` and computes the gradient of the clipped accumulators, `[positions][2][width]`.
    pub(super) fn backward(
        &mut self,
        stack: &StackTensors,
        transposed: &TransposedStack,
        accumulators: &[f32],
        output_grads: &[f32],
        gradient: &mut StackTensors,
        accumulator_grads: &mut [f32],
    ) {
        let positions = output_grads.len();
        let rows = positions.next_multiple_of(ROWS);
        self.backward_to_second(stack, output_grads, &mut gradient.output);
        let second_grads = &self.second_grads[..positions * stack.l2.outputs()];
        add_gradient(&mut gradient.l2, &self.hidden, second_grads, positions);
        input_gradient(
            &transposed.l2,
            &self.second_grads,
            rows,
            stack.l2.outputs(),
            &mut self.hidden_grads,
        );
        self.backward_to_first(output_grads);
        let width = self.layout.width();
        let accumulators = &accumulators[..positions * 2 * width];
        let inputs = if self.layout.is_sfnn() { &self.products } else { accumulators };
        let first_grads = &self.first_grads[..positions * stack.l1.outputs()];
        add_gradient(&mut gradient.l1, inputs, first_grads, positions);
        input_gradient(
            &transposed.l1,
            &self.first_grads,
            rows,
            stack.l1.outputs(),
            &mut self.input_grads,
        );
        let columns = self.input_grads.len() / BLOCK;
        let input_grads = self.input_grads.chunks_exact(columns);
        let rows =
            accumulators.chunks_exact(2 * width).zip(accumulator_grads.chunks_exact_mut(2 * width));
        for ((accumulators, to), input_grads) in rows.zip(input_grads) {
            if self.layout.is_sfnn() {
                pairwise_products_backward(accumulators, input_grads, to);
            } else {
                let pairs = accumulators.iter().zip(input_grads);
                to.iter_mut().zip(pairs).for_each(|(to, (&x, &grad))| *to = clipped_grad(grad, x));
            }
        }
    }

    fn backward_to_second(
        &mut self,
        stack: &StackTensors,
        output_grads: &[f32],
        gradient: &mut AffineTensors,
    ) {
        let outputs = stack.l2.outputs();
        let values = self.second.chunks_exact(outputs);
        let grads = self.second_grads.chunks_exact_mut(outputs);
        for ((&output_grad, values), grads) in output_grads.iter().zip(values).zip(grads) {
            let weights = stack.output.weights.iter().zip(&mut gradient.weights);
            for ((grad, &value), (&weight, gradient)) in grads.iter_mut().zip(values).zip(weights) {
                *grad = clipped_grad(output_grad * weight, value);
                *gradient += output_grad * value;
            }
            gradient.bias[0] += output_grad;
        }
    }

    fn backward_to_first(&mut self, output_grads: &[f32]) {
        let (outputs, h1) = (self.first.len() / BLOCK, self.layout.architecture.h1);
        let grads = self.first_grads.chunks_exact_mut(outputs);
        if !self.layout.is_sfnn() {
            let pairs = self.hidden_grads.iter().zip(&self.hidden);
            let grads = grads.take(output_grads.len()).flatten();
            return grads.zip(pairs).for_each(|(to, (&grad, &x))| *to = clipped_grad(grad, x));
        }
        let first = self.first.chunks_exact(outputs);
        let hidden_grads = self.hidden_grads.chunks_exact(2 * outputs);
        for (((grads, z), hidden_grads), &output_grad) in
            grads.zip(first).zip(hidden_grads).zip(output_grads)
        {
            let (square_grads, linear_grads) = hidden_grads.split_at(outputs);
            for at in 0..h1 {
                let z = z[at];
                let square_grad = square_grads[at] * 2.0 * PRODUCT_SCALE * z;
                grads[at] = clipped_grad(square_grad, clipped(z * z * PRODUCT_SCALE))
                    + clipped_grad(linear_grads[at], clipped(z));
            }
            if let Some(at) = self.layout.shortcut() {
                grads[at] = output_grad;
            }
        }
    }
}

/// The pairwise products of the halves of each accumulator.
fn pairwise_products(accumulators: &[f32], products: &mut [f32]) {
    let (width, half) = (accumulators.len() / 2, products.len() / 2);
    for (perspective, to) in accumulators.chunks_exact(width).zip(products.chunks_exact_mut(half)) {
        let (first, second) = perspective.split_at(half);
        for ((to, a), b) in to.iter_mut().zip(first).zip(second) {
            *to = a * b * PRODUCT_SCALE;
        }
    }
}

/// The backward pass of [`pairwise_products`] and of the clipping before it.
fn pairwise_products_backward(accumulators: &[f32], product_grads: &[f32], to: &mut [f32]) {
    let (width, half) = (accumulators.len() / 2, product_grads.len() / 2);
    let perspectives = accumulators.chunks_exact(width).zip(to.chunks_exact_mut(width));
    for ((perspective, to), grads) in perspectives.zip(product_grads.chunks_exact(half)) {
        for (at, &grad) in grads.iter().enumerate() {
            let (a, b) = (perspective[at], perspective[half + at]);
            to[at] = clipped_grad(grad * b * PRODUCT_SCALE, a);
            to[half + at] = clipped_grad(grad * a * PRODUCT_SCALE, b);
        }
        to[2 * half..].fill(0.0);
    }
}

/// The outputs of a layer for `rows` rows.
fn affine(layer: &AffineTensors, inputs: &[f32], rows: usize, to: &mut [f32]) {
    let outputs = layer.outputs();
    let columns = layer.weights.len() / outputs;
    let to = &mut to[..rows * outputs];
    to.chunks_exact_mut(outputs).for_each(|row| row.copy_from_slice(&layer.bias));
    add_product(to, &inputs[..rows * columns], &layer.weights, columns, outputs);
}

/// Adds the gradient of the weights of a layer.
fn add_gradient(gradient: &mut AffineTensors, inputs: &[f32], grads: &[f32], positions: usize) {
    let outputs = gradient.outputs();
    let columns = gradient.weights.len() / outputs;
    let inputs = &inputs[..positions * columns];
    add_transposed_product(&mut gradient.weights, inputs, grads, columns, outputs);
    for row in grads.chunks_exact(outputs) {
        gradient.bias.iter_mut().zip(row).for_each(|(sum, grad)| *sum += grad);
    }
}

/// From the gradient of the outputs of a layer to the gradient of its inputs.
fn input_gradient(weights: &[f32], grads: &[f32], rows: usize, outputs: usize, to: &mut [f32]) {
    let inputs = weights.len() / outputs;
    product(&mut to[..rows * inputs], &grads[..rows * outputs], weights, outputs, inputs);
}
