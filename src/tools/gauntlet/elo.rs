//! Statistics of match results: Elo, its error, and the likelihood of superiority (LOS).
//!
//! Scores are per game, from 0 to 1, from the first engine's side.

use std::str::FromStr;

use crate::tools::numbers::parse_numbers;

/// Wins, draws and losses of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points; a draw is half a point.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Treats every game as independent; `None` before the first.
    pub fn estimate(self) -> Option<ScoreEstimate> {
        ScoreEstimate::of(&[self.losses, self.draws, self.wins])
    }
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games from one opening with colours swapped, counted by the half points that the first
/// engine took from the pair: 0, 1, 2, 3 or 4.
///
/// The two games of a pair share the opening's bias, so the pair is the independent trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl std::ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl Pentanomial {
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// Treats every pair as independent; `None` before the first.
    pub fn estimate(self) -> Option<ScoreEstimate> {
        ScoreEstimate::of(&self.0)
    }
}

impl FromStr for Pentanomial {
    type Err = &'static str;

    /// Five counts, separated by commas.
    fn from_str(text: &str) -> Result<Pentanomial, &'static str> {
        /// The numbers of all these games are held in memory.
        const MAX_PAIRS: u64 = 1_000_000;
        let numbers = parse_numbers(text, MAX_PAIRS);
        numbers.map(Pentanomial).ok_or("it is not five numbers such as 3,40,90,52,5")
    }
}

/// A mean score per game with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreEstimate {
    /// Mean score per game, 0 to 1.
    pub score: f64,
    /// Standard error of that mean.
    pub error: f64,
}

/// Two-sided 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

impl ScoreEstimate {
    /// From counts of equally spaced outcomes, the first worth 0 and the last worth 1.
    fn of(counts: &[u64]) -> Option<ScoreEstimate> {
        let trials = counts.iter().sum::<u64>() as f64;
        if trials == 0.0 {
            return None;
        }
        let top = (counts.len() - 1) as f64;
        let shares =
            || counts.iter().enumerate().map(|(i, &n)| (i as f64 / top, n as f64 / trials));
        let score: f64 = shares().map(|(value, share)| share * value).sum();
        let variance: f64 = shares().map(|(value, share)| share * (value - score).powi(2)).sum();
        Some(ScoreEstimate { score, error: (variance / trials).sqrt() })
    }

    /// Logistic Elo; infinite if one engine won every game.
    pub fn elo(self) -> f64 {
        elo_of_score(self.score)
    }

    /// The 95 % interval in Elo, converted from the interval of the score.
    pub fn elo_interval(self) -> (f64, f64) {
        let reach = Z95 * self.error;
        (elo_of_score(self.score - reach), elo_of_score(self.score + reach))
    }

    /// Half the width of [`ScoreEstimate::elo_interval`].
    pub fn elo_margin(self) -> f64 {
        let (low, high) = self.elo_interval();
        (high - low) / 2.0
    }

    /// The likelihood that the first engine is the stronger one, 0 to 1.
    pub fn los(self) -> f64 {
        let lead = self.score - 0.5;
        if lead == 0.0 { 0.5 } else { normal_cdf(lead / self.error) }
    }
}

/// The expected score against an opponent this much weaker.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Inverse of [`score_of_elo`]; scores are clamped to 0 to 1.
fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // The sum turns the negative zero of an even score into zero.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// Distribution function of the standard normal distribution, good to seven digits (Abramowitz and
/// Stegun, formula 26.2.17).
fn normal_cdf(z: f64) -> f64 {
    const P: f64 = 0.231_641_9;
    const B: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + P * z.abs());
    let polynomial = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tail = density * polynomial;
    if z >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not within {tolerance} of {b}");
    }

    #[test]
    fn normal_distribution_agrees_with_its_table() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.841345), (1.96, 0.975002), (-1.96, 0.024998)] {
            close(normal_cdf(z), p, 1e-6);
        }
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-300.0, -5.0, 0.0, 0.5, 120.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(-0.1), f64::NEG_INFINITY);
    }

    #[test]
    fn a_match_without_draws_has_the_error_of_coin_tosses() {
        let estimate = Wdl { wins: 60, draws: 0, losses: 40 }.estimate().unwrap();
        close(estimate.score, 0.6, 1e-12);
        close(estimate.error, (0.6 * 0.4 / 100.0f64).sqrt(), 1e-12);
        close(estimate.elo(), 70.4365, 1e-3);
        close(estimate.los(), 0.979388, 1e-5);
    }

    /// 1000 even games without a draw have an error of about 21 Elo, the rule of thumb of matches.
    #[test]
    fn the_error_of_a_thousand_even_games_is_about_twenty_one_elo() {
        let estimate = Wdl { wins: 500, draws: 0, losses: 500 }.estimate().unwrap();
        close(estimate.elo_margin(), 21.6, 0.1);
        assert_eq!(estimate.los(), 0.5);
    }

    /// Pairs that split one to one say nothing of strength, and pairs tell it where games do not.
    #[test]
    fn pairs_decided_by_the_opening_carry_no_error() {
        let pairs = Pentanomial([0, 0, 200, 0, 0]).estimate().unwrap();
        let games = Wdl { wins: 200, draws: 0, losses: 200 }.estimate().unwrap();
        assert_eq!(pairs, ScoreEstimate { score: 0.5, error: 0.0 });
        assert!(games.error > 0.02);
    }

    #[test]
    fn independent_games_have_the_same_error_counted_singly_and_in_pairs() {
        // All pairs of two fair games without draws: 1/4, 1/2, 1/4.
        let pairs = Pentanomial([100, 0, 200, 0, 100]).estimate().unwrap();
        let games = Wdl { wins: 400, draws: 0, losses: 400 }.estimate().unwrap();
        close(pairs.error, games.error, 1e-12);
    }

    #[test]
    fn pentanomial_counts_are_five_numbers() {
        assert_eq!("3,40, 90,52,5".parse(), Ok(Pentanomial([3, 40, 90, 52, 5])));
        for text in ["", "3,40,90,52", "3,40,90,52,5,1", "3,40,90,52,-5", "3,40,90,52,1000001"] {
            assert!(text.parse::<Pentanomial>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_match_of_wins_only_has_infinite_elo_and_a_certain_result() {
        let estimate = Wdl { wins: 8, draws: 0, losses: 0 }.estimate().unwrap();
        assert_eq!(estimate.elo(), f64::INFINITY);
        assert_eq!(estimate.los(), 1.0);
        assert_eq!(Wdl { wins: 0, draws: 0, losses: 8 }.estimate().unwrap().los(), 0.0);
        assert_eq!(Wdl::default().estimate(), None);
    }
}
