//! What plays for the client: it is given orders, and tells what came of them.
//!
//! An order is obeyed while others run, so nothing here ever waits. Each order to search or to get
//! ready has a number of its own, which all that is told of it carries; what is still told of an old
//! one is dropped by whoever hears it. A player that plays by several engines at once (one for each
//! reply that the opponent may choose) is a player like any other.

mod local;
mod usi;

use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender};

pub use local::LocalPlayer;
pub use usi::UsiPlayer;

use super::clock::Clocks;
use crate::position::Setup;
use crate::record::EvaluationValue;
use crate::types::{Color, Move};
use crate::usi_client::{BestMove, EngineScore, GameOver};

/// Plays, on threads of its own.
pub trait Player {
    /// Gives an order. Returns at once.
    fn obey(&mut self, order: Order);

    /// Where the player tells what came of its orders. It disconnects when the player is gone.
    fn told(&self) -> &Receiver<Told>;
}

/// The number of an order to search or to get ready. Later orders have larger ones.
pub type OrderId = u64;

#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Get ready for a new game. Answered by [`Told::Ready`].
    Prepare(OrderId, Terms),
    /// Search in place of whatever is searched now. Answered by [`Told::Answer`], unless another
    /// order takes its place; while pondering not before the hit.
    Search(Box<Ask>),
    /// The move that this search ponders on was played.
    PonderHit { id: OrderId, clocks: Clocks, received: Instant },
    /// BestMove as soon as possible.
    Stop,
    /// Nobody wants the answer of the search that runs.
    Abandon,
    /// The game is over. No search is wanted.
    GameOver(GameOver),
    /// It is dropped next, and may not take its time to end.
    GiveUp,
}

/// What is known of a game before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The game ends without a result after this many moves.
    pub max_moves: Option<u32>,
    /// The server counts whole units of time.
    pub unit: Duration,
    /// Every move is taken to have lasted so long.
    pub least: Duration,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub id: OrderId,
    pub start: Setup,
    /// From the start; in a search that ponders, the last is the move expected.
    pub moves: Vec<Move>,
    pub clocks: Clocks,
    pub ponder: bool,
    /// When the clock of the move began to run.
    pub received: Instant,
}

impl Ask {
    /// The move that it ponders on was played: it is a search for a move now, by these clocks.
    fn hit(&mut self, clocks: Clocks, received: Instant) {
        (self.ponder, self.clocks, self.received) = (false, clocks, received);
    }
}

/// What a player tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// It is there: told once, before anything else.
    Started,
    /// Ready for the game it was to prepare for by this order.
    Ready(OrderId),
    /// How far a search is.
    Thought(OrderId, Thought),
    Answer(OrderId, BestMove),
    /// Plain words for the user.
    Remark(String),
    /// It plays no further, and why.
    Failed(String),
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// As the side to move at the root sees it.
    pub score: Option<EngineScore>,
    pub line: Vec<Move>,
}

/// A score from the side of `mover` as records have it: as Black sees it, and mates apart from
/// centipawns.
pub fn value_for_black(score: EngineScore, mover: Color) -> EvaluationValue {
    let plies = |plies: Option<u64>| plies.and_then(|plies| u32::try_from(plies).ok());
    match (score, mover) {
        (EngineScore::Centipawns(score), Color::Black) => EvaluationValue::Centipawns(score),
        (EngineScore::Centipawns(score), Color::White) => {
            EvaluationValue::Centipawns(score.saturating_neg())
        }
        (EngineScore::Mates(n), _) => EvaluationValue::Mate { winner: mover, plies: plies(n) },
        (EngineScore::Mated(n), _) => EvaluationValue::Mate { winner: !mover, plies: plies(n) },
    }
}

/// A player behind two channels, with a thread at their other end.
#[derive(Debug)]
struct Desk {
    /// Taken when the player is dropped, which ends the thread.
    orders: Option<Sender<Order>>,
    told: Receiver<Told>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Desk {
    /// Starts a thread that hears orders until they end, and tells what came of them.
    fn open(
        name: &str,
        work: impl FnOnce(Receiver<Order>, Sender<Told>) + Send + 'static,
    ) -> std::io::Result<Desk> {
        let (orders, incoming) = crossbeam::channel::unbounded();
        let (outgoing, told) = crossbeam::channel::unbounded();
        let thread = std::thread::Builder::new().name(name.into());
        let thread = thread.spawn(move || work(incoming, outgoing))?;
        Ok(Desk { orders: Some(orders), told, thread: Some(thread) })
    }

    fn obey(&mut self, order: Order) {
        if let Some(orders) = &self.orders {
            // A player that is gone shows by what it tells no more.
            let _ = orders.send(order);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has nothing more to clear away.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It had no opposite, and stayed what it was for White too.
    #[test]
    fn the_lowest_score_that_can_be_told_is_the_highest_for_the_other_side() {
        let lowest = EngineScore::Centipawns(i64::MIN);
        assert_eq!(value_for_black(lowest, Color::White), EvaluationValue::Centipawns(i64::MAX));
        assert_eq!(value_for_black(lowest, Color::Black), EvaluationValue::Centipawns(i64::MIN));
    }
}
