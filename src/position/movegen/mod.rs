//! Move generation. Everything generated is legal.
//!
//! Checks and pins are masks on the target sets, so legality costs little, and one walk over the
//! pieces serves every stage: a stage is a set of target squares. What is done with the target
//! sets is up to a [`Sink`]: a list writes the moves out, a counter only counts them.

mod board;
mod checks;
mod drops;

use std::fmt;
use std::ops::Deref;

use super::{Position, attacks};
use crate::types::{Bitboard, Move, Piece, Square};

/// A move with what the search wants to know about it at once: the piece as it stands after the
/// move, and room for a score.
///
/// One word: move in bits 0-15, piece in bits 16-23, score in the upper half, by which it is
/// ordered. Lists of it are sorted all the time, and fields written one by one are slow to be read
/// again as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ScoredMove(i64);

impl ScoredMove {
    /// A move without a score yet: 0.
    #[inline(always)]
    pub const fn new(mv: Move, piece: Piece) -> ScoredMove {
        ScoredMove(mv.bits() as i64 | (piece.code() as i64) << 16)
    }

    #[inline(always)]
    pub const fn mv(self) -> Move {
        Move::from_code(self.0 as u16)
    }

    #[inline(always)]
    pub const fn piece(self) -> Piece {
        Piece::from_code((self.0 >> 16) as u8)
    }

    #[inline(always)]
    pub const fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline(always)]
    pub const fn with_score(self, score: i32) -> ScoredMove {
        ScoredMove(self.0 & 0xffff_ffff | (score as i64) << 32)
    }
}

impl fmt::Debug for ScoredMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} at {}", self.mv(), self.piece(), self.score())
    }
}

/// Receives target sets. `piece` is the piece as it stands on its target.
pub trait Sink {
    /// Moves of one piece.
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool);
    /// Moves of many pawns, each from the square behind its target.
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool);
    fn drops(&mut self, piece: Piece, targets: Bitboard);
}

impl Sink for Vec<ScoredMove> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        for to in targets {
            self.push(ScoredMove::new(Move::board(from, to, promote), piece));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        for to in targets {
            let from = to.behind(piece.color());
            self.push(ScoredMove::new(Move::board(from, to, promote), piece));
        }
    }

    #[inline(always)]
    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        for to in targets {
            self.push(ScoredMove::new(Move::drop(piece.kind(), to), piece));
        }
    }
}

/// Counts moves without writing them, by a function that says how large a set is.
#[derive(Debug)]
struct Counter<F> {
    count: u32,
    size: F,
}

impl<F: Fn(Bitboard) -> u32> Counter<F> {
    #[inline(always)]
    fn new(size: F) -> Counter<F> {
        Counter { count: 0, size }
    }

    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.count += (self.size)(targets);
    }
}

impl<F: Fn(Bitboard) -> u32> Sink for Counter<F> {
    #[inline(always)]
    fn piece(&mut self, _: Piece, _: Square, targets: Bitboard, _: bool) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, _: Piece, targets: Bitboard, _: bool) {
        self.add(targets);
    }

    #[inline(always)]
    fn drops(&mut self, _: Piece, targets: Bitboard) {
        self.add(targets);
    }
}

/// A list of moves.
#[derive(Clone, Debug, Default)]
pub struct MoveList(Vec<ScoredMove>);

impl MoveList {
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.0.iter().map(|entry| entry.mv())
    }

    pub fn contains(&self, mv: Move) -> bool {
        self.moves().any(|other| other == mv)
    }
}

impl Deref for MoveList {
    type Target = [ScoredMove];

    fn deref(&self) -> &[ScoredMove] {
        &self.0
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        self.0.piece(piece, from, targets, promote);
    }

    #[inline(always)]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        self.0.pawns(piece, targets, promote);
    }

    #[inline(always)]
    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        self.0.drops(piece, targets);
    }
}

/// Which non-promotions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotions {
    /// Every legal one.
    All,
    /// Not those of pawn, bishop, rook and second-rank lance, which are hardly ever of use.
    Useful,
}

/// The squares that may be moved to or dropped on so that a check does not stand.
struct CheckMask {
    board: Bitboard,
    drops: Bitboard,
}

impl Position {
    /// All legal moves, every non-promotion included.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList(Vec::with_capacity(128));
        self.generate_legal(&mut list);
        list
    }

    /// All legal moves but the non-promotions that are hardly ever of use.
    pub fn useful_moves(&self) -> MoveList {
        let mut list = MoveList(Vec::with_capacity(128));
        self.generate_all(Promotions::Useful, &mut list);
        list
    }

    /// All legal moves, every non-promotion included.
    pub fn generate_legal<S: Sink>(&self, sink: &mut S) {
        self.generate_all(Promotions::All, sink);
    }

    /// All legal moves with the given choice of non-promotions. In check these are the evasions.
    pub fn generate_all<S: Sink>(&self, promotions: Promotions, sink: &mut S) {
        let mask = self.check_mask();
        let targets = !self.pieces(self.side);
        self.board_moves(targets, mask.board, promotions, sink);
        self.drop_moves(mask.drops, sink);
    }

    /// Captures. The side to move must not be in check.
    pub fn generate_captures<S: Sink>(&self, promotions: Promotions, sink: &mut S) {
        self.board_moves(self.pieces(!self.side), Bitboard::ALL, promotions, sink);
    }

    /// Moves to empty squares, and drops. The side to move must not be in check; `attacked` are the
    /// squares that the other side attacks.
    pub fn generate_quiets<S: Sink>(
        &self,
        promotions: Promotions,
        attacked: Bitboard,
        sink: &mut S,
    ) {
        let empty = !self.occupied();
        self.piece_moves(empty, promotions, sink);
        // No line goes on behind a king that is not in check.
        self.safe_king_moves(empty.without(attacked), sink);
        self.drop_moves(empty, sink);
    }

    /// Whether there is a legal move at all.
    pub fn has_legal_move(&self) -> bool {
        let mut counter = Counter::new(Bitboard::len);
        self.king_moves(!self.pieces(self.side), &mut counter);
        if counter.count > 0 {
            return true;
        }
        self.generate_legal(&mut counter);
        counter.count > 0
    }

    /// How many legal moves there are, by a function that says how large a set is. No list is made.
    #[inline]
    pub fn count_legal(&self, size: impl Fn(Bitboard) -> u32) -> u64 {
        let mut counter = Counter::new(size);
        self.generate_legal(&mut counter);
        counter.count.into()
    }

    fn check_mask(&self) -> CheckMask {
        let checkers = self.checkers();
        let empty = !self.occupied();
        let Some(king) = self.king(self.side).filter(|_| !checkers.is_empty()) else {
            return CheckMask { board: Bitboard::ALL, drops: empty };
        };
        if checkers.more_than_one() {
            return CheckMask { board: Bitboard::EMPTY, drops: Bitboard::EMPTY };
        }
        let between = attacks::between(king, checkers.single());
        CheckMask { board: between | checkers, drops: between }
    }
}
