//! The entry of a position in a book, the same for every format.

use std::mem;

use crate::types::Move;

/// Maximum number of moves of an entry. No position has more than 593 legal moves.
pub(super) const MAX_MOVES: usize = 600;
/// Maximum number of entries of one position that a lookup merges, so that no file makes it slow.
pub(super) const MAX_DUPLICATES: usize = 1000;

/// The moves of a book in one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEntry {
    /// The number of the next move; `None` if the book does not say.
    pub ply: Option<u32>,
    /// Each move once, in the order of [`BookEntry::sort`].
    pub moves: Vec<BookMove>,
}

/// A move of a book. It may be illegal in its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// In centipawns, from the side to move.
    pub eval: Option<i32>,
    /// The depth in plies of the search that gave `eval`.
    pub depth: Option<u32>,
    /// How often the move was played, or its weight.
    pub count: Option<u64>,
}

impl BookMove {
    /// A move of which nothing else is known.
    pub fn new(mv: Move) -> BookMove {
        BookMove { mv, reply: None, eval: None, depth: None, count: None }
    }

    /// Its weight when a move is chosen by counts.
    pub fn weight(&self) -> u64 {
        self.count.unwrap_or(1)
    }
}

impl BookEntry {
    /// Appends a move, or merges it into the same move of the entry: the one with an evaluation is
    /// kept, then the one from the deeper search, then the first; a missing reply or count is taken
    /// from the other. Returns whether it was appended.
    pub fn add(&mut self, mut mv: BookMove) -> bool {
        // A depth without an evaluation is meaningless.
        let rank = |mv: &BookMove| (mv.eval.is_some(), mv.depth);
        let Some(kept) = self.moves.iter_mut().find(|other| other.mv == mv.mv) else {
            self.moves.push(mv);
            return true;
        };
        if rank(&mv) > rank(kept) {
            mem::swap(kept, &mut mv);
        }
        kept.reply = kept.reply.or(mv.reply);
        kept.count = kept.count.or(mv.count);
        false
    }

    /// Merges another entry of the same position, as [`BookEntry::add`] does. The smaller move number
    /// is kept, or none if one entry has none. Returns whether a move number was lost.
    pub fn merge(&mut self, other: BookEntry) -> bool {
        let numbers = self.ply.zip(other.ply);
        self.ply = numbers.map(|(one, other)| one.min(other));
        other.moves.into_iter().for_each(|mv| _ = self.add(mv));
        self.sort();
        numbers.is_some_and(|(one, other)| one != other)
    }

    /// Merges another entry of the same position, unless this one has as many moves as there can be.
    pub(super) fn merged(mut self, other: BookEntry) -> BookEntry {
        if self.moves.len() < MAX_MOVES {
            self.merge(other);
        }
        self
    }

    /// Sorts the moves by count, then by evaluation, both descending, as YaneuraOu does.
    pub fn sort(&mut self) {
        let rank = |mv: &BookMove| (mv.weight(), mv.eval.unwrap_or_default());
        self.moves.sort_by_key(|mv| std::cmp::Reverse(rank(mv)));
    }

    /// The entry of the position with colours swapped.
    pub fn rotated(mut self) -> BookEntry {
        for mv in &mut self.moves {
            (mv.mv, mv.reply) = (mv.mv.rotated(), mv.reply.map(Move::rotated));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(mv: &str, eval: i32, count: Option<u64>) -> BookMove {
        BookMove { eval: Some(eval), count, ..BookMove::new(mv.parse().unwrap()) }
    }

    #[test]
    fn moves_are_sorted_by_count_then_by_evaluation() {
        let mut entry = BookEntry::default();
        let moves = [("7g7f", 10, None), ("2g2f", 40, Some(1)), ("9g9f", -5, Some(3))];
        moves.into_iter().for_each(|(mv, eval, count)| _ = entry.add(known(mv, eval, count)));
        entry.sort();
        let order: Vec<String> = entry.moves.iter().map(|mv| mv.mv.to_string()).collect();
        assert_eq!(order, ["9g9f", "2g2f", "7g7f"]);
    }
}
