//! The value of a solved node from those of its children: the length of the mate, the proof or
//! disproof hand, and the repetitions that a disproof depends on.

use super::child::Child;
use super::node_value::{ANY_LENGTH, NO_REPETITION, NodeType, NodeValue};
use super::proof_hand;
use crate::position::Position;
use crate::types::Hand;

/// The value of a node of this type that its children prove or disprove. At an OR node the shortest
/// mate counts, else all disproofs together; at an AND node the best disproof (the one that depends
/// on no repetition and holds longest), else all mates together.
pub(super) fn solved_value(
    position: &Position,
    node_type: NodeType,
    children: &[Child],
    hand: Hand,
) -> NodeValue {
    let won = children.iter().any(|child| child.value.is_won(node_type));
    match (node_type, won) {
        (NodeType::Or, true) => shortest_mate(position, children),
        (NodeType::Or, false) => all_disproved(position, children, hand),
        (NodeType::And, true) => best_disproof(position, children, hand),
        (NodeType::And, false) => all_mate(position, children),
    }
}

fn shortest_mate(position: &Position, children: &[Child]) -> NodeValue {
    let mates = children.iter().filter_map(|child| match child.value {
        NodeValue::Mate { plies, hand } => Some((plies, child.mv, hand)),
        _ => None,
    });
    let (plies, mv, hand) = mates.min_by_key(|&(plies, ..)| plies).expect("a child is mate");
    NodeValue::Mate { plies: plies + 1, hand: proof_hand::hand_before(position, mv, hand) }
}

fn all_mate(position: &Position, children: &[Child]) -> NodeValue {
    let (mut longest, mut needed) = (0, Hand::EMPTY);
    for child in children {
        if let NodeValue::Mate { plies, hand } = child.value {
            longest = longest.max(plies + 1);
            needed = needed.union(hand);
        }
    }
    NodeValue::Mate { plies: longest, hand: proof_hand::add_interpositions(position, needed) }
}

fn all_disproved(position: &Position, children: &[Child], hand: Hand) -> NodeValue {
    let (mut shortest, mut least_depth, mut disproved) = (ANY_LENGTH, NO_REPETITION, Hand::FULL);
    for child in children {
        if let NodeValue::NoMate { within, repetition_depth, hand } = child.value {
            shortest = shortest.min(one_ply_more(within));
            least_depth = least_depth.min(repetition_depth);
            disproved = disproved.intersection(proof_hand::hand_before(position, child.mv, hand));
        }
    }
    // A disproof by repetition holds for this hand only.
    let hand = if least_depth == NO_REPETITION {
        proof_hand::remove_new_checks(position, disproved)
    } else {
        hand
    };
    NodeValue::NoMate { within: shortest, repetition_depth: least_depth, hand }
}

fn best_disproof(position: &Position, children: &[Child], hand: Hand) -> NodeValue {
    let disproofs = children.iter().filter_map(|child| match child.value {
        NodeValue::NoMate { within, repetition_depth, hand } => {
            Some((repetition_depth, within, child.mv, hand))
        }
        _ => None,
    });
    let best = disproofs.max_by_key(|&(repetition_depth, within, ..)| (repetition_depth, within));
    let (repetition_depth, within, mv, child_hand) = best.expect("a child is disproved");
    let hand = if repetition_depth == NO_REPETITION {
        proof_hand::reserve_drop(position, mv, child_hand)
    } else {
        hand
    };
    NodeValue::NoMate { within: one_ply_more(within), repetition_depth, hand }
}

/// [`ANY_LENGTH`] stays as it is.
fn one_ply_more(within: u16) -> u16 {
    within.saturating_add(1)
}
