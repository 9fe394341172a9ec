//! The search stack: one frame per ply of the current line, with a few before the root.

use super::history::ContinuationIndex;
use crate::types::{MAX_PLY, Move, Score};

/// Frames before the root, so that no read of an earlier ply needs a bounds test.
const BEFORE_ROOT: usize = 7;
/// Frames beyond the deepest ply, for what a node initialises for its grandchildren.
const BEYOND: usize = 3;
/// All frames: a power of two, because a remainder costs less than a bounds check.
const FRAMES: usize = 256;
const _: () = assert!(BEFORE_ROOT + MAX_PLY + BEYOND <= FRAMES);

/// One ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackFrame {
    /// The move that is searched at this ply.
    pub(super) mv: Move,
    /// Selects the continuation table of that move.
    pub(super) continuation: ContinuationIndex,
    pub(super) static_eval: Score,
    /// The move that a singular search leaves out.
    pub(super) excluded: Move,
    pub(super) in_check: bool,
    pub(super) tt_hit: bool,
    /// The node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// The number of the move that is searched, from 1.
    pub(super) move_count: i32,
    /// The history score of the move that is searched.
    pub(super) stat_score: i32,
    /// The reduction of the move that is searched, in plies.
    pub(super) reduction: i32,
    /// The number of fail-highs at this ply since the node two plies above began (Stockfish: `cutoffCnt`).
    pub(super) cutoff_count: i32,
}

const EMPTY: StackFrame = StackFrame {
    mv: Move::NONE,
    continuation: ContinuationIndex::NONE,
    static_eval: Score::NONE,
    excluded: Move::NONE,
    in_check: false,
    tt_hit: false,
    tt_pv: false,
    move_count: 0,
    stat_score: 0,
    reduction: 0,
    cutoff_count: 0,
};

/// The frames of one worker.
#[derive(Debug)]
pub(super) struct SearchStack(Box<[StackFrame; FRAMES]>);

impl SearchStack {
    pub(super) fn new() -> SearchStack {
        SearchStack(Box::new([EMPTY; FRAMES]))
    }

    pub(super) fn reset(&mut self) {
        self.0.fill(EMPTY);
    }

    #[inline(always)]
    pub(super) fn at(&self, ply: usize) -> &StackFrame {
        self.back(ply, 0)
    }

    #[inline(always)]
    pub(super) fn at_mut(&mut self, ply: usize) -> &mut StackFrame {
        self.back_mut(ply, 0)
    }

    /// The frame `plies` (at most seven) before `ply`, possibly before the root.
    #[inline(always)]
    pub(super) fn back(&self, ply: usize, plies: usize) -> &StackFrame {
        &self.0[(ply + BEFORE_ROOT - plies) % FRAMES]
    }

    #[inline(always)]
    pub(super) fn back_mut(&mut self, ply: usize, plies: usize) -> &mut StackFrame {
        &mut self.0[(ply + BEFORE_ROOT - plies) % FRAMES]
    }
}
