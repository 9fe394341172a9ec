//! The correction history: the error of the static evaluation against search results, indexed by
//! features of the position and by the moves that led to it (Stockfish's idea). The threads of a group share
//! it, which gains the more the more threads there are.

use super::history::{ContinuationIndex, PIECE_TO};
use super::history_table::SharedHistoryTable;
use super::params::*;
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Score};

/// Keys of each hashed table, per worker.
const KEYS: usize = 16384;
/// Maximum absolute value of an entry.
const LIMIT: i32 = 1024;
/// Corrections are in units of 1 / `CORRECTION_SCALE` of a score unit.
const CORRECTION_SCALE: i32 = 131_072;

/// The moves before a position that select its corrections: the last one, and those two and four plies
/// ago.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreviousMoves {
    pub(super) last: ContinuationIndex,
    pub(super) earlier: [ContinuationIndex; 2],
}

impl PreviousMoves {
    /// The indices of the two pairs of moves.
    #[inline(always)]
    fn indices(self) -> [usize; 2] {
        self.earlier.map(|earlier| earlier.piece_to() * PIECE_TO + self.last.piece_to())
    }
}

/// The indices of a position in the hashed tables.
#[derive(Clone, Copy)]
struct Indices {
    pawn: usize,
    minor: usize,
    non_pawn: [usize; 2],
}

/// All correction tables of a group of workers.
#[derive(Debug)]
pub(super) struct CorrectionHistory {
    pawn: SharedHistoryTable,
    minor: SharedHistoryTable,
    non_pawn: [SharedHistoryTable; 2],
    /// By pairs of moves: the continuation correction history.
    continuation: SharedHistoryTable,
    /// Selects the bits of a key that index the hashed tables.
    key_mask: u64,
}

impl CorrectionHistory {
    /// Tables of about 13 MiB for one worker, which must be cleared before use. The hashed tables grow
    /// with the number of workers.
    pub(super) fn new(workers: usize) -> Result<CorrectionHistory, AllocationError> {
        let keys = KEYS * workers.next_power_of_two();
        let by_hash = || SharedHistoryTable::new(2 * keys);
        Ok(CorrectionHistory {
            pawn: by_hash()?,
            minor: by_hash()?,
            non_pawn: [by_hash()?, by_hash()?],
            continuation: SharedHistoryTable::new(PIECE_TO * PIECE_TO)?,
            key_mask: keys as u64 - 1,
        })
    }

    /// The number of keys of each hashed table.
    #[cfg(test)]
    pub(super) fn keys(&self) -> u64 {
        self.key_mask + 1
    }

    pub(super) fn clear(&self) {
        for table in [&self.pawn, &self.minor, &self.continuation].into_iter().chain(&self.non_pawn)
        {
            table.clear(0);
        }
    }

    #[inline(always)]
    fn indices(&self, position: &Position) -> Indices {
        let side = position.side_to_move().index();
        let index = |key: u64| ((key >> 1) & self.key_mask) as usize * 2 + side;
        Indices {
            pawn: index(position.pawn_key()),
            minor: index(position.minor_key()),
            non_pawn: Color::ALL.map(|color| index(position.non_pawn_key(color))),
        }
    }

    /// Prefetches what [`CorrectionHistory::value`] reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, previous: PreviousMoves) {
        let indices = self.indices(position);
        self.pawn.prefetch(indices.pawn);
        self.minor.prefetch(indices.minor);
        for (table, index) in self.non_pawn.iter().zip(indices.non_pawn) {
            table.prefetch(index);
        }
        for index in previous.indices() {
            self.continuation.prefetch(index);
        }
    }

    /// The correction of the static evaluation, times [`CORRECTION_SCALE`].
    #[inline(always)]
    pub(super) fn value(&self, position: &Position, previous: PreviousMoves) -> i32 {
        let indices = self.indices(position);
        let non_pawn = |color: usize| self.non_pawn[color].get(indices.non_pawn[color]);
        let continuation: i32 =
            previous.indices().map(|index| self.continuation.get(index)).iter().sum();
        CORRECTION_PAWN * self.pawn.get(indices.pawn)
            + CORRECTION_MINOR * self.minor.get(indices.minor)
            + CORRECTION_NON_PAWN * (non_pawn(0) + non_pawn(1))
            + CORRECTION_CONTINUATION * continuation
    }

    /// Updates all tables. `bonus` grows with the error of the static evaluation and with the depth.
    pub(super) fn update(&self, position: &Position, previous: PreviousMoves, bonus: i32) {
        let indices = self.indices(position);
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        self.pawn.update(indices.pawn, bonus, LIMIT);
        self.minor.update(indices.minor, bonus * CORRECTION_MINOR_BONUS / 128, LIMIT);
        for (table, index) in self.non_pawn.iter().zip(indices.non_pawn) {
            table.update(index, bonus * CORRECTION_NON_PAWN_BONUS / 128, LIMIT);
        }
        if previous.last == ContinuationIndex::NONE {
            return;
        }
        let weights =
            [value(CORRECTION_CONTINUATION_BONUS_2), value(CORRECTION_CONTINUATION_BONUS_4)];
        for (index, weight) in previous.indices().into_iter().zip(weights) {
            self.continuation.update(index, bonus * weight / 128, LIMIT);
        }
    }
}

/// The corrected evaluation, kept outside the range of mate scores.
#[inline(always)]
pub(super) fn corrected(raw: Score, correction: i32) -> Score {
    Score::from_eval(raw.0 + correction / CORRECTION_SCALE)
}
