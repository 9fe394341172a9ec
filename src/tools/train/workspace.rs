//! The forward and backward pass of one micro-batch: the part of a batch that one thread processes
//! at a time.
//!
//! Everything computed for a micro-batch stays in its workspace, and sums over a batch are sums
//! over its micro-batches in order. So results do not depend on the number of threads.

use std::ops::Range;

use super::dense::{BLOCK, DenseScratch, TransposedStack, clipped};
use super::matrix::ROWS;
use super::objective::Objective;
use super::ranking::{MicroBatch, RankingLoss};
use super::sample::Label;
use super::sparse_inputs::{SparseInputs, counting_sort};
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::{NetworkTensors, StackTensors};

/// Maximum number of positions of a micro-batch.
pub(super) const MAX_MICRO_BATCH: usize = 1024;

/// The positions of a micro-batch, ordered by layer stack, with their activations and gradients.
#[derive(Debug)]
pub(super) struct Workspace {
    layout: TensorLayout,
    /// The index of each position in the micro-batch.
    sample_ids: Vec<u32>,
    labels: Vec<Label>,
    /// Samples below this have labels; the others belong to comparisons.
    labelled: usize,
    comparisons: Vec<Range<usize>>,
    /// The start of each stack, and the end.
    stack_starts: Vec<usize>,
    pub(super) inputs: SparseInputs,
    /// `[positions][2][width]`, clipped.
    accumulators: Vec<f32>,
    outputs: Vec<f32>,
    /// `[tile][perspectives][TILE]`: the gradient of the accumulators.
    tiled_accumulator_grads: Vec<f32>,
    /// The same for the run in progress, `[BLOCK][2][width]`.
    run_accumulator_grads: Vec<f32>,
    pub(super) gradient: Vec<StackTensors>,
    pub(super) bias_gradient: Vec<f32>,
    pub(super) loss: f64,
    scratch: DenseScratch,
}

impl Workspace {
    pub(super) fn new(layout: &TensorLayout) -> Workspace {
        let row = 2 * layout.width();
        Workspace {
            layout: *layout,
            sample_ids: Vec::new(),
            labels: Vec::new(),
            labelled: 0,
            comparisons: Vec::new(),
            stack_starts: Vec::new(),
            inputs: SparseInputs::new(layout),
            accumulators: vec![0.0; (MAX_MICRO_BATCH + ROWS) * row],
            outputs: vec![0.0; MAX_MICRO_BATCH],
            tiled_accumulator_grads: Vec::new(),
            run_accumulator_grads: Vec::new(),
            gradient: Vec::new(),
            bias_gradient: Vec::new(),
            loss: 0.0,
            scratch: DenseScratch::new(layout),
        }
    }

    /// Loads a micro-batch of up to [`MAX_MICRO_BATCH`] positions.
    pub(super) fn fill(&mut self, micro_batch: MicroBatch) {
        let MicroBatch { samples, labelled, comparisons } = micro_batch;
        (self.labelled, self.comparisons) = (labelled, comparisons);
        assert!(
            samples.len() <= MAX_MICRO_BATCH,
            "a micro-batch has at most {MAX_MICRO_BATCH} positions"
        );
        let stacks = self.layout.architecture.stacks();
        let keys = samples.iter().map(|sample| usize::from(sample.stack));
        (self.stack_starts, self.sample_ids) = counting_sort(stacks, keys);
        self.labels.clear();
        self.inputs.clear();
        for &sample_id in &self.sample_ids {
            let sample = &samples[sample_id as usize];
            self.labels.push(sample.label);
            self.inputs.push(sample);
        }
        self.inputs.sort();
    }

    /// Computes the outputs of all positions.
    pub(super) fn forward(&mut self, net: &NetworkTensors) {
        self.forward_with_second(net, |_, _| ());
    }

    /// [`Workspace::forward`]; passes the outputs of the second layer to `visit`, some positions of one stack at a
    /// time: the stack, and one row for each position.
    pub(super) fn forward_with_second(
        &mut self,
        net: &NetworkTensors,
        visit: impl FnMut(usize, &[f32]),
    ) {
        self.transform(net);
        self.forward_layers(net, visit);
    }

    /// Computes the outputs from the accumulators.
    fn forward_layers(&mut self, net: &NetworkTensors, mut visit: impl FnMut(usize, &[f32])) {
        for (stack, start, end) in self.runs() {
            let accumulators = &self.accumulators[start * 2 * self.layout.width()..];
            self.scratch.forward(&net.stacks[stack], accumulators, &mut self.outputs[start..end]);
            visit(stack, self.scratch.second(end - start));
        }
    }

    /// The index of each position in the micro-batch, its label and its output.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (u32, Label, f32)> + '_ {
        let pairs = self.sample_ids.iter().zip(&self.labels).zip(&self.outputs);
        pairs.map(|((&sample_id, &label), &output)| (sample_id, label, output))
    }

    /// Computes the outputs, the sum of the losses of the labels, and `weight` times the gradients
    /// of these and of the ranking losses.
    pub(super) fn forward_backward(
        &mut self,
        net: &NetworkTensors,
        transposed: &[TransposedStack],
        objective: &Objective,
        ranking: Option<&RankingLoss>,
        weight: f32,
    ) {
        let row = 2 * self.layout.width();
        self.prepare(net);
        self.transform(net);
        let ranking_grads = ranking.map_or_else(Vec::new, |loss| self.rank(net, loss));
        let mut output_grads = [0.0; BLOCK];
        for (stack, start, end) in self.runs() {
            let (accumulators, outputs) =
                (&self.accumulators[start * row..], &mut self.outputs[start..end]);
            self.scratch.forward(&net.stacks[stack], accumulators, outputs);
            let output_grads = &mut output_grads[..end - start];
            let places = self.sample_ids[start..end].iter().zip(&self.labels[start..end]);
            for ((grad, (&sample_id, &label)), &output) in
                output_grads.iter_mut().zip(places).zip(&*outputs)
            {
                let output_grad = match (sample_id as usize).checked_sub(self.labelled) {
                    None => {
                        let (loss, output_grad) =
                            objective.loss.with_gradient(output, objective.target(label));
                        self.loss += f64::from(loss);
                        output_grad
                    }
                    Some(compared) => ranking_grads[compared],
                };
                *grad = weight * output_grad;
            }
            self.scratch.backward(
                &net.stacks[stack],
                &transposed[stack],
                accumulators,
                output_grads,
                &mut self.gradient[stack],
                &mut self.run_accumulator_grads,
            );
            self.keep_grads(start, end);
        }
    }

    /// The derivatives of the ranking losses by the outputs of the compared samples. A ranking loss
    /// needs all of its outputs, so the forward pass of the layers is done twice.
    fn rank(&mut self, net: &NetworkTensors, ranking: &RankingLoss) -> Vec<f32> {
        self.forward_layers(net, |_, _| ());
        let mut outputs = vec![0.0; self.sample_ids.len()];
        for (&sample_id, &output) in self.sample_ids.iter().zip(&self.outputs) {
            outputs[sample_id as usize] = output;
        }
        let grads = |group: &Range<usize>| ranking.with_gradient(&outputs[group.clone()]).1;
        let grads = self.comparisons.iter().flat_map(grads);
        grads.map(|grad| ranking.weight * grad).collect()
    }

    /// Allocates the gradients if needed and sets them to zero.
    fn prepare(&mut self, net: &NetworkTensors) {
        let (width, stacks) = (self.layout.width(), net.stacks.len());
        if self.gradient.is_empty() {
            self.gradient = vec![StackTensors::zeros(&self.layout); stacks];
            self.bias_gradient = vec![0.0; width];
            self.run_accumulator_grads = vec![0.0; BLOCK * 2 * width];
            self.tiled_accumulator_grads = vec![0.0; 2 * MAX_MICRO_BATCH * width];
        }
        self.gradient
            .iter_mut()
            .flat_map(StackTensors::arrays_mut)
            .for_each(|array| array.fill(0.0));
        self.bias_gradient.fill(0.0);
        self.loss = 0.0;
    }

    /// Runs of up to [`BLOCK`] positions of one stack: the stack, the start and the end.
    fn runs(&self) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        for (stack, ends) in self.stack_starts.windows(2).enumerate() {
            let starts = (ends[0]..ends[1]).step_by(BLOCK);
            runs.extend(starts.map(|start| (stack, start, (start + BLOCK).min(ends[1]))));
        }
        runs
    }

    /// Computes the accumulators of all perspectives, tile by tile and king bucket by king bucket,
    /// so that the rows in use stay in the cache.
    fn transform(&mut self, net: &NetworkTensors) {
        let TensorLayout { tiles, bucket_len, king_buckets, shared, .. } = self.layout;
        let bias = net.bias.as_chunks::<TILE>().0;
        let (own_rows, shared_rows) =
            (net.bucket_rows.as_chunks::<TILE>().0, net.shared_rows.as_chunks::<TILE>().0);
        for tile in 0..tiles {
            let shared_rows =
                if shared { &shared_rows[tile * bucket_len..][..bucket_len] } else { &[] };
            for bucket in 0..king_buckets.max(1) {
                let own_rows = match king_buckets {
                    0 => &[],
                    _ => &own_rows[(tile * king_buckets + bucket) * bucket_len..][..bucket_len],
                };
                for &perspective in self.inputs.of_bucket(bucket) {
                    let list = self.inputs.features(perspective);
                    let mut sum = bias[tile];
                    if !own_rows.is_empty() {
                        add_rows(&mut sum, own_rows, list);
                    }
                    if shared {
                        add_rows(&mut sum, shared_rows, list);
                    }
                    let at = (perspective as usize * tiles + tile) * TILE;
                    let to = &mut self.accumulators[at..][..TILE];
                    to.iter_mut().zip(&sum).for_each(|(to, &sum)| *to = clipped(sum));
                }
            }
        }
    }

    /// Stores the gradient of the accumulators of a run, in tiles.
    fn keep_grads(&mut self, start: usize, end: usize) {
        let (tiles, perspectives) = (self.layout.tiles, 2 * self.labels.len());
        let grads = self.tiled_accumulator_grads.as_chunks_mut::<TILE>().0;
        let run = self.run_accumulator_grads.as_chunks::<TILE>().0.chunks_exact(tiles);
        let bias = self.bias_gradient.as_chunks_mut::<TILE>().0;
        for (perspective, row) in (2 * start..2 * end).zip(run) {
            for (tile, from) in row.iter().enumerate() {
                grads[tile * perspectives + perspective] = *from;
                bias[tile].iter_mut().zip(from).for_each(|(sum, grad)| *sum += grad);
            }
        }
    }

    /// The gradient of one tile of the accumulators of all perspectives.
    pub(super) fn accumulator_grads(&self, tile: usize) -> &[[f32; TILE]] {
        let perspectives = 2 * self.labels.len();
        &self.tiled_accumulator_grads.as_chunks::<TILE>().0[tile * perspectives..][..perspectives]
    }
}

#[inline(always)]
fn add_rows(sum: &mut [f32; TILE], rows: &[[f32; TILE]], list: &[u16]) {
    let mut total = *sum;
    for &number in list {
        let row = &rows[usize::from(number)];
        for (total, &number) in total.iter_mut().zip(row) {
            *total += number;
        }
    }
    *sum = total;
}
