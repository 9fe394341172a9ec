//! Writing text books, sorted and with LF, as YaneuraOu reads them on the fly.

use std::io::{self, Write};

use crate::book::entry::BookMove;
use crate::book::losses::WriteLosses;
use crate::book::memory_book::MemoryBook;

/// The first line.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Writes a book. Nothing is lost.
pub(in crate::book) fn write(book: &MemoryBook, out: &mut dyn Write) -> io::Result<WriteLosses> {
    writeln!(out, "{HEADER}")?;
    for (key, entry) in book.iter() {
        match entry.ply {
            Some(ply) => writeln!(out, "sfen {key} {ply}")?,
            None => writeln!(out, "sfen {key}")?,
        }
        for mv in &entry.moves {
            writeln!(out, "{}", text_of(mv))?;
        }
    }
    Ok(WriteLosses::default())
}

/// The line of a move. An evaluation and a depth are always written: ShogiHome shows missing ones as NaN. An unknown
/// count is left out, because YaneuraOu reads the word as 0, but a missing count as 1.
fn text_of(mv: &BookMove) -> String {
    let or_none = |field: Option<String>| field.unwrap_or_else(|| "none".into());
    let reply = or_none(mv.reply.map(|reply| reply.to_string()));
    let eval = or_none(mv.eval.map(|eval| eval.to_string()));
    let depth = or_none(mv.depth.map(|depth| depth.to_string()));
    let count = mv.count.map(|count| format!(" {count}")).unwrap_or_default();
    format!("{} {reply} {eval} {depth}{count}", mv.mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a line ended after the last known field, and ShogiHome read NaN for a missing evaluation or depth.
    #[test]
    fn a_line_has_an_evaluation_and_a_depth_even_if_they_are_unknown() {
        let mut mv = BookMove::new("7g7f".parse().unwrap());
        assert_eq!(text_of(&mv), "7g7f none none none");
        mv.eval = Some(-30);
        assert_eq!(text_of(&mv), "7g7f none -30 none");
        mv.count = Some(5);
        assert_eq!(text_of(&mv), "7g7f none -30 none 5");
    }
}
