//! The move loop of a node: which moves are skipped, extended, reduced and searched again.

use super::movepick::MovePicker;
use super::node::SearchNode;
use super::params::*;
use super::worker::SearchWorker;
use crate::position::{ScoredMove, see_value};
use crate::tt::{KeyedEntry, TtEntry, TtProbe};
use crate::types::{Bound, Depth, Move, Piece, Score};

/// Maximum number of quiet moves, and of captures, that get a malus when another move is best.
const SEARCHED_MOVES_CAPACITY: usize = 32;

/// Closer to the root than this, a move back and forth may still be extended (Stockfish's limit).
const MIN_SHUFFLING_PLY: usize = 18;

/// The best score so far, and the move if it raised alpha.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestSoFar {
    pub(super) score: Score,
    pub(super) mv: Move,
}

/// Moves that were searched and were not best.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchedMoves {
    moves: [Move; SEARCHED_MOVES_CAPACITY],
    len: usize,
}

impl SearchedMoves {
    fn new() -> SearchedMoves {
        SearchedMoves { moves: [Move::NONE; SEARCHED_MOVES_CAPACITY], len: 0 }
    }

    fn push(&mut self, mv: Move) {
        if self.len < SEARCHED_MOVES_CAPACITY {
            self.moves[self.len] = mv;
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied()
    }
}

/// The move that is searched next.
pub(super) struct CurrentMove {
    pub(super) mv: Move,
    /// The piece after the move.
    pub(super) piece: Piece,
    move_count: i32,
    pub(super) gives_check: bool,
    capture: bool,
    /// The depth after the move, before reductions.
    pub(super) new_depth: Depth,
    /// In 1024ths of a ply.
    pub(super) reduction: i32,
}

/// The result of a singular search, which leaves the TT move out.
enum Singular {
    /// By how many plies the TT move is extended and the depth of the node grows.
    Extend { extension: Depth, depth_growth: Depth },
    /// Another move fails high too, so the node does.
    MultiCut(Score),
}

impl Singular {
    const NO_EXTENSION: Singular = Singular::Extend { extension: 0, depth_growth: 0 };
}

impl SearchWorker {
    /// Searches the moves and stores the result.
    pub(super) fn move_loop<const PV: bool>(
        &mut self,
        mut node: SearchNode,
        probe: &TtProbe,
    ) -> Score {
        let ply = node.ply;
        let original_alpha = node.alpha;
        let mut best = BestSoFar { score: -Score::INFINITE, mv: Move::NONE };
        let mut quiets_searched = SearchedMoves::new();
        let mut captures_searched = SearchedMoves::new();
        let mut picker = MovePicker::main_search(self, node.tt_move, node.depth, ply);
        let mut move_count = 0;
        while let Some(scored) = picker.next(self) {
            let mv = scored.mv();
            if mv == node.excluded || node.is_root() && !self.is_root_candidate(mv) {
                continue;
            }
            move_count += 1;
            self.stack.at_mut(ply).move_count = move_count;
            if node.is_root() {
                self.report_current_move(mv, move_count);
            }
            let mut current = self.current_move(&node, scored, move_count);
            if !node.is_root() && !best.score.is_loss() {
                if move_count >= (LMP_BASE + node.depth * node.depth) / (2 - node.improving as i32)
                {
                    picker.skip_quiets();
                }
                if self.can_prune_move(&node, &current, &best, picker.attacked()) {
                    continue;
                }
            }
            match self.singular(&node, mv) {
                Singular::Extend { extension, depth_growth } => {
                    current.new_depth += extension;
                    node.depth += depth_growth;
                }
                Singular::MultiCut(score) => return score,
            }
            let nodes_before = self.nodes;
            let proven = if node.is_root() { self.proven_score(mv) } else { None };
            let score = match proven {
                Some(score) => score,
                None => self.search_move::<PV>(&node, &current, &best),
            };
            if self.is_interrupted() {
                return Score::ZERO;
            }
            if node.is_root() {
                let nodes = self.nodes - nodes_before;
                self.update_root_move(mv, score, move_count, &node, nodes, proven.is_some());
            }
            if score > best.score {
                best.score = score;
                if score > node.alpha {
                    best.mv = mv;
                    if PV && !node.is_root() {
                        self.pv.update(ply, mv);
                    }
                    if score >= node.beta {
                        self.stack.at_mut(ply).cutoff_count += 1;
                        break;
                    }
                    node.alpha = score;
                    // A second move rarely raises alpha too, so the others are searched less deep (Stockfish's
                    // rule with YaneuraOu's numbers).
                    if (3..=13).contains(&node.depth) && !score.is_decisive() {
                        node.depth -= 2;
                    }
                }
            }
            if mv != best.mv {
                let searched =
                    if current.capture { &mut captures_searched } else { &mut quiets_searched };
                searched.push(mv);
            }
        }
        if move_count == 0 {
            return if node.excluded.is_some() { node.alpha } else { Score::mated_in(ply) };
        }
        self.finish_node::<PV>(
            &node,
            probe,
            original_alpha,
            best,
            &quiets_searched,
            &captures_searched,
        )
    }

    /// Blends the score of a fail-high with beta, updates the histories, and stores the result in the table.
    fn finish_node<const PV: bool>(
        &mut self,
        node: &SearchNode,
        probe: &TtProbe,
        original_alpha: Score,
        mut best: BestSoFar,
        quiets_searched: &SearchedMoves,
        captures_searched: &SearchedMoves,
    ) -> Score {
        let SearchNode { ply, depth, beta, .. } = *node;
        if best.score >= beta && !best.score.is_decisive() && !beta.is_decisive() {
            best.score = Score((best.score.0 * depth + beta.0) / (depth + 1));
        }
        if best.mv.is_some() {
            self.update_histories(node, best.mv, quiets_searched, captures_searched);
        } else {
            self.update_histories_fail_low(node, best.score);
        }
        if best.score <= original_alpha {
            let parent_pv = self.stack.back(ply, 1).tt_pv;
            self.stack.at_mut(ply).tt_pv |= parent_pv;
        }
        let is_partial = node.excluded.is_some() || node.is_root() && self.is_partial_root_search();
        if !is_partial {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if PV && best.mv.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let (eval, is_pv) = (node.raw_eval, self.stack.at(ply).tt_pv);
            let BestSoFar { mv, score } = best;
            let entry = TtEntry { mv, score, eval, depth, bound, is_pv };
            self.store_tt(probe.slot, ply, entry);
            self.share_entry(ply, entry);
        }
        self.update_correction_history(node, &best);
        best.score
    }

    /// Shares an entry, whose score is counted from the root, with the other engines of a cluster, if it is
    /// deep enough.
    #[inline(always)]
    fn share_entry(&self, ply: usize, entry: TtEntry) {
        if entry.depth >= self.share_depth {
            let (key, entry) = (self.position.key(), entry.for_table(ply));
            self.context.shared_entries.add(KeyedEntry { key, entry });
        }
    }

    /// Whether only some of the root moves are searched, so that the result is not the score of the
    /// position.
    fn is_partial_root_search(&self) -> bool {
        self.pv_index > 0 || !self.context.request.limits.search_moves.is_empty()
    }

    fn current_move(&self, node: &SearchNode, scored: ScoredMove, move_count: i32) -> CurrentMove {
        let mv = scored.mv();
        let delta = node.beta - node.alpha;
        let mut reduction = self.base_reduction(node.improving, node.depth, move_count, delta);
        if self.stack.at(node.ply).tt_pv {
            reduction += LMR_TT_PV_EARLY;
        }
        CurrentMove {
            mv,
            piece: scored.piece(),
            move_count,
            gives_check: self.position.gives_check(mv),
            capture: self.position.is_capture(mv),
            new_depth: node.depth - 1,
            reduction,
        }
    }

    /// Singular extension: a search without the TT move. If all other moves fail low against a beta a
    /// little below its score, the move is extended, by up to three plies. If another move fails high too,
    /// the node does (multi-cut). Otherwise the TT move gets a negative extension if its score is not below
    /// beta, or in an expected cut node.
    fn singular(&mut self, node: &SearchNode, mv: Move) -> Singular {
        let tt_pv = self.stack.at(node.ply).tt_pv;
        let Some(tt_score) = node.tt_score() else { return Singular::NO_EXTENSION };
        if node.is_root()
            || mv != node.tt_move
            || node.excluded.is_some()
            || node.depth < SINGULAR_DEPTH + tt_pv as Depth
            || tt_score.is_decisive()
            || !node.tt.is_some_and(|entry| entry.bound.is_lower())
            || node.tt_depth() < node.depth - 3
            || node.ply as Depth >= 2 * self.root_depth
            || self.is_shuffling(node.ply, mv)
        {
            return Singular::NO_EXTENSION;
        }
        let slope = SINGULAR_MARGIN + SINGULAR_TT_PV * (tt_pv && !node.is_pv) as i32;
        let beta = tt_score - slope * node.depth / SINGULAR_DIVISOR;
        self.stack.at_mut(node.ply).excluded = mv;
        let score = self.search_excluding(node, beta, (node.depth - 1) / 2);
        self.stack.at_mut(node.ply).excluded = Move::NONE;
        self.stack.at_mut(node.ply).tt_pv = tt_pv;
        if self.is_interrupted() {
            return Singular::MultiCut(Score::ZERO);
        }
        if score < beta {
            let quiet = !node.tt_capture as i32;
            let pv = node.is_pv as i32;
            // The more often TT moves were best, the smaller the margin.
            let tt_history = self.history.tt_move() / DOUBLE_TT_HISTORY_DIVISOR;
            let double = -DOUBLE_BASE + DOUBLE_PV * pv - DOUBLE_QUIET_TT * quiet - tt_history;
            let triple = TRIPLE_BASE + TRIPLE_PV * pv - TRIPLE_QUIET_TT * quiet
                + TRIPLE_TT_PV * tt_pv as i32;
            let extension = 1 + (score < beta - double) as Depth + (score < beta - triple) as Depth;
            return Singular::Extend { extension, depth_growth: 1 };
        }
        if score >= node.beta && !score.is_decisive() {
            let malus = MULTI_CUT_MALUS_BASE + MULTI_CUT_MALUS_SLOPE * node.depth;
            self.history.update_tt_move(-malus.min(value(MULTI_CUT_MALUS_MAX)));
            return Singular::MultiCut(score);
        }
        if tt_score >= node.beta {
            Singular::Extend { extension: -3, depth_growth: 0 }
        } else if node.cut_node {
            Singular::Extend { extension: -2, depth_growth: 0 }
        } else {
            Singular::NO_EXTENSION
        }
    }

    /// A null-window search of the node without its excluded move. Restores the fields of the frame that
    /// belong to the outer loop.
    fn search_excluding(&mut self, node: &SearchNode, beta: Score, depth: Depth) -> Score {
        let frame = *self.stack.at(node.ply);
        let score = self.search::<false>(node.ply, beta - 1, beta, depth, node.cut_node);
        let frame_now = self.stack.at_mut(node.ply);
        frame_now.move_count = frame.move_count;
        frame_now.static_eval = frame.static_eval;
        score
    }

    /// Whether a piece moves back and forth deep in the tree. Such a move is not extended.
    fn is_shuffling(&self, ply: usize, mv: Move) -> bool {
        if ply < MIN_SHUFFLING_PLY || mv.is_drop() || self.position.is_capture(mv) {
            return false;
        }
        let (two, four) = (self.stack.back(ply, 2).mv, self.stack.back(ply, 4).mv);
        two.is_ok()
            && four.is_ok()
            && !two.is_drop()
            && !four.is_drop()
            && mv.from() == two.to()
            && two.from() == four.to()
    }

    /// Plays the move and searches it: with a late move reduction and a null window first, then again at full
    /// depth, and in a PV node with the full window, where the score calls for it.
    fn search_move<const PV: bool>(
        &mut self,
        node: &SearchNode,
        current: &CurrentMove,
        best: &BestSoFar,
    ) -> Score {
        let &CurrentMove { mv, piece, move_count, gives_check, .. } = current;
        let SearchNode { ply, alpha, beta, .. } = *node;
        let mut new_depth = current.new_depth;
        let stat_score = self.stat_score(ply, current);
        self.stack.at_mut(ply).stat_score = stat_score;
        let reduction = self.lmr_reduction(node, current, stat_score);
        self.do_move_with(ply, mv, piece, gives_check);
        let mut score = Score::ZERO;
        if node.depth >= 2 && move_count > 1 {
            let reduced = (new_depth - reduction / 1024).min(new_depth + 2).max(1) + PV as Depth;
            self.stack.at_mut(ply).reduction = new_depth - reduced;
            score = -self.search::<false>(ply + 1, -alpha - 1, -alpha, reduced, true);
            self.stack.at_mut(ply).reduction = 0;
            if score > alpha {
                let deeper = reduced < new_depth && score > best.score + DEEPER_MARGIN;
                let shallower = score < best.score + SHALLOWER_MARGIN;
                new_depth += deeper as Depth - shallower as Depth;
                if new_depth > reduced {
                    score = -self.search::<false>(
                        ply + 1,
                        -alpha - 1,
                        -alpha,
                        new_depth,
                        !node.cut_node,
                    );
                }
                // The score of an interrupted iteration is meaningless.
                if !self.is_interrupted() {
                    self.update_after_lmr(ply, mv);
                }
            }
        } else if !PV || move_count > 1 {
            let reduced_plies = (reduction > value(FULL_DEPTH_MINUS_1)) as Depth
                + (reduction > value(FULL_DEPTH_MINUS_2) && new_depth > 2) as Depth;
            let depth = new_depth - reduced_plies;
            score = -self.search::<false>(ply + 1, -alpha - 1, -alpha, depth, !node.cut_node);
        }
        if PV {
            // An earlier move may have left a line.
            self.pv.clear(ply + 1);
        }
        if PV && (move_count == 1 || score > alpha && (node.is_root() || score < beta)) {
            if mv == node.tt_move && node.tt_depth() > 1 {
                new_depth = new_depth.max(1);
            }
            score = -self.search::<true>(ply + 1, -beta, -alpha, new_depth, false);
        }
        self.undo_move(mv);
        score
    }

    /// The late move reduction, in 1024ths of a ply. `stat_score` is the history score of the move.
    fn lmr_reduction(&self, node: &SearchNode, current: &CurrentMove, stat_score: i32) -> i32 {
        let &CurrentMove { mv, move_count, mut reduction, .. } = current;
        let ply = node.ply;
        let tt_score = node.tt_score();
        if self.stack.at(ply).tt_pv {
            let above_alpha = tt_score.is_some_and(|score| score > node.alpha) as i32;
            let deep = (node.tt_depth() >= node.depth) as i32;
            reduction -= LMR_TT_PV
                + LMR_PV * node.is_pv as i32
                + LMR_TT_SCORE * above_alpha
                + (LMR_TT_DEPTH + LMR_TT_DEPTH_CUT * node.cut_node as i32) * deep;
        }
        reduction += LMR_OFFSET;
        reduction -= LMR_MOVE_COUNT * move_count;
        reduction -= node.correction.abs() / LMR_CORRECTION_DIVISOR;
        if node.cut_node {
            reduction += LMR_CUT_NODE + LMR_CUT_NO_TT * node.tt_move.is_none() as i32;
        }
        if node.tt_capture {
            reduction += LMR_TT_CAPTURE;
        }
        let cutoff_count = self.stack.at(ply + 1).cutoff_count;
        if cutoff_count > 1 {
            reduction += LMR_CUTOFF_BASE
                + LMR_CUTOFFS * (cutoff_count > 2) as i32
                + LMR_CUTOFFS * (!node.is_pv && !node.cut_node) as i32;
        }
        if mv == node.tt_move {
            reduction -= LMR_TT_MOVE;
        }
        reduction -= stat_score * LMR_STAT_SCORE / 4096;
        if !node.is_pv && !node.cut_node {
            reduction += reduction * LMR_ALL_NODE / (256 * node.depth + 268);
        }
        reduction
    }

    /// The history score of a move, for its reduction and for the bonuses after its children (Stockfish: `statScore`).
    fn stat_score(&self, ply: usize, current: &CurrentMove) -> i32 {
        let &CurrentMove { mv, piece, capture, .. } = current;
        let to = mv.to();
        if capture && let Some(victim) = self.position.piece_at(to) {
            let kind = victim.kind();
            return see_value(kind) * STAT_SCORE_VICTIM / 10
                + self.history.capture(piece, to, kind);
        }
        let previous = |plies| self.stack.back(ply, plies).continuation;
        2 * self.history.main(self.position.side_to_move(), mv)
            + self.history.continuation(previous(1), piece, to)
            + self.history.continuation(previous(2), piece, to)
    }
}
