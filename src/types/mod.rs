//! Basic types: colours, squares, pieces, hands, moves, bitboards, scores, random numbers, delays,
//! messages, sanitised text, archives, words and lines of USI.
//!
//! Plain values that need no board. This module imports no other.

mod archive;
mod bitboard;
mod color;
mod hand;
pub mod language;
pub mod message;
mod mv;
mod piece;
mod printable;
mod random;
mod recent_delays;
mod score;
mod square;
pub mod usi;

pub use archive::archive_format;
pub use bitboard::Bitboard;
pub use color::{ByColor, Color};
pub use hand::Hand;
pub use mv::{Move, ParseMoveError};
pub use piece::{Piece, PieceKind};
pub use printable::{excerpt, printable};
pub use random::{GOLDEN_RATIO, Random, mix64};
pub use recent_delays::RecentDelays;
pub use score::{Bound, MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};

/// A search depth in plies.
pub type Depth = i32;
