//! KIF and KI2, the notations of Kakinoki Shogi: the same head and diagrams, the same comments and
//! branches, but moves one a line with times, or many a line as people say them.

mod diagram;
mod read;
mod words;
mod write;

pub(super) use read::{is_move_line, read};
pub(super) use words::KifStyle;
pub(super) use write::write;
