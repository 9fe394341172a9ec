//! The order in which a node tries its moves, generated stage by stage.
//!
//! The moves of all nodes of a line lie one after the other in one buffer of the worker; a picker
//! is a few indices into it. Whoever makes a picker cuts the buffer back when done.

use super::history::LOW_PLIES;
use super::params::{CHECK_BONUS, GOOD_CAPTURE_DIVISOR, GOOD_QUIET, SORT_LIMIT};
use super::worker::Worker;
use crate::position::movegen::Promotions;
use crate::position::{ScoredMove, exchange_value};
use crate::types::{Depth, Move};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    TableEvasion,
    MakeEvasions,
    Evasions,
    TableProbCut,
    MakeProbCut,
    ProbCut,
    TableQuiescence,
    MakeQuiescence,
    Quiescence,
    Done,
}

/// Hands out the moves of one node.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    /// Legal here, or none.
    tt_move: Move,
    depth: Depth,
    ply: usize,
    /// Gain that a ProbCut capture must reach.
    threshold: i32,
    skip_quiets: bool,
    /// Where this picker's moves begin; bad captures gather here.
    base: usize,
    bad_end: usize,
    next: usize,
    captures_end: usize,
}

impl Picker {
    fn new(stage: Stage, worker: &Worker, tt_move: Move, depth: Depth, ply: usize) -> Picker {
        let base = worker.moves.len();
        Picker {
            stage,
            tt_move,
            depth,
            ply,
            threshold: 0,
            skip_quiets: false,
            base,
            bad_end: base,
            next: base,
            captures_end: base,
        }
    }

    /// All moves, for a node of the main search.
    pub(super) fn all(worker: &Worker, tt_move: Move, depth: Depth, ply: usize) -> Picker {
        let check = worker.position.in_check();
        let stage = if check { Stage::TableEvasion } else { Stage::TableMove };
        Picker::new(stage, worker, tt_move, depth, ply)
    }

    /// Captures, or all evasions when in check.
    pub(super) fn quiescence(worker: &Worker, tt_move: Move, ply: usize) -> Picker {
        let check = worker.position.in_check();
        let stage = if check { Stage::TableEvasion } else { Stage::TableQuiescence };
        Picker::new(stage, worker, tt_move, 0, ply)
    }

    /// Captures that gain at least `threshold`.
    pub(super) fn probcut(worker: &Worker, tt_move: Move, threshold: i32, ply: usize) -> Picker {
        let fits = tt_move.is_some()
            && worker.position.is_capture(tt_move)
            && worker.position.see_ge(tt_move, threshold);
        let tt_move = if fits { tt_move } else { Move::NONE };
        let mut picker = Picker::new(Stage::TableProbCut, worker, tt_move, 0, ply);
        picker.threshold = threshold;
        picker
    }

    /// No more quiet moves from here on.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move to try.
    pub(super) fn next(&mut self, worker: &mut Worker) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove
                | Stage::TableEvasion
                | Stage::TableProbCut
                | Stage::TableQuiescence => {
                    self.stage = match self.stage {
                        Stage::TableMove => Stage::MakeCaptures,
                        Stage::TableEvasion => Stage::MakeEvasions,
                        Stage::TableProbCut => Stage::MakeProbCut,
                        _ => Stage::MakeQuiescence,
                    };
                    if self.tt_move.is_some() {
                        return Some(self.tt_move);
                    }
                }
                Stage::MakeCaptures | Stage::MakeProbCut | Stage::MakeQuiescence => {
                    self.make_captures(worker);
                    self.stage = match self.stage {
                        Stage::MakeCaptures => Stage::GoodCaptures,
                        Stage::MakeProbCut => Stage::ProbCut,
                        _ => Stage::Quiescence,
                    };
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.good_capture(worker) {
                        return Some(mv);
                    }
                    self.stage = Stage::MakeQuiets;
                }
                Stage::MakeQuiets => {
                    if !self.skip_quiets {
                        self.make_quiets(worker);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => {
                    if let Some(mv) = self.quiet(worker, |score| score > GOOD_QUIET) {
                        return Some(mv);
                    }
                    self.next = self.base;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(worker.moves[self.next - 1].mv());
                    }
                    self.next = self.captures_end;
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => {
                    if let Some(mv) = self.quiet(worker, |score| score <= GOOD_QUIET) {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeEvasions => {
                    self.make_evasions(worker);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions | Stage::Quiescence => {
                    if let Some(entry) = self.step(worker) {
                        return Some(entry.mv());
                    }
                    self.stage = Stage::Done;
                }
                Stage::ProbCut => {
                    while let Some(entry) = self.step(worker) {
                        if worker.position.see_ge(entry.mv(), self.threshold) {
                            return Some(entry.mv());
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The next move of the buffer that is not the table's.
    #[inline(always)]
    fn step(&mut self, worker: &Worker) -> Option<ScoredMove> {
        while let Some(&entry) = worker.moves.get(self.next) {
            self.next += 1;
            if entry.mv() != self.tt_move {
                return Some(entry);
            }
        }
        None
    }

    /// The next capture that does not lose material; the others are set aside.
    #[inline]
    fn good_capture(&mut self, worker: &mut Worker) -> Option<Move> {
        while let Some(entry) = self.step(worker) {
            if worker.position.see_ge(entry.mv(), -entry.score() / GOOD_CAPTURE_DIVISOR) {
                return Some(entry.mv());
            }
            worker.moves.swap(self.bad_end, self.next - 1);
            self.bad_end += 1;
        }
        None
    }

    #[inline]
    fn quiet(&mut self, worker: &Worker, wanted: impl Fn(i32) -> bool) -> Option<Move> {
        while !self.skip_quiets {
            let entry = self.step(worker)?;
            if wanted(entry.score()) {
                return Some(entry.mv());
            }
        }
        None
    }

    /// At the root the user may have asked for any legal move.
    #[inline(always)]
    fn promotions(&self, worker: &Worker) -> Promotions {
        let asked = self.ply == 0 && !worker.shared.request.limits.search_moves.is_empty();
        if asked { Promotions::All } else { worker.promotions }
    }

    fn make_captures(&mut self, worker: &mut Worker) {
        let promotions = self.promotions(worker);
        let Worker { position, moves, history, .. } = worker;
        position.generate_captures(promotions, moves);
        for entry in &mut moves[self.base..] {
            let to = entry.mv().to();
            let Some(victim) = position.piece_at(to) else { continue };
            let kind = victim.kind();
            let score = history.capture(entry.piece(), to, kind) + 7 * exchange_value(kind);
            *entry = entry.with_score(score);
        }
        sort_down_to(&mut moves[self.base..], i32::MIN);
        self.captures_end = moves.len();
    }

    fn make_quiets(&mut self, worker: &mut Worker) {
        let promotions = self.promotions(worker);
        let Worker { position, moves, history, stack, .. } = worker;
        let start = moves.len();
        position.generate_quiets(promotions, moves);
        let side = position.side_to_move();
        let before = [1, 2, 3, 4, 6]
            .map(|plies| history.continuation_row(stack.back(self.ply, plies).continuation));
        let (main, pawns) = (history.main_row(side), history.pawn_row(position));
        let checks = position.check_squares();
        for entry in &mut moves[start..] {
            let (mv, piece, to) = (entry.mv(), entry.piece(), entry.mv().to());
            let mut score = 2 * i32::from(main[mv.index()]) + 2 * pawns.get(piece, to);
            for after in before {
                score += after.get(piece, to);
            }
            if checks.of(piece.kind()).contains(to) && position.see_ge(mv, -75) {
                score += CHECK_BONUS;
            }
            if self.ply < LOW_PLIES {
                score += 8 * history.low_ply(self.ply, mv) / (1 + self.ply as i32);
            }
            *entry = entry.with_score(score);
        }
        self.next = start;
        self.captures_end = start;
        sort_down_to(&mut moves[start..], -SORT_LIMIT * self.depth);
    }

    fn make_evasions(&mut self, worker: &mut Worker) {
        /// Above every history score.
        const CAPTURE: i32 = 1 << 28;
        let promotions = self.promotions(worker);
        let Worker { position, moves, history, stack, .. } = worker;
        position.generate_all(promotions, moves);
        let side = position.side_to_move();
        let after = stack.back(self.ply, 1).continuation;
        for entry in &mut moves[self.base..] {
            let (mv, to) = (entry.mv(), entry.mv().to());
            let score = match position.piece_at(to) {
                Some(victim) => CAPTURE + exchange_value(victim.kind()),
                None => history.main(side, mv) + history.continuation(after, entry.piece(), to),
            };
            *entry = entry.with_score(score);
        }
        sort_down_to(&mut moves[self.base..], i32::MIN);
    }
}

/// Sorts the moves that score at least `limit` to the front, best first. Insertion sort: the
/// lists are short, and most moves of a long one fall below the limit.
fn sort_down_to(moves: &mut [ScoredMove], limit: i32) {
    let mut sorted = 0;
    for i in 0..moves.len() {
        let entry = moves[i];
        if entry.score() < limit {
            continue;
        }
        moves[i] = moves[sorted];
        let mut at = sorted;
        while at > 0 && moves[at - 1].score() < entry.score() {
            moves[at] = moves[at - 1];
            at -= 1;
        }
        moves[at] = entry;
        sorted += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn sorting_orders_what_reaches_the_limit_and_loses_nothing() {
        let mut moves = Position::startpos().legal_moves().to_vec();
        for (i, entry) in moves.iter_mut().enumerate() {
            *entry = entry.with_score((i as i32 * 37) % 31 - 15);
        }
        let mut expected: Vec<i32> = moves.iter().map(|entry| entry.score()).collect();
        sort_down_to(&mut moves, 0);
        let scores: Vec<i32> = moves.iter().map(|entry| entry.score()).collect();
        let head = scores.iter().filter(|&&score| score >= 0).count();
        assert!(scores[..head].is_sorted_by(|a, b| a >= b));
        assert!(scores[head..].iter().all(|&score| score < 0));
        let mut found = scores;
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
