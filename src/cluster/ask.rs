//! One `go` from outside, from its arrival to its one answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::game::Game;
use super::go::Go;
use super::vote::Vote;
use crate::types::Move;
use crate::usi_client::BestMove;

/// This long before the end of its time, at most, a worker is told to stop; and at half of it what
/// is known must do.
const RESERVE: Duration = Duration::from_millis(60);

/// From `stop` to the answer, besides the way there and back. Nobody outside must wait for longer,
/// least of all for the answer to a search that has guessed wrong.
const AT_ONCE: Duration = Duration::from_secs(1);

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) id: u64,
    pub(super) game: Arc<Game>,
    pub(super) go: Go,
    /// The position that it means is not known: no search, and nothing found, belongs to it.
    pub(super) is_forfeit: bool,
    /// Who is to answer.
    pub(super) worker: Option<usize>,
    /// Since when an answer is wanted at once.
    pub(super) stopped: Option<Instant>,
    /// While pondering: the likely replies in the position before, once they are known.
    pub(super) replies: Option<Vec<Move>>,
    /// The best move known, with the reply expected.
    pub(super) best: Option<BestMove>,
    pub(super) votes: Vec<Vote>,
    /// When the votes that have come by then must do.
    pub(super) decide_by: Option<Instant>,
    /// Workers have been told that its time is over.
    pub(super) hurried: bool,
}

impl Ask {
    pub(super) fn new(id: u64, game: Arc<Game>, go: Go) -> Ask {
        Ask {
            id,
            game,
            go,
            is_forfeit: false,
            worker: None,
            stopped: None,
            replies: None,
            best: None,
            votes: Vec::new(),
            decide_by: None,
            hurried: false,
        }
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.go.limits.ponder && self.stopped.is_none()
    }

    /// Whether an answer, even one that is known, would come too soon.
    pub(super) fn must_wait(&self) -> bool {
        self.go.is_open_ended() && self.stopped.is_none()
    }

    fn deadline(&self, reserve: impl Fn(Duration) -> Duration) -> Option<Instant> {
        if self.go.limits.ponder {
            // No clock of ours has been running, even where it has been stopped.
            return None;
        }
        let budget = self.go.budget(self.game.position.side_to_move())?;
        Some(self.go.received + budget.saturating_sub(reserve(RESERVE.min(budget / 4))))
    }

    /// When its worker is told to stop, whose messages take so long there and back.
    pub(super) fn hurry_at(&self, latency: Duration) -> Option<Instant> {
        let budget = self.go.budget(self.game.position.side_to_move())?;
        self.deadline(|reserve| reserve + latency.min(budget / 4)).filter(|_| !self.hurried)
    }

    /// When what is known must do, if messages take so long there and back.
    pub(super) fn rescue_at(&self, latency: Duration) -> Option<Instant> {
        let stopped = self.stopped.map(|stopped| stopped + AT_ONCE + latency);
        let clock = self.deadline(|reserve| reserve / 2);
        [stopped, clock].into_iter().flatten().min()
    }
}
