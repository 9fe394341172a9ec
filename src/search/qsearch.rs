//! Quiescence: captures, and evasions when in check, until the position is quiet. No quiet checks.

use std::ops::ControlFlow;

use super::correction::corrected;
use super::params::{QS_FUTILITY, QS_SEE};
use super::picker::Picker;
use super::worker::Worker;
use crate::position::exchange_value;
use crate::tt::{Entry, Slot, score_to_tt};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score, Square};

/// Depth under which quiescence results are stored.
pub(super) const QS_DEPTH: Depth = 0;
/// Depth of entries that hold no more than a static evaluation.
pub(super) const EVAL_ONLY_DEPTH: Depth = -2;

/// An entry that holds no more than a static evaluation.
pub(super) fn eval_only(eval: Score) -> Entry {
    Entry {
        mv: Move::NONE,
        score: Score::NONE,
        eval,
        depth: EVAL_ONLY_DEPTH,
        bound: Bound::None,
        is_pv: false,
    }
}

/// How the node stands before any move is tried.
struct Standing {
    /// The evaluation as the network gives it; none in check.
    raw_eval: Score,
    best: Score,
    /// What a capture can at most come to, less its victim.
    futility: Score,
}

impl Standing {
    /// In check nobody may stand still.
    fn in_check() -> Standing {
        Standing { raw_eval: Score::NONE, best: -Score::INFINITE, futility: -Score::INFINITE }
    }
}

impl Worker {
    pub(super) fn qsearch<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.is_stopped() {
            return Score::ZERO;
        }
        if let Some(score) = self.ending_score(ply) {
            return score;
        }
        let in_check = self.position.in_check();
        self.stack.at_mut(ply).in_check = in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_score() } else { self.evaluate() };
        }
        let probe = self.shared.table.probe(self.position.key());
        let tt = probe.hit.map(|entry| entry.seen_from_root(ply));
        if !PV
            && let Some(entry) = tt.filter(|entry| entry.depth >= QS_DEPTH && entry.settles(beta))
        {
            return entry.score;
        }
        // Nothing is stored of such a position: the main search does not look for the win where the
        // table has a move.
        if tt.is_none() && self.can_declare() {
            return Score::mate_in(ply + 1);
        }
        let standing = if in_check {
            Standing::in_check()
        } else {
            match self.stand_pat(ply, beta, tt, probe.slot) {
                ControlFlow::Continue(standing) => standing,
                ControlFlow::Break(score) => return score,
            }
        };
        let tt_move = self.legal_tt_move(tt);
        let base = self.moves.len();
        let alpha = alpha.max(standing.best);
        let (best, best_move) = self.qsearch_moves::<PV>(ply, alpha, beta, tt_move, &standing);
        self.moves.truncate(base);
        if self.is_stopped() {
            return Score::ZERO;
        }
        if in_check && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        let best = if best >= beta { towards(best, beta) } else { best };
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let is_pv = tt.is_some_and(|entry| entry.is_pv);
        let (mv, eval, depth) = (best_move, standing.raw_eval, QS_DEPTH);
        self.store(probe.slot, ply, Entry { mv, score: best, eval, depth, bound, is_pv });
        best
    }

    /// What the node is worth if nothing is taken; breaks with its score if that is enough.
    #[inline(always)]
    fn stand_pat(
        &mut self,
        ply: usize,
        beta: Score,
        tt: Option<Entry>,
        slot: Slot,
    ) -> ControlFlow<Score, Standing> {
        if tt.is_none()
            && let Some(mv) = self.position.mate_in_one()
        {
            return ControlFlow::Break(self.store_mate(slot, ply, mv));
        }
        let raw_eval = match tt {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        let eval = corrected(raw_eval, self.correction(ply));
        self.stack.at_mut(ply).static_eval = eval;
        let best = match tt {
            Some(entry) if !entry.score.is_mate() && entry.settles(eval + 1) => entry.score,
            _ => eval,
        };
        if best < beta {
            return ControlFlow::Continue(Standing {
                raw_eval,
                best,
                futility: eval + QS_FUTILITY,
            });
        }
        let score = towards(best, beta);
        if tt.is_none() {
            let found = Entry { score, bound: Bound::Lower, ..eval_only(raw_eval) };
            self.store(slot, ply, found);
        }
        ControlFlow::Break(score)
    }

    fn qsearch_moves<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        tt_move: Move,
        standing: &Standing,
    ) -> (Score, Move) {
        let (mut best, mut best_move) = (standing.best, Move::NONE);
        let in_check = self.position.in_check();
        let recapture = self.last_capture_square(ply);
        let mut picker = Picker::quiescence(self, tt_move, ply);
        let mut move_count = 0;
        while let Some(mv) = picker.next(self) {
            move_count += 1;
            let gives_check = self.position.gives_check(mv);
            let capture = self.position.is_capture(mv);
            if !best.is_loss() {
                if !gives_check && !in_check && recapture != Some(mv.to()) {
                    if move_count > 2 {
                        continue;
                    }
                    let victim = self.position.piece_at(mv.to());
                    let gain = victim.map_or(0, |piece| exchange_value(piece.kind()));
                    if standing.futility + gain <= alpha {
                        best = best.max(standing.futility + gain);
                        continue;
                    }
                    if !self.position.see_ge(mv, alpha - standing.futility) {
                        best = best.max(alpha.min(standing.futility));
                        continue;
                    }
                }
                if !capture && in_check && move_count > 3 && !gives_check {
                    continue;
                }
                if !self.position.see_ge(mv, -QS_SEE) {
                    continue;
                }
            }
            self.do_move_with(ply, mv, gives_check);
            let score = -self.qsearch::<PV>(ply + 1, -beta, -alpha);
            self.undo_move(mv);
            if self.is_stopped() {
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

    /// Where the last move captured, if it did.
    fn last_capture_square(&self, ply: usize) -> Option<Square> {
        let last = self.stack.back(ply, 1).mv;
        (last.is_some() && self.position.captured().is_some()).then(|| last.to())
    }

    /// The table's move, if it is legal here.
    #[inline(always)]
    pub(super) fn legal_tt_move(&self, entry: Option<Entry>) -> Move {
        match entry {
            Some(entry) if entry.mv.is_some() && self.position.is_legal(entry.mv) => entry.mv,
            _ => Move::NONE,
        }
    }

    /// Stores a mate in one and returns its score.
    pub(super) fn store_mate(&mut self, slot: Slot, ply: usize, mv: Move) -> Score {
        /// No search would change it.
        const DEPTH: Depth = MAX_PLY as Depth / 2;
        let score = Score::mate_in(ply + 1);
        let (eval, bound) = (Score::NONE, Bound::Exact);
        self.store(slot, ply, Entry { mv, score, eval, depth: DEPTH, bound, is_pv: false });
        self.pv.clear(ply + 1);
        self.pv.update(ply, mv);
        score
    }

    /// Stores what was found at `ply`; its score counts from the root.
    #[inline(always)]
    pub(super) fn store(&self, slot: Slot, ply: usize, found: Entry) {
        let score = score_to_tt(found.score, ply);
        self.shared.table.store(slot, Entry { score, ..found });
    }
}

/// A score that fails high, half way to the bound: what is beyond it was not searched for. Mates stay.
fn towards(score: Score, beta: Score) -> Score {
    if score.is_mate() { score } else { Score((score.0 + beta.0) / 2) }
}
