//! What a book knows of a position: plain values, the same for every format.

use std::mem;

use super::MAX_MOVES;
use crate::position::Setup;
use crate::types::Move;

/// What a book says of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEntry {
    /// The number of the next move where the position stood; `None` where the book does not say.
    pub ply: Option<u32>,
    /// No move twice, the best first as [`BookEntry::sort`] sees it.
    pub moves: Vec<BookMove>,
}

/// A move of a book. It need not be legal where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// What the book expects in answer.
    pub reply: Option<Move>,
    /// Centipawns for the side to move.
    pub eval: Option<i32>,
    /// Plies of the search behind `eval`.
    pub depth: Option<u32>,
    /// How often the move was played, or how often it shall be.
    pub count: Option<u64>,
}

impl BookMove {
    /// A move of which nothing is known.
    pub fn bare(mv: Move) -> BookMove {
        BookMove { mv, reply: None, eval: None, depth: None, count: None }
    }

    /// Its weight where moves are drawn by their counts.
    pub fn weight(&self) -> u64 {
        self.count.unwrap_or(1)
    }
}

impl BookEntry {
    /// Puts a move behind the others, unless it is there already.
    pub fn add(&mut self, mv: BookMove) {
        if self.moves.iter().all(|other| other.mv != mv.mv) {
            self.moves.push(mv);
        }
    }

    /// Takes in what another place says of the same position. Of a move that both know stays what has
    /// an evaluation, of two that have one what comes from the deeper search, else what was there; a
    /// reply and a count that it lacks are taken from the other. The smaller number of the move
    /// stays, but what fits any number still does. Returns whether a number was lost by that.
    pub fn absorb(&mut self, other: BookEntry) -> bool {
        let numbers = self.ply.zip(other.ply);
        self.ply = numbers.map(|(one, other)| one.min(other));
        // A depth says nothing without the evaluation that it belongs to.
        let rank = |mv: &BookMove| (mv.eval.is_some(), mv.depth);
        for mut mv in other.moves {
            let Some(kept) = self.moves.iter_mut().find(|other| other.mv == mv.mv) else {
                self.moves.push(mv);
                continue;
            };
            if rank(&mv) > rank(kept) {
                mem::swap(kept, &mut mv);
            }
            kept.reply = kept.reply.or(mv.reply);
            kept.count = kept.count.or(mv.count);
        }
        self.sort();
        numbers.is_some_and(|(one, other)| one != other)
    }

    /// This and another entry for the same position in one, as long as it has no more moves than a
    /// position can have.
    pub(super) fn joined(mut self, other: BookEntry) -> BookEntry {
        if self.moves.len() < MAX_MOVES {
            self.absorb(other);
        }
        self
    }

    /// The most frequent first, and among equals the best: the order in which YaneuraOu takes them,
    /// whatever that of the file.
    pub fn sort(&mut self) {
        let rank = |mv: &BookMove| (mv.weight(), mv.eval.unwrap_or_default());
        self.moves.sort_by_key(|mv| std::cmp::Reverse(rank(mv)));
    }

    /// The entry for the position seen from the other side.
    pub fn rotate(mut self) -> BookEntry {
        for mv in &mut self.moves {
            (mv.mv, mv.reply) = (mv.mv.rotate(), mv.reply.map(Move::rotate));
        }
        self
    }
}

/// The fields of an SFEN that say what stands, without the number of the move: the name of a
/// position in a book, and what sorted books are sorted by.
pub fn sfen_key(setup: &Setup) -> String {
    let mut text = setup.to_string();
    text.truncate(text.rfind(' ').unwrap_or(text.len()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(mv: &str, eval: i32, count: Option<u64>) -> BookMove {
        BookMove { eval: Some(eval), count, ..BookMove::bare(mv.parse().unwrap()) }
    }

    #[test]
    fn the_most_frequent_comes_first_then_the_best() {
        let mut entry = BookEntry::default();
        let moves = [("7g7f", 10, None), ("2g2f", 40, Some(1)), ("9g9f", -5, Some(3))];
        moves.into_iter().for_each(|(mv, eval, count)| entry.add(known(mv, eval, count)));
        entry.add(known("7g7f", 99, Some(99)));
        entry.sort();
        let order: Vec<String> = entry.moves.iter().map(|mv| mv.mv.to_string()).collect();
        assert_eq!(order, ["9g9f", "2g2f", "7g7f"]);
    }

    #[test]
    fn a_name_has_no_number() {
        let name = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        assert_eq!(sfen_key(&Setup::startpos()), name);
    }
}
