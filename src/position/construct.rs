//! Constructors: the initial position, a [`Setup`], an SFEN.

use super::board::Position;
use super::setup::Setup;
use super::sfen::SfenError;
use super::state::StateInfo;
use super::validate::{IllegalSetup, validate_setup};
use super::zobrist;
use crate::types::{Bitboard, ByColor, Color, Move, PieceKind, Square};

impl Position {
    /// The initial position: the start of an even game.
    pub fn startpos() -> Position {
        Position::from_valid(&Setup::startpos())
    }

    /// A position without history.
    ///
    /// # Errors
    /// If it cannot occur even in a mate problem: see [`IllegalSetup`].
    pub fn from_setup(setup: &Setup) -> Result<Position, IllegalSetup> {
        validate_setup(setup)?;
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
    /// A syntax error with its column, or why the position is illegal.
    pub fn from_sfen(text: &str) -> Result<Position, SfenError> {
        let setup: Setup = text.parse()?;
        Position::from_setup(&setup).map_err(SfenError::Illegal)
    }

    /// The current position as canonical SFEN.
    pub fn to_sfen(&self) -> String {
        self.setup().to_string()
    }

    fn from_valid(setup: &Setup) -> Position {
        let mut position = Position {
            board: [None; Square::COUNT],
            by_kind: [Bitboard::EMPTY; 16],
            by_color: ByColor::default(),
            hands: setup.hands,
            kings: ByColor::default(),
            side: setup.side,
            game_ply: setup.game_ply,
            states: Vec::with_capacity(512),
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put_piece(piece, square);
                if piece.kind() == PieceKind::King {
                    position.kings[piece.color()] = Some(square);
                }
            }
        }
        let state = position.initial_state();
        position.states.push(state);
        position
    }

    /// The state of a position without history, computed from scratch.
    pub(super) fn initial_state(&self) -> StateInfo {
        let mut state = StateInfo {
            board_key: if self.side == Color::White { zobrist::SIDE } else { 0 },
            hand_key: 0,
            hand: self.hands[self.side],
            plies_from_null: 0,
            continuous_checks: ByColor::default(),
            earlier_occurrences: 0,
            same_board_plies: 0,
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
}
