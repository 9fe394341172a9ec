//! Reads CSA.
//!
//! Tolerates defects of real files: spaces around lines, joined spaces in a rank, headers after the moves,
//! no position, no side to move, unknown keywords.

use std::time::Duration;

use super::endings::ending;
use super::escapes::unescape;
use crate::position::Setup;
use crate::record::csa_move::{piece_of_code, read_csa_move, square_of_digits};
use crate::record::error::{RecordError, RecordErrorKind, WarningKind, quote};
use crate::record::game_builder::{ErrorPolicy, GameBuilder, LineReader};
use crate::record::game_record::NodeId;
use crate::record::header::HeaderKey;
use crate::record::time;
use crate::types::{Color, Piece, PieceKind, Square};

/// The partly read start position.
struct CsaBoard {
    setup: Setup,
    drawn: bool,
}

impl Default for CsaBoard {
    fn default() -> CsaBoard {
        CsaBoard { setup: Setup::empty(), drawn: false }
    }
}

pub(in crate::record) struct CsaReader {
    builder: GameBuilder,
    board: CsaBoard,
    /// Whether a line was read that is found in CSA only, and whether an unknown one was.
    is_certain: bool,
    has_unknown_line: bool,
}

impl LineReader for CsaReader {
    fn line(&mut self, line_number: usize, line: &str) -> Result<(), RecordError> {
        let line = line.trim();
        if line == "/" {
            return self.finish(line_number);
        }
        if is_version(line) && (self.builder.is_begun() || self.builder.is_given_up()) {
            // Joined files have no separator.
            self.finish(line_number)?;
        }
        if self.builder.is_given_up() {
            return Ok(());
        }
        let error = self.read_line(line_number, line).err();
        self.builder.handle_error(line_number, error)
    }

    fn end_text(&mut self, last: usize) -> Result<(), RecordError> {
        self.finish(last)
    }

    fn builder(&mut self) -> &mut GameBuilder {
        &mut self.builder
    }
}

impl CsaReader {
    pub(in crate::record) fn new(policy: ErrorPolicy) -> CsaReader {
        CsaReader {
            builder: GameBuilder::new(policy),
            board: CsaBoard::default(),
            is_certain: false,
            has_unknown_line: false,
        }
    }

    /// Ends a game at a separator or at the end of the file.
    fn finish(&mut self, line_number: usize) -> Result<(), RecordError> {
        let is_certain = self.is_certain || !self.has_unknown_line;
        if !is_certain && !self.builder.is_given_up() && !self.builder.has_steps() {
            // Another text, in which some lines look like CSA.
            self.builder.discard();
        }
        if !self.builder.is_given_up() && self.builder.has_content() {
            let error = self.begin(self.board.setup.side).err();
            self.builder.handle_error(line_number, error)?;
        }
        self.builder.finish();
        (self.board, self.is_certain, self.has_unknown_line) = (CsaBoard::default(), false, false);
        Ok(())
    }

    /// Reads the parts of a line, which commas separate.
    fn read_line(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        let mut rest = line;
        loop {
            let is_whole_line = rest.starts_with(['\'', 'N', '$']);
            let (part, after) = match rest.split_once(',') {
                Some((part, after)) if !is_whole_line => (part, Some(after)),
                _ => (rest, None),
            };
            self.read_part(line_number, part.trim_end())?;
            match after {
                Some(after) => rest = after.trim_start(),
                None => return Ok(()),
            }
        }
    }

    fn read_part(&mut self, line_number: usize, part: &str) -> Result<(), RecordErrorKind> {
        let Some(first) = part.chars().next() else { return Ok(()) };
        let rest = &part[first.len_utf8()..];
        match first {
            '\'' => self.comment(rest),
            'V' if is_version(part) => {
                self.builder.mark_content();
                self.is_certain = true;
            }
            'N' if rest.starts_with(['+', '-']) => {
                let key = if rest.starts_with('+') { HeaderKey::Black } else { HeaderKey::White };
                self.builder.header(key, &rest[1..]);
            }
            '$' => match rest.split_once(':') {
                Some((name, value)) => self.header(HeaderKey::of_csa(name), value),
                None => self.builder.warn(line_number, WarningKind::UnknownLine(quote(part))),
            },
            'P' => {
                self.position(part)?;
                self.is_certain = true;
            }
            '+' | '-' if rest.is_empty() => self.begin(color(first))?,
            '+' | '-' => self.play(line_number, part)?,
            '%' => {
                self.begin(self.board.setup.side)?;
                let side = self.builder.cursor.position().side_to_move();
                if !self.builder.end(ending(rest, side)) {
                    self.builder.warn(line_number, WarningKind::DuplicateEnding(quote(part)));
                }
            }
            'T' => match elapsed(rest) {
                Some(elapsed) if self.builder.cursor.current() != NodeId::ROOT => {
                    self.builder.elapsed(line_number, elapsed, part);
                }
                _ => self.builder.warn(line_number, WarningKind::InvalidTime(quote(part))),
            },
            _ => {
                self.has_unknown_line = true;
                self.builder.warn(line_number, WarningKind::UnknownLine(quote(part)));
            }
        }
        Ok(())
    }

    fn header(&mut self, key: HeaderKey, value: &str) {
        match key {
            HeaderKey::Note => self.builder.header(key, &unescape(value)),
            _ => self.builder.header(key, value),
        }
    }

    fn comment(&mut self, text: &str) {
        if names_encoding(text) {
            return;
        }
        match text.strip_prefix('*') {
            Some(text) => self.builder.comment(text),
            None => self.builder.remark(text),
        }
    }

    /// Ends the headers of the game, if not yet done.
    fn begin(&mut self, side: Color) -> Result<(), RecordErrorKind> {
        if self.builder.is_begun() {
            return Ok(());
        }
        if !self.board.drawn {
            self.board.setup = Setup::startpos();
        }
        self.board.setup.side = side;
        self.builder.begin(self.board.setup.clone())
    }

    fn play(&mut self, line_number: usize, text: &str) -> Result<(), RecordErrorKind> {
        self.begin(color(text.chars().next().unwrap_or('+')))?;
        let found = read_csa_move(text, self.builder.cursor.position());
        self.builder.play(line_number, text, found)
    }

    fn position(&mut self, part: &str) -> Result<(), RecordErrorKind> {
        let wrong = || RecordErrorKind::InvalidPosition(quote(part));
        if self.builder.is_begun() {
            return Err(wrong());
        }
        self.builder.mark_content();
        let rest = part.get(2..).ok_or_else(wrong)?;
        match part.as_bytes()[1] {
            b'I' => {
                self.board = CsaBoard { setup: Setup::startpos(), drawn: true };
                self.board.remove(rest).ok_or_else(wrong)
            }
            rank @ b'1'..=b'9' => self.board.rank(rank - b'1', rest).ok_or_else(wrong),
            b'+' => self.board.pieces(Color::Black, rest).ok_or_else(wrong),
            b'-' => self.board.pieces(Color::White, rest).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

/// Whether it is the version, with which a game begins.
fn is_version(line: &str) -> bool {
    line.strip_prefix('V').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a remark is the line that names the encoding.
pub(super) fn names_encoding(remark: &str) -> bool {
    remark.starts_with("CSA encoding=") || remark.starts_with("encoding=")
}

/// The time after a `T`: seconds. With a sign, as records of Shogi Wars have it, it is milliseconds.
fn elapsed(text: &str) -> Option<Duration> {
    match text.strip_prefix('+') {
        Some(millis) => time::read_millis(millis),
        None => time::read_csa_seconds(text),
    }
}

const fn color(sign: char) -> Color {
    if sign == '-' { Color::White } else { Color::Black }
}

impl CsaBoard {
    /// Removes pieces from the start position: `82HI22KA`.
    fn remove(&mut self, text: &str) -> Option<()> {
        for (square, kind) in placements(text)? {
            let slot = &mut self.setup.board[square?.index()];
            slot.take_if(|piece| Some(piece.kind()) == kind)?;
        }
        Some(())
    }

    /// Nine cells, each ` * ` or `+FU`.
    fn rank(&mut self, rank: u8, text: &str) -> Option<()> {
        self.drawn = true;
        let mut rest = text.trim_start();
        for file in (0..9).rev() {
            let first = rest.chars().next()?;
            let length = if first == '*' { 1 } else { 3 };
            let cell = rest.get(..length)?;
            self.setup.board[Square::new(file, rank).index()] = match first {
                '*' => None,
                '+' | '-' => Some(Piece::new(color(first), piece_of_code(&cell[1..])?)),
                _ => return None,
            };
            rest = rest[length..].trim_start();
        }
        rest.is_empty().then_some(())
    }

    /// Pieces of a side: `63FU00KI`, `00AL` for all remaining ones.
    fn pieces(&mut self, color: Color, text: &str) -> Option<()> {
        self.drawn = true;
        for (square, kind) in placements(text)? {
            match (square, kind) {
                (None, None) => self.setup.add_missing_pieces(color),
                (None, Some(kind)) => self.setup.hands[color].try_add(kind, 1)?,
                (Some(square), Some(kind)) => {
                    let slot = &mut self.setup.board[square.index()];
                    if slot.is_some() {
                        return None;
                    }
                    *slot = Some(Piece::new(color, kind));
                }
                (Some(_), None) => return None,
            }
        }
        Some(())
    }
}

/// Pairs of a square (`None` for the hand) and a piece (`None` for all).
fn placements(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let text = text.trim_end();
    let groups = text.is_ascii() && text.len().is_multiple_of(4);
    let group = |bytes: &[u8]| {
        let square = if &bytes[..2] == b"00" { None } else { Some(square_of_digits(bytes)?) };
        match std::str::from_utf8(&bytes[2..]).ok()? {
            "AL" => Some((square, None)),
            code => Some((square, Some(piece_of_code(code)?))),
        }
    };
    groups.then(|| text.as_bytes().chunks(4).map(group).collect())?
}
