//! How often people err, by strength: the mates that they miss, and the moves that they play without
//! calculation.
//!
//! The rates of missed mates come from the statistics that shogi-supplement published in 2026
//! (`coefficients_hao_v1.json`: 11,547 games of lishogi, 1.06 million moves). Everything else here is an
//! estimate. `docs/levels.md` says more.

use crate::types::Random;

/// The middle of the lowest rating band of these statistics, and the distance from one band to the next.
const LOWEST_BAND: f64 = 1150.0;
const BAND_WIDTH: f64 = 300.0;
const BANDS: usize = 5;

/// The estimated rating of a first dan at lishogi.
const FIRST_DAN_RATING: f64 = 1750.0;
/// Rating points of a kyu and of a dan at lishogi: the bands lie at 12 and 6 kyu, 1, 3 and 5 dan.
const RATING_PER_KYU: f64 = 50.0;
const RATING_PER_DAN: f64 = 150.0;

/// The share of mates missed in each band: mates in 1, 3, 5 and at least 7 plies.
const MISSED_MATES: [[f64; BANDS]; 4] = [
    [0.216, 0.069, 0.062, 0.038, 0.013],
    [0.310, 0.124, 0.107, 0.049, 0.011],
    [0.342, 0.211, 0.171, 0.119, 0.066],
    [0.527, 0.400, 0.365, 0.308, 0.192],
];

/// The probability of overlooking a threatened mate, relative to an own mate: the last move points to the
/// threat. An estimate: the statistics have only 0.6 to 4 moves in 1,000 that allow a mate in an undecided game.
const THREAT_SHARE: f64 = 0.1;

/// The share of moves that a player of each band plays without calculation. An estimate: few nodes and missed
/// mates cause the other blunders. The shares fall so that neighbouring levels differ.
const STATIC_MOVES: [f64; BANDS] = [0.13, 0.10, 0.07, 0.045, 0.02];
/// Below the rating of 15 kyu the share grows linearly, to that of the weakest level. Estimates.
const BEGINNER_RATING: f64 = 1000.0;
const WEAKEST_RATING: f64 = 750.0;
const STATIC_MOVES_AT_WEAKEST: f64 = 0.55;

/// The ratings at which a player who does not calculate sees none, and all, of what the opponent can do next.
/// Estimates.
const SEES_NO_REPLY_RATING: f64 = 350.0;
const SEES_ALL_REPLIES_RATING: f64 = 2350.0;

/// The strength of a player as far as errors depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HumanError {
    /// The estimated rating at lishogi.
    rating: f64,
}

impl HumanError {
    /// Of a player of this grade: 0 is 1 dan, -1 is 1 kyu, from -20 to 8.
    pub(super) fn of_grade(grade: i32) -> HumanError {
        let each = if grade < 0 { RATING_PER_KYU } else { RATING_PER_DAN };
        HumanError { rating: FIRST_DAN_RATING + each * f64::from(grade) }
    }

    /// The probability that the player does not see a mate of this many plies.
    fn missed_mate_probability(self, plies: i32) -> f64 {
        let length = (plies / 2).clamp(0, 3) as usize;
        // A longer mate is not easier to see, however few cases there were.
        let rows = MISSED_MATES[..=length].iter();
        rows.map(|row| self.interpolate(row)).fold(0.0, f64::max)
    }

    /// The probability that the player plays without calculation.
    fn static_move_probability(self) -> f64 {
        let usual = self.interpolate(&STATIC_MOVES);
        let below_beginner = (BEGINNER_RATING - self.rating) / (BEGINNER_RATING - WEAKEST_RATING);
        usual + below_beginner.clamp(0.0, 1.0) * (STATIC_MOVES_AT_WEAKEST - usual)
    }

    /// How much of what the opponent can do next the player sees without calculation, from 0 to 1.
    pub(super) fn reply_weight(self) -> f64 {
        let range = SEES_ALL_REPLIES_RATING - SEES_NO_REPLY_RATING;
        ((self.rating - SEES_NO_REPLY_RATING) / range).clamp(0.0, 1.0)
    }

    /// A share for this rating: linear in the log-odds between two bands, and beyond the outermost ones
    /// with the mean slope.
    fn interpolate(self, shares: &[f64; BANDS]) -> f64 {
        let log_odds = shares.map(|share| (share / (1.0 - share)).ln());
        let band = (self.rating - LOWEST_BAND) / BAND_WIDTH;
        let last = (BANDS - 1) as f64;
        let mean_slope = (log_odds[BANDS - 1] - log_odds[0]) / last;
        let below = band.clamp(0.0, last).floor().min(last - 1.0);
        let (low, high) = (log_odds[below as usize], log_odds[below as usize + 1]);
        let inside = band.clamp(0.0, last);
        let value = low + (high - low) * (inside - below) + mean_slope * (band - inside);
        1.0 / (1.0 + (-value).exp())
    }
}

/// What a player sees in one position. One random number decides on all lengths, so a player who sees a
/// mate in five also sees one in three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attention {
    error: HumanError,
    random: f64,
    /// Whether the player plays without calculation.
    pub(super) without_search: bool,
}

impl Attention {
    pub(super) fn sample(error: HumanError, random: &mut Random) -> Attention {
        let for_mates = random.unit();
        let without_search = random.unit() < error.static_move_probability();
        Attention { error, random: for_mates, without_search }
    }

    /// Whether the player sees a mate of this many plies.
    pub(super) fn sees_mate(self, plies: i32) -> bool {
        self.random >= self.error.missed_mate_probability(plies)
    }

    /// Whether the player sees that the opponent threatens a mate of this many plies.
    pub(super) fn sees_threat(self, plies: i32) -> bool {
        self.random >= THREAT_SHARE * self.error.missed_mate_probability(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRADES: std::ops::RangeInclusive<i32> = -20..=8;

    #[test]
    fn the_rates_of_missed_mates_equal_the_statistics_of_human_games() {
        // 12 kyu, 6 kyu, 1 dan, 3 dan and 5 dan, the middle of each band.
        for (number, grade) in [(0, -12), (1, -6), (2, 0), (3, 2), (4, 4)] {
            let error = HumanError::of_grade(grade);
            for (length, row) in MISSED_MATES.iter().enumerate() {
                let missed = error.missed_mate_probability(2 * length as i32 + 1);
                assert!((missed - row[number]).abs() < 0.005, "{grade} {length} {missed}");
            }
        }
        let beginner = HumanError::of_grade(-20);
        assert!(
            (0.3..0.6).contains(&beginner.missed_mate_probability(1)),
            "{}",
            beginner.missed_mate_probability(1)
        );
    }

    #[test]
    fn a_stronger_player_errs_less_and_a_longer_mate_is_missed_more() {
        for grade in GRADES.skip(1) {
            let (weaker, stronger) = (HumanError::of_grade(grade - 1), HumanError::of_grade(grade));
            for plies in [1, 3, 5, 7, 15] {
                assert!(
                    stronger.missed_mate_probability(plies) < weaker.missed_mate_probability(plies),
                    "{grade} {plies}"
                );
                assert!(
                    stronger.missed_mate_probability(plies)
                        <= stronger.missed_mate_probability(plies + 2)
                );
            }
            assert!(
                stronger.static_move_probability() < weaker.static_move_probability(),
                "{grade}"
            );
            assert!(stronger.reply_weight() >= weaker.reply_weight(), "{grade}");
        }
    }

    #[test]
    fn a_player_who_sees_a_longer_mate_sees_shorter_ones_and_the_rates_are_those_of_the_model() {
        let error = HumanError::of_grade(-12);
        let mut random = Random::new(1);
        let (mut missed, mut unsearched) = (0, 0);
        for _ in 0..10_000 {
            let attention = Attention::sample(error, &mut random);
            for plies in [1, 3, 5] {
                assert!(attention.sees_mate(plies) || !attention.sees_mate(plies + 2));
                assert!(attention.sees_threat(plies) || !attention.sees_mate(plies));
            }
            missed += usize::from(!attention.sees_mate(3));
            unsearched += usize::from(attention.without_search);
        }
        let share = |count: usize| count as f64 / 10_000.0;
        assert!((share(missed) - error.missed_mate_probability(3)).abs() < 0.02);
        assert!((share(unsearched) - error.static_move_probability()).abs() < 0.02);
    }
}
