//! A position of the game as one player sees it, and the state after a placement.

use super::chain::{self, ALL_CLEAR_POINTS, Chain, POINTS_PER_GARBAGE};
use super::field::Field;
use super::garbage::Garbage;
use super::placement::Placement;
use super::rule::Rule;
use super::tumo::Pair;

/// One player's side of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub field: Field,
    /// Whether the field was empty after the last chain, so that the next one scores more.
    pub has_all_clear: bool,
    /// Points that were not yet sent as garbage.
    pub points: u32,
}

/// What the player to move knows in addition to the pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    pub own: Side,
    /// The number of the pair to place.
    pub number: usize,
    pub opponent: Side,
    pub opponent_number: usize,
    pub garbage: Garbage,
}

impl Position {
    /// Whether the same pair is to be placed in the same field.
    pub fn is_same_turn(&self, other: &Position) -> bool {
        self.number == other.number && self.own.field == other.own.field
    }
}

/// The part of a position that changes with each pair if the opponent does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub side: Side,
    pub garbage: Garbage,
}

impl State {
    pub fn new(position: &Position) -> State {
        State { side: position.own, garbage: position.garbage }
    }

    /// Places a pair: runs the chain, then lets garbage fall. Returns the chain.
    pub fn place(&mut self, placement: Placement, pair: Pair, rule: &Rule) -> Chain {
        let field = &mut self.side.field;
        placement.put(field, pair);
        let chain = chain::run(field);
        if chain.links > 0 {
            let bonus = if self.side.has_all_clear { ALL_CLEAR_POINTS } else { 0 };
            let points = self.side.points + chain.score + bonus;
            self.side.has_all_clear = field.is_empty();
            self.side.points = points % POINTS_PER_GARBAGE;
            self.garbage.offset(points / POINTS_PER_GARBAGE);
        }
        if self.garbage != Garbage::default() {
            self.garbage.pass(rule.frames(placement, chain.links));
            self.garbage.fall(&mut self.side.field);
        }
        chain
    }
}
