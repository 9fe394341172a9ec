//! The position: board, hands, history, and bitboards by kind and colour.

use super::attacks;
use super::setup::Setup;
use super::state::StateInfo;
use crate::types::{Bitboard, ByColor, Color, Hand, Move, Piece, PieceKind, Square};

/// Index in `by_kind` of all pieces.
pub(super) const OCCUPIED: usize = 0;
/// Index in `by_kind` of golds and the promoted kinds that move like them.
pub(super) const GOLDS: usize = 15;

/// A position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) board: [Option<Piece>; Square::COUNT],
    /// By kind, with all pieces at index 0 and all gold movers at index 15.
    pub(super) by_kind: [Bitboard; 16],
    pub(super) by_color: ByColor<Bitboard>,
    pub(super) hands: ByColor<Hand>,
    pub(super) kings: ByColor<Option<Square>>,
    pub(super) side: Color,
    /// Number of the next move, as in SFEN.
    pub(super) game_ply: u32,
    /// One for the start position and one for each move; the last is current.
    pub(super) states: Vec<StateInfo>,
}

impl Position {
    /// The current position as a plain value, without history.
    pub fn setup(&self) -> Setup {
        Setup { board: self.board, hands: self.hands, side: self.side, game_ply: self.game_ply }
    }

    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Number of the next move, as in SFEN: 1 at the start.
    #[inline(always)]
    pub fn game_ply(&self) -> u32 {
        self.game_ply
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// The square of the king; mate problems may lack one.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_kind[OCCUPIED]
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    #[inline(always)]
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()] & self.by_color[color]
    }

    /// Golds and the promoted pieces that move like them.
    #[inline(always)]
    pub fn golds(&self, color: Color) -> Bitboard {
        self.by_kind[GOLDS] & self.by_color[color]
    }

    #[inline(always)]
    pub(crate) fn pieces_of_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// Pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state().checkers
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.state().checkers.is_empty()
    }

    /// Pieces of either side that are the only piece between the king of `color` and an enemy slider.
    #[inline(always)]
    pub fn blockers(&self, color: Color) -> Bitboard {
        self.state().blockers[color]
    }

    /// Hash key of the position: board, hands, side to move (bit 0).
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state().board_key ^ self.state().hand_key
    }

    /// The key of the position this many plies ago, if the history goes back that far.
    pub fn key_before(&self, plies: usize) -> Option<u64> {
        self.states.iter().nth_back(plies).map(|state| state.board_key ^ state.hand_key)
    }

    /// Hash key of board and side to move, without hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.state().board_key
    }

    /// Hash key of both hands.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.state().hand_key
    }

    /// Hash key of the unpromoted pawns of both sides.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.state().pawn_key
    }

    /// Hash key of lances, knights, silvers, golds, their promoted pieces, and kings.
    #[inline(always)]
    pub fn minor_key(&self) -> u64 {
        self.state().minor_key
    }

    /// Hash key of all pieces of this side on the board except unpromoted pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.state().non_pawn_key[color]
    }

    /// The piece that the last move captured.
    #[inline(always)]
    pub fn captured(&self) -> Option<Piece> {
        self.state().captured
    }

    /// The moves of the history, including null moves.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.states.iter().skip(1).map(|state| state.mv)
    }

    /// The piece on the destination after the move. The move must be pseudo-legal.
    #[inline(always)]
    pub fn moved_piece_after(&self, mv: Move) -> Piece {
        if mv.is_drop() {
            return Piece::new(self.side, mv.dropped());
        }
        let piece = self.moved_piece_before(mv);
        if mv.is_promotion() { piece.promote() } else { piece }
    }

    /// The piece before a board move. The move must be pseudo-legal.
    #[inline(always)]
    pub(super) fn moved_piece_before(&self, mv: Move) -> Piece {
        self.board[mv.from().index()].expect("a legal move starts at a piece")
    }

    /// The kind of the moving piece before the move. The move must be pseudo-legal.
    #[inline(always)]
    pub fn moved_kind_before(&self, mv: Move) -> PieceKind {
        if mv.is_drop() { mv.dropped() } else { self.moved_piece_before(mv).kind() }
    }

    /// Whether the piece could promote with this move, whether it does or not. The move must be
    /// pseudo-legal.
    pub fn may_promote(&self, mv: Move) -> bool {
        let zone = Bitboard::promotion_zone(self.side);
        !mv.is_drop()
            && self.moved_kind_before(mv).can_promote()
            && (zone.contains(mv.from()) || zone.contains(mv.to()))
    }

    /// Whether the move captures a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.by_kind[OCCUPIED].contains(mv.to())
    }

    /// The pieces of `color` that attack `square` with the given occupancy.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let near = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let steps = attacks::pawn(!color, square) & kind(PieceKind::Pawn)
            | attacks::knight(!color, square) & kind(PieceKind::Knight)
            | attacks::silver(!color, square) & kind(PieceKind::Silver)
            | attacks::gold(!color, square) & self.by_kind[GOLDS]
            | attacks::king(square) & near;
        // Few squares are on more than one line: checking that line is faster than all slider attacks.
        let sees = |&sniper: &Square| !attacks::between(square, sniper).intersects(occupied);
        let snipers = self.snipers(color, square).into_iter().filter(sees);
        snipers.fold(steps & self.by_color[color], Bitboard::with)
    }

    /// The sliders of `color` that would attack `square` on an empty board.
    #[inline(always)]
    pub(super) fn snipers(&self, color: Color, square: Square) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let diagonal = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let orthogonal = kind(PieceKind::Rook) | kind(PieceKind::Dragon);
        let lines = attacks::diagonals(square) & diagonal
            | attacks::orthogonals(square) & orthogonal
            | attacks::lance_ray(!color, square) & kind(PieceKind::Lance);
        lines & self.by_color[color]
    }

    #[inline(always)]
    pub(super) fn state(&self) -> &StateInfo {
        self.states.last().expect("there is always a current state")
    }

    #[inline(always)]
    pub(super) fn put_piece(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = Some(piece);
        self.toggle(piece, Bitboard::from_square(square));
    }

    #[inline(always)]
    pub(super) fn remove_piece(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = None;
        self.toggle(piece, Bitboard::from_square(square));
    }

    /// Moves a piece, which may change kind.
    #[inline(always)]
    pub(super) fn move_piece(
        &mut self,
        (before, from): (Piece, Square),
        (after, to): (Piece, Square),
    ) {
        self.board[from.index()] = None;
        self.board[to.index()] = Some(after);
        if after.kind() == PieceKind::King {
            self.kings[after.color()] = Some(to);
        }
        let (from, to) = (Bitboard::from_square(from), Bitboard::from_square(to));
        if before == after {
            self.toggle(before, from | to);
        } else {
            self.toggle(before, from);
            self.toggle(after, to);
        }
    }

    /// Adds or removes a piece on some squares in all bitboards.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        let kind = piece.kind();
        self.by_kind[OCCUPIED] ^= squares;
        self.by_kind[kind.index()] ^= squares;
        if kind.moves_like_gold() {
            self.by_kind[GOLDS] ^= squares;
        }
        self.by_color[piece.color()] ^= squares;
    }
}
