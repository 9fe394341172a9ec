//! A line as a row of words, and the list of what is wrong with it.
//!
//! Owns what a blank is, and how many errors are listed. Knows no word of the protocol.

use super::error::CommandError;
use crate::types::Move;

/// Errors listed for one line; a line of megabytes may hold a million.
pub(super) const MOST_ERRORS: usize = 8;

/// The line from the next token on, and what was wrong so far.
pub(super) struct Parser<'a> {
    rest: &'a [u8],
    errors: Vec<CommandError>,
    more: usize,
}

/// Control characters separate words too: whatever they are, they are part of none.
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

    /// All that is left, as it came.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether this word is among the tokens to come.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        self.rest.split(|&byte| is_blank(byte)).any(|token| token == word)
    }

    /// Steps over the next token if it is this word.
    pub(super) fn eat(&mut self, word: &[u8]) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.next();
        }
        found
    }

    /// Steps over all that is left, and gives it without the blanks around it.
    pub(super) fn remainder(&mut self) -> &'a [u8] {
        trim(std::mem::take(&mut self.rest))
    }

    pub(super) fn error(&mut self, error: CommandError) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        } else {
            self.more += 1;
        }
    }

    /// What was wrong, in the order of the line.
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
