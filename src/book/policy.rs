//! How a move is chosen from what books say: the options of YaneuraOu, with the same meaning.

use std::path::PathBuf;

use super::{BookMove, BookSet};
use crate::position::{Position, Repetition};
use crate::types::{ByColor, Move};

/// How to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPolicy {
    /// Only before a move of at most this number.
    pub last_ply: u32,
    /// How often of a hundred times the books are not asked.
    pub ignore_percent: u64,
    /// Centipawns that a move may be worse than the first.
    pub eval_diff: i32,
    /// Centipawns that a move must be worth, by the side to move.
    pub eval_limit: ByColor<i32>,
    /// Plies that the search behind the first move must have had; 0 for any.
    pub depth_limit: u32,
    /// Length of the variations shown.
    pub pv_moves: usize,
    /// Whether what is said of a position counts whatever the number of its move.
    pub ignore_ply: bool,
    /// Whether to look for the position as the other side sees it too.
    pub flipped: bool,
    /// Whether moves are drawn by their counts, and not alike.
    pub by_count: bool,
    /// Whether moves of less than a tenth of all counts are left out.
    pub narrow: bool,
}

/// What books say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookHit {
    /// All moves that can be played, the first of the book first.
    pub variations: Vec<BookVariation>,
    /// Which of them shall be played.
    pub chosen: usize,
    /// The book that says so.
    pub book: PathBuf,
}

/// A move of a book with what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookVariation {
    pub eval: Option<i32>,
    pub depth: Option<u32>,
    /// The move and what the books expect behind it, as much as is to be shown; all of it can be
    /// played.
    pub pv: Vec<Move>,
    /// The reply that the books expect, shown or not.
    pub reply: Option<Move>,
}

impl BookHit {
    pub fn best(&self) -> &BookVariation {
        &self.variations[self.chosen]
    }
}

impl BookPolicy {
    /// What the books probe, if they know the position and one of their moves will do. `allowed`
    /// are the moves to choose from, empty for all; `lot` gives numbers that the opponent cannot
    /// foretell.
    ///
    /// A move that ends the game by repetition is left to the search.
    pub fn probe(
        &self,
        books: &BookSet,
        position: &Position,
        allowed: &[Move],
        lot: &mut dyn FnMut() -> u64,
    ) -> Option<BookHit> {
        if position.ply() > self.last_ply || lot() % 100 < self.ignore_percent {
            return None;
        }
        let mut position = position.clone();
        let (number, mut entry) = self.look_up(books, &position)?;
        entry.moves.retain(|mv| allowed.is_empty() || allowed.contains(&mv.mv));
        entry.moves.retain(|mv| goes_on(&mut position, mv.mv));
        let chosen = self.choose(&entry.moves, &position, lot)?;
        let variations = entry.moves.iter().map(|mv| {
            let mut pv = self.variation(books, &mut position, mv);
            let reply = pv.get(1).copied();
            pv.truncate(self.pv_moves);
            BookVariation { eval: mv.eval, depth: mv.depth, pv, reply }
        });
        let variations = variations.collect();
        Some(BookHit { variations, chosen, book: books.path(number).clone() })
    }

    fn look_up(&self, books: &BookSet, position: &Position) -> Option<(usize, super::BookEntry)> {
        let ply = (!self.ignore_ply).then(|| position.ply());
        books.look_up(&position.setup(), ply, self.flipped)
    }

    /// Which of the moves to play.
    fn choose(
        &self,
        moves: &[BookMove],
        position: &Position,
        lot: &mut dyn FnMut() -> u64,
    ) -> Option<usize> {
        let first = moves.first()?;
        if first.depth.is_some_and(|depth| depth < self.depth_limit) {
            return None;
        }
        let limit = self.eval_limit[position.side_to_move()];
        let limit = first.eval.map_or(limit, |eval| limit.max(eval.saturating_sub(self.eval_diff)));
        let total = total_weight(moves.iter());
        let will_do = |mv: &BookMove| {
            // What the book does not count is not rare.
            let is_rare = mv.count.is_some_and(|count| u128::from(count) * 10 < total);
            mv.eval.is_none_or(|eval| eval >= limit) && !(self.narrow && is_rare)
        };
        let left: Vec<usize> = (0..moves.len()).filter(|&index| will_do(&moves[index])).collect();
        let total = total_weight(left.iter().map(|&index| &moves[index]));
        if !self.by_count || total == 0 {
            let drawn = lot() as usize % left.len().max(1);
            return left.get(drawn).copied();
        }
        let mut drawn = u128::from(lot()) % total;
        left.into_iter().find(|&index| {
            let weight = u128::from(moves[index].weight());
            let found = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            found
        })
    }

    /// The move, the reply that stands with it, and what the books say further: never less than the
    /// reply, on which to ponder.
    fn variation(&self, books: &BookSet, position: &mut Position, first: &BookMove) -> Vec<Move> {
        let mut pv = vec![first.mv];
        position.do_move(first.mv);
        let mut reply = first.reply;
        while pv.len() < self.pv_moves.max(2) && position.repetition().is_none() {
            let said = reply.take().filter(|&mv| position.is_legal(mv));
            let next = said.map(BookMove::bare).or_else(|| {
                let moves = self.look_up(books, position)?.1.moves;
                moves.into_iter().find(|mv| position.is_legal(mv.mv))
            });
            let Some(next) = next else { break };
            position.do_move(next.mv);
            pv.push(next.mv);
            reply = next.reply;
        }
        pv.iter().rev().for_each(|&mv| position.undo_move(mv));
        pv
    }
}

fn total_weight<'a>(moves: impl Iterator<Item = &'a BookMove>) -> u128 {
    moves.map(|mv| u128::from(mv.weight())).sum()
}

/// Whether the move can be played and does not end the game by repetition.
fn goes_on(position: &mut Position, mv: Move) -> bool {
    if position.try_play(mv).is_err() {
        return false;
    }
    let verdict: Option<Repetition> = position.repetition();
    position.undo_move(mv);
    verdict.is_none()
}

#[cfg(test)]
mod tests;
