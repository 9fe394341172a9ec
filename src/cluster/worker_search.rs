//! One search of one worker.

use std::sync::Arc;
use std::time::Instant;

use super::game_moves::GameMoves;
use super::go_limits::GoLimits;
use super::go_task::GoTask;
use crate::types::Move;
use crate::usi_client::{BestMove, InfoLine, SearchInfo};

/// The largest `multipv` number that is read.
const MAX_LINES: usize = 1024;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchPurpose {
    /// To rank the replies of the opponent.
    Rank,
    /// To ponder on one reply.
    Ponder,
    /// To answer the `go` of the GUI.
    OwnTurn,
}

/// A search, and its results so far.
#[derive(Debug)]
pub(super) struct WorkerSearch {
    pub(super) purpose: SearchPurpose,
    /// The number of the [`GoTask`] that the search serves.
    pub(super) task: u64,
    pub(super) game: Arc<GameMoves>,
    pub(super) go: GoLimits,
    /// Whether the answer is still needed.
    pub(super) wanted: bool,
    /// Whether to stop the search as soon as it has begun.
    pub(super) stop_at_once: bool,
    /// The lines that set an option for this search, and restore it afterwards.
    pub(super) set_and_restore: Option<(Vec<u8>, Vec<u8>)>,
    /// The deadline of the answer after `stop`.
    pub(super) answer_by: Option<Instant>,
    /// An answer that came early, while pondering.
    pub(super) early: Option<String>,
    pub(super) info: SearchInfo,
    /// The last line with a PV whose score is that of `info`.
    pub(super) last_line: String,
    /// The first moves of the PVs, by their `multipv` numbers.
    ranks: Vec<Option<Move>>,
}

impl WorkerSearch {
    /// A search of the position of a `go`, with its limits.
    pub(super) fn of_task(purpose: SearchPurpose, task: &GoTask) -> WorkerSearch {
        let game = Arc::clone(&task.game);
        WorkerSearch::new(purpose, task.id, game, task.go.clone())
    }

    pub(super) fn new(
        purpose: SearchPurpose,
        task: u64,
        game: Arc<GameMoves>,
        go: GoLimits,
    ) -> WorkerSearch {
        WorkerSearch {
            purpose,
            task,
            game,
            go,
            wanted: true,
            stop_at_once: false,
            set_and_restore: None,
            answer_by: None,
            early: None,
            info: SearchInfo::default(),
            last_line: String::new(),
            ranks: Vec::new(),
        }
    }

    /// The best move so far, and the expected reply.
    pub(super) fn best(&self) -> Option<BestMove> {
        let best = self.info.best?;
        let mut moves = self.info.pv.split_whitespace().map(|word| word.parse().ok());
        let ponder = moves.next().filter(|&first| first == Some(best)).and_then(|_| moves.next());
        Some(BestMove::Move { best, ponder: ponder.flatten() })
    }

    /// The first moves of all PVs, best first, without duplicates.
    pub(super) fn ranked_replies(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for &mv in self.ranks.iter().flatten() {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        moves
    }

    /// Reads an `info` line of this search.
    pub(super) fn read_info(&mut self, line: &str) {
        let is_taken = self.info.update(line);
        let info = InfoLine::read(line);
        let first = info.first_move();
        let rank = info.multipv as usize;
        if first.is_none() || !(1..=MAX_LINES).contains(&rank) {
            return;
        }
        if self.ranks.len() < rank {
            self.ranks.resize(rank, None);
        }
        self.ranks[rank - 1] = first;
        if is_taken {
            line.clone_into(&mut self.last_line);
        }
    }
}
