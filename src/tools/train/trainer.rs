//! One step of training after the other: a batch, its gradient, and the weights that follow it.

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
use super::tensors::{NetTensors, StackTensors};
use super::workspace::{MAX_MICRO_BATCH, Workspace};
use crate::sys::AllocationError;
use crate::types::Random;

/// What is rounded one after the other: the transformer, and the weights of each of the layers. The
/// biases behind it never are: files hold them finely enough.
pub(super) const PARTS: usize = 1 + LayerId::ALL.len();

/// Into how many chunks a batch is dealt out at least, so that threads have something to do; but
/// smaller ones than these are not worth it, since each sums up gradients of its own. Counted without
/// what is compared.
const LEAST_CHUNKS: usize = 8;
const LEAST_CHUNK: usize = 256;

/// A net in training.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) shape: TensorLayout,
    pub(super) weights: NetTensors,
    /// What Adam keeps of past gradients, and of their squares.
    pub(super) means: [NetTensors; 2],
    pub(super) average: WeightEma,
    pub(super) rows: SparseAdam,
    /// Steps made.
    pub(super) steps: u64,
    /// How many [`PARTS`] of the net are as a file would hold them, and stay so.
    pub(super) rounded: usize,
    /// How best moves are compared with others, if they are.
    pub(super) comparison: Option<RankingLoss>,
    scales: QuantScales,
    corrections: BiasCorrections,
    chunks: Vec<Workspace>,
    threads: usize,
}

impl Trainer {
    /// A trainer that begins with these weights.
    ///
    /// # Errors
    /// If there is no memory for what it keeps besides.
    pub(super) fn new(
        shape: TensorLayout,
        weights: NetTensors,
        scales: QuantScales,
        average: f32,
        threads: usize,
    ) -> Result<Trainer, AllocationError> {
        Ok(Trainer {
            average: WeightEma::new(&shape, average)?,
            means: [NetTensors::zeros(&shape)?, NetTensors::zeros(&shape)?],
            rows: SparseAdam::new(&shape),
            shape,
            weights,
            steps: 0,
            rounded: 0,
            comparison: None,
            scales,
            corrections: BiasCorrections::new(),
            chunks: Vec::new(),
            threads,
        })
    }

    /// Learns from the samples of these numbers. Returns the sum of their losses before; that of
    /// comparisons is not counted.
    pub(super) fn step(
        &mut self,
        samples: &[TrainingSample],
        batch: &[SampleRef],
        goal: &Objective,
        rate: AdamRate,
    ) -> f64 {
        let comparison = self.comparison.as_ref();
        let places = 1 + comparison.map_or(0, RankingLoss::most);
        let size = batch
            .len()
            .div_ceil(LEAST_CHUNKS)
            .next_multiple_of(BLOCK)
            .clamp(LEAST_CHUNK, MAX_MICRO_BATCH);
        let size = size.min(MAX_MICRO_BATCH / places);
        let parts: Vec<&[SampleRef]> = batch.chunks(size).collect();
        let mut chunks = std::mem::take(&mut self.chunks);
        while chunks.len() < parts.len() {
            chunks.push(Workspace::new(&self.shape));
        }
        let used = &mut chunks[..parts.len()];
        let transposed: Vec<_> = self.weights.stacks.iter().map(TransposedStack::of).collect();
        let weight = 1.0 / batch.len() as f32;
        let jobs = used.iter_mut().zip(parts).collect();
        let rows_learn = self.rounded == 0;
        let steps = self.steps;
        parallel::for_each(self.threads, jobs, |(chunk, part): (&mut Workspace, &[SampleRef])| {
            let mut lesson = MicroBatch::of_labels(part.iter().map(|entry| entry.of(samples)));
            if let Some(comparison) = comparison {
                let number = |at: usize| steps << 32 | u64::from(part[at].sample);
                lesson.compare(comparison, |at| Random::of_part(comparison.seed, number(at)));
            }
            chunk.fill(lesson);
            if rows_learn {
                chunk.views.invert();
            }
            chunk.learn(&self.weights, &transposed, goal, comparison, weight);
        });
        self.steps += 1;
        self.step_dense(rate, used);
        if rows_learn {
            let mut trained =
                AdamTensors { weights: &mut self.weights, means: self.means.each_mut() };
            self.rows.step(rate, used, &mut trained, self.threads);
        }
        let loss = used.iter().map(|chunk| chunk.loss).sum();
        self.chunks = chunks;
        self.average.take(self.steps, &self.weights, self.threads);
        loss
    }

    /// The running mean of the weights, or the weights themselves if there is none yet.
    pub(super) fn mean_weights(&self) -> &NetTensors {
        if self.average.looks > 0 { self.average.numbers() } else { &self.weights }
    }

    /// Rounds the next part as a file would hold it, for good; what lies behind it goes on learning,
    /// and so makes up for that (incremental network quantization: Zhou et al. 2017). Begins with the
    /// mean of the weights, and with a new mean.
    pub(super) fn round_next(&mut self) {
        if self.average.looks > 0 {
            let means = self.average.numbers().arrays();
            let arrays = self.weights.arrays_mut().into_iter().zip(means);
            arrays.for_each(|(to, from)| to.copy_from_slice(from));
            self.average.looks = 0;
        }
        match self.rounded.checked_sub(1) {
            None => round_transformer(&self.shape, &mut self.weights),
            Some(layer) => {
                for stack in &mut self.weights.stacks {
                    self.scales.round(&self.shape, stack, LayerId::ALL[layer]);
                }
            }
        }
        self.rounded += 1;
    }

    /// Goes on with the step behind this many, of which some were never made. What Adam keeps of the
    /// layers becomes what as many steps would have left: it is corrected by their number. The
    /// transformer does not learn any more where steps are left out.
    pub(super) fn skip_to(&mut self, steps: u64) {
        let (now, then) = (self.corrections_at(self.steps), self.corrections_at(steps));
        for (means, (now, then)) in self.means.iter_mut().zip(now.into_iter().zip(then)) {
            let numbers = means.stacks.iter_mut().flat_map(StackTensors::arrays_mut).flatten();
            numbers.for_each(|number| *number *= now / then);
        }
        self.steps = steps;
    }

    fn corrections_at(&self, steps: u64) -> [f32; 2] {
        self.corrections.of(u32::try_from(steps).unwrap_or(u32::MAX))
    }

    /// The layers, and the biases of the transformer.
    fn step_dense(&mut self, rate: AdamRate, chunks: &mut [Workspace]) {
        let (sum, others) = chunks.split_first_mut().expect("a batch has positions");
        for other in others {
            add(&mut sum.bias_gradient, &other.bias_gradient);
            let stacks = sum.gradient.iter_mut().zip(&other.gradient);
            stacks.for_each(|(sum, other)| add_stack(sum, other));
        }
        let corrections = self.corrections_at(self.steps);
        let still = AdamRate { decay: 0.0, ..rate };
        let [first, second] = &mut self.means;
        if self.rounded == 0 {
            let means = [&mut first.bias[..], &mut second.bias[..]];
            adam::step(still, corrections, &mut self.weights.bias, means, &sum.bias_gradient);
        }
        let means = first.stacks.iter_mut().zip(&mut second.stacks);
        let stacks = self.weights.stacks.iter_mut().zip(means);
        for ((stack, (first, second)), gradient) in stacks.zip(&sum.gradient) {
            let means = first.arrays_mut().into_iter().zip(second.arrays_mut());
            let arrays = stack.arrays_mut().into_iter().zip(means).zip(gradient.arrays());
            for (at, ((weights, (first, second)), gradient)) in arrays.enumerate() {
                // Weights and biases in turn, from the first layer on.
                let (layer, is_bias) = (at / 2, at % 2 == 1);
                if !is_bias && layer + 1 < self.rounded {
                    continue;
                }
                let rate = if is_bias { still } else { rate };
                adam::step(rate, corrections, weights, [first, second], gradient);
            }
            self.scales.clip(&self.shape, stack);
        }
    }
}

/// The outputs of a net for some samples, one at least, each with the sample's number and label, in
/// some order.
pub(super) fn judge(
    shape: &TensorLayout,
    weights: &NetTensors,
    samples: &[TrainingSample],
    threads: usize,
) -> Vec<(u32, Label, f32)> {
    let mut judged = vec![(0, Label { score: 0, result: 0 }, 0.0); samples.len()];
    let size = samples.len().div_ceil(threads).next_multiple_of(MAX_MICRO_BATCH);
    let jobs = samples.chunks(size).zip(judged.chunks_mut(size)).enumerate().collect();
    parallel::for_each(
        threads,
        jobs,
        |(job, (samples, judged)): (usize, (&[TrainingSample], &mut [_]))| {
            let mut chunk = Workspace::new(shape);
            for (at, (samples, judged)) in
                samples.chunks(MAX_MICRO_BATCH).zip(judged.chunks_mut(MAX_MICRO_BATCH)).enumerate()
            {
                chunk.fill(MicroBatch::of_labels(samples.iter().copied()));
                chunk.judge(weights);
                let first = (job * size + at * MAX_MICRO_BATCH) as u32;
                for (to, (member, label, output)) in judged.iter_mut().zip(chunk.judged()) {
                    *to = (first + member, label, output);
                }
            }
        },
    );
    judged
}

fn add(sum: &mut [f32], other: &[f32]) {
    sum.iter_mut().zip(other).for_each(|(sum, number)| *sum += number);
}

fn add_stack(sum: &mut StackTensors, other: &StackTensors) {
    for (sum, other) in sum.arrays_mut().into_iter().zip(other.arrays()) {
        add(sum, other);
    }
}
