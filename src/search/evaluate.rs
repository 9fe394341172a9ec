//! What a position is worth to the side to move before any search: by a network if there is one,
//! else by hand.
//!
//! Owns the choice between the two, and the way from a network's output to a score. Nothing else
//! may come to depend on more than [`Evaluator`] and [`judge`].

mod handmade;

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::nnue::{Kernels, Net, NetEvaluator};
use crate::position::{Delta, Position};
use crate::types::Score;
use handmade::HandMade;

/// A net as a search uses it.
#[derive(Clone, Debug)]
pub struct Network {
    pub net: Arc<Net>,
    pub kernels: Kernels,
    /// What the net's output is divided by to make a score; often called `FV_SCALE`.
    pub scale: NonZeroU32,
}

impl Network {
    /// The score that an output of the net means: divided towards zero, and within the range of
    /// scores that are no mates.
    #[inline(always)]
    fn score(&self, raw: i32) -> Score {
        scaled(raw, self.scale)
    }
}

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
    /// The network's output of which the score is made; `None` if no network was asked.
    pub raw: Option<i32>,
}

/// Evaluates one position, without any search.
pub fn judge(network: Option<&Network>, position: &Position) -> Judgement {
    match network {
        None => Judgement { score: HandMade::new(position).evaluate(position), raw: None },
        Some(network) => {
            let mut evaluator = NetEvaluator::new(network.net.clone(), network.kernels, position);
            let raw = evaluator.evaluate(position);
            Judgement { score: network.score(raw), raw: Some(raw) }
        }
    }
}

/// Keeps what changes little along the line being searched; one per worker.
///
/// After each `do_move` comes a `push`, after each null move a `push_null`, and with each undo a
/// `pop`. A `pop` too many is a bug of the caller and panics.
#[derive(Debug)]
pub(super) enum Evaluator {
    HandMade(HandMade),
    Network { evaluator: NetEvaluator, scale: NonZeroU32 },
}

impl Evaluator {
    /// An evaluator at this position, with room for the deepest line.
    pub(super) fn new(network: Option<&Network>, position: &Position) -> Evaluator {
        match network {
            None => Evaluator::HandMade(HandMade::new(position)),
            Some(network) => Evaluator::Network {
                evaluator: NetEvaluator::new(network.net.clone(), network.kernels, position),
                scale: network.scale,
            },
        }
    }

    /// An evaluator at this position, made of one from another search if it fits: that saves memory
    /// from being fetched anew, and what is known of kings' squares from being computed anew.
    pub(super) fn renewed(
        used: Option<Evaluator>,
        network: Option<&Network>,
        position: &Position,
    ) -> Evaluator {
        match (used, network) {
            (Some(Evaluator::Network { mut evaluator, .. }), Some(network))
                if Arc::ptr_eq(evaluator.net(), &network.net)
                    && evaluator.kernels().isa() == network.kernels.isa() =>
            {
                evaluator.reset(position);
                Evaluator::Network { evaluator, scale: network.scale }
            }
            _ => Evaluator::new(network, position),
        }
    }

    /// Follows a move. `position` is that after the move, `delta` what `do_move` returned.
    #[inline(always)]
    pub(super) fn push(&mut self, position: &Position, delta: &Delta) {
        match self {
            Evaluator::HandMade(evaluator) => evaluator.push(position, delta),
            Evaluator::Network { evaluator, .. } => evaluator.push(position, delta),
        }
    }

    /// Follows a null move.
    pub(super) fn push_null(&mut self) {
        match self {
            Evaluator::HandMade(evaluator) => evaluator.push_null(),
            Evaluator::Network { evaluator, .. } => evaluator.push_null(),
        }
    }

    /// Goes back by one move or null move.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        match self {
            Evaluator::HandMade(evaluator) => evaluator.pop(),
            Evaluator::Network { evaluator, .. } => evaluator.pop(),
        }
    }

    /// The score of the position for the side to move. `position` is the one that the pushes and
    /// pops have led to.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        match self {
            Evaluator::HandMade(evaluator) => evaluator.evaluate(position),
            Evaluator::Network { evaluator, scale } => scaled(evaluator.evaluate(position), *scale),
        }
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

    #[test]
    fn without_a_network_there_is_no_output_of_one() {
        let judged = judge(None, &Position::startpos());
        let score = Evaluator::new(None, &Position::startpos()).evaluate(&Position::startpos());
        assert_eq!(judged, Judgement { score, raw: None });
    }
}
