//! A second implementation of the rules of shogi: slow, and simple enough to be verified by reading.
//!
//! It uses an array of squares, moves pieces square by square, and tests legality by making the move
//! and looking whether the king can be captured. It shares only the types of `kawasemi::types` with
//! the engine, so that the same mistake is not in both.

mod declaration;
mod game;
mod sfen;

pub use declaration::Rule;
pub use game::{SlowGame, Verdict};

use kawasemi::types::{Color, Move, Piece, PieceKind, Square};

/// A position without its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowPosition {
    pub board: [Option<Piece>; Square::COUNT],
    /// Counts by colour and kind.
    pub hands: [[u32; PieceKind::TABLE]; 2],
    pub side: Color,
    pub ply: u32,
}

type Steps = &'static [(i8, i8)];

// Steps are (files to the left, ranks down) from Black's view: forward is (0, -1).
const NONE: Steps = &[];
const FORWARD: Steps = &[(0, -1)];
const JUMPS: Steps = &[(-1, -2), (1, -2)];
const SILVER: Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: Steps = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const STRAIGHT: Steps = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const AROUND: Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// How a kind moves: single steps, and directions in which it slides to the first piece.
fn movement(kind: PieceKind) -> (Steps, Steps) {
    match kind {
        PieceKind::Pawn => (FORWARD, NONE),
        PieceKind::Lance => (NONE, FORWARD),
        PieceKind::Knight => (JUMPS, NONE),
        PieceKind::Silver => (SILVER, NONE),
        PieceKind::Bishop => (NONE, DIAGONAL),
        PieceKind::Rook => (NONE, STRAIGHT),
        PieceKind::King => (AROUND, NONE),
        PieceKind::Horse => (STRAIGHT, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, STRAIGHT),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => (GOLD, NONE),
    }
}

/// One step from a square from the view of this side, if it stays on the board.
fn step(from: Square, color: Color, (files, ranks): (i8, i8)) -> Option<Square> {
    match color {
        Color::Black => from.offset(files, ranks),
        Color::White => from.offset(-files, -ranks),
    }
}

impl std::fmt::Display for SlowPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

/// Whether a piece of this kind could never leave the square again.
pub fn is_stuck(color: Color, kind: PieceKind, square: Square) -> bool {
    let (steps, rides) = movement(kind);
    steps.iter().chain(rides).all(|&way| step(square, color, way).is_none())
}

/// Whether the square is in the three ranks farthest from this side.
pub fn in_zone(color: Color, square: Square) -> bool {
    match color {
        Color::Black => square.rank() <= 2,
        Color::White => square.rank() >= 6,
    }
}

impl SlowPosition {
    pub fn empty(side: Color) -> SlowPosition {
        SlowPosition {
            board: [None; Square::COUNT],
            hands: [[0; PieceKind::TABLE]; 2],
            side,
            ply: 1,
        }
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    pub fn in_hand(&self, color: Color, kind: PieceKind) -> u32 {
        self.hands[color.index()][kind.index()]
    }

    pub fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&at| self.piece_at(at) == Some(Piece::new(color, PieceKind::King)))
    }

    /// The squares that the piece on this square attacks and that are not occupied by its own side.
    fn reach(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.piece_at(from) else { return Vec::new() };
        let color = piece.color();
        let free_or_enemy =
            |to: Square| self.piece_at(to).is_none_or(|other| other.color() != color);
        let (steps, rides) = movement(piece.kind());
        let mut reached = Vec::new();
        for &way in steps {
            reached.extend(step(from, color, way).filter(|&to| free_or_enemy(to)));
        }
        for &way in rides {
            let mut next = step(from, color, way);
            while let Some(to) = next {
                if free_or_enemy(to) {
                    reached.push(to);
                }
                next = if self.piece_at(to).is_none() { step(to, color, way) } else { None };
            }
        }
        reached
    }

    /// The squares with pieces of a side.
    pub fn squares_of(&self, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
        Square::all().filter_map(move |square| {
            let piece = self.piece_at(square)?;
            (piece.color() == color).then_some((square, piece.kind()))
        })
    }

    /// The pieces that could capture this side's king now; none if it has no king.
    pub fn checkers(&self, color: Color) -> Vec<Square> {
        let Some(king) = self.king(color) else { return Vec::new() };
        self.squares_of(!color)
            .map(|(from, _)| from)
            .filter(|&from| self.reach(from).contains(&king))
            .collect()
    }

    pub fn in_check(&self, color: Color) -> bool {
        !self.checkers(color).is_empty()
    }

    /// The position after a move, which may be illegal but must move an existing piece.
    pub fn after(&self, mv: Move) -> SlowPosition {
        let mut after = self.clone();
        let hand = &mut after.hands[self.side.index()];
        if mv.is_drop() {
            hand[mv.dropped().index()] -= 1;
            after.board[mv.to().index()] = Some(Piece::new(self.side, mv.dropped()));
        } else {
            let kind = self.piece_at(mv.from()).expect("a piece moves").kind();
            let kind = if mv.is_promotion() { kind.promoted().expect("it promotes") } else { kind };
            if let Some(captured) = self.piece_at(mv.to()) {
                hand[captured.kind().unpromoted().index()] += 1;
            }
            after.board[mv.from().index()] = None;
            after.board[mv.to().index()] = Some(Piece::new(self.side, kind));
        }
        after.side = !self.side;
        after.ply += 1;
        after
    }

    /// All legal moves, including all non-promotions, in no particular order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.board_moves();
        moves.extend(self.drops());
        moves.retain(|&mv| self.leaves_legal_position(mv));
        moves
    }

    fn board_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, kind) in self.squares_of(self.side) {
            for to in self.reach(from) {
                let touches_zone = in_zone(self.side, from) || in_zone(self.side, to);
                if kind.can_promote() && touches_zone {
                    moves.push(Move::board(from, to, true));
                }
                if !is_stuck(self.side, kind, to) {
                    moves.push(Move::board(from, to, false));
                }
            }
        }
        moves
    }

    fn drops(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for kind in PieceKind::HAND {
            if self.in_hand(self.side, kind) == 0 {
                continue;
            }
            for to in Square::all().filter(|&to| self.piece_at(to).is_none()) {
                let second_pawn =
                    kind == PieceKind::Pawn && self.pawns_on_file(self.side, to.file()) > 0;
                if !second_pawn && !is_stuck(self.side, kind, to) {
                    moves.push(Move::drop(kind, to));
                }
            }
        }
        moves
    }

    /// Unpromoted pawns of a side on a file.
    pub fn pawns_on_file(&self, color: Color, file: u8) -> usize {
        (0..9)
            .filter(|&rank| {
                self.piece_at(Square::new(file, rank)) == Some(Piece::new(color, PieceKind::Pawn))
            })
            .count()
    }

    /// Whether the own king cannot be captured after the move, and the move is no mate by a dropped
    /// pawn.
    fn leaves_legal_position(&self, mv: Move) -> bool {
        let after = self.after(mv);
        if after.in_check(self.side) {
            return false;
        }
        let pawn_drop = mv.is_drop() && mv.dropped() == PieceKind::Pawn;
        !(pawn_drop && after.in_check(after.side) && after.legal_moves().is_empty())
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check(!self.side)
    }

    /// Whether the position is a legal setup: well formed, and no king can be captured at once.
    pub fn may_be_set_up(&self) -> bool {
        self.is_well_formed() && !self.in_check(!self.side)
    }

    /// No side with two kings, no doubled pawns, no piece that can never move, and no more pieces
    /// than the set has.
    pub fn is_well_formed(&self) -> bool {
        let one_king_at_most = |color| {
            self.squares_of(color).filter(|&(_, kind)| kind == PieceKind::King).count() <= 1
        };
        let no_piece_is_stuck =
            |color| self.squares_of(color).all(|(square, kind)| !is_stuck(color, kind, square));
        let no_doubled_pawns = |color| (0..9).all(|file| self.pawns_on_file(color, file) <= 1);
        let fits_set = |kind: PieceKind| self.total(kind) <= kind.set_size();
        PieceKind::HAND.into_iter().all(fits_set)
            && Color::ALL.into_iter().all(one_king_at_most)
            && Color::ALL.into_iter().all(no_piece_is_stuck)
            && Color::ALL.into_iter().all(no_doubled_pawns)
    }

    /// Pieces of an unpromoted kind of both sides, including promoted ones and those in hand.
    pub fn total(&self, kind: PieceKind) -> u32 {
        let on_board = self.board.iter().flatten();
        let on_board = on_board.filter(|piece| piece.kind().unpromoted() == kind).count() as u32;
        on_board + self.hands[0][kind.index()] + self.hands[1][kind.index()]
    }

    /// Leaf positions of the tree of all legal moves to this depth.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }
}
