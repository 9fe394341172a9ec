//! A net at work for one thread: what a position is worth, along the line being searched.
//!
//! Owns nothing but how the parts go together: accumulators, the choice of a stack, the layers.

use std::sync::Arc;

use super::accumulator::Accumulators;
use super::architecture::Topology;
use super::features::Inputs;
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
    accumulators: Accumulators,
}

impl NetEvaluator {
    /// An evaluator at this position, with room for the deepest line.
    ///
    /// # Panics
    /// If there is no memory for the sums, some megabytes.
    pub fn new(net: Arc<Net>, kernels: Kernels, position: &Position) -> NetEvaluator {
        let inputs = Inputs::of(net.architecture.features);
        let accumulators = Accumulators::new(inputs, net.transformer.width())
            .expect("some megabytes of memory are there");
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
        self.accumulators.both(&self.net.transformer, &self.kernels, position);
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
        let sums = self.accumulators.both(&net.transformer, &self.kernels, position);
        let (own, other) = (sums[position.side_to_move()], sums[!position.side_to_move()]);
        match net.architecture.topology {
            Topology::Classic => self.kernels.classic(&net.stacks[0], own, other),
            Topology::Sfnn { .. } => {
                self.kernels.sfnn(&net.stacks[net.buckets.index(position)], own, other)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::built_in;

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
}
