//! What the output of a net ought to be, and what it costs that it is something else.

use super::sample::Label;

/// How far an estimate of the winning probability is from its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossFunction {
    /// The Kullback-Leibler divergence: cross-entropy, less what no estimate can avoid.
    Entropy,
    /// This power of the difference.
    Power(f32),
}

/// The goal: a winning probability between what the search says and what the game brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Objective {
    pub(super) loss: LossFunction,
    /// How much the score counts, from 0 to 1; the result has the rest.
    pub(super) lambda: f32,
    /// The score at which a side wins `e` times as often as it loses.
    pub(super) win_rate_scale: f32,
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The reverse of [`sigmoid`], finite for all probabilities.
pub(super) fn logit(probability: f32) -> f32 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}

impl Objective {
    /// The winning probability that a score stands for.
    pub(super) fn win_rate(&self, score: i16) -> f32 {
        sigmoid(f32::from(score) / self.win_rate_scale)
    }

    pub(super) fn of(&self, label: Label) -> f32 {
        self.lambda * self.win_rate(label.score) + (1.0 - self.lambda) * label.points()
    }
}

impl LossFunction {
    /// The loss of an output, which is the logit of a winning probability, and its derivative.
    pub(super) fn at(self, output: f32, goal: f32) -> (f32, f32) {
        let estimate = sigmoid(output);
        match self {
            LossFunction::Entropy => {
                let part = |goal: f32, estimate: f32| {
                    if goal > 0.0 {
                        goal * (goal / estimate.max(f32::MIN_POSITIVE)).ln()
                    } else {
                        0.0
                    }
                };
                let loss = part(goal, estimate) + part(1.0 - goal, sigmoid(-output));
                (loss.max(0.0), estimate - goal)
            }
            LossFunction::Power(power) => {
                let difference = estimate - goal;
                let one_less = difference.abs().powf(power - 1.0);
                let slope = power * one_less.copysign(difference) * estimate * (1.0 - estimate);
                (one_less * difference.abs(), slope)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_losses() {
        for loss in [LossFunction::Entropy, LossFunction::Power(2.0), LossFunction::Power(2.5)] {
            for goal in [0.0, 0.2, 0.5, 0.9, 1.0] {
                for output in [-3.0f32, -0.5, 0.1, 2.0] {
                    let step = 1e-2;
                    let (above, _) = loss.at(output + step, goal);
                    let (below, _) = loss.at(output - step, goal);
                    let (_, slope) = loss.at(output, goal);
                    let expected = (above - below) / (2.0 * step);
                    assert!((slope - expected).abs() < 1e-3, "{loss:?} {goal} {output}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_at_the_goal_and_something_elsewhere() {
        for loss in [LossFunction::Entropy, LossFunction::Power(2.5)] {
            assert!(loss.at(0.7, sigmoid(0.7)).0.abs() < 1e-6);
            assert!(loss.at(-0.7, sigmoid(0.7)).0 > 1e-2);
            assert!(loss.at(100.0, 0.0).0.is_finite());
        }
    }

    #[test]
    fn lambda_weighs_score_against_result() {
        let goal =
            |lambda| Objective { loss: LossFunction::Entropy, lambda, win_rate_scale: 600.0 };
        let label = Label { score: 600, result: -1 };
        assert_eq!(goal(0.0).of(label), 0.0);
        assert!((goal(1.0).of(label) - 0.731).abs() < 1e-3);
        assert!((goal(0.5).of(label) - 0.3655).abs() < 1e-3);
        assert_eq!(goal(0.0).of(Label { score: 5, result: 0 }), 0.5);
    }
}
