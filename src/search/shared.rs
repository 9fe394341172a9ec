//! What the workers of one search share. A new one is made for every search, so nothing that is
//! said to an old search can reach a new one.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Instant;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::request::{Clock, Request};
use super::root_move::RootMove;
use super::shared_history::SharedHistories;
use crate::nnue::Network;
use crate::tt::TranspositionTable;
use crate::types::{Depth, Move};

/// What a worker had to show after its last iteration, finished or cut short.
#[derive(Clone, Debug)]
pub(super) struct WorkerResult {
    pub(super) depth: Depth,
    /// The best lines, best first.
    pub(super) lines: Vec<RootMove>,
}

/// That the expected move was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct PonderHit {
    pub(super) clock: Option<Clock>,
    pub(super) received: Instant,
}

/// The bit of the interrupts that says that the search is over.
pub(super) const STOP: u32 = 1 << 31;

#[derive(Debug)]
pub(super) struct SearchContext {
    pub(super) generation: u64,
    pub(super) request: Request,
    /// The legal root moves that the request allows.
    pub(super) root_moves: Vec<Move>,
    pub(super) table: Arc<TranspositionTable>,
    /// What evaluates positions.
    pub(super) network: Network,
    pub(super) histories: SharedHistories,
    /// What every worker listens to: [`STOP`], and how many refutations are proven.
    interrupts: AtomicU32,
    /// Somebody wants the search to end.
    stop_requested: AtomicBool,
    /// The main worker has compared all moves, if not deeply.
    has_answer: AtomicBool,
    pondering: AtomicBool,
    /// Whether there is something behind the lock of the hit. Who asks often looks here first: a lock
    /// that is taken for nothing costs all workers the cache line that it is on.
    has_ponder_hit: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
    nodes: Vec<CachePadded<AtomicU64>>,
    /// Changes of the best root move by all workers since the main worker last looked.
    pub(super) best_move_changes: CachePadded<AtomicU64>,
    results: Vec<Mutex<Option<WorkerResult>>>,
    /// Whether there are any proofs; see `has_ponder_hit`.
    has_proofs: AtomicBool,
    proofs: Mutex<Proofs>,
}

/// Root moves of which the mate solver knows all.
#[derive(Debug, Default)]
struct Proofs {
    known: Vec<RootMove>,
    /// There will be no more.
    are_sealed: bool,
}

impl SearchContext {
    pub(super) fn new(
        generation: u64,
        request: Request,
        root_moves: Vec<Move>,
        table: Arc<TranspositionTable>,
        network: Network,
        histories: SharedHistories,
        workers: usize,
    ) -> SearchContext {
        SearchContext {
            generation,
            pondering: AtomicBool::new(request.limits.ponder),
            request,
            root_moves,
            table,
            network,
            histories,
            interrupts: AtomicU32::new(0),
            stop_requested: AtomicBool::new(false),
            has_answer: AtomicBool::new(false),
            has_ponder_hit: AtomicBool::new(false),
            ponder_hit: Mutex::new(None),
            nodes: (0..workers).map(|_| CachePadded::default()).collect(),
            best_move_changes: CachePadded::default(),
            results: (0..workers).map(|_| Mutex::new(None)).collect(),
            has_proofs: AtomicBool::new(false),
            proofs: Mutex::default(),
        }
    }

    pub(super) fn workers(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn stop(&self) {
        self.interrupts.fetch_or(STOP, Relaxed);
    }

    /// Ends the search as soon as there is something to answer. On a busy machine `stop` may come
    /// before the first node, and the first of all legal moves is hardly ever a good one.
    pub(super) fn request_stop(&self) {
        self.stop_requested.store(true, SeqCst);
        if self.has_answer.load(SeqCst) {
            self.stop();
        }
    }

    /// From now on there is something to answer.
    pub(super) fn set_has_answer(&self) {
        self.has_answer.store(true, SeqCst);
        if self.stop_requested.load(SeqCst) {
            self.stop();
        }
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupts() & STOP != 0
    }

    /// Another value for each refutation that is proven, and once the search is over. Who hears of a
    /// refutation sees it too.
    #[inline(always)]
    pub(super) fn interrupts(&self) -> u32 {
        self.interrupts.load(Acquire)
    }

    /// The expected move was played: the clock counts from now on.
    pub(super) fn ponder_hit(&self, hit: PonderHit) {
        *self.ponder_hit.lock() = Some(hit);
        self.has_ponder_hit.store(true, Relaxed);
        self.pondering.store(false, Release);
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// The hit, if there was one since this was last asked.
    pub(super) fn take_ponder_hit(&self) -> Option<PonderHit> {
        if !self.has_ponder_hit.load(Relaxed) {
            return None;
        }
        self.has_ponder_hit.store(false, Relaxed);
        self.ponder_hit.lock().take()
    }

    pub(super) fn publish_nodes(&self, worker: usize, nodes: u64) {
        self.nodes[worker].store(nodes, Relaxed);
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.load(Relaxed)).sum()
    }

    pub(super) fn publish_result(&self, worker: usize, result: WorkerResult) {
        *self.results[worker].lock() = Some(result);
    }

    /// What the main worker has published last.
    pub(super) fn result_of_main(&self) -> Option<WorkerResult> {
        self.results[0].lock().clone()
    }

    /// What every worker found that has published anything, the main worker's first.
    pub(super) fn results(&self) -> Vec<WorkerResult> {
        self.results.iter().filter_map(|slot| slot.lock().clone()).collect()
    }

    pub(super) fn add_proof(&self, proof: RootMove) {
        let refutes = proof.score.is_loss();
        let mut proofs = self.proofs.lock();
        if proofs.are_sealed {
            return;
        }
        proofs.known.push(proof);
        self.has_proofs.store(true, Relaxed);
        if refutes {
            self.interrupts.fetch_add(1, Release);
        }
    }

    /// The answer is made of what is proven by now, and must not change in the making: the solver may
    /// not have come to rest yet.
    pub(super) fn seal_proofs(&self) {
        self.proofs.lock().are_sealed = true;
    }

    /// Whether a root move is proven to lose.
    pub(super) fn is_refuted(&self, mv: Move) -> bool {
        self.proof_of(mv).is_some_and(|proof| proof.score.is_loss())
    }

    /// What is proven of a root move, if anything.
    pub(super) fn proof_of(&self, mv: Move) -> Option<RootMove> {
        self.proof(|proof| proof.mv() == mv)
    }

    /// What the table holds the opponent's best reply to a root move to be.
    pub(super) fn expected_reply(&self, mv: Move) -> Option<Move> {
        let mut position = self.request.position.clone();
        position.try_play(mv).ok()?;
        let entry = self.table.probe(position.key()).hit?;
        position.is_legal(entry.mv).then_some(entry.mv)
    }

    /// A root move that is proven to mate, if there is one.
    pub(super) fn proven_win(&self) -> Option<RootMove> {
        self.proof(|proof| proof.score.is_win())
    }

    /// The first proof that is meant. All workers ask for one at every root move.
    fn proof(&self, is_meant: impl Fn(&RootMove) -> bool) -> Option<RootMove> {
        if !self.has_proofs.load(Relaxed) {
            return None;
        }
        self.proofs.lock().known.iter().find(|proof| is_meant(proof)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam::channel::bounded;

    use super::super::request::{Limits, SearchOptions};
    use super::super::tests::{START, request, shared};
    use super::*;

    /// All workers did so at every root move, where each of them has most to do at the same time.
    #[test]
    fn no_worker_waits_for_a_lock_to_find_that_nothing_has_happened() {
        let shared =
            Arc::new(shared(request(START, Limits::default(), SearchOptions::for_tests())));
        let asked = shared.clone();
        let _held = (shared.proofs.lock(), shared.ponder_hit.lock());
        let (sender, told) = bounded(1);
        std::thread::spawn(move || {
            let proof = asked.proof_of(asked.root_moves[0]).or_else(|| asked.proven_win());
            let _ = sender.send((proof.is_none(), asked.take_ponder_hit().is_none()));
        });
        assert_eq!(told.recv_timeout(Duration::from_secs(60)), Ok((true, true)));
    }

    #[test]
    fn a_ponder_hit_is_taken_once() {
        let shared = shared(request(START, Limits::default(), SearchOptions::for_tests()));
        for _ in 0..2 {
            assert!(shared.take_ponder_hit().is_none());
            shared.ponder_hit(PonderHit { clock: None, received: Instant::now() });
            assert!(!shared.is_pondering() && shared.take_ponder_hit().is_some());
        }
    }
}
