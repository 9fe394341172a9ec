//! The gain sequences of SPSA: the perturbation of a pair of games, and the step after its result.
//!
//! The sequences are Spall's, `c_k = c / k^gamma` and `a_k = a / (A + k)^alpha`, specified as in
//! fishtest by their values at the end. `c_end` is the step of a parameter times a factor, and `r_end`
//! is `a_end / c_end^2`, the same for all parameters.

/// The gains of one tuning of `pairs` pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Number of pairs in all.
    pub pairs: usize,
    /// In steps of a parameter.
    pub c_end: f64,
    pub r_end: f64,
    pub alpha: f64,
    pub gamma: f64,
    /// `A` as a share of all pairs: keeps the first results from moving values too far.
    pub a_ratio: f64,
}

impl Gains {
    /// The defaults: Spall's exponents and fishtest's rate.
    pub fn new(pairs: usize) -> Gains {
        Gains { pairs, c_end: 1.0, r_end: 0.002, alpha: 0.602, gamma: 0.101, a_ratio: 0.1 }
    }

    /// Whether all gains are valid.
    pub fn are_valid(&self) -> bool {
        let positive = [self.c_end, self.r_end].iter().all(|&gain| gain.is_finite() && gain > 0.0);
        let not_negative = [self.alpha, self.gamma, self.a_ratio];
        positive && not_negative.iter().all(|&gain| gain.is_finite() && gain >= 0.0)
    }

    /// The perturbation `c_k` of a parameter with this step, for the pair with this number from 1.
    pub fn perturbation(&self, step: i32, pair: usize) -> f64 {
        let c_end = f64::from(step) * self.c_end;
        c_end * (self.pairs as f64 / pair as f64).powf(self.gamma)
    }

    /// How far each win of `plus` beyond those of `minus` moves the parameter: `a_k / c_k`.
    pub fn value_step(&self, step: i32, pair: usize) -> f64 {
        let c_end = f64::from(step) * self.c_end;
        let pairs = self.pairs as f64;
        let offset = self.a_ratio * pairs;
        let a_end = self.r_end * c_end * c_end;
        let a = a_end * ((offset + pairs) / (offset + pair as f64)).powf(self.alpha);
        a / self.perturbation(step, pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_final_gains_are_the_requested_ones() {
        let gains = Gains { c_end: 2.0, ..Gains::new(5000) };
        assert!((gains.perturbation(6, 5000) - 12.0).abs() < 1e-9);
        assert!((gains.value_step(6, 5000) - 0.002 * 12.0).abs() < 1e-9);
    }

    #[test]
    fn both_gains_decrease_by_their_exponents() {
        let gains = Gains::new(1000);
        let c = gains.perturbation(1, 10) / gains.perturbation(1, 100);
        assert!((c - 10f64.powf(0.101)).abs() < 1e-9);
        let a = |pair| gains.value_step(1, pair) * gains.perturbation(1, pair);
        assert!((a(100) / a(300) - 2f64.powf(0.602)).abs() < 1e-9, "a tenth of the pairs is added");
    }

    /// Regression: the documentation left out `c_end`, so most values that it called significant were noise.
    #[test]
    fn by_chance_a_value_ends_as_far_from_its_start_as_the_documentation_says() {
        for (c_end, r_end, steps) in [(1.0, 0.002, 0.31), (2.0, 0.006, 1.87)] {
            let gains = Gains { c_end, r_end, ..Gains::new(5000) };
            // Two even games without draws: the wins minus the losses have a variance of 2.
            let variance: f64 =
                (1..=5000).map(|pair| 2.0 * (gains.value_step(10, pair) / 10.0).powi(2)).sum();
            assert!((variance.sqrt() - steps).abs() < 0.02, "{}", variance.sqrt());
            assert!((2.2 * r_end * c_end * 5000f64.sqrt() - steps).abs() < 0.02);
        }
    }

    #[test]
    fn invalid_gains_are_detected() {
        assert!(Gains::new(1).are_valid());
        assert!(!Gains { r_end: 0.0, ..Gains::new(1) }.are_valid());
        assert!(!Gains { c_end: f64::NAN, ..Gains::new(1) }.are_valid());
        assert!(!Gains { alpha: -1.0, ..Gains::new(1) }.are_valid());
        assert!(!Gains { a_ratio: f64::INFINITY, ..Gains::new(1) }.are_valid());
    }
}
