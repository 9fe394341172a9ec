//! The path from the root to the current node: its positions, by which repetitions are found, and a
//! key of the whole path.

use super::node_key::NodeKey;
use super::node_value::NodeType;
use super::solution::MAX_PLIES;
use crate::position::Position;
use crate::types::{Color, GOLDEN_RATIO};

/// The longest path: the positions of a line to avoid, and a mate.
const MAX_LENGTH: usize = 2 * MAX_PLIES as usize + 1;
/// Twice the longest path, so that runs of occupied slots stay short.
const SLOTS: usize = 2 * (MAX_LENGTH + 1);

#[derive(Clone, Copy, Debug)]
struct PathNode {
    key: NodeKey,
    /// The key of the path up to this node.
    path_key: u64,
    slot: u16,
}

pub(super) struct SearchPath {
    attacker: Color,
    /// The type of the nodes at even depths.
    root_type: NodeType,
    nodes: Vec<PathNode>,
    /// A hash table by board with open addressing; an element is depth + 1. Positions leave in reverse order,
    /// so a slot can simply be freed.
    slots: Vec<u16>,
}

impl SearchPath {
    pub(super) fn new(attacker: Color, root: &Position) -> SearchPath {
        let root_type = node_type_of(root, attacker);
        SearchPath { attacker, root_type, nodes: Vec::new(), slots: vec![0; SLOTS] }
    }

    /// A path to the root that has already been to these positions.
    pub(super) fn with_history(
        earlier: &[NodeKey],
        attacker: Color,
        root: &Position,
    ) -> SearchPath {
        let mut path = SearchPath::new(attacker, root);
        if !earlier.len().is_multiple_of(2) {
            path.root_type = path.root_type.opposite();
        }
        earlier.iter().for_each(|&key| path.push(key));
        path
    }

    /// Appends a position.
    pub(super) fn push(&mut self, key: NodeKey) {
        let path_key = self.key_with(key);
        let mut slot = first_slot(key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        self.nodes.push(PathNode { key, path_key, slot: slot as u16 });
        self.slots[slot] = self.nodes.len() as u16;
    }

    /// Removes the last position. Returns the key of the path that ended there.
    pub(super) fn pop(&mut self) -> Option<u64> {
        let node = self.nodes.pop()?;
        self.slots[usize::from(node.slot)] = 0;
        Some(node.path_key)
    }

    /// Plies from the root. The path must have a root.
    pub(super) fn depth(&self) -> u16 {
        (self.nodes.len() - 1) as u16
    }

    pub(super) fn attacker(&self) -> Color {
        self.attacker
    }

    /// The type of the last node.
    pub(super) fn node_type(&self) -> NodeType {
        self.type_at(self.depth())
    }

    pub(super) fn type_at(&self, depth: u16) -> NodeType {
        if depth.is_multiple_of(2) { self.root_type } else { self.root_type.opposite() }
    }

    /// The keys of all positions, from the root on.
    pub(super) fn positions(&self) -> impl Iterator<Item = NodeKey> + '_ {
        self.nodes.iter().map(|node| node.key)
    }

    /// The key of the last position.
    pub(super) fn last(&self) -> NodeKey {
        self.nodes.last().expect("a path has a root").key
    }

    /// The key of the path with this position appended. It depends on the order of the positions.
    pub(super) fn key_with(&self, key: NodeKey) -> u64 {
        let path_key = self.nodes.last().map_or(0, |node| node.path_key);
        (path_key.rotate_left(23) ^ key.hash()).wrapping_mul(GOLDEN_RATIO)
    }

    /// The greatest depth at which the position is on the path with at least as much in the
    /// attacker's hand. A shortest mate never returns to it.
    pub(super) fn repetition(&self, key: NodeKey) -> Option<u16> {
        let covers = |earlier: NodeKey| earlier.board == key.board && earlier.hand.covers(key.hand);
        self.deepest(key, covers)
    }

    /// The depth at which exactly this position is on the path.
    pub(super) fn find(&self, key: NodeKey) -> Option<u16> {
        self.deepest(key, |earlier| earlier == key)
    }

    #[inline(always)]
    fn deepest(&self, key: NodeKey, fits: impl Fn(NodeKey) -> bool) -> Option<u16> {
        let mut slot = first_slot(key);
        let mut found: Option<u16> = None;
        loop {
            let depth = self.slots[slot].checked_sub(1)?;
            let fits = fits(self.nodes[usize::from(depth)].key);
            found = if fits { found.max(Some(depth)) } else { found };
            slot = (slot + 1) % SLOTS;
            if self.slots[slot] == 0 {
                return found;
            }
        }
    }
}

/// The type of the node with this position.
pub(super) fn node_type_of(position: &Position, attacker: Color) -> NodeType {
    if position.side_to_move() == attacker { NodeType::Or } else { NodeType::And }
}

fn first_slot(key: NodeKey) -> usize {
    (key.board >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Hand, PieceKind};

    fn key(board: u64, golds: u32) -> NodeKey {
        NodeKey { board, hand: Hand::EMPTY.with(PieceKind::Gold, golds) }
    }

    #[test]
    fn a_position_repeats_with_an_equal_or_smaller_hand() {
        let mut path = SearchPath::new(Color::Black, &Position::startpos());
        // All in the same slot.
        for (board, golds) in [(1, 1), (2, 0), (1, 2), (3, 0), (1, 0)] {
            path.push(key(board, golds));
        }
        assert_eq!(path.repetition(key(1, 3)), None);
        assert_eq!(path.repetition(key(1, 2)), Some(2));
        assert_eq!(path.repetition(key(1, 0)), Some(4));
        assert_eq!(path.find(key(1, 1)), Some(0));
        assert_eq!(path.find(key(4, 0)), None);
        for _ in 0..3 {
            path.pop();
        }
        assert_eq!(path.repetition(key(1, 1)), Some(0));
        assert_eq!(path.repetition(key(3, 0)), None);
        assert_eq!((path.depth(), path.node_type()), (1, NodeType::And));
    }

    #[test]
    fn the_key_of_a_path_depends_on_the_order() {
        let path_key = |boards: [u64; 3]| {
            let mut path = SearchPath::new(Color::Black, &Position::startpos());
            boards.into_iter().for_each(|board| path.push(key(board, 0)));
            path.pop()
        };
        assert_ne!(path_key([1, 2, 3]), path_key([2, 1, 3]));
        assert_eq!(path_key([1, 2, 3]), path_key([1, 2, 3]));
    }
}
