//! Columns of a terminal, in which a Japanese character is two columns wide.

use unicode_width::UnicodeWidthStr;

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text padded on the right to this many columns, with at least one blank.
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

/// The text padded on the left to this many columns, with at least one blank.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_letters_take_two_columns() {
        assert_eq!(pad_right("▲７六歩", 9), "▲７六歩  ");
        assert_eq!(pad_left("評価値", 8), "  評価値");
        assert_eq!(width("P-7f"), 4);
    }
}
