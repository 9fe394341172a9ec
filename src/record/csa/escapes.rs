//! Line breaks in the header NOTE of version 3: `\n` is a line break and `\\` a backslash.

pub(super) fn escape(text: &str) -> String {
    text.replace('\\', r"\\").replace('\n', r"\n")
}

/// Other backslashes stay as they are, because not all programs escape.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|c| matches!(c, 'n' | '\\')) } else { None };
        plain.push(match escaped {
            Some('n') => '\n',
            _ => c,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_and_backslashes_come_back() {
        for (text, escaped) in [("a\nb", r"a\nb"), (r"C:\new", r"C:\\new"), ("\\\n", r"\\\n")] {
            assert_eq!(escape(text), escaped);
            assert_eq!(unescape(escaped), text);
        }
        for text in ["", "a", r"a\b", "\\"] {
            assert_eq!(unescape(text), text, "unknown escapes stay");
        }
    }
}
