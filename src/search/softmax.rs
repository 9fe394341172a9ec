//! The random choice of a level: a softmax with a temperature.

use crate::types::Random;

/// A value that is lower than the best by more than this many temperatures is never chosen.
const MAX_TEMPERATURES: f64 = 3.0;

/// The index of a value sampled at random: one that is lower by `temperature` is 1/e times as likely, and one
/// that is lower than the best by more than `max_loss` is never chosen. `None` if there are no values.
pub(super) fn sample_by_softmax(
    values: &[f64],
    temperature: f64,
    max_loss: f64,
    random: &mut Random,
) -> Option<usize> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |value: &f64| {
        let loss = best - value;
        let can_be_chosen = loss <= max_loss && loss / temperature <= MAX_TEMPERATURES;
        if can_be_chosen { (-loss / temperature).exp() } else { 0.0 }
    };
    let weights: Vec<f64> = values.iter().map(weight).collect();
    let mut remaining = random.unit() * weights.iter().sum::<f64>();
    let is_reached = |weight: &f64| {
        remaining -= weight;
        remaining < 0.0
    };
    // By rounding, no weight may be reached.
    weights.iter().position(is_reached).or_else(|| weights.iter().position(|&weight| weight > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sampled_in_proportion_and_bad_ones_never() {
        let mut random = Random::new(1);
        let mut count = |values: &[f64], max_loss| {
            let mut counts = vec![0; values.len()];
            for _ in 0..10_000 {
                counts[sample_by_softmax(values, 100.0, max_loss, &mut random).unwrap()] += 1;
            }
            counts
        };
        let counts = count(&[-100.0, 0.0, -301.0], 800.0);
        let ratio = f64::from(counts[1]) / f64::from(counts[0]);
        assert!((ratio - 1f64.exp()).abs() < 0.2, "{counts:?}");
        assert_eq!(counts[2], 0);
        assert_eq!(count(&[-100.0, 0.0], 99.0), [0, 10_000]);
        assert_eq!(sample_by_softmax(&[], 100.0, 800.0, &mut random), None);
    }
}
