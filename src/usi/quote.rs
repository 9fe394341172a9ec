//! Text from outside, made fit to be shown: ASCII only, and never long.
//!
//! A GUI may send any bytes and megabytes of them; what goes back is read by clients that stop at
//! the first byte outside ASCII.

/// Most characters of foreign text that a message repeats.
const LONGEST: usize = 60;

/// The text with every byte that is not printable ASCII replaced by `?`.
pub(crate) fn ascii(bytes: &[u8]) -> String {
    let printable = |byte: &u8| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '?' };
    bytes.iter().map(printable).collect()
}

/// The text for use in a message: as [`ascii`], in quotation marks, and cut where it is long.
pub(crate) fn quote(bytes: &[u8]) -> String {
    match bytes.get(..LONGEST) {
        Some(head) if bytes.len() > LONGEST => format!("\"{}...\"", ascii(head)),
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
