//! The learning-rate schedule.

use std::fmt;

/// How the learning rate decreases from its maximum to its final value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LrSchedule {
    /// Cosine annealing (Loshchilov and Hutter 2016).
    Cosine,
    Linear,
    /// Does not decrease.
    Constant,
    /// In this number of steps, each by the same factor.
    Steps(u32),
}

impl LrSchedule {
    pub(super) const WANTED: &'static str =
        "cosine, linear, constant, or step with a number from 1 to 1000 such as step4";

    pub(super) fn parse(text: &str) -> Option<LrSchedule> {
        Some(match text {
            "cosine" => LrSchedule::Cosine,
            "linear" => LrSchedule::Linear,
            "constant" => LrSchedule::Constant,
            _ => {
                let steps = text.strip_prefix("step")?.parse().ok();
                LrSchedule::Steps(steps.filter(|steps| (1..=1000).contains(steps))?)
            }
        })
    }

    /// The rate between `first` and `last` after this share of the steps.
    fn at(self, first: f32, last: f32, done: f32) -> f32 {
        match self {
            LrSchedule::Cosine => {
                last + (first - last) * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0
            }
            LrSchedule::Linear => first + (last - first) * done,
            LrSchedule::Constant => first,
            // A rate of 0 has no ratio.
            LrSchedule::Steps(_) if first == 0.0 => 0.0,
            LrSchedule::Steps(steps) => {
                let step = (done * (steps + 1) as f32).floor().min(steps as f32);
                first * (last.max(f32::MIN_POSITIVE) / first).powf(step / steps as f32)
            }
        }
    }
}

impl fmt::Display for LrSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LrSchedule::Cosine => f.write_str("cosine"),
            LrSchedule::Linear => f.write_str("linear"),
            LrSchedule::Constant => f.write_str("constant"),
            LrSchedule::Steps(steps) => write!(f, "step{steps}"),
        }
    }
}

/// The learning rate of a step, counted from 0, of `steps`: it rises linearly during the share
/// `warm_up` of them, then decreases.
pub(super) fn learning_rate(
    [first, last]: [f32; 2],
    schedule: LrSchedule,
    warm_up: f32,
    step: u64,
    steps: u64,
) -> f32 {
    let rising = (f64::from(warm_up) * steps as f64).round() as u64;
    if step < rising {
        return first * (step + 1) as f32 / (rising + 1) as f32;
    }
    let done = (step - rising) as f64 / (steps - rising).saturating_sub(1).max(1) as f64;
    schedule.at(first, last, done.min(1.0) as f32)
}

/// The last steps, in which a network is quantised part by part (incremental network quantization, Zhou
/// et al. 2017).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuantizationPhase {
    /// The first of these steps.
    pub(super) begin: u64,
    /// The number of all steps of the training.
    pub(super) steps: u64,
    pub(super) parts: usize,
}

impl QuantizationPhase {
    /// `share` of all steps.
    pub(super) fn new(share: f32, steps: u64, parts: usize) -> QuantizationPhase {
        let last = (f64::from(share) * steps as f64).round() as u64;
        QuantizationPhase { begin: steps - last.min(steps), steps, parts }
    }

    /// How many parts are rounded in a step, counted from 0. They are rounded at equal intervals.
    pub(super) fn quantized_parts(&self, step: u64) -> usize {
        match step.checked_sub(self.begin) {
            None => 0,
            Some(at) => (at * self.parts as u64 / (self.steps - self.begin)) as usize + 1,
        }
    }

    /// The learning rate of such a step: after each part is rounded it falls from a share of
    /// `first` to `last` again, so that the other parts can adapt.
    pub(super) fn learning_rate(&self, [first, last]: [f32; 2], step: u64) -> f32 {
        const SHARE: f32 = 0.1;
        let (at, all) = (step - self.begin, self.steps - self.begin);
        let done = (at * self.parts as u64 % all) as f32 / all as f32;
        LrSchedule::Linear.at((SHARE * first).max(last), last, done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_rounded_evenly_over_the_last_steps() {
        let phase = QuantizationPhase::new(0.4, 20, 4);
        let quantized_parts: Vec<usize> = (0..20).map(|step| phase.quantized_parts(step)).collect();
        assert_eq!(quantized_parts[..12], [0; 12]);
        assert_eq!(quantized_parts[12..], [1, 1, 2, 2, 3, 3, 4, 4]);
        let rates: Vec<f32> = (12..16).map(|step| phase.learning_rate([1.0, 0.02], step)).collect();
        assert_eq!(rates[0], 0.1);
        assert!((rates[1] - 0.06).abs() < 1e-6);
        assert_eq!(rates[..2], rates[2..]);
        // Few steps round several parts at once, none rounds nothing.
        assert_eq!(QuantizationPhase::new(0.5, 4, 4).quantized_parts(3), 3);
        assert_eq!(QuantizationPhase::new(0.0, 20, 4).quantized_parts(19), 0);
        assert_eq!(QuantizationPhase::new(1.0, 20, 4).quantized_parts(0), 1);
    }

    /// Regression: steps from a learning rate of 0 were not numbers.
    #[test]
    fn a_learning_rate_of_zero_stays_zero() {
        for schedule in [LrSchedule::Cosine, LrSchedule::Linear, LrSchedule::Steps(3)] {
            assert_eq!(learning_rate([0.0, 0.0], schedule, 0.0, 5, 11), 0.0);
        }
    }

    fn rates(schedule: LrSchedule, warm_up: f32) -> Vec<f32> {
        (0..11).map(|step| learning_rate([1.0, 0.01], schedule, warm_up, step, 11)).collect()
    }

    #[test]
    fn the_learning_rate_starts_and_ends_as_configured() {
        for schedule in [LrSchedule::Cosine, LrSchedule::Linear, LrSchedule::Steps(3)] {
            let rates = rates(schedule, 0.0);
            assert_eq!(rates[0], 1.0, "{schedule}");
            assert!((rates[10] - 0.01).abs() < 1e-6, "{schedule}");
            assert!(rates.is_sorted_by(|a, b| a >= b), "{schedule}");
        }
        assert_eq!(rates(LrSchedule::Constant, 0.0), [1.0; 11]);
        assert!((rates(LrSchedule::Cosine, 0.0)[5] - 0.505).abs() < 1e-6);
        let steps = rates(LrSchedule::Steps(2), 0.0);
        assert_eq!(steps[3], 1.0);
        assert!((steps[4] - 0.1).abs() < 1e-6);
    }

    #[test]
    fn the_learning_rate_rises_to_its_maximum_during_the_warm_up() {
        let rates = rates(LrSchedule::Linear, 0.3);
        assert_eq!(rates[..4], [0.25, 0.5, 0.75, 1.0]);
        assert!(rates[4] < 1.0);
    }

    #[test]
    fn a_single_step_has_a_rate() {
        assert_eq!(learning_rate([1.0, 0.5], LrSchedule::Cosine, 0.0, 0, 1), 1.0);
        assert!(learning_rate([1.0, 0.5], LrSchedule::Cosine, 1.0, 0, 1) > 0.0);
    }

    #[test]
    fn schedules_read_back() {
        for schedule in
            [LrSchedule::Cosine, LrSchedule::Linear, LrSchedule::Constant, LrSchedule::Steps(7)]
        {
            assert_eq!(LrSchedule::parse(&schedule.to_string()), Some(schedule));
        }
    }
}
