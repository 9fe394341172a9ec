//! The move histories: how often moves proved good, by several contexts.
//!
//! Entries start below zero where most moves prove bad (Stockfish's idea).

use std::sync::Arc;

use super::history_table::{
    ClearableTable, SharedHistoryEntry, SharedHistoryTable, filled_table, row, update_entry,
};
use super::params::*;
use crate::position::Position;
use crate::sys::{AllocationError, HugePages};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// Number of plies from the root that the low-ply history covers.
pub(super) const LOW_PLIES: usize = 5;

/// Entries of a table by piece and destination.
pub(super) const PIECE_TO: usize = Piece::TABLE * Square::COUNT;
/// Kinds of earlier moves, each with its own continuation tables: capture or not, in check or not.
const MOVE_KINDS: usize = 4;
/// Number of pawn structures, by hash, that the pawn history distinguishes: usually, and where memory is
/// scarce.
const PAWN_STRUCTURES: usize = 8192;
const FEW_PAWN_STRUCTURES: usize = 256;
/// Number of captured kinds that the capture history has room for.
const VICTIM_KINDS: usize = 16;
/// Moves of the low-ply history that are cleared together: those from one square, promotions separately, or the drops
/// of one kind.
const LOW_PLY_BLOCK: usize = 128;

// The limits of entries in both directions.
const MAIN_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const TT_MOVE_LIMIT: i32 = 8192;

/// Weights of the low-ply history by ply, in 1024ths: 8, 8 / 2, 8 / 3, ...
const LOW_PLY_WEIGHTS: [i32; LOW_PLIES] = [8192, 4096, 2731, 2048, 1638];

/// Selects a continuation table: piece and destination of a move, whether it was a capture, and whether
/// the side was in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContinuationIndex(u32);

impl ContinuationIndex {
    /// Before the first move, and after a null move.
    pub(super) const NONE: ContinuationIndex = ContinuationIndex(0);

    #[inline(always)]
    pub(super) fn new(
        in_check: bool,
        capture: bool,
        piece: Piece,
        to: Square,
    ) -> ContinuationIndex {
        let kind = (in_check as usize) * 2 + capture as usize;
        ContinuationIndex((piece_to(piece, to) * MOVE_KINDS + kind) as u32)
    }

    /// Piece and destination alone; below [`PIECE_TO`].
    #[inline(always)]
    pub(super) fn piece_to(self) -> usize {
        self.0 as usize / MOVE_KINDS
    }
}

#[inline(always)]
fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * Square::COUNT + to.index()
}

/// How much memory the large histories take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HistorySize {
    /// Some 92 MiB.
    Full,
    /// Some 14 MiB, for a container with little memory: one continuation table for all kinds of the earlier
    /// move, and few pawn structures.
    Small,
}

/// The two large histories of a group of workers. They are shared because one worker alone fills them slowly
/// (Stockfish's idea).
#[derive(Debug)]
pub(super) struct SharedMoveHistory {
    /// By an earlier move and the current one.
    continuation: SharedHistoryTable,
    /// Number of low bits of a [`ContinuationIndex`] that are ignored: those of the kind of the move.
    ignored_bits: u32,
    /// By pawn structure and move.
    pawn: SharedHistoryTable,
    structure_mask: usize,
}

impl SharedMoveHistory {
    /// Tables that must be cleared before use.
    pub(super) fn new(size: HistorySize) -> Result<SharedMoveHistory, AllocationError> {
        let (ignored_bits, structures) = match size {
            HistorySize::Full => (0, PAWN_STRUCTURES),
            HistorySize::Small => (MOVE_KINDS.ilog2(), FEW_PAWN_STRUCTURES),
        };
        let rows = (MOVE_KINDS >> ignored_bits) * PIECE_TO;
        Ok(SharedMoveHistory {
            continuation: SharedHistoryTable::new(rows * PIECE_TO)?,
            ignored_bits,
            pawn: SharedHistoryTable::new(structures * PIECE_TO)?,
            structure_mask: structures - 1,
        })
    }

    /// The memory of both tables.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.continuation.bytes() + self.pawn.bytes()
    }

    /// The row of an earlier move.
    #[inline(always)]
    fn continuation_row_index(&self, previous: ContinuationIndex) -> usize {
        (previous.0 >> self.ignored_bits) as usize
    }

    /// The row of the current pawn structure.
    #[inline(always)]
    fn pawn_row_index(&self, position: &Position) -> usize {
        (position.pawn_key() >> 1) as usize & self.structure_mask
    }

    /// Clears both tables.
    pub(super) fn clear(&self) {
        self.continuation.clear(start_value(CONTINUATION_START));
        self.pawn.clear(start_value(PAWN_START));
    }
}

/// The histories of one worker.
#[derive(Debug)]
pub(super) struct LocalMoveHistory {
    /// By side and move.
    main: HugePages<i16>,
    /// By ply and move; cleared before each search.
    low_ply: ClearableTable<LOW_PLY_BLOCK>,
    /// By piece, destination and captured kind.
    capture: HugePages<i16>,
    /// Positive if TT moves are usually best.
    tt_move: i16,
}

/// The starting value of a history as one of its entries.
fn start_value(parameter: impl Into<i32>) -> i16 {
    value(parameter) as i16
}

impl LocalMoveHistory {
    /// Cleared tables.
    pub(super) fn new() -> Result<LocalMoveHistory, AllocationError> {
        Ok(LocalMoveHistory {
            main: filled_table(2 * Move::TABLE, 0)?,
            low_ply: ClearableTable::new(LOW_PLIES * Move::TABLE / LOW_PLY_BLOCK)?,
            capture: filled_table(PIECE_TO * VICTIM_KINDS, start_value(CAPTURE_START))?,
            tt_move: 0,
        })
    }

    /// Clears all tables, as for a new game.
    pub(super) fn clear(&mut self) {
        self.main.fill(0);
        self.capture.fill(start_value(CAPTURE_START));
        self.low_ply.clear();
        self.tt_move = 0;
    }

    /// Clears the low-ply history, which is valid for one search only.
    pub(super) fn new_search(&mut self) {
        self.low_ply.clear();
    }
}

/// All move histories of a worker.
#[derive(Debug)]
pub(super) struct MoveHistory {
    pub(super) local: Box<LocalMoveHistory>,
    pub(super) shared: Arc<SharedMoveHistory>,
}

impl MoveHistory {
    #[inline(always)]
    pub(super) fn main(&self, side: Color, mv: Move) -> i32 {
        self.local.main[side.index() * Move::TABLE + mv.index()] as i32
    }

    /// The low-ply scores of moves, weighted by ply.
    #[inline(always)]
    pub(super) fn low_ply(&self, ply: usize) -> impl Fn(Move) -> i32 {
        let row: &[i16; Move::TABLE] = self.local.low_ply.row(ply);
        let weight = LOW_PLY_WEIGHTS[ply];
        move |mv| i32::from(row[mv.index()]) * weight / 1024
    }

    #[inline(always)]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: PieceKind) -> i32 {
        self.local.capture[piece_to(piece, to) * VICTIM_KINDS + victim.index()] as i32
    }

    /// The tables that score the quiet moves of a node; `previous` are the earlier moves that count.
    #[inline(always)]
    pub(super) fn quiet_histories(
        &self,
        position: &Position,
        previous: [ContinuationIndex; 5],
    ) -> QuietHistories<'_> {
        QuietHistories {
            main: row(&self.local.main, position.side_to_move().index()),
            pawn: self.pawn_row(position),
            continuation: previous.map(|previous| self.continuation_row(previous)),
        }
    }

    #[inline(always)]
    pub(super) fn continuation(
        &self,
        previous: ContinuationIndex,
        piece: Piece,
        to: Square,
    ) -> i32 {
        self.continuation_row(previous).get(piece, to)
    }

    /// The scores after an earlier move.
    #[inline(always)]
    fn continuation_row(&self, previous: ContinuationIndex) -> PieceToRow<'_> {
        PieceToRow(self.shared.continuation.row(self.shared.continuation_row_index(previous)))
    }

    /// The scores with the current pawn structure.
    #[inline(always)]
    fn pawn_row(&self, position: &Position) -> PieceToRow<'_> {
        PieceToRow(self.shared.pawn.row(self.shared.pawn_row_index(position)))
    }

    #[inline(always)]
    pub(super) fn pawn(&self, position: &Position, piece: Piece, to: Square) -> i32 {
        self.pawn_row(position).get(piece, to)
    }

    pub(super) fn tt_move(&self) -> i32 {
        self.local.tt_move as i32
    }

    pub(super) fn update_tt_move(&mut self, bonus: i32) {
        update_entry(&mut self.local.tt_move, bonus, TT_MOVE_LIMIT);
    }

    pub(super) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update_entry(
            &mut self.local.main[side.index() * Move::TABLE + mv.index()],
            bonus,
            MAIN_LIMIT,
        );
    }

    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        let entry = self.local.low_ply.entry_mut(ply * Move::TABLE + mv.index());
        update_entry(entry, bonus, MAIN_LIMIT);
    }

    pub(super) fn update_pawn(
        &mut self,
        position: &Position,
        piece: Piece,
        to: Square,
        bonus: i32,
    ) {
        let index = self.shared.pawn_row_index(position) * PIECE_TO + piece_to(piece, to);
        self.shared.pawn.update(index, bonus, PAWN_LIMIT);
    }

    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        victim: PieceKind,
        bonus: i32,
    ) {
        let entry = &mut self.local.capture[piece_to(piece, to) * VICTIM_KINDS + victim.index()];
        update_entry(entry, bonus, CAPTURE_LIMIT);
    }

    /// Updates the continuation histories of a move; `previous(n)` is the move n plies ago. In check only
    /// those of the last two moves.
    pub(super) fn update_continuations(
        &mut self,
        previous: impl Fn(usize) -> ContinuationIndex,
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
            let previous = previous(plies);
            if previous != ContinuationIndex::NONE {
                let constant = if plies < 2 { value(CONTINUATION_CONSTANT) } else { 0 };
                let row = self.shared.continuation_row_index(previous);
                let index = row * PIECE_TO + piece_to(piece, to);
                let bonus = bonus * weight / 1024 + constant;
                self.shared.continuation.update(index, bonus, CONTINUATION_LIMIT);
            }
        }
    }
}

/// Scores by piece and destination. An array reference instead of a slice: one bounds check serves all reads, and
/// no length is kept.
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

/// The tables that score the quiet moves of one node.
pub(super) struct QuietHistories<'a> {
    main: &'a [i16; Move::TABLE],
    pawn: PieceToRow<'a>,
    continuation: [PieceToRow<'a>; 5],
}

impl<'a> QuietHistories<'a> {
    #[inline(always)]
    pub(super) fn of_piece(&self, piece: Piece) -> PieceQuietHistories<'a> {
        PieceQuietHistories {
            main: self.main,
            pawn: self.pawn.of_piece(piece),
            continuation: self.continuation.map(|row| row.of_piece(piece)),
        }
    }
}

/// The part of the tables that scores the moves of one piece, by destination.
pub(super) struct PieceQuietHistories<'a> {
    main: &'a [i16; Move::TABLE],
    pawn: &'a [SharedHistoryEntry; Square::COUNT],
    continuation: [&'a [SharedHistoryEntry; Square::COUNT]; 5],
}

impl PieceQuietHistories<'_> {
    #[inline(always)]
    pub(super) fn score(&self, mv: Move) -> i32 {
        let to = mv.to().index();
        let of = |row: &[SharedHistoryEntry; Square::COUNT]| row[to].get();
        let continuation = self.continuation.map(of).iter().sum::<i32>();
        2 * (i32::from(self.main[mv.index()]) + of(self.pawn)) + continuation
    }
}
