//! What a worker has learned about the evaluation: how far searches found it off, by what stands on
//! the board and by the moves that led there (Stockfish's correction history).

use super::entries::{Rows, pull, table};
use super::history::{Continuation, PIECE_TO};
use super::params::*;
use crate::position::Position;
use crate::sys::{self, MemoryRefused, Pages};
use crate::types::{Color, Score};

/// Keys told apart by each table.
const KEYS: usize = 16384;
const LIMIT: i32 = 1024;

/// The moves before a position that count: the last one, and those two and four plies ago.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    pub(super) last: Continuation,
    pub(super) earlier: [Continuation; 2],
}

impl Before {
    /// Row and entry of each pair of moves.
    #[inline(always)]
    fn slots(self) -> [(usize, usize); 2] {
        self.earlier.map(|earlier| (earlier.piece_to(), self.last.piece_to()))
    }
}

/// Where the tables by hash keep what they know of a position.
#[derive(Clone, Copy)]
struct Slots {
    pawn: usize,
    minor: usize,
    non_pawn: [usize; 2],
}

impl Slots {
    #[inline(always)]
    fn of(position: &Position) -> Slots {
        let side = position.side_to_move().index();
        let slot = |key: u64| (key >> 1) as usize % KEYS * 2 + side;
        Slots {
            pawn: slot(position.pawn_key()),
            minor: slot(position.minor_key()),
            non_pawn: Color::ALL.map(|color| slot(position.non_pawn_key(color))),
        }
    }
}

/// All tables of one worker.
#[derive(Debug)]
pub(super) struct Corrections {
    pawn: Pages<i16>,
    minor: Pages<i16>,
    non_pawn: [Pages<i16>; 2],
    /// By two moves.
    moves: Rows<PIECE_TO>,
}

impl Corrections {
    /// Tables in which nothing is learned, some 13 MiB.
    pub(super) fn new() -> Result<Corrections, MemoryRefused> {
        Ok(Corrections {
            pawn: table(2 * KEYS, 0)?,
            minor: table(2 * KEYS, 0)?,
            non_pawn: [table(2 * KEYS, 0)?, table(2 * KEYS, 0)?],
            moves: Rows::new(PIECE_TO, 0)?,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for table in [&mut self.pawn, &mut self.minor].into_iter().chain(&mut self.non_pawn) {
            table.fill(0);
        }
        self.moves.clear(0);
    }

    /// Brings near what [`Corrections::value`] will read. Memory is slow: the earlier the better.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, before: Before) {
        let slots = Slots::of(position);
        sys::prefetch(&raw const self.pawn[slots.pawn]);
        sys::prefetch(&raw const self.minor[slots.minor]);
        for (table, slot) in self.non_pawn.iter().zip(slots.non_pawn) {
            sys::prefetch(&raw const table[slot]);
        }
        for (row, slot) in before.slots() {
            sys::prefetch(&raw const self.moves.row(row)[slot]);
        }
    }

    /// What past searches say the evaluation is wrong by, times 131072.
    #[inline(always)]
    pub(super) fn value(&self, position: &Position, before: Before) -> i32 {
        let slots = Slots::of(position);
        let pawn = self.pawn[slots.pawn] as i32;
        let minor = self.minor[slots.minor] as i32;
        let of = |color: usize| self.non_pawn[color][slots.non_pawn[color]] as i32;
        let moves: i32 =
            before.slots().map(|(row, slot)| self.moves.row(row)[slot] as i32).iter().sum();
        CORRECTION_PAWN * pawn
            + CORRECTION_MINOR * minor
            + CORRECTION_NON_PAWN * (of(0) + of(1))
            + CORRECTION_MOVES * moves
    }

    /// Tells the tables how far the evaluation was off.
    pub(super) fn update(&mut self, position: &Position, before: Before, bonus: i32) {
        let slots = Slots::of(position);
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        pull(&mut self.pawn[slots.pawn], bonus, LIMIT);
        pull(&mut self.minor[slots.minor], bonus * CORRECTION_MINOR_BONUS / 128, LIMIT);
        for (table, slot) in self.non_pawn.iter_mut().zip(slots.non_pawn) {
            pull(&mut table[slot], bonus * CORRECTION_NON_PAWN_BONUS / 128, LIMIT);
        }
        if before.last == Continuation::NONE {
            return;
        }
        let weights = [value(CORRECTION_MOVES_2), value(CORRECTION_MOVES_4)];
        for ((row, slot), weight) in before.slots().into_iter().zip(weights) {
            pull(self.moves.entry_mut(row, slot), bonus * weight / 128, LIMIT);
        }
    }
}

/// The evaluation with its correction, kept out of the range of mates.
#[inline(always)]
pub(super) fn corrected(raw: Score, correction: i32) -> Score {
    Score::from_eval(raw.0 + correction / 131_072)
}
