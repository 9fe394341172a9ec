//! Sanitises foreign text for a terminal, a log or a line of a protocol.

use std::borrow::Cow;

/// The text as one line that shows all that it contains: `?` instead of control characters, which could
/// move the cursor or begin another line, and of marks that change the order in which text is shown. A
/// tab or a line break becomes a space.
///
/// ```
/// use kawasemi::sys::printable;
/// assert_eq!(printable("▲羽生\u{1b}[2J\tx"), "▲羽生?[2J x");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let shown = |c| match c {
        '\t' | '\n' => ' ',
        c if is_hidden(c) => '?',
        c => c,
    };
    text.chars().map(shown).collect()
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
}
