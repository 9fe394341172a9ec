//! One `go` of the GUI, from its arrival to its one answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::game_moves::GameMoves;
use super::go_limits::GoLimits;
use super::vote::Vote;
use crate::types::Move;
use crate::usi_client::BestMove;

/// Maximum time before the end of the move at which a worker gets `stop`. When half of it is left, the
/// best known move is played.
const RESERVE: Duration = Duration::from_millis(60);
/// Maximum time from `stop` to the answer to the GUI, in addition to the latency of the worker.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// A `go` without an answer.
#[derive(Debug)]
pub(super) struct GoTask {
    pub(super) id: u64,
    pub(super) game: Arc<GameMoves>,
    pub(super) go: GoLimits,
    /// Whether the position of the GUI is unknown, so that nothing is searched and no move is played.
    pub(super) position_unknown: bool,
    /// The worker that is to answer.
    pub(super) worker: Option<usize>,
    /// When the answer was first wanted at once.
    pub(super) stopped: Option<Instant>,
    /// While pondering: the most likely replies, once they are known.
    pub(super) replies: Option<Vec<Move>>,
    /// The best known move, with the expected reply.
    pub(super) best: Option<BestMove>,
    pub(super) votes: Vec<Vote>,
    /// When the votes received so far are counted.
    pub(super) decide_by: Option<Instant>,
    /// Whether the workers were stopped because the time is over.
    pub(super) time_is_over: bool,
}

impl GoTask {
    pub(super) fn new(id: u64, game: Arc<GameMoves>, go: GoLimits) -> GoTask {
        GoTask {
            id,
            game,
            go,
            position_unknown: false,
            worker: None,
            stopped: None,
            replies: None,
            best: None,
            votes: Vec::new(),
            decide_by: None,
            time_is_over: false,
        }
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.go.limits.ponder && self.stopped.is_none()
    }

    /// Whether the answer must be held back even if it is known.
    pub(super) fn must_wait(&self) -> bool {
        self.go.is_open_ended() && self.stopped.is_none()
    }

    /// The answer if no worker gives a usable one.
    pub(super) fn fallback(&self) -> BestMove {
        self.game.fallback(self.best, &self.go.limits.search_moves)
    }

    fn deadline(&self, reserve: impl Fn(Duration) -> Duration) -> Option<Instant> {
        if self.go.limits.ponder {
            // Our clock is not running, even after a stop.
            return None;
        }
        let budget = self.go.budget(self.game.position.side_to_move())?;
        Some(self.go.received + budget.saturating_sub(reserve(RESERVE.min(budget / 4))))
    }

    /// When a worker with this latency gets `stop`.
    pub(super) fn stop_at(&self, latency: Duration) -> Option<Instant> {
        let budget = self.go.budget(self.game.position.side_to_move())?;
        self.deadline(|reserve| reserve + latency.min(budget / 4)).filter(|_| !self.time_is_over)
    }

    /// When the best known move is played, if the worker has this latency.
    pub(super) fn fallback_at(&self, latency: Duration) -> Option<Instant> {
        let stopped = self.stopped.map(|stopped| stopped + STOP_TIMEOUT + latency);
        let clock = self.deadline(|reserve| reserve / 2);
        [stopped, clock].into_iter().flatten().min()
    }
}
