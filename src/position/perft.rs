//! Counting the leaves of the legal move tree.

use super::{MoveList, Position, movegen::Counter};
use crate::types::Bitboard;

impl Position {
    /// The number of legal move sequences of this length. The last ply is counted by target sets,
    /// without making a list.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal(),
            _ => {
                let mut lists = vec![MoveList::default(); depth as usize];
                self.perft_with(depth, &mut lists)
            }
        }
    }

    fn perft_with(&mut self, depth: u32, lists: &mut [MoveList]) -> u64 {
        if depth == 1 {
            return self.count_legal();
        }
        let Some((list, rest)) = lists.split_first_mut() else { return 0 };
        list.clear();
        self.generate_legal(list);
        let mut sum = 0;
        for mv in list.moves() {
            self.do_move(mv);
            sum += self.perft_with(depth - 1, rest);
            self.undo_move(mv);
        }
        sum
    }

    /// How many legal moves there are.
    pub fn count_legal(&self) -> u64 {
        self.count_legal_by(Bitboard::len)
    }

    /// As [`Position::count_legal`], for callers who know a faster way to count a set.
    #[inline]
    pub fn count_legal_by(&self, size: impl Fn(Bitboard) -> u32) -> u64 {
        let mut counter = Counter::new(size);
        self.generate_legal(&mut counter);
        counter.count.into()
    }
}
