//! Scores quiet moves as they are generated, and partitions them by score. What depends on the piece
//! alone is looked up once for all its moves.

use super::history::{PieceQuietHistories, QuietHistories};
use super::params::{CHECK_BONUS, CHECK_SEE, CONTROL_WEIGHT, value};
use crate::position::movegen::MoveSink;
use crate::position::{AttackCounts, CheckSquares, Position, ScoredMove, is_safe_quiet, see_value};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// Slots for quiet moves. A full set has at most 268 board moves and 560 drops, whatever the position.
const SLOTS: usize = 1024;

/// The quiet moves of one node, those whose score reaches the sort limit first: only they are sorted.
#[derive(Debug)]
pub(super) struct QuietMoves {
    slots: Box<[ScoredMove; SLOTS]>,
    ends: Ends,
}

/// The ends of the moves that reach the sort limit, and of all moves.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    sortable: usize,
    all: usize,
}

impl QuietMoves {
    pub(super) fn new() -> QuietMoves {
        let unused = ScoredMove::new(Move::NONE, Piece::new(Color::Black, PieceKind::Pawn));
        QuietMoves { slots: Box::new([unused; SLOTS]), ends: Ends::default() }
    }

    pub(super) fn clear(&mut self) {
        self.ends = Ends::default();
    }

    pub(super) fn all(&self) -> &[ScoredMove] {
        &self.slots[..self.ends.all]
    }

    /// How many moves reach the sort limit.
    pub(super) fn sortable_count(&self) -> usize {
        self.ends.sortable
    }

    /// Adds a bonus to each score, and partitions the moves again by `sort_limit`.
    pub(super) fn add_bonus(&mut self, sort_limit: i32, bonus: impl Fn(Move) -> i32) {
        let mut ends = Ends::default();
        for i in 0..self.ends.all {
            let scored = self.slots[i];
            let score = scored.score() + bonus(scored.mv());
            ends.push(&mut self.slots, sort_limit, scored.with_score(score));
        }
        self.ends = ends;
    }
}

impl Ends {
    /// Appends a move. If it reaches the sort limit, it is swapped with the first move that does not,
    /// without a branch, which would be unpredictable.
    #[inline(always)]
    fn push(&mut self, slots: &mut [ScoredMove; SLOTS], sort_limit: i32, scored: ScoredMove) {
        debug_assert!(self.all < SLOTS);
        // Remainders by a power of two cost less than the checks of both bounds.
        let (sortable_end, end) = (self.sortable % SLOTS, self.all % SLOTS);
        slots[end] = slots[sortable_end];
        slots[sortable_end] = scored;
        self.sortable += (scored.score() >= sort_limit) as usize;
        self.all += 1;
    }
}

/// Receives the quiet moves of one node from the generator.
pub(super) struct QuietScorer<'a> {
    node: NodeScorer<'a>,
    /// Moves with a lower score come last, and are not sorted.
    sort_limit: i32,
    moves: &'a mut QuietMoves,
}

impl<'a> QuietScorer<'a> {
    /// Appends to `moves`, those with a score of at least `sort_limit` first.
    pub(super) fn new(
        position: &'a Position,
        histories: QuietHistories<'a>,
        counts: &AttackCounts,
        sort_limit: i32,
        moves: &'a mut QuietMoves,
    ) -> QuietScorer<'a> {
        let us = position.side_to_move();
        let attacked = counts.attacked_by(!us);
        let node = NodeScorer {
            position,
            histories,
            checks: position.check_squares(),
            attacked,
            controlled: counts.controlled_by(!us),
            controlled_after_move: attacked.without(counts.controlled_by(us)),
        };
        QuietScorer { node, sort_limit, moves }
    }
}

/// The data for scoring all moves of a node.
struct NodeScorer<'a> {
    position: &'a Position,
    histories: QuietHistories<'a>,
    checks: CheckSquares,
    /// The squares that the opponent attacks.
    attacked: Bitboard,
    /// The squares that the opponent controls: it has more attackers there than the side to move.
    controlled: Bitboard,
    /// The squares that the opponent controls once one of the side's attackers has moved there.
    controlled_after_move: Bitboard,
}

impl<'a> NodeScorer<'a> {
    #[inline(always)]
    fn of_piece(&self, piece: Piece) -> PieceScorer<'a> {
        PieceScorer {
            piece,
            rows: self.histories.of_piece(piece),
            control_weight: CONTROL_WEIGHT * see_value(piece.kind()),
        }
    }

    /// The targets among `targets` from which a piece of this kind gives a check that loses at most [`CHECK_SEE`].
    #[inline(always)]
    fn safe_checks(
        &self,
        kind: PieceKind,
        targets: Bitboard,
        mv: impl Fn(Square) -> Move,
    ) -> Bitboard {
        let checks = targets & self.checks.of(kind);
        checks.into_iter().filter(|&to| self.is_safe_check(mv(to))).collect()
    }

    #[inline(never)]
    fn is_safe_check(&self, mv: Move) -> bool {
        is_safe_quiet(mv, self.attacked) || self.position.see_ge(mv, -CHECK_SEE)
    }
}

/// The data for scoring all moves of one piece.
struct PieceScorer<'a> {
    piece: Piece,
    rows: PieceQuietHistories<'a>,
    /// The bonus for leaving, and the malus for entering, a square that the opponent controls.
    control_weight: i32,
}

impl PieceScorer<'_> {
    #[inline(always)]
    fn scored(&self, mv: Move, bonus: i32) -> ScoredMove {
        ScoredMove::new(mv, self.piece).with_score(self.rows.score(mv) + bonus)
    }

    /// The bonus of a move that leaves, and the malus of one that enters, a square that the opponent controls.
    #[inline(always)]
    fn control_bonus(&self, leaves: bool, enters: bool) -> i32 {
        self.control_weight * (leaves as i32 - enters as i32)
    }
}

/// The bonus of a check that loses at most [`CHECK_SEE`] by SEE.
#[inline(always)]
fn check_bonus(is_safe_check: bool) -> i32 {
    if is_safe_check { value(CHECK_BONUS) } else { 0 }
}

impl QuietScorer<'_> {
    #[inline(never)]
    fn piece_moves(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        let QuietScorer { node, sort_limit, moves: QuietMoves { slots, ends } } = self;
        let scorer = node.of_piece(piece);
        let mv = |to| Move::board(from, to, promote);
        let checks = node.safe_checks(piece.kind(), targets, mv);
        let leaves = node.controlled.contains(from);
        let mut new_ends = *ends;
        targets.for_each_with([checks, node.controlled_after_move], |to, [checks, enters]| {
            let bonus = scorer.control_bonus(leaves, enters) + check_bonus(checks);
            new_ends.push(slots, *sort_limit, scorer.scored(mv(to), bonus));
        });
        *ends = new_ends;
    }

    #[inline(never)]
    fn pawn_moves(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        let QuietScorer { node, sort_limit, moves: QuietMoves { slots, ends } } = self;
        let scorer = node.of_piece(piece);
        let us = piece.color();
        let mv = |to: Square| Move::board(to.behind(us), to, promote);
        let sets = [
            node.safe_checks(piece.kind(), targets, mv),
            node.controlled.forward(us),
            node.controlled_after_move,
        ];
        let mut new_ends = *ends;
        targets.for_each_with(sets, |to, [checks, leaves, enters]| {
            let bonus = scorer.control_bonus(leaves, enters) + check_bonus(checks);
            new_ends.push(slots, *sort_limit, scorer.scored(mv(to), bonus));
        });
        *ends = new_ends;
    }
}

impl MoveSink for QuietScorer<'_> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        if !targets.is_empty() {
            self.piece_moves(piece, from, targets, promote);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        if !targets.is_empty() {
            self.pawn_moves(piece, targets, promote);
        }
    }

    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        let QuietScorer { node, sort_limit, moves: QuietMoves { slots, ends } } = self;
        let scorer = node.of_piece(piece);
        let drop = |to| Move::drop(piece.kind(), to);
        let mut new_ends = *ends;
        let checks = targets & node.checks.of(piece.kind());
        let plain = targets.without(checks);
        for (squares, enters) in
            [(plain.without(node.controlled), false), (plain & node.controlled, true)]
        {
            let bonus = scorer.control_bonus(false, enters);
            squares.for_each_with([], |to, []| {
                new_ends.push(slots, *sort_limit, scorer.scored(drop(to), bonus));
            });
        }
        let sets = [node.safe_checks(piece.kind(), targets, drop), node.controlled];
        checks.for_each_with(sets, |to, [checks, enters]| {
            let bonus = scorer.control_bonus(false, enters) + check_bonus(checks);
            new_ends.push(slots, *sort_limit, scorer.scored(drop(to), bonus));
        });
        *ends = new_ends;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(quiets: &mut QuietMoves, moves: &[ScoredMove], limit: i32) {
        quiets.clear();
        for &scored in moves {
            quiets.ends.push(&mut quiets.slots, limit, scored);
        }
    }

    #[test]
    fn moves_that_reach_the_limit_come_first_in_their_order() {
        let mut moves = Position::startpos().legal_moves().to_vec();
        for (i, scored) in moves.iter_mut().enumerate() {
            *scored = scored.with_score((i as i32 * 37) % 31 - 15);
        }
        let sortable: Vec<_> = moves.iter().copied().filter(|scored| scored.score() >= 3).collect();
        let mut quiets = QuietMoves::new();
        fill(&mut quiets, &moves, 3);
        assert_eq!(quiets.all()[..quiets.sortable_count()], sortable);
        let mut sorted = quiets.all().to_vec();
        moves.sort();
        sorted.sort();
        assert_eq!(moves, sorted, "no move is lost");
        fill(&mut quiets, &moves, 100);
        assert_eq!((quiets.sortable_count(), quiets.all().len()), (0, moves.len()));
        fill(&mut quiets, &moves, -100);
        assert_eq!((quiets.sortable_count(), quiets.all()), (moves.len(), &*moves));
    }

    #[test]
    fn a_bonus_partitions_the_moves_as_if_it_had_been_part_of_their_scores() {
        let mut moves = Position::startpos().legal_moves().to_vec();
        for (i, scored) in moves.iter_mut().enumerate() {
            *scored = scored.with_score((i as i32 * 37) % 31 - 15);
        }
        let bonus = |mv: Move| i32::from(mv.bits()) % 7;
        let (mut later, mut at_once) = (QuietMoves::new(), QuietMoves::new());
        fill(&mut later, &moves, i32::MIN);
        later.add_bonus(3, bonus);
        for scored in &mut moves {
            *scored = scored.with_score(scored.score() + bonus(scored.mv()));
        }
        fill(&mut at_once, &moves, 3);
        assert_eq!(
            (later.all(), later.sortable_count()),
            (at_once.all(), at_once.sortable_count())
        );
    }
}
