//! The evaluator of one thread: evaluates positions along the line being searched.

use std::sync::Arc;

use super::accumulator::AccumulatorStack;
use super::architecture::Topology;
use super::network::Network;
use crate::position::{DirtyPieces, Position};
use crate::types::Score;

/// A network with the accumulators of one thread.
///
/// Call `push` after each `do_move`, `push_null` after each null move, and `pop` with each undo. A
/// `pop` without a `push` panics.
#[derive(Debug)]
pub struct Evaluator {
    network: Network,
    accumulators: AccumulatorStack,
}

impl Evaluator {
    /// An evaluator at this position, with room for lines of `MAX_PLY` moves.
    ///
    /// # Panics
    /// If some megabytes of memory cannot be allocated.
    pub fn new(network: Network, position: &Position) -> Evaluator {
        let accumulators =
            AccumulatorStack::new(&network.weights).expect("some megabytes of memory");
        let mut evaluator = Evaluator { network, accumulators };
        evaluator.reset(position);
        evaluator
    }

    /// An evaluator at this position. Reuses the memory and the refresh cache of an earlier one if
    /// it has the same network and kernels.
    pub fn reuse(old: Option<Evaluator>, network: &Network, position: &Position) -> Evaluator {
        let fits = |old: &Evaluator| {
            Arc::ptr_eq(&old.network.weights, &network.weights)
                && old.network.kernels.isa() == network.kernels.isa()
        };
        let Some(mut evaluator) = old.filter(fits) else {
            return Evaluator::new(network.clone(), position);
        };
        evaluator.network.fv_scale = network.fv_scale;
        evaluator.reset(position);
        evaluator
    }

    /// Begins a new line at this position and computes its accumulators at once: a search that takes the evaluation
    /// of its root from the transposition table would never ask for them, and then no position below could be
    /// updated incrementally.
    pub fn reset(&mut self, position: &Position) {
        self.accumulators.reset(position);
        self.accumulators.update(&self.network.weights, &self.network.kernels, position);
    }

    /// Appends a move to the line; `dirty` is what `do_move` returned. Accumulators are computed
    /// later, if needed.
    #[inline(always)]
    pub fn push(&mut self, dirty: &DirtyPieces) {
        self.accumulators.push(dirty);
    }

    /// Appends a null move to the line.
    #[inline(always)]
    pub fn push_null(&mut self) {
        self.accumulators.push_null();
    }

    /// Removes the last move or null move from the line.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The score of the position for the side to move. `position` must be the end of the line.
    #[inline(always)]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let output = self.output(position);
        self.network.score(output)
    }

    /// The output of the network for the side to move, before the division by `FV_SCALE`.
    #[inline(always)]
    pub fn output(&mut self, position: &Position) -> i32 {
        let Network { weights, kernels, .. } = &self.network;
        let weights = &**weights;
        self.accumulators.update(weights, kernels, position);
        let (us, them) = (position.side_to_move(), !position.side_to_move());
        let accumulators = self.accumulators.accumulators();
        let (own, other) = (accumulators[us], accumulators[them]);
        match weights.architecture.topology {
            Topology::Classic => kernels.forward_classic(&weights.stacks[0], own, other),
            Topology::Sfnn { .. } => {
                let stack = weights.buckets.index_at(position, self.accumulators.progress_q16());
                kernels.forward_sfnn(&weights.stacks[stack], own, other)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{
        Architecture, Buckets, FeatureSet, NetworkWeights, ProgressModel, ProgressModelParameters,
        RandomNetwork,
    };
    use crate::types::Color;

    /// A search whose root is in the table never evaluates it.
    #[test]
    fn positions_below_a_root_that_was_not_evaluated_are_updated_incrementally() {
        let mut position = Position::startpos();
        let mut evaluator = Evaluator::new(Network::built_in(), &position);
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            let dirty = position.do_move(mv.parse().unwrap());
            evaluator.push(&dirty);
        }
        assert!(evaluator.accumulators.is_incremental());
    }

    fn by_progress(features: FeatureSet) -> Arc<NetworkWeights> {
        let topology = Topology::Sfnn { stacks: 8, shortcut: true };
        let architecture = Architecture { features, width: 64, h1: 7, h2: 8, topology };
        let random =
            RandomNetwork { has_progress_model: true, ..RandomNetwork::new(architecture, 1) };
        let ProgressModelParameters { bias, weights } = random.parameters().progress_model.unwrap();
        let model = ProgressModel::embedded(bias, weights);
        Arc::new(random.packed(Buckets::parse("progress8", Some(model)).unwrap()).unwrap())
    }

    /// With features that depend on the king and with features that do not.
    #[test]
    fn progress_updated_along_a_line_equals_that_computed_afresh() {
        for features in [FeatureSet::HalfKaHm2, FeatureSet::KA2] {
            let weights = by_progress(features);
            let mut position = Position::startpos();
            let mut evaluator = Evaluator::new(Network::new(Arc::clone(&weights)), &position);
            let check = |evaluator: &mut Evaluator, position: &Position| {
                evaluator.evaluate(position);
                let model = weights.buckets.progress_model().unwrap();
                let afresh =
                    Color::ALL.map(|perspective| model.perspective_q16(perspective, position));
                let (kept, afresh) = (evaluator.accumulators.progress_q16(), afresh[0] + afresh[1]);
                assert_eq!(kept, afresh, "{features:?} {}", position.to_sfen());
            };
            let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "5a4b", "5i6h"];
            for (n, mv) in (1..).zip(moves) {
                evaluator.push(&position.do_move(mv.parse().unwrap()));
                // Skip some, so that updates span several moves.
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
