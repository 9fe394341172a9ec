//! What the workers have learned about the evaluation: how far searches found it off, by what stands
//! on the board and by the moves that led there (Stockfish's correction history, which all threads
//! share since that gains the more the more there are).

use super::history::{ContinuationIndex, PIECE_TO};
use super::history_table::SharedHistoryTable;
use super::params::*;
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Score};

/// Keys told apart by each table, for each worker.
const KEYS: usize = 16384;
const LIMIT: i32 = 1024;

/// The moves before a position that count: the last one, and those two and four plies ago.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrecedingMoves {
    pub(super) last: ContinuationIndex,
    pub(super) earlier: [ContinuationIndex; 2],
}

impl PrecedingMoves {
    /// Where the table by moves keeps what it knows of each pair of moves.
    #[inline(always)]
    fn slots(self) -> [usize; 2] {
        self.earlier.map(|earlier| earlier.piece_to() * PIECE_TO + self.last.piece_to())
    }
}

/// Where the tables by hash keep what they know of a position.
#[derive(Clone, Copy)]
struct Slots {
    pawn: usize,
    minor: usize,
    non_pawn: [usize; 2],
}

/// All tables of a group of workers.
#[derive(Debug)]
pub(super) struct CorrectionHistory {
    pawn: SharedHistoryTable,
    minor: SharedHistoryTable,
    non_pawn: [SharedHistoryTable; 2],
    /// By two moves.
    moves: SharedHistoryTable,
    /// Of the keys that are told apart.
    key_mask: u64,
}

impl CorrectionHistory {
    /// Tables to be cleared, some 13 MiB for one worker: those by hash are the larger the more there are
    /// to fill them.
    pub(super) fn new(workers: usize) -> Result<CorrectionHistory, AllocationError> {
        let keys = KEYS * workers.next_power_of_two();
        let by_hash = || SharedHistoryTable::new(2 * keys);
        Ok(CorrectionHistory {
            pawn: by_hash()?,
            minor: by_hash()?,
            non_pawn: [by_hash()?, by_hash()?],
            moves: SharedHistoryTable::new(PIECE_TO * PIECE_TO)?,
            key_mask: keys as u64 - 1,
        })
    }

    /// How many keys each table by hash tells apart.
    #[cfg(test)]
    pub(super) fn keys(&self) -> u64 {
        self.key_mask + 1
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for table in [&self.pawn, &self.minor, &self.moves].into_iter().chain(&self.non_pawn) {
            table.clear(0);
        }
    }

    #[inline(always)]
    fn slots(&self, position: &Position) -> Slots {
        let side = position.side_to_move().index();
        let slot = |key: u64| ((key >> 1) & self.key_mask) as usize * 2 + side;
        Slots {
            pawn: slot(position.pawn_key()),
            minor: slot(position.minor_key()),
            non_pawn: Color::ALL.map(|color| slot(position.non_pawn_key(color))),
        }
    }

    /// Brings near what [`CorrectionHistory::value`] will read. Memory is slow: the earlier the better.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, before: PrecedingMoves) {
        let slots = self.slots(position);
        self.pawn.prefetch(slots.pawn);
        self.minor.prefetch(slots.minor);
        for (table, slot) in self.non_pawn.iter().zip(slots.non_pawn) {
            table.prefetch(slot);
        }
        for slot in before.slots() {
            self.moves.prefetch(slot);
        }
    }

    /// What past searches say the evaluation is wrong by, times 131072.
    #[inline(always)]
    pub(super) fn value(&self, position: &Position, before: PrecedingMoves) -> i32 {
        let slots = self.slots(position);
        let of = |color: usize| self.non_pawn[color].get(slots.non_pawn[color]);
        let moves: i32 = before.slots().map(|slot| self.moves.get(slot)).iter().sum();
        CORRECTION_PAWN * self.pawn.get(slots.pawn)
            + CORRECTION_MINOR * self.minor.get(slots.minor)
            + CORRECTION_NON_PAWN * (of(0) + of(1))
            + CORRECTION_MOVES * moves
    }

    /// Tells the tables how far the evaluation was off.
    pub(super) fn update(&self, position: &Position, before: PrecedingMoves, bonus: i32) {
        let slots = self.slots(position);
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        self.pawn.update(slots.pawn, bonus, LIMIT);
        self.minor.update(slots.minor, bonus * CORRECTION_MINOR_BONUS / 128, LIMIT);
        for (table, slot) in self.non_pawn.iter().zip(slots.non_pawn) {
            table.update(slot, bonus * CORRECTION_NON_PAWN_BONUS / 128, LIMIT);
        }
        if before.last == ContinuationIndex::NONE {
            return;
        }
        let weights = [value(CORRECTION_MOVES_2), value(CORRECTION_MOVES_4)];
        for (slot, weight) in before.slots().into_iter().zip(weights) {
            self.moves.update(slot, bonus * weight / 128, LIMIT);
        }
    }
}

/// The evaluation with its correction, thread_data out of the range of mates.
#[inline(always)]
pub(super) fn corrected(raw: Score, correction: i32) -> Score {
    Score::from_eval(raw.0 + correction / 131_072)
}
