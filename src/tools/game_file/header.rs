//! The header of a game file: the format and how the games were made.

use std::fmt;

/// The first bytes of every game file.
pub(super) const MAGIC: [u8; 8] = *b"KWSGAMES";
const VERSION: u32 = 1;
/// Size of magic, version and length of the text.
pub(super) const FIXED_BYTES: usize = 16;
/// Size of the checksum after the text.
pub(super) const CHECKSUM_BYTES: usize = 4;
const MAX_TEXT_BYTES: usize = 64 << 10;

/// How the games of a file were made: lines of `key=value`, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFileHeader {
    entries: Vec<(String, String)>,
}

/// Why a header cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// The magic is missing.
    NotAGameFile,
    Version(u32),
    /// The file ends within the header.
    Truncated,
    /// The checksum is wrong.
    Damaged,
    /// The line with this number, from 1, is not `key=value`.
    Line(usize),
    TooLong(usize),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::NotAGameFile => f.write_str(
                "it is not a game file; `selfplay convert` makes one of positions (.psv, .bin, \
                 .hcpe) or game records",
            ),
            HeaderError::Version(version) => {
                write!(f, "it has format version {version}; only version {VERSION} is supported")
            }
            HeaderError::Truncated => f.write_str("it ends within its header"),
            HeaderError::Damaged => f.write_str("its header is damaged"),
            HeaderError::Line(line) => write!(f, "line {line} of its header is not key=value"),
            HeaderError::TooLong(bytes) => {
                write!(f, "a header of {bytes} bytes is longer than {MAX_TEXT_BYTES}")
            }
        }
    }
}

impl std::error::Error for HeaderError {}

impl fmt::Display for GameFileHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|(key, value)| writeln!(f, "{key}={value}"))
    }
}

impl GameFileHeader {
    pub fn new() -> GameFileHeader {
        GameFileHeader::default()
    }

    /// Adds a line. Line breaks in the value become spaces.
    ///
    /// # Panics
    /// If the key is empty, or has `=` or a control character in it.
    pub fn set(&mut self, key: &str, value: impl ToString) {
        assert!(is_key(key), "{key:?} is no key");
        let value = value.to_string().replace(['\n', '\r'], " ");
        self.entries.push((key.into(), value));
    }

    /// The value of the first line with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries().find(|&(known, _)| known == key).map(|(_, value)| value)
    }

    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The bytes at the beginning of a file.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        let text = self.to_string();
        if text.len() > MAX_TEXT_BYTES {
            return Err(HeaderError::TooLong(text.len()));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The size of the header that begins with these bytes.
    pub(super) fn length(fixed: &[u8]) -> Result<usize, HeaderError> {
        if !fixed.starts_with(&MAGIC) {
            return Err(if MAGIC.starts_with(fixed) {
                HeaderError::Truncated
            } else {
                HeaderError::NotAGameFile
            });
        }
        let number = |at: usize| -> Result<u32, HeaderError> {
            let bytes = fixed.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_le_bytes).ok_or(HeaderError::Truncated)
        };
        match (number(8)?, number(12)? as usize) {
            (VERSION, text) if text > MAX_TEXT_BYTES => Err(HeaderError::TooLong(text)),
            (VERSION, text) => Ok(FIXED_BYTES + text + CHECKSUM_BYTES),
            (version, _) => Err(HeaderError::Version(version)),
        }
    }

    /// Reads the header at the beginning of `bytes`.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<GameFileHeader, HeaderError> {
        let bytes = bytes.get(..GameFileHeader::length(bytes)?).ok_or(HeaderError::Truncated)?;
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(HeaderError::Damaged);
        }
        let text = std::str::from_utf8(&body[FIXED_BYTES..]).map_err(|_| HeaderError::Damaged)?;
        let entries = text.lines().enumerate().map(|(index, line)| {
            let pair = line.split_once('=').filter(|(key, _)| is_key(key));
            let (key, value) = pair.ok_or(HeaderError::Line(index + 1))?;
            Ok((key.to_owned(), value.to_owned()))
        });
        Ok(GameFileHeader { entries: entries.collect::<Result<_, _>>()? })
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && !key.contains(|c: char| c == '=' || c.is_control())
}
