//! What belongs to one moment of the game and cannot be undone move by move.

use super::{Position, attacks, zobrist};
use crate::types::{Bitboard, ByColor, Color, Hand, Move, Piece, PieceKind, Square};

/// Keys, check information and the last move. Repetition reads the first fields of many states,
/// so they share a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) board_key: u64,
    pub(super) hand_key: u64,
    /// The hand of the side to move: with `board_key` it fixes the position.
    pub(super) hand: Hand,
    /// Moves since the last null move or the beginning.
    pub(super) since_null: u16,
    /// Unbroken checks given by each side up to now, counted in that side's moves.
    pub(super) checks_in_row: ByColor<u16>,
    /// How often this position stood before.
    pub(super) earlier: u8,
    /// How many plies ago the same board stood last, as far as the search looks; 0 if it did not.
    pub(super) same_board: u8,
    pub(super) captured: Option<Piece>,
    /// The move that led here.
    pub(super) mv: Move,
    pub(super) pawn_key: u64,
    pub(super) minor_key: u64,
    pub(super) non_pawn_key: ByColor<u64>,
    pub(super) checkers: Bitboard,
    /// Pieces of either side that alone stand between the king of that colour and an enemy slider.
    pub(super) blockers: ByColor<Bitboard>,
}

impl State {
    /// Enters or removes a piece on the board in all keys.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let number = zobrist::board(piece, square);
        self.board_key ^= number;
        match piece.kind() {
            PieceKind::Pawn => {
                self.pawn_key ^= number;
                return;
            }
            PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => {}
            _ => self.minor_key ^= number,
        }
        self.non_pawn_key[piece.color()] ^= number;
    }

    /// A hand that had `before` pieces of a kind now has `after`.
    #[inline(always)]
    pub(super) fn change_hand(&mut self, color: Color, kind: PieceKind, before: u32, after: u32) {
        self.hand_key ^= zobrist::hand(color, kind, before) ^ zobrist::hand(color, kind, after);
    }
}

impl Position {
    /// The state of a position without history, everything computed afresh.
    pub(super) fn initial_state(&self) -> State {
        let mut state = State {
            board_key: if self.side == Color::White { zobrist::SIDE } else { 0 },
            hand_key: 0,
            hand: self.hands[self.side],
            since_null: 0,
            checks_in_row: ByColor::default(),
            earlier: 0,
            same_board: 0,
            captured: None,
            mv: Move::NONE,
            pawn_key: 0,
            minor_key: 0,
            non_pawn_key: ByColor::default(),
            checkers: self.compute_checkers(),
            blockers: ByColor::default(),
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                state.toggle(piece, square);
            }
        }
        for color in Color::ALL {
            for (kind, count) in self.hands[color].iter() {
                state.change_hand(color, kind, 0, count);
            }
        }
        self.refresh_blockers(&mut state, Bitboard::ALL);
        state
    }

    /// Pieces that give check to the side to move.
    pub(super) fn compute_checkers(&self) -> Bitboard {
        match self.kings[self.side] {
            Some(king) => self.attackers(!self.side, king, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Brings the blockers up to date after changes on some squares. Only what happens on a line of
    /// a king can change who stands alone before it; the square a king comes from is on one.
    #[inline(always)]
    pub(super) fn refresh_blockers(&self, state: &mut State, changed: Bitboard) {
        for color in Color::ALL {
            let Some(king) = self.kings[color] else { continue };
            let lines = attacks::diagonals(king) | attacks::orthogonals(king);
            if lines.intersects(changed) {
                state.blockers[color] = self.pins(color).0;
            }
        }
    }

    /// Sliders of the other side behind the blockers of a king.
    pub(super) fn pinners(&self, color: Color) -> Bitboard {
        self.pins(color).1
    }

    /// Pieces that alone stand between the king and an enemy slider, and those sliders.
    #[inline]
    fn pins(&self, color: Color) -> (Bitboard, Bitboard) {
        let (mut blockers, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let Some(king) = self.kings[color] else { return (blockers, pinners) };
        for sniper in self.snipers(!color, king) {
            let line = attacks::between(king, sniper) & self.occupied();
            if !line.is_empty() && !line.more_than_one() {
                blockers |= line;
                pinners = pinners.with(sniper);
            }
        }
        (blockers, pinners)
    }
}
