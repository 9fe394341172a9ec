//! The transposition table. Only one thread uses it.

use bytemuck::Zeroable;
use kawasemi::sys::{AllocationError, HugePages};
use kawasemi::types::mix64;

use crate::engine::board::{Board, Square};

/// The bounds of the score of a position, in hundredths of a disc. An entry of zeros is empty: every search is deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable)]
pub struct Entry {
    key: u64,
    pub lower: i16,
    pub upper: i16,
    /// The depth of the search; [`SOLVED`] if it went to the end of the game.
    pub depth: u8,
    /// The best move; [`NO_MOVE`] if there is none.
    pub best: Square,
}

/// The depth of an exact score.
pub const SOLVED: u8 = u8::MAX;
/// No move.
pub const NO_MOVE: Square = 64;

/// Buckets of two entries, by the key of the position. The shallower entry of a bucket is replaced.
#[derive(Debug)]
pub struct Table {
    entries: HugePages<Entry>,
}

impl Table {
    /// An empty table of this size, rounded down to a power of two. Takes no time, whatever the size: the system zeroes
    /// memory when it is first touched.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub fn try_new(size_mib: usize) -> Result<Table, AllocationError> {
        let count = (size_mib << 20) / size_of::<Entry>();
        Ok(Table { entries: HugePages::zeroed(1 << count.max(2).ilog2())? })
    }

    /// As [`Table::try_new`], for commands and tests.
    ///
    /// # Panics
    /// If the system does not grant the memory.
    pub fn new(size_mib: usize) -> Table {
        Table::try_new(size_mib).expect("memory for a small table")
    }

    pub fn find(&self, board: Board) -> Option<Entry> {
        let key = key(board);
        let bucket = self.bucket(key);
        self.entries[bucket..bucket + 2].iter().find(|entry| entry.key == key).copied()
    }

    pub fn store(&mut self, board: Board, (lower, upper): (i32, i32), depth: u8, best: Square) {
        let key = key(board);
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + 2];
        let shallower = usize::from(bucket[1].depth < bucket[0].depth);
        let index = bucket.iter().position(|entry| entry.key == key).unwrap_or(shallower);
        // Scores are at most 65 discs.
        bucket[index] = Entry { key, lower: lower as i16, upper: upper as i16, depth, best };
    }

    /// The index of the first entry of a bucket.
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 2)
    }
}

fn key(board: Board) -> u64 {
    mix64(board.own ^ mix64(board.other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_the_deeper_of_two_survives() {
        let mut table = Table::new(0);
        let boards = [1, 2, 4].map(|own| Board { own, other: 8 });
        for (board, depth) in boards.into_iter().zip([9, 5, 7]) {
            table.store(board, (-100, 100), depth, 3);
        }
        let depths = boards.map(|board| table.find(board).map(|entry| entry.depth));
        assert_eq!(depths, [Some(9), None, Some(7)]);
        table.store(boards[0], (-5, 5), 1, 4);
        assert_eq!(table.find(boards[0]).map(|entry| (entry.upper, entry.best)), Some((5, 4)));
    }

    #[test]
    fn the_size_of_a_table_is_a_power_of_two_within_the_limit() {
        for size_mib in [1, 3, 16] {
            let bytes = Table::new(size_mib).entries.len() * size_of::<Entry>();
            assert!(bytes <= size_mib << 20 && bytes > size_mib << 19, "{bytes}");
        }
    }

    /// Regression: the program was aborted. Tables that were granted were filled on the clock of the first `go`.
    #[test]
    fn a_size_that_the_system_refuses_is_an_error() {
        assert!(Table::try_new(usize::MAX >> 20).is_err());
    }
}
