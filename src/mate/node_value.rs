//! The value of a node: proof and disproof numbers while it is open, a proof or a disproof once it
//! is solved. Pure arithmetic without positions or tables.

use crate::types::Hand;

/// The proof or disproof number of a node that cannot be proved or disproved. Larger than every
/// number of an open node.
pub const INFINITE: u64 = 1 << 60;
/// The length of a disproof that holds for mates of any length.
pub(super) const ANY_LENGTH: u16 = u16::MAX;
/// The repetition depth of a disproof that holds on every path.
pub(super) const NO_REPETITION: u16 = u16::MAX;

/// The value of a node, from the attacker's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeValue {
    /// Proof and disproof numbers, both at least 1 and below [`INFINITE`].
    Open { pn: u64, dn: u64 },
    /// Proved: mate in at most this many plies with every hand of the attacker that covers `hand`
    /// (the defender holds the rest).
    Mate { plies: u16, hand: Hand },
    /// Disproved: no mate within this many plies with any hand that `hand` covers. The disproof
    /// depends on repetitions of the path's positions at `repetition_depth` and deeper, or on none
    /// ([`NO_REPETITION`]).
    NoMate { within: u16, repetition_depth: u16, hand: Hand },
}

impl NodeValue {
    #[inline(always)]
    pub(super) fn open(pn: u64, dn: u64) -> NodeValue {
        NodeValue::Open { pn: pn.clamp(1, INFINITE - 1), dn: dn.clamp(1, INFINITE - 1) }
    }

    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        matches!(self, NodeValue::Open { .. })
    }

    #[inline(always)]
    pub(super) fn pn(self) -> u64 {
        match self {
            NodeValue::Open { pn, .. } => pn,
            NodeValue::Mate { .. } => 0,
            NodeValue::NoMate { .. } => INFINITE,
        }
    }

    #[inline(always)]
    pub(super) fn dn(self) -> u64 {
        match self {
            NodeValue::Open { dn, .. } => dn,
            NodeValue::Mate { .. } => INFINITE,
            NodeValue::NoMate { .. } => 0,
        }
    }

    /// The number that the player to move at a node of this type minimises: `pn` at an OR node,
    /// `dn` at an AND node.
    #[inline(always)]
    pub(super) fn phi(self, node_type: NodeType) -> u64 {
        if node_type == NodeType::Or { self.pn() } else { self.dn() }
    }

    /// The other number, which a node of this type sums over its children.
    #[inline(always)]
    pub(super) fn delta(self, node_type: NodeType) -> u64 {
        if node_type == NodeType::Or { self.dn() } else { self.pn() }
    }

    /// Whether a child with this value decides its parent for the player to move there: a mate for
    /// an OR node, a disproof for an AND node.
    #[inline(always)]
    pub(super) fn is_won(self, parent_type: NodeType) -> bool {
        self.phi(parent_type) == 0
    }

    /// The value of a node at `depth`, as its parent sees it. If a disproof depends only on repetitions of
    /// this node or of deeper ones, the dependence ends here: a shortest mate never returns to the node.
    #[inline(always)]
    pub(super) fn without_repetitions_from(self, depth: u16) -> NodeValue {
        match self {
            NodeValue::NoMate { within, repetition_depth, hand } if repetition_depth >= depth => {
                NodeValue::NoMate { within, repetition_depth: NO_REPETITION, hand }
            }
            other => other,
        }
    }
}

/// Who is to move at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeType {
    /// The attacker: one child that is mate is enough.
    Or,
    /// The defender: every child must be mate.
    And,
}

impl NodeType {
    /// The type of the node's children.
    pub(super) fn opposite(self) -> NodeType {
        match self {
            NodeType::Or => NodeType::And,
            NodeType::And => NodeType::Or,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dependence_on_a_repetition_ends_at_the_repeated_node() {
        let disproof =
            |repetition_depth| NodeValue::NoMate { within: 7, repetition_depth, hand: Hand::EMPTY };
        assert_eq!(disproof(4).without_repetitions_from(4), disproof(NO_REPETITION));
        assert_eq!(disproof(5).without_repetitions_from(4), disproof(NO_REPETITION));
        assert_eq!(disproof(4).without_repetitions_from(6), disproof(4));
    }

    #[test]
    fn open_nodes_never_have_the_numbers_of_solved_ones() {
        for number in [0, 1, 77, INFINITE, u64::MAX] {
            let value = NodeValue::open(number, number);
            assert!(value.is_open() && !value.is_won(NodeType::Or));
            assert!(value.pn() > 0 && value.dn() < INFINITE);
        }
    }
}
