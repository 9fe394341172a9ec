//! The notations: names, detection, reading and writing.

use std::fmt;
use std::str::FromStr;

use super::encoding::{self, Encoding};
use super::error::{ConversionLosses, ReadWarning, RecordError, RecordErrorKind, WarningKind};
use super::game_builder::{self, ErrorPolicy, ParsedGames};
use super::game_record::GameRecord;
use super::header::HeaderKey;
use super::japanese_text;
use super::line_detection::{is_csa, is_usi, opens_json};
use super::{csa, jkf, kif, usi};
use crate::position::SfenError;

/// A notation of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// CSA, version 2.2.
    Csa,
    /// CSA, version 3.
    Csa3,
    Kif,
    Ki2,
    Jkf,
    /// `position startpos moves ...`, one game a line.
    Usi,
    /// One position a line.
    Sfen,
}

impl RecordFormat {
    pub const ALL: [RecordFormat; 7] = [
        RecordFormat::Csa,
        RecordFormat::Csa3,
        RecordFormat::Kif,
        RecordFormat::Ki2,
        RecordFormat::Jkf,
        RecordFormat::Usi,
        RecordFormat::Sfen,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            RecordFormat::Csa => "csa",
            RecordFormat::Csa3 => "csa3",
            RecordFormat::Kif => "kif",
            RecordFormat::Ki2 => "ki2",
            RecordFormat::Jkf => "jkf",
            RecordFormat::Usi => "usi",
            RecordFormat::Sfen => "sfen",
        }
    }

    /// The notation and the usual encoding for a file extension. `.sfen` files contain games too, one
    /// a line.
    pub fn of_extension(extension: &str) -> Option<(RecordFormat, Encoding)> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "csa" => (RecordFormat::Csa, Encoding::ShiftJis),
            "kif" => (RecordFormat::Kif, Encoding::ShiftJis),
            "kifu" => (RecordFormat::Kif, Encoding::Utf8),
            "ki2" => (RecordFormat::Ki2, Encoding::ShiftJis),
            "ki2u" => (RecordFormat::Ki2, Encoding::Utf8),
            "jkf" | "json" => (RecordFormat::Jkf, Encoding::Utf8),
            "sfen" | "usi" | "txt" => (RecordFormat::Usi, Encoding::Utf8),
            _ => return None,
        })
    }

    /// Whether other programs expect several games in one file.
    pub const fn holds_many(self) -> bool {
        !matches!(self, RecordFormat::Kif | RecordFormat::Ki2 | RecordFormat::Jkf)
    }
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the formats are {}", RecordFormat::ALL.map(RecordFormat::name).join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for RecordFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<RecordFormat, UnknownFormat> {
        RecordFormat::ALL.into_iter().find(|format| format.name() == text).ok_or(UnknownFormat)
    }
}

/// Detects the notation of a text.
pub fn detect(text: &str) -> Option<RecordFormat> {
    let mut japanese = false;
    for (_, line) in game_builder::lines(text) {
        let line = line.trim_matches(|c: char| c.is_whitespace());
        match line.chars().next() {
            None => {}
            Some('{' | '[') if opens_json(line) => return Some(RecordFormat::Jkf),
            Some('\'') => return Some(RecordFormat::Csa),
            _ if line.starts_with("#KIF") || line.starts_with("手数-") => {
                return Some(RecordFormat::Kif);
            }
            Some('#' | '*' | '&') => {}
            Some(c) if japanese_text::is_mark(c) => return Some(RecordFormat::Ki2),
            _ if kif::is_move_line(line) => return Some(RecordFormat::Kif),
            _ if is_usi(line) => return Some(RecordFormat::Usi),
            _ if is_csa(line) => return Some(RecordFormat::Csa),
            Some('|' | '｜') => japanese = true,
            _ => japanese |= is_japanese_header(line),
        }
    }
    japanese.then_some(RecordFormat::Kif)
}

fn is_japanese_header(line: &str) -> bool {
    let known = |name: &str| name.contains('手') || HeaderKey::of_kif(name).is_known();
    line.split_once(['：', ':']).is_some_and(|(name, _)| known(name))
}

/// Reads a text in a known notation.
///
/// # Errors
/// The first invalid line and its error; under [`ErrorPolicy::KeepBefore`] only what
/// makes the whole text unreadable.
pub fn read(
    text: &str,
    format: RecordFormat,
    policy: ErrorPolicy,
) -> Result<ParsedGames, RecordError> {
    match format {
        RecordFormat::Csa | RecordFormat::Csa3 => csa::read(text, policy),
        RecordFormat::Kif | RecordFormat::Ki2 => kif::read(text, policy),
        RecordFormat::Jkf => jkf::read(text, policy),
        RecordFormat::Usi | RecordFormat::Sfen => usi::read(text, policy),
    }
}

/// Reads a file. Detects its encoding and notation; `expected` is the notation if it cannot be
/// detected, as in an empty file.
///
/// ```
/// use kawasemi::record::{ErrorPolicy, read_bytes};
/// let (format, reading) = read_bytes("手合割：香落ち\n   1 ３四歩(33)\n".as_bytes(), None, ErrorPolicy::Refuse).unwrap();
/// assert_eq!((format.name(), reading.games[0].main_moves().count()), ("kif", 1));
/// let error = read_bytes(b"PI\n+\n+7775FU\n", None, ErrorPolicy::Refuse).unwrap_err();
/// assert_eq!(error.to_string(), "line 3: move 1, `+7775FU`: the piece does not move that way");
/// ```
///
/// # Errors
/// As [`read`], or an unknown notation.
pub fn read_bytes(
    bytes: &[u8],
    expected: Option<RecordFormat>,
    policy: ErrorPolicy,
) -> Result<(RecordFormat, ParsedGames), RecordError> {
    let (text, damaged) = encoding::decode(bytes);
    let unknown = RecordError { line: 1, kind: RecordErrorKind::UnknownFormat };
    // A file with NUL bytes is not text, whatever its name.
    let expected = expected.filter(|_| !text.contains('\0'));
    let detected = detect(&text);
    let format = detected.or(expected).ok_or_else(|| unknown.clone())?;
    let is_no_board = |error: &RecordError| {
        matches!(error.kind, RecordErrorKind::Sfen(SfenError::NotABoard { .. }))
    };
    let mut reading = read(&text, format, policy).map_err(|error| {
        // Any text may be in a file that is called .txt, like a list of positions.
        if detected.is_none() && is_no_board(&error) { unknown } else { error }
    })?;
    if damaged {
        reading.warnings.insert(0, ReadWarning { line: 0, kind: WarningKind::Bytes });
    }
    Ok((format, reading))
}

/// Writes games as text, and counts what the notation cannot hold. The encoding is only named in the
/// text, where the notation does so.
pub fn write(
    games: &[GameRecord],
    format: RecordFormat,
    encoding: Encoding,
) -> (String, ConversionLosses) {
    let (mut text, mut losses) = (String::new(), ConversionLosses::default());
    for game in games {
        let (text, losses) = (&mut text, &mut losses);
        match format {
            RecordFormat::Csa => csa::write(game, csa::CsaVersion::V2, encoding, text, losses),
            RecordFormat::Csa3 => csa::write(game, csa::CsaVersion::V3, encoding, text, losses),
            RecordFormat::Kif => kif::write(game, kif::KifStyle::Kif, encoding, text, losses),
            RecordFormat::Ki2 => kif::write(game, kif::KifStyle::Ki2, encoding, text, losses),
            RecordFormat::Jkf => jkf::write(game, text, losses),
            RecordFormat::Usi => usi::write_game(game, text, losses),
            RecordFormat::Sfen => usi::write_position(game, text, losses),
        }
    }
    (text, losses)
}

/// Writes games as an encoded file.
pub fn write_bytes(
    games: &[GameRecord],
    format: RecordFormat,
    encoding: Encoding,
) -> (Vec<u8>, ConversionLosses) {
    let (text, mut losses) = write(games, format, encoding);
    (encoding::encode(&text, encoding, &mut losses), losses)
}
