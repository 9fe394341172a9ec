//! The lines of a text with their numbers, from 1, with the line ends of any system.

use std::io::{self, BufRead};

/// The line ends of a text: `\n`, also after `\r`, or on old systems `\r` alone.
///
/// # Errors
/// I/O errors.
pub(super) fn line_end(mut text: impl BufRead) -> io::Result<u8> {
    loop {
        let chunk = text.fill_buf()?;
        if chunk.is_empty() {
            return Ok(b'\r');
        }
        if chunk.contains(&b'\n') {
            return Ok(b'\n');
        }
        let length = chunk.len();
        text.consume(length);
    }
}

/// The lines of a text, which is UTF-8.
pub(super) struct TextLines<T> {
    text: T,
    end: u8,
    line: Vec<u8>,
    number: usize,
    is_over: bool,
}

impl<T: BufRead> TextLines<T> {
    pub(super) fn new(text: T, end: u8) -> TextLines<T> {
        TextLines { text, end, line: Vec::new(), number: 0, is_over: false }
    }

    /// The next line. A text that ends with a line end has an empty last line.
    ///
    /// # Errors
    /// I/O errors.
    pub(super) fn next(&mut self) -> io::Result<Option<(usize, &str)>> {
        if self.is_over {
            return Ok(None);
        }
        self.line.clear();
        self.text.read_until(self.end, &mut self.line)?;
        self.is_over = self.line.pop_if(|last| *last == self.end).is_none();
        self.number += 1;
        let line = std::str::from_utf8(&self.line).expect("the text is UTF-8, split at ASCII");
        let line = if self.number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        Ok(Some((self.number, line.trim_end_matches('\r'))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, String)> {
        let mut lines = TextLines::new(text.as_bytes(), line_end(text.as_bytes()).unwrap());
        let next = || lines.next().unwrap().map(|(number, line)| (number, line.to_owned()));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_have_the_ends_of_any_system() {
        let expected = [(1, "a".into()), (2, String::new()), (3, "b".into()), (4, String::new())];
        for text in ["a\n\nb\n", "a\r\n\r\nb\r\n", "\u{feff}a\r\r\n\nb\r\n", "a\r\rb\r"] {
            assert_eq!(lines(text), expected, "{text:?}");
        }
        assert_eq!(lines(""), [(1, String::new())]);
        assert_eq!(lines("a\nb"), [(1, "a".into()), (2, "b".into())]);
    }
}
