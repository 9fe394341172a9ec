//! A game as the list of its positions, and repetitions found in that list.

use kawasemi::types::{Color, Move};

use super::SlowPosition;

/// The result of a fourth occurrence for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Draw,
    Win,
    Loss,
}

/// All positions of a game in order, from the start position.
#[derive(Clone, Debug)]
pub struct SlowGame {
    positions: Vec<SlowPosition>,
}

impl SlowGame {
    pub fn new(start: SlowPosition) -> SlowGame {
        SlowGame { positions: vec![start] }
    }

    pub fn current(&self) -> &SlowPosition {
        self.positions.last().expect("the first position stays")
    }

    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.current().after(mv));
    }

    pub fn undo(&mut self) {
        self.positions.pop();
        assert!(!self.positions.is_empty(), "nothing to undo");
    }

    /// The indices of all occurrences of the current position, including the current one.
    pub fn occurrences(&self) -> Vec<usize> {
        let now = self.current();
        let same = |then: &SlowPosition| {
            then.board == now.board && then.hands == now.hands && then.side == now.side
        };
        (0..self.positions.len()).filter(|&index| same(&self.positions[index])).collect()
    }

    /// Sennichite: the fourth occurrence ends the game. A side that has given check with every move
    /// since the first occurrence loses; the side that moved last is tested first.
    pub fn verdict(&self) -> Option<Verdict> {
        let occurrences = self.occurrences();
        if occurrences.len() < 4 {
            return None;
        }
        let since = &self.positions[occurrences[0] + 1..];
        let always_checked = |victim: Color| {
            since.iter().filter(|position| position.side == victim).all(|p| p.in_check(victim))
        };
        let to_move = self.current().side;
        Some(if always_checked(to_move) {
            Verdict::Win
        } else if always_checked(!to_move) {
            Verdict::Loss
        } else {
            Verdict::Draw
        })
    }
}
