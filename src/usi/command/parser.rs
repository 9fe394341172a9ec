//! Splits a line into tokens, and collects errors.

use super::error::CommandError;
use crate::types::Move;

/// Maximum number of errors listed for one line.
pub(super) const MAX_ERRORS: usize = 8;

/// The words of `go`, which are never taken as the value of another.
pub(super) const GO_WORDS: [&[u8]; 17] = [
    b"searchmoves",
    b"ponder",
    b"btime",
    b"wtime",
    b"binc",
    b"winc",
    b"byoyomi",
    b"bbyoyomi",
    b"wbyoyomi",
    b"movestogo",
    b"depth",
    b"nodes",
    b"movetime",
    b"mate",
    b"infinite",
    b"rtime",
    b"perft",
];

/// The rest of the line, and the errors so far.
pub(super) struct Parser<'a> {
    rest: &'a [u8],
    errors: Vec<CommandError>,
    more: usize,
}

/// Control characters separate tokens too.
fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

impl<'a> Parser<'a> {
    pub(super) fn new(line: &'a [u8]) -> Parser<'a> {
        Parser { rest: line, errors: Vec::new(), more: 0 }
    }

    /// The next token and what follows it.
    fn split(&self) -> Option<(&'a [u8], &'a [u8])> {
        let start = self.rest.iter().position(|&byte| !is_blank(byte))?;
        let text = &self.rest[start..];
        let end = text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len());
        Some(text.split_at(end))
    }

    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.split().map(|(token, _)| token)
    }

    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let (token, rest) = self.split()?;
        self.rest = rest;
        Some(token)
    }

    /// The rest of the line, unchanged.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether this word is among the remaining tokens.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        self.rest.split(|&byte| is_blank(byte)).any(|token| token == word)
    }

    /// Consumes the next token if it is this word.
    pub(super) fn eat(&mut self, word: &[u8]) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.next();
        }
        found
    }

    /// Consumes the rest of the line and returns it trimmed.
    pub(super) fn remainder(&mut self) -> &'a [u8] {
        trim(std::mem::take(&mut self.rest))
    }

    pub(super) fn error(&mut self, error: CommandError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        } else {
            self.more += 1;
        }
    }

    /// The errors, in the order of the line.
    pub(super) fn into_errors(mut self) -> Vec<CommandError> {
        if self.more > 0 {
            self.errors.push(CommandError::More(self.more));
        }
        self.errors
    }
}

pub(super) fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|&byte| !is_blank(byte)) else { return &[] };
    let end = text.iter().rposition(|&byte| !is_blank(byte)).map_or(text.len(), |last| last + 1);
    &text[start..end]
}

pub(super) fn parse_move(token: &[u8]) -> Option<Move> {
    std::str::from_utf8(token).ok()?.parse().ok()
}
