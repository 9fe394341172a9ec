//! A book in memory that can be changed: for joining books and writing them, and for growing one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use super::BookSummary;
use super::entry::{BookEntry, sfen_key};
use crate::position::Setup;

/// Positions in the order in which text books have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryBook {
    /// By name.
    entries: BTreeMap<Box<str>, BookEntry>,
}

impl MemoryBook {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it says of a position, if it is that of this move or the number does not matter.
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        let entry = self.entries.get(&*sfen_key(setup))?;
        let fits = ply.is_none() || entry.ply.is_none() || entry.ply == ply;
        fits.then(|| entry.clone())
    }

    /// Puts an entry in the place of the one there was.
    pub fn insert(&mut self, setup: &Setup, entry: BookEntry) {
        self.entries.insert(sfen_key(setup).into(), entry);
    }

    /// Takes in what another place says of a position, as [`BookEntry::absorb`] does. Returns whether a
    /// number of the move was lost by that.
    pub fn absorb(&mut self, setup: &Setup, mut entry: BookEntry) -> bool {
        match self.entries.entry(sfen_key(setup).into()) {
            Slot::Occupied(mut slot) => slot.get_mut().absorb(entry),
            Slot::Vacant(slot) => {
                entry.sort();
                slot.insert(entry);
                false
            }
        }
    }

    /// Names of positions (an SFEN without the number of the move) and what is said of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &BookEntry)> {
        self.entries.iter().map(|(name, entry)| (&**name, entry))
    }

    /// Positions and what is said of them.
    pub fn setups(&self) -> impl Iterator<Item = (Setup, &BookEntry)> {
        self.iter().filter_map(|(name, entry)| {
            // What `sfen_key` has written can be read.
            let setup: Setup = name.parse().ok()?;
            Some((Setup { ply: entry.ply.unwrap_or(1), ..setup }, entry))
        })
    }

    pub(super) fn summary(&self) -> BookSummary {
        let moves = self.entries.values().map(|entry| entry.moves.len() as u64).sum();
        BookSummary {
            positions: Some(self.len() as u64),
            moves: Some(moves),
            ..BookSummary::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookMove;

    fn entry(ply: u32, moves: &[(&str, i32, u32)]) -> BookEntry {
        let known = |&(mv, eval, depth): &(&str, i32, u32)| BookMove {
            eval: Some(eval),
            depth: Some(depth),
            ..BookMove::bare(mv.parse().unwrap())
        };
        BookEntry { ply: Some(ply), moves: moves.iter().map(known).collect() }
    }

    #[test]
    fn of_two_the_deeper_stays_and_moves_of_both_are_kept() {
        let start = Setup::startpos();
        let mut book = MemoryBook::default();
        let third = entry(3, &[("7g7f", 10, 8), ("2g2f", 20, 8)]);
        let first = entry(1, &[("7g7f", 50, 9), ("2g2f", 90, 8), ("9g9f", 0, 1)]);
        let numbers_lost = [third, first].map(|entry| book.absorb(&start, entry));
        assert_eq!(numbers_lost, [false, true]);
        let merged = entry(1, &[("7g7f", 50, 9), ("2g2f", 20, 8), ("9g9f", 0, 1)]);
        assert_eq!(book.look_up(&start, None), Some(merged.clone()));
        assert_eq!(book.look_up(&start, Some(1)), Some(merged));
        assert_eq!(book.look_up(&start, Some(3)), None);
        assert_eq!(book.len(), 1);
    }

    #[test]
    fn a_position_of_any_number_stays_one() {
        let start = Setup::startpos();
        let (any, seventh) = (BookEntry::default(), entry(7, &[("7g7f", 10, 8)]));
        for both in [[&any, &seventh], [&seventh, &any]] {
            let mut book = MemoryBook::default();
            assert!(!both.into_iter().any(|one| book.absorb(&start, one.clone())));
            let merged = BookEntry { ply: None, ..seventh.clone() };
            assert_eq!(book.look_up(&start, Some(5)), Some(merged));
        }
    }

    /// They were gone with the shallower move.
    #[test]
    fn the_deeper_of_two_keeps_the_count_and_reply_of_the_other() {
        let start = Setup::startpos();
        let entry = |reply: Option<&str>, eval, depth, count| {
            let reply = reply.map(|reply| reply.parse().unwrap());
            let (eval, depth, mv) = (Some(eval), Some(depth), "7g7f".parse().unwrap());
            BookEntry { ply: None, moves: vec![BookMove { mv, reply, eval, depth, count }] }
        };
        let (shallow, deep) = (entry(Some("3c3d"), 30, 10, Some(500)), entry(None, -40, 11, None));
        for both in [[&shallow, &deep], [&deep, &shallow]] {
            let mut book = MemoryBook::default();
            assert!(!both.into_iter().any(|one| book.absorb(&start, one.clone())));
            let merged = entry(Some("3c3d"), -40, 11, Some(500));
            assert_eq!(book.look_up(&start, None), Some(merged));
        }
    }

    /// It was gone if the other had a greater depth.
    #[test]
    fn an_evaluation_is_not_given_up_for_a_move_without_one() {
        let start = Setup::startpos();
        let known = entry(1, &[("7g7f", 30, 10)]);
        let mut unknown = entry(1, &[("7g7f", 0, 32)]);
        unknown.moves[0].eval = None;
        for both in [[&known, &unknown], [&unknown, &known]] {
            let mut book = MemoryBook::default();
            both.into_iter().for_each(|one| _ = book.absorb(&start, one.clone()));
            assert_eq!(book.look_up(&start, None).as_ref(), Some(&known));
        }
    }
}
