//! Text books of YaneuraOu (`.db`): a line for each position, and below it a line for each move.
//!
//! Nothing is copied: a position is found in the mapped file by binary search, as YaneuraOu does on
//! the fly, for files are sorted by their lines as plain bytes. A file in another order, or with
//! lines that another program has spelled otherwise, gets an index of sixteen bytes for each
//! position. Sorted by whole lines or by lines without the number of the move comes to the same:
//! the blank before the number is less than every letter of a hand.

mod check;
mod index;
mod line;
mod write;

use std::ops::ControlFlow;
use std::sync::Arc;

use memchr::memchr;

use self::check::survey;
use self::index::Index;
use self::line::{Line, Lines, Placed};
pub(super) use self::write::write;
use super::entry::{BookEntry, sfen_key};
use super::error::BookError;
use super::{BookSummary, MAX_DUPLICATES, MAX_MOVES, Validation};
use crate::position::Setup;
use crate::sys::MappedFile;

/// Some editors put it at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// A position with its moves and comments is searched for no farther than this, so that no file
/// makes a lookup long. An index is not bound by it.
const REACH: usize = 1 << 20;

/// See the module's comment.
#[derive(Debug)]
pub(super) struct TextBook {
    file: Arc<MappedFile>,
    /// Of the first line.
    start: usize,
    /// `None` if the file can be searched as it is.
    index: Option<Index>,
}

/// A line with a position.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    start: usize,
    /// What stands behind the word `sfen`.
    text: &'a [u8],
    /// Of the next line.
    next: usize,
}

/// There is more between two positions than a lookup reads.
#[derive(Clone, Copy, Debug)]
struct TooFar;

impl TextBook {
    /// Whether a file may be a text book: it begins as a text.
    pub(super) fn may_be(bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(256)];
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
        head.first().is_none_or(u8::is_ascii) && !head.iter().any(is_control)
    }

    /// # Errors
    /// If it does not begin as a book.
    pub(super) fn open(
        file: Arc<MappedFile>,
        validation: Validation,
    ) -> Result<(TextBook, BookSummary), BookError> {
        if has_old_lines(&file) {
            return Err(BookError::CarriageReturns);
        }
        let start = if file.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut book = TextBook { file, start, index: None };
        if validation == Validation::Sampled && book.seems_sorted() {
            return Ok((book, BookSummary::default()));
        }
        let survey = survey(book.lines_from(start))?;
        if !survey.searchable {
            book.index = Some(Index::of(book.lines_from(start)));
        }
        let summary = BookSummary {
            positions: Some(survey.positions),
            moves: Some(survey.moves),
            indexed: book.index.is_some(),
            notes: survey.faults.sentence().into_iter().collect(),
        };
        Ok((book, summary))
    }

    /// All that it says of a position; with `ply` only where the number of the move is this.
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        let name = sfen_key(setup);
        let mut found: Option<BookEntry> = None;
        let mut consider = |place: Place<'_>, placed: &Placed| {
            let fits = ply.is_none() || placed.ply.is_none() || placed.ply == ply;
            if fits {
                let moves = Lines { bytes: self.window(place.next), at: place.next };
                let entry = read_entry(placed.ply, moves);
                found = found.take().into_iter().chain([entry]).reduce(BookEntry::joined);
            }
        };
        match &self.index {
            Some(index) => {
                for start in index.places(name.as_bytes()) {
                    let Some(place) = self.place_at(start) else { continue };
                    match Placed::read(place.text) {
                        Ok(placed) if sfen_key(&placed.setup) == name => consider(place, &placed),
                        _ => {}
                    }
                }
            }
            None => {
                let mut at = self.first_not_before(name.as_bytes()).ok()?;
                for _ in 0..MAX_DUPLICATES {
                    let Ok(Some(place)) = self.position_from(at, self.file.len()) else { break };
                    match Placed::read(place.text) {
                        Ok(placed) if sfen_key(&placed.setup) == name => consider(place, &placed),
                        _ => break,
                    }
                    at = place.next;
                }
            }
        }
        found
    }

    /// Hands out every position with what is said of it, in the order of the file. Returns what had to
    /// be left out besides the lines that [`survey`] finds fault with, in words.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<String> {
        let mut comments = 0;
        let mut lines = self.lines_from(self.start);
        while let Some((at, bytes)) = lines.next() {
            // The first line tells the format.
            comments += u64::from(at > self.start && is_comment(bytes));
            let Line::Position(text) = Line::of(bytes) else { continue };
            if let Ok(placed) = Placed::read(text) {
                let moves = Lines { bytes: lines.bytes, at: lines.at };
                visit(&placed.setup, read_entry(placed.ply, moves));
            }
        }
        let lost = (comments > 0).then(|| format!("{comments} lines of comment are not kept"));
        lost.into_iter().collect()
    }

    fn lines_from(&self, at: usize) -> Lines<'_> {
        Lines { bytes: &self.file, at }
    }

    /// The file up to as far behind `at` as a lookup may read.
    fn window(&self, at: usize) -> &[u8] {
        &self.file[..at.saturating_add(REACH).min(self.file.len())]
    }

    fn place_at(&self, start: usize) -> Option<Place<'_>> {
        let (start, bytes) = Lines { bytes: self.window(start), at: start }.next()?;
        match Line::of(bytes) {
            Line::Position(text) => Some(Place { start, text, next: start + bytes.len() + 1 }),
            _ => None,
        }
    }

    /// The first position whose line begins at `at` or behind, and before `end`.
    fn position_from(&self, at: usize, end: usize) -> Result<Option<Place<'_>>, TooFar> {
        let window = self.window(at);
        let is_whole = window.len() == self.file.len();
        let mut line_start = at;
        if at > self.start {
            let rest = window.get(at - 1..).unwrap_or_default();
            match memchr(b'\n', rest) {
                Some(length) => line_start = at + length,
                None if is_whole => return Ok(None),
                None => return Err(TooFar),
            }
        }
        for (start, bytes) in (Lines { bytes: window, at: line_start }) {
            if start >= end {
                return Ok(None);
            }
            let next = start + bytes.len() + 1;
            if next > window.len() && !is_whole {
                return Err(TooFar);
            }
            if let Line::Position(text) = Line::of(bytes) {
                return Ok(Some(Place { start, text, next }));
            }
        }
        if is_whole { Ok(None) } else { Err(TooFar) }
    }

    /// Where the first position begins, or a comment before it, whose name is not less than this.
    fn first_not_before(&self, name: &[u8]) -> Result<usize, TooFar> {
        let (mut low, mut high) = (self.start, self.file.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                Some(place) if line::name(place.text) < name => low = place.next,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// Whether some thousand positions from all over the file are in order, among them the first
    /// and the last, where another program may have added some.
    fn seems_sorted(&self) -> bool {
        const SAMPLES: usize = 1024;
        const EDGE: usize = 1 << 16;
        let length = self.file.len();
        let mut last: &[u8] = b"";
        let (mut at, mut samples) = (self.start, 0);
        while let Ok(found) = self.position_from(at, length) {
            let Some(place) = found else { return samples > 0 };
            let name = line::name(place.text);
            let is_plain = check::is_plain(&self.file[place.start..place.next.min(length)]);
            // What stands before the first position is seen by the full check only.
            let is_late = samples == 0 && self.has_moves_before(place.start);
            if name < last || !is_plain || is_late {
                return false;
            }
            last = name;
            samples += 1;
            let is_at_edge = place.next < self.start + EDGE || place.next + EDGE > length;
            let step = if is_at_edge { 0 } else { length / SAMPLES };
            at = place.next + step.min(length.saturating_sub(EDGE).saturating_sub(place.next));
        }
        false
    }

    fn has_moves_before(&self, start: usize) -> bool {
        let head = Lines { bytes: &self.file[..start], at: self.start };
        head.into_iter().any(|(_, bytes)| Line::of(bytes) != Line::Nothing)
    }
}

/// Whether there are several lines, and none of them ends in LF (old Macintosh): here they would be one.
fn has_old_lines(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    memchr(b'\n', text).is_none() && memchr(b'\r', text).is_some()
}

fn is_comment(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.starts_with(b"#") || text.starts_with(b"//")
}

/// The moves up to the next position.
fn read_entry(ply: Option<u32>, lines: Lines<'_>) -> BookEntry {
    let mut entry = BookEntry { ply, moves: Vec::new() };
    let _ = lines.into_iter().try_for_each(|(_, bytes)| {
        match Line::of(bytes) {
            Line::Nothing => {}
            Line::Position(_) => return ControlFlow::Break(()),
            Line::Move(text) => {
                line::book_move(text).into_iter().flatten().for_each(|mv| entry.add(mv))
            }
        }
        if entry.moves.len() < MAX_MOVES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    entry.sort();
    entry
}

#[cfg(test)]
mod tests;
