//! The board and the rules: make and undo moves, attacks, move generation, legality, static exchange
//! evaluation, mate in one, repetition, declarations, SFEN, packed positions.
//!
//! A [`Position`] owns its whole game history, which repetition needs. It knows nothing of evaluation:
//! making a move returns the [`DirtyPieces`] for the accumulators of the network.
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
mod board;
mod check_info;
mod check_squares;
mod construct;
mod declaration;
mod diagram;
mod dirty_pieces;
mod legality;
mod makemove;
mod mate_in_one;
pub mod movegen;
pub mod packed;
mod repetition;
mod see;
mod setup;
pub mod sfen;
mod state;
mod validate;
mod zobrist;

pub use attack_counts::AttackCounts;
pub use board::Position;
pub use check_squares::CheckSquares;
pub use declaration::EnteringKingRule;
pub use dirty_pieces::{DirtyPiece, DirtyPieces, PieceLocation};
pub use legality::IllegalMove;
pub use movegen::{MoveList, ScoredMove};
pub use repetition::Repetition;
pub use see::{is_safe_quiet, see_value};
pub use setup::Setup;
pub use sfen::{SfenError, is_separator};
pub use validate::IllegalSetup;
