//! Recognises lines of the notations other than KIF.

use crate::position::is_separator;

/// Whether the text after a bracket can be JSON, not a title or a memo.
pub(super) fn opens_json(line: &str) -> bool {
    let after = line[1..].trim_start();
    after.is_empty() || after.starts_with(['{', '[', '"', ']', '}'])
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
    let mut words = line.split(is_separator).filter(|word| !word.is_empty());
    match words.next() {
        Some("position" | "startpos" | "sfen" | "moves") => true,
        Some(word) => is_board(word) && matches!(words.next(), Some("b" | "w")),
        None => false,
    }
}

/// Whether a word can be the board of an SFEN. Other texts with as many slashes are not positions.
fn is_board(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+');
    word.matches('/').count() == 8 && word.bytes().all(plain)
}

/// Whether [`detect`](super::reading::detect) recognises a text that begins with this line as another notation
/// than KIF. Not for lines that begin with a side mark, `#`, `*` or `&`.
pub(super) fn is_of_other_notation(line: &str) -> bool {
    line.starts_with('\'')
        || line.starts_with(['{', '[']) && opens_json(line)
        || is_usi(line)
        || is_csa(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usi_is_recognised_by_its_words_whatever_blanks_are_between_them() {
        for line in ["position startpos moves 7g7f", "9/9/9/9/9/9/9/9/9 b - 1"] {
            for blank in [" ", "\u{3000}", "\u{a0}"] {
                assert!(is_usi(&line.replace(' ', blank)), "{line} {blank:?}");
            }
        }
        assert!(!is_usi("positions of startpos"));
    }
}
