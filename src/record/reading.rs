//! Reads games in any notation, one by one, so that only one of them is in memory.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek};

use super::csa::CsaReader;
use super::decoding::{TextEncoding, head};
use super::error::{GameStreamError, ReadWarning, RecordError, RecordErrorKind, WarningKind};
use super::format::RecordFormat;
use super::game_builder::{ErrorPolicy, LineReader, ParsedGames};
use super::game_record::GameRecord;
use super::header::HeaderKey;
use super::japanese_text;
use super::jkf::JkfReader;
use super::kif::{self, KifReader};
use super::line_detection::{is_csa, is_usi, opens_json};
use super::text_lines::{LineEnds, TextLines};
use super::usi::UsiReader;
use crate::position::SfenError;
use crate::types::archive_format;

/// Detects the notation of a text.
pub fn detect(text: &str) -> Option<RecordFormat> {
    detect_in(text.as_bytes(), LineEnds::of(text)).expect(MEMORY).0
}

const MEMORY: &str = "reading from memory does not fail";

/// Detects the notation of a text. If there is none, also returns whether a character is NUL.
fn detect_in(text: impl BufRead, ends: LineEnds) -> io::Result<(Option<RecordFormat>, bool)> {
    let mut lines = TextLines::new(text, ends);
    let (mut is_japanese, mut has_nul) = (false, false);
    while let Some((_, line)) = lines.next()? {
        match format_of_line(line.trim()) {
            LineFormat::Certain(format) => return Ok((Some(format), false)),
            LineFormat::Japanese => is_japanese = true,
            LineFormat::Unknown => has_nul |= line.contains('\0'),
        }
    }
    Ok((is_japanese.then_some(RecordFormat::Kif), has_nul))
}

/// The notation that a line indicates.
enum LineFormat {
    Certain(RecordFormat),
    /// KIF or KI2.
    Japanese,
    Unknown,
}

fn format_of_line(line: &str) -> LineFormat {
    let format = match line.chars().next() {
        None => return LineFormat::Unknown,
        Some('{' | '[') if opens_json(line) => RecordFormat::Jkf,
        Some('\'') => RecordFormat::Csa,
        _ if line.starts_with("#KIF") || line.starts_with("手数-") => RecordFormat::Kif,
        Some('#' | '*' | '&') => return LineFormat::Unknown,
        Some(c) if japanese_text::is_mark(c) => RecordFormat::Ki2,
        _ if kif::is_move_line(line) => RecordFormat::Kif,
        _ if is_usi(line) => RecordFormat::Usi,
        _ if is_csa(line) => RecordFormat::Csa,
        Some('|' | '｜') => return LineFormat::Japanese,
        _ if is_japanese_header(line) => return LineFormat::Japanese,
        _ => return LineFormat::Unknown,
    };
    LineFormat::Certain(format)
}

fn is_japanese_header(line: &str) -> bool {
    let known = |name: &str| name.contains('手') || HeaderKey::of_kif(name).is_known();
    line.split_once(['：', ':']).is_some_and(|(name, _)| known(name))
}

/// Reads a text in a known notation.
///
/// # Errors
/// The first invalid line and its error; under [`ErrorPolicy::KeepPartial`] only what
/// makes the whole text unreadable.
pub fn read(
    text: &str,
    format: RecordFormat,
    policy: ErrorPolicy,
) -> Result<ParsedGames, RecordError> {
    let source = GameSource::new(text.as_bytes(), LineEnds::of(text), format, policy);
    let ready = VecDeque::new();
    GameStream { format, is_detected: true, source, ready }.collect_games()
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
    let stream = GameStream::open(Cursor::new(bytes), expected, policy).map_err(of_text)?;
    Ok((stream.format, stream.collect_games()?))
}

fn of_text(error: GameStreamError) -> RecordError {
    match error {
        GameStreamError::Record(error) => error,
        GameStreamError::Io(error) => unreachable!("{MEMORY}: {error}"),
    }
}

/// The games of a file one by one, as [`read_bytes`] reads them.
pub struct GameStream<'a> {
    format: RecordFormat,
    /// Whether the format was detected from the text, not from the name of the file.
    is_detected: bool,
    source: GameSource<'a>,
    ready: VecDeque<StreamedItem>,
}

impl fmt::Debug for GameStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameStream").field("format", &self.format).finish_non_exhaustive()
    }
}

/// An item of a [`GameStream`].
#[derive(Clone, Debug)]
pub enum StreamedItem {
    Game(GameRecord),
    Warning(ReadWarning),
}

impl<'a> GameStream<'a> {
    /// Opens a file. To find its encoding and notation, it is read from its beginning several times.
    ///
    /// # Errors
    /// I/O errors, or an unknown notation.
    pub fn open(
        mut input: impl Read + Seek + 'a,
        expected: Option<RecordFormat>,
        policy: ErrorPolicy,
    ) -> Result<GameStream<'a>, GameStreamError> {
        if let Some(what) = archive_format(&head(&mut input)?) {
            return Err(RecordError { line: 0, kind: RecordErrorKind::Archive(what) }.into());
        }
        let encoding = TextEncoding::find(&mut input)?;
        let ends = encoding.line_ends;
        let (detected, has_nul) = detect_in(encoding.decode(&mut input)?, ends)?;
        // A file with NUL bytes is not text, whatever its name.
        let format = detected.or(expected.filter(|_| !has_nul)).ok_or_else(unknown)?;
        let source = GameSource::new(encoding.decode(input)?, ends, format, policy);
        let damaged = ReadWarning { line: 0, kind: WarningKind::InvalidBytes };
        let ready = encoding.is_damaged.then_some(StreamedItem::Warning(damaged));
        let is_detected = detected.is_some();
        Ok(GameStream { format, is_detected, source, ready: ready.into_iter().collect() })
    }

    /// The notation of the file.
    pub fn format(&self) -> RecordFormat {
        self.format
    }

    fn collect_games(self) -> Result<ParsedGames, RecordError> {
        let mut parsed = ParsedGames::default();
        for item in self {
            match item.map_err(of_text)? {
                StreamedItem::Game(game) => parsed.games.push(game),
                StreamedItem::Warning(warning) => parsed.warnings.push(warning),
            }
        }
        Ok(parsed)
    }
}

impl Iterator for GameStream<'_> {
    type Item = Result<StreamedItem, GameStreamError>;

    /// After an error there is nothing more.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(Ok(item));
            }
            match self.source.advance() {
                Ok(None) => return None,
                Ok(Some(ParsedGames { games, warnings })) => {
                    self.ready.extend(warnings.into_iter().map(StreamedItem::Warning));
                    self.ready.extend(games.into_iter().map(StreamedItem::Game));
                }
                Err(error) => {
                    self.source = GameSource::Over;
                    // Any text may be in a file that is called .txt, like a list of positions.
                    let is_other = !self.is_detected && is_no_board(&error);
                    return Some(Err(if is_other { unknown().into() } else { error }));
                }
            }
        }
    }
}

fn unknown() -> RecordError {
    RecordError { line: 0, kind: RecordErrorKind::UnknownFormat }
}

fn is_no_board(error: &GameStreamError) -> bool {
    let GameStreamError::Record(RecordError { kind, .. }) = error else { return false };
    matches!(kind, RecordErrorKind::Sfen(SfenError::NotABoard { .. }))
}

/// A text with its reader.
enum GameSource<'a> {
    Lines { lines: TextLines<Box<dyn BufRead + 'a>>, reader: Box<dyn LineReader>, last: usize },
    Jkf(Box<JkfReader<Box<dyn BufRead + 'a>>>),
    Over,
}

impl<'a> GameSource<'a> {
    fn new(
        text: impl BufRead + 'a,
        ends: LineEnds,
        format: RecordFormat,
        policy: ErrorPolicy,
    ) -> GameSource<'a> {
        let text: Box<dyn BufRead + 'a> = Box::new(text);
        let reader: Box<dyn LineReader> = match format {
            RecordFormat::Csa | RecordFormat::Csa3 => Box::new(CsaReader::new(policy)),
            RecordFormat::Kif | RecordFormat::Ki2 => Box::new(KifReader::new(policy)),
            RecordFormat::Usi | RecordFormat::Sfen => Box::new(UsiReader::new(policy)),
            RecordFormat::Jkf => return GameSource::Jkf(Box::new(JkfReader::new(text, policy))),
        };
        GameSource::Lines { lines: TextLines::new(text, ends), reader, last: 0 }
    }

    /// Reads the next line or game. Returns what is complete now; `None` at the end.
    fn advance(&mut self) -> Result<Option<ParsedGames>, GameStreamError> {
        match self {
            GameSource::Lines { lines, reader, last } => {
                if let Some((number, line)) = lines.next()? {
                    *last = number;
                    reader.line(number, line)?;
                    return Ok(Some(reader.builder().take()));
                }
                reader.end_text(*last)?;
                let rest = reader.builder().take();
                *self = GameSource::Over;
                Ok(Some(rest))
            }
            GameSource::Jkf(reader) => {
                let has_game = reader.next()?;
                Ok(has_game.then(|| reader.builder().take()))
            }
            GameSource::Over => Ok(None),
        }
    }
}
