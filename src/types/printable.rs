//! Sanitises foreign text for a message, a terminal, a log or a line of a protocol.

use std::borrow::Cow;

/// Maximum number of characters of an excerpt.
const MAX_CHARS: usize = 60;

/// A text in any encoding as one line that shows all that it contains: `?` instead of control characters, which could
/// move the cursor or begin another line, and of marks that change the order in which text is shown. A
/// tab or a line break becomes a space.
///
/// ```
/// use kawasemi::types::printable;
/// assert_eq!(printable("▲羽生\u{1b}[2J\tx"), "▲羽生?[2J x");
/// assert_eq!(printable(b"a\xe3b"), "a\u{fffd}b");
/// ```
pub fn printable<T: AsRef<[u8]> + ?Sized>(text: &T) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(text.as_ref());
    if !text.contains(is_hidden) {
        return text;
    }
    let shown = |c| match c {
        '\t' | '\n' => ' ',
        c if is_hidden(c) => '?',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// What a message quotes of a text in any encoding: its first 60 characters as [`printable`], and `...` if there are
/// more.
///
/// ```
/// use kawasemi::types::excerpt;
/// assert_eq!(excerpt("定跡"), "定跡");
/// assert_eq!(excerpt("定跡".repeat(31)), "定跡".repeat(30) + "...");
/// ```
pub fn excerpt(text: impl AsRef<[u8]>) -> String {
    let bytes = text.as_ref();
    // A character has at most four bytes.
    let text = printable(&bytes[..bytes.len().min(4 * MAX_CHARS + 4)]);
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

/// Control characters, line and paragraph separators, and the marks of bidirectional text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides_or_reorders_a_part_of_a_line() {
        for c in
            ['\0', '\r', '\x1b', '\x7f', '\u{85}', '\u{9b}', '\u{2028}', '\u{202e}', '\u{2069}']
        {
            assert_eq!(printable(&format!("a{c}b")), "a?b", "{c:?}");
        }
        assert_eq!(printable("a\tb\nc"), "a b c");
        assert!(matches!(printable("語 é ▲"), Cow::Borrowed("語 é ▲")));
    }

    /// Regression: a path in Japanese was shown as question marks.
    #[test]
    fn text_in_any_language_is_shown_as_far_as_it_is_utf_8() {
        assert_eq!(printable("a\u{3042}b\n\u{9f}".as_bytes()), "a\u{3042}b ?");
        assert_eq!(printable(b"a\xe3b\r"), "a\u{fffd}b?");
    }

    #[test]
    fn an_excerpt_ends_between_two_characters() {
        for c in ["x", "é", "語", "𠮷", "\u{fffd}"] {
            for length in [0, 1, MAX_CHARS - 1, MAX_CHARS, MAX_CHARS + 1, 5 * MAX_CHARS] {
                let text = c.repeat(length);
                let cut = c.repeat(MAX_CHARS) + "...";
                let shown = if length > MAX_CHARS { cut } else { text.clone() };
                assert_eq!(excerpt(text), shown);
            }
        }
        let invalid = vec![0xff_u8; 1 << 20];
        assert_eq!(excerpt(invalid), "\u{fffd}".repeat(MAX_CHARS) + "...");
    }
}
