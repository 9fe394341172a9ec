//! Playing strengths below full strength: fewer nodes, a human pace, and a choice among good moves.
//!
//! The search has a node budget, then one of the best lines is drawn at random, better ones with a
//! higher probability. Short mates are seen according to the level. `docs/levels.md` says by which
//! games the numbers were chosen: a kyu is meant to be worth 68 Elo among engines, and a dan 102.

use std::time::Duration;

use crate::types::Score;

/// Weakest and strongest level of the USI option: kyu negative, dan positive.
const WEAKEST: i32 = -15;
const STRONGEST: i32 = 9;
/// Steps from the weakest level to 1 kyu; 1 dan is the next one, because there is no level 0.
const KYU_STEPS: i32 = -1 - WEAKEST;

/// Nodes of the weakest level: enough for all moves and some replies.
const WEAKEST_NODES: f64 = 1200.0;
/// Factor of the nodes for each kyu,
const NODES_PER_KYU: f64 = 1.107;
/// and for each dan.
const NODES_PER_DAN: f64 = 1.27;
/// Each kyu below 1 kyu widens the spread of the choice by this, in score units (0.3 pawns).
const SPREAD_PER_KYU: f64 = 27.0;
/// A level chooses among at least so many lines. More would cost depth.
const FEWEST_CANDIDATES: usize = 5;
/// The weakest levels choose among more lines: one for so many kyu below 1 kyu.
const KYU_PER_CANDIDATE: i32 = 2;
/// A line is never chosen if it is worse than the best by more than this many spreads,
const WORST_CHOICE: f64 = 3.0;
/// or by more than this, some nine pawns: that would be a random blunder.
const WORST_LOSS: f64 = 800.0;
/// A human's time for a move, if the clock allows it,
const HUMAN_PACE: Duration = Duration::from_millis(1500);
/// or this share of the optimum time.
const PACE_OF_OPTIMUM: f64 = 0.5;

/// A playing strength below full strength, counted from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StrengthLevel(i32);

impl StrengthLevel {
    /// The level of a USI value, kyu negative and dan positive.
    pub(super) fn new(strength: i32) -> StrengthLevel {
        let strength = strength.clamp(WEAKEST, STRONGEST);
        StrengthLevel(strength - WEAKEST - i32::from(strength > 0))
    }

    /// The node budget. The first iteration is always finished.
    pub(super) fn nodes(self) -> u64 {
        let kyu = self.0.min(KYU_STEPS);
        let dan = self.0 - kyu;
        (WEAKEST_NODES * NODES_PER_KYU.powi(kyu) * NODES_PER_DAN.powi(dan)) as u64
    }

    /// Kyu below 1 kyu; 0 for a dan.
    fn kyu_below(self) -> i32 {
        (KYU_STEPS - self.0).max(0)
    }

    /// A line that is worse than the best by this much is chosen 1/e times as often.
    fn spread(self) -> f64 {
        (SPREAD_PER_KYU * f64::from(self.kyu_below())).max(1.0)
    }

    /// Number of lines among which to choose.
    pub(super) fn candidates(self) -> usize {
        FEWEST_CANDIDATES.max((self.kyu_below() / KYU_PER_CANDIDATE) as usize)
    }

    /// The time for a move for which full strength would take `optimum_ms`.
    pub(super) fn pace_ms(self, optimum_ms: f64) -> f64 {
        (optimum_ms * PACE_OF_OPTIMUM).min(HUMAN_PACE.as_secs_f64() * 1000.0)
    }

    /// The longest own mate, in plies, that is never missed.
    fn sure_mate_plies(self) -> i32 {
        1 + 2 * (self.0 / 5)
    }

    /// The index of the line to play. `scores` are those of the lines, best first, and must not be
    /// empty; `lot` is a random number.
    pub(super) fn choose(self, scores: &[Score], lot: u64) -> usize {
        let best = scores[0];
        if best.mate_distance().is_some_and(|plies| (1..=self.sure_mate_plies()).contains(&plies)) {
            return 0;
        }
        let spread = self.spread();
        let most = (WORST_CHOICE * spread).min(WORST_LOSS);
        let weights: Vec<f64> = scores
            .iter()
            .map(|&score| f64::from(best - score))
            .map(|loss| if loss > most { 0.0 } else { (-loss / spread).exp() })
            .collect();
        let mut drawn = (lot >> 11) as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            drawn -= weight;
            if drawn < 0.0 {
                return index;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers spread over the whole range.
    fn lots() -> impl Iterator<Item = u64> {
        (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn every_level_sees_more_than_the_one_below() {
        let levels: Vec<i32> = (WEAKEST..=STRONGEST).filter(|&level| level != 0).collect();
        for pair in levels.windows(2) {
            assert!(
                StrengthLevel::new(pair[0]).nodes() < StrengthLevel::new(pair[1]).nodes(),
                "{pair:?}"
            );
        }
    }

    #[test]
    fn the_choice_narrows_from_level_to_level_up_to_1_kyu() {
        let spreads: Vec<f64> =
            (WEAKEST..=-1).map(|kyu| StrengthLevel::new(kyu).spread()).collect();
        assert!(spreads.is_sorted_by(|wide, narrow| wide > narrow), "{spreads:?}");
        assert_eq!((spreads[14], StrengthLevel::new(1).spread()), (1.0, 1.0));
        let counts: Vec<usize> =
            (WEAKEST..=1).map(|kyu| StrengthLevel::new(kyu).candidates()).collect();
        assert!(counts.is_sorted_by(|many, fewer| many >= fewer), "{counts:?}");
        assert_eq!((counts[0], counts[14], StrengthLevel::new(9).candidates()), (7, 5, 5));
    }

    #[test]
    fn the_strongest_level_plays_the_best_move_and_the_weakest_varies() {
        let scores = [Score(100), Score(60), Score(20), Score(-701)];
        let picks = |strength| {
            let mut counts = [0; 4];
            lots().for_each(|lot| counts[StrengthLevel::new(strength).choose(&scores, lot)] += 1);
            counts
        };
        assert_eq!(picks(STRONGEST), [1000, 0, 0, 0]);
        let weak = picks(WEAKEST);
        assert!(weak[0] > weak[1] && weak[1] > weak[2] && weak[2] > 100, "{weak:?}");
        assert_eq!(weak[3], 0, "a blunder is never drawn");
    }

    #[test]
    fn a_mate_in_one_is_seen_by_all_and_a_longer_one_by_the_strong() {
        let one = [Score::mate_in(1), Score(3000)];
        let five = [Score::mate_in(5), Score::mate_in(7)];
        for lot in lots() {
            assert_eq!(StrengthLevel::new(WEAKEST).choose(&one, lot), 0);
            assert_eq!(StrengthLevel::new(1).choose(&five, lot), 0);
        }
        assert!(lots().any(|lot| StrengthLevel::new(WEAKEST).choose(&five, lot) == 1));
    }

    #[test]
    fn the_pace_is_human_but_within_the_plan() {
        let level = StrengthLevel::new(-5);
        assert_eq!(level.pace_ms(200.0), 100.0);
        assert_eq!(level.pace_ms(60_000.0), 1500.0);
    }
}
