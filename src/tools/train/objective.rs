//! The training objective: the target of a position and the loss of an output.

use super::sample::Label;

/// The loss of an estimated win rate against its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossFunction {
    /// The cross-entropy less the entropy of the target, which is the Kullback-Leibler divergence.
    CrossEntropy,
    /// The difference to this power.
    Power(f32),
}

/// The target is a win rate between the score of the search and the result of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Objective {
    pub(super) loss: LossFunction,
    /// Weight of the score from 0 to 1; the result has the rest.
    pub(super) lambda: f32,
    /// A score is the win rate `sigmoid(score / sigmoid_scale)`.
    pub(super) sigmoid_scale: f32,
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of [`sigmoid`], finite for all probabilities.
pub(super) fn logit(probability: f32) -> f32 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}

impl Objective {
    /// The win rate of a score.
    pub(super) fn win_rate(&self, score: i16) -> f32 {
        sigmoid(f32::from(score) / self.sigmoid_scale)
    }

    /// The target of a position.
    pub(super) fn target(&self, label: Label) -> f32 {
        self.lambda * self.win_rate(label.score) + (1.0 - self.lambda) * label.points()
    }
}

impl LossFunction {
    /// The loss of an output, the logit of a win rate, and its derivative.
    pub(super) fn with_gradient(self, output: f32, target: f32) -> (f32, f32) {
        let estimate = sigmoid(output);
        match self {
            LossFunction::CrossEntropy => {
                let part = |target: f32, estimate: f32| {
                    if target > 0.0 {
                        target * (target / estimate.max(f32::MIN_POSITIVE)).ln()
                    } else {
                        0.0
                    }
                };
                let loss = part(target, estimate) + part(1.0 - target, sigmoid(-output));
                (loss.max(0.0), estimate - target)
            }
            LossFunction::Power(power) => {
                let difference = estimate - target;
                let one_less = difference.abs().powf(power - 1.0);
                let grad = power * one_less.copysign(difference) * estimate * (1.0 - estimate);
                (one_less * difference.abs(), grad)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_losses() {
        for loss in [LossFunction::CrossEntropy, LossFunction::Power(2.0), LossFunction::Power(2.5)]
        {
            for target in [0.0, 0.2, 0.5, 0.9, 1.0] {
                for output in [-3.0f32, -0.5, 0.1, 2.0] {
                    let step = 1e-2;
                    let (above, _) = loss.with_gradient(output + step, target);
                    let (below, _) = loss.with_gradient(output - step, target);
                    let (_, grad) = loss.with_gradient(output, target);
                    let expected = (above - below) / (2.0 * step);
                    assert!((grad - expected).abs() < 1e-3, "{loss:?} {target} {output}");
                }
            }
        }
    }

    #[test]
    fn the_loss_is_zero_at_the_target_only() {
        for loss in [LossFunction::CrossEntropy, LossFunction::Power(2.5)] {
            assert!(loss.with_gradient(0.7, sigmoid(0.7)).0.abs() < 1e-6);
            assert!(loss.with_gradient(-0.7, sigmoid(0.7)).0 > 1e-2);
            assert!(loss.with_gradient(100.0, 0.0).0.is_finite());
        }
    }

    #[test]
    fn lambda_weighs_score_against_result() {
        let objective =
            |lambda| Objective { loss: LossFunction::CrossEntropy, lambda, sigmoid_scale: 600.0 };
        let label = Label { score: 600, result: -1 };
        assert_eq!(objective(0.0).target(label), 0.0);
        assert!((objective(1.0).target(label) - 0.731).abs() < 1e-3);
        assert!((objective(0.5).target(label) - 0.3655).abs() < 1e-3);
        assert_eq!(objective(0.0).target(Label { score: 5, result: 0 }), 0.5);
    }
}
