//! The path from the root to the present node: which positions it went through, and a key of all of
//! them. It knows when a position comes back; it must not know of values in memory.

use super::table::Key;
use super::value::{FOREVER, Role, Value};
use crate::position::Position;
use crate::types::Color;

#[derive(Clone, Copy, Debug)]
struct Visit {
    key: Key,
    /// The key of the path down to here.
    path: u64,
}

#[derive(Debug)]
pub(super) struct Path {
    attacker: Color,
    visits: Vec<Visit>,
}

impl Path {
    pub(super) fn new(attacker: Color) -> Path {
        Path { attacker, visits: Vec::new() }
    }

    /// Goes on to a position.
    pub(super) fn enter(&mut self, position: &Position) {
        self.visits.push(Visit { key: self.key_of(position), path: self.longer(position) });
    }

    /// Goes back. Returns the key of the position left, and that of the path to it.
    pub(super) fn leave(&mut self) -> Option<(Key, u64)> {
        self.visits.pop().map(|visit| (visit.key, visit.path))
    }

    /// Plies from the root. There must be a root.
    pub(super) fn depth(&self) -> u16 {
        (self.visits.len() - 1) as u16
    }

    /// Who is to move: the attacker at the root.
    pub(super) fn side(&self) -> Role {
        if self.depth().is_multiple_of(2) { Role::Attacker } else { Role::Defender }
    }

    pub(super) fn key_of(&self, position: &Position) -> Key {
        Key::of(position, self.attacker)
    }

    /// The key of the path if it went on to this position. The order of the positions counts.
    pub(super) fn longer(&self, position: &Position) -> u64 {
        let path = self.visits.last().map_or(0, |visit| visit.path);
        (path.rotate_left(23) ^ position.key()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The value of a position of the attacker that stood on the path already, with as much in
    /// hand or more: no shortest mate comes back to it.
    pub(super) fn repeated(&self, key: Key) -> Option<Value> {
        let same = |&depth: &usize| {
            let earlier = self.visits[depth].key;
            earlier.board == key.board && earlier.hand.covers(key.hand)
        };
        let depth = (0..self.visits.len()).step_by(2).rev().find(same)?;
        Some(Value::NoMate { within: FOREVER, leans_on: depth as u16 })
    }
}
