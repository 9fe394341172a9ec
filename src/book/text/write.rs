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

/// The line of a move, up to the last known field.
fn text_of(mv: &BookMove) -> String {
    let or_none = |field: Option<String>| field.unwrap_or_else(|| "none".into());
    let fields = [
        mv.eval.map(|eval| eval.to_string()),
        mv.depth.map(|depth| depth.to_string()),
        mv.count.map(|count| count.to_string()),
    ];
    let known = fields.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let reply = or_none(mv.reply.map(|reply| reply.to_string()));
    let mut text = format!("{} {reply}", mv.mv);
    for field in fields.into_iter().take(known) {
        text.push(' ');
        text += &or_none(field);
    }
    text
}
