//! Mate search. The solver is not part of this version: every question stays open.

use crate::position::Position;
use crate::types::Move;

/// How long a search may take.
#[expect(missing_debug_implementations, reason = "it borrows a closure")]
pub struct Budget<'a> {
    pub nodes: Option<u64>,
    /// Longest line, in plies.
    pub depth: Option<u32>,
    pub deadline: Option<std::time::Instant>,
    pub stop: &'a dyn Fn() -> bool,
}

#[derive(Debug)]
pub enum Answer {
    Mate(Vec<Move>),
    NoMate,
    Unknown,
}

#[derive(Debug)]
pub struct Progress {
    pub nodes: u64,
    pub depth: u32,
}

pub fn solve(_: &Position, _: &Budget<'_>, _: &mut dyn FnMut(&Progress)) -> Answer {
    Answer::Unknown
}
