//! The part of a position that is stored for each ply instead of being undone.

use super::zobrist;
use crate::types::{Bitboard, ByColor, Color, Hand, Move, Piece, PieceKind, Square};

/// Keys, check information and the last move. Repetition reads the first fields of many states, so they
/// share a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateInfo {
    pub(super) board_key: u64,
    pub(super) hand_key: u64,
    /// The hand of the side to move: determines the position together with `board_key`.
    pub(super) hand: Hand,
    /// Plies since the last null move, or since the start position (Stockfish: `pliesFromNull`).
    pub(super) plies_from_null: u16,
    /// Consecutive checks by each side up to now, counted in its own moves (YaneuraOu: `continuousCheck`, in plies).
    pub(super) continuous_checks: ByColor<u16>,
    /// Earlier occurrences of this position, counted back until a gap of more than the window of the search.
    pub(super) earlier_occurrences: u8,
    /// Plies since the same board last occurred, within the window of the search; 0 if it did not.
    pub(super) same_board_plies: u8,
    pub(super) captured: Option<Piece>,
    /// The move that led here.
    pub(super) mv: Move,
    pub(super) pawn_key: u64,
    pub(super) minor_key: u64,
    pub(super) non_pawn_key: ByColor<u64>,
    pub(super) checkers: Bitboard,
    /// Pieces of either side that are the only piece between that king and an enemy slider.
    pub(super) blockers: ByColor<Bitboard>,
}

impl StateInfo {
    /// Adds or removes a piece on the board in all keys.
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

    /// Updates the key for a hand whose count of a kind changes from `before` to `after`.
    #[inline(always)]
    pub(super) fn change_hand(&mut self, color: Color, kind: PieceKind, before: u32, after: u32) {
        self.hand_key ^= zobrist::hand(color, kind, before) ^ zobrist::hand(color, kind, after);
    }
}
