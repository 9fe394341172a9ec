//! Text books of YaneuraOu (`.db`): a line for each position, and below it a line for each move.
//!
//! A position is found in the mapped file by binary search, as YaneuraOu does on the fly: files are
//! sorted by their lines as bytes. A file that is not sorted, or has positions in another spelling,
//! gets an index of sixteen bytes for each position. The order by whole lines equals that by keys
//! without the move number, because the space before the number is less than every letter of a
//! hand.

mod check;
mod index;
mod line;
mod write;

use std::sync::Arc;

use memchr::memchr;

use self::check::{MAX_ENTRY_BYTES, check};
use self::index::TextIndex;
use self::line::{PositionLine, TextLine, TextLines};
pub(super) use self::write::write;
use super::entry::{BookEntry, MAX_DUPLICATES, MAX_MOVES};
use super::error::BookError;
use super::losses::unusable_moves;
use super::validation::{BookSummary, Validation};
use crate::position::Setup;
use crate::sys::MappedFile;
use crate::types::message::{Message, counted, message};

/// The byte order mark of UTF-8, which some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Begins the first line, whatever the version.
const HEADER_MARK: &[u8] = b"#YANEURAOU-DB";

#[derive(Debug)]
pub(super) struct TextBook {
    file: Arc<MappedFile>,
    /// The offset of the first line.
    start: usize,
    /// `None` if the file is sorted.
    index: Option<TextIndex>,
}

/// A line with a position, and where it is.
#[derive(Clone, Copy, Debug)]
struct LineSpan<'a> {
    start: usize,
    /// The text after the word `sfen`.
    text: &'a [u8],
    /// The offset of the next line.
    next: usize,
}

/// Two positions are farther apart than the bytes that a lookup reads.
#[derive(Clone, Copy, Debug)]
struct EntryTooLong;

impl TextBook {
    /// Whether a file looks like a text book.
    pub(super) fn matches(bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(256)];
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
        head.first().is_none_or(u8::is_ascii) && !head.iter().any(is_control)
    }

    /// # Errors
    /// If a line up to the first position is invalid.
    pub(super) fn open(
        file: Arc<MappedFile>,
        validation: Validation,
    ) -> Result<(TextBook, BookSummary), BookError> {
        if has_cr_lines(&file) {
            return Err(BookError::CarriageReturns);
        }
        let start = if file.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut book = TextBook { file, start, index: None };
        if validation == Validation::Sampled && book.seems_sorted() {
            return Ok((book, BookSummary::default()));
        }
        let checked = check(book.lines_from(start))?;
        if !checked.is_sorted {
            book.index = Some(TextIndex::of(book.lines_from(start)));
        }
        let summary = BookSummary {
            positions: Some(checked.positions),
            moves: Some(checked.moves),
            indexed: book.index.is_some(),
            notes: checked.skipped.message().into_iter().collect(),
        };
        Ok((book, summary))
    }

    /// See [`Book::look_up`](super::Book::look_up). Merges all entries of the position.
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        let key = setup.sfen_without_ply();
        let mut found: Option<BookEntry> = None;
        let mut add = |line: LineSpan<'_>, position: &PositionLine| {
            let fits = ply.is_none() || position.ply.is_none() || position.ply == ply;
            if fits {
                let moves = TextLines { bytes: self.window(line.next), at: line.next };
                let (entry, _) = read_entry(position.ply, moves);
                found = found.take().into_iter().chain([entry]).reduce(BookEntry::merged);
            }
        };
        match &self.index {
            Some(index) => {
                for start in index.offsets(key.as_bytes()) {
                    let Some(line) = self.position_at(start) else { continue };
                    match PositionLine::read(line.text) {
                        Ok(position) if position.setup.sfen_without_ply() == key => {
                            add(line, &position)
                        }
                        _ => {}
                    }
                }
            }
            None => {
                let mut at = self.lower_bound(key.as_bytes()).ok()?;
                for _ in 0..MAX_DUPLICATES {
                    let Ok(Some(line)) = self.position_from(at, self.file.len()) else { break };
                    match PositionLine::read(line.text) {
                        Ok(position) if position.setup.sfen_without_ply() == key => {
                            add(line, &position)
                        }
                        _ => break,
                    }
                    at = line.next;
                }
            }
        }
        found
    }

    /// See [`Book::for_each`](super::Book::for_each). Visits the positions in the order of the file.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<Message> {
        let (mut comments, mut unusable) = (0, 0);
        let mut lines = self.lines_from(self.start);
        while let Some((at, bytes)) = lines.next() {
            let is_header = at == self.start && bytes.starts_with(HEADER_MARK);
            comments += u64::from(line::has_comment(bytes) && !is_header);
            if let TextLine::Position(text) = TextLine::of(bytes)
                && let Ok(position) = PositionLine::read(text)
            {
                let (entry, left_out) = read_entry(position.ply, lines.clone());
                unusable += left_out;
                visit(&position.setup, entry);
            }
        }
        let lost = (comments > 0).then(|| {
            let lines = counted(comments, "line");
            message!("{lines} of comment left out", "コメントを省きました：{comments}行")
        });
        lost.into_iter().chain(unusable_moves(unusable)).collect()
    }

    fn lines_from(&self, at: usize) -> TextLines<'_> {
        TextLines { bytes: &self.file, at }
    }

    /// The part of the file after `at` that a lookup may read.
    fn window(&self, at: usize) -> &[u8] {
        &self.file[..at.saturating_add(MAX_ENTRY_BYTES).min(self.file.len())]
    }

    fn position_at(&self, start: usize) -> Option<LineSpan<'_>> {
        let (start, bytes) = TextLines { bytes: self.window(start), at: start }.next()?;
        match TextLine::of(bytes) {
            TextLine::Position(text) => {
                Some(LineSpan { start, text, next: start + bytes.len() + 1 })
            }
            _ => None,
        }
    }

    /// The first line with a position that begins in `at..end`.
    fn position_from(&self, at: usize, end: usize) -> Result<Option<LineSpan<'_>>, EntryTooLong> {
        let window = self.window(at);
        let is_whole = window.len() == self.file.len();
        let mut line_start = at;
        if at > self.start {
            let rest = window.get(at - 1..).unwrap_or_default();
            match memchr(b'\n', rest) {
                Some(length) => line_start = at + length,
                None if is_whole => return Ok(None),
                None => return Err(EntryTooLong),
            }
        }
        for (start, bytes) in (TextLines { bytes: window, at: line_start }) {
            if start >= end {
                return Ok(None);
            }
            let next = start + bytes.len() + 1;
            if next > window.len() && !is_whole {
                return Err(EntryTooLong);
            }
            if let TextLine::Position(text) = TextLine::of(bytes) {
                return Ok(Some(LineSpan { start, text, next }));
            }
        }
        if is_whole { Ok(None) } else { Err(EntryTooLong) }
    }

    /// Binary search: the offset of the first position whose key is not less than this, or of a
    /// comment before it.
    fn lower_bound(&self, key: &[u8]) -> Result<usize, EntryTooLong> {
        let (mut low, mut high) = (self.start, self.file.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                Some(line) if line::key(line.text) < key => low = line.next,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// Whether about a thousand positions of the file and all those at its beginning and its end, where other programs
    /// may have added some, are sorted.
    fn seems_sorted(&self) -> bool {
        const SAMPLES: usize = 1024;
        const EDGE: usize = 1 << 16;
        let length = self.file.len();
        let mut last: &[u8] = b"";
        let (mut at, mut samples) = (self.start, 0);
        while let Ok(found) = self.position_from(at, length) {
            let Some(span) = found else { return samples > 0 };
            let key = line::key(span.text);
            let is_canonical = check::is_canonical(&self.file[span.start..span.next.min(length)]);
            // Moves before the first position are errors that the full check reports.
            let has_error = samples == 0 && self.has_moves_before(span.start);
            if key < last || !is_canonical || has_error {
                return false;
            }
            last = key;
            samples += 1;
            let is_at_edge = span.next < self.start + EDGE || span.next + EDGE > length;
            let step = if is_at_edge { 0 } else { length / SAMPLES };
            at = span.next + step.min(length.saturating_sub(EDGE).saturating_sub(span.next));
        }
        false
    }

    fn has_moves_before(&self, start: usize) -> bool {
        let head = TextLines { bytes: &self.file[..start], at: self.start };
        head.into_iter().any(|(_, bytes)| TextLine::of(bytes) != TextLine::Blank)
    }
}

/// Whether the lines end in CR alone (old Macintosh), so that they would be read as one line.
fn has_cr_lines(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    memchr(b'\n', text).is_none() && memchr(b'\r', text).is_some()
}

/// The moves up to the next position, and the number of those that the entry does not have: repeated ones, `none`,
/// and those beyond its maximum.
fn read_entry(ply: Option<u32>, lines: TextLines<'_>) -> (BookEntry, u64) {
    let mut entry = BookEntry { ply, moves: Vec::new() };
    let mut left_out = 0;
    for (_, bytes) in lines {
        match TextLine::of(bytes) {
            TextLine::Blank => {}
            TextLine::Position(_) => break,
            TextLine::Move(_) if entry.moves.len() == MAX_MOVES => left_out += 1,
            TextLine::Move(text) => {
                if let Ok(mv) = line::book_move(text) {
                    let is_added = mv.is_some_and(|mv| entry.add(mv));
                    left_out += u64::from(!is_added);
                }
            }
        }
    }
    entry.sort();
    (entry, left_out)
}

#[cfg(test)]
mod tests;
