//! Playing strengths below full strength: fewer nodes, move times of people, and a choice among good moves.
//!
//! The search has a node budget, then one of the best lines is chosen at random by a softmax over the scores,
//! with a temperature in score units. The mates that people miss and the moves that they play without
//! calculation are in `human_error`; `level_move` joins both. `docs/levels.md` names the games by which the
//! numbers were chosen: a kyu is meant to be worth 68 Elo among engines, and a dan 102.

use std::time::Duration;

use super::handicap::handicap_pieces;
use super::human_error::HumanError;
use super::softmax::sample_by_softmax;
use super::static_choice::StaticChoice;
use crate::position::Position;
use crate::types::{Random, Score, mix64};

/// Weakest and strongest level of the USI option: kyu negative, dan positive.
const WEAKEST: i32 = -20;
const STRONGEST: i32 = 9;
/// Steps from the weakest level to 1 kyu; 1 dan is the next one, because there is no level 0.
const KYU_STEPS: i32 = -1 - WEAKEST;
/// The weakest level that searches deeper than one ply, and the steps to it from the weakest.
const WEAKEST_SEARCHER: i32 = -15;
const BEGINNER_STEPS: i32 = WEAKEST_SEARCHER - WEAKEST;

/// Nodes of the weakest level that searches: enough for all moves and some replies.
const WEAKEST_NODES: f64 = 1200.0;
/// Factor of the nodes for each kyu.
const NODES_PER_KYU: f64 = 1.107;
/// Factor of the nodes for each dan.
const NODES_PER_DAN: f64 = 1.25;
/// Each kyu below 1 kyu raises the temperature of the choice by this, in score units (0.3 pawns).
const TEMPERATURE_PER_KYU: f64 = 27.0;
const MIN_TEMPERATURE: f64 = 1.0;
/// Minimum temperature in the opening, so that a kyu level varies its openings.
const OPENING_TEMPERATURE: f64 = 30.0;
/// The same for a dan level in a handicap game, which the book does not cover: it loses about 2 units per move.
const HANDICAP_OPENING_TEMPERATURE: f64 = 10.0;
const OPENING_PLIES: u32 = 24;
/// Minimum number of lines to choose from. More would cost depth.
const MIN_CANDIDATES: usize = 5;
/// The weakest levels choose from more lines: one for every this many kyu below 1 kyu.
const KYU_PER_CANDIDATE: i32 = 2;
/// A line that is worse than the best by more than this, some nine pawns, is never chosen: it would be a
/// random blunder.
const MAX_LOSS: f64 = 800.0;
/// The temperature of a move without a search is this constant, plus a part of the temperature of the search.
const STATIC_TEMPERATURE: f64 = 40.0;
const STATIC_TEMPERATURE_PART: f64 = 0.5;
/// Below this many kyu a level plays on until it is mated, as beginners do. Stronger kyu resign late.
const RESIGNING_KYU: i32 = 9;
const LATE_RESIGNATION_FACTOR: i32 = 2;
/// Maximum time for a move, as people take.
const MAX_MOVE_TIME: Duration = Duration::from_millis(1500);
/// The time is also at most this share of the optimum time.
const SHARE_OF_OPTIMUM: f64 = 0.5;
/// The time varies from this share to all of it.
const MIN_TIME_SHARE: f64 = 0.6;

/// A playing strength below full strength, counted from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StrengthLevel(i32);

impl StrengthLevel {
    /// The level of a USI value, kyu negative and dan positive.
    pub(super) fn new(strength: i32) -> StrengthLevel {
        let strength = strength.clamp(WEAKEST, STRONGEST);
        StrengthLevel(strength - WEAKEST - i32::from(strength > 0))
    }

    /// The node budget. The first iteration is always finished; a beginner has no other.
    pub(super) fn nodes(self) -> u64 {
        if self.0 < BEGINNER_STEPS {
            return 0;
        }
        let kyu = self.0.min(KYU_STEPS);
        let dan = self.0 - kyu;
        let kyu = kyu - BEGINNER_STEPS;
        (WEAKEST_NODES * NODES_PER_KYU.powi(kyu) * NODES_PER_DAN.powi(dan)) as u64
    }

    /// Kyu below 1 kyu; 0 for a dan.
    fn kyu_below(self) -> i32 {
        (KYU_STEPS - self.0).max(0)
    }

    fn is_dan(self) -> bool {
        self.0 > KYU_STEPS
    }

    /// The errors of a player of this strength.
    pub(super) fn human_error(self) -> HumanError {
        HumanError::of_grade(self.0 - KYU_STEPS - 1)
    }

    /// A line that is worse than the best by this much is chosen 1/e times as often.
    fn temperature(self, position: &Position) -> f64 {
        let is_opening = position.game_ply() <= OPENING_PLIES;
        let minimum = if is_opening { self.opening_temperature(position) } else { MIN_TEMPERATURE };
        (TEMPERATURE_PER_KYU * f64::from(self.kyu_below())).max(minimum)
    }

    /// The minimum temperature in the opening.
    fn opening_temperature(self, position: &Position) -> f64 {
        if !self.is_dan() {
            OPENING_TEMPERATURE
        } else if handicap_pieces(position).is_empty() {
            MIN_TEMPERATURE
        } else {
            HANDICAP_OPENING_TEMPERATURE
        }
    }

    /// The choice of a move without a search.
    pub(super) fn static_choice(self) -> StaticChoice {
        let part = STATIC_TEMPERATURE_PART * TEMPERATURE_PER_KYU * f64::from(self.kyu_below());
        StaticChoice {
            reply_weight: self.human_error().reply_weight(),
            temperature: STATIC_TEMPERATURE + part,
        }
    }

    /// Number of lines among which to choose.
    pub(super) fn candidates(self) -> usize {
        MIN_CANDIDATES.max((self.kyu_below() / KYU_PER_CANDIDATE) as usize)
    }

    /// Whether this level uses the opening book.
    pub(super) fn uses_book(self) -> bool {
        self.is_dan()
    }

    /// The centipawns behind at which this level resigns if the option says `value`; `None` for never.
    pub(super) fn resigns_at(self, value: i32) -> Option<i32> {
        match self {
            level if level.is_dan() => Some(value),
            level if level.kyu_below() < RESIGNING_KYU => {
                Some(value.saturating_mul(LATE_RESIGNATION_FACTOR))
            }
            _ => None,
        }
    }

    /// The time for a move for which full strength would take `optimum_ms`. It varies with the key of the
    /// position.
    pub(super) fn move_time_ms(self, optimum_ms: f64, key: u64) -> f64 {
        let time_ms = (optimum_ms * SHARE_OF_OPTIMUM).min(MAX_MOVE_TIME.as_secs_f64() * 1000.0);
        time_ms * (MIN_TIME_SHARE + (1.0 - MIN_TIME_SHARE) * Random::new(mix64(key)).unit())
    }

    /// The index of the line to play in the position. `scores` are those of the lines, best first; one of `None`
    /// is never played. There must be a score.
    pub(super) fn choose(
        self,
        scores: &[Option<Score>],
        position: &Position,
        random: &mut Random,
    ) -> usize {
        let value = |score: &Option<Score>| score.map_or(f64::NEG_INFINITY, |score| score.0.into());
        let values: Vec<f64> = scores.iter().map(value).collect();
        sample_by_softmax(&values, self.temperature(position), MAX_LOSS, random).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of an even game, as if at this ply.
    fn even(ply: u32) -> Position {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        Position::from_sfen(&format!("{start} {ply}")).unwrap()
    }

    /// A ply after the opening.
    const LATE: u32 = 60;

    #[test]
    fn every_level_from_15_kyu_searches_more_than_the_one_below_and_beginners_one_ply() {
        let nodes = |level| StrengthLevel::new(level).nodes();
        let levels: Vec<i32> = (WEAKEST_SEARCHER..=STRONGEST).filter(|&level| level != 0).collect();
        for pair in levels.windows(2) {
            assert!(nodes(pair[0]) < nodes(pair[1]), "{pair:?}");
        }
        assert_eq!([-20, -16, -15, -1, 9].map(nodes), [0, 0, 1200, 4980, 37105]);
    }

    #[test]
    fn the_choice_of_moves_narrows_with_each_level_up_to_1_kyu() {
        let position = even(LATE);
        let temperatures: Vec<f64> =
            (WEAKEST..=-1).map(|kyu| StrengthLevel::new(kyu).temperature(&position)).collect();
        assert!(temperatures.is_sorted_by(|wide, narrow| wide > narrow), "{temperatures:?}");
        assert_eq!((temperatures[19], StrengthLevel::new(1).temperature(&position)), (1.0, 1.0));
        let counts: Vec<usize> =
            (WEAKEST..=1).map(|kyu| StrengthLevel::new(kyu).candidates()).collect();
        assert!(counts.is_sorted_by(|many, fewer| many >= fewer), "{counts:?}");
        assert_eq!((counts[5], counts[19], StrengthLevel::new(9).candidates()), (7, 5, 5));
    }

    #[test]
    fn kyu_levels_vary_their_openings_and_dan_levels_use_the_book() {
        let temperature =
            |level, position: Position| StrengthLevel::new(level).temperature(&position);
        assert_eq!([1, LATE].map(|ply| temperature(-1, even(ply))), [OPENING_TEMPERATURE, 1.0]);
        assert_eq!(temperature(1, even(1)), 1.0);
        let uses = |level| StrengthLevel::new(level).uses_book();
        assert_eq!([-20, -1, 1, 9].map(uses), [false, false, true, true]);
    }

    /// Regression: the book has no handicap games, so a dan level opened them alike.
    #[test]
    fn dan_levels_vary_the_openings_of_handicap_games() {
        let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -";
        let handicap = |ply: u32| Position::from_sfen(&format!("{start} {ply}")).unwrap();
        let temperatures = |level| {
            let level = StrengthLevel::new(level);
            [1, LATE].map(|ply| level.temperature(&handicap(ply)))
        };
        assert_eq!(temperatures(STRONGEST), [HANDICAP_OPENING_TEMPERATURE, 1.0]);
        assert_eq!(temperatures(-1), [OPENING_TEMPERATURE, 1.0]);
    }

    #[test]
    fn the_strongest_level_plays_the_best_move_and_a_weak_one_varies() {
        let scores = [100, 60, 20, -701].map(|score| Some(Score(score)));
        let (mut random, position) = (Random::new(3), even(LATE));
        let mut picks = |strength| {
            let mut counts = [0; 4];
            let level = StrengthLevel::new(strength);
            (0..1000).for_each(|_| counts[level.choose(&scores, &position, &mut random)] += 1);
            counts
        };
        assert_eq!(picks(STRONGEST), [1000, 0, 0, 0]);
        let weak = picks(WEAKEST);
        assert!(weak[0] > weak[1] && weak[1] > weak[2] && weak[2] > 100, "{weak:?}");
        assert_eq!(weak[3], 0, "a blunder is never chosen");
    }

    #[test]
    fn beginners_never_resign_and_other_kyu_levels_resign_late() {
        let resigns = |level| StrengthLevel::new(level).resigns_at(3000);
        assert_eq!([-20, -10].map(resigns), [None, None]);
        assert_eq!([-9, -1, 1].map(resigns), [Some(6000), Some(6000), Some(3000)]);
        assert_eq!(StrengthLevel::new(-1).resigns_at(i32::MAX), Some(i32::MAX));
    }

    #[test]
    fn the_time_of_a_level_for_a_move_varies_within_human_and_planned_limits() {
        let level = StrengthLevel::new(-5);
        let times: Vec<f64> = (0..100).map(|key| level.move_time_ms(200.0, key)).collect();
        assert!(times.iter().all(|time| (60.0..=100.0).contains(time)), "{times:?}");
        assert!(times.iter().any(|time| *time < 70.0) && times.iter().any(|time| *time > 90.0));
        assert!((0..100).all(|key| level.move_time_ms(60_000.0, key) <= 1500.0));
    }
}
