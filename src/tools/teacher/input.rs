//! The teacher's input: 176 planes of 9x9, packed into bits.
//!
//! The planes are those of miniosl's `export_heuristic_feature` (Team GPS; licence in NOTICE), for the
//! side to move at the bottom of the board: pieces, hands, lines, checks, mates in one, and for each of
//! the last seven moves sixteen planes of its own. [`PlaneEncoder`] follows a game and keeps what the
//! moves contribute, so that a position costs one pass over its own features.
//!
//! A packed input has [`INPUT_BYTES`] bytes: [`BIT_PLANES`] planes of 81 bits, the lowest bit first,
//! square `rank * 9 + file`, then [`SCALARS`] bytes, each the value of a whole plane times 36.
//! `tools/teacher/planes.py` unpacks it.

use std::collections::VecDeque;

use super::contact_mate::contact_mate;
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// Planes of one bit per square: 30 of pieces, 17 of lines, checks and mates, and 20 for each move of
/// the history, whose two counts of attackers take three bits each.
pub const BIT_PLANES: usize = 30 + 17 + HISTORY * HISTORY_PLANES;
/// Planes that have one value on all squares: 14 of hands, 2 of pawns in hand, 1 for the side.
pub const SCALARS: usize = 17;
/// Size of a packed input in bytes.
pub const INPUT_BYTES: usize = (BIT_PLANES * 81).div_ceil(8) + SCALARS;

/// Number of moves before the position that are part of the input.
const HISTORY: usize = 7;
const HISTORY_PLANES: usize = 14 + 2 * COUNT_BITS;
const COUNT_BITS: usize = 3;
const FIRST_OF_HISTORY: usize = 47;
/// The value 1 of a scalar.
const ONE: u32 = 36;

/// libosl's number of a kind, from 0 for the promoted pawn; its order of planes.
const fn kind_number(kind: PieceKind) -> usize {
    match kind {
        PieceKind::ProPawn => 0,
        PieceKind::ProLance => 1,
        PieceKind::ProKnight => 2,
        PieceKind::ProSilver => 3,
        PieceKind::Horse => 4,
        PieceKind::Dragon => 5,
        PieceKind::King => 6,
        PieceKind::Gold => 7,
        PieceKind::Pawn => 8,
        PieceKind::Lance => 9,
        PieceKind::Knight => 10,
        PieceKind::Silver => 11,
        PieceKind::Bishop => 12,
        PieceKind::Rook => 13,
    }
}

/// Makes the inputs of the positions of a game.
#[derive(Clone, Debug, Default)]
pub struct PlaneEncoder {
    /// The last moves, the latest first.
    history: VecDeque<MovePlanes>,
}

impl PlaneEncoder {
    /// An encoder for a game at its start.
    pub fn new() -> PlaneEncoder {
        PlaneEncoder::default()
    }

    /// The number of moves that the next input has, at most seven.
    pub fn history(&self) -> usize {
        self.history.len()
    }

    /// Follows a legal move; `position` is the position before it and stays unchanged.
    pub fn follow(&mut self, position: &mut Position, mv: Move) {
        self.history.truncate(HISTORY - 1);
        self.history.push_front(MovePlanes::new(position, mv));
    }

    /// The input for the position after the moves followed, packed.
    pub fn encode(&self, position: &mut Position) -> [u8; INPUT_BYTES] {
        let flip = position.side_to_move() == Color::White;
        let mut packed = PackedInput { bytes: [0; INPUT_BYTES], flip };
        packed.put_pieces(position);
        packed.put_lines(position);
        let own = SideFeatures::new(position);
        packed.put(44, own.checkers);
        packed.put(45, own.mate_path);
        packed.put(46, own.mate_attacks);
        for (at, planes) in self.history.iter().enumerate() {
            packed.put_history(FIRST_OF_HISTORY + at * HISTORY_PLANES, planes);
        }
        packed.put_scalars(position);
        packed.bytes
    }
}

/// Planes that the position and each move of the history have in common.
#[derive(Clone, Debug)]
struct SideFeatures {
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// The path of the opponent's mate in one, if the opponent were to move.
    mate_path: Bitboard,
    /// The squares that the mating piece attacks.
    mate_attacks: Bitboard,
}

impl SideFeatures {
    fn new(position: &mut Position) -> SideFeatures {
        let mut features = SideFeatures {
            checkers: position.checkers(),
            mate_path: Bitboard::EMPTY,
            mate_attacks: Bitboard::EMPTY,
        };
        if !position.in_check() {
            position.do_null_move();
            if let Some(mate) = contact_mate(position) {
                features.mate_path = path(position, mate);
                features.mate_attacks = moved_attacks(position, mate);
            }
            position.undo_null_move();
        }
        features
    }
}

/// The contribution of a move of the history, computed on the board at that time.
#[derive(Clone, Debug)]
struct MovePlanes {
    to: Bitboard,
    path: Bitboard,
    captured_attacks: Bitboard,
    king: Bitboard,
    before: SideFeatures,
    /// Black's and White's before the move.
    pieces: [Bitboard; 2],
    /// For a recapture that allows a mate in one: its path, the path of the mate, and the squares that
    /// the mating piece attacks.
    recapture_mate: [Bitboard; 3],
    /// Black's and White's pieces whose attacks the move changed.
    changed: [Bitboard; 2],
    /// The number of Black's and of White's attackers of each square, at most four, in binary: the planes of
    /// the ones, the twos and the fours.
    attackers: [[Bitboard; COUNT_BITS]; 2],
}

impl MovePlanes {
    fn new(position: &mut Position, mv: Move) -> MovePlanes {
        let us = position.side_to_move();
        let to = Bitboard::from_square(mv.to());
        let captured = position.piece_at(mv.to());
        let path = if mv.is_drop() { Bitboard::EMPTY } else { path(position, mv) };
        let captured_attacks =
            captured.map_or(Bitboard::EMPTY, |piece| piece_attacks(position, piece, mv.to()));
        let before = SideFeatures::new(position);
        let pieces = Color::ALL.map(|color| position.pieces(color));
        let attackers_of_target = all_attackers(position, mv.to());
        let king = position.king(us).map_or(Bitboard::EMPTY, Bitboard::from_square);
        position.do_move(mv);
        let mut changed = attackers_of_target | to;
        if !mv.is_drop() {
            changed |= all_attackers(position, mv.from());
        }
        let planes = MovePlanes {
            to,
            path,
            captured_attacks,
            king,
            before,
            pieces,
            recapture_mate: recapture_mate(position, mv.to()),
            changed: Color::ALL.map(|color| changed & position.pieces(color)),
            attackers: Color::ALL.map(|color| attacker_counts(position, color)),
        };
        position.undo_move(mv);
        planes
    }
}

/// A capture of the piece that has just moved, by its only attacker, after which the side that moved it
/// has a mate in one.
fn recapture_mate(position: &mut Position, square: Square) -> [Bitboard; 3] {
    let us = position.side_to_move();
    let attackers = position.attackers(us, square, position.occupied());
    if attackers.len() != 1 {
        return [Bitboard::EMPTY; 3];
    }
    let from = attackers.lsb();
    for promotes in [false, true] {
        let capture = Move::board(from, square, promotes);
        if !position.is_legal(capture) {
            continue;
        }
        let capture_path = path(position, capture);
        position.do_move(capture);
        let mate = if position.in_check() { None } else { contact_mate(position) };
        let found =
            mate.map(|mate| [capture_path, path(position, mate), moved_attacks(position, mate)]);
        position.undo_move(capture);
        if let Some(planes) = found {
            return planes;
        }
    }
    [Bitboard::EMPTY; 3]
}

fn all_attackers(position: &Position, square: Square) -> Bitboard {
    let attackers = |color| position.attackers(color, square, position.occupied());
    attackers(Color::Black) | attackers(Color::White)
}

/// How many pieces of `color`, at most four, attack each square: the bits of that number.
fn attacker_counts(position: &Position, color: Color) -> [Bitboard; COUNT_BITS] {
    let [mut ones, mut twos, mut fours] = [Bitboard::EMPTY; COUNT_BITS];
    for square in position.pieces(color) {
        let Some(piece) = position.piece_at(square) else { continue };
        let attacked = attacks::of(piece, square, position.occupied()).without(fours);
        let carry = ones & attacked;
        ones ^= attacked;
        fours |= twos & carry;
        twos ^= carry;
    }
    [ones, twos, fours]
}

/// The squares that a move leaves and passes, and its destination; for a knight and a drop only those.
fn path(position: &Position, mv: Move) -> Bitboard {
    let to = Bitboard::from_square(mv.to());
    if mv.is_drop() {
        return to;
    }
    let ends = to | Bitboard::from_square(mv.from());
    match position.piece_at(mv.from()).map(Piece::kind) {
        Some(PieceKind::Knight) => ends,
        _ => ends | attacks::between(mv.from(), mv.to()),
    }
}

/// The squares that the moved piece attacks from its destination, on the board before the move.
fn moved_attacks(position: &Position, mv: Move) -> Bitboard {
    piece_attacks(position, position.moved_piece_after(mv), mv.to())
}

/// Attacks as the teacher counts them: steps to any square of the board, lines to empty squares and
/// enemy pieces.
fn piece_attacks(position: &Position, piece: Piece, square: Square) -> Bitboard {
    let (occupied, own) = (position.occupied(), position.pieces(piece.color()));
    match piece.kind() {
        PieceKind::Lance => attacks::lance(piece.color(), square, occupied).without(own),
        PieceKind::Bishop => attacks::bishop(square, occupied).without(own),
        PieceKind::Rook => attacks::rook(square, occupied).without(own),
        PieceKind::Horse => {
            attacks::bishop(square, occupied).without(own)
                | attacks::king(square).without(attacks::diagonals(square))
        }
        PieceKind::Dragon => {
            attacks::rook(square, occupied).without(own)
                | attacks::king(square).without(attacks::orthogonals(square))
        }
        _ => attacks::of(piece, square, occupied),
    }
}

/// A packed input under construction.
struct PackedInput {
    bytes: [u8; INPUT_BYTES],
    /// Whether White is to move, so that the board is rotated.
    flip: bool,
}

impl PackedInput {
    fn put(&mut self, plane: usize, squares: Bitboard) {
        for square in squares {
            let square = if self.flip { square.rotated() } else { square };
            let (file, rank) = (square.index() / 9, square.index() % 9);
            let bit = plane * 81 + rank * 9 + file;
            self.bytes[bit / 8] |= 1 << (bit % 8);
        }
    }

    /// 0 for the side at the bottom, 1 for the other.
    fn side(&self, color: Color) -> usize {
        usize::from((color == Color::White) != self.flip)
    }

    /// Writes Black's and White's planes, swapped if the board is rotated.
    fn put_pair(&mut self, plane: usize, [black, white]: [Bitboard; 2]) {
        self.put(plane + self.side(Color::Black), black);
        self.put(plane + self.side(Color::White), white);
    }

    fn put_pieces(&mut self, position: &Position) {
        self.put(14, Bitboard::ALL.without(position.occupied()));
        self.put(15, Bitboard::ALL);
        for piece in Piece::all() {
            let first = if self.side(piece.color()) == 0 { 16 } else { 0 };
            let squares = position.pieces_of(piece.color(), piece.kind());
            self.put(first + kind_number(piece.kind()), squares);
        }
    }

    /// Lines of lances, bishops and rooks, the squares behind their first obstacle, and the lines from
    /// the kings.
    fn put_lines(&mut self, position: &Position) {
        let occupied = position.occupied();
        for color in Color::ALL {
            let of = |kind| position.pieces_of(color, kind);
            let lines = [
                (30, of(PieceKind::Lance), attacks::lance_ray as fn(Color, Square) -> Bitboard),
                (34, of(PieceKind::Bishop) | of(PieceKind::Horse), |_, from| {
                    attacks::diagonals(from)
                }),
                (38, of(PieceKind::Rook) | of(PieceKind::Dragon), |_, from| {
                    attacks::orthogonals(from)
                }),
            ];
            for (plane, pieces, ray) in lines {
                for from in pieces {
                    let all = ray(color, from);
                    let (reached, beyond) = split_lines(from, all, occupied);
                    self.put(plane + self.side(color), reached);
                    self.put(plane + 2 + self.side(color), beyond);
                }
            }
            if let Some(king) = position.king(color) {
                let seen = attacks::rook(king, occupied) | attacks::bishop(king, occupied);
                self.put(42 + self.side(color), seen);
            }
        }
    }

    fn put_history(&mut self, first: usize, planes: &MovePlanes) {
        self.put(first, planes.to);
        self.put(first + 1, planes.path);
        self.put(first + 2, planes.captured_attacks);
        self.put(first + 3, planes.king);
        self.put(first + 4, planes.before.checkers);
        self.put(first + 5, planes.before.mate_path);
        self.put(first + 6, planes.before.mate_attacks);
        self.put_pair(first + 7, planes.pieces);
        for (at, plane) in planes.recapture_mate.into_iter().enumerate() {
            self.put(first + 9 + at, plane);
        }
        self.put_pair(first + 12, planes.changed);
        for color in Color::ALL {
            let first = first + 14 + COUNT_BITS * self.side(color);
            for (bit, &plane) in planes.attackers[color.index()].iter().enumerate() {
                self.put(first + bit, plane);
            }
        }
    }

    fn put_scalars(&mut self, position: &Position) {
        let first = INPUT_BYTES - SCALARS;
        for color in Color::ALL {
            let (hand, side) = (position.hand(color), self.side(color));
            // The rook first.
            for (at, kind) in PieceKind::HAND.into_iter().rev().enumerate() {
                let value = ONE * hand.count(kind) / kind.set_size();
                self.bytes[first + 7 * side + at] = value as u8;
            }
            let pawns = ONE * hand.count(PieceKind::Pawn).min(4) / 4;
            self.bytes[first + 14 + side] = pawns as u8;
        }
        self.bytes[first + 16] = u8::from(self.flip) * ONE as u8;
    }
}

/// The squares of a slider's lines up to and including the first obstacle, and the empty squares from
/// there to the next.
fn split_lines(from: Square, lines: Bitboard, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (mut reached, mut beyond) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for to in lines {
        match (attacks::between(from, to) & occupied).len() {
            0 => reached = reached.with(to),
            1 if !occupied.contains(to) => beyond = beyond.with(to),
            _ => {}
        }
    }
    (reached, beyond)
}
