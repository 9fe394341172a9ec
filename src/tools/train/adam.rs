//! Adam (Kingma and Ba 2014) with decoupled weight decay (Loshchilov and Hutter 2017).

/// Decay rates of the first and second moment.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Step sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AdamRate {
    pub(super) learning: f32,
    /// The share of every weight that is subtracted.
    pub(super) decay: f32,
}

/// The bias corrections of both moments by step.
#[derive(Debug)]
pub(super) struct BiasCorrections(Vec<[f32; 2]>);

impl BiasCorrections {
    pub(super) fn new() -> BiasCorrections {
        // From here on the corrections are 1 in single precision.
        const LAST: i32 = 1 << 15;
        let of = |step: i32| BETAS.map(|beta| (1.0 / (1.0 - f64::from(beta).powi(step))) as f32);
        BiasCorrections((1..=LAST).map(of).collect())
    }

    /// The corrections of a step, counted from 1.
    #[inline(always)]
    pub(super) fn of(&self, step: u32) -> [f32; 2] {
        self.0[(step as usize).clamp(1, self.0.len()) - 1]
    }
}

/// Updates weights by their gradient. `moments` are the first and second moment, `[weights]` each.
#[inline(always)]
pub(super) fn step(
    rate: AdamRate,
    corrections: [f32; 2],
    weights: &mut [f32],
    moments: [&mut [f32]; 2],
    gradient: &[f32],
) {
    let [first, second] = moments;
    let size = rate.learning * corrections[0];
    let numbers = weights.iter_mut().zip(first).zip(second).zip(gradient);
    for (((weight, mean), square), &grad) in numbers {
        *mean += (1.0 - BETAS[0]) * (grad - *mean);
        *square += (1.0 - BETAS[1]) * (grad * grad - *square);
        let root = (*square * corrections[1]).sqrt() + EPSILON;
        *weight -= size * *mean / root + rate.decay * *weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_size_of_the_rate_whatever_the_gradient() {
        let rate = AdamRate { learning: 0.01, decay: 0.0 };
        for grad in [1e-3, 1.0, -1e3f32] {
            let (mut weight, mut mean, mut square) = ([0.5], [0.0], [0.0]);
            let corrections = BiasCorrections::new().of(1);
            step(rate, corrections, &mut weight, [&mut mean, &mut square], &[grad]);
            assert!((weight[0] - (0.5 - 0.01 * grad.signum())).abs() < 1e-5, "{}", weight[0]);
        }
    }

    #[test]
    fn adam_finds_the_minimum_of_a_parabola() {
        let rate = AdamRate { learning: 0.02, decay: 0.0 };
        let (mut weight, mut mean, mut square) = ([3.0f32], [0.0], [0.0]);
        let corrections = BiasCorrections::new();
        for nth in 1..1000 {
            let grad = [2.0 * (weight[0] - 1.0)];
            let moments = [&mut mean[..], &mut square[..]];
            step(rate, corrections.of(nth), &mut weight, moments, &grad);
        }
        assert!((weight[0] - 1.0).abs() < 1e-2, "{}", weight[0]);
    }

    #[test]
    fn decay_takes_a_share_of_the_weight_and_corrections_end_at_one() {
        let rate = AdamRate { learning: 0.0, decay: 0.25 };
        let (mut weight, mut mean, mut square) = ([4.0f32], [0.0], [0.0]);
        let corrections = BiasCorrections::new();
        step(rate, corrections.of(1), &mut weight, [&mut mean, &mut square], &[0.0]);
        assert_eq!(weight, [3.0]);
        assert_eq!(corrections.of(u32::MAX), [1.0, 1.0]);
    }
}
