//! The main line: the attacker mates as fast as possible, the defender holds out as long as possible by
//! the customary lengths. Among defences that last equally long, the defender chooses one that leaves
//! the attacker the fewest pieces in hand, and the attacker avoids that.

use std::collections::HashMap;

use super::budget::{Decided, Undecided};
use super::customary_length::{CustomaryLengths, checks, evasions};
use crate::position::Position;
use crate::types::Move;

/// Maximum number of positions examined to compare the pieces left by defences of the same length.
const MAX_COMPARED: usize = 2_000;

/// The main line of a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    pub moves: Vec<Move>,
    /// The pieces that the attacker has in hand at the end (駒余り).
    pub pieces_left: u32,
    /// Whether all defences of the same length were compared by the pieces that they leave.
    pub all_compared: bool,
    /// The other defences that last as long as those of the line; `None` where they were not looked for.
    pub equal_defences: Option<Vec<EqualDefence>>,
}

/// A defence that lasts as long as the one of the main line (変化同手数).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualDefence {
    /// The index in the line of the defence that it replaces.
    pub ply: usize,
    pub mv: Move,
    /// The pieces that the attacker has left in hand, if that is decided.
    pub pieces_left: Option<u32>,
}

/// A move, and the pieces that the attacker has left at the end, if that is decided.
type MoveAndPiecesLeft = (Move, Option<u32>);

pub(super) struct MainLineFinder<'f, 'a> {
    lengths: &'f mut CustomaryLengths<'a>,
    /// The pieces left after the best play from a position, by its key.
    pieces_left: HashMap<u64, u32>,
}

impl<'f, 'a> MainLineFinder<'f, 'a> {
    pub(super) fn new(lengths: &'f mut CustomaryLengths<'a>) -> MainLineFinder<'f, 'a> {
        MainLineFinder { lengths, pieces_left: HashMap::new() }
    }

    /// The main line from a position that is mate in exactly this many plies.
    pub(super) fn line(&mut self, root: &Position, plies: u16) -> Decided<MainLine> {
        let mut position = root.clone();
        let (mut moves, mut equal_defences, mut all_compared) = (Vec::new(), Vec::new(), true);
        for remaining in (1..=plies).rev() {
            let best = self.best_moves(&mut position, remaining)?;
            let (mv, others) = self.choose(&mut position, best, remaining, &mut all_compared)?;
            if !self.lengths.is_attackers_turn(&position) {
                let ply = moves.len();
                let equal = |(mv, pieces_left)| EqualDefence { ply, mv, pieces_left };
                equal_defences.extend(others.into_iter().map(equal));
            }
            position.do_move(mv);
            moves.push(mv);
        }
        let pieces_left = position.hand(self.lengths.attacker()).total();
        Ok(MainLine { moves, pieces_left, all_compared, equal_defences: Some(equal_defences) })
    }

    /// The best move, and the other moves of the same length with the pieces that they leave.
    fn choose(
        &mut self,
        position: &mut Position,
        best: Vec<Move>,
        remaining: u16,
        all_compared: &mut bool,
    ) -> Decided<(Move, Vec<MoveAndPiecesLeft>)> {
        let &first = best.first().ok_or(Undecided)?;
        if best.len() == 1 {
            return Ok((first, Vec::new()));
        }
        let mut rated = Vec::new();
        for mv in best {
            let left = self.pieces_left_after(position, mv, remaining - 1);
            *all_compared &= left.is_ok();
            rated.push((mv, left.ok()));
        }
        let wants_many = self.lengths.is_attackers_turn(position);
        let rating = |&(_, left): &MoveAndPiecesLeft| {
            let left = left.unwrap_or(if wants_many { 0 } else { u32::MAX - 1 });
            if wants_many { u32::MAX - left } else { left }
        };
        let chosen = rated.iter().min_by_key(|&move_left| rating(move_left)).map(|best| best.0);
        let chosen = chosen.unwrap_or(first);
        rated.retain(|&(mv, _)| mv != chosen);
        Ok((chosen, rated))
    }

    /// The moves after which the mate takes exactly one ply less.
    fn best_moves(&mut self, position: &mut Position, remaining: u16) -> Decided<Vec<Move>> {
        let after = remaining - 1;
        let mut best = Vec::new();
        let moves = if self.lengths.is_attackers_turn(position) {
            checks(position)
        } else {
            evasions(position)
        };
        for mv in moves {
            let is_exact = self.lengths.is_mate_after(position, mv, after)?
                && (after < 2 || !self.lengths.is_mate_after(position, mv, after - 2)?);
            if is_exact {
                best.push(mv);
            }
        }
        Ok(best)
    }

    fn pieces_left_after(
        &mut self,
        position: &mut Position,
        mv: Move,
        remaining: u16,
    ) -> Decided<u32> {
        position.do_move(mv);
        let left = self.pieces_left(position, remaining);
        position.undo_move(mv);
        left
    }

    /// The pieces left to the attacker after the best play from a mate in this many plies.
    fn pieces_left(&mut self, position: &mut Position, remaining: u16) -> Decided<u32> {
        if remaining == 0 {
            return Ok(position.hand(self.lengths.attacker()).total());
        }
        if let Some(&left) = self.pieces_left.get(&position.key()) {
            return Ok(left);
        }
        if self.pieces_left.len() >= MAX_COMPARED {
            return Err(Undecided);
        }
        let better = if self.lengths.is_attackers_turn(position) { u32::max } else { u32::min };
        let mut found: Option<u32> = None;
        for mv in self.best_moves(position, remaining)? {
            let left = self.pieces_left_after(position, mv, remaining - 1)?;
            found = Some(found.map_or(left, |best| better(best, left)));
        }
        let left = found.ok_or(Undecided)?;
        self.pieces_left.insert(position.key(), left);
        Ok(left)
    }
}
