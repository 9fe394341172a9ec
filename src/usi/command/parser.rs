//! Splits a line into tokens, and collects errors.

use super::error::CommandError;
use crate::position;
use crate::types::Move;

/// Maximum number of errors listed for one line.
pub(super) const MAX_ERRORS: usize = 8;

/// The keywords of `go`, which are never taken as the value of another keyword.
pub(super) const GO_KEYWORDS: [&[u8]; 17] = [
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

/// The length of the separator at the beginning of the text: 0 if it begins with something else.
fn separator_length(text: &[u8]) -> usize {
    match text {
        [..=b' ' | 0x7f, ..] => 1,
        [] | [..=b'~', ..] => 0,
        _ => {
            // A character has at most four bytes.
            let first = text[..text.len().min(4)].utf8_chunks().next();
            let first = first.and_then(|chunk| chunk.valid().chars().next());
            first.filter(|&c| position::is_separator(c)).map_or(0, char::len_utf8)
        }
    }
}

/// The first word of the text and what follows it.
fn split_word(mut text: &[u8]) -> Option<(&[u8], &[u8])> {
    loop {
        match separator_length(text) {
            0 => break,
            length => text = &text[length..],
        }
    }
    let end = (0..text.len()).find(|&at| separator_length(&text[at..]) > 0);
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

impl<'a> Parser<'a> {
    pub(super) fn new(line: &'a [u8]) -> Parser<'a> {
        Parser { rest: line, errors: Vec::new(), more: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        split_word(self.rest).map(|(token, _)| token)
    }

    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let (token, rest) = split_word(self.rest)?;
        self.rest = rest;
        Some(token)
    }

    /// The rest of the line, unchanged.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether this word is among the remaining tokens.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        let tokens = std::iter::successors(split_word(self.rest), |(_, rest)| split_word(rest));
        tokens.map(|(token, _)| token).any(|token| token == word)
    }

    /// Consumes the next token if it is this word.
    pub(super) fn accept(&mut self, word: &[u8]) -> bool {
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

/// The text without the separators around it. In another encoding than UTF-8, the bytes of a wide space may
/// belong to other characters.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    match str::from_utf8(text) {
        Ok(text) => text.trim_matches(position::is_separator).as_bytes(),
        Err(_) => text.trim_ascii(),
    }
}

pub(super) fn parse_move(token: &[u8]) -> Option<Move> {
    std::str::from_utf8(token).ok()?.parse().ok()
}
