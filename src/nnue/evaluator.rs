//! A net at work for one thread: what a position is worth, along the line being searched.
//!
//! Owns nothing but how the parts go together: accumulators, the choice of a stack, the layers.

use std::sync::Arc;

use super::accumulator::AccumulatorStack;
use super::architecture::Topology;
use super::kernels::Kernels;
use super::net::Net;
use crate::position::{Delta, Position};

/// Judges positions by a net; one per worker.
///
/// After each `do_move` comes a `push`, after each null move a `push_null`, and with each undo a
/// `pop`. A `pop` too many is a bug of the caller and panics.
#[derive(Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    kernels: Kernels,
    accumulators: AccumulatorStack,
}

impl NetEvaluator {
    /// An evaluator at this position, with room for the deepest line.
    ///
    /// # Panics
    /// If there is no memory for the sums, some megabytes.
    pub fn new(net: Arc<Net>, kernels: Kernels, position: &Position) -> NetEvaluator {
        let accumulators = AccumulatorStack::new(&net).expect("some megabytes of memory are there");
        let mut evaluator = NetEvaluator { net, kernels, accumulators };
        evaluator.reset(position);
        evaluator
    }

    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// Begins a new line at this position, whose sums are computed at once: a search that knows the
    /// value of its root from the table would never ask for them, and then each position below
    /// would have no sums to begin from.
    pub fn reset(&mut self, position: &Position) {
        self.accumulators.reset(position);
        self.accumulators.update(&self.net, &self.kernels, position);
    }

    /// Follows a move: `delta` is what `do_move` returned. Costs next to nothing; sums are computed
    /// when they are needed.
    #[inline(always)]
    pub fn push(&mut self, delta: &Delta) {
        self.accumulators.push(delta);
    }

    /// Follows a null move.
    #[inline(always)]
    pub fn push_null(&mut self) {
        self.accumulators.push_null();
    }

    /// Goes back by one move or null move.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The output of the net for the side to move, as it is: what makes a score of it is the
    /// net's scale. `position` is the one that the pushes and pops have led to.
    #[inline(always)]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let net = &*self.net;
        self.accumulators.update(net, &self.kernels, position);
        let sums = self.accumulators.sums();
        let (own, other) = (sums[position.side_to_move()], sums[!position.side_to_move()]);
        match net.architecture.topology {
            Topology::Classic => self.kernels.classic(&net.stacks[0], own, other),
            Topology::Sfnn { .. } => {
                let stack = net.buckets.index_at(position, self.accumulators.seen_q16());
                self.kernels.sfnn(&net.stacks[stack], own, other)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{
        Architecture, Buckets, FeatureSet, ProgressModel, ProgressModelParameters, RandomNet,
        built_in,
    };
    use crate::types::Color;

    /// Where the table knows the value of the root, nobody asks the net for it.
    #[test]
    fn positions_below_a_root_that_was_never_judged_begin_from_its_sums() {
        let mut position = Position::startpos();
        let mut evaluator = NetEvaluator::new(built_in(), Kernels::best(), &position);
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            let delta = position.do_move(mv.parse().unwrap());
            evaluator.push(&delta);
        }
        assert!(evaluator.accumulators.can_follow());
    }

    fn by_progress(features: FeatureSet) -> Arc<Net> {
        let topology = Topology::Sfnn { stacks: 8, shortcut: true };
        let architecture = Architecture { features, width: 64, h1: 7, h2: 8, topology };
        let random = RandomNet { progress: true, ..RandomNet::new(architecture, 1) };
        let ProgressModelParameters { bias, weights } = random.parameters().progress.unwrap();
        let progress = ProgressModel::embedded(bias, weights);
        Arc::new(random.net(Buckets::parse("progress8", Some(progress)).unwrap()).unwrap())
    }

    /// With sums that ask for the king and with such that do not.
    #[test]
    fn progress_that_is_kept_along_a_line_is_that_of_each_position() {
        for features in [FeatureSet::HalfKaHm2, FeatureSet::KA2] {
            let net = by_progress(features);
            let mut position = Position::startpos();
            let mut evaluator = NetEvaluator::new(Arc::clone(&net), Kernels::best(), &position);
            let check = |evaluator: &mut NetEvaluator, position: &Position| {
                evaluator.evaluate(position);
                let progress = net.buckets.progress().unwrap();
                let afresh = Color::ALL.map(|view| progress.seen_by_q16(view, position));
                let (kept, afresh) = (evaluator.accumulators.seen_q16(), afresh[0] + afresh[1]);
                assert_eq!(kept, afresh, "{features:?} {}", position.to_sfen());
            };
            let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "5a4b", "5i6h"];
            for (n, mv) in (1..).zip(moves) {
                evaluator.push(&position.do_move(mv.parse().unwrap()));
                // Not all, so that some are several moves away from the last that was judged.
                if n % 3 != 1 {
                    check(&mut evaluator, &position);
                }
            }
            position.do_null_move();
            evaluator.push_null();
            evaluator.push(&position.do_move("5e2b+".parse().unwrap()));
            check(&mut evaluator, &position);
        }
    }
}
