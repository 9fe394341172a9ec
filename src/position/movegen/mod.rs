//! Legal move generation.
//!
//! Checks and pins are masks on the target squares, so legality costs little. Each stage is a set of
//! target squares for the same walk over the pieces. What is done with the target
//! sets is up to a [`MoveSink`]: a list writes the moves out, a counter only counts them.

mod board;
mod check_mask;
mod checks;
mod drops;
mod generate;
mod move_list;
mod promotions;
mod scored_move;
mod sink;

pub use move_list::MoveList;
pub use promotions::Promotions;
pub use scored_move::ScoredMove;
pub use sink::MoveSink;
