//! Legal move generation.
//!
//! Checks and pins are masks on the target squares, so legality costs little. Each stage is a set of target
//! squares for the same loop over the pieces. A [`MoveSink`] receives the targets: a list stores the moves, a
//! counter only counts them.

mod board;
mod check_mask;
mod checks;
mod drops;
mod generate;
mod move_list;
mod non_promotions;
mod scored_move;
mod sink;

pub use move_list::MoveList;
pub use non_promotions::NonPromotions;
pub use scored_move::ScoredMove;
pub use sink::MoveSink;
