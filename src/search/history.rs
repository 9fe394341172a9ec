//! What the workers have learned about moves while searching.
//!
//! Moves of which nothing is known yet do not begin at nothing where most that are tried prove bad
//! (Stockfish's idea).

use std::sync::Arc;

use super::history_table::{
    ClearableRows, SharedHistoryEntry, SharedHistoryTable, row, table, update_entry,
};
use super::params::*;
use crate::position::Position;
use crate::sys::{AllocationError, HugePages};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// Plies from the root for which moves have a table of their own.
pub(super) const LOW_PLIES: usize = 5;

/// Entries of a table over (piece, destination).
pub(super) const PIECE_TO: usize = Piece::TABLE * Square::COUNT;
/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 8192;
/// Moves of a row of the table by moves: those of one piece, or of one kind dropped.
const MOVES: usize = 128;

const MAIN_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const TT_MOVE_LIMIT: i32 = 8192;

/// What a score among the first plies weighs, in 1024ths: 8 at the root, then 8 / 2, 8 / 3, ...
const LOW_PLY_WEIGHTS: [i32; LOW_PLIES] = [8192, 4096, 2731, 2048, 1638];

/// Names a continuation table: what was played, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContinuationIndex(u32);

impl ContinuationIndex {
    /// PrecedingMoves the first move, and after a null move.
    pub(super) const NONE: ContinuationIndex = ContinuationIndex(0);

    #[inline(always)]
    pub(super) fn new(
        in_check: bool,
        capture: bool,
        piece: Piece,
        to: Square,
    ) -> ContinuationIndex {
        let kind = (in_check as usize) * 2 + capture as usize;
        ContinuationIndex((kind * PIECE_TO + piece_to(piece, to)) as u32)
    }

    /// Piece and destination of the move, whatever its circumstances; below [`PIECE_TO`].
    #[inline(always)]
    pub(super) fn piece_to(self) -> usize {
        self.0 as usize % PIECE_TO
    }
}

#[inline(always)]
fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * Square::COUNT + to.index()
}

/// What a group of workers has learned together: the two large tables, which one alone is slow to fill. (That
/// they can be shared is Stockfish's idea.)
#[derive(Debug)]
pub(super) struct SharedMoveHistory {
    /// By an earlier move (in check or not, capture or not) and the present one.
    continuation: SharedHistoryTable,
    /// By pawn structure and move.
    pawn: SharedHistoryTable,
}

impl SharedMoveHistory {
    /// Tables to be cleared, some 92 MiB.
    pub(super) fn new() -> Result<SharedMoveHistory, AllocationError> {
        Ok(SharedMoveHistory {
            continuation: SharedHistoryTable::new(4 * PIECE_TO * PIECE_TO)?,
            pawn: SharedHistoryTable::new(PAWN_STRUCTURES * PIECE_TO)?,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.continuation.clear(start(CONTINUATION_START));
        self.pawn.clear(start(PAWN_START));
    }
}

/// What one worker has learned alone.
#[derive(Debug)]
pub(super) struct OwnMoveHistory {
    /// By side and move.
    main: HugePages<i16>,
    /// By ply from the root and move; forgotten with each search.
    low_ply: ClearableRows<MOVES>,
    /// By piece, destination and kind of the captured piece.
    capture: HugePages<i16>,
    /// How often the table's move turned out best.
    tt_move: i16,
}

/// What a table holds before anything is learned.
fn start(row: impl Into<i32>) -> i16 {
    value(row) as i16
}

impl OwnMoveHistory {
    /// Tables in which nothing is learned.
    pub(super) fn new() -> Result<OwnMoveHistory, AllocationError> {
        Ok(OwnMoveHistory {
            main: table(2 * Move::TABLE, 0)?,
            low_ply: ClearableRows::new(LOW_PLIES * Move::TABLE / MOVES)?,
            capture: table(PIECE_TO * 16, start(CAPTURE_START))?,
            tt_move: 0,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.main.fill(0);
        self.capture.fill(start(CAPTURE_START));
        self.low_ply.clear();
        self.tt_move = 0;
    }

    /// Forgets what belongs to one search only.
    pub(super) fn new_search(&mut self) {
        self.low_ply.clear();
    }
}

/// All that a worker knows of moves.
#[derive(Debug)]
pub(super) struct MoveHistory {
    pub(super) own: Box<OwnMoveHistory>,
    pub(super) shared: Arc<SharedMoveHistory>,
}

impl MoveHistory {
    #[inline(always)]
    pub(super) fn main(&self, side: Color, mv: Move) -> i32 {
        self.own.main[side.index() * Move::TABLE + mv.index()] as i32
    }

    /// What the first plies of the present search add to a move's score.
    #[inline(always)]
    pub(super) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        let (row, slot) = low_ply_slot(ply, mv);
        self.own.low_ply.row(row)[slot] as i32 * LOW_PLY_WEIGHTS[ply] / 1024
    }

    #[inline(always)]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: PieceKind) -> i32 {
        self.own.capture[piece_to(piece, to) * 16 + victim.index()] as i32
    }

    /// What scores the quiet moves of a node; `before` names the earlier moves that count.
    #[inline(always)]
    pub(super) fn quiets(
        &self,
        position: &Position,
        before: [ContinuationIndex; 5],
    ) -> QuietHistories<'_> {
        QuietHistories {
            main: row(&self.own.main, position.side_to_move().index()),
            pawns: self.pawn_row(position),
            before: before.map(|after| self.continuation_row(after)),
        }
    }

    #[inline(always)]
    pub(super) fn continuation(&self, after: ContinuationIndex, piece: Piece, to: Square) -> i32 {
        self.continuation_row(after).get(piece, to)
    }

    /// The moves' scores after an earlier one.
    #[inline(always)]
    fn continuation_row(&self, after: ContinuationIndex) -> PieceToRow<'_> {
        PieceToRow(self.shared.continuation.row(after.0 as usize))
    }

    /// The moves' scores under the present pawn structure.
    #[inline(always)]
    fn pawn_row(&self, position: &Position) -> PieceToRow<'_> {
        PieceToRow(self.shared.pawn.row(pawn_structure(position)))
    }

    #[inline(always)]
    pub(super) fn pawn(&self, position: &Position, piece: Piece, to: Square) -> i32 {
        self.pawn_row(position).get(piece, to)
    }

    pub(super) fn tt_move(&self) -> i32 {
        self.own.tt_move as i32
    }

    pub(super) fn update_tt_move(&mut self, bonus: i32) {
        update_entry(&mut self.own.tt_move, bonus, TT_MOVE_LIMIT);
    }

    pub(super) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update_entry(
            &mut self.own.main[side.index() * Move::TABLE + mv.index()],
            bonus,
            MAIN_LIMIT,
        );
    }

    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        let (row, slot) = low_ply_slot(ply, mv);
        update_entry(self.own.low_ply.entry_mut(row, slot), bonus, MAIN_LIMIT);
    }

    pub(super) fn update_pawn(
        &mut self,
        position: &Position,
        piece: Piece,
        to: Square,
        bonus: i32,
    ) {
        let slot = pawn_structure(position) * PIECE_TO + piece_to(piece, to);
        self.shared.pawn.update(slot, bonus, PAWN_LIMIT);
    }

    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        victim: PieceKind,
        bonus: i32,
    ) {
        let entry = &mut self.own.capture[piece_to(piece, to) * 16 + victim.index()];
        update_entry(entry, bonus, CAPTURE_LIMIT);
    }

    /// Credits a move to the moves before it; `before(n)` names what was played n plies ago.
    /// In check only the two nearest count.
    pub(super) fn update_continuations(
        &mut self,
        before: impl Fn(usize) -> ContinuationIndex,
        in_check: bool,
        piece: Piece,
        to: Square,
        bonus: i32,
    ) {
        let weights = [
            value(CONTINUATION_1),
            value(CONTINUATION_2),
            value(CONTINUATION_3),
            value(CONTINUATION_4),
            value(CONTINUATION_5),
            value(CONTINUATION_6),
        ];
        for (plies, weight) in (1..).zip(weights) {
            if in_check && plies > 2 {
                break;
            }
            let after = before(plies);
            if after != ContinuationIndex::NONE {
                let constant = if plies < 2 { value(CONTINUATION_CONSTANT) } else { 0 };
                let slot = after.0 as usize * PIECE_TO + piece_to(piece, to);
                let bonus = bonus * weight / 1024 + constant;
                self.shared.continuation.update(slot, bonus, CONTINUATION_LIMIT);
            }
        }
    }
}

/// Scores by piece and destination. Whoever asks for many takes it once: that the length is known
/// leaves one check of bounds for all rows together, and no pointer to be read again.
#[derive(Clone, Copy)]
struct PieceToRow<'a>(&'a [SharedHistoryEntry; PIECE_TO]);

impl<'a> PieceToRow<'a> {
    #[inline(always)]
    fn get(self, piece: Piece, to: Square) -> i32 {
        self.0[piece_to(piece, to)].get()
    }

    /// The scores of one piece by destination.
    #[inline(always)]
    fn of_piece(self, piece: Piece) -> &'a [SharedHistoryEntry; Square::COUNT] {
        &self.0.as_chunks().0[piece.index()]
    }
}

/// The rows that score the quiet moves of one node.
pub(super) struct QuietHistories<'a> {
    main: &'a [i16; Move::TABLE],
    pawns: PieceToRow<'a>,
    before: [PieceToRow<'a>; 5],
}

impl<'a> QuietHistories<'a> {
    #[inline(always)]
    pub(super) fn of_piece(&self, piece: Piece) -> PieceQuietHistories<'a> {
        PieceQuietHistories {
            main: self.main,
            pawns: self.pawns.of_piece(piece),
            before: self.before.map(|row| row.of_piece(piece)),
        }
    }
}

/// Those parts of the rows that score the moves of one piece, by destination.
pub(super) struct PieceQuietHistories<'a> {
    main: &'a [i16; Move::TABLE],
    pawns: &'a [SharedHistoryEntry; Square::COUNT],
    before: [&'a [SharedHistoryEntry; Square::COUNT]; 5],
}

impl PieceQuietHistories<'_> {
    #[inline(always)]
    pub(super) fn score(&self, mv: Move) -> i32 {
        let to = mv.to().index();
        let of = |row: &[SharedHistoryEntry; Square::COUNT]| row[to].get();
        let before = self.before.map(of).iter().sum::<i32>();
        2 * (i32::from(self.main[mv.index()]) + of(self.pawns)) + before
    }
}

#[inline(always)]
fn low_ply_slot(ply: usize, mv: Move) -> (usize, usize) {
    let place = ply * Move::TABLE + mv.index();
    (place / MOVES, place % MOVES)
}

#[inline(always)]
fn pawn_structure(position: &Position) -> usize {
    (position.pawn_key() >> 1) as usize % PAWN_STRUCTURES
}
