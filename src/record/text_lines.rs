//! The lines of a text with their numbers, from 1.
//!
//! A line ends with LF, also after CRs, or on old systems with CR alone. A text may mix them: editors and joined files
//! do. Where only few CRs are alone they end no line: text boxes of Windows break the lines of comments with them.

use std::io::{self, BufRead};

/// The line ends of a text, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEnds {
    line_feeds: usize,
    /// CRs without an LF directly after them.
    lone_returns: usize,
}

impl LineEnds {
    pub(super) fn of(text: &str) -> LineEnds {
        let mut ends = LineEnds::default();
        ends.add(text);
        ends
    }

    /// Counts those of the next part of a text.
    pub(super) fn add(&mut self, part: &str) {
        self.line_feeds += part.matches('\n').count();
        self.lone_returns += part.matches('\r').count() - part.matches("\r\n").count();
    }

    /// Whether CR alone ends a line: not if that is rare.
    fn include_returns(self) -> bool {
        self.lone_returns * 4 >= self.line_feeds
    }
}

/// The lines of a text, which is UTF-8.
pub(super) struct TextLines<T> {
    text: T,
    /// Whether CR alone ends a line.
    ends_at_return: bool,
    line: Vec<u8>,
    number: usize,
    /// The empty lines that follow the last one, between CRs.
    empty_lines: usize,
    is_over: bool,
}

impl<T: BufRead> TextLines<T> {
    pub(super) fn new(text: T, ends: LineEnds) -> TextLines<T> {
        TextLines {
            text,
            ends_at_return: ends.include_returns(),
            line: Vec::new(),
            number: 0,
            empty_lines: 0,
            is_over: false,
        }
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
        if self.empty_lines > 0 {
            self.empty_lines -= 1;
        } else {
            let ends = self.read_line()?;
            self.is_over = ends == 0;
            self.empty_lines = ends.saturating_sub(1);
        }
        self.number += 1;
        let line = std::str::from_utf8(&self.line).expect("the text is UTF-8, split at ASCII");
        // Each of several joined files may begin with a byte order mark, and `copy` of Windows ends them with Ctrl+Z.
        let line = line.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
        Ok(Some((self.number, line)))
    }

    /// Reads a line with all CRs after it. Returns the number of line ends, 0 at the end of the text.
    fn read_line(&mut self) -> io::Result<usize> {
        let mut returns = 0;
        loop {
            let chunk = self.text.fill_buf()?;
            let used = match chunk.first() {
                None => return Ok(returns),
                Some(b'\n') => {
                    self.text.consume(1);
                    return Ok(1);
                }
                Some(b'\r') => {
                    returns += 1;
                    1
                }
                Some(_) if returns > 0 && self.ends_at_return => return Ok(returns),
                Some(_) => {
                    self.line.extend(std::iter::repeat_n(b'\r', returns));
                    returns = 0;
                    let end = chunk.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                    let used = end.unwrap_or(chunk.len());
                    self.line.extend_from_slice(&chunk[..used]);
                    used
                }
            };
            self.text.consume(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, String)> {
        let mut lines = TextLines::new(text.as_bytes(), LineEnds::of(text));
        let next = || lines.next().unwrap().map(|(number, line)| (number, line.to_owned()));
        std::iter::from_fn(next).collect()
    }

    /// Regression: one LF in a text of CRs made a single line of all before it, so that the game was lost.
    #[test]
    fn lines_have_the_ends_of_any_system_in_any_mixture() {
        let expected = [(1, "a".into()), (2, String::new()), (3, "b".into()), (4, String::new())];
        for text in [
            "a\n\nb\n",
            "a\r\n\r\nb\r\n",
            "\u{feff}a\r\r\n\nb\r\n",
            "a\r\rb\r",
            "a\r\rb\n",
            "a\n\rb\r\n",
        ] {
            assert_eq!(lines(text), expected, "{text:?}");
        }
        assert_eq!(lines(""), [(1, String::new())]);
        assert_eq!(lines("a\nb"), [(1, "a".into()), (2, "b".into())]);
        assert_eq!(lines("a\rb"), [(1, "a".into()), (2, "b".into())]);
    }

    /// Regression: the text after the CR was a line of its own.
    #[test]
    fn a_return_alone_ends_no_line_where_other_lines_end_otherwise() {
        let expected = ["a\rb", "c", "d", "e", "f", ""].map(String::from);
        let found = lines("a\rb\nc\r\nd\ne\nf\n");
        assert_eq!(found.into_iter().map(|(_, line)| line).collect::<Vec<_>>(), expected);
    }

    /// A byte at a time, as at the border of two chunks.
    #[test]
    fn a_line_end_in_two_chunks_is_one() {
        let text = "ab\r\nc\r";
        let bytes = io::BufReader::with_capacity(1, text.as_bytes());
        let mut lines = TextLines::new(bytes, LineEnds::of(text));
        for expected in ["ab", "c", ""] {
            assert_eq!(lines.next().unwrap().unwrap().1, expected);
        }
        assert!(lines.next().unwrap().is_none());
    }
}
