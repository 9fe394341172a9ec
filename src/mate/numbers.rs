//! The proof and disproof numbers of a node from those of its children, and the child to search
//! next.
//!
//! As in every proof-number search phi is the minimum over the children and delta their sum. But of
//! children that are similar, or whose lines meet again further down, only the maximum counts, so that one
//! subproblem is not counted many times. (After weak proof-number search of Ueda and others, and
//! KomoringHeights' max and sum children.)

use super::child::{Child, NO_CHILD};
use super::node_value::{INFINITE, NodeType};

/// This many delayed children count as one open child.
const DELAYED_SHARE: u64 = 8;

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
    pub(super) rest_delta: u64,
}

impl NodeNumbers {
    /// The numbers of a node with these children. Updates which children are delayed.
    pub(super) fn of(node_type: NodeType, children: &mut [Child]) -> NodeNumbers {
        let mut best: Option<usize> = None;
        let (mut second_phi, mut sum, mut max, mut max_but_best, mut delayed) =
            (INFINITE, 0, 0, 0, 0);
        for index in 0..children.len() {
            let child = children[index];
            if child.value.is_won(node_type) {
                let (phi, delta) = (0, INFINITE);
                return NodeNumbers { phi, delta, best: index, second_phi, rest_delta: 0 };
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
            let delta = child.value.delta(node_type);
            if child.uses_max {
                max = max.max(delta);
            } else {
                sum = add(sum, delta);
            }
            match best {
                Some(leader) if !comes_before(node_type, &child, &children[leader]) => {
                    second_phi = second_phi.min(child.value.phi(node_type));
                    max_but_best = max_but_best.max(if child.uses_max { delta } else { 0 });
                }
                _ => {
                    if let Some(leader) = best.map(|leader| children[leader]) {
                        second_phi = second_phi.min(leader.value.phi(node_type));
                        let delta = leader.value.delta(node_type);
                        max_but_best = max_but_best.max(if leader.uses_max { delta } else { 0 });
                    }
                    best = Some(index);
                }
            }
        }
        let Some(best) = best else {
            let (phi, delta) = (INFINITE, 0);
            return NodeNumbers { phi, delta, best: 0, second_phi, rest_delta: 0 };
        };
        let delayed = if delayed > 0 { (delayed / DELAYED_SHARE).max(1) } else { 0 };
        sum = add(sum, delayed);
        let leader = &children[best].value;
        let rest_delta = if children[best].uses_max {
            sum
        } else {
            add(sum - leader.delta(node_type).min(sum), max_but_best)
        };
        let (phi, delta) = (leader.phi(node_type), add(sum, max));
        NodeNumbers { phi, delta, best, second_phi, rest_delta }
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
