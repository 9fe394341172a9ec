//! One searching thread's own things: its board, its sums, what it alone has learned, its line.

use std::sync::Arc;
use std::time::Duration;

use super::correction_history::{CorrectionHistory, PrecedingMoves};
use super::history::{ContinuationIndex, MoveHistory, OwnMoveHistory};
use super::params::{LMR_BASE, LMR_DELTA, LMR_NOT_IMPROVING, LMR_TABLE, value};
use super::pv::PvTable;
use super::root_move::RootMove;
use super::search_manager::SearchManager;
use super::shared::SearchContext;
use super::stack::SearchStack;
use crate::nnue::Evaluator;
use crate::position::movegen::Promotions;
use crate::position::{Position, ScoredMove};
use crate::sys::AllocationError;
use crate::types::{ByColor, Color, Depth, Move, Score};

/// What the logarithms of depth and move count come to in a reduction.
fn reductions() -> Box<[i32; REDUCTION_TABLE_LEN]> {
    let reduction = |i: usize| f64::from(value(LMR_TABLE)) / 128.0 * (i.max(1) as f64).ln();
    Box::new(std::array::from_fn(|i| reduction(i) as i32))
}

/// Longest move list that reductions are tabled for.
pub(super) const REDUCTION_TABLE_LEN: usize = 600;

/// What outlasts a search.
#[derive(Debug)]
pub(super) struct ThreadData {
    history: Box<OwnMoveHistory>,
    /// Nothing is learned in the rest, but it is costly to make.
    evaluator: Option<Evaluator>,
    stack: SearchStack,
    moves: Vec<ScoredMove>,
    pv: PvTable,
    reductions: Box<[i32; REDUCTION_TABLE_LEN]>,
}

impl ThreadData {
    /// What it takes, nearly.
    pub(super) const BYTES: usize = 2 << 20;

    /// What there is before the first search.
    pub(super) fn new() -> Result<ThreadData, AllocationError> {
        Ok(ThreadData {
            history: Box::new(OwnMoveHistory::new()?),
            evaluator: None,
            stack: SearchStack::new(),
            moves: Vec::with_capacity(8192),
            pv: PvTable::new(),
            reductions: reductions(),
        })
    }

    /// Forgets everything learned. Numbers that a tuner may have changed are read anew.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.reductions = reductions();
    }

    /// Lets go of what belongs to a network that nobody may use any more.
    pub(super) fn drop_evaluator(&mut self) {
        self.evaluator = None;
    }
}

/// See the module's comment. Lives for one search; only what is [`ThreadData`] outlasts it.
#[derive(Debug)]
pub(super) struct SearchWorker {
    pub(super) id: usize,
    pub(super) shared: Arc<SearchContext>,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) history: MoveHistory,
    pub(super) corrections: Arc<CorrectionHistory>,
    pub(super) stack: SearchStack,
    /// The moves of all nodes of the present line, one picker's after the other.
    pub(super) moves: Vec<ScoredMove>,
    pub(super) pv: PvTable,
    pub(super) root_moves: Vec<RootMove>,
    /// Rank of the line being searched, from 0.
    pub(super) pv_index: usize,
    pub(super) promotions: Promotions,
    pub(super) root_side: Color,
    /// A position of the game has come three times: to look for its fourth time would cost every
    /// short search dearly.
    pub(super) near_fourfold: bool,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    pub(super) root_depth: Depth,
    /// Width of the root window, for reductions.
    pub(super) root_delta: i32,
    /// Null moves are barred above this ply while one is being verified.
    pub(super) nmp_min_ply: usize,
    /// The interrupts that there was when the iteration began, as if the search were not over.
    pub(super) seen_interrupts: u32,
    /// Whether another one was seen_interrupts since.
    is_interrupted: bool,
    /// Only the main worker has any.
    pub(super) manager: Option<SearchManager>,
    reductions: Box<[i32; REDUCTION_TABLE_LEN]>,
}

impl SearchWorker {
    /// A worker for one search, with what earlier searches left.
    pub(super) fn new(
        id: usize,
        shared: Arc<SearchContext>,
        thread_data: ThreadData,
        manager: Option<SearchManager>,
    ) -> SearchWorker {
        let ThreadData { mut history, evaluator, mut stack, mut moves, pv, reductions } =
            thread_data;
        history.new_search();
        stack.reset();
        moves.clear();
        let group = shared.histories.history_of(id);
        let position = shared.request.position.clone();
        let promotions = shared.request.options.promotions();
        SearchWorker {
            id,
            evaluator: Evaluator::reuse(evaluator, &shared.network, &position),
            history: MoveHistory { own: history, shared: group.history.clone() },
            corrections: group.corrections.clone(),
            stack,
            moves,
            pv,
            root_moves: shared.root_moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            promotions,
            root_side: position.side_to_move(),
            near_fourfold: position.has_threefold_position(),
            position,
            shared,
            nodes: 0,
            selective_depth: 0,
            root_depth: 0,
            root_delta: 1,
            nmp_min_ply: 0,
            seen_interrupts: 0,
            is_interrupted: false,
            manager,
            reductions,
        }
    }

    /// Ends the worker; what it leaves goes to the next one.
    pub(super) fn into_thread_data(self) -> ThreadData {
        ThreadData {
            history: self.history.own,
            evaluator: Some(self.evaluator),
            stack: self.stack,
            moves: self.moves,
            pv: self.pv,
            reductions: self.reductions,
        }
    }

    /// Whether the iteration is over, finished or not; looked at in every node.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_interrupted
    }

    /// Hears whether something has happened since the iteration began.
    #[inline(always)]
    pub(super) fn poll_interrupts(&mut self) {
        #[cfg(test)]
        self.panic_if_requested();
        self.is_interrupted = self.shared.interrupts() != self.seen_interrupts;
    }

    /// Panics, without a word, where a test has this worker do so.
    #[cfg(test)]
    fn panic_if_requested(&self) {
        if let Some((id, nodes)) = self.shared.request.options.panic_at
            && id == self.id
            && self.nodes >= nodes
        {
            std::panic::resume_unwind(Box::new("an panic_at"));
        }
    }

    /// Counts a node, and lets the main worker look at its limits when it is time.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if let Some(manager) = &mut self.manager
            && self.nodes >= manager.next_check
        {
            self.shared.publish_nodes(self.id, self.nodes);
            manager.check_limits(&self.shared, self.nodes);
            manager.report_current_line(&self.shared, &self.position);
            self.poll_interrupts();
        } else if self.nodes & 255 == 0 {
            self.shared.publish_nodes(self.id, self.nodes);
            if self.manager.is_none() {
                self.wait_at_node_limit();
            }
            self.poll_interrupts();
        }
    }

    /// A helper searches no more nodes than were asked for. That it is the end is for the main
    /// worker to say, which may not have had its turn yet.
    fn wait_at_node_limit(&self) {
        const NAP: Duration = Duration::from_micros(200);
        let Some(limit) = self.shared.request.limits.nodes else { return };
        while self.shared.nodes() >= limit && self.shared.interrupts() == self.seen_interrupts {
            std::thread::sleep(NAP);
        }
    }

    /// Brings near what the table may know of the position after a move, while the move is played.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, mv: Move) {
        self.shared.table.prefetch(self.position.key_after(mv));
    }

    /// Plays a move of the search at `ply`.
    #[inline(always)]
    pub(super) fn do_move(&mut self, ply: usize, mv: Move) {
        let gives_check = self.position.gives_check(mv);
        self.do_move_with(ply, mv, gives_check);
    }

    #[inline(always)]
    pub(super) fn do_move_with(&mut self, ply: usize, mv: Move, gives_check: bool) {
        self.prefetch_after(mv);
        self.count_node();
        let piece = self.position.moved_piece(mv);
        let capture = self.position.is_capture(mv);
        let frame = self.stack.at_mut(ply);
        frame.mv = mv;
        frame.continuation = ContinuationIndex::new(frame.in_check, capture, piece, mv.to());
        let delta = self.position.do_move_with(mv, gives_check);
        self.corrections.prefetch(&self.position, self.moves_before(ply + 1));
        self.evaluator.push(&delta);
    }

    #[inline(always)]
    pub(super) fn undo_move(&mut self, mv: Move) {
        self.position.undo_move(mv);
        self.evaluator.pop();
    }

    pub(super) fn do_null_move(&mut self, ply: usize) {
        self.count_node();
        let frame = self.stack.at_mut(ply);
        frame.mv = Move::NULL;
        frame.continuation = ContinuationIndex::NONE;
        self.position.do_null_move();
        self.evaluator.push_null();
        self.shared.table.prefetch(self.position.key());
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

    /// What past searches say the evaluation at `ply` is wrong by, times 131072.
    #[inline(always)]
    pub(super) fn correction(&self, ply: usize) -> i32 {
        self.corrections.value(&self.position, self.moves_before(ply))
    }

    /// The moves before `ply` that its correction counts.
    #[inline(always)]
    pub(super) fn moves_before(&self, ply: usize) -> PrecedingMoves {
        let before = |plies| self.stack.back(ply, plies).continuation;
        PrecedingMoves { last: before(1), earlier: [before(2), before(4)] }
    }

    /// Value of a draw for the side to move, with a little noise against blindness to threefold
    /// cycles.
    #[inline(always)]
    pub(super) fn draw_score(&self) -> Score {
        let options = &self.shared.request.options;
        let value = root_draw_value(options.draw_value, self.root_side, options.analysis);
        let value = if self.position.side_to_move() == self.root_side { value } else { -value };
        value + (self.nodes as i32 & 2) - 1
    }

    /// Base of a late move reduction, in 1024ths of a ply.
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

/// Value of a draw for the side to move at the root, from those for play. Analysis takes no side.
#[inline(always)]
fn root_draw_value(in_play: ByColor<Score>, root_side: Color, analysis: bool) -> Score {
    if analysis { Score::ZERO } else { in_play[root_side] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_analysis_a_draw_is_worth_nothing_to_either_side() {
        let in_play = ByColor([Score(-20), Score(30)]);
        for (color, value) in [(Color::Black, Score(-20)), (Color::White, Score(30))] {
            assert_eq!(root_draw_value(in_play, color, false), value);
            assert_eq!(root_draw_value(in_play, color, true), Score::ZERO);
        }
    }
}
