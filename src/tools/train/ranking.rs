//! The ranking loss: the position after the best move of a search should be worth more than those
//! after other moves (comparison training: Tesauro, NIPS 1988; in shogi the method of Bonanza: Hoki
//! and Kaneko, JAIR 2014).
//!
//! A search selects among some eighty moves, so its choice contains more information than its score. Only
//! quiet moves that lose no material at once are compared; the others are left to the search. The loss is the
//! cross-entropy of a softmax over `sharpness * value` of the best move and some randomly chosen
//! negatives.

use std::ops::Range;

use super::sample::TrainingSample;
use crate::nnue::Buckets;
use crate::position::Position;
use crate::tools::game_file::is_quiet;
use crate::types::{Move, Random};

/// The ranking loss and its parameters.
#[derive(Debug)]
pub(super) struct RankingLoss {
    /// The weight relative to the loss of a label.
    pub(super) weight: f32,
    /// The number of other moves that the best one is compared with.
    pub(super) negatives: usize,
    pub(super) sharpness: f32,
    /// Select the layer stack of the positions after the moves.
    pub(super) buckets: Buckets,
    pub(super) seed: u64,
}

/// The samples of a micro-batch: positions with labels, and groups of positions to rank.
#[derive(Debug)]
pub(super) struct MicroBatch {
    /// Samples with labels come first.
    pub(super) samples: Vec<TrainingSample>,
    pub(super) labelled: usize,
    /// The samples of each comparison, that after the best move first.
    pub(super) comparisons: Vec<Range<usize>>,
}

impl MicroBatch {
    /// A micro-batch without comparisons.
    pub(super) fn labelled(samples: impl Iterator<Item = TrainingSample>) -> MicroBatch {
        let samples: Vec<TrainingSample> = samples.collect();
        MicroBatch { labelled: samples.len(), samples, comparisons: Vec::new() }
    }

    /// Adds a comparison for each position that allows one. `draw(n)` is the generator of position
    /// `n`.
    pub(super) fn add_comparisons(
        &mut self,
        ranking: &RankingLoss,
        draw: impl Fn(usize) -> Random,
    ) {
        for number in 0..self.labelled {
            let sample = self.samples[number];
            let first = self.samples.len();
            ranking.add(&sample, &mut draw(number), &mut self.samples);
            if self.samples.len() > first {
                self.comparisons.push(first..self.samples.len());
            }
        }
    }
}

impl RankingLoss {
    /// Maximum number of positions that a sample adds.
    pub(super) fn max_samples(&self) -> usize {
        self.negatives + 1
    }

    /// Adds the positions after the best move and after the negatives, or none if there is nothing
    /// to compare.
    fn add(&self, sample: &TrainingSample, random: &mut Random, to: &mut Vec<TrainingSample>) {
        if sample.best.is_none() {
            return;
        }
        let mut position = sample.position();
        if !is_comparable(&position, sample.best) {
            return;
        }
        let mut negatives: Vec<Move> =
            position.useful_moves().moves().filter(|&mv| mv != sample.best).collect();
        let first = to.len();
        to.push(self.after(&mut position, sample.best));
        while to.len() - first <= self.negatives && !negatives.is_empty() {
            let mv = negatives.swap_remove(random.below(negatives.len()));
            if is_comparable(&position, mv) {
                to.push(self.after(&mut position, mv));
            }
        }
        if to.len() - first == 1 {
            to.truncate(first);
        }
    }

    /// The position after a move.
    fn after(&self, position: &mut Position, mv: Move) -> TrainingSample {
        position.do_move(mv);
        let after = TrainingSample::unlabelled(position, &self.buckets);
        position.undo_move(mv);
        after
    }

    /// The loss of a comparison, and its gradient with respect to the outputs of the network: one output
    /// for the position after each move, the best move first, from the view of the opponent, who is to move.
    pub(super) fn with_gradient(&self, outputs: &[f32]) -> (f32, Vec<f32>) {
        let smallest = outputs.iter().copied().fold(f32::INFINITY, f32::min);
        let shares: Vec<f32> =
            outputs.iter().map(|output| (self.sharpness * (smallest - output)).exp()).collect();
        let sum: f32 = shares.iter().sum();
        let loss = sum.ln() - self.sharpness * (smallest - outputs[0]);
        let grad = |(at, share): (usize, &f32)| {
            let is_best = if at == 0 { 1.0 } else { 0.0 };
            self.sharpness * (is_best - share / sum)
        };
        (loss, shares.iter().enumerate().map(grad).collect())
    }
}

/// Whether comparisons include this legal move: it is quiet, gives no check, and loses no material by static exchange.
fn is_comparable(position: &Position, mv: Move) -> bool {
    is_quiet(position, mv) && !position.gives_check(mv) && position.see_ge(mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::train::sample::Label;

    fn ranking(negatives: usize) -> RankingLoss {
        RankingLoss { weight: 1.0, negatives, sharpness: 3.0, buckets: Buckets::One, seed: 1 }
    }

    fn sample(sfen: &str, best: &str) -> TrainingSample {
        let position = Position::from_sfen(sfen).unwrap();
        let label = Label { score: 0, result: 0 };
        let best = best.parse().unwrap();
        TrainingSample { label, best, ..TrainingSample::unlabelled(&position, &Buckets::One) }
    }

    fn texts(micro_batch: &MicroBatch) -> Vec<String> {
        micro_batch.samples.iter().map(|sample| sample.position().to_sfen()).collect()
    }

    const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_best_move_comes_first_and_every_negative_once() {
        let mut micro_batch = MicroBatch::labelled([sample(STARTPOS, "2g2f")].into_iter());
        micro_batch.add_comparisons(&ranking(100), |number| Random::new(number as u64));
        assert_eq!((micro_batch.comparisons.len(), micro_batch.comparisons[0].clone()), (1, 1..31));
        let mut after = texts(&micro_batch)[1..].to_vec();
        let mut start = Position::startpos();
        start.do_move("2g2f".parse().unwrap());
        assert!(after[0].starts_with(start.to_sfen().split(' ').next().unwrap()));
        after.sort();
        after.dedup();
        assert_eq!(after.len(), 30);
        assert!(after.iter().all(|sfen| sfen.contains(" w ")));
        let mut few = MicroBatch::labelled([sample(STARTPOS, "2g2f")].into_iter());
        few.add_comparisons(&ranking(4), |number| Random::new(number as u64));
        assert_eq!(few.comparisons[0], 1..6);
    }

    #[test]
    fn captures_checks_and_moves_that_lose_a_piece_are_not_compared() {
        let king_and_rook = "4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1";
        for best in ["5h5d", "5h2h", "5h5e"] {
            let mut micro_batch = MicroBatch::labelled([sample(king_and_rook, best)].into_iter());
            micro_batch.add_comparisons(&ranking(100), |number| Random::new(number as u64));
            let is_comparable = best == "5h2h";
            assert_eq!(micro_batch.comparisons.len(), usize::from(is_comparable), "{best}");
            for sample in &micro_batch.samples[1..] {
                let position = sample.position();
                assert!(!position.in_check());
                assert!(position.to_sfen().starts_with("4k4/9/9/4p4/9/"));
            }
        }
    }

    #[test]
    fn moves_that_the_search_never_makes_are_no_negatives() {
        let rook_at_the_zone = "4k4/9/9/8R/9/9/9/9/4K4 b - 1";
        let mut micro_batch = MicroBatch::labelled([sample(rook_at_the_zone, "1d2d")].into_iter());
        micro_batch.add_comparisons(&ranking(100), |number| Random::new(number as u64));
        assert_eq!(micro_batch.comparisons.len(), 1);
        let unpromoted = |sfen: &String| {
            let board = sfen.split(' ').next().unwrap();
            board.split('/').take(3).any(|row| row.contains('R') && !row.contains("+R"))
        };
        assert_eq!(texts(&micro_batch)[1..].iter().filter(|sfen| unpromoted(sfen)).count(), 0);
    }

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let ranking = ranking(3);
        let outputs = [0.3, -0.2, 0.9, 0.1];
        let (_, grads) = ranking.with_gradient(&outputs);
        for (at, grad) in grads.iter().enumerate() {
            let at_distance = |distance: f32| {
                let mut outputs = outputs;
                outputs[at] += distance;
                ranking.with_gradient(&outputs).0
            };
            let expected = (at_distance(1e-2) - at_distance(-1e-2)) / 2e-2;
            assert!((grad - expected).abs() < 1e-2, "{at}: {grad} {expected}");
        }
        assert!(grads.iter().sum::<f32>().abs() < 1e-5);
        let (sure, _) = ranking.with_gradient(&[-9.0, 9.0]);
        let (wrong, _) = ranking.with_gradient(&[9.0, -9.0]);
        assert!(sure < 1e-6 && (wrong - 54.0).abs() < 1e-3);
    }
}
