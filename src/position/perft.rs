//! Counting the leaves of the legal move tree.

use super::{MoveList, Position, movegen::Counter};
use crate::types::Move;

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

    /// The count behind each legal move.
    pub fn perft_divide(&mut self, depth: u32) -> Vec<(Move, u64)> {
        let moves: Vec<Move> = self.legal_moves().moves().collect();
        moves
            .into_iter()
            .map(|mv| {
                self.do_move(mv);
                let count = self.perft(depth.saturating_sub(1));
                self.undo_move(mv);
                (mv, count)
            })
            .collect()
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
        let mut counter = Counter::default();
        self.generate_legal(&mut counter);
        counter.count()
    }
}
