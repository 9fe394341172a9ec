//! The path from the root to the present node: which positions it went through, and a key of all of
//! them. It knows when a position comes back; it must not know of values in memory.

use super::table::Key;
use super::value::Role;
use crate::position::Position;
use crate::types::Color;

/// Longest path. Twice as many slots keep the runs of taken ones short.
pub(super) const LONGEST: usize = 4095;
const SLOTS: usize = 2 * (LONGEST + 1);

#[derive(Clone, Copy, Debug)]
struct Visit {
    key: Key,
    /// The key of the path down to here.
    path: u64,
    /// Its slot.
    slot: u16,
}

pub(super) struct Path {
    attacker: Color,
    /// Who is to move at the root.
    first: Role,
    visits: Vec<Visit>,
    /// Depth and one of the positions of the path, by their boards; open addressing. Positions
    /// leave in the order opposite to that in which they came, so a slot can simply be freed.
    slots: Vec<u16>,
}

impl Path {
    pub(super) fn new(attacker: Color, root: &Position) -> Path {
        let first = role(attacker, root);
        Path { attacker, first, visits: Vec::new(), slots: vec![0; SLOTS] }
    }

    /// Goes on to a position.
    pub(super) fn enter(&mut self, key: Key) {
        let path = self.longer(key);
        let mut slot = home(key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        self.visits.push(Visit { key, path, slot: slot as u16 });
        self.slots[slot] = self.visits.len() as u16;
    }

    /// Goes back. Returns the key of the path that ends here.
    pub(super) fn leave(&mut self) -> Option<u64> {
        let visit = self.visits.pop()?;
        self.slots[usize::from(visit.slot)] = 0;
        Some(visit.path)
    }

    /// Plies from the root. There must be a root.
    pub(super) fn depth(&self) -> u16 {
        (self.visits.len() - 1) as u16
    }

    pub(super) fn attacker(&self) -> Color {
        self.attacker
    }

    /// Who is to move.
    pub(super) fn side(&self) -> Role {
        match (self.first, self.depth().is_multiple_of(2)) {
            (first, true) => first,
            (Role::Attacker, false) => Role::Defender,
            (Role::Defender, false) => Role::Attacker,
        }
    }

    /// Who is to move at the root.
    pub(super) fn first(&self) -> Role {
        self.first
    }

    /// The positions from the root on.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.visits.iter().map(|visit| visit.key)
    }

    /// The key of the present position.
    pub(super) fn key(&self) -> Key {
        self.visits.last().expect("a path has a root").key
    }

    /// The key of the path if it went on to this position. The order of the positions counts.
    pub(super) fn longer(&self, key: Key) -> u64 {
        let path = self.visits.last().map_or(0, |visit| visit.path);
        (path.rotate_left(23) ^ key.mixed()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The depth at which a position stood on the path already, with as much in the attacker's hand
    /// or more: no shortest mate comes back to it. The deepest such place.
    pub(super) fn repeats(&self, key: Key) -> Option<u16> {
        let covers = |earlier: Key| earlier.board == key.board && earlier.hand.covers(key.hand);
        self.deepest(key, covers)
    }

    /// The depth at which exactly this position stands on the path.
    pub(super) fn find(&self, key: Key) -> Option<u16> {
        self.deepest(key, |earlier| earlier == key)
    }

    #[inline(always)]
    fn deepest(&self, key: Key, fits: impl Fn(Key) -> bool) -> Option<u16> {
        let mut slot = home(key);
        let mut found: Option<u16> = None;
        loop {
            let depth = self.slots[slot].checked_sub(1)?;
            let fits = fits(self.visits[usize::from(depth)].key);
            found = if fits { found.max(Some(depth)) } else { found };
            slot = (slot + 1) % SLOTS;
            if self.slots[slot] == 0 {
                return found;
            }
        }
    }
}

/// Who is to move in a position.
pub(super) fn role(attacker: Color, position: &Position) -> Role {
    if position.side_to_move() == attacker { Role::Attacker } else { Role::Defender }
}

fn home(key: Key) -> usize {
    (key.board >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Hand, PieceKind};

    fn key(board: u64, golds: u32) -> Key {
        Key { board, hand: Hand::EMPTY.with(PieceKind::Gold, golds) }
    }

    #[test]
    fn a_position_comes_back_with_as_much_in_hand_or_less() {
        let mut path = Path::new(Color::Black, &Position::startpos());
        // All in the same slot.
        for (board, golds) in [(1, 1), (2, 0), (1, 2), (3, 0), (1, 0)] {
            path.enter(key(board, golds));
        }
        assert_eq!(path.repeats(key(1, 3)), None);
        assert_eq!(path.repeats(key(1, 2)), Some(2));
        assert_eq!(path.repeats(key(1, 0)), Some(4));
        assert_eq!(path.find(key(1, 1)), Some(0));
        assert_eq!(path.find(key(4, 0)), None);
        for _ in 0..3 {
            path.leave();
        }
        assert_eq!(path.repeats(key(1, 1)), Some(0));
        assert_eq!(path.repeats(key(3, 0)), None);
        assert_eq!((path.depth(), path.side()), (1, Role::Defender));
    }

    #[test]
    fn the_key_of_a_path_tells_the_order() {
        let keys = |boards: [u64; 3]| {
            let mut path = Path::new(Color::Black, &Position::startpos());
            boards.into_iter().for_each(|board| path.enter(key(board, 0)));
            path.leave()
        };
        assert_ne!(keys([1, 2, 3]), keys([2, 1, 3]));
        assert_eq!(keys([1, 2, 3]), keys([1, 2, 3]));
    }
}
