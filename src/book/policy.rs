//! Chooses a move from the books by the options of YaneuraOu; the fields of [`BookPolicy`] name them.

use std::path::PathBuf;

use super::book_set::BookSet;
use super::entry::{BookEntry, BookMove};
use crate::position::Position;
use crate::types::{ByColor, Move};

/// The options of the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPolicy {
    /// The last move number at which the books are used (`BookMoves`).
    pub last_ply: u32,
    /// The percentage of cases in which the books are ignored (`BookIgnoreRate`).
    pub ignore_percent: u64,
    /// The centipawns by which a move may be worse than the first, by the side to move (`BookEvalDiff`).
    pub eval_diff: ByColor<i32>,
    /// Minimum evaluation of a move in centipawns, by the side to move (`BookEvalBlackLimit`,
    /// `BookEvalWhiteLimit`).
    pub eval_limit: ByColor<i32>,
    /// Minimum search depth of the first move in plies, by the side to move; 0 for any (`BookDepthLimit`).
    pub depth_limit: ByColor<u32>,
    /// The length of the variations shown, in plies (`BookPvMoves`).
    pub pv_moves: usize,
    /// Whether entries of other move numbers are used (`IgnoreBookPly`).
    pub ignore_ply: bool,
    /// Whether the position with colours swapped is also looked up (`FlippedBook`).
    pub flipped: bool,
    /// Whether moves are chosen by their counts, not uniformly (`ConsiderBookMoveCount`).
    pub by_count: bool,
    /// Whether moves with less than a tenth of all counts are left out (`NarrowBook`).
    pub narrow: bool,
}

/// A position found in the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookHit {
    /// All playable moves, in the order of the book.
    pub variations: Vec<BookVariation>,
    /// The index of the move to play.
    pub chosen: usize,
    /// The path of the book that has the position.
    pub book: PathBuf,
}

/// A move of a book and its continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookVariation {
    /// In centipawns, from the side to move.
    pub eval: Option<i32>,
    /// The depth in plies of the search that gave `eval`.
    pub depth: Option<u32>,
    /// The move and the moves that the books expect after it, as many as are shown. All are legal.
    pub pv: Vec<Move>,
    /// The expected reply, also if it is not shown.
    pub reply: Option<Move>,
}

impl BookHit {
    /// The variation to play. It need not have the best evaluation.
    pub fn chosen_variation(&self) -> &BookVariation {
        &self.variations[self.chosen]
    }
}

impl BookPolicy {
    /// YaneuraOu's defaults, for books made for other engines.
    pub const DEFAULT: BookPolicy = BookPolicy {
        last_ply: 16,
        ignore_percent: 0,
        eval_diff: ByColor([30, 30]),
        eval_limit: ByColor([0, -140]),
        depth_limit: ByColor([16, 16]),
        pv_moves: 8,
        // The value of a position does not depend on its ply, and GUIs count plies differently.
        ignore_ply: true,
        flipped: true,
        by_count: false,
        narrow: false,
    };

    /// Looks up a position and chooses a move, if the books have a suitable one. `allowed` are the
    /// moves to choose from, empty for all; `random` returns unpredictable numbers.
    ///
    /// Moves that end the game by repetition are left to the search.
    pub fn probe(
        &self,
        books: &BookSet,
        position: &Position,
        allowed: &[Move],
        random: &mut dyn FnMut() -> u64,
    ) -> Option<BookHit> {
        if position.game_ply() > self.last_ply || random() % 100 < self.ignore_percent {
            return None;
        }
        let mut position = position.clone();
        let (index, mut entry) = self.look_up(books, &position)?;
        entry.moves.retain(|mv| allowed.is_empty() || allowed.contains(&mv.mv));
        entry.moves.retain(|mv| is_playable(&mut position, mv.mv));
        let chosen = self.choose(&entry.moves, &position, random)?;
        let variations = entry.moves.iter().map(|mv| {
            let mut pv = self.variation(books, &mut position, mv);
            let reply = pv.get(1).copied();
            pv.truncate(self.pv_moves);
            BookVariation { eval: mv.eval, depth: mv.depth, pv, reply }
        });
        let variations = variations.collect();
        Some(BookHit { variations, chosen, book: books.path(index).clone() })
    }

    fn look_up(&self, books: &BookSet, position: &Position) -> Option<(usize, BookEntry)> {
        let ply = (!self.ignore_ply).then(|| position.game_ply());
        books.look_up(&position.setup(), ply, self.flipped)
    }

    /// The index of the move to play.
    fn choose(
        &self,
        moves: &[BookMove],
        position: &Position,
        random: &mut dyn FnMut() -> u64,
    ) -> Option<usize> {
        let first = moves.first()?;
        let side = position.side_to_move();
        if first.depth.is_some_and(|depth| depth < self.depth_limit[side]) {
            return None;
        }
        let (limit, diff) = (self.eval_limit[side], self.eval_diff[side]);
        let limit = first.eval.map_or(limit, |eval| limit.max(eval.saturating_sub(diff)));
        let total = total_weight(moves.iter());
        let is_suitable = |mv: &BookMove| {
            // A move without a count is not rare.
            let is_rare = mv.count.is_some_and(|count| u128::from(count) * 10 < total);
            mv.eval.is_none_or(|eval| eval >= limit) && !(self.narrow && is_rare)
        };
        let suitable: Vec<usize> =
            (0..moves.len()).filter(|&index| is_suitable(&moves[index])).collect();
        let total = total_weight(suitable.iter().map(|&index| &moves[index]));
        if !self.by_count || total == 0 {
            let chosen = random() as usize % suitable.len().max(1);
            return suitable.get(chosen).copied();
        }
        let mut remaining = u128::from(random()) % total;
        suitable.into_iter().find(|&index| {
            let weight = u128::from(moves[index].weight());
            let found = remaining < weight;
            remaining = remaining.saturating_sub(weight);
            found
        })
    }

    /// The move, its reply in the book, and the continuation in the books: at least the reply, for pondering.
    fn variation(&self, books: &BookSet, position: &mut Position, first: &BookMove) -> Vec<Move> {
        let mut pv = vec![first.mv];
        position.do_move(first.mv);
        let mut reply = first.reply;
        while pv.len() < self.pv_moves.max(2) && position.repetition().is_none() {
            let known = reply.take().filter(|&mv| position.is_legal(mv));
            let next = known.map(BookMove::new).or_else(|| {
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

/// Whether a move is legal and does not end the game by repetition.
fn is_playable(position: &mut Position, mv: Move) -> bool {
    if position.try_play(mv).is_err() {
        return false;
    }
    let is_playable = position.repetition().is_none();
    position.undo_move(mv);
    is_playable
}

#[cfg(test)]
mod tests;
