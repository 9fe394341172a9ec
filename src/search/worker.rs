//! A worker: one searching thread with its board, evaluator, histories, stack and root moves.

use std::sync::Arc;
use std::time::Duration;

use super::correction_history::{CorrectionHistory, PreviousMoves};
use super::history::{ContinuationIndex, LocalMoveHistory, MoveHistory};
use super::params::{LMR_BASE, LMR_DELTA, LMR_NOT_IMPROVING, LMR_TABLE, value};
use super::pv::PvTable;
use super::quiet_scoring::QuietMoves;
use super::root_move::RootMove;
use super::search_context::SearchContext;
use super::search_manager::SearchManager;
use super::stack::SearchStack;
use crate::nnue::Evaluator;
use crate::position::movegen::NonPromotions;
use crate::position::{Position, ScoredMove};
use crate::sys::{self, AllocationError};
use crate::types::{ByColor, Color, Depth, Move, Piece, Score};

/// Length of the table of reduction factors. Larger move counts use the last factor.
const REDUCTION_TABLE_LEN: usize = 600;

/// The factors of the late move reduction by depth and by move count: scaled logarithms (Stockfish: `reductions`).
fn reductions() -> Box<[i32; REDUCTION_TABLE_LEN]> {
    let reduction = |i: usize| f64::from(value(LMR_TABLE)) / 128.0 * (i.max(1) as f64).ln();
    Box::new(std::array::from_fn(|i| reduction(i) as i32))
}

/// The state that a thread keeps from search to search.
#[derive(Debug)]
pub(super) struct ThreadData {
    history: Box<LocalMoveHistory>,
    /// Kept, like the fields below, only because it is expensive to make.
    evaluator: Option<Evaluator>,
    stack: SearchStack,
    moves: Vec<ScoredMove>,
    quiet_moves: QuietMoves,
    pv: PvTable,
    reductions: Box<[i32; REDUCTION_TABLE_LEN]>,
}

impl ThreadData {
    /// Approximate size.
    pub(super) const BYTES: usize = 2 << 20;

    /// Empty thread data.
    pub(super) fn new() -> Result<ThreadData, AllocationError> {
        Ok(ThreadData {
            history: Box::new(LocalMoveHistory::new()?),
            evaluator: None,
            stack: SearchStack::new(),
            moves: Vec::with_capacity(8192),
            quiet_moves: QuietMoves::new(),
            pv: PvTable::new(),
            reductions: reductions(),
        })
    }

    /// Clears everything learned, and reads the tunable parameters again.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.reductions = reductions();
    }

    /// Drops the evaluator, which holds a network that may be replaced.
    pub(super) fn drop_evaluator(&mut self) {
        self.evaluator = None;
    }
}

/// A worker lives for one search; its [`ThreadData`] outlives it.
#[derive(Debug)]
pub(super) struct SearchWorker {
    pub(super) id: usize,
    pub(super) context: Arc<SearchContext>,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) history: MoveHistory,
    pub(super) correction_history: Arc<CorrectionHistory>,
    pub(super) stack: SearchStack,
    /// The moves of all nodes of the current line, node after node; see `movepick`.
    pub(super) moves: Vec<ScoredMove>,
    /// The quiet moves of one node while they are generated.
    pub(super) quiet_moves: QuietMoves,
    pub(super) pv: PvTable,
    pub(super) root_moves: Vec<RootMove>,
    /// Index of the line that is searched, from 0.
    pub(super) pv_index: usize,
    pub(super) non_promotions: NonPromotions,
    pub(super) root_side: Color,
    /// Whether a position of the game has occurred three times. Only then does the search compare the positions near
    /// the root with the whole game, which is expensive, to find a fourth occurrence.
    pub(super) has_threefold_position: bool,
    pub(super) nodes: u64,
    /// The value of `nodes` at which the running quiescence search is too large.
    pub(super) qsearch_end: u64,
    pub(super) selective_depth: usize,
    pub(super) root_depth: Depth,
    /// The depth of the last finished iteration. The first iteration counts as finished once its first line is
    /// searched.
    pub(super) completed_depth: Depth,
    /// Minimum depth of an entry that the other engines of a cluster receive.
    pub(super) share_depth: Depth,
    /// Width of the root window, for the reductions.
    pub(super) root_delta: i32,
    /// No null move below this ply while one is being verified (Stockfish: `nmpMinPly`).
    pub(super) null_move_min_ply: usize,
    /// The interrupt counter at the start of the iteration, without the stop bit.
    pub(super) seen_interrupts: u32,
    /// Whether the counter has changed since.
    is_interrupted: bool,
    /// Only the main worker has one.
    pub(super) manager: Option<SearchManager>,
    reductions: Box<[i32; REDUCTION_TABLE_LEN]>,
}

impl SearchWorker {
    /// A worker for one search.
    pub(super) fn new(
        id: usize,
        context: Arc<SearchContext>,
        thread_data: ThreadData,
        manager: Option<SearchManager>,
    ) -> SearchWorker {
        let ThreadData {
            mut history,
            evaluator,
            mut stack,
            mut moves,
            quiet_moves,
            pv,
            reductions,
        } = thread_data;
        history.new_search();
        stack.reset();
        moves.clear();
        let group = context.histories.group_of(id);
        let position = context.request.position.clone();
        let non_promotions = context.request.options.non_promotions();
        SearchWorker {
            id,
            evaluator: Evaluator::reuse(evaluator, &context.network, &position),
            history: MoveHistory { local: history, shared: group.history.clone() },
            correction_history: group.correction_history.clone(),
            stack,
            moves,
            quiet_moves,
            pv,
            root_moves: context.root_moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            non_promotions,
            root_side: position.side_to_move(),
            has_threefold_position: position.has_threefold_position(),
            position,
            context,
            nodes: 0,
            qsearch_end: 0,
            selective_depth: 0,
            root_depth: 0,
            completed_depth: 0,
            share_depth: Depth::MAX,
            root_delta: 1,
            null_move_min_ply: 0,
            seen_interrupts: 0,
            is_interrupted: false,
            manager,
            reductions,
        }
    }

    /// Ends the worker and returns what its thread keeps.
    pub(super) fn into_thread_data(self) -> ThreadData {
        ThreadData {
            history: self.history.local,
            evaluator: Some(self.evaluator),
            stack: self.stack,
            moves: self.moves,
            quiet_moves: self.quiet_moves,
            pv: self.pv,
            reductions: self.reductions,
        }
    }

    /// Whether the iteration must end; checked in every node.
    #[inline(always)]
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Checks for an interrupt since the start of the iteration.
    #[inline(always)]
    pub(super) fn poll_interrupts(&mut self) {
        #[cfg(test)]
        self.panic_if_requested();
        self.is_interrupted = self.context.interrupts() != self.seen_interrupts;
    }

    /// Panics silently if a test asks for it.
    #[cfg(test)]
    fn panic_if_requested(&self) {
        if let Some((id, nodes)) = self.context.request.options.panic_at
            && id == self.id
            && self.nodes >= nodes
        {
            std::panic::resume_unwind(Box::new("a panic for a test"));
        }
    }

    /// Counts a node. The main worker polls when it is time.
    #[inline(always)]
    fn count_node_and_poll(&mut self) {
        self.nodes += 1;
        if let Some(manager) = &mut self.manager
            && self.nodes >= manager.next_poll
        {
            self.context.publish_nodes(self.id, self.nodes);
            manager.poll(&self.context, self.nodes, self.completed_depth);
            manager.reporter.report_current_line(&self.context, &self.position);
            sys::pause_if_due();
            self.poll_interrupts();
        } else if self.nodes & 255 == 0 {
            self.context.publish_nodes(self.id, self.nodes);
            if self.manager.is_none() {
                self.wait_at_node_limit();
            }
            self.poll_interrupts();
        }
    }

    /// Waits at the node limit: only the main worker stops the search, and it may not have run yet.
    fn wait_at_node_limit(&self) {
        const POLL_INTERVAL: Duration = Duration::from_micros(200);
        let Some(limit) = self.context.request.limits.nodes else { return };
        while self.context.nodes() >= limit && self.context.interrupts() == self.seen_interrupts {
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Prefetches the table entry of the position after a move.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, mv: Move) {
        self.context.table.prefetch(self.position.key_after(mv));
    }

    /// Plays a move of the search at `ply`.
    #[cfg(test)]
    pub(super) fn do_move(&mut self, ply: usize, mv: Move) {
        let piece = self.position.moved_piece_after(mv);
        let gives_check = self.position.gives_check(mv);
        self.do_move_with(ply, mv, piece, gives_check);
    }

    /// Plays a move of the search at `ply`. `piece` is the moved piece after the move.
    #[inline(always)]
    pub(super) fn do_move_with(&mut self, ply: usize, mv: Move, piece: Piece, gives_check: bool) {
        self.count_node_and_poll();
        let capture = self.position.is_capture(mv);
        let frame = self.stack.at_mut(ply);
        frame.mv = mv;
        frame.continuation = ContinuationIndex::new(frame.in_check, capture, piece, mv.to());
        let table = &self.context.table;
        let prefetch = |key| table.prefetch(key);
        let dirty = self.position.do_move_with_prefetch(mv, gives_check, prefetch);
        self.correction_history.prefetch(&self.position, self.previous_moves(ply + 1));
        self.evaluator.push(&dirty);
    }

    #[inline(always)]
    pub(super) fn undo_move(&mut self, mv: Move) {
        self.position.undo_move(mv);
        self.evaluator.pop();
    }

    pub(super) fn do_null_move(&mut self, ply: usize) {
        self.count_node_and_poll();
        let frame = self.stack.at_mut(ply);
        frame.mv = Move::NULL;
        frame.continuation = ContinuationIndex::NONE;
        self.position.do_null_move();
        self.evaluator.push_null();
        self.context.table.prefetch(self.position.key());
    }

    pub(super) fn undo_null_move(&mut self) {
        self.position.undo_null_move();
        self.evaluator.pop();
    }

    /// The static evaluation without corrections.
    #[inline(always)]
    pub(super) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// The correction of the static evaluation at `ply`: see [`CorrectionHistory::value`].
    #[inline(always)]
    pub(super) fn correction(&self, ply: usize) -> i32 {
        self.correction_history.value(&self.position, self.previous_moves(ply))
    }

    /// The moves before `ply` that select the continuation corrections.
    #[inline(always)]
    pub(super) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let previous = |plies| self.stack.back(ply, plies).continuation;
        PreviousMoves { last: previous(1), earlier: [previous(2), previous(4)] }
    }

    /// The score of a draw for the side to move, with a little noise, so that the search tells repetitions
    /// apart (Stockfish's remedy against 3-fold blindness).
    #[inline(always)]
    pub(super) fn draw_score(&self) -> Score {
        let options = &self.context.request.options;
        let value = root_draw_value(options.draw_value, self.root_side, options.analysis);
        let value = if self.position.side_to_move() == self.root_side { value } else { -value };
        value + (self.nodes as i32 & 2) - 1
    }

    /// The base of the late move reduction, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn base_reduction(
        &self,
        improving: bool,
        depth: Depth,
        move_count: i32,
        delta: i32,
    ) -> i32 {
        let table = |i: i32| self.reductions[(i as usize).min(REDUCTION_TABLE_LEN - 1)];
        let reduction = table(depth) * table(move_count);
        let not_improving = if improving { 0 } else { reduction * LMR_NOT_IMPROVING / 512 };
        reduction - delta * LMR_DELTA / self.root_delta + not_improving + LMR_BASE
    }
}

/// The score of a draw for the side to move at the root; zero in analysis, which takes no side.
#[inline(always)]
fn root_draw_value(in_play: ByColor<Score>, root_side: Color, analysis: bool) -> Score {
    if analysis { Score::ZERO } else { in_play[root_side] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_analysis_a_draw_is_zero_for_both_sides() {
        let in_play = ByColor([Score(-20), Score(30)]);
        for (color, value) in [(Color::Black, Score(-20)), (Color::White, Score(30))] {
            assert_eq!(root_draw_value(in_play, color, false), value);
            assert_eq!(root_draw_value(in_play, color, true), Score::ZERO);
        }
    }
}
