//! The logistic curve of the win rate by the score, and the scale of it that fits results.

use crate::types::Score;

/// 1 / (1 + exp(-score / scale)).
pub fn win_rate(score: Score, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(score.0) / scale).exp())
}

/// The results of positions by their score, in steps of `STEP` units of the engine (a pawn is 90): few numbers
/// for any number of positions, while `train::calibration` needs them one by one.
#[derive(Clone, Debug)]
pub struct ResultsByScore {
    /// For each step, from the lowest: the number of results, and the points won.
    steps: Vec<(u64, f64)>,
}

impl Default for ResultsByScore {
    fn default() -> ResultsByScore {
        let count = 2 * ResultsByScore::LIMIT / ResultsByScore::STEP + 1;
        ResultsByScore { steps: vec![(0, 0.0); count as usize] }
    }
}

impl ResultsByScore {
    const STEP: i32 = 20;
    /// Larger scores are ignored: there the curve is flat.
    const LIMIT: i32 = 3000;

    /// Adds a result, 1, 0 or -1, of the side that had this score.
    pub fn add(&mut self, score: i32, result: i8) {
        if score.abs() <= ResultsByScore::LIMIT {
            let step =
                &mut self.steps[((score + ResultsByScore::LIMIT) / ResultsByScore::STEP) as usize];
            step.0 += 1;
            step.1 += f64::from(result + 1) / 2.0;
        }
    }

    /// The `k` for which 1 / (1 + exp(-score / k)) fits the results with maximum likelihood; `None`
    /// if there is none, as when the side that is ahead always loses.
    pub fn fit_scale(&self) -> Option<f64> {
        const ROUNDS: usize = 100;
        let scores = (0..).map(|step| {
            f64::from(
                step * ResultsByScore::STEP - ResultsByScore::LIMIT + ResultsByScore::STEP / 2,
            )
        });
        let steps: Vec<(f64, u64, f64)> = scores
            .zip(&self.steps)
            .map(|(score, &(count, points))| (score, count, points))
            .collect();
        let slope = |a: f64| -> f64 {
            let term = |&(score, count, points): &(f64, u64, f64)| {
                score * (points - count as f64 / (1.0 + (-a * score).exp()))
            };
            steps.iter().map(term).sum()
        };
        // The likelihood is concave in 1 / k, so its slope decreases and has one zero.
        let (mut low, mut high) = (1e-5, 1.0);
        if !(slope(low) > 0.0 && slope(high) < 0.0) {
            return None;
        }
        for _ in 0..ROUNDS {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        Some(1.0 / low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Random;

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut random = Random::new(1);
        for k in [100.0, 600.0] {
            let mut results = ResultsByScore::default();
            for _ in 0..200_000 {
                let score = random.below(4001) as i32 - 2000;
                let rate = win_rate(Score(score), k);
                let won = (random.next() >> 11) as f64 / (1u64 << 53) as f64 <= rate;
                results.add(score, if won { 1 } else { -1 });
            }
            let found = results.fit_scale().unwrap();
            assert!((found / k - 1.0).abs() < 0.03, "{found} for {k}");
        }
    }

    #[test]
    fn no_scale_is_fitted_to_missing_or_contradictory_results() {
        assert_eq!(ResultsByScore::default().fit_scale(), None);
        let mut results = ResultsByScore::default();
        (-3000..=3000).for_each(|score: i32| results.add(score, -(score.signum() as i8)));
        assert_eq!(results.fit_scale(), None);
        results.add(i32::MAX, 1);
    }
}
