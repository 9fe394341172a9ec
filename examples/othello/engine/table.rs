//! The transposition table. Only one thread uses it.

use kawasemi::types::mix64;

use crate::engine::board::{Board, Square};

/// The bounds of the score of a position, in hundredths of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    entries: Vec<Entry>,
}

const EMPTY: Entry = Entry { key: 0, lower: 0, upper: 0, depth: 0, best: NO_MOVE };

impl Table {
    /// A table of this size, rounded down to a power of two.
    pub fn new(size_mib: usize) -> Table {
        let count = (size_mib << 20) / size_of::<Entry>();
        Table { entries: vec![EMPTY; 1 << count.max(2).ilog2()] }
    }

    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
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
        let mut table = Table { entries: vec![EMPTY; 2] };
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
}
