//! KIF and KI2, the notations of Kakinoki Shogi. Headers, diagrams, comments and branches are the same;
//! KIF has one move per line with times, KI2 several moves per line without origin squares.

mod diagram;
mod endings;
mod lines;
mod read;
mod steps;
mod words;
mod write;

pub use diagram::kanji_diagram;
pub(super) use read::KifReader;
pub(super) use steps::is_move_line;
pub(super) use words::KifStyle;
pub(super) use write::write;
