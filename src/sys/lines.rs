//! The lines of a pipe or a socket.

use std::io::{self, BufRead, BufReader, Read};

use crate::types::printable;

/// Bytes kept of a line.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Calls `take` with every line, without its line end, cut to 64 KiB and made [`printable`], since lines
/// go on to GUIs, terminals, logs and records. Invalid UTF-8 is replaced.
///
/// # Errors
/// A read error. An unfinished line is lost.
pub fn each_line(input: impl Read, mut take: impl FnMut(&str)) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let text = String::from_utf8_lossy(&line);
        take(&printable(text.trim_end_matches(['\r', '\n'])));
    }
    Ok(())
}

/// Reads up to a line feed; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        let room = MAX_LINE_BYTES.saturating_sub(line.len());
        line.extend_from_slice(&chunk[..used.min(room)]);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_invalid_utf8_is_read() {
        let mut bytes = b"readyok \xff\xfe\n".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE_BYTES * 2]);
        bytes.extend(b"\nusiok\n");
        let mut lines = Vec::new();
        each_line(&bytes[..], |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("readyok "));
        assert_eq!((lines[1].len(), lines[2].as_str()), (MAX_LINE_BYTES, "usiok"));
    }

    /// Regression: GUIs read a lone CR as the end of a line, and terminals obeyed escape sequences.
    #[test]
    fn control_characters_in_a_line_are_made_visible() {
        let bytes = "info string a\rbestmove 7g7f\x1b[2J\u{202e}\tb\r\n\rusiok\n";
        let mut lines = Vec::new();
        each_line(bytes.as_bytes(), |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines, ["info string a?bestmove 7g7f?[2J? b", "?usiok"]);
    }
}
