//! The logistic curve by which the scores of a network predict win rates best.

use std::fmt;

/// The curve 1 / (1 + exp(-(score + offset) / scale)), and how well it predicts. Networks with different
/// scales can be compared by their losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// In the units of the score.
    pub scale: f64,
    /// In the units of the score.
    pub offset: f64,
    /// Mean cross entropy, in nats.
    pub loss: f64,
    /// Mean squared difference.
    pub error: f64,
}

impl Calibration {
    /// Fits the curve to pairs of a score and a win rate, with maximum likelihood; `None`
    /// if none fits, as when the scores separate wins from losses or do not grow with the probabilities.
    pub fn fit(pairs: &[(f64, f64)]) -> Option<Calibration> {
        const MAX_STEPS: usize = 50;
        // The logit is `slope * score / UNIT + bias`.
        let (mut slope, mut bias) = (0.0, 0.0);
        for _ in 0..MAX_STEPS {
            let (by_slope, by_bias) = newton_step(pairs, slope, bias)?;
            (slope, bias) = (slope + by_slope, bias + by_bias);
            if by_slope.abs().max(by_bias.abs()) < 1e-9 {
                return (slope > 0.0).then(|| Calibration::of(pairs, slope, bias));
            }
        }
        None
    }

    fn of(pairs: &[(f64, f64)], slope: f64, bias: f64) -> Calibration {
        let (mut loss, mut error) = (0.0, 0.0);
        for &(score, probability) in pairs {
            let predicted = predicted(slope * score / UNIT + bias);
            loss -= probability * predicted.ln() + (1.0 - probability) * (1.0 - predicted).ln();
            error += (predicted - probability).powi(2);
        }
        let count = pairs.len() as f64;
        Calibration {
            scale: UNIT / slope,
            offset: UNIT * bias / slope,
            loss: loss / count,
            error: error / count,
        }
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calibration { scale, offset, loss, error } = self;
        write!(
            f,
            "loss {loss:.4}, error {error:.4}, at a scale of {scale:.0} and an offset of {offset:+.0}"
        )
    }
}

/// Keeps the numbers of the fit near one.
const UNIT: f64 = 600.0;

/// The win rate of a logit, far enough from 0 and 1 for logarithms.
fn predicted(logit: f64) -> f64 {
    (1.0 / (1.0 + (-logit).exp())).clamp(1e-9, 1.0 - 1e-9)
}

/// The step of Newton's method for slope and bias; `None` if the pairs do not determine it.
fn newton_step(pairs: &[(f64, f64)], slope: f64, bias: f64) -> Option<(f64, f64)> {
    let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
    for &(score, probability) in pairs {
        let x = score / UNIT;
        let predicted = predicted(slope * x + bias);
        let (difference, weight) = (probability - predicted, predicted * (1.0 - predicted));
        gradient = [gradient[0] + difference * x, gradient[1] + difference];
        hessian = [hessian[0] + weight * x * x, hessian[1] + weight * x, hessian[2] + weight];
    }
    let [xx, x, one] = hessian;
    let determinant = xx * one - x * x;
    (determinant > 1e-9 * one * one).then(|| {
        let [by_slope, by_bias] = gradient;
        ((one * by_slope - x * by_bias) / determinant, (xx * by_bias - x * by_slope) / determinant)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_that_made_the_probabilities_is_found() {
        let probability = |score: f64| 1.0 / (1.0 + (-(score + 50.0) / 700.0).exp());
        let pairs: Vec<_> =
            (-300..300).map(|i| (10.0 * f64::from(i), probability(10.0 * f64::from(i)))).collect();
        let found = Calibration::fit(&pairs).unwrap();
        assert!((found.scale - 700.0).abs() < 0.1 && (found.offset - 50.0).abs() < 0.1, "{found}");
        assert!(found.error < 1e-9, "{found}");
        let doubled: Vec<_> = pairs.iter().map(|&(score, p)| (2.0 * score, p)).collect();
        let doubled = Calibration::fit(&doubled).unwrap();
        assert!((doubled.loss - found.loss).abs() < 1e-9 && (doubled.scale - 1400.0).abs() < 0.1);
    }

    #[test]
    fn no_curve_is_fitted_to_separated_contradictory_or_missing_pairs() {
        for pairs in [
            &[(-100.0, 0.0), (-90.0, 0.0), (90.0, 1.0), (100.0, 1.0)][..],
            &[(-100.0, 0.8), (0.0, 0.5), (100.0, 0.2)],
            &[(100.0, 0.2), (100.0, 0.8)],
            &[],
        ] {
            assert_eq!(Calibration::fit(pairs), None, "{pairs:?}");
        }
    }
}
