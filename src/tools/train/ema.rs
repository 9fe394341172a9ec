//! The exponential moving average (EMA) of the weights, which generalises better than the weights
//! of any step (Polyak and Juditsky 1992).

use super::parallel;
use super::tensor_layout::TensorLayout;
use super::tensors::NetworkTensors;
use crate::sys::AllocationError;

/// Steps between two updates; updating at every step would cost as much as the step.
const EVERY: u64 = 10;
/// Numbers per job of a thread.
const SHARE: usize = 1 << 18;

#[derive(Debug)]
pub(super) struct WeightEma {
    pub(super) tensors: NetworkTensors,
    /// Decay per update.
    decay: f32,
    /// Number of updates so far.
    pub(super) updates: u64,
}

impl WeightEma {
    /// `decay` is per step.
    pub(super) fn new(layout: &TensorLayout, decay: f32) -> Result<WeightEma, AllocationError> {
        let decay = decay.powi(EVERY as i32);
        Ok(WeightEma { tensors: NetworkTensors::zeros(layout)?, decay, updates: 0 })
    }

    /// Updates the EMA after a step if an update is due. The first updates have a smaller decay, so
    /// that the initial weights are forgotten.
    pub(super) fn update(&mut self, step: u64, weights: &NetworkTensors, threads: usize) {
        if !step.is_multiple_of(EVERY) {
            return;
        }
        let updates = self.updates as f32;
        let decay = self.decay.min(updates / (updates + 4.0));
        self.updates += 1;
        let arrays = self.tensors.arrays_mut().into_iter().zip(weights.arrays());
        let jobs = arrays.flat_map(|(to, from)| to.chunks_mut(SHARE).zip(from.chunks(SHARE)));
        parallel::for_each(threads, jobs.collect(), |(to, from): (&mut [f32], &[f32])| {
            to.iter_mut().zip(from).for_each(|(mean, x)| *mean = x + decay * (*mean - x));
        });
    }
}
