//! The board and the rules: state, moves done and undone, attacks, generation, legality, endings.
//!
//! A [`Position`] owns its whole game history, so repetition needs nothing else. It knows nothing
//! of evaluation: doing a move returns a plain [`Delta`] that whoever keeps sums may apply.
//!
//! ```
//! use kawasemi::position::Position;
//! let mut position = Position::startpos();
//! position.try_play("7g7f".parse().unwrap()).unwrap();
//! assert!(position.try_play("7g7f".parse().unwrap()).is_err());
//! assert_eq!(position.legal_moves().len(), 30);
//! ```

mod attack_counts;
pub mod attacks;
mod check_squares;
mod declaration;
mod delta;
mod diagram;
mod legality;
mod mate1;
pub mod movegen;
pub mod packed;
mod play;
mod repetition;
mod see;
mod setup;
pub mod sfen;
mod state;
mod validate;
mod zobrist;

pub use attack_counts::AttackCounts;
pub use check_squares::CheckSquares;
pub use declaration::EnteringKingRule;
pub use delta::{Change, Delta, Spot};
pub use legality::IllegalMove;
pub use movegen::{MoveList, ScoredMove};
pub use repetition::Repetition;
pub use see::{exchange_value, is_out_of_reach};
pub use setup::Setup;
pub use sfen::SfenError;
pub use validate::IllegalSetup;

use crate::types::{Bitboard, ByColor, Color, Hand, Move, Piece, PieceKind, Square};
use state::State;

/// Slot of `by_kind` for all pieces.
const OCCUPIED: usize = 0;
/// Slot of `by_kind` for gold and the promoted kinds that move like it.
const GOLDS: usize = 15;

/// A position with the history that led to it.
#[derive(Clone, Debug)]
pub struct Position {
    board: [Option<Piece>; 81],
    /// By kind, with all pieces in slot 0 and all golds in slot 15.
    by_kind: [Bitboard; 16],
    by_color: ByColor<Bitboard>,
    hands: ByColor<Hand>,
    kings: ByColor<Option<Square>>,
    side: Color,
    /// Number of the next move, as SFEN counts.
    ply: u32,
    /// One for the initial position and one for each move since; the last is the present.
    states: Vec<State>,
}

impl Position {
    /// The start of a game without handicap.
    pub fn startpos() -> Position {
        Position::from_valid(&Setup::startpos())
    }

    /// A position to start from.
    ///
    /// # Errors
    /// What no sequence of moves leads to, even with pieces taken off: see [`IllegalSetup`].
    pub fn from_setup(setup: &Setup) -> Result<Position, IllegalSetup> {
        validate::check(setup)?;
        let position = Position::from_valid(setup);
        match position.king(!position.side) {
            Some(king)
                if !position.attackers(position.side, king, position.occupied()).is_empty() =>
            {
                Err(IllegalSetup::OpponentInCheck)
            }
            _ => Ok(position),
        }
    }

    /// A position from its SFEN.
    ///
    /// # Errors
    /// What is wrong with the text and where, or why the position cannot be.
    pub fn from_sfen(text: &str) -> Result<Position, SfenError> {
        let setup: Setup = text.parse()?;
        Position::from_setup(&setup).map_err(SfenError::Illegal)
    }

    /// The present as canonical SFEN.
    pub fn to_sfen(&self) -> String {
        self.setup().to_string()
    }

    fn from_valid(setup: &Setup) -> Position {
        let mut position = Position {
            board: [None; 81],
            by_kind: [Bitboard::EMPTY; 16],
            by_color: ByColor::default(),
            hands: setup.hands,
            kings: ByColor::default(),
            side: setup.side,
            ply: setup.ply,
            states: Vec::with_capacity(512),
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
                if piece.kind() == PieceKind::King {
                    position.kings[piece.color()] = Some(square);
                }
            }
        }
        let state = position.initial_state();
        position.states.push(state);
        position
    }

    /// The present as a plain value, without the history.
    pub fn setup(&self) -> Setup {
        Setup { board: self.board, hands: self.hands, side: self.side, ply: self.ply }
    }

    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Number of the next move, as SFEN counts: 1 at the start.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Where the king stands; mate problems may lack one.
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

    /// Golds and what moves like one.
    #[inline(always)]
    pub fn golds(&self, color: Color) -> Bitboard {
        self.by_kind[GOLDS] & self.by_color[color]
    }

    #[inline(always)]
    pub(crate) fn kind(&self, kind: PieceKind) -> Bitboard {
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

    /// Pieces of either side that alone stand between the king of `color` and a slider of the
    /// other side.
    #[inline(always)]
    pub fn blockers(&self, color: Color) -> Bitboard {
        self.state().blockers[color]
    }

    /// The whole position: board, both hands, side to move (bit 0).
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state().board_key ^ self.state().hand_key
    }

    /// The key of the position so many plies before this one, if the history goes back so far.
    pub fn key_before(&self, plies: usize) -> Option<u64> {
        self.states.iter().nth_back(plies).map(|state| state.board_key ^ state.hand_key)
    }

    /// Board and side to move, without the hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.state().board_key
    }

    /// Both hands.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.state().hand_key
    }

    /// The unpromoted pawns of both sides.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.state().pawn_key
    }

    /// Lances, knights, silvers, golds, what is promoted of them, and the kings.
    #[inline(always)]
    pub fn minor_key(&self) -> u64 {
        self.state().minor_key
    }

    /// Everything on the board of this side but unpromoted pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.state().non_pawn_key[color]
    }

    /// The piece the last move captured.
    #[inline(always)]
    pub fn captured(&self) -> Option<Piece> {
        self.state().captured
    }

    /// The moves from the initial position of the history to this one, null moves included.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.states.iter().skip(1).map(|state| state.mv)
    }

    /// The piece that stands on the destination after the move. The move must be pseudo-legal.
    #[inline(always)]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        if mv.is_drop() {
            return Piece::new(self.side, mv.dropped());
        }
        let piece = self.moving_piece(mv);
        if mv.is_promotion() { piece.promote() } else { piece }
    }

    /// The piece as it stands before a board move. The move must be pseudo-legal.
    #[inline(always)]
    fn moving_piece(&self, mv: Move) -> Piece {
        self.board[mv.from().index()].expect("a legal move starts at a piece")
    }

    /// The kind of the piece that makes the move, as it is before. The move must be pseudo-legal.
    #[inline(always)]
    pub fn mover(&self, mv: Move) -> PieceKind {
        if mv.is_drop() { mv.dropped() } else { self.moving_piece(mv).kind() }
    }

    /// Whether the move takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.by_kind[OCCUPIED].contains(mv.to())
    }

    /// The pieces of `color` that attack `square` on the given occupation.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let near = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let steps = attacks::pawn(!color, square) & kind(PieceKind::Pawn)
            | attacks::knight(!color, square) & kind(PieceKind::Knight)
            | attacks::silver(!color, square) & kind(PieceKind::Silver)
            | attacks::gold(!color, square) & self.by_kind[GOLDS]
            | attacks::king(square) & near;
        // Hardly a square is on more than one line: looking along it beats computing all lines.
        let sees = |&sniper: &Square| !attacks::between(square, sniper).intersects(occupied);
        let snipers = self.snipers(color, square).into_iter().filter(sees);
        snipers.fold(steps & self.by_color[color], Bitboard::with)
    }

    /// The sliders of `color` that would attack `square` on an empty board.
    #[inline(always)]
    fn snipers(&self, color: Color, square: Square) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let diagonal = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let straight = kind(PieceKind::Rook) | kind(PieceKind::Dragon);
        let lines = attacks::diagonals(square) & diagonal
            | attacks::orthogonals(square) & straight
            | attacks::lance_ray(!color, square) & kind(PieceKind::Lance);
        lines & self.by_color[color]
    }

    #[inline(always)]
    fn state(&self) -> &State {
        self.states.last().expect("there is always a present state")
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = Some(piece);
        self.toggle(piece, Bitboard::from_square(square));
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = None;
        self.toggle(piece, Bitboard::from_square(square));
    }

    /// Puts a piece from one square to another, as the piece it is there.
    #[inline(always)]
    fn shift(&mut self, (before, from): (Piece, Square), (after, to): (Piece, Square)) {
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

    /// Enters or removes a piece on some squares in all sets.
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
