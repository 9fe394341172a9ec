//! Foreign text in messages: reduced to ASCII and shortened, since a GUI may send megabytes of any
//! bytes, and some clients stop at the first byte outside ASCII.

/// Maximum number of bytes that a message quotes.
const MAX_QUOTED: usize = 60;

/// The text with `?` for every byte that is not printable ASCII.
pub(crate) fn ascii(bytes: &[u8]) -> String {
    let printable = |byte: &u8| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '?' };
    bytes.iter().map(printable).collect()
}

/// The text as [`ascii`], in quotation marks, shortened if it is long.
pub(crate) fn quote(bytes: &[u8]) -> String {
    match bytes.get(..MAX_QUOTED) {
        Some(head) if bytes.len() > MAX_QUOTED => format!("\"{}...\"", ascii(head)),
        _ => format!("\"{}\"", ascii(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_outside_ascii_are_not_shown() {
        assert_eq!(quote("a\u{3042}b\n".as_bytes()), "\"a???b?\"");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(quote(&[b'x'; 60]), format!("\"{}\"", "x".repeat(60)));
        assert_eq!(quote(&vec![b'x'; 1 << 20]), format!("\"{}...\"", "x".repeat(60)));
    }
}
