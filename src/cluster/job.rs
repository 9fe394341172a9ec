//! A search of one worker, and what is known of it.

use std::sync::Arc;
use std::time::Instant;

use super::game::Game;
use super::go::Go;
use crate::types::Move;
use crate::usi_client::{BestMove, InfoLine, SearchInfo};

/// What a worker searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The likely replies of the opponent.
    Rank,
    /// One reply, which has not been played yet.
    Ponder,
    /// The answer to the `go` from outside.
    Own,
}

/// A search of a worker.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) purpose: Purpose,
    /// The number of the `go` from outside that it serves.
    pub(super) ask: u64,
    pub(super) game: Arc<Game>,
    pub(super) go: Go,
    /// Whether anybody waits for its answer.
    pub(super) wanted: bool,
    /// It is to be stopped as soon as it has begun.
    pub(super) hasty: bool,
    /// Lines to be sent before and after it.
    pub(super) around: Option<(Vec<u8>, Vec<u8>)>,
    /// Told to stop: when it must have answered.
    pub(super) stopped: Option<Instant>,
    /// An answer that came while pondering, which no engine should give.
    pub(super) early: Option<String>,
    pub(super) info: SearchInfo,
    /// The last line with the score of the best move.
    pub(super) last_line: String,
    /// The first moves of the lines by their rank.
    ranks: Vec<Option<Move>>,
}

impl Job {
    pub(super) fn new(purpose: Purpose, ask: u64, game: Arc<Game>, go: Go) -> Job {
        Job {
            purpose,
            ask,
            game,
            go,
            wanted: true,
            hasty: false,
            around: None,
            stopped: None,
            early: None,
            info: SearchInfo::default(),
            last_line: String::new(),
            ranks: Vec::new(),
        }
    }

    /// The best move of the last line, and the reply that it expects.
    pub(super) fn best(&self) -> Option<BestMove> {
        let mut moves = self.info.pv.split_whitespace().map(|word| word.parse().ok());
        Some(BestMove::Move { best: moves.next()??, ponder: moves.next().flatten() })
    }

    /// The moves of all lines, best first, each once.
    pub(super) fn ranking(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for &mv in self.ranks.iter().flatten() {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        moves
    }

    /// A line of information that belongs to it.
    pub(super) fn note(&mut self, line: &str) {
        self.info.update(line);
        let read = InfoLine::read(line);
        let first = read.pv.split_whitespace().next().and_then(|mv| mv.parse().ok());
        let rank = read.rank as usize;
        if first.is_none() || !(1..=1024).contains(&rank) {
            return;
        }
        if self.ranks.len() < rank {
            self.ranks.resize(rank, None);
        }
        self.ranks[rank - 1] = first;
        if rank == 1 && read.score.is_some() {
            line.clone_into(&mut self.last_line);
        }
    }
}
