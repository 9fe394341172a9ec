//! What a position is worth to the side to move before any search.
//!
//! Owns the way from a network's output to a score. Nothing else may come to depend on more than
//! [`Evaluator`] and [`judge`].

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::nnue::{Kernels, Net, NetEvaluator, built_in};
use crate::position::{Delta, Position};
use crate::types::Score;

/// A net as a search uses it.
#[derive(Clone, Debug)]
pub struct Network {
    pub net: Arc<Net>,
    pub kernels: Kernels,
    /// What the net's output is divided by to make a score; often called `FV_SCALE`.
    pub scale: NonZeroU32,
}

impl Network {
    /// Divides the output where nobody says otherwise, as everywhere in this family of engines.
    pub const USUAL_SCALE: NonZeroU32 = NonZeroU32::new(16).unwrap();

    /// The network of the program itself, with the fastest kernels.
    pub fn built_in() -> Network {
        let net = built_in();
        let scale = net.scale.and_then(NonZeroU32::new).unwrap_or(Network::USUAL_SCALE);
        Network { net, kernels: Kernels::best(), scale }
    }
}

/// The score that an output of a net means: divided towards zero, and within the range of scores
/// that are no mates.
#[inline(always)]
fn scaled(raw: i32, scale: NonZeroU32) -> Score {
    // The quotient is within the range of the dividend.
    Score::from_eval((i64::from(raw) / i64::from(scale.get())) as i32)
}

/// What an evaluation says of a position without any search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// From the side to move, as the search would use it.
    pub score: Score,
    /// The network's output of which the score is made.
    pub raw: i32,
}

/// Evaluates one position, without any search.
pub fn judge(network: &Network, position: &Position) -> Judgement {
    let raw = NetEvaluator::new(network.net.clone(), network.kernels, position).evaluate(position);
    Judgement { score: scaled(raw, network.scale), raw }
}

/// Keeps what changes little along the line being searched; one per worker.
///
/// After each `do_move` comes a `push`, after each null move a `push_null`, and with each undo a
/// `pop`. A `pop` too many is a bug of the caller and panics.
#[derive(Debug)]
pub(super) struct Evaluator {
    sums: NetEvaluator,
    scale: NonZeroU32,
}

impl Evaluator {
    /// An evaluator at this position, with room for the deepest line.
    fn new(network: &Network, position: &Position) -> Evaluator {
        let sums = NetEvaluator::new(network.net.clone(), network.kernels, position);
        Evaluator { sums, scale: network.scale }
    }

    /// An evaluator at this position, made of one from another search if it fits: that saves memory
    /// from being fetched anew, and what is known of kings' squares from being computed anew.
    pub(super) fn renewed(
        used: Option<Evaluator>,
        network: &Network,
        position: &Position,
    ) -> Evaluator {
        let fits = |used: &Evaluator| {
            Arc::ptr_eq(used.sums.net(), &network.net)
                && used.sums.kernels().isa() == network.kernels.isa()
        };
        let Some(Evaluator { mut sums, .. }) = used.filter(fits) else {
            return Evaluator::new(network, position);
        };
        sums.reset(position);
        Evaluator { sums, scale: network.scale }
    }

    /// Follows a move: `delta` is what `do_move` returned.
    #[inline(always)]
    pub(super) fn push(&mut self, delta: &Delta) {
        self.sums.push(delta);
    }

    /// Follows a null move.
    pub(super) fn push_null(&mut self) {
        self.sums.push_null();
    }

    /// Goes back by one move or null move.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.sums.pop();
    }

    /// The score of the position for the side to move. `position` is the one that the pushes and
    /// pops have led to.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        scaled(self.sums.evaluate(position), self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_divided_towards_zero_and_kept_apart_from_mates() {
        let score = |raw, scale| scaled(raw, NonZeroU32::new(scale).unwrap()).0;
        assert_eq!(score(-50_953, 16), -3_184);
        assert_eq!(score(47, 16), 2);
        assert_eq!(score(-47, 16), -2);
        assert_eq!(score(i32::MIN, 1), -Score::MAX_EVAL.0);
        assert_eq!(score(i32::MAX, 1), Score::MAX_EVAL.0);
        assert_eq!(score(i32::MIN, u32::MAX), 0);
    }
}
