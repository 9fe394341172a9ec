//! The stack frame of the depth-first proof-number search: a node on the path from the root, and
//! the thresholds at which it is left.

use super::node_numbers::NodeNumbers;
use super::node_value::INFINITE;
use crate::types::Move;

#[derive(Debug)]
pub(super) struct Frame {
    /// The move that leads to the node.
    pub(super) mv: Move,
    pub(super) stage: FrameStage,
    /// Whether the node was never expanded before.
    pub(super) is_new: bool,
    /// Whether a child is old, that is, a search nearer to the root has stored its numbers.
    pub(super) has_old_child: bool,
    /// The index of the node's first child in the arena.
    pub(super) children: usize,
    /// The index of the child being searched.
    pub(super) current: usize,
    /// See [`NodeNumbers::delta_except_best`].
    pub(super) delta_except_best: u64,
    pub(super) thresholds: Thresholds,
    /// The node's slot in the proof table.
    pub(super) slot: u32,
    /// See [`Child::max_mask`](super::child::Child::max_mask).
    pub(super) max_mask: u16,
    /// The nodes spent on the node in earlier visits.
    pub(super) effort: u64,
    /// The node count of this thread when the node was entered.
    pub(super) entered_at: u64,
    /// The threshold extensions left when its search began.
    pub(super) extensions: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameStage {
    /// Expanded, but no child has been searched.
    Entered,
    Searching,
    /// Searching, and a child was just left.
    Returned,
}

/// A node is left when its phi or its delta reaches its threshold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    pub(super) phi: u64,
    pub(super) delta: u64,
}

impl Thresholds {
    pub(super) const NONE: Thresholds = Thresholds { phi: INFINITE, delta: INFINITE };

    pub(super) fn are_reached(self, numbers: &NodeNumbers) -> bool {
        numbers.phi >= self.phi || numbers.delta >= self.delta
    }

    /// Raised to just above the numbers, unless they are above them already.
    pub(super) fn extended(self, numbers: &NodeNumbers) -> Thresholds {
        Thresholds { phi: self.phi.max(numbers.phi + 1), delta: self.delta.max(numbers.delta + 1) }
    }
}
