//! The format of YaneuraOu's option files: one option on a line.
//!
//! A line is `Name value`, `Name=value`, or an `option` line of the USI protocol, whose default is the value.
//! Lines that begin with `#`, `//` or `;` are comments.

use std::io::{self, Read};
use std::path::Path;

use crate::sys;
use crate::types::message::{Message, message};
use crate::types::usi::option_default;

/// Maximum size in bytes, more than any such file has.
const MAX_BYTES: u64 = 64 << 10;

/// The message for an option file that cannot be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Message {
    let path = path.display();
    message!(
        "\"{path}\" cannot be read and is not used: {}",
        "「{path}」は読めないので使いません：{}";
        Message::from(error)
    )
}

/// The contents of the file.
///
/// # Errors
/// If it cannot be read, is not a regular file, or is too long.
pub(super) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    sys::open_regular(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let max_kib = MAX_BYTES >> 10;
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            message!("it has more than {max_kib} KiB", "{max_kib} KiBを超えています"),
        ));
    }
    Ok(bytes)
}

/// Name and value of each line that is not empty and no comment.
pub(super) fn assignments(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n' || byte == b'\r');
    lines.filter_map(|line| assignment(line.trim_ascii()))
}

/// Name and value of a line; `None` if it is empty or a comment.
fn assignment(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_comment = [&b"#"[..], b"//", b";"].iter().any(|mark| line.starts_with(mark));
    if line.is_empty() || is_comment {
        return None;
    }
    let (first, rest) = word(line);
    if first != b"option" {
        let end = line.iter().position(|&byte| byte == b'=' || byte.is_ascii_whitespace());
        let (name, value) = line.split_at(end.unwrap_or(line.len()));
        let value = value.trim_ascii();
        return Some((name, value.strip_prefix(b"=").unwrap_or(value).trim_ascii()));
    }
    let (label, rest) = word(rest);
    let (name, mut rest) = if label == b"name" { word(rest) } else { (label, rest) };
    let mut kind = &b""[..];
    while !rest.is_empty() {
        let (label, value) = word(rest);
        match label {
            b"type" => (kind, _) = word(value),
            b"default" => return Some((name, option_default(kind, value))),
            _ => {}
        }
        rest = value;
    }
    Some((name, b""))
}

/// The first word, and the text after it without leading spaces.
pub(super) fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_ascii())
}
