//! The move picker: the moves of a node in the order in which they are searched, generated in stages.
//!
//! The moves of all nodes of the current line are in one buffer of the worker, node after node; a picker holds
//! indices into it. The node that owns a picker truncates the buffer at its end.

use std::cmp::Ordering;

use super::history::LOW_PLIES;
use super::params::{GOOD_CAPTURE_DIVISOR, GOOD_QUIET, SORT_LIMIT};
use super::quiet_scoring::QuietScorer;
use super::worker::SearchWorker;
use crate::position::movegen::NonPromotions;
use crate::position::{ScoredMove, see_value};
use crate::types::{Bitboard, Depth, Move};

/// Quiet moves that are sorted at a time.
const SORT_BATCH: usize = 12;
/// Weight of the value of the captured piece in the order of captures, beside their history (Stockfish's).
const VICTIM_WEIGHT: i32 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PickStage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    EvasionTtMove,
    GenerateEvasions,
    Evasions,
    ProbCutTtMove,
    GenerateProbCut,
    ProbCut,
    QsearchTtMove,
    GenerateQsearch,
    QsearchCaptures,
    Done,
}

/// Returns the moves of one node.
#[derive(Debug)]
pub(super) struct MovePicker {
    stage: PickStage,
    /// Legal, or none.
    tt_move: Move,
    depth: Depth,
    ply: usize,
    /// What a ProbCut capture must gain by static exchange.
    threshold: i32,
    skip_quiets: bool,
    /// Start of this picker's moves; bad captures are collected here.
    base: usize,
    bad_captures_end: usize,
    /// The move to look at next.
    next: usize,
    /// End of all captures, where the quiet moves start.
    captures_end: usize,
    /// End of the sorted quiet moves, and of those that reach the sort limit.
    sorted_end: usize,
    sortable_end: usize,
    /// The squares that the opponent attacks, once quiet moves are generated; all squares before that.
    attacked: Bitboard,
}

impl MovePicker {
    fn new(
        stage: PickStage,
        worker: &SearchWorker,
        tt_move: Move,
        depth: Depth,
        ply: usize,
    ) -> MovePicker {
        let base = worker.moves.len();
        MovePicker {
            stage,
            tt_move,
            depth,
            ply,
            threshold: 0,
            skip_quiets: false,
            base,
            bad_captures_end: base,
            next: base,
            captures_end: base,
            sorted_end: base,
            sortable_end: base,
            attacked: Bitboard::ALL,
        }
    }

    /// All moves of a node of the main search.
    pub(super) fn main_search(
        worker: &SearchWorker,
        tt_move: Move,
        depth: Depth,
        ply: usize,
    ) -> MovePicker {
        let check = worker.position.in_check();
        let stage = if check { PickStage::EvasionTtMove } else { PickStage::TtMove };
        MovePicker::new(stage, worker, tt_move, depth, ply)
    }

    /// Captures, or all evasions when in check.
    pub(super) fn qsearch(worker: &SearchWorker, tt_move: Move, ply: usize) -> MovePicker {
        let check = worker.position.in_check();
        let stage = if check { PickStage::EvasionTtMove } else { PickStage::QsearchTtMove };
        MovePicker::new(stage, worker, tt_move, 0, ply)
    }

    /// Captures that gain at least `threshold`.
    pub(super) fn probcut(
        worker: &SearchWorker,
        tt_move: Move,
        threshold: i32,
        ply: usize,
    ) -> MovePicker {
        let fits = tt_move.is_some()
            && worker.position.is_capture(tt_move)
            && worker.position.see_ge(tt_move, threshold);
        let tt_move = if fits { tt_move } else { Move::NONE };
        let mut picker = MovePicker::new(PickStage::ProbCutTtMove, worker, tt_move, 0, ply);
        picker.threshold = threshold;
        picker
    }

    /// Skips all further quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Squares that include all that the opponent attacks.
    pub(super) fn attacked(&self) -> Bitboard {
        self.attacked
    }

    /// The next move to search, the TT move first; `None` at the end.
    pub(super) fn next(&mut self, worker: &mut SearchWorker) -> Option<ScoredMove> {
        loop {
            match self.stage {
                PickStage::TtMove
                | PickStage::EvasionTtMove
                | PickStage::ProbCutTtMove
                | PickStage::QsearchTtMove => {
                    self.stage = match self.stage {
                        PickStage::TtMove => PickStage::GenerateCaptures,
                        PickStage::EvasionTtMove => PickStage::GenerateEvasions,
                        PickStage::ProbCutTtMove => PickStage::GenerateProbCut,
                        _ => PickStage::GenerateQsearch,
                    };
                    if self.tt_move.is_some() {
                        let piece = worker.position.moved_piece_after(self.tt_move);
                        return Some(ScoredMove::new(self.tt_move, piece));
                    }
                }
                PickStage::GenerateCaptures
                | PickStage::GenerateProbCut
                | PickStage::GenerateQsearch => {
                    self.generate_captures(worker);
                    self.stage = match self.stage {
                        PickStage::GenerateCaptures => PickStage::GoodCaptures,
                        PickStage::GenerateProbCut => PickStage::ProbCut,
                        _ => PickStage::QsearchCaptures,
                    };
                }
                PickStage::GoodCaptures => {
                    if let Some(scored) = self.next_good_capture(worker) {
                        return Some(scored);
                    }
                    self.stage = PickStage::GenerateQuiets;
                }
                PickStage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(worker);
                    }
                    self.stage = PickStage::GoodQuiets;
                }
                PickStage::GoodQuiets => {
                    if let Some(scored) = self.next_good_quiet(worker) {
                        return Some(scored);
                    }
                    self.next = self.base;
                    self.stage = PickStage::BadCaptures;
                }
                PickStage::BadCaptures => {
                    if self.next < self.bad_captures_end {
                        self.next += 1;
                        return Some(worker.moves[self.next - 1]);
                    }
                    self.next = self.captures_end;
                    self.stage = PickStage::BadQuiets;
                }
                PickStage::BadQuiets => {
                    if let Some(scored) = self.next_bad_quiet(worker) {
                        return Some(scored);
                    }
                    self.stage = PickStage::Done;
                }
                PickStage::GenerateEvasions => {
                    self.generate_evasions(worker);
                    self.stage = PickStage::Evasions;
                }
                PickStage::Evasions | PickStage::QsearchCaptures => {
                    if let Some(scored) = self.next_except_tt(worker) {
                        return Some(scored);
                    }
                    self.stage = PickStage::Done;
                }
                PickStage::ProbCut => {
                    while let Some(scored) = self.next_except_tt(worker) {
                        if worker.position.see_ge(scored.mv(), self.threshold) {
                            return Some(scored);
                        }
                    }
                    self.stage = PickStage::Done;
                }
                PickStage::Done => return None,
            }
        }
    }

    /// The next move of the buffer that is not the TT move.
    #[inline(always)]
    fn next_except_tt(&mut self, worker: &SearchWorker) -> Option<ScoredMove> {
        while let Some(&scored) = worker.moves.get(self.next) {
            self.next += 1;
            if scored.mv() != self.tt_move {
                return Some(scored);
            }
        }
        None
    }

    /// The next good capture: its SEE is at least minus its score over [`GOOD_CAPTURE_DIVISOR`]. Bad captures are set
    /// aside.
    #[inline]
    fn next_good_capture(&mut self, worker: &mut SearchWorker) -> Option<ScoredMove> {
        while let Some(scored) = self.next_except_tt(worker) {
            if worker.position.see_ge(scored.mv(), -scored.score() / GOOD_CAPTURE_DIVISOR) {
                return Some(scored);
            }
            worker.moves.swap(self.bad_captures_end, self.next - 1);
            self.bad_captures_end += 1;
        }
        None
    }

    #[inline]
    fn next_good_quiet(&mut self, worker: &mut SearchWorker) -> Option<ScoredMove> {
        while let Some(scored) = self.next_quiet(worker) {
            if scored.score() > GOOD_QUIET {
                return Some(scored);
            }
            // The rest of the sorted moves is no better.
            self.next = self.next.max(self.sortable_end);
        }
        None
    }

    #[inline]
    fn next_bad_quiet(&mut self, worker: &mut SearchWorker) -> Option<ScoredMove> {
        while let Some(scored) = self.next_quiet(worker) {
            if scored.score() <= GOOD_QUIET {
                return Some(scored);
            }
        }
        None
    }

    #[inline]
    fn next_quiet(&mut self, worker: &mut SearchWorker) -> Option<ScoredMove> {
        while !self.skip_quiets {
            if self.next == self.sorted_end && self.next < self.sortable_end {
                self.sort_next(&mut worker.moves);
            }
            let scored = *worker.moves.get(self.next)?;
            self.next += 1;
            if scored.mv() != self.tt_move {
                return Some(scored);
            }
        }
        None
    }

    /// Sorts the best of the remaining quiet moves. Most nodes search only a few of many dozens. Not inlined,
    /// because few of the calls of [`MovePicker::next`] get here.
    #[inline(never)]
    fn sort_next(&mut self, moves: &mut [ScoredMove]) {
        let left = &mut moves[self.sorted_end..self.sortable_end];
        let mut count = left.len();
        if count > 2 * SORT_BATCH {
            count = SORT_BATCH;
            left.select_nth_unstable_by(count, best_first);
        }
        left[..count].sort_unstable_by(best_first);
        self.sorted_end += count;
    }

    /// Which non-promotions to generate: all at the root if the request names root moves, because it may name any
    /// legal move.
    #[inline(always)]
    fn non_promotions(&self, worker: &SearchWorker) -> NonPromotions {
        let requested = self.ply == 0 && !worker.context.request.limits.search_moves.is_empty();
        if requested { NonPromotions::All } else { worker.non_promotions }
    }

    #[inline(never)]
    fn generate_captures(&mut self, worker: &mut SearchWorker) {
        let non_promotions = self.non_promotions(worker);
        let SearchWorker { position, moves, history, .. } = worker;
        position.generate_captures(non_promotions, moves);
        for scored in &mut moves[self.base..] {
            let to = scored.mv().to();
            let Some(victim) = position.piece_at(to) else { continue };
            let kind = victim.kind();
            let score = history.capture(scored.piece(), to, kind) + VICTIM_WEIGHT * see_value(kind);
            *scored = scored.with_score(score);
        }
        moves[self.base..].sort_unstable_by(best_first);
        self.captures_end = moves.len();
    }

    #[inline(never)]
    fn generate_quiets(&mut self, worker: &mut SearchWorker) {
        let non_promotions = self.non_promotions(worker);
        let SearchWorker { position, moves, quiet_moves, history, stack, .. } = worker;
        let start = moves.len();
        let previous = [1, 2, 3, 4, 6].map(|plies| stack.back(self.ply, plies).continuation);
        let counts = position.attack_counts();
        self.attacked = counts.attacked_by(!position.side_to_move());
        let histories = history.quiet_histories(position, previous);
        let sort_limit = -SORT_LIMIT * self.depth;
        let is_low_ply = self.ply < LOW_PLIES;
        quiet_moves.clear();
        // At a low ply the moves are partitioned when the scores are complete.
        let first_limit = if is_low_ply { i32::MIN } else { sort_limit };
        let mut sink = QuietScorer::new(position, histories, &counts, first_limit, quiet_moves);
        position.generate_quiets(non_promotions, self.attacked, &mut sink);
        if is_low_ply {
            quiet_moves.add_bonus(sort_limit, history.low_ply(self.ply));
        }
        moves.extend_from_slice(quiet_moves.all());
        self.sortable_end = start + quiet_moves.sortable_count();
        self.next = start;
        self.captures_end = start;
        self.sorted_end = start;
    }

    #[inline(never)]
    fn generate_evasions(&mut self, worker: &mut SearchWorker) {
        /// Above every history score (Stockfish's constant).
        const CAPTURE_BONUS: i32 = 1 << 28;
        let non_promotions = self.non_promotions(worker);
        let SearchWorker { position, moves, history, stack, .. } = worker;
        position.generate_legal(non_promotions, moves);
        let side = position.side_to_move();
        let previous = stack.back(self.ply, 1).continuation;
        for scored in &mut moves[self.base..] {
            let (mv, to) = (scored.mv(), scored.mv().to());
            let score = match position.piece_at(to) {
                Some(victim) => CAPTURE_BONUS + see_value(victim.kind()),
                None => history.main(side, mv) + history.continuation(previous, scored.piece(), to),
            };
            *scored = scored.with_score(score);
        }
        moves[self.base..].sort_unstable_by(best_first);
    }
}

fn best_first(a: &ScoredMove, b: &ScoredMove) -> Ordering {
    b.cmp(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn quiet_moves_above_the_sort_limit_are_sorted_in_batches() {
        let mut moves = Position::startpos().legal_moves().to_vec();
        for (i, scored) in moves.iter_mut().enumerate() {
            *scored = scored.with_score((i as i32 * 37) % 31 - 15);
        }
        let mut expected = moves.clone();
        expected[..25].sort_unstable_by(best_first);
        let mut picker = MovePicker {
            stage: PickStage::GoodQuiets,
            tt_move: Move::NONE,
            depth: 1,
            ply: 0,
            threshold: 0,
            skip_quiets: false,
            base: 0,
            bad_captures_end: 0,
            next: 0,
            captures_end: 0,
            sorted_end: 0,
            sortable_end: 25,
            attacked: Bitboard::ALL,
        };
        for sorted in [SORT_BATCH, 25, 25] {
            picker.sort_next(&mut moves);
            assert_eq!(picker.sorted_end, sorted);
            assert_eq!(moves[..sorted], expected[..sorted]);
        }
        assert_eq!(moves[25..], expected[25..], "moves below the limit keep their order");
    }
}
