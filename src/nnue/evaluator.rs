//! The evaluation of positions along a line of the search, for one thread.
//!
//! Puts the parts together: accumulators, the choice of a layer stack, the layers, the divisor.

use std::sync::Arc;

use super::accumulator::AccumulatorStack;
use super::architecture::Topology;
use super::network::Network;
use crate::position::{Delta, Position};
use crate::types::Score;

/// Evaluates positions with a network; one per search thread.
///
/// After each `do_move` comes a `push`, after each null move a `push_null`, and with each undo a
/// `pop`. A `pop` too many is a bug of the caller and panics.
#[derive(Debug)]
pub struct Evaluator {
    network: Network,
    accumulators: AccumulatorStack,
}

impl Evaluator {
    /// An evaluator at this position, with room for the deepest line.
    ///
    /// # Panics
    /// If there is no memory for the accumulators, some megabytes.
    pub fn new(network: Network, position: &Position) -> Evaluator {
        let accumulators =
            AccumulatorStack::new(&network.net).expect("some megabytes of memory are there");
        let mut evaluator = Evaluator { network, accumulators };
        evaluator.reset(position);
        evaluator
    }

    /// An evaluator at this position. Reuses the memory and the refresh cache of an earlier one if
    /// it has the same net and kernels.
    pub fn reuse(old: Option<Evaluator>, network: &Network, position: &Position) -> Evaluator {
        let fits = |old: &Evaluator| {
            Arc::ptr_eq(&old.network.net, &network.net)
                && old.network.kernels.isa() == network.kernels.isa()
        };
        let Some(mut evaluator) = old.filter(fits) else {
            return Evaluator::new(network.clone(), position);
        };
        evaluator.network.scale = network.scale;
        evaluator.reset(position);
        evaluator
    }

    /// Begins a new line at this position. Computes its accumulators at once: a search that takes the
    /// value of its root from the transposition table would never ask for them, and then no position
    /// below could be updated incrementally.
    pub fn reset(&mut self, position: &Position) {
        self.accumulators.reset(position);
        self.accumulators.update(&self.network.net, &self.network.kernels, position);
    }

    /// Follows a move: `delta` is what `do_move` returned. Accumulators are updated when they are
    /// needed.
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

    /// The score of the position for the side to move. `position` is the one that the pushes and
    /// pops have led to.
    #[inline(always)]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let output = self.output(position);
        self.network.score(output)
    }

    /// The output of the net for the side to move, before the division by the scale.
    #[inline(always)]
    pub fn output(&mut self, position: &Position) -> i32 {
        let Network { net, kernels, .. } = &self.network;
        let net = &**net;
        self.accumulators.update(net, kernels, position);
        let sums = self.accumulators.sums();
        let (own, other) = (sums[position.side_to_move()], sums[!position.side_to_move()]);
        match net.architecture.topology {
            Topology::Classic => kernels.classic(&net.stacks[0], own, other),
            Topology::Sfnn { .. } => {
                let stack = net.buckets.index_at(position, self.accumulators.seen_q16());
                kernels.sfnn(&net.stacks[stack], own, other)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{
        Architecture, Buckets, FeatureSet, Net, ProgressModel, ProgressModelParameters, RandomNet,
    };
    use crate::types::Color;

    /// Where the table knows the value of the root, nobody asks the net for it.
    #[test]
    fn positions_below_a_root_that_was_never_judged_begin_from_its_sums() {
        let mut position = Position::startpos();
        let mut evaluator = Evaluator::new(Network::built_in(), &position);
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
            let mut evaluator = Evaluator::new(Network::new(Arc::clone(&net)), &position);
            let check = |evaluator: &mut Evaluator, position: &Position| {
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
