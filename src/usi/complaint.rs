//! What is said of lines that cannot be obeyed, in the same words by all who speak with a GUI.

use super::reader::LONGEST_LINE;
use crate::engine::MoveListError;
use crate::position::SfenError;

/// Of a `go` after a position that was refused, or has not been read to its end.
pub(crate) const NO_SEARCH: &str = "no search: the position of the GUI is not known";

/// Of a line that the reader has cut.
pub(crate) fn line_too_long() -> String {
    format!("a line of more than {} MiB was ignored", LONGEST_LINE >> 20)
}

/// Of a start that makes no position.
pub(crate) fn start_refused(error: &SfenError) -> String {
    format!("position refused: {error}; the position before stands")
}

/// Of a move that cannot be played.
pub(crate) fn move_refused(refused: &MoveListError) -> String {
    format!("{refused}; the position before that move stands")
}
