//! The training step: forward and backward passes of a batch, then the update of the weights.

use super::adam::{self, AdamRate, BiasCorrections};
use super::dense::{BLOCK, TransposedStack};
use super::ema::WeightEma;
use super::objective::Objective;
use super::parallel;
use super::quantize::round_transformer;
use super::ranking::{MicroBatch, RankingLoss};
use super::sample::{Label, SampleRef, TrainingSample};
use super::scales::{LayerId, QuantScales};
use super::sparse_adam::{AdamTensors, SparseAdam};
use super::tensor_layout::TensorLayout;
use super::tensors::{NetworkTensors, StackTensors};
use super::workspace::{MAX_MICRO_BATCH, Workspace};
use crate::sys::AllocationError;
use crate::types::Random;

/// Parts that are quantised one after the other: the transformer, then the weights of each layer.
/// Biases of layers are not; files store them finely enough.
pub(super) const QUANTIZED_PARTS: usize = 1 + LayerId::ALL.len();

/// A batch is split into at least this number of micro-batches to occupy the threads, unless they
/// become too small to pay for their own gradients. Without the samples of comparisons.
const MIN_MICRO_BATCHES: usize = 8;
const MIN_MICRO_BATCH: usize = 256;

/// A network in training.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) layout: TensorLayout,
    pub(super) weights: NetworkTensors,
    /// The first and second moment of Adam.
    pub(super) moments: [NetworkTensors; 2],
    pub(super) ema: WeightEma,
    pub(super) sparse_adam: SparseAdam,
    /// Steps so far.
    pub(super) steps: u64,
    /// How many of the [`QUANTIZED_PARTS`] are quantised and fixed.
    pub(super) quantized_parts: usize,
    pub(super) ranking: Option<RankingLoss>,
    scales: QuantScales,
    corrections: BiasCorrections,
    workspaces: Vec<Workspace>,
    threads: usize,
}

impl Trainer {
    /// A trainer with these initial weights; `ema_decay` is the decay of their EMA per step.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub(super) fn new(
        layout: TensorLayout,
        weights: NetworkTensors,
        scales: QuantScales,
        ema_decay: f32,
        threads: usize,
    ) -> Result<Trainer, AllocationError> {
        Ok(Trainer {
            ema: WeightEma::new(&layout, ema_decay)?,
            moments: [NetworkTensors::zeros(&layout)?, NetworkTensors::zeros(&layout)?],
            sparse_adam: SparseAdam::new(&layout),
            layout,
            weights,
            steps: 0,
            quantized_parts: 0,
            ranking: None,
            scales,
            corrections: BiasCorrections::new(),
            workspaces: Vec::new(),
            threads,
        })
    }

    /// Makes a step on a batch. Returns the sum of the losses of its labels before the step.
    pub(super) fn step(
        &mut self,
        samples: &[TrainingSample],
        batch: &[SampleRef],
        objective: &Objective,
        rate: AdamRate,
    ) -> f64 {
        let ranking = self.ranking.as_ref();
        let parts: Vec<&[SampleRef]> =
            batch.chunks(micro_batch_size(batch.len(), ranking)).collect();
        let mut workspaces = std::mem::take(&mut self.workspaces);
        while workspaces.len() < parts.len() {
            workspaces.push(Workspace::new(&self.layout));
        }
        let used = &mut workspaces[..parts.len()];
        let transposed: Vec<_> = self.weights.stacks.iter().map(TransposedStack::of).collect();
        let weight = 1.0 / batch.len() as f32;
        let jobs = used.iter_mut().zip(parts).collect();
        let trains_rows = self.quantized_parts == 0;
        let steps = self.steps;
        parallel::for_each(
            self.threads,
            jobs,
            |(workspace, part): (&mut Workspace, &[SampleRef])| {
                let mut micro_batch =
                    MicroBatch::labelled(part.iter().map(|entry| entry.get(samples)));
                if let Some(ranking) = ranking {
                    let number = |at: usize| steps << 32 | u64::from(part[at].sample);
                    micro_batch
                        .add_comparisons(ranking, |at| Random::of_part(ranking.seed, number(at)));
                }
                workspace.fill(micro_batch);
                if trains_rows {
                    workspace.inputs.invert();
                }
                workspace.forward_backward(&self.weights, &transposed, objective, ranking, weight);
            },
        );
        self.steps += 1;
        self.step_dense(rate, used);
        if trains_rows {
            let mut trained =
                AdamTensors { weights: &mut self.weights, moments: self.moments.each_mut() };
            self.sparse_adam.step(rate, used, &mut trained, self.threads);
        }
        let loss = used.iter().map(|workspace| workspace.loss).sum();
        self.workspaces = workspaces;
        self.ema.update(self.steps, &self.weights, self.threads);
        loss
    }

    /// The EMA of the weights, or the weights themselves before its first update.
    pub(super) fn ema_weights(&self) -> &NetworkTensors {
        if self.ema.updates > 0 { &self.ema.tensors } else { &self.weights }
    }

    /// Quantises and fixes the next part; the later ones are trained on and compensate (incremental
    /// network quantization: Zhou et al. 2017). Continues from the EMA of the weights, with a
    /// new EMA.
    pub(super) fn quantize_next_part(&mut self) {
        if self.ema.updates > 0 {
            let averages = self.ema.tensors.arrays();
            let arrays = self.weights.arrays_mut().into_iter().zip(averages);
            arrays.for_each(|(to, from)| to.copy_from_slice(from));
            self.ema.updates = 0;
        }
        match self.quantized_parts.checked_sub(1) {
            None => round_transformer(&self.layout, &mut self.weights),
            Some(layer) => {
                for stack in &mut self.weights.stacks {
                    self.scales.round(&self.layout, stack, LayerId::ALL[layer]);
                }
            }
        }
        self.quantized_parts += 1;
    }

    /// Skips to a later step. The moments of the layers are scaled, because their bias correction
    /// is by the number of steps. The transformer needs none: it is fixed where steps are skipped.
    pub(super) fn skip_to(&mut self, steps: u64) {
        let (now, then) = (self.corrections_at(self.steps), self.corrections_at(steps));
        for (moments, (now, then)) in self.moments.iter_mut().zip(now.into_iter().zip(then)) {
            let numbers = moments.stacks.iter_mut().flat_map(StackTensors::arrays_mut).flatten();
            numbers.for_each(|number| *number *= now / then);
        }
        self.steps = steps;
    }

    fn corrections_at(&self, steps: u64) -> [f32; 2] {
        self.corrections.of(u32::try_from(steps).unwrap_or(u32::MAX))
    }

    /// Updates the layers and the biases of the transformer.
    fn step_dense(&mut self, rate: AdamRate, workspaces: &mut [Workspace]) {
        let (sum, others) = workspaces.split_first_mut().expect("a batch has positions");
        for other in others {
            add(&mut sum.bias_gradient, &other.bias_gradient);
            let stacks = sum.gradient.iter_mut().zip(&other.gradient);
            stacks.for_each(|(sum, other)| add_stack(sum, other));
        }
        let corrections = self.corrections_at(self.steps);
        let without_decay = AdamRate { decay: 0.0, ..rate };
        let [first, second] = &mut self.moments;
        if self.quantized_parts == 0 {
            let moments = [&mut first.bias[..], &mut second.bias[..]];
            adam::step(
                without_decay,
                corrections,
                &mut self.weights.bias,
                moments,
                &sum.bias_gradient,
            );
        }
        let moments = first.stacks.iter_mut().zip(&mut second.stacks);
        let stacks = self.weights.stacks.iter_mut().zip(moments);
        for ((stack, (first, second)), gradient) in stacks.zip(&sum.gradient) {
            let moments = first.arrays_mut().into_iter().zip(second.arrays_mut());
            let arrays = stack.arrays_mut().into_iter().zip(moments).zip(gradient.arrays());
            for (at, ((weights, (first, second)), gradient)) in arrays.enumerate() {
                // Weights and biases alternate, from the first layer on.
                let (layer, is_bias) = (at / 2, at % 2 == 1);
                if !is_bias && layer + 1 < self.quantized_parts {
                    continue;
                }
                let rate = if is_bias { without_decay } else { rate };
                adam::step(rate, corrections, weights, [first, second], gradient);
            }
            self.scales.clip(&self.layout, stack);
        }
    }
}

/// The number of labelled samples of a micro-batch.
fn micro_batch_size(batch: usize, ranking: Option<&RankingLoss>) -> usize {
    let samples_each = 1 + ranking.map_or(0, RankingLoss::max_samples);
    batch
        .div_ceil(MIN_MICRO_BATCHES)
        .next_multiple_of(BLOCK)
        .clamp(MIN_MICRO_BATCH, MAX_MICRO_BATCH)
        .min(MAX_MICRO_BATCH / samples_each)
}

/// The outputs of a network for at least one sample, each with the index and the label of the sample,
/// in any order.
pub(super) fn evaluate(
    layout: &TensorLayout,
    weights: &NetworkTensors,
    samples: &[TrainingSample],
    threads: usize,
) -> Vec<(u32, Label, f32)> {
    let mut outputs = vec![(0, Label { score: 0, result: 0 }, 0.0); samples.len()];
    let size = samples.len().div_ceil(threads).next_multiple_of(MAX_MICRO_BATCH);
    let jobs = samples.chunks(size).zip(outputs.chunks_mut(size)).enumerate().collect();
    parallel::for_each(
        threads,
        jobs,
        |(job, (samples, outputs)): (usize, (&[TrainingSample], &mut [_]))| {
            let mut workspace = Workspace::new(layout);
            for (at, (samples, outputs)) in
                samples.chunks(MAX_MICRO_BATCH).zip(outputs.chunks_mut(MAX_MICRO_BATCH)).enumerate()
            {
                workspace.fill(MicroBatch::labelled(samples.iter().copied()));
                workspace.forward(weights);
                let first = (job * size + at * MAX_MICRO_BATCH) as u32;
                for (to, (sample_id, label, output)) in outputs.iter_mut().zip(workspace.outputs())
                {
                    *to = (first + sample_id, label, output);
                }
            }
        },
    );
    outputs
}

fn add(sum: &mut [f32], other: &[f32]) {
    sum.iter_mut().zip(other).for_each(|(sum, number)| *sum += number);
}

fn add_stack(sum: &mut StackTensors, other: &StackTensors) {
    for (sum, other) in sum.arrays_mut().into_iter().zip(other.arrays()) {
        add(sum, other);
    }
}
