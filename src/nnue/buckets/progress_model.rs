//! The progress of the game (進行度): a linear model over the features of `HalfKP`, summed over both
//! perspectives. Only integers are added, so every machine finds the same stage.

use crate::nnue::architecture::{FE_END, FeatureSet};
use crate::nnue::features::{FeatureIndexer, FeatureScheme, IndexList, MAX_ACTIVE};
use crate::nnue::placed_piece::{DirtyPlacedPiece, for_each_piece, missing_pieces, oriented_king};
use crate::position::Position;
use crate::types::{Color, Square};

/// The scale of the sums, which are fixed-point numbers with 16 fractional bits (`_q16`).
const ONE_Q16: f64 = 65_536.0;

/// A linear model of the logit of progress, in units of 1/65536.
pub struct ProgressModel {
    bias: i64,
    /// `[81][1548]`: own king, BonaPiece.
    weights: Vec<i32>,
}

impl ProgressModel {
    /// Number of weights: one per square of the own king and BonaPiece.
    pub const WEIGHTS: usize = 81 * FE_END;

    /// The model embedded in a network.
    ///
    /// # Panics
    /// Unless there are [`ProgressModel::WEIGHTS`].
    pub fn embedded(bias_q16: i32, weights_q16: Vec<i32>) -> ProgressModel {
        assert_eq!(weights_q16.len(), ProgressModel::WEIGHTS);
        ProgressModel { bias: i64::from(bias_q16), weights: weights_q16 }
    }

    /// The model of a separate file (`progress.bin`): floating point without bias, rounded as by
    /// tanuki-. NaN counts as zero.
    ///
    /// # Panics
    /// Unless there are [`ProgressModel::WEIGHTS`].
    pub fn external(weights: Vec<f64>) -> ProgressModel {
        // The cast saturates.
        let weights = weights.into_iter().map(|weight| (weight * ONE_Q16).round() as i32).collect();
        ProgressModel::embedded(0, weights)
    }

    /// The progress sum of a position: the logit without the bias.
    pub(super) fn progress_q16(&self, position: &Position) -> i64 {
        Color::ALL.into_iter().map(|perspective| self.perspective_q16(perspective, position)).sum()
    }

    /// The progress sum of one perspective.
    pub(in crate::nnue) fn perspective_q16(&self, perspective: Color, position: &Position) -> i64 {
        let indexer = ProgressModel::indexer(perspective, oriented_king(position, perspective));
        let mut inputs = IndexList::<MAX_ACTIVE>::new();
        for_each_piece(position, |placed| indexer.append_active(placed, &mut inputs));
        let missing = missing_pieces(position) as i64;
        self.sum(&inputs) + missing * self.sum(&[indexer.missing_piece()])
    }

    /// How a changed piece changes the progress sum of the indexer's perspective.
    #[inline(always)]
    pub(in crate::nnue) fn change_q16(
        &self,
        indexer: &FeatureIndexer,
        dirty: &DirtyPlacedPiece,
    ) -> i64 {
        let (mut added, mut removed) = (IndexList::<1>::new(), IndexList::<1>::new());
        indexer.append_changed(dirty, &mut added, &mut removed);
        self.sum(&added) - self.sum(&removed)
    }

    /// The indexer of the weights for one perspective, while its king is on the oriented square
    /// `king`.
    #[inline(always)]
    pub(in crate::nnue) fn indexer(perspective: Color, king: Square) -> FeatureIndexer {
        FeatureScheme::of(FeatureSet::HalfKp).indexer(perspective, king)
    }

    #[inline(always)]
    fn sum(&self, inputs: &[u32]) -> i64 {
        inputs.iter().map(|&input| i64::from(self.weights[input as usize])).sum()
    }
}

impl std::fmt::Debug for ProgressModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgressModel").field("bias", &self.bias).finish_non_exhaustive()
    }
}

/// Progress divided into stages.
#[derive(Debug)]
pub struct ProgressStages {
    model: ProgressModel,
    /// The logits at which the second and all later stages begin, in units of 1/65536.
    begins: Vec<i64>,
}

impl ProgressStages {
    /// `count` stages of equal length, rounded to 1/256 of the game.
    pub(super) fn new(model: ProgressModel, count: usize) -> ProgressStages {
        let begin = |stage: usize| {
            let share = (256 * stage).div_ceil(count) as f64 / 256.0;
            ((share / (1.0 - share)).ln() * ONE_Q16).round() as i64
        };
        ProgressStages { model, begins: (1..count).map(begin).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.begins.len() + 1
    }

    pub(super) fn model(&self) -> &ProgressModel {
        &self.model
    }

    /// The stage for a progress sum.
    pub(super) fn of(&self, progress_q16: i64) -> usize {
        let logit = self.model.bias + progress_q16;
        self.begins.iter().filter(|&&begin| logit >= begin).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(model: ProgressModel, count: usize) -> ProgressStages {
        ProgressStages::new(model, count)
    }

    #[test]
    fn the_eight_progress_stages_have_the_published_limits() {
        let zero = || ProgressModel::embedded(0, vec![0; ProgressModel::WEIGHTS]);
        let begins = [-127_527, -71_999, -33_477, 0, 33_477, 71_999, 127_527];
        assert_eq!(stages(zero(), 8).begins, begins);
        assert_eq!(stages(zero(), 2).begins, [0]);
        // 86 and 171 of 256.
        assert_eq!(stages(zero(), 3).begins, [-44_660, 45_810]);
        assert_eq!(stages(zero(), 32).count(), 32);
    }

    #[test]
    fn the_bias_alone_decides_where_weights_are_zero() {
        let stage =
            |bias| stages(ProgressModel::embedded(bias, vec![0; ProgressModel::WEIGHTS]), 8).of(0);
        assert_eq!([i32::MIN, -127_528, -127_527, -1, 0, i32::MAX].map(stage), [0, 0, 1, 3, 4, 7]);
    }

    #[test]
    fn each_piece_counts_for_each_side_and_each_missing_one_too() {
        let ones = || ProgressModel::embedded(5, vec![1; ProgressModel::WEIGHTS]);
        let seen = |sfen| ones().progress_q16(&Position::from_sfen(sfen).unwrap());
        assert_eq!(ones().progress_q16(&Position::startpos()), 76);
        assert_eq!(seen("4k4/9/9/9/9/9/9/9/4K4 b 2P 1"), 76);
        assert_eq!(seen("4k4/9/9/9/9/9/9/9/9 b 2P 1"), 76);
        // Black's pawn on 7g with Black's king on 5i, and the same as White sees it.
        let mut weights = vec![0; ProgressModel::WEIGHTS];
        weights[44 * FE_END + 90 + 6 * 9 + 6] = 10;
        weights[44 * FE_END + 171 + 2 * 9 + 2] = 300;
        weights[44 * FE_END] = 7_000;
        let model = ProgressModel::embedded(0, weights);
        // All of White's pawns but the one opposite are elsewhere; so is Black's on 3g.
        let start = Position::startpos();
        assert_eq!(model.progress_q16(&start), 2 * (10 + 300));
        let fewer = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL w - 1";
        let fewer = Position::from_sfen(fewer).unwrap();
        assert_eq!(model.progress_q16(&fewer), 2 * (10 + 300) + 2 * 7_000);
    }

    #[test]
    fn floating_point_is_rounded_and_never_out_of_range() {
        let mut weights = vec![0.0; ProgressModel::WEIGHTS];
        weights[..6].copy_from_slice(&[
            1.0,
            -0.5 / 65_536.0,
            1e30,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-9,
        ]);
        let model = ProgressModel::external(weights);
        assert_eq!(model.weights[..6], [65_536, -1, i32::MAX, i32::MIN, 0, 0]);
    }
}
