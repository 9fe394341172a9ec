//! The expansion of a node: its moves, the table entries of the positions after them, and initial
//! numbers where there is no entry.

use super::child::{
    CONVERGING_GROUP, Child, FIRST_SIMILAR_GROUP, MAX_GROUPS, NO_CHILD, NO_GROUP, mask_bit,
};
use super::delay::DelayGroup;
use super::estimate;
use super::node_key::NodeKey;
use super::node_value::{ANY_LENGTH, NO_REPETITION, NodeType, NodeValue};
use super::path::SearchPath;
use super::proof_hand;
use super::proof_table::NO_SLOT;
use super::tables::SolverTables;
use crate::position::movegen::{MoveSink, NonPromotions};
use crate::position::{Position, ScoredMove};
use crate::types::{Bitboard, Hand, Move, Piece, Random, Square};

/// The node to expand.
#[derive(Clone, Copy)]
pub(super) struct NodeContext<'s> {
    /// The path down to the node itself.
    pub(super) path: &'s SearchPath,
    /// Plies to the horizon.
    pub(super) remaining: u16,
    /// Whether the node was never expanded.
    pub(super) is_new: bool,
    /// See [`Child::max_mask`].
    pub(super) max_mask: u16,
}

/// Expands nodes. Keeps its buffers between calls.
#[derive(Debug, Default)]
pub(super) struct Expander {
    moves: Vec<ScoredMove>,
    /// The delay groups met so far, each with the index of its last open child.
    groups: Vec<(DelayGroup, u16)>,
    /// Origin and target of the checks by pieces on the board met so far, in the order of their max groups.
    similar_checks: Vec<(Square, Square)>,
    /// Makes the helper threads differ; `None` in the main thread.
    noise: Option<Random>,
    restriction: ExpanderRestriction,
}

/// The moves that the expander excludes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExpanderRestriction {
    /// The defender may not drop pieces.
    pub(super) without_drops: bool,
    /// A mate in one may lead to a position that the attacker must avoid.
    pub(super) avoids_mates: bool,
}

impl Expander {
    /// The expander of the thread of this index; that of the main thread is 0.
    pub(super) fn new(thread: u64, restriction: ExpanderRestriction) -> Expander {
        let noise = (thread > 0).then(|| Random::new(thread));
        Expander { noise, restriction, ..Expander::default() }
    }

    /// Appends the node's children to `children`, up to one that solves the node. Returns whether
    /// a child is old.
    pub(super) fn expand(
        &mut self,
        position: &mut Position,
        tables: &SolverTables,
        node: NodeContext<'_>,
        children: &mut Vec<Child>,
    ) -> bool {
        let node_type = node.path.node_type();
        let start = children.len();
        self.generate(position, tables, node, children);
        children[start..].iter().for_each(|child| tables.proofs.prefetch_entry(child.key.board));
        let mut has_old_child = false;
        self.groups.clear();
        self.similar_checks.clear();
        for index in 0..self.moves.len() {
            let child = &mut children[start + index];
            has_old_child |= probe(tables, node, child);
            if child.value.is_open() {
                child.delayed_by = self.delaying_child(position, node_type, child.mv, index as u16);
                child.delay_effort = DelayGroup::delay_effort(node_type);
                child.max_group = if node.max_mask & mask_bit(index) != 0 {
                    CONVERGING_GROUP
                } else {
                    self.similar_group(node_type, child.mv)
                };
            }
            self.set_initial_value(position, tables, node, &mut children[start..], index);
            if children[start + index].value.is_won(node_type) {
                children.truncate(start + index + 1);
                break;
            }
        }
        has_old_child
    }

    /// Appends a child for every move. Prefetches the tags of its position.
    fn generate(
        &mut self,
        position: &Position,
        tables: &SolverTables,
        node: NodeContext<'_>,
        children: &mut Vec<Child>,
    ) {
        self.moves.clear();
        let node_type = node.path.node_type();
        match node_type {
            NodeType::Or => position.generate_checks(NonPromotions::All, &mut self.moves),
            NodeType::And => {
                position.generate_legal(NonPromotions::All, &mut self.moves);
                if self.restriction.without_drops {
                    self.moves.retain(|scored| !scored.mv().is_drop());
                }
            }
        }
        let attacker = node.path.attacker();
        let (before, king) = (position.hand(attacker), position.king(!attacker));
        for scored in &self.moves {
            let mv = scored.mv();
            let board = position.board_key_after(mv);
            tables.proofs.prefetch_tags(board);
            let hand = match node_type {
                NodeType::Or => proof_hand::hand_after(position, mv, before),
                NodeType::And => before,
            };
            let move_order = estimate::move_order(position, king, mv);
            children.push(Child { move_order, ..Child::new(mv, NodeKey { board, hand }) });
        }
    }

    /// The last open child of the same delay group, which delays this child.
    fn delaying_child(
        &mut self,
        position: &Position,
        node_type: NodeType,
        mv: Move,
        index: u16,
    ) -> u16 {
        let Some(group) = DelayGroup::of(position, node_type, mv) else { return NO_CHILD };
        match self.groups.iter_mut().find(|(other, _)| *other == group) {
            Some((_, last)) => std::mem::replace(last, index),
            None => {
                self.groups.push((group, index));
                NO_CHILD
            }
        }
    }

    /// The max group of a check by a piece on the board: the same check with and without promotion are similar.
    /// There are enough groups for most positions.
    fn similar_group(&mut self, node_type: NodeType, mv: Move) -> u8 {
        if node_type == NodeType::And || mv.is_drop() {
            return NO_GROUP;
        }
        let check = (mv.from(), mv.to());
        let known = self.similar_checks.iter().position(|&other| other == check);
        let index = known.unwrap_or(self.similar_checks.len());
        if known.is_none() {
            self.similar_checks.push(check);
        }
        let group = index + usize::from(FIRST_SIMILAR_GROUP);
        if group < MAX_GROUPS { group as u8 } else { NO_GROUP }
    }

    /// Sets the value of a child that is in no table: a solved value if one ply shows it, else its initial
    /// proof and disproof numbers.
    fn set_initial_value(
        &mut self,
        position: &mut Position,
        tables: &SolverTables,
        node: NodeContext<'_>,
        children: &mut [Child],
        index: usize,
    ) {
        let node_type = node.path.node_type();
        let is_delayed = children[index].must_wait(children);
        let child = &mut children[index];
        child.is_delayed = is_delayed;
        if !child.is_new || !child.value.is_open() {
            return;
        }
        let solved = match node_type {
            NodeType::And if node.is_new && !is_delayed => {
                let value = value_after_evasion(position, child.mv);
                let is_mate = |value: &NodeValue| matches!(value, NodeValue::Mate { .. });
                value.filter(|value| !self.restriction.avoids_mates || !is_mate(value))
            }
            NodeType::Or if node.remaining == 1 => {
                Some(self.value_after_last_check(position, child))
            }
            _ => None,
        };
        if let Some(value) = solved {
            child.value = value;
            if node_type == NodeType::And {
                tables.proofs.store_solved(child.key.board, value, 1);
            }
            return;
        }
        let initial = estimate::initial_numbers(position, node_type, child.mv);
        let (pn, dn) = (initial.pn() + self.next_noise(), initial.dn() + self.next_noise());
        child.value = NodeValue::open(pn.max(child.value.pn()), dn.max(child.value.dn()));
    }

    /// The value of the AND node after a check that reaches the horizon.
    fn value_after_last_check(&self, position: &mut Position, child: &Child) -> NodeValue {
        position.do_move_with(child.mv, true);
        let value = if self.can_evade(position) {
            NodeValue::NoMate { within: 0, repetition_depth: NO_REPETITION, hand: child.key.hand }
        } else {
            let hand = proof_hand::add_interpositions(position, Hand::EMPTY);
            NodeValue::Mate { plies: 0, hand }
        };
        position.undo_move(child.mv);
        value
    }

    /// Whether the defender, who is in check, has a move.
    fn can_evade(&self, position: &Position) -> bool {
        if !self.restriction.without_drops {
            return position.has_legal_move();
        }
        position.legal_moves().moves().any(|mv| !mv.is_drop())
    }

    /// The noise of a helper thread: 1 in a quarter of the cases, else 0.
    fn next_noise(&mut self) -> u64 {
        self.noise.as_mut().map_or(0, |noise| u64::from(noise.one_in(4)))
    }
}

/// Sets the value of a child from the path and the tables. Returns whether it is an old
/// child.
fn probe(tables: &SolverTables, node: NodeContext<'_>, child: &mut Child) -> bool {
    let key = child.key;
    if let Some(repetition_depth) = node.path.repetition(key) {
        child.value = NodeValue::NoMate { within: ANY_LENGTH, repetition_depth, hand: key.hand };
        return false;
    }
    // A mate takes at least one ply from an OR node, and two from an AND node.
    let min_plies = if node.path.node_type() == NodeType::Or { 1 } else { 2 };
    if node.remaining < min_plies {
        let (within, hand) = (node.remaining.saturating_sub(1), key.hand);
        child.value = NodeValue::NoMate { within, repetition_depth: NO_REPETITION, hand };
        return false;
    }
    let remaining = node.remaining - 1;
    let found = tables.proofs.probe(key, node.path.depth() + 1, remaining);
    child.value = found.value;
    child.effort = found.effort;
    child.slot = found.slot;
    child.parent = found.parent;
    child.max_mask = found.max_mask;
    child.is_new = found.slot == NO_SLOT;
    if found.value.is_open() && found.repeats {
        let path_key = node.path.key_with(key);
        if let Some(value) = tables.repetitions.probe(path_key, key.hand, remaining) {
            child.value = value;
        }
    }
    found.is_old && child.value.is_open()
}

/// The value of the OR node after an evasion if one ply shows it: there is a mate in one, or no check.
fn value_after_evasion(position: &mut Position, mv: Move) -> Option<NodeValue> {
    let gives_check = position.gives_check(mv);
    position.do_move_with(mv, gives_check);
    let value = if let Some(mate) = position.mate_in_one() {
        position.do_move_with(mate, true);
        let mated = proof_hand::add_interpositions(position, Hand::EMPTY);
        position.undo_move(mate);
        Some(NodeValue::Mate { plies: 1, hand: proof_hand::hand_before(position, mate, mated) })
    } else if has_check(position) {
        None
    } else {
        let hand = proof_hand::remove_new_checks(position, Hand::FULL);
        Some(NodeValue::NoMate { within: ANY_LENGTH, repetition_depth: NO_REPETITION, hand })
    };
    position.undo_move(mv);
    value
}

/// Whether the side to move can give check.
fn has_check(position: &Position) -> bool {
    let mut any = AnyMove(false);
    position.generate_checks(NonPromotions::Useful, &mut any);
    if !any.0 {
        position.generate_checks(NonPromotions::All, &mut any);
    }
    any.0
}

/// Whether a generator has made any move.
struct AnyMove(bool);

impl MoveSink for AnyMove {
    fn piece(&mut self, _: Piece, _: Square, targets: Bitboard, _: bool) {
        self.0 |= !targets.is_empty();
    }

    fn pawns(&mut self, _: Piece, targets: Bitboard, _: bool) {
        self.0 |= !targets.is_empty();
    }

    fn drops(&mut self, _: Piece, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }
}
