//! What is learned from a move that a search found best: the position behind it is worth more than
//! those behind other moves (comparison training: Tesauro, NIPS 1988; in shogi the method of Bonanza:
//! Hoki and Kaneko, JAIR 2014).
//!
//! A search chooses among some eighty moves and so says more than by its score: what its net does not
//! know yet shows in the choice. Only quiet moves that lose nothing at once are compared, since the
//! others are for the search to see. The best move is chosen with a probability proportional to
//! `exp(sharpness * value)` among itself and some rivals drawn at random.

use std::ops::Range;

use super::sample::TrainingSample;
use crate::nnue::Buckets;
use crate::position::Position;
use crate::tools::game_file::is_quiet;
use crate::types::{Move, Random};

/// How moves are compared.
#[derive(Debug)]
pub(super) struct RankingLoss {
    /// How much a comparison counts, beside the position's own label.
    pub(super) weight: f32,
    /// Moves that the best one is compared with.
    pub(super) rivals: usize,
    pub(super) sharpness: f32,
    /// Which stack judges the positions behind the moves.
    pub(super) buckets: Buckets,
    pub(super) seed: u64,
}

/// What a step learns of some positions: their labels, and the comparisons of positions behind their
/// moves.
#[derive(Debug)]
pub(super) struct MicroBatch {
    /// Those with labels first.
    pub(super) samples: Vec<TrainingSample>,
    pub(super) labelled: usize,
    /// Of each comparison the numbers of its samples, that behind the best move first.
    pub(super) comparisons: Vec<Range<usize>>,
}

impl MicroBatch {
    /// Positions of which the labels alone are learned.
    pub(super) fn of_labels(samples: impl Iterator<Item = TrainingSample>) -> MicroBatch {
        let samples: Vec<TrainingSample> = samples.collect();
        MicroBatch { labelled: samples.len(), samples, comparisons: Vec::new() }
    }

    /// Adds a comparison for each position that gives one. What is drawn for the position of number
    /// `n` follows from `draw(n)`.
    pub(super) fn compare(&mut self, comparison: &RankingLoss, draw: impl Fn(usize) -> Random) {
        for number in 0..self.labelled {
            let sample = self.samples[number];
            let first = self.samples.len();
            comparison.add(&sample, &mut draw(number), &mut self.samples);
            if self.samples.len() > first {
                self.comparisons.push(first..self.samples.len());
            }
        }
    }
}

impl RankingLoss {
    /// Positions that a sample adds at most.
    pub(super) fn most(&self) -> usize {
        self.rivals + 1
    }

    /// Adds the positions behind the best move and behind its rivals, or none if there is nothing to
    /// compare.
    fn add(&self, sample: &TrainingSample, random: &mut Random, to: &mut Vec<TrainingSample>) {
        if !sample.best.is_some() {
            return;
        }
        let mut position = sample.position();
        if !is_calm(&position, sample.best) {
            return;
        }
        let mut rivals: Vec<Move> =
            position.useful_moves().moves().filter(|&mv| mv != sample.best).collect();
        let first = to.len();
        to.push(self.behind(&mut position, sample.best));
        while to.len() - first <= self.rivals && !rivals.is_empty() {
            let mv = rivals.swap_remove(random.below(rivals.len()));
            if is_calm(&position, mv) {
                to.push(self.behind(&mut position, mv));
            }
        }
        if to.len() - first == 1 {
            to.truncate(first);
        }
    }

    /// The position behind a move.
    fn behind(&self, position: &mut Position, mv: Move) -> TrainingSample {
        position.do_move(mv);
        let behind = TrainingSample::unlabelled(position, &self.buckets);
        position.undo_move(mv);
        behind
    }

    /// The cost of a comparison and its derivatives by the outputs, which are those for the opponent,
    /// who is to move behind the moves. The best move is the first.
    pub(super) fn cost(&self, outputs: &[f32]) -> (f32, Vec<f32>) {
        let least = outputs.iter().copied().fold(f32::INFINITY, f32::min);
        let shares: Vec<f32> =
            outputs.iter().map(|output| (self.sharpness * (least - output)).exp()).collect();
        let sum: f32 = shares.iter().sum();
        let cost = sum.ln() - self.sharpness * (least - outputs[0]);
        let slope = |(at, share): (usize, &f32)| {
            let is_best = if at == 0 { 1.0 } else { 0.0 };
            self.sharpness * (is_best - share / sum)
        };
        (cost, shares.iter().enumerate().map(slope).collect())
    }
}

/// Whether a legal move is quiet, gives no check, and loses nothing where it goes.
fn is_calm(position: &Position, mv: Move) -> bool {
    is_quiet(position, mv) && !position.gives_check(mv) && position.see_ge(mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::train::sample::Label;

    fn comparison(rivals: usize) -> RankingLoss {
        RankingLoss { weight: 1.0, rivals, sharpness: 3.0, buckets: Buckets::One, seed: 1 }
    }

    fn sample(sfen: &str, best: &str) -> TrainingSample {
        let position = Position::from_sfen(sfen).unwrap();
        let label = Label { score: 0, result: 0 };
        let best = best.parse().unwrap();
        TrainingSample { label, best, ..TrainingSample::unlabelled(&position, &Buckets::One) }
    }

    fn texts(lesson: &MicroBatch) -> Vec<String> {
        lesson.samples.iter().map(|sample| sample.position().to_sfen()).collect()
    }

    const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_best_move_comes_first_and_every_rival_once() {
        let mut lesson = MicroBatch::of_labels([sample(STARTPOS, "2g2f")].into_iter());
        lesson.compare(&comparison(100), |number| Random::new(number as u64));
        assert_eq!((lesson.comparisons.len(), lesson.comparisons[0].clone()), (1, 1..31));
        let mut behind = texts(&lesson)[1..].to_vec();
        let mut start = Position::startpos();
        start.do_move("2g2f".parse().unwrap());
        assert!(behind[0].starts_with(start.to_sfen().split(' ').next().unwrap()));
        behind.sort();
        behind.dedup();
        assert_eq!(behind.len(), 30);
        assert!(behind.iter().all(|sfen| sfen.contains(" w ")));
        let mut few = MicroBatch::of_labels([sample(STARTPOS, "2g2f")].into_iter());
        few.compare(&comparison(4), |number| Random::new(number as u64));
        assert_eq!(few.comparisons[0], 1..6);
    }

    #[test]
    fn captures_checks_and_moves_that_lose_a_piece_are_not_compared() {
        let king_and_rook = "4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1";
        for best in ["5h5d", "5h2h", "5h5e"] {
            let mut lesson = MicroBatch::of_labels([sample(king_and_rook, best)].into_iter());
            lesson.compare(&comparison(100), |number| Random::new(number as u64));
            let is_calm = best == "5h2h";
            assert_eq!(lesson.comparisons.len(), usize::from(is_calm), "{best}");
            for sample in &lesson.samples[1..] {
                let position = sample.position();
                assert!(!position.in_check());
                assert!(position.to_sfen().starts_with("4k4/9/9/4p4/9/"));
            }
        }
    }

    #[test]
    fn moves_that_the_search_never_makes_are_no_rivals() {
        let rook_at_the_zone = "4k4/9/9/8R/9/9/9/9/4K4 b - 1";
        let mut lesson = MicroBatch::of_labels([sample(rook_at_the_zone, "1d2d")].into_iter());
        lesson.compare(&comparison(100), |number| Random::new(number as u64));
        assert_eq!(lesson.comparisons.len(), 1);
        let unpromoted = |sfen: &String| {
            let board = sfen.split(' ').next().unwrap();
            board.split('/').take(3).any(|row| row.contains('R') && !row.contains("+R"))
        };
        assert_eq!(texts(&lesson)[1..].iter().filter(|sfen| unpromoted(sfen)).count(), 0);
    }

    #[test]
    fn slopes_are_those_of_the_cost() {
        let comparison = comparison(3);
        let outputs = [0.3, -0.2, 0.9, 0.1];
        let (_, slopes) = comparison.cost(&outputs);
        for (at, slope) in slopes.iter().enumerate() {
            let at_distance = |distance: f32| {
                let mut outputs = outputs;
                outputs[at] += distance;
                comparison.cost(&outputs).0
            };
            let expected = (at_distance(1e-2) - at_distance(-1e-2)) / 2e-2;
            assert!((slope - expected).abs() < 1e-2, "{at}: {slope} {expected}");
        }
        assert!(slopes.iter().sum::<f32>().abs() < 1e-5);
        let (sure, _) = comparison.cost(&[-9.0, 9.0]);
        let (wrong, _) = comparison.cost(&[9.0, -9.0]);
        assert!(sure < 1e-6 && (wrong - 54.0).abs() < 1e-3);
    }
}
