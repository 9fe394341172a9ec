//! The generalised sequential probability ratio test (GSPRT) on pairs of games.
//!
//! The two hypotheses fix only the mean score; each gets the distribution of pair results that fits
//! the counts best under that mean. The method follows Michel Van den Bergh's notes on the GSPRT, as
//! fishtest uses it for logistic Elo; as there, zero counts are replaced by a thousandth of a pair.

use std::fmt;

use super::elo::{Pentanomial, score_of_elo};

/// Two hypotheses in logistic Elo and the error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The hypothesis that the test accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// `elo0`: no gain.
    AcceptH0,
    /// `elo1`: a gain.
    AcceptH1,
}

impl Sprt {
    /// Beyond this a score is nearly 0 or 1, and the ratio is not finite.
    const MAX_ELO: f64 = 2000.0;

    /// # Errors
    /// Unless `elo0 < elo1`, neither is too far from 0, and both rates lie strictly between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, &'static str> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err("elo0 must be smaller than elo1, and both finite");
        }
        if elo0 < -Sprt::MAX_ELO || elo1 > Sprt::MAX_ELO {
            return Err("elo0 and elo1 must lie between -2000 and 2000");
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_rate(alpha) || !is_rate(beta) {
            return Err("alpha and beta must lie between 0 and 0.5");
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The log likelihood ratios at which the test accepts H0 and H1 (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log likelihood ratio of H1 to H0 for these pairs.
    pub fn llr(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let under0 = best_fit(&shares, score_of_elo(self.elo0));
        let under1 = best_fit(&shares, score_of_elo(self.elo1));
        (0..5).map(|i| counts[i] * (under1[i] / under0[i]).ln()).sum()
    }

    /// The verdict for this log likelihood ratio, if there is one.
    pub fn verdict(&self, llr: f64) -> Option<SprtVerdict> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(SprtVerdict::AcceptH1)
        } else if llr <= lower {
            Some(SprtVerdict::AcceptH0)
        } else {
            None
        }
    }
}

impl fmt::Display for Sprt {
    /// `[0, 5] alpha 0.05 beta 0.05`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "[{elo0}, {elo1}] alpha {alpha} beta {beta}")
    }
}

/// The distribution with this mean under which the observed shares are most probable.
///
/// By Lagrange multipliers it is `share / (1 + x * (value - mean))` for the one `x` that makes the
/// mean right. Every share must be positive and the mean strictly between 0 and 1.
fn best_fit(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let offset = |i: usize| i as f64 / 4.0 - mean;
    let excess =
        |x: f64| -> f64 { (0..5).map(|i| shares[i] * offset(i) / (1.0 + x * offset(i))).sum() };
    // `excess` decreases from plus to minus infinity between the two poles next to zero.
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = low + (high - low) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + x * offset(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(Pentanomial(counts))
    }

    /// Counts and ratios as fishtest printed them in 2020, when its bounds were logistic (from the
    /// descriptions of Stockfish's changes 2493, 2950, 2971, 3098 and 3209).
    #[test]
    fn the_llr_equals_published_ratios_of_fishtest() {
        let published = [
            ([253, 4282, 17604, 4431, 286], -0.25, 1.25, "2.94"),
            ([58, 3302, 33130, 3518, 84], 0.25, 1.25, "2.97"),
            ([491, 7345, 29693, 7670, 465], -0.25, 1.25, "2.96"),
            ([17, 253, 1042, 337, 39], -0.5, 1.5, "2.96"),
            ([11, 407, 3238, 513, 11], 0.25, 1.75, "2.93"),
            ([133, 1751, 5094, 1849, 165], -0.5, 1.5, "2.94"),
            ([424, 2948, 5832, 3045, 460], -1.0, 3.0, "2.94"),
        ];
        for (counts, elo0, elo1, expected) in published {
            assert_eq!(format!("{:.2}", llr(counts, elo0, elo1)), expected, "{counts:?}");
        }
    }

    #[test]
    fn swapping_engines_and_hypotheses_negates_the_llr() {
        let counts = [3, 20, 41, 25, 8];
        let mut swapped = counts;
        swapped.reverse();
        assert!((llr(counts, 0.0, 5.0) + llr(swapped, -5.0, 0.0)).abs() < 1e-9);
    }

    #[test]
    fn the_best_fit_is_a_distribution_with_the_wanted_mean() {
        let shares = [0.1, 0.2, 0.3, 0.25, 0.15];
        for mean in [0.1, 0.5, 0.55, 0.9] {
            let fit = best_fit(&shares, mean);
            let sum: f64 = fit.iter().sum();
            let found: f64 = fit.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (found - mean).abs() < 1e-9, "{mean}: {fit:?}");
        }
    }

    #[test]
    fn a_one_sided_match_is_decided_and_an_empty_one_is_not() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let (lower, upper) = sprt.bounds();
        assert_eq!((format!("{lower:.2}"), format!("{upper:.2}")), ("-2.94".into(), "2.94".into()));
        assert_eq!(sprt.llr(Pentanomial::default()), 0.0);
        assert_eq!(sprt.verdict(0.0), None);
        let winning = Pentanomial([20, 100, 200, 260, 120]);
        assert_eq!(sprt.verdict(sprt.llr(winning)), Some(SprtVerdict::AcceptH1));
        let mut losing = winning;
        losing.0.reverse();
        assert_eq!(sprt.verdict(sprt.llr(losing)), Some(SprtVerdict::AcceptH0));
    }

    /// Regression: a mistyped test had no likelihood ratio, and the match had no end.
    #[test]
    fn a_test_ends_however_far_apart_its_hypotheses_are() {
        for (elo0, elo1) in [(0.0, 10_000.0), (-1e300, 0.0)] {
            assert!(Sprt::new(elo0, elo1, 0.05, 0.05).unwrap_err().ends_with("-2000 and 2000"));
        }
        let farthest = Sprt::new(-2000.0, 2000.0, 0.05, 0.05).unwrap();
        for (counts, verdict) in [
            ([0, 0, 0, 0, 1000], SprtVerdict::AcceptH1),
            ([1000, 0, 0, 0, 0], SprtVerdict::AcceptH0),
            ([3, 20, 41, 25, 8], SprtVerdict::AcceptH1),
        ] {
            let llr = farthest.llr(Pentanomial(counts));
            assert_eq!(farthest.verdict(llr), Some(verdict), "{counts:?}: {llr}");
        }
    }

    #[test]
    fn invalid_hypotheses_and_error_rates_are_refused() {
        for (elo0, elo1) in [(5.0, 0.0), (0.0, f64::NAN)] {
            assert!(Sprt::new(elo0, elo1, 0.05, 0.05).unwrap_err().starts_with("elo0 must "));
        }
        for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5)] {
            assert!(Sprt::new(0.0, 5.0, alpha, beta).unwrap_err().starts_with("alpha and beta "));
        }
    }
}
