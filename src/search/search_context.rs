//! The state that the threads of one search share. Each search has its own context, so that no
//! signal for an old search reaches a new one.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Arc, OnceLock};

use crossbeam::channel::{Receiver, Sender, unbounded};
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::request::{Answer, Clock, PvLine, Request, SearchOutcome};
use super::root_move::RootMove;
use super::shared_history::SharedHistories;
use super::shared_search::SharedEntries;
use super::time_budget::PlannedEnd;
use crate::nnue::{Evaluator, Network};
use crate::sys::Instant;
use crate::tt::TranspositionTable;
use crate::types::{Bound, Depth, Move, Score};

/// The result of a worker after its last iteration, finished or aborted.
#[derive(Clone, Debug)]
pub(super) struct WorkerResult {
    pub(super) depth: Depth,
    /// The first root moves, as many as lines are searched, best first.
    pub(super) root_moves: Vec<RootMove>,
}

/// A ponder hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct PonderHit {
    pub(super) clock: Option<Clock>,
    pub(super) received: Instant,
}

/// A signal to the answer thread.
#[derive(Clone, Copy, Debug)]
pub(super) enum Signal {
    /// The clock ends the search at this time. Replaces an earlier plan.
    End(PlannedEnd),
    Stopped,
}

/// The bit of the interrupt counter that is set when the search is stopped.
pub(super) const STOP: u32 = 1 << 31;

#[derive(Debug)]
pub(super) struct SearchContext {
    pub(super) search_id: u64,
    pub(super) request: Request,
    /// The legal moves that the request allows.
    pub(super) root_moves: Vec<Move>,
    /// Whether the side to move wins by declaration, and the request does not restrict the root moves.
    pub(super) declares_win: bool,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) network: Network,
    pub(super) histories: SharedHistories,
    /// The deep entries of all workers for other engines.
    pub(super) shared_entries: SharedEntries,
    /// Polled by every worker: the number of proven losses, and the bit [`STOP`].
    interrupts: AtomicU32,
    /// Whether the search has to stop as soon as it has an answer.
    stop_requested: AtomicBool,
    /// Whether the main worker has published a result.
    has_answer: AtomicBool,
    /// The time at which the clock was to end the search; set only if the clock has ended it.
    planned_end: OnceLock<Instant>,
    signals: (Sender<Signal>, Receiver<Signal>),
    ponder_hit: OnceLock<PonderHit>,
    nodes: Vec<CachePadded<AtomicU64>>,
    /// Changes of the best root move by all workers since the main worker last read this.
    pub(super) best_move_changes: CachePadded<AtomicU64>,
    results: Vec<Mutex<Option<WorkerResult>>>,
    /// Whether `proofs` has a proof. It is read first, because taking the lock would move its cache line from worker to
    /// worker. Relaxed is enough: the lock orders the accesses to the proofs.
    has_proofs: AtomicBool,
    proofs: Mutex<Proofs>,
    /// The shortest win that the main worker has found; see `store_win`.
    shortest_win: Mutex<Option<RootMove>>,
}

/// Root moves whose result is proven: by the mate solver, or because the move wins by the try rule.
#[derive(Debug, Default)]
struct Proofs {
    known: Vec<RootMove>,
    /// Whether no more proofs are accepted.
    are_closed: bool,
}

impl SearchContext {
    pub(super) fn new(
        search_id: u64,
        request: Request,
        root_moves: Vec<Move>,
        table: Arc<TranspositionTable>,
        network: Network,
        histories: SharedHistories,
        workers: usize,
    ) -> SearchContext {
        let declares_win = request.limits.search_moves.is_empty()
            && request.position.declaration_win(request.options.entering_king);
        SearchContext {
            search_id,
            declares_win,
            request,
            root_moves,
            table,
            network,
            histories,
            shared_entries: SharedEntries::default(),
            interrupts: AtomicU32::new(0),
            stop_requested: AtomicBool::new(false),
            has_answer: AtomicBool::new(false),
            planned_end: OnceLock::new(),
            signals: unbounded(),
            ponder_hit: OnceLock::new(),
            nodes: (0..workers).map(|_| CachePadded::default()).collect(),
            best_move_changes: CachePadded::default(),
            results: (0..workers).map(|_| Mutex::new(None)).collect(),
            has_proofs: AtomicBool::new(false),
            proofs: Mutex::default(),
            shortest_win: Mutex::default(),
        }
    }

    pub(super) fn worker_count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn stop(&self) {
        if self.interrupts.fetch_or(STOP, Relaxed) & STOP == 0 {
            let _ = self.signals.0.send(Signal::Stopped);
        }
    }

    /// The signals for the answer thread.
    pub(super) fn signals(&self) -> &Receiver<Signal> {
        &self.signals.1
    }

    /// Sets when the clock ends the search, even if no worker gets a processor then.
    pub(super) fn plan_end(&self, end: PlannedEnd) {
        let _ = self.signals.0.send(Signal::End(end));
    }

    /// Stops the search, once it has an answer, because the clock ended its time at `planned_end`.
    pub(super) fn stop_by_clock(&self, planned_end: Instant) {
        if !self.is_stopped() {
            let _ = self.planned_end.set(planned_end);
        }
        self.request_stop();
    }

    /// The time at which the clock was to end the search; `None` if something else has ended it.
    pub(super) fn planned_end(&self) -> Option<Instant> {
        self.planned_end.get().copied()
    }

    /// Stops the search once it has an answer. On a busy machine a stop may come before the first node,
    /// and the first legal move is hardly ever a good one.
    pub(super) fn request_stop(&self) {
        // Sequentially consistent, as in `publish_result`: whichever store comes last, its thread sees the other.
        self.stop_requested.store(true, SeqCst);
        if self.has_answer() {
            self.stop();
        }
    }

    /// Whether there is an answer: every root move has been compared with the others, for one line at least.
    pub(super) fn has_answer(&self) -> bool {
        self.has_answer.load(SeqCst)
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupts() & STOP != 0
    }

    /// Changes with each proven loss and at the stop. A worker that sees the change also sees the proof.
    #[inline(always)]
    pub(super) fn interrupts(&self) -> u32 {
        self.interrupts.load(Acquire)
    }

    /// Ends pondering; the clock runs from now on. A second ponder hit has no effect.
    pub(super) fn ponder_hit(&self, hit: PonderHit) {
        let _ = self.ponder_hit.set(hit);
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.request.limits.ponder && self.received_ponder_hit().is_none()
    }

    /// The ponder hit, if it has come.
    pub(super) fn received_ponder_hit(&self) -> Option<PonderHit> {
        self.ponder_hit.get().copied()
    }

    pub(super) fn publish_nodes(&self, worker: usize, nodes: u64) {
        self.nodes[worker].store(nodes, Relaxed);
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.load(Relaxed)).sum()
    }

    /// Publishes the result of a worker. That of the main worker is an answer, for which a stop may wait.
    pub(super) fn publish_result(&self, worker: usize, result: WorkerResult) {
        *self.results[worker].lock() = Some(result);
        if worker == 0 {
            self.has_answer.store(true, SeqCst);
            if self.stop_requested.load(SeqCst) {
                self.stop();
            }
        }
    }

    pub(super) fn main_result(&self) -> Option<WorkerResult> {
        self.results[0].lock().clone()
    }

    /// The last results of all workers that have one, the main worker's first.
    pub(super) fn results(&self) -> Vec<WorkerResult> {
        self.results.iter().filter_map(|slot| slot.lock().clone()).collect()
    }

    /// Adds a proven root move. A loss interrupts the iteration of every worker.
    pub(super) fn add_proof(&self, proof: RootMove) {
        let is_loss = proof.score.is_loss();
        let mut proofs = self.proofs.lock();
        if proofs.are_closed {
            return;
        }
        proofs.known.push(proof);
        self.has_proofs.store(true, Relaxed);
        if is_loss {
            self.interrupts.fetch_add(1, Release);
        }
    }

    /// Refuses further proofs, so that the answer does not change while it is being made: the root mate
    /// search may still run.
    pub(super) fn close_proofs(&self) {
        self.proofs.lock().are_closed = true;
    }

    /// Whether a root move is proven to lose.
    pub(super) fn is_proven_loss(&self, mv: Move) -> bool {
        self.proof_of(mv).is_some_and(|proof| proof.score.is_loss())
    }

    /// The proof of a root move, if there is one.
    pub(super) fn proof_of(&self, mv: Move) -> Option<RootMove> {
        self.proof(|proof| proof.mv() == mv)
    }

    /// The opponent's reply to a root move according to the table.
    pub(super) fn expected_reply(&self, mv: Move) -> Option<Move> {
        let mut position = self.request.position.clone();
        position.try_play(mv).ok()?;
        let entry = self.table.probe(position.key()).hit?;
        position.is_legal(entry.mv).then_some(entry.mv)
    }

    /// The static evaluation of the root: before anything is searched there is no other score.
    pub(super) fn static_eval(&self) -> Score {
        let position = &self.request.position;
        Evaluator::new(self.network.clone(), position).evaluate(position)
    }

    /// The outcome of the search with this answer.
    pub(super) fn outcome(&self, answer: Answer, lines: Vec<PvLine>) -> SearchOutcome {
        let (nodes, elapsed) = (self.nodes(), self.request.received.elapsed());
        SearchOutcome { answer, lines, nodes, elapsed, planned_end: self.planned_end() }
    }

    /// Stores a win that the search has found, if it is the shortest so far. A later iteration may find only
    /// a longer one.
    pub(super) fn store_win(&self, line: &RootMove) {
        let mut shortest = self.shortest_win.lock();
        let is_sure = line.score.is_win() && line.bound != Bound::Upper;
        if is_sure && shortest.as_ref().is_none_or(|known| line.score > known.score) {
            *shortest = Some(line.clone());
        }
    }

    /// The shortest win that the search has found.
    pub(super) fn shortest_win(&self) -> Option<RootMove> {
        self.shortest_win.lock().clone()
    }

    /// A root move that is proven to mate, if there is one.
    pub(super) fn proven_win(&self) -> Option<RootMove> {
        self.proof(|proof| proof.score.is_win())
    }

    /// The first proof that matches. All workers call this at every root move.
    fn proof(&self, matches: impl Fn(&RootMove) -> bool) -> Option<RootMove> {
        if !self.has_proofs.load(Relaxed) {
            return None;
        }
        self.proofs.lock().known.iter().find(|proof| matches(proof)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam::channel::bounded;

    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{START, context, request};
    use super::*;

    /// Regression: all workers took the lock at every root move.
    #[test]
    fn workers_check_for_proofs_without_a_lock() {
        let context =
            Arc::new(context(request(START, Limits::default(), SearchOptions::for_tests())));
        let asked = context.clone();
        let _held = context.proofs.lock();
        let (sender, told) = bounded(1);
        std::thread::spawn(move || {
            let proof = asked.proof_of(asked.root_moves[0]).or_else(|| asked.proven_win());
            let _ = sender.send(proof.is_none());
        });
        assert_eq!(told.recv_timeout(Duration::from_secs(60)), Ok(true));
    }

    #[test]
    fn the_first_ponder_hit_ends_pondering() {
        let limits = Limits { ponder: true, ..Limits::default() };
        let context = context(request(START, limits, SearchOptions::for_tests()));
        assert!(context.is_pondering() && context.received_ponder_hit().is_none());
        let now = Instant::now();
        for received in [now, now + Duration::from_secs(1)] {
            context.ponder_hit(PonderHit { clock: None, received });
            assert!(!context.is_pondering());
            assert_eq!(context.received_ponder_hit().unwrap().received, now);
        }
    }

    #[test]
    fn the_clock_ends_a_search_that_has_an_answer() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        let end = Instant::now();
        context.stop_by_clock(end);
        assert!(!context.is_stopped());
        context.publish_result(0, WorkerResult { depth: 1, root_moves: Vec::new() });
        assert!(context.is_stopped());
        assert_eq!(context.planned_end(), Some(end));
    }
}
