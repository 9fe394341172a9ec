//! Quiescence search: captures, and all evasions when in check. No quiet checks.

use std::ops::ControlFlow;

use super::correction_history::corrected;
use super::movepick::MovePicker;
use super::params::{QS_FUTILITY, QS_SEE};
use super::worker::SearchWorker;
use crate::position::see_value;
use crate::tt::{TtEntry, TtSlot};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score, Square};

/// The depth of table entries of the quiescence search.
const DEPTH_QS: Depth = 0;
/// The depth of table entries for which no move was searched: a static evaluation only, or a stand-pat score.
pub(super) const DEPTH_UNSEARCHED: Depth = -2;

/// Without a check, captures after this many moves are skipped (Stockfish's limit), except recaptures and checks.
const MAX_CAPTURES: i32 = 2;
/// In check, quiet moves after this many moves are skipped, except checks. (Stockfish and YaneuraOu skip all of them
/// once one move avoids the loss; that gained nothing.)
const MAX_EVASIONS: i32 = 3;
/// After so many nodes of one quiescence search a position in check gets its static evaluation. Where every
/// interposition is captured with check and all evasions lose, nothing else bounds the tree: it has millions of nodes.
const MAX_QSEARCH_NODES: u64 = 300;

/// A table entry with a static evaluation only.
pub(super) fn eval_only(eval: Score) -> TtEntry {
    TtEntry {
        mv: Move::NONE,
        score: Score::NONE,
        eval,
        depth: DEPTH_UNSEARCHED,
        bound: Bound::None,
        is_pv: false,
    }
}

/// The evaluation of a node before any move is searched.
struct StandPat {
    /// The static evaluation before corrections; none in check.
    raw_eval: Score,
    best: Score,
    /// The static evaluation plus the futility margin. A capture that gains no more than alpha minus this
    /// is not searched.
    futility_base: Score,
}

impl StandPat {
    /// In check there is no stand pat.
    fn in_check() -> StandPat {
        StandPat { raw_eval: Score::NONE, best: -Score::INFINITE, futility_base: -Score::INFINITE }
    }
}

impl SearchWorker {
    /// The score of the position within the window by captures only, or by evasions in check.
    pub(super) fn qsearch<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.qsearch_end = self.nodes + MAX_QSEARCH_NODES;
        self.qsearch_node::<PV>(ply, alpha, beta)
    }

    fn qsearch_node<const PV: bool>(&mut self, ply: usize, alpha: Score, beta: Score) -> Score {
        if PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.is_interrupted() {
            return Score::ZERO;
        }
        if let Some(score) = self.game_end_score(ply) {
            return score;
        }
        let in_check = self.position.in_check();
        self.stack.at_mut(ply).in_check = in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_score() } else { self.evaluate() };
        }
        if in_check && self.nodes >= self.qsearch_end {
            return self.evaluate();
        }
        let probe = self.context.table.probe(self.position.key());
        let tt = probe.hit.map(|entry| entry.at_ply(ply));
        if !PV
            && let Some(entry) = tt.filter(|entry| entry.depth >= DEPTH_QS && entry.decides(beta))
        {
            return entry.score;
        }
        // Not stored, as in the main search: the test is cheap.
        if tt.is_none() && self.can_declare_win() {
            return Score::mate_in(ply + 1);
        }
        let stand = if in_check {
            StandPat::in_check()
        } else {
            match self.stand_pat(ply, beta, tt, probe.slot) {
                ControlFlow::Continue(stand) => stand,
                ControlFlow::Break(score) => return score,
            }
        };
        let tt_move = self.legal_tt_move(tt);
        let base = self.moves.len();
        let alpha = alpha.max(stand.best);
        let (best, best_move) = self.qsearch_moves::<PV>(ply, alpha, beta, tt_move, &stand);
        self.moves.truncate(base);
        if self.is_interrupted() {
            return Score::ZERO;
        }
        if in_check && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        let best = if best >= beta { blend_with_beta(best, beta) } else { best };
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let is_pv = tt.is_some_and(|entry| entry.is_pv);
        let (mv, eval, depth) = (best_move, stand.raw_eval, DEPTH_QS);
        self.store_tt(probe.slot, ply, TtEntry { mv, score: best, eval, depth, bound, is_pv });
        best
    }

    /// The stand-pat score; breaks with a score that ends the node.
    #[inline(always)]
    fn stand_pat(
        &mut self,
        ply: usize,
        beta: Score,
        tt: Option<TtEntry>,
        slot: TtSlot,
    ) -> ControlFlow<Score, StandPat> {
        if tt.is_none()
            && let Some(mv) = self.position.mate_in_one()
        {
            return ControlFlow::Break(self.store_mate_in_one(slot, ply, mv));
        }
        let raw_eval = match tt {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        let eval = corrected(raw_eval, self.correction(ply));
        self.stack.at_mut(ply).static_eval = eval;
        let best = match tt {
            Some(entry) if !entry.score.is_decisive() && entry.decides(eval + 1) => entry.score,
            _ => eval,
        };
        if best < beta {
            return ControlFlow::Continue(StandPat {
                raw_eval,
                best,
                futility_base: eval + QS_FUTILITY,
            });
        }
        let score = blend_with_beta(best, beta);
        if tt.is_none() {
            let entry = TtEntry { score, bound: Bound::Lower, ..eval_only(raw_eval) };
            self.store_tt(slot, ply, entry);
        }
        ControlFlow::Break(score)
    }

    /// The best score of the moves, and the move that raised alpha, or none.
    fn qsearch_moves<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        tt_move: Move,
        stand: &StandPat,
    ) -> (Score, Move) {
        let (mut best, mut best_move) = (stand.best, Move::NONE);
        let in_check = self.position.in_check();
        let recapture = self.last_capture_square(ply);
        let mut picker = MovePicker::qsearch(self, tt_move, ply);
        let mut move_count = 0;
        while let Some(scored) = picker.next(self) {
            let mv = scored.mv();
            move_count += 1;
            let gives_check = self.position.gives_check(mv);
            let capture = self.position.is_capture(mv);
            if !best.is_loss() {
                if !gives_check && !in_check && recapture != Some(mv.to()) {
                    if move_count > MAX_CAPTURES {
                        continue;
                    }
                    let victim = self.position.piece_at(mv.to());
                    let gain = victim.map_or(0, |piece| see_value(piece.kind()));
                    if stand.futility_base + gain <= alpha {
                        best = best.max(stand.futility_base + gain);
                        continue;
                    }
                    if !self.position.see_ge(mv, alpha - stand.futility_base) {
                        best = best.max(alpha.min(stand.futility_base));
                        continue;
                    }
                }
                if !capture && in_check && move_count > MAX_EVASIONS && !gives_check {
                    continue;
                }
                if !self.position.see_ge(mv, -QS_SEE) {
                    continue;
                }
            }
            self.do_move_with(ply, mv, scored.piece(), gives_check);
            let score = -self.qsearch_node::<PV>(ply + 1, -beta, -alpha);
            self.undo_move(mv);
            if self.is_interrupted() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        (best, best_move)
    }

    /// The destination of the last move if it was a capture.
    fn last_capture_square(&self, ply: usize) -> Option<Square> {
        let last = self.stack.back(ply, 1).mv;
        (last.is_ok() && self.position.captured().is_some()).then(|| last.to())
    }

    /// The TT move if it is legal.
    #[inline(always)]
    pub(super) fn legal_tt_move(&self, entry: Option<TtEntry>) -> Move {
        match entry {
            Some(entry) if entry.mv.is_some() && self.position.is_legal(entry.mv) => entry.mv,
            _ => Move::NONE,
        }
    }

    /// Stores a mate in one, makes it the PV of `ply`, and returns its score.
    pub(super) fn store_mate_in_one(&mut self, slot: TtSlot, ply: usize, mv: Move) -> Score {
        /// No deeper search would change it.
        const DEPTH: Depth = MAX_PLY as Depth / 2;
        let score = Score::mate_in(ply + 1);
        let (eval, bound) = (Score::NONE, Bound::Exact);
        self.store_tt(slot, ply, TtEntry { mv, score, eval, depth: DEPTH, bound, is_pv: false });
        self.pv.clear(ply + 1);
        self.pv.update(ply, mv);
        score
    }

    /// Stores an entry whose score is counted from the root.
    #[inline(always)]
    pub(super) fn store_tt(&self, slot: TtSlot, ply: usize, entry: TtEntry) {
        self.context.table.store(slot, entry.for_table(ply));
    }
}

/// The average of a fail-high score and beta, because the amount by which a score exceeds beta is uncertain. A mate
/// score stays as it is.
fn blend_with_beta(score: Score, beta: Score) -> Score {
    if score.is_decisive() { score } else { Score((score.0 + beta.0) / 2) }
}
