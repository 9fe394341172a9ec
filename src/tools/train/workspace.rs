//! Some positions on their way through a net: the unit in which a batch is dealt out to threads.
//!
//! All that is computed for a chunk stays in it, and sums over a batch are sums over its chunks in
//! their order. So results do not depend on the number of threads.

use std::ops::Range;

use super::dense::{BLOCK, DenseScratch, TransposedStack, clipped};
use super::matrix::ROWS;
use super::objective::Objective;
use super::ranking::{MicroBatch, RankingLoss};
use super::sample::Label;
use super::sparse_inputs::{SparseInputs, counting_sort};
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::{NetTensors, StackTensors};

/// Most positions of a chunk.
pub(super) const MAX_MICRO_BATCH: usize = 1024;

/// Positions and what comes of them. Their places are ordered by stacks.
#[derive(Debug)]
pub(super) struct Workspace {
    shape: TensorLayout,
    /// For each place the number of its sample in the lesson that the chunk was filled with.
    members: Vec<u32>,
    labels: Vec<Label>,
    /// Samples whose labels are learned come first, then those of comparisons.
    labelled: usize,
    comparisons: Vec<Range<usize>>,
    /// Where the places of each stack begin; one more behind the last.
    stack_starts: Vec<usize>,
    pub(super) views: SparseInputs,
    /// `[places][2][width]`: sums of rows, clipped.
    sums: Vec<f32>,
    outputs: Vec<f32>,
    /// `[tile][views][TILE]`, derivatives of the loss by the sums, if it was learned from.
    slopes: Vec<f32>,
    pub(super) gradient: Vec<StackTensors>,
    pub(super) bias_gradient: Vec<f32>,
    pub(super) loss: f64,
    scratch: DenseScratch,
    /// `[BLOCK][2][width]`
    by_sums: Vec<f32>,
}

impl Workspace {
    pub(super) fn new(shape: &TensorLayout) -> Workspace {
        let row = 2 * shape.width();
        Workspace {
            shape: *shape,
            members: Vec::new(),
            labels: Vec::new(),
            labelled: 0,
            comparisons: Vec::new(),
            stack_starts: Vec::new(),
            views: SparseInputs::new(shape),
            sums: vec![0.0; (MAX_MICRO_BATCH + ROWS) * row],
            outputs: vec![0.0; MAX_MICRO_BATCH],
            slopes: Vec::new(),
            gradient: Vec::new(),
            bias_gradient: Vec::new(),
            loss: 0.0,
            scratch: DenseScratch::new(shape),
            by_sums: Vec::new(),
        }
    }

    /// Takes other positions, no more than [`MAX_MICRO_BATCH`].
    pub(super) fn fill(&mut self, lesson: MicroBatch) {
        let MicroBatch { samples, labelled, comparisons } = lesson;
        (self.labelled, self.comparisons) = (labelled, comparisons);
        assert!(
            samples.len() <= MAX_MICRO_BATCH,
            "a chunk has room for {MAX_MICRO_BATCH} positions"
        );
        let stacks = self.shape.architecture.stacks();
        let keys = samples.iter().map(|sample| usize::from(sample.stack));
        (self.stack_starts, self.members) = counting_sort(stacks, keys);
        self.labels.clear();
        self.views.clear();
        for &member in &self.members {
            let sample = &samples[member as usize];
            self.labels.push(sample.label);
            self.views.push(sample);
        }
        self.views.sort();
    }

    /// Computes the outputs of all positions.
    pub(super) fn judge(&mut self, net: &NetTensors) {
        self.transform(net);
        self.evaluate(net);
    }

    /// Computes the outputs from the sums of rows.
    fn evaluate(&mut self, net: &NetTensors) {
        for (stack, start, end) in self.runs() {
            let sums = &self.sums[start * 2 * self.shape.width()..];
            self.scratch.forward(&net.stacks[stack], sums, &mut self.outputs[start..end]);
        }
    }

    /// For each position the number of its sample, its label, and the output.
    pub(super) fn judged(&self) -> impl Iterator<Item = (u32, Label, f32)> + '_ {
        let pairs = self.members.iter().zip(&self.labels).zip(&self.outputs);
        pairs.map(|((&member, &label), &output)| (member, label, output))
    }

    /// Computes the outputs, the sum of the losses, and `weight` times its derivatives and those of
    /// the comparisons' costs.
    pub(super) fn learn(
        &mut self,
        net: &NetTensors,
        transposed: &[TransposedStack],
        goal: &Objective,
        comparison: Option<&RankingLoss>,
        weight: f32,
    ) {
        let row = 2 * self.shape.width();
        self.prepare(net);
        self.transform(net);
        let by_compared = comparison.map_or_else(Vec::new, |how| self.compare(net, how));
        let mut by_outputs = [0.0; BLOCK];
        for (stack, start, end) in self.runs() {
            let (sums, outputs) = (&self.sums[start * row..], &mut self.outputs[start..end]);
            self.scratch.forward(&net.stacks[stack], sums, outputs);
            let by_outputs = &mut by_outputs[..end - start];
            let places = self.members[start..end].iter().zip(&self.labels[start..end]);
            for ((slope, (&member, &label)), &output) in
                by_outputs.iter_mut().zip(places).zip(&*outputs)
            {
                let by_output = match (member as usize).checked_sub(self.labelled) {
                    None => {
                        let (loss, by_output) = goal.loss.at(output, goal.of(label));
                        self.loss += f64::from(loss);
                        by_output
                    }
                    Some(compared) => by_compared[compared],
                };
                *slope = weight * by_output;
            }
            self.scratch.backward(
                &net.stacks[stack],
                &transposed[stack],
                sums,
                by_outputs,
                &mut self.gradient[stack],
                &mut self.by_sums,
            );
            self.keep_slopes(start, end);
        }
    }

    /// The derivatives of the costs of all comparisons by the outputs of the samples that are
    /// compared. A comparison needs all of its outputs, so all outputs are computed twice.
    fn compare(&mut self, net: &NetTensors, how: &RankingLoss) -> Vec<f32> {
        self.evaluate(net);
        let mut outputs = vec![0.0; self.members.len()];
        for (&member, &output) in self.members.iter().zip(&self.outputs) {
            outputs[member as usize] = output;
        }
        let slopes = |group: &Range<usize>| how.cost(&outputs[group.clone()]).1;
        let slopes = self.comparisons.iter().flat_map(slopes);
        slopes.map(|slope| how.weight * slope).collect()
    }

    /// Makes room for derivatives, and sets their sums to nothing.
    fn prepare(&mut self, net: &NetTensors) {
        let (width, stacks) = (self.shape.width(), net.stacks.len());
        if self.gradient.is_empty() {
            self.gradient = vec![StackTensors::zeros(&self.shape); stacks];
            self.bias_gradient = vec![0.0; width];
            self.by_sums = vec![0.0; BLOCK * 2 * width];
            self.slopes = vec![0.0; 2 * MAX_MICRO_BATCH * width];
        }
        self.gradient
            .iter_mut()
            .flat_map(StackTensors::arrays_mut)
            .for_each(|array| array.fill(0.0));
        self.bias_gradient.fill(0.0);
        self.loss = 0.0;
    }

    /// Positions of one stack, some at a time: the stack, where they begin and where they end.
    fn runs(&self) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        for (stack, ends) in self.stack_starts.windows(2).enumerate() {
            let starts = (ends[0]..ends[1]).step_by(BLOCK);
            runs.extend(starts.map(|start| (stack, start, (start + BLOCK).min(ends[1]))));
        }
        runs
    }

    /// Sums up the rows of the inputs of all views, tile by tile and block by block, so that the
    /// rows in use stay near.
    fn transform(&mut self, net: &NetTensors) {
        let TensorLayout { tiles, numbers, blocks, shared, .. } = self.shape;
        let bias = net.bias.as_chunks::<TILE>().0;
        let (own_rows, shared_rows) =
            (net.blocks.as_chunks::<TILE>().0, net.shared.as_chunks::<TILE>().0);
        for tile in 0..tiles {
            let shared_rows = if shared { &shared_rows[tile * numbers..][..numbers] } else { &[] };
            for block in 0..blocks.max(1) {
                let own_rows = match blocks {
                    0 => &[],
                    _ => &own_rows[(tile * blocks + block) * numbers..][..numbers],
                };
                for &view in self.views.of_block(block) {
                    let list = self.views.numbers(view);
                    let mut sum = bias[tile];
                    if !own_rows.is_empty() {
                        add_rows(&mut sum, own_rows, list);
                    }
                    if shared {
                        add_rows(&mut sum, shared_rows, list);
                    }
                    let at = (view as usize * tiles + tile) * TILE;
                    let to = &mut self.sums[at..][..TILE];
                    to.iter_mut().zip(&sum).for_each(|(to, &sum)| *to = clipped(sum));
                }
            }
        }
    }

    /// Keeps the derivatives by the sums of these places, in tiles.
    fn keep_slopes(&mut self, start: usize, end: usize) {
        let (tiles, views) = (self.shape.tiles, 2 * self.labels.len());
        let slopes = self.slopes.as_chunks_mut::<TILE>().0;
        let by_sums = self.by_sums.as_chunks::<TILE>().0.chunks_exact(tiles);
        let bias = self.bias_gradient.as_chunks_mut::<TILE>().0;
        for (view, row) in (2 * start..2 * end).zip(by_sums) {
            for (tile, from) in row.iter().enumerate() {
                slopes[tile * views + view] = *from;
                bias[tile].iter_mut().zip(from).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }

    /// The derivatives by one tile of the sums of all views.
    pub(super) fn slopes(&self, tile: usize) -> &[[f32; TILE]] {
        let views = 2 * self.labels.len();
        &self.slopes.as_chunks::<TILE>().0[tile * views..][..views]
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
