//! A move of a node, and the stored results of the position after it.

use super::node_key::NodeKey;
use super::node_value::NodeValue;
use super::proof_table::NO_SLOT;
use crate::types::Move;

#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) key: NodeKey,
    pub(super) value: NodeValue,
    /// The slot of its position in the proof table, or `NO_SLOT`.
    pub(super) slot: u32,
    /// The slot of the position from which this one was searched last, or `NO_SLOT`.
    pub(super) parent: u32,
    pub(super) mv: Move,
    /// The index of the sibling that delays this child, because both usually have the same value.
    /// [`NO_CHILD`] for none.
    pub(super) delayed_by: u16,
    /// The effort of that sibling after which this child is searched even if the sibling is not solved.
    pub(super) delay_effort: u8,
    /// See [`move_order`](super::estimate::move_order).
    pub(super) move_order: i16,
    /// The max mask of this child's position: bit `i` is set if the delta of its own child number `i`
    /// modulo 12 counts by the maximum (see [`mask_bit`]).
    pub(super) max_mask: u16,
    /// The nodes spent on this child so far, as an effort code of the proof table.
    pub(super) effort: u8,
    /// Whether the child was never searched.
    pub(super) is_new: bool,
    /// The group of children of which only the largest delta counts, or [`NO_GROUP`].
    pub(super) max_group: u8,
    /// Whether the child has to wait, as of the last [`NodeNumbers`](super::node_numbers::NodeNumbers): see
    /// [`must_wait`](Child::must_wait).
    pub(super) is_delayed: bool,
}

/// No child.
pub(super) const NO_CHILD: u16 = u16::MAX;

/// The max group of a child whose delta counts by itself.
pub(super) const NO_GROUP: u8 = 0;
/// The max group of children whose lines meet again further down.
pub(super) const CONVERGING_GROUP: u8 = 1;
/// The first max group of checks that are alike.
pub(super) const FIRST_SIMILAR_GROUP: u8 = 2;
/// The number of max groups, with the two above.
pub(super) const MAX_GROUPS: usize = 32;

impl Child {
    /// A child without a value.
    pub(super) fn new(mv: Move, key: NodeKey) -> Child {
        Child {
            key,
            value: NodeValue::open(1, 1),
            slot: NO_SLOT,
            parent: NO_SLOT,
            mv,
            delayed_by: NO_CHILD,
            delay_effort: u8::MAX,
            move_order: 0,
            max_mask: 0,
            effort: 0,
            is_new: false,
            max_group: NO_GROUP,
            is_delayed: false,
        }
    }

    /// Whether the child has to wait for the sibling that delays it.
    pub(super) fn must_wait(&self, siblings: &[Child]) -> bool {
        let Some(before) = siblings.get(usize::from(self.delayed_by)) else { return false };
        let is_open = before.is_delayed || before.value.is_open();
        is_open && before.effort < self.delay_effort
    }
}

/// The bit of the child with this index in its parent's max mask, which has twelve bits.
pub(super) fn mask_bit(index: usize) -> u16 {
    1 << (index % 12)
}
