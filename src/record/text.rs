//! Helpers for writing text.

use super::error::{ConversionLoss, ConversionLosses};

pub(super) fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The text without line breaks and other control characters.
pub(super) fn one_line(text: &str, losses: &mut ConversionLosses) -> String {
    let breaks = |c: char| c.is_control() && c != '\t';
    losses.add(ConversionLoss::LineBreaks, usize::from(text.contains(breaks)));
    text.replace(breaks, " ")
}

/// Appends spaces until the text from `from` on takes this many columns. Japanese characters take two.
pub(super) fn pad(text: &mut String, from: usize, columns: usize) {
    let width: usize = text[from..].chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    text.extend(std::iter::repeat_n(' ', columns.saturating_sub(width)));
}
