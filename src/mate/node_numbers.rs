//! The proof and disproof numbers of a node from those of its children, and the child to search
//! next.
//!
//! Phi is the number that the player to move minimises, delta the other one (at an OR node the proof and the
//! disproof number, at an AND node the reverse). As in every proof-number search, phi is the minimum over the
//! children and delta their sum. But of children that are similar, or whose lines meet again, only the
//! maximum counts, so that one subproblem is not counted many times. (After weak proof-number search of Ueda
//! and others, and KomoringHeights' max and sum children.)

use super::child::{Child, MAX_GROUPS, NO_CHILD, NO_GROUP};
use super::node_value::{INFINITE, NodeType};

/// The number of delayed children that count as one open child.
const DELAYED_DIVISOR: u64 = 8;

/// The numbers of a node by its type, and the child to search next.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeNumbers {
    /// The least phi of the children; 0 if the player to move has won.
    pub(super) phi: u64,
    /// The combined delta of the children; 0 if the player to move has lost.
    pub(super) delta: u64,
    /// The index of the open child to search next.
    pub(super) best: usize,
    /// The phi of the second-best child.
    pub(super) second_phi: u64,
    /// The part of `delta` that does not come from the best child.
    pub(super) delta_except_best: u64,
}

impl NodeNumbers {
    /// The numbers of a node with these children. Updates `is_delayed` of the children.
    pub(super) fn of(node_type: NodeType, children: &mut [Child]) -> NodeNumbers {
        let mut best: Option<usize> = None;
        let (mut second_phi, mut sum, mut delayed) = (INFINITE, 0, 0);
        let mut largest = [0; MAX_GROUPS];
        for index in 0..children.len() {
            let child = children[index];
            if child.value.is_won(node_type) {
                let (phi, delta) = (0, INFINITE);
                return NodeNumbers { phi, delta, best: index, second_phi, delta_except_best: 0 };
            }
            if !child.value.is_open() {
                continue;
            }
            let is_delayed = child.delayed_by != NO_CHILD && child.must_wait(children);
            children[index].is_delayed = is_delayed;
            if is_delayed {
                delayed += 1;
                continue;
            }
            let (delta, group) = (child.value.delta(node_type), usize::from(child.max_group));
            let counted = if child.max_group == NO_GROUP { 0 } else { largest[group] };
            sum = add(sum, delta.saturating_sub(counted));
            largest[group] = delta.max(counted);
            let leads =
                best.is_none_or(|leader| comes_before(node_type, &child, &children[leader]));
            let second = if leads { best.replace(index) } else { Some(index) };
            if let Some(second) = second {
                second_phi = second_phi.min(children[second].value.phi(node_type));
            }
        }
        let Some(best) = best else {
            let (phi, delta) = (INFINITE, 0);
            return NodeNumbers { phi, delta, best: 0, second_phi, delta_except_best: 0 };
        };
        let delayed = if delayed > 0 { (delayed / DELAYED_DIVISOR).max(1) } else { 0 };
        let Child { value, max_group, .. } = children[best];
        let (phi, delta) = (value.phi(node_type), add(sum, delayed));
        // A child may grow up to the largest of its group before the sum does.
        let of_best = match max_group {
            NO_GROUP => value.delta(node_type),
            group => largest[usize::from(group)],
        };
        NodeNumbers {
            phi,
            delta,
            best,
            second_phi,
            delta_except_best: delta.saturating_sub(of_best),
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    pub(super) fn pn(&self, node_type: NodeType) -> u64 {
        if node_type == NodeType::Or { self.phi } else { self.delta }
    }

    pub(super) fn dn(&self, node_type: NodeType) -> u64 {
        if node_type == NodeType::Or { self.delta } else { self.phi }
    }
}

#[inline(always)]
fn add(a: u64, b: u64) -> u64 {
    (a + b).min(INFINITE - 1)
}

/// Whether a child is searched before another one.
#[inline(always)]
fn comes_before(node_type: NodeType, child: &Child, other: &Child) -> bool {
    let rank = |child: &Child| {
        let Child { value, effort, move_order, .. } = child;
        (value.phi(node_type), value.delta(node_type), *effort, *move_order)
    };
    rank(child) < rank(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mate::child::{CONVERGING_GROUP, FIRST_SIMILAR_GROUP};
    use crate::mate::node_key::NodeKey;
    use crate::mate::node_value::NodeValue;
    use crate::types::{Hand, Move};

    fn child(pn: u64, dn: u64, max_group: u8) -> Child {
        let key = NodeKey { board: 0, hand: Hand::EMPTY };
        Child { value: NodeValue::open(pn, dn), max_group, ..Child::new(Move::NONE, key) }
    }

    #[test]
    fn of_similar_children_only_the_largest_number_counts() {
        const OTHER: u8 = FIRST_SIMILAR_GROUP + 1;
        let mut children = [
            child(9, 3, FIRST_SIMILAR_GROUP),
            child(7, 5, FIRST_SIMILAR_GROUP),
            child(8, 4, NO_GROUP),
            child(6, 2, OTHER),
            child(7, 6, NO_GROUP),
            child(9, 1, CONVERGING_GROUP),
        ];
        let numbers = NodeNumbers::of(NodeType::Or, &mut children);
        assert_eq!((numbers.phi, numbers.delta), (6, 5 + 4 + 2 + 6 + 1));
        assert_eq!(
            (numbers.best, numbers.second_phi, numbers.delta_except_best),
            (3, 7, 5 + 4 + 6 + 1)
        );
        // The best child may grow up to the largest of its group.
        children[0].value = NodeValue::open(1, 3);
        let numbers = NodeNumbers::of(NodeType::Or, &mut children);
        assert_eq!((numbers.best, numbers.delta_except_best), (0, 4 + 2 + 6 + 1));
    }

    #[test]
    fn a_child_waits_for_its_sibling_up_to_the_effort_that_it_allows() {
        let mut children = [child(2, 2, NO_GROUP), child(1, 2, NO_GROUP)];
        (children[1].delayed_by, children[1].delay_effort) = (0, 32);
        let mut best = |effort, value| {
            (children[0].effort, children[0].value) = (effort, value);
            NodeNumbers::of(NodeType::Or, &mut children).best
        };
        let open = NodeValue::open(2, 2);
        assert_eq!([best(0, open), best(31, open), best(32, open)], [0, 0, 1]);
        let disproved = NodeValue::NoMate { within: 9, repetition_depth: 9, hand: Hand::EMPTY };
        assert_eq!(best(0, disproved), 1);
    }
}
