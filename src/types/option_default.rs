//! Where the default value of a USI `option` line ends.

const RANGE: &[&[u8]] = &[b" min ", b" max "];
const CHOICES: &[&[u8]] = &[b" var "];
const ANY: &[&[u8]] = &[b" min ", b" max ", b" var "];

/// The default at the start of a text, which is the rest of an `option` line after `default`. `kind` is the type
/// of the option: numbers end before their range and choices before the list, while a text, such as a file name,
/// may contain any words. Without a type the value ends at the first of these words.
///
/// ```
/// use kawasemi::types::option_default;
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
