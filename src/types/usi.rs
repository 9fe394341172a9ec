//! Words and lines of the USI protocol that several layers read or write.

use std::fmt::{Display, Write};

use super::mv::Move;

/// An empty text as the value of an option.
pub const EMPTY: &str = "<empty>";

const RESULT_WORDS: [&str; 15] = [
    "resign", "win", "lose", "draw", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf",
    "timeout", "timeup", "break", "abort", "illegal", "none",
];

const RANGE: &[&[u8]] = &[b" min ", b" max "];
const CHOICES: &[&[u8]] = &[b" var "];
const ANY: &[&[u8]] = &[b" min ", b" max ", b" var "];

/// The default at the start of a text, which is the rest of an `option` line after `default`. `kind` is the type
/// of the option: numbers end before their range and choices before the list, while a text, such as a file name,
/// may contain any words. Without a type the value ends at the first of these words.
///
/// ```
/// use kawasemi::types::usi::option_default;
/// assert_eq!(option_default(b"spin", b"16 min 1 max 64"), b"16");
/// assert_eq!(option_default(b"string", b"a min b.bin"), b"a min b.bin");
/// ```
pub fn option_default<'a>(kind: &[u8], text: &'a [u8]) -> &'a [u8] {
    let ends = match kind {
        b"spin" => RANGE,
        b"combo" => CHOICES,
        b"" => ANY,
        _ => &[],
    };
    let position = |end: &&[u8]| text.windows(end.len()).position(|window| window == *end);
    let end = ends.iter().filter_map(position).min();
    text[..end.unwrap_or(text.len())].trim_ascii_end()
}

/// The value of an option, unless it is empty.
pub fn non_empty(value: &[u8]) -> Option<&[u8]> {
    let is_empty = value.is_empty() || value.eq_ignore_ascii_case(EMPTY.as_bytes());
    (!is_empty).then_some(value)
}

/// The `position` line of a game: its start position (`startpos` if `sfen` is `None`) and its moves.
///
/// ```
/// use kawasemi::types::usi::position_line;
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

/// Whether a word is the result of a game, which ShogiHome and others write after the moves of a position.
///
/// ```
/// use kawasemi::types::usi::is_result_word;
/// assert!(is_result_word("resign") && is_result_word(b"rep_draw") && !is_result_word("7g7f"));
/// ```
pub fn is_result_word(word: impl AsRef<[u8]>) -> bool {
    RESULT_WORDS.iter().any(|known| known.as_bytes() == word.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a file name with one of the words was cut, and a number before `max` was not.
    #[test]
    fn the_type_decides_where_a_default_ends() {
        let default = |kind: &str, text: &'static str| {
            str::from_utf8(option_default(kind.as_bytes(), text.as_bytes())).unwrap()
        };
        assert_eq!(default("spin", "5 min 1 max 9"), "5");
        assert_eq!(default("spin", "5  max 9 min 1"), "5");
        assert_eq!(default("combo", "a min b var a min b var c"), "a min b");
        assert_eq!(default("combo", " var c"), "");
        for kind in ["string", "filename"] {
            assert_eq!(default(kind, "my min 1 max 2 var 3.bin "), "my min 1 max 2 var 3.bin");
        }
        assert_eq!(default("check", "true "), "true");
        assert_eq!(default("", "5 var 1 min 9"), "5");
    }
}
