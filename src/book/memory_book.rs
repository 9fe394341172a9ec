//! A book in memory that can be changed and written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use super::entry::BookEntry;
use super::validation::BookSummary;
use crate::position::Setup;

/// Entries of positions, sorted as in text books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryBook {
    /// By the SFEN of the position without its move number.
    entries: BTreeMap<Box<str>, BookEntry>,
}

impl MemoryBook {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of a position; with `ply` only if it has this move number or none.
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        let entry = self.entries.get(&*setup.sfen_without_ply())?;
        let fits = ply.is_none() || entry.ply.is_none() || entry.ply == ply;
        fits.then(|| entry.clone())
    }

    /// Sets the entry of a position.
    pub fn insert(&mut self, setup: &Setup, entry: BookEntry) {
        self.entries.insert(setup.sfen_without_ply().into(), entry);
    }

    /// Merges an entry into that of its position: see [`BookEntry::merge`]. Returns whether a move
    /// number was lost.
    pub fn merge(&mut self, setup: &Setup, mut entry: BookEntry) -> bool {
        match self.entries.entry(setup.sfen_without_ply().into()) {
            Slot::Occupied(mut slot) => slot.get_mut().merge(entry),
            Slot::Vacant(slot) => {
                entry.sort();
                slot.insert(entry);
                false
            }
        }
    }

    /// The entries with the SFENs of their positions, without the move numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &BookEntry)> {
        self.entries.iter().map(|(key, entry)| (&**key, entry))
    }

    /// The entries with their positions.
    pub fn positions(&self) -> impl Iterator<Item = (Setup, &BookEntry)> {
        self.iter().filter_map(|(key, entry)| {
            let setup: Setup = key.parse().ok()?;
            Some((Setup { game_ply: entry.ply.unwrap_or(1), ..setup }, entry))
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
            ..BookMove::new(mv.parse().unwrap())
        };
        BookEntry { ply: Some(ply), moves: moves.iter().map(known).collect() }
    }

    #[test]
    fn the_deeper_of_two_moves_and_all_other_moves_are_kept() {
        let start = Setup::startpos();
        let mut book = MemoryBook::default();
        let third = entry(3, &[("7g7f", 10, 8), ("2g2f", 20, 8)]);
        let first = entry(1, &[("7g7f", 50, 9), ("2g2f", 90, 8), ("9g9f", 0, 1)]);
        let numbers_lost = [third, first].map(|entry| book.merge(&start, entry));
        assert_eq!(numbers_lost, [false, true]);
        let merged = entry(1, &[("7g7f", 50, 9), ("2g2f", 20, 8), ("9g9f", 0, 1)]);
        assert_eq!(book.look_up(&start, None), Some(merged.clone()));
        assert_eq!(book.look_up(&start, Some(1)), Some(merged));
        assert_eq!(book.look_up(&start, Some(3)), None);
        assert_eq!(book.len(), 1);
    }

    #[test]
    fn a_merged_position_without_a_move_number_has_none() {
        let start = Setup::startpos();
        let (any, seventh) = (BookEntry::default(), entry(7, &[("7g7f", 10, 8)]));
        for both in [[&any, &seventh], [&seventh, &any]] {
            let mut book = MemoryBook::default();
            assert!(!both.into_iter().any(|one| book.merge(&start, one.clone())));
            let merged = BookEntry { ply: None, ..seventh.clone() };
            assert_eq!(book.look_up(&start, Some(5)), Some(merged));
        }
    }

    /// Regression: count and reply of the shallower move were lost.
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
            assert!(!both.into_iter().any(|one| book.merge(&start, one.clone())));
            let merged = entry(Some("3c3d"), -40, 11, Some(500));
            assert_eq!(book.look_up(&start, None), Some(merged));
        }
    }

    /// Regression: the evaluation was lost if the other move had a greater depth.
    #[test]
    fn a_move_without_an_evaluation_does_not_replace_one_with_it() {
        let start = Setup::startpos();
        let known = entry(1, &[("7g7f", 30, 10)]);
        let mut unknown = entry(1, &[("7g7f", 0, 32)]);
        unknown.moves[0].eval = None;
        for both in [[&known, &unknown], [&unknown, &known]] {
            let mut book = MemoryBook::default();
            both.into_iter().for_each(|one| _ = book.merge(&start, one.clone()));
            assert_eq!(book.look_up(&start, None).as_ref(), Some(&known));
        }
    }
}
