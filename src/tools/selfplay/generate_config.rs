//! The configuration of whole self-play games.

use super::adjudicator::{DrawRule, WinRule};
use super::common_config::CommonConfig;
use super::start_positions::StartPositions;
use crate::nnue::Network;
use crate::types::Score;

/// Whole games to be played.
#[derive(Clone, Debug)]
pub struct GenerateConfig {
    pub common: CommonConfig,
    /// The number of the first game of the file.
    pub first_game: u64,
    /// Stop at this many games, including those already in the file.
    pub games: Option<u64>,
    /// Networks that play in turn against the network of `common`, one pair of games each; without any it
    /// plays against itself.
    pub opponents: Vec<Opponent>,
    pub starts: StartPositions,
    /// Another start is taken if a search finds a side ahead by more than this between or right after
    /// its random moves.
    pub max_start_score: Option<Score>,
    pub sampling: Option<MoveSampling>,
    pub win: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// Percent of the games that are not adjudicated.
    pub unadjudicated_percent: u32,
    /// A game is drawn after this many moves, those of the opening included.
    pub max_moves: u32,
}

/// A network that plays against the configured one.
#[derive(Clone, Debug)]
pub struct Opponent {
    pub network: Network,
    /// Identifies it in the header of the file.
    pub name: String,
}

/// Early in a game the move is sampled from several that are nearly as good as the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSampling {
    /// At most this many candidates.
    pub lines: usize,
    /// A candidate is at most this much worse than the best move.
    pub margin: Score,
    /// For this many plies after the start and its random moves.
    pub plies: usize,
}
