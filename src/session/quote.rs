//! Foreign text in messages: made printable and shortened, since a GUI may send megabytes of any bytes.

use std::borrow::Cow;

/// Maximum number of characters that a message quotes.
const MAX_QUOTED: usize = 60;

/// The text on one line of UTF-8, without control characters.
pub fn printable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains(char::is_control) { text.replace(char::is_control, "?").into() } else { text }
}

/// The text with `?` for every character that is not printable ASCII.
pub fn ascii(bytes: &[u8]) -> String {
    let printable = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    String::from_utf8_lossy(bytes).chars().map(printable).collect()
}

/// The text as [`printable`], in quotation marks, shortened if it is long.
pub fn quote(bytes: &[u8]) -> String {
    // A character has at most four bytes.
    let head = printable(&bytes[..bytes.len().min(4 * MAX_QUOTED + 4)]);
    match head.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("\"{}...\"", &head[..end]),
        None => format!("\"{head}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path in Japanese was shown as question marks.
    #[test]
    fn text_in_any_language_is_shown_and_control_characters_are_not() {
        assert_eq!(quote("a\u{3042}b\n\u{9f}".as_bytes()), "\"a\u{3042}b??\"");
        assert_eq!(quote(b"a\xe3b"), "\"a\u{fffd}b\"");
        assert_eq!(ascii("a\u{3042}b\n".as_bytes()), "a?b?");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(quote(&[b'x'; 60]), format!("\"{}\"", "x".repeat(60)));
        assert_eq!(quote(&vec![b'x'; 1 << 20]), format!("\"{}...\"", "x".repeat(60)));
        let wide = "\u{5c06}".repeat(1000);
        assert_eq!(quote(wide.as_bytes()), format!("\"{}...\"", "\u{5c06}".repeat(60)));
    }
}
