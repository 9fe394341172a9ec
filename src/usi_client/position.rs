//! The `position` line.

use std::fmt::{Display, Write};

use crate::types::Move;

/// The line that tells an engine where a game stands: its start, which is the usual one without an
/// SFEN, and its moves.
///
/// ```
/// use kawasemi::usi_client::position_line;
/// let moves = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap());
/// assert_eq!(position_line(None, moves), "position startpos moves 7g7f 3c3d");
/// let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
/// assert_eq!(position_line(Some(&sfen), []), format!("position sfen {sfen}"));
/// ```
pub fn position_line(sfen: Option<&dyn Display>, moves: impl IntoIterator<Item = Move>) -> String {
    let mut line = match sfen {
        None => "position startpos".to_owned(),
        Some(sfen) => format!("position sfen {sfen}"),
    };
    for (nth, mv) in moves.into_iter().enumerate() {
        let before = if nth == 0 { " moves " } else { " " };
        let _ = write!(line, "{before}{mv}");
    }
    line
}
