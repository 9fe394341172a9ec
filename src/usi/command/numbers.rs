//! Number arguments: counts, depths and times, clamped to their ranges.

use std::time::Duration;

use super::error::CommandError;
use super::parser::{GO_KEYWORDS, Parser};
use crate::types::{Depth, excerpt};

/// Maximum time in milliseconds: about thirty years. The sum of a few such times and the system time
/// cannot overflow.
pub(super) const MAX_MS: u64 = 1_000_000_000_000;

impl Parser<'_> {
    /// A depth of `min` to `max` plies.
    pub(super) fn depth(&mut self, word: &'static str, min: u64, max: usize) -> Option<Depth> {
        self.number(word, min, max as u64).map(|plies| plies as Depth)
    }

    pub(super) fn time(&mut self, word: &'static str) -> Option<Duration> {
        self.number(word, 0, MAX_MS).map(Duration::from_millis)
    }

    /// A time that may be below zero, in milliseconds.
    pub(super) fn signed_ms(&mut self, word: &'static str) -> Option<i64> {
        let max = i128::from(MAX_MS);
        self.integer(word, -max, max).map(|ms| ms as i64)
    }

    /// A number that is not below zero.
    pub(super) fn number(&mut self, word: &'static str, min: u64, max: u64) -> Option<u64> {
        self.integer(word, i128::from(min), i128::from(max)).map(|number| number as u64)
    }

    /// The number after `word`, clamped to the range. If there is none, returns `None` with an error, and
    /// does not consume a keyword of `go`.
    fn integer(&mut self, word: &'static str, min: i128, max: i128) -> Option<i128> {
        let Some(token) = self.peek().filter(|token| !GO_KEYWORDS.contains(token)) else {
            self.error(CommandError::Missing { word, what: "a number" });
            return None;
        };
        self.next();
        let Some(number) = parse_number(token) else {
            self.error(CommandError::NotANumber { word, token: excerpt(token) });
            return None;
        };
        let value = number.clamp(min, max);
        if value != number {
            self.error(CommandError::Clamped { word, token: excerpt(token), to: value });
        }
        Some(value)
    }
}

/// An integer with or without a sign; saturates. Some clients send milliseconds in floating point: the
/// fraction is dropped.
fn parse_number(token: &[u8]) -> Option<i128> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let digits = without_fraction(digits);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add =
        |sum: i128, digit: &u8| sum.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
    let magnitude = digits.iter().fold(0, add);
    Some(if negative { -magnitude } else { magnitude })
}

/// The part before the point, if only digits follow.
fn without_fraction(number: &[u8]) -> &[u8] {
    match number.iter().position(|&byte| byte == b'.') {
        Some(point) if number[point + 1..].iter().all(u8::is_ascii_digit) => &number[..point],
        _ => number,
    }
}
