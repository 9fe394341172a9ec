//! Binary books of YaneuraOu (`.ybb`): an index of packed positions, sorted, then their moves. All
//! numbers are little-endian. The book is used in the mapped file.

use std::io::{self, Write};
use std::sync::Arc;

use super::entry::{BookEntry, BookMove, MAX_DUPLICATES, MAX_MOVES};
use super::error::BookError;
use super::losses::{WriteLosses, unusable_moves};
use super::memory_book::MemoryBook;
use super::validation::{BookSummary, Validation};
use crate::position::Setup;
use crate::position::packed::{PackedFormat, PackedPosition, pack, unpack};
use crate::sys::MappedFile;
use crate::types::message::{Message, counted, message};

const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
/// Bytes of the header: magic, number of records, flags.
const HEADER_BYTES: usize = 32;
/// Bytes of a record: position, offset of the moves, move number, number of moves.
const RECORD_BYTES: usize = 44;
/// A flag: each move has a depth.
const HAS_DEPTHS: u64 = 1;
/// The evaluation of a move without one in books that early programs wrote. It is not written: YaneuraOu and
/// ShogiHome take it for the best of all evaluations.
const NO_EVAL: i16 = i16::MAX;

#[derive(Debug)]
pub(super) struct YbbBook {
    file: Arc<MappedFile>,
    records: usize,
    has_depths: bool,
}

/// A record of the index.
struct YbbRecord<'a> {
    position: &'a PackedPosition,
    /// From the end of the index.
    moves_offset: u64,
    ply: u16,
    /// Number of moves.
    count: u16,
}

impl YbbRecord<'_> {
    fn of(bytes: &[u8; RECORD_BYTES]) -> YbbRecord<'_> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (position, rest) = bytes.split_first_chunk().expect("a record is longer");
        let moves_offset = u64::from_le_bytes(*rest.first_chunk().expect("a record is longer"));
        YbbRecord { position, moves_offset, ply: short(40), count: short(42) }
    }
}

impl YbbBook {
    /// Whether a file begins with the magic of the format.
    pub(super) fn matches(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// # Errors
    /// If the header is invalid, the records are not sorted, or a record points outside the file.
    /// [`Validation::Sampled`] checks only some records.
    pub(super) fn open(
        file: Arc<MappedFile>,
        validation: Validation,
    ) -> Result<(YbbBook, BookSummary), BookError> {
        let bytes = file.len() as u64;
        let number = |at: usize| -> Option<u64> {
            Some(u64::from_le_bytes(*file.get(at..at + 8)?.first_chunk()?))
        };
        let too_short = |records| BookError::TooShort { records, bytes };
        let (Some(records), Some(flags)) = (number(16), number(24)) else {
            return Err(too_short(0));
        };
        if flags & !HAS_DEPTHS != 0 {
            return Err(BookError::UnknownFlags(flags));
        }
        let fits = records
            .checked_mul(RECORD_BYTES as u64)
            .is_some_and(|size| size <= bytes - HEADER_BYTES as u64);
        if !fits {
            return Err(too_short(records));
        }
        let has_depths = flags & HAS_DEPTHS != 0;
        let book = YbbBook { file, records: records as usize, has_depths };
        let moves = book.validate(validation)?;
        let moves = (validation == Validation::Full).then_some(moves);
        let summary = BookSummary { positions: Some(records), moves, ..BookSummary::default() };
        Ok((book, summary))
    }

    /// Validates the records. Returns the number of moves of those that were checked.
    fn validate(&self, validation: Validation) -> Result<u64, BookError> {
        let step = validation.record_step(self.records);
        let (mut last, mut moves): (Option<&PackedPosition>, u64) = (None, 0);
        for (index, bytes) in self.index().iter().enumerate().step_by(step) {
            let record = YbbRecord::of(bytes);
            if last.is_some_and(|last| last > record.position) {
                return Err(BookError::Unsorted { record: index as u64 });
            }
            if self.moves_of(&record).is_none() {
                return Err(BookError::MovesOutside { record: index as u64 });
            }
            last = Some(record.position);
            moves += u64::from(record.count);
        }
        Ok(moves)
    }

    /// See [`Book::look_up`](super::Book::look_up).
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        let packed = pack(setup, PackedFormat::Yaneuraou).ok()?;
        let index = self.index();
        let first = index.partition_point(|bytes| *YbbRecord::of(bytes).position < packed);
        let records = index[first..].iter().map(YbbRecord::of);
        let duplicates =
            records.take_while(|record| *record.position == packed).take(MAX_DUPLICATES);
        let fits = |record: &YbbRecord<'_>| {
            record.ply == 0 || ply.is_none_or(|ply| ply == u32::from(record.ply))
        };
        duplicates.filter(fits).filter_map(|record| self.entry(&record)).reduce(BookEntry::merged)
    }

    /// See [`Book::for_each`](super::Book::for_each).
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<Message> {
        let (mut broken, mut unusable) = (0, 0);
        for record in self.index().iter().map(YbbRecord::of) {
            match (unpack(record.position, PackedFormat::Yaneuraou), self.entry(&record)) {
                (Ok(setup), Some(entry)) => {
                    unusable += usize::from(record.count).saturating_sub(entry.moves.len());
                    visit(&setup, entry);
                }
                _ => broken += 1,
            }
        }
        let lost = (broken > 0).then(|| {
            let records = counted(broken, "unreadable record");
            message!("{records} left out", "読めないレコードを省きました：{broken}")
        });
        lost.into_iter().chain(unusable_moves(unusable as u64)).collect()
    }

    fn index(&self) -> &[[u8; RECORD_BYTES]] {
        &self.file[HEADER_BYTES..].as_chunks().0[..self.records]
    }

    fn move_size(&self) -> usize {
        if self.has_depths { 6 } else { 4 }
    }

    fn moves_of(&self, record: &YbbRecord<'_>) -> Option<&[u8]> {
        let start = (HEADER_BYTES + self.records * RECORD_BYTES)
            .checked_add(usize::try_from(record.moves_offset).ok()?)?;
        let end = start.checked_add(usize::from(record.count) * self.move_size())?;
        self.file.get(start..end)
    }

    /// Leaves out moves with invalid codes.
    fn entry(&self, record: &YbbRecord<'_>) -> Option<BookEntry> {
        let mut entry = BookEntry { ply: Some(record.ply.into()), moves: Vec::new() };
        entry.ply = entry.ply.filter(|&ply| ply > 0);
        // Positions may share a list, so that a small file can have very many moves.
        for bytes in self.moves_of(record)?.chunks_exact(self.move_size()).take(MAX_MOVES) {
            let short = |at: usize| [bytes[at], bytes[at + 1]];
            let mv = PackedFormat::Yaneuraou.mv(u16::from_le_bytes(short(0)));
            let Some(mv) = mv.filter(|mv| mv.is_some()) else { continue };
            let eval = i16::from_le_bytes(short(2));
            let eval = Some(eval).filter(|&eval| eval != NO_EVAL).map(i32::from);
            let depth = if self.has_depths { u16::from_le_bytes(short(4)) } else { 0 };
            let depth = Some(depth).filter(|&depth| depth > 0).map(u32::from);
            entry.add(BookMove { eval, depth, ..BookMove::new(mv) });
        }
        entry.sort();
        Some(entry)
    }
}

/// Writes a book in this format.
pub(super) fn write(book: &MemoryBook, out: &mut dyn Write) -> io::Result<WriteLosses> {
    let mut losses = WriteLosses::default();
    let mut records: Vec<(PackedPosition, &BookEntry)> = Vec::new();
    for (setup, entry) in book.positions() {
        match pack(&setup, PackedFormat::Yaneuraou) {
            Ok(packed) => records.push((packed, entry)),
            Err(_) => losses.positions += 1,
        }
    }
    records.sort_unstable_by_key(|record| record.0);
    let mut moves = records.iter().flat_map(|(_, entry)| &entry.moves);
    let has_depths = moves.any(|mv| mv.depth.is_some_and(|depth| depth > 0));
    let move_size = if has_depths { 6 } else { 4 };
    out.write_all(MAGIC)?;
    out.write_all(&(records.len() as u64).to_le_bytes())?;
    out.write_all(&(if has_depths { HAS_DEPTHS } else { 0 }).to_le_bytes())?;
    let mut offset = 0;
    for (packed, entry) in &records {
        let ply = entry.ply.unwrap_or(0);
        losses.plies += u64::from(u16::try_from(ply).is_err());
        let count = entry.moves.len().min(u16::MAX.into()) as u16;
        out.write_all(packed)?;
        out.write_all(&u64::to_le_bytes(offset))?;
        // 0 means that the number is not known.
        out.write_all(&u16::try_from(ply).unwrap_or(0).to_le_bytes())?;
        out.write_all(&count.to_le_bytes())?;
        offset += u64::from(count) * move_size;
    }
    for mv in records.iter().flat_map(|(_, entry)| entry.moves.iter().take(u16::MAX.into())) {
        write_move(mv, has_depths, out, &mut losses)?;
    }
    Ok(losses)
}

fn write_move(
    mv: &BookMove,
    has_depths: bool,
    out: &mut dyn Write,
    losses: &mut WriteLosses,
) -> io::Result<()> {
    losses.replies += u64::from(mv.reply.is_some());
    losses.counts += u64::from(mv.count.is_some_and(|count| count != 1));
    // As ShogiHome writes it. YaneuraOu reads a missing evaluation of a text as 0 too.
    let eval = mv.eval.unwrap_or(0).clamp(i16::MIN.into(), (NO_EVAL - 1).into()) as i16;
    losses.evals += u64::from(mv.eval != Some(eval.into()));
    let depth = mv.depth.unwrap_or(0).min(u16::MAX.into()) as u16;
    losses.depths += u64::from(mv.depth.is_some_and(|known| known != u32::from(depth)));
    out.write_all(&PackedFormat::Yaneuraou.move_code(mv.mv).to_le_bytes())?;
    out.write_all(&eval.to_le_bytes())?;
    if has_depths {
        out.write_all(&depth.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
