//! What a worker has learned about moves and evaluations while searching.
//!
//! Every entry is a sixteen-bit number that a bonus pulls towards its limit ("gravity"): the
//! closer it is, the less a further bonus moves it. Moves of which nothing is known yet do not begin
//! at nothing where most that are tried prove bad (Stockfish's idea).

use super::params::*;
use crate::position::Position;
use crate::sys::{MemoryRefused, Pages};
use crate::types::{Color, Move, Piece, PieceKind, Score, Square};

/// Plies from the root for which moves have a table of their own.
pub(super) const LOW_PLIES: usize = 5;

/// Entries of a table over (piece, destination).
const PIECE_TO: usize = Piece::TABLE * Square::COUNT;
/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 8192;
/// Moves of a row of the table by moves: those of one piece, or of one kind dropped.
const MOVES: usize = 128;
/// Keys told apart by each correction table.
const CORRECTIONS: usize = 16384;

const MAIN_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const CORRECTION_LIMIT: i32 = 1024;
const TT_MOVE_LIMIT: i32 = 8192;

/// What a score among the first plies weighs, in 1024ths: 8 at the root, then 8 / 2, 8 / 3, ...
const LOW_PLY_WEIGHTS: [i32; LOW_PLIES] = [8192, 4096, 2731, 2048, 1638];

/// Names a continuation table: what was played, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Continuation(u32);

impl Continuation {
    /// Before the first move, and after a null move.
    pub(super) const NONE: Continuation = Continuation(0);

    #[inline(always)]
    pub(super) fn new(in_check: bool, capture: bool, piece: Piece, to: Square) -> Continuation {
        let kind = (in_check as usize) * 2 + capture as usize;
        Continuation((kind * PIECE_TO + piece_to(piece, to)) as u32)
    }
}

#[inline(always)]
fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * Square::COUNT + to.index()
}

/// The correction tables of a position, each named by a hash.
#[derive(Clone, Copy)]
struct CorrectionKeys {
    pawn: usize,
    minor: usize,
    non_pawn: [usize; 2],
}

impl CorrectionKeys {
    #[inline(always)]
    fn of(position: &Position) -> CorrectionKeys {
        let side = position.side_to_move().index();
        let slot = |key: u64| (key >> 1) as usize % CORRECTIONS * 2 + side;
        CorrectionKeys {
            pawn: slot(position.pawn_key()),
            minor: slot(position.minor_key()),
            non_pawn: Color::ALL.map(|color| slot(position.non_pawn_key(color))),
        }
    }
}

/// All tables of one worker.
#[derive(Debug)]
pub(super) struct History {
    /// By side and move.
    main: Pages<i16>,
    /// By ply from the root and move; forgotten with each search.
    low_ply: Rows<MOVES>,
    /// By piece, destination and kind of the captured piece.
    capture: Pages<i16>,
    /// By an earlier move (in check or not, capture or not) and the present one.
    continuation: Rows<PIECE_TO>,
    /// By pawn structure and move.
    pawn: Rows<PIECE_TO>,
    pawn_correction: Pages<i16>,
    minor_correction: Pages<i16>,
    non_pawn_correction: [Pages<i16>; 2],
    /// By two moves: a correction of the evaluation after them.
    continuation_correction: Rows<PIECE_TO>,
    /// How often the table's move turned out best.
    tt_move: i16,
}

/// A table that holds this, touched so that no search waits for memory.
fn table(len: usize, start: i16) -> Result<Pages<i16>, MemoryRefused> {
    let mut table = Pages::zeroed(len)?;
    table.fill(start);
    Ok(table)
}

/// What a table holds before anything is learned.
fn start(row: impl Into<i32>) -> i16 {
    value(row) as i16
}

#[inline(always)]
fn pull(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let value = *entry as i32;
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}

impl History {
    /// Tables in which nothing is learned, some 105 MiB.
    pub(super) fn new() -> Result<History, MemoryRefused> {
        Ok(History {
            main: table(2 * Move::TABLE, 0)?,
            low_ply: Rows::new(LOW_PLIES * Move::TABLE / MOVES, 0)?,
            capture: table(PIECE_TO * 16, start(CAPTURE_START))?,
            continuation: Rows::new(4 * PIECE_TO, start(CONTINUATION_START))?,
            pawn: Rows::new(PAWN_STRUCTURES, start(PAWN_START))?,
            pawn_correction: table(2 * CORRECTIONS, 0)?,
            minor_correction: table(2 * CORRECTIONS, 0)?,
            non_pawn_correction: [table(2 * CORRECTIONS, 0)?, table(2 * CORRECTIONS, 0)?],
            continuation_correction: Rows::new(PIECE_TO, 0)?,
            tt_move: 0,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let tables = [&mut self.main, &mut self.pawn_correction, &mut self.minor_correction];
        for table in tables.into_iter().chain(&mut self.non_pawn_correction) {
            table.fill(0);
        }
        self.capture.fill(start(CAPTURE_START));
        self.low_ply.clear(0);
        self.continuation.clear(start(CONTINUATION_START));
        self.pawn.clear(start(PAWN_START));
        self.continuation_correction.clear(0);
        self.tt_move = 0;
    }

    /// Forgets what belongs to one search only.
    pub(super) fn new_search(&mut self) {
        self.low_ply.clear(0);
    }

    #[inline(always)]
    pub(super) fn main(&self, side: Color, mv: Move) -> i32 {
        self.main[side.index() * Move::TABLE + mv.index()] as i32
    }

    /// What the first plies of the present search add to a move's score.
    #[inline(always)]
    pub(super) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        let (row, slot) = low_ply_slot(ply, mv);
        self.low_ply.row(row)[slot] as i32 * LOW_PLY_WEIGHTS[ply] / 1024
    }

    #[inline(always)]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: PieceKind) -> i32 {
        self.capture[piece_to(piece, to) * 16 + victim.index()] as i32
    }

    /// What scores the quiet moves of a node; `before` names the earlier moves that count.
    #[inline(always)]
    pub(super) fn quiets(&self, position: &Position, before: [Continuation; 5]) -> Quiets<'_> {
        Quiets {
            main: row(&self.main, position.side_to_move().index()),
            pawns: self.pawn_row(position),
            before: before.map(|after| self.continuation_row(after)),
        }
    }

    #[inline(always)]
    pub(super) fn continuation(&self, after: Continuation, piece: Piece, to: Square) -> i32 {
        self.continuation_row(after).get(piece, to)
    }

    /// The moves' scores after an earlier one.
    #[inline(always)]
    fn continuation_row(&self, after: Continuation) -> Row<'_> {
        Row(self.continuation.row(after.0 as usize))
    }

    /// The moves' scores under the present pawn structure.
    #[inline(always)]
    fn pawn_row(&self, position: &Position) -> Row<'_> {
        Row(self.pawn.row(pawn_structure(position)))
    }

    #[inline(always)]
    pub(super) fn pawn(&self, position: &Position, piece: Piece, to: Square) -> i32 {
        self.pawn_row(position).get(piece, to)
    }

    pub(super) fn tt_move(&self) -> i32 {
        self.tt_move as i32
    }

    pub(super) fn update_tt_move(&mut self, bonus: i32) {
        pull(&mut self.tt_move, bonus, TT_MOVE_LIMIT);
    }

    pub(super) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        pull(&mut self.main[side.index() * Move::TABLE + mv.index()], bonus, MAIN_LIMIT);
    }

    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        let (row, slot) = low_ply_slot(ply, mv);
        pull(self.low_ply.entry_mut(row, slot), bonus, MAIN_LIMIT);
    }

    pub(super) fn update_pawn(
        &mut self,
        position: &Position,
        piece: Piece,
        to: Square,
        bonus: i32,
    ) {
        let entry = self.pawn.entry_mut(pawn_structure(position), piece_to(piece, to));
        pull(entry, bonus, PAWN_LIMIT);
    }

    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        victim: PieceKind,
        bonus: i32,
    ) {
        let entry = &mut self.capture[piece_to(piece, to) * 16 + victim.index()];
        pull(entry, bonus, CAPTURE_LIMIT);
    }

    /// Credits a move to the moves before it; `before(n)` names what was played n plies ago.
    /// In check only the two nearest count.
    pub(super) fn update_continuations(
        &mut self,
        before: impl Fn(usize) -> Continuation,
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
            if after != Continuation::NONE {
                let constant = if plies < 2 { value(CONTINUATION_CONSTANT) } else { 0 };
                let entry = self.continuation.entry_mut(after.0 as usize, piece_to(piece, to));
                pull(entry, bonus * weight / 1024 + constant, CONTINUATION_LIMIT);
            }
        }
    }

    /// What past searches say the evaluation is wrong by, times 131072.
    pub(super) fn correction(
        &self,
        position: &Position,
        last: Continuation,
        before: [Continuation; 2],
    ) -> i32 {
        let keys = CorrectionKeys::of(position);
        let side = position.side_to_move().index();
        let pawn = self.pawn_correction[keys.pawn] as i32;
        let minor = self.minor_correction[keys.minor] as i32;
        let own = self.non_pawn_correction[side][keys.non_pawn[side]] as i32;
        let other = self.non_pawn_correction[1 - side][keys.non_pawn[1 - side]] as i32;
        let moves: i32 = before
            .map(|earlier| {
                let (row, slot) = correction_slot(earlier, last);
                self.continuation_correction.row(row)[slot] as i32
            })
            .iter()
            .sum();
        CORRECTION_PAWN * pawn
            + CORRECTION_MINOR * minor
            + CORRECTION_NON_PAWN * (own + other)
            + CORRECTION_MOVES * moves
    }

    /// Tells the correction tables how far the evaluation was off.
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        last: Continuation,
        before: [Continuation; 2],
        bonus: i32,
    ) {
        let keys = CorrectionKeys::of(position);
        let bonus = bonus.clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        pull(&mut self.pawn_correction[keys.pawn], bonus, CORRECTION_LIMIT);
        pull(
            &mut self.minor_correction[keys.minor],
            bonus * CORRECTION_MINOR_BONUS / 128,
            CORRECTION_LIMIT,
        );
        for (table, slot) in self.non_pawn_correction.iter_mut().zip(keys.non_pawn) {
            pull(&mut table[slot], bonus * CORRECTION_NON_PAWN_BONUS / 128, CORRECTION_LIMIT);
        }
        if last != Continuation::NONE {
            for (earlier, weight) in
                before.into_iter().zip([value(CORRECTION_MOVES_2), value(CORRECTION_MOVES_4)])
            {
                let (row, slot) = correction_slot(earlier, last);
                let entry = self.continuation_correction.entry_mut(row, slot);
                pull(entry, bonus * weight / 128, CORRECTION_LIMIT);
            }
        }
    }
}

/// Scores in rows, most often one for each piece and destination. A short game touches few of the
/// rows, so that forgetting it takes a fraction of the time that the whole table would.
#[derive(Debug)]
struct Rows<const N: usize> {
    table: Pages<i16>,
    is_touched: Box<[bool]>,
    /// What the rows hold that nobody has touched.
    start: i16,
}

impl<const N: usize> Rows<N> {
    fn new(rows: usize, start: i16) -> Result<Rows<N>, MemoryRefused> {
        let is_touched = vec![false; rows].into_boxed_slice();
        Ok(Rows { table: table(rows * N, start)?, is_touched, start })
    }

    /// Lets every score be `start`, which is another one only while a tuner is at work.
    fn clear(&mut self, start: i16) {
        if start != self.start {
            self.start = start;
            self.is_touched.fill(true);
        }
        let (rows, _) = self.table.as_chunks_mut::<N>();
        for (row, is_touched) in rows.iter_mut().zip(&mut self.is_touched) {
            if std::mem::take(is_touched) {
                row.fill(start);
            }
        }
    }

    #[inline(always)]
    fn row(&self, number: usize) -> &[i16; N] {
        row(&self.table, number)
    }

    #[inline(always)]
    fn entry_mut(&mut self, row: usize, slot: usize) -> &mut i16 {
        self.is_touched[row] = true;
        &mut self.table.as_chunks_mut::<N>().0[row][slot]
    }
}

/// Scores by piece and destination. Whoever asks for many takes it once: that the length is known
/// leaves one check of bounds for all rows together, and no pointer to be read again.
#[derive(Clone, Copy)]
struct Row<'a>(&'a [i16; PIECE_TO]);

impl<'a> Row<'a> {
    #[inline(always)]
    fn get(self, piece: Piece, to: Square) -> i32 {
        self.0[piece_to(piece, to)] as i32
    }

    /// The scores of one piece by destination.
    #[inline(always)]
    fn of_piece(self, piece: Piece) -> &'a [i16; Square::COUNT] {
        row(self.0, piece.index())
    }
}

/// The rows that score the quiet moves of one node.
pub(super) struct Quiets<'a> {
    main: &'a [i16; Move::TABLE],
    pawns: Row<'a>,
    before: [Row<'a>; 5],
}

impl Quiets<'_> {
    #[inline(always)]
    pub(super) fn score(&self, mv: Move, piece: Piece, to: Square) -> i32 {
        let before: i32 = self.before.map(|row| row.get(piece, to)).iter().sum();
        2 * i32::from(self.main[mv.index()]) + 2 * self.pawns.get(piece, to) + before
    }

    /// The scores of all drops of a piece, by destination: they lie side by side in every row, so
    /// that many are added up at once.
    #[inline]
    pub(super) fn drops(&self, piece: Piece) -> [i32; Square::COUNT] {
        let first = Move::drop(piece.kind(), Square::from_index(0)).index();
        let main = &row::<MOVES>(self.main, first / MOVES)[..Square::COUNT];
        let pawns = self.pawns.of_piece(piece);
        let [a, b, c, d, e] = self.before.map(|row| row.of_piece(piece));
        std::array::from_fn(|to| {
            let twice = i32::from(main[to]) + i32::from(pawns[to]);
            let before = [a, b, c, d, e].map(|row| i32::from(row[to])).iter().sum::<i32>();
            2 * twice + before
        })
    }
}

#[inline(always)]
fn row<const N: usize>(table: &[i16], number: usize) -> &[i16; N] {
    &table.as_chunks().0[number]
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

/// Row and entry for two moves, whatever the circumstances of either.
#[inline(always)]
fn correction_slot(earlier: Continuation, last: Continuation) -> (usize, usize) {
    (earlier.0 as usize % PIECE_TO, last.0 as usize % PIECE_TO)
}

/// The evaluation with its correction, kept out of the range of mates.
#[inline(always)]
pub(super) fn corrected(raw: Score, correction: i32) -> Score {
    Score::from_eval(raw.0 + correction / 131_072)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_touched_is_forgotten_and_the_rest_is_as_it_began() {
        let mut rows = Rows::<PIECE_TO>::new(5, -7).unwrap();
        for (row, slot) in [(0, 0), (3, 7), (4, PIECE_TO - 1)] {
            *rows.entry_mut(row, slot) = 9;
        }
        assert_eq!(rows.row(3)[7], 9);
        for start in [-7, 0] {
            rows.clear(start);
            assert!(rows.table.iter().all(|&score| score == start));
            assert!(!rows.is_touched.contains(&true));
        }
    }

    #[test]
    fn a_bonus_never_leaves_the_limit() {
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, 5000, 7183);
            assert!((0..=7183).contains(&(entry as i32)));
        }
        assert!(entry > 7000);
        for _ in 0..1000 {
            pull(&mut entry, -70000, 7183);
        }
        assert_eq!(entry, -7183);
    }
}
