//! Adam (Kingma and Ba 2014) with decoupled weight decay (Loshchilov and Hutter 2017).

/// How much of the mean of past gradients stays in every step, and of that of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Sizes of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AdamRate {
    pub(super) learning: f32,
    /// Share of every weight that is taken away.
    pub(super) decay: f32,
}

/// What the means miss as long as few steps have been made, beginning from 0.
#[derive(Debug)]
pub(super) struct BiasCorrections(Vec<[f32; 2]>);

impl BiasCorrections {
    pub(super) fn new() -> BiasCorrections {
        // Behind the last the second mean misses less than single precision tells.
        const LAST: i32 = 1 << 15;
        let of = |step: i32| BETAS.map(|beta| (1.0 / (1.0 - f64::from(beta).powi(step))) as f32);
        BiasCorrections((1..=LAST).map(of).collect())
    }

    /// For the step of this number, from 1.
    #[inline(always)]
    pub(super) fn of(&self, step: u32) -> [f32; 2] {
        self.0[(step as usize).clamp(1, self.0.len()) - 1]
    }
}

/// Moves some weights against their gradient. `means` are those of the gradients before and of
/// their squares, `[weights]` each.
#[inline(always)]
pub(super) fn step(
    rate: AdamRate,
    corrections: [f32; 2],
    weights: &mut [f32],
    means: [&mut [f32]; 2],
    gradient: &[f32],
) {
    let [first, second] = means;
    let size = rate.learning * corrections[0];
    let numbers = weights.iter_mut().zip(first).zip(second).zip(gradient);
    for (((weight, mean), square), &slope) in numbers {
        *mean += (1.0 - BETAS[0]) * (slope - *mean);
        *square += (1.0 - BETAS[1]) * (slope * slope - *square);
        let root = (*square * corrections[1]).sqrt() + EPSILON;
        *weight -= size * *mean / root + rate.decay * *weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_size_of_the_rate_and_no_regard_for_that_of_the_gradient() {
        let rate = AdamRate { learning: 0.01, decay: 0.0 };
        for slope in [1e-3, 1.0, -1e3f32] {
            let (mut weight, mut mean, mut square) = ([0.5], [0.0], [0.0]);
            let corrections = BiasCorrections::new().of(1);
            step(rate, corrections, &mut weight, [&mut mean, &mut square], &[slope]);
            assert!((weight[0] - (0.5 - 0.01 * slope.signum())).abs() < 1e-5, "{}", weight[0]);
        }
    }

    #[test]
    fn a_parabola_is_descended_to_its_bottom() {
        let rate = AdamRate { learning: 0.02, decay: 0.0 };
        let (mut weight, mut mean, mut square) = ([3.0f32], [0.0], [0.0]);
        let corrections = BiasCorrections::new();
        for nth in 1..1000 {
            let slope = [2.0 * (weight[0] - 1.0)];
            let means = [&mut mean[..], &mut square[..]];
            step(rate, corrections.of(nth), &mut weight, means, &slope);
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
