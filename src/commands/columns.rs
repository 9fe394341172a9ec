//! Columns of a terminal, in which a Japanese character is two columns wide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Japanese punctuation that begins no line.
const CLOSING: &str = "、。，．：；！？）」』】％";
/// Japanese punctuation that ends no line.
const OPENING: &str = "（「『【";

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text padded on the right to this many columns, with at least one space.
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

/// The text padded on the left to this many columns, with at least one space.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

/// The text in lines of at most `columns` columns; all but the first are indented by `indent` spaces. A line
/// breaks at a space, or anywhere in a word longer than a line, as Japanese sentences are.
pub fn wrap(text: &str, columns: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut used = 0;
    for word in words(text) {
        let fits_a_line = width(word) <= columns.saturating_sub(indent);
        let parts = if fits_a_line { vec![word] } else { characters(word).collect() };
        for part in parts {
            let leading_space = usize::from(part.starts_with(' '));
            if used > indent && used + width(part) > columns {
                wrapped += "\n";
                wrapped += &" ".repeat(indent);
                wrapped += &part[leading_space..];
                used = indent + width(part) - leading_space;
            } else {
                wrapped += part;
                used += width(part);
            }
        }
    }
    wrapped
}

/// The words, each with the space before it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let spaces = text.match_indices(' ').map(|(at, _)| at).filter(|&at| at > 0);
    parts(text, std::iter::once(0).chain(spaces).collect())
}

/// The characters, each with the punctuation that Japanese text does not separate from it: no line begins with
/// `。` or ends with `（`.
fn characters(text: &str) -> impl Iterator<Item = &str> {
    let mut starts = Vec::new();
    let mut is_behind_opening = false;
    for (at, c) in text.char_indices() {
        if at == 0 || !(is_behind_opening || CLOSING.contains(c)) {
            starts.push(at);
        }
        is_behind_opening = OPENING.contains(c);
    }
    parts(text, starts)
}

/// The parts of a text that begin at these places.
fn parts(text: &str, starts: Vec<usize>) -> impl Iterator<Item = &str> {
    let ends = starts.clone().into_iter().skip(1).chain([text.len()]);
    starts.into_iter().zip(ends).map(|(start, end)| &text[start..end])
}

/// The longest beginning of a text that takes at most `columns` columns.
pub fn truncate(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let exceeds = |&(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > columns
    };
    let end = text.char_indices().find(exceeds).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_wrapped_at_blanks_and_between_wide_characters() {
        assert_eq!(wrap("one two three four", 9, 0), "one two\nthree\nfour");
        assert_eq!(wrap("one two three", 9, 2), "one two\n  three");
        assert_eq!(wrap("評価値と勝率は先手側", 8, 0), "評価値と\n勝率は先\n手側");
        let text = wrap("+39 ▲７六歩 △３四歩 loss 評価値は指した後の値。", 10, 2);
        assert_eq!(text, "+39\n  ▲７六歩\n  △３四歩\n  loss 評\n  価値は指\n  した後の\n  値。");
        assert_eq!(wrap("", 9, 0), "");
    }

    /// Regression: lines began with `。` and `、`.
    #[test]
    fn no_line_begins_with_closing_or_ends_with_opening_punctuation() {
        assert_eq!(wrap("勝率の損失。値、", 10, 0), "勝率の損\n失。値、");
        assert_eq!(wrap("評価値（勝率）。", 8, 0), "評価値\n（勝\n率）。");
    }

    #[test]
    fn a_text_is_cut_before_the_character_that_does_not_fit() {
        assert_eq!(
            [truncate("評価値", 5), truncate("abc", 2), truncate("ab", 9)],
            ["評価", "ab", "ab"]
        );
    }

    #[test]
    fn japanese_letters_take_two_columns() {
        assert_eq!(pad_right("▲７六歩", 9), "▲７六歩  ");
        assert_eq!(pad_left("評価値", 8), "  評価値");
        assert_eq!(width("P-7f"), 4);
    }
}
