//! Messages about commands that cannot be executed, shared by the session and the cluster.

use super::reader::MAX_LINE_BYTES;
use crate::engine::MoveListError;
use crate::position::SfenError;

/// For a `go` after a position that was refused or cut off.
pub(crate) const NO_SEARCH: &str = "no search: the position of the GUI is not known";

/// For a line that exceeds the limit of the reader.
pub(crate) fn line_too_long() -> String {
    format!("a line of more than {} MiB was ignored", MAX_LINE_BYTES >> 20)
}

/// For an invalid SFEN.
pub(crate) fn start_refused(error: &SfenError) -> String {
    format!("position refused: {error}; the position before stands")
}

/// For an illegal move in a `position` command.
pub(crate) fn move_refused(refused: &MoveListError) -> String {
    format!("{refused}; the position before that move stands")
}
