//! What the workers of one search share. A new one is made for every search, so nothing that is
//! said to an old search can reach a new one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::time::Instant;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::common::Common;
use super::evaluate::Network;
use super::request::{Clock, Request};
use super::root_move::RootMove;
use crate::tt::Table;
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

/// The bit of the signal that says that the search is over.
pub(super) const STOP: u32 = 1 << 31;

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) generation: u64,
    pub(super) request: Request,
    /// The legal root moves that the request allows.
    pub(super) root_moves: Vec<Move>,
    pub(super) table: Arc<Table>,
    /// What evaluates positions.
    pub(super) network: Network,
    pub(super) common: Common,
    /// What every worker listens to: [`STOP`], and how many refutations are proven.
    signal: AtomicU32,
    /// Somebody wants the search to end.
    stop_wanted: AtomicBool,
    /// The main worker has compared all moves, if not deeply.
    has_answer: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
    nodes: Vec<CachePadded<AtomicU64>>,
    /// Changes of the best root move by all workers since the main worker last looked.
    pub(super) best_move_changes: CachePadded<AtomicU64>,
    results: Vec<Mutex<Option<WorkerResult>>>,
    proofs: Mutex<Proofs>,
}

/// Root moves of which the mate solver knows all.
#[derive(Debug, Default)]
struct Proofs {
    known: Vec<RootMove>,
    /// There will be no more.
    are_sealed: bool,
}

impl Shared {
    pub(super) fn new(
        generation: u64,
        request: Request,
        root_moves: Vec<Move>,
        table: Arc<Table>,
        network: Network,
        common: Common,
        workers: usize,
    ) -> Shared {
        Shared {
            generation,
            pondering: AtomicBool::new(request.limits.ponder),
            request,
            root_moves,
            table,
            network,
            common,
            signal: AtomicU32::new(0),
            stop_wanted: AtomicBool::new(false),
            has_answer: AtomicBool::new(false),
            ponder_hit: Mutex::new(None),
            nodes: (0..workers).map(|_| CachePadded::default()).collect(),
            best_move_changes: CachePadded::default(),
            results: (0..workers).map(|_| Mutex::new(None)).collect(),
            proofs: Mutex::default(),
        }
    }

    pub(super) fn workers(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn stop(&self) {
        self.signal.fetch_or(STOP, Relaxed);
    }

    /// Ends the search as soon as there is something to answer. On a busy machine `stop` may come
    /// before the first node, and the first of all legal moves is hardly ever a good one.
    pub(super) fn want_stop(&self) {
        self.stop_wanted.store(true, SeqCst);
        if self.has_answer.load(SeqCst) {
            self.stop();
        }
    }

    /// From now on there is something to answer.
    pub(super) fn note_answer(&self) {
        self.has_answer.store(true, SeqCst);
        if self.stop_wanted.load(SeqCst) {
            self.stop();
        }
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.signal() & STOP != 0
    }

    /// Another value for each refutation that is proven, and once the search is over.
    #[inline(always)]
    pub(super) fn signal(&self) -> u32 {
        self.signal.load(Relaxed)
    }

    /// The expected move was played: the clock counts from now on.
    pub(super) fn ponder_hit(&self, hit: PonderHit) {
        *self.ponder_hit.lock() = Some(hit);
        self.pondering.store(false, Relaxed);
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    pub(super) fn take_ponder_hit(&self) -> Option<PonderHit> {
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

    pub(super) fn note_proof(&self, proof: RootMove) {
        let refutes = proof.score.is_loss();
        let mut proofs = self.proofs.lock();
        if proofs.are_sealed {
            return;
        }
        proofs.known.push(proof);
        if refutes {
            self.signal.fetch_add(1, Relaxed);
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
        self.proofs.lock().known.iter().find(|proof| proof.mv() == mv).cloned()
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
        self.proofs.lock().known.iter().find(|proof| proof.score.is_win()).cloned()
    }
}
