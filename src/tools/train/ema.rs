//! A running mean of the weights: it lies nearer to the middle of the valley that steps of training
//! cross to and fro, and generalises better than any of them (Polyak and Juditsky 1992).

use super::parallel;
use super::tensor_layout::TensorLayout;
use super::tensors::NetTensors;
use crate::sys::AllocationError;

/// Steps between two looks at the weights. Looking at all of them at every step would cost as much
/// as the step.
const EVERY: u64 = 10;
/// Numbers that one thread takes at a time.
const SHARE: usize = 1 << 18;

#[derive(Debug)]
pub(super) struct WeightEma {
    numbers: NetTensors,
    /// How much of the mean stays when the weights are looked at.
    staying: f32,
    /// How often they were looked at.
    pub(super) looks: u64,
}

impl WeightEma {
    /// `staying`: how much of the mean would stay in a single step.
    pub(super) fn new(shape: &TensorLayout, staying: f32) -> Result<WeightEma, AllocationError> {
        let staying = staying.powi(EVERY as i32);
        Ok(WeightEma { numbers: NetTensors::zeros(shape)?, staying, looks: 0 })
    }

    pub(super) fn numbers(&self) -> &NetTensors {
        &self.numbers
    }

    pub(super) fn numbers_mut(&mut self) -> &mut NetTensors {
        &mut self.numbers
    }

    /// Looks at the weights after this step, if it is time. At first the mean is one of all that was
    /// seen, so that it forgets the beginning.
    pub(super) fn take(&mut self, step: u64, weights: &NetTensors, threads: usize) {
        if !step.is_multiple_of(EVERY) {
            return;
        }
        let looks = self.looks as f32;
        let staying = self.staying.min(looks / (looks + 4.0));
        self.looks += 1;
        let arrays = self.numbers.arrays_mut().into_iter().zip(weights.arrays());
        let jobs = arrays.flat_map(|(to, from)| to.chunks_mut(SHARE).zip(from.chunks(SHARE)));
        parallel::for_each(threads, jobs.collect(), |(to, from): (&mut [f32], &[f32])| {
            to.iter_mut().zip(from).for_each(|(mean, x)| *mean = x + staying * (*mean - x));
        });
    }
}
