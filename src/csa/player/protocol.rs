//! Commands to a player and events from it: plain data.
//!
//! Each search and each preparation has an id that its events carry, so that events of an older one
//! can be dropped.

use std::time::{Duration, Instant};

use crate::csa::clock::EngineClocks;
use crate::position::Setup;
use crate::record::EvaluationValue;
use crate::types::{Color, Move};
use crate::usi_client::{EngineScore, GameOver};

/// The number of a search or a preparation. Later ones have larger numbers.
pub type CommandId = u64;

/// A command to a player.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerCommand {
    /// Get ready for a new game. Answered by [`PlayerEvent::Ready`].
    NewGame(CommandId, GameConditions),
    /// Search, instead of the current search. Answered by [`PlayerEvent::Answer`] unless another
    /// command cancels it; a ponder search is answered only after the ponder hit or `Stop`.
    Search(Box<SearchTask>),
    /// The opponent has played the move that this search ponders on.
    PonderHit { id: CommandId, clocks: EngineClocks, received: Instant },
    /// Answer as soon as possible.
    Stop,
    /// End the current search; its answer is not needed.
    Cancel,
    /// The game is over. Ends the current search too.
    GameOver(GameOver),
    /// The player is dropped next, and must end at once.
    Kill,
}

/// The conditions of a game, known before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameConditions {
    /// The game ends without a result after this many moves.
    pub max_moves: Option<u32>,
    /// The server counts time in whole units of this length.
    pub unit: Duration,
    /// The server counts at least this much for every move.
    pub least_time_per_move: Duration,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTask {
    pub id: CommandId,
    pub start: Setup,
    /// From the start; in a ponder search the last one is the expected move.
    pub moves: Vec<Move>,
    pub clocks: EngineClocks,
    pub ponder: bool,
    /// The time at which `clocks` were set.
    pub received: Instant,
}

impl SearchTask {
    /// Turns a ponder search that has not begun into a search on our own time.
    pub(super) fn ponder_hit(&mut self, clocks: EngineClocks, received: Instant) {
        (self.ponder, self.clocks, self.received) = (false, clocks, received);
    }

    pub(super) fn side_to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.start.side } else { !self.start.side }
    }
}

/// An event from a player.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerEvent {
    /// Ready for the game of this `NewGame`.
    Ready(CommandId),
    /// The latest results of a search.
    Update(CommandId, SearchUpdate),
    /// The line that answers a search.
    Answer(CommandId, String),
    /// A message for the user.
    Message(String),
    /// The player has ended, with the reason.
    Failed(String),
}

/// The results of a search so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchUpdate {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// From the side to move at the root.
    pub score: Option<EngineScore>,
    /// The latest PV that has a score.
    pub pv: Vec<Move>,
    /// The first move of the latest PV, with or without a score.
    pub best: Option<Move>,
}

/// Converts a score for `mover` to a score from Black's side, as in records.
pub fn value_for_black(score: EngineScore, mover: Color) -> EvaluationValue {
    let mate = |winner, plies: Option<u64>| EvaluationValue::Mate {
        winner,
        plies: plies.and_then(|plies| u32::try_from(plies).ok()),
    };
    match score.for_black(mover) {
        EngineScore::Centipawns(score) => EvaluationValue::Centipawns(score),
        EngineScore::Mates(plies) => mate(Color::Black, plies),
        EngineScore::Mated(plies) => mate(Color::White, plies),
    }
}
