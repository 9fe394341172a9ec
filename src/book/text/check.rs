//! A look at every line of a text book: what is in it, what is wrong with it, and whether it can be
//! searched as it is.

use super::line::{self, Line, Lines, Placed};
use super::{MAX_MOVES, REACH};
use crate::book::error::{BookError, LineError};

/// What was found.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) positions: u64,
    pub(super) moves: u64,
    /// Whether positions are in order, each as this program would write it, and none too long.
    pub(super) searchable: bool,
    pub(super) faults: Faults,
}

/// What had to be passed over.
#[derive(Debug, Default)]
pub(super) struct Faults {
    lines: u64,
    first: Option<(u64, LineError)>,
}

impl Faults {
    fn note(&mut self, number: u64, fault: LineError) {
        self.lines += 1;
        self.first.get_or_insert((number, fault));
    }

    pub(super) fn sentence(&self) -> Option<String> {
        self.first.as_ref().map(|(number, fault)| match self.lines {
            1 => format!("line {number}: {fault}; passed over"),
            lines => format!("line {number}: {fault}; passed over {lines} lines like this"),
        })
    }
}

/// Reads all lines.
///
/// # Errors
/// The first fault, if no position stands before it: then it is no book.
pub(super) fn survey(lines: Lines<'_>) -> Result<Survey, BookError> {
    let faults = Faults::default();
    let mut survey = Survey { positions: 0, moves: 0, searchable: true, faults };
    // Of the last position: its name, where it began, and how many moves it has.
    let mut last: Option<(&[u8], usize, usize)> = None;
    let mut number = 0;
    let end = lines.bytes.len();
    for (start, bytes) in lines {
        number += 1;
        let fault = match Line::of(bytes) {
            Line::Nothing => None,
            Line::Position(text) => {
                let (is_plain, name) = (is_plain(bytes), line::name(text));
                let follows =
                    last.is_none_or(|(before, at, _)| before <= name && start - at < REACH / 2);
                survey.searchable &= is_plain && follows;
                last = Some((name, start, 0));
                // What is plain has been read already.
                let fault = if is_plain { None } else { Placed::read(text).err() };
                survey.positions += u64::from(fault.is_none());
                fault
            }
            Line::Move(text) => match (&mut last, line::book_move(text)) {
                (Some((_, _, count)), Ok(mv)) => {
                    *count += 1;
                    survey.searchable &= *count <= MAX_MOVES;
                    survey.moves += u64::from(mv.is_some());
                    None
                }
                (None, Ok(_)) => Some(LineError::NoPosition(crate::book::error::quote(text))),
                (_, Err(fault)) => Some(fault),
            },
        };
        match fault {
            Some(fault) if survey.positions == 0 => {
                return Err(BookError::Line { line: number, fault });
            }
            Some(fault) => survey.faults.note(number, fault),
            None => {}
        }
    }
    survey.searchable &= last.is_none_or(|(_, start, _)| end - start < REACH / 2);
    Ok(survey)
}

/// Whether a line with a position is just as this program would write it, but for the number.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let Some(text) = bytes.strip_prefix(b"sfen ") else { return false };
    let text = text.trim_ascii_end();
    line::is_canonical(line::name(text)) && Placed::read(text).is_ok()
}
