//! Recognises lines of the notations other than KIF.

/// Whether the text after a bracket can be JSON, not a title or a memo.
pub(super) fn opens_json(line: &str) -> bool {
    let behind = line[1..].trim_start();
    behind.is_empty() || behind.starts_with(['{', '[', '"', ']', '}'])
}

pub(super) fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'V', b'1'..=b'9', ..] | [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-', ..] => true,
        [b'P', b'1'..=b'9', b' ' | b'+' | b'-', ..] | [b'$' | b'%', b'A'..=b'Z', ..] => true,
        [b'+' | b'-'] => true,
        [b'+' | b'-', digits @ ..] => {
            digits.iter().take(4).filter(|b| b.is_ascii_digit()).count() == 4
        }
        _ => false,
    }
}

/// Whether a line begins like a game or a position in USI notation.
pub(super) fn is_usi(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("position" | "startpos" | "sfen" | "moves") => true,
        Some(word) => word.matches('/').count() == 8 && words.next().is_some(),
        None => false,
    }
}

/// Whether [`detect`](super::format::detect) takes a text that begins with this line for another
/// notation than KIF. Not for lines that begin with a side mark, `#`, `*` or `&`.
pub(super) fn is_of_other_notation(line: &str) -> bool {
    line.starts_with('\'')
        || line.starts_with(['{', '[']) && opens_json(line)
        || is_usi(line)
        || is_csa(line)
}
