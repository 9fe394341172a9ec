//! Columns of a terminal, in which Japanese letters take two places.

/// Columns of a terminal that a text takes.
pub fn width(text: &str) -> usize {
    let is_wide = |c: char| {
        matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}')
    };
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// The text at the left of so many columns; at least one blank follows.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

/// The text at the right of so many columns, behind one blank at least.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text)).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_letters_take_two_columns() {
        assert_eq!(left("▲７六歩", 9), "▲７六歩  ");
        assert_eq!(right("評価値", 8), "  評価値");
        assert_eq!(width("P-7f"), 4);
    }
}
