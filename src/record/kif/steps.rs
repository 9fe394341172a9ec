//! Recognises the parts of a step of KIF: a number, a move or an ending, a time.

use std::time::Duration;

use super::endings::ending;
use crate::record::japanese_move::{self, MoveOrigin};
use crate::record::japanese_text::{self, half_width, is_arabic, is_mark, leading_number};
use crate::record::time;
use crate::types::Color;

const OPENING: [char; 2] = ['(', '（'];
const CLOSING: [char; 2] = [')', '）'];

/// Whether a line is a step of KIF: a number, a space, and a move or an ending; or a move without a number.
pub(in crate::record) fn is_move_line(line: &str) -> bool {
    let line = line.trim();
    let is_step =
        |step| japanese_move::read_move(step).is_some() || ending(step, Color::Black).is_some();
    numbered(line).is_some_and(|(_, step)| is_step(step)) || is_bare_move(line)
}

/// A number followed by a step: `12 ７六歩(77)`. A narrow number may lack the space: `12７六歩(77)`.
pub(super) fn numbered(line: &str) -> Option<(usize, &str)> {
    let (move_number, rest) = leading_number(line)?;
    let step = rest.trim_start_matches(['.', '手', '目']).trim_start();
    if step.len() < rest.len() && !step.is_empty() {
        return Some((move_number, step));
    }
    let (number, step) = line.split_at(line.find(|c: char| !c.is_ascii_digit())?);
    japanese_move::read_move(step)?;
    leading_number(number).map(|(move_number, _)| (move_number, step))
}

/// Whether a line without a number is an ending, followed by at most a time. Not every line that begins
/// with such a word is one: `詰将棋第一番`, `持将棋：27点`.
pub(super) fn is_bare_ending(line: &str) -> bool {
    ending(line, Color::Black).is_some_and(|(_, rest)| {
        let rest = without_plus(rest);
        rest.is_empty() || begins_with_a_time(rest)
    })
}

/// Whether a line without a number is a move with its origin or a time, even an unreadable one. Not every line
/// that begins with a move is one: `７六歩が好手`.
pub(super) fn is_bare_move(line: &str) -> bool {
    let Some((parsed_move, rest)) = japanese_move::read_move(line) else {
        return names_an_origin(first_word(line)) && has_time(line);
    };
    let rest = without_plus(rest);
    let has_origin = matches!(parsed_move.origin, MoveOrigin::Board(_));
    rest.is_empty() && has_origin || begins_with_a_time(rest)
}

/// Whether the first colon of a text is that of a time in brackets, `( 0:12/00:00:12)`.
pub(super) fn has_time(text: &str) -> bool {
    let before = text.split_once(['：', ':']).and_then(|(before, _)| before.rsplit_once(OPENING));
    before.is_some_and(|(_, digits)| {
        let digits = digits.trim();
        !digits.is_empty() && digits.chars().all(is_arabic)
    })
}

fn begins_with_a_time(text: &str) -> bool {
    text.starts_with(OPENING) && has_time(text)
}

/// The text after a step, without spaces and the `+` that marks branches.
fn without_plus(rest: &str) -> &str {
    rest.trim().trim_end_matches('+').trim_end()
}

/// The text after a step: the brackets with its time, and what follows the `+` that marks branches.
pub(super) fn split_time(rest: &str) -> (&str, &str) {
    let rest = rest.trim();
    let brackets = rest.split_inclusive(CLOSING).next().filter(|text| text.starts_with(OPENING));
    let (time, after) = rest.split_at(brackets.map_or(0, str::len));
    (time, after.trim_start().trim_start_matches('+').trim_start())
}

/// Reads `( 0:12/00:00:12)`. The sum after the slash is ignored.
pub(super) fn read_elapsed(text: &str) -> Option<Duration> {
    let plain: String = text.chars().map(half_width).collect();
    let inner = plain.strip_prefix('(')?.trim_end_matches(')');
    time::read_clock(inner.split('/').next()?)
}

/// Whether a step looks like a move, even an unreadable one.
pub(super) fn looks_like_a_move(step: &str) -> bool {
    if names_an_origin(first_word(step)) {
        return true;
    }
    let mut chars = step.chars();
    match chars.next() {
        Some(c) if c == '同' || is_mark(c) => true,
        Some(c) => is_arabic(c) && chars.next().is_some_and(|c| japanese_text::digit(c).is_some()),
        None => false,
    }
}

/// Whether a text begins with a move, even an unreadable one.
pub(super) fn begins_with_a_move(text: &str) -> bool {
    japanese_move::read_move(text).is_some() || looks_like_a_move(text)
}

fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or("")
}

/// Whether a word ends like `７六歩(77)`, even if the text before is unreadable.
fn names_an_origin(word: &str) -> bool {
    let inner = word.strip_suffix(CLOSING).and_then(|word| word.rsplit_once(OPENING));
    inner.is_some_and(|(_, digits)| digits.chars().count() == 2 && digits.chars().all(is_arabic))
}
