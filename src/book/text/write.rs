//! Text books as YaneuraOu reads them, on the fly too: in order, ended by LF.

use std::io::{self, Write};

use crate::book::WriteLosses;
use crate::book::entry::BookMove;
use crate::book::memory_book::MemoryBook;

/// The first line.
const HEAD: &str = "#YANEURAOU-DB2016 1.00";

/// Writes a book. Nothing is lost.
pub(in crate::book) fn write(book: &MemoryBook, out: &mut dyn Write) -> io::Result<WriteLosses> {
    writeln!(out, "{HEAD}")?;
    for (name, entry) in book.iter() {
        match entry.ply {
            Some(ply) => writeln!(out, "sfen {name} {ply}")?,
            None => writeln!(out, "sfen {name}")?,
        }
        for mv in &entry.moves {
            writeln!(out, "{}", text_of(mv))?;
        }
    }
    Ok(WriteLosses::default())
}

/// The fields up to the last that is known.
fn text_of(mv: &BookMove) -> String {
    let number = |number: Option<String>| number.unwrap_or_else(|| "none".into());
    let fields = [
        mv.eval.map(|eval| eval.to_string()),
        mv.depth.map(|depth| depth.to_string()),
        mv.count.map(|count| count.to_string()),
    ];
    let known = fields.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let reply = number(mv.reply.map(|reply| reply.to_string()));
    let mut text = format!("{} {reply}", mv.mv);
    for field in fields.into_iter().take(known) {
        text.push(' ');
        text += &number(field);
    }
    text
}
