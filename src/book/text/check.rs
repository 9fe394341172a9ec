//! The full check of a text book: its positions, its invalid lines, and whether it is sorted.

use super::line::{self, PositionLine, TextLine, TextLines};
use crate::book::entry::MAX_MOVES;
use crate::book::error::{BookError, LineError};
use crate::types::excerpt;
use crate::types::message::{Message, message};

/// Maximum number of bytes that a lookup in a sorted file reads for a position with its moves and comments,
/// so that no file makes a lookup slow.
pub(super) const MAX_ENTRY_BYTES: usize = 1 << 20;

/// The result of the check.
#[derive(Debug)]
pub(super) struct TextCheck {
    pub(super) positions: u64,
    pub(super) moves: u64,
    /// Whether the positions are sorted and canonical, and no entry is too long, so that a binary
    /// search finds them.
    pub(super) is_sorted: bool,
    pub(super) skipped: SkippedLines,
}

/// The invalid lines, which are skipped.
#[derive(Debug, Default)]
pub(super) struct SkippedLines {
    lines: u64,
    first: Option<(u64, LineError)>,
}

impl SkippedLines {
    fn add(&mut self, number: u64, error: LineError) {
        self.lines += 1;
        self.first.get_or_insert((number, error));
    }

    pub(super) fn message(&self) -> Option<Message> {
        self.first.as_ref().map(|(number, error)| match self.lines {
            1 => message!("line {number}: {}; skipped", "{number}行目を飛ばしました：{}"; error.message()),
            lines => message!(
                "line {number}: {}; skipped {lines} invalid lines",
                "無効な{lines}行を飛ばしました。{number}行目：{}";
                error.message()
            ),
        })
    }
}

/// Reads all lines.
///
/// # Errors
/// If a line up to the first position is invalid: then the file is not a book.
pub(super) fn check(lines: TextLines<'_>) -> Result<TextCheck, BookError> {
    let skipped = SkippedLines::default();
    let mut check = TextCheck { positions: 0, moves: 0, is_sorted: true, skipped };
    // The key of the last position, its offset, and the number of its moves.
    let mut last: Option<(&[u8], usize, usize)> = None;
    let mut number = 0;
    let end = lines.bytes.len();
    for (start, bytes) in lines {
        number += 1;
        let error = match TextLine::of(bytes) {
            TextLine::Blank => None,
            TextLine::Position(text) => {
                let (is_canonical, key) = (is_canonical(bytes), line::key(text));
                // Half of it, because a lookup that begins within an entry also reads the next position.
                let follows = last.is_none_or(|(before, at, _)| {
                    before <= key && start - at < MAX_ENTRY_BYTES / 2
                });
                check.is_sorted &= is_canonical && follows;
                last = Some((key, start, 0));
                // A canonical line was read already.
                let error = if is_canonical { None } else { PositionLine::read(text).err() };
                check.positions += u64::from(error.is_none());
                error
            }
            TextLine::Move(text) => match (&mut last, line::book_move(text)) {
                (Some((_, _, count)), Ok(mv)) => {
                    *count += 1;
                    check.is_sorted &= *count <= MAX_MOVES;
                    check.moves += u64::from(mv.is_some());
                    None
                }
                (None, _) => Some(LineError::NoPosition(excerpt(text))),
                (Some(_), Err(error)) => Some(error),
            },
        };
        match error {
            Some(error) if check.positions == 0 => {
                return Err(BookError::Line { line: number, error });
            }
            Some(error) => check.skipped.add(number, error),
            None => {}
        }
    }
    check.is_sorted &= last.is_none_or(|(_, start, _)| end - start < MAX_ENTRY_BYTES / 2);
    Ok(check)
}

/// Whether a line with a position is spelled as this program writes it, except for the move number and a comment.
pub(super) fn is_canonical(bytes: &[u8]) -> bool {
    let text = line::without_comment(bytes).strip_prefix(b"sfen ");
    let Some(text) = text else { return false };
    let text = text.trim_ascii_end();
    line::is_canonical(line::key(text)) && PositionLine::read(text).is_ok()
}
