//! Foreign text, in which a GUI may send any bytes, as text that can be shown.

use std::borrow::Cow;

use crate::types;

/// The text on one line of UTF-8, as [`types::printable`].
pub fn printable(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => types::printable(text),
        Cow::Owned(text) => Cow::Owned(types::printable(&text).into_owned()),
    }
}

/// The text with `?` for every character that is not printable ASCII.
pub fn ascii(bytes: &[u8]) -> String {
    let printable = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    String::from_utf8_lossy(bytes).chars().map(printable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a path in Japanese was shown as question marks.
    #[test]
    fn text_in_any_language_is_shown_and_control_characters_are_not() {
        assert_eq!(printable("a\u{3042}b\n\u{9f}".as_bytes()), "a\u{3042}b ?");
        assert_eq!(printable(b"a\xe3b\r"), "a\u{fffd}b?");
        assert_eq!(ascii("a\u{3042}b\n".as_bytes()), "a?b?");
    }

    /// Regression: a mark of bidirectional text in a path reordered the rest of the message.
    #[test]
    fn marks_that_reorder_text_are_not_shown() {
        assert_eq!(printable("a\u{2067}b".as_bytes()), "a?b");
    }
}
