//! Books of Apery (`book.bin`): little-endian records of sixteen bytes (key, move, count, score),
//! sorted by key and used in the mapped file.
//!
//! Keys are hashes, so the positions can only be found by playing to them.

mod zobrist;

use std::collections::{HashSet, VecDeque};
use std::io::{self, Write};
use std::sync::Arc;

use self::zobrist::key_of;
use super::entry::{BookEntry, BookMove, MAX_MOVES};
use super::error::BookError;
use super::losses::{WriteLosses, unusable_moves};
use super::memory_book::MemoryBook;
use super::validation::{BookSummary, Validation};
use crate::position::packed::PackedFormat;
use crate::position::{Position, Setup};
use crate::sys::MappedFile;
use crate::types::message::{Message, counted, message};

const RECORD_BYTES: usize = 16;

#[derive(Debug)]
pub(super) struct AperyBook {
    file: Arc<MappedFile>,
}

impl AperyBook {
    /// Whether a file looks like such a book: whole records, the first ones sorted, one of them with a move.
    pub(super) fn matches(bytes: &[u8]) -> bool {
        const SAMPLES: usize = 64;
        let (records, rest) = bytes.as_chunks();
        let records = &records[..records.len().min(SAMPLES)];
        !bytes.is_empty()
            && rest.is_empty()
            && records.is_sorted_by_key(key_in)
            && records.iter().any(|record| read_move(record).is_some())
    }

    /// # Errors
    /// If the records are not sorted; [`Validation::Sampled`] checks only some.
    pub(super) fn open(
        file: Arc<MappedFile>,
        validation: Validation,
    ) -> Result<(AperyBook, BookSummary), BookError> {
        let book = AperyBook { file };
        let step = validation.record_step(book.records().len());
        let (mut last, mut positions) = (None, 0);
        for (index, record) in book.records().iter().enumerate().step_by(step) {
            let key = key_in(record);
            if last.is_some_and(|last| last > key) {
                return Err(BookError::Unsorted { record: index as u64 });
            }
            positions += u64::from(last != Some(key));
            last = Some(key);
        }
        let known = (validation == Validation::Full).then_some(positions);
        let moves = Some(book.records().len() as u64);
        Ok((book, BookSummary { positions: known, moves, ..BookSummary::default() }))
    }

    fn records(&self) -> &[[u8; RECORD_BYTES]] {
        self.file.as_chunks().0
    }

    /// The records of a position.
    fn records_of(&self, setup: &Setup) -> impl Iterator<Item = &[u8; RECORD_BYTES]> {
        let (key, records) = (key_of(setup), self.records());
        let first = records.partition_point(|record| key_in(record) < key);
        records[first..].iter().take_while(move |record| key_in(record) == key)
    }

    /// See [`Book::look_up`](super::Book::look_up). These books have no move numbers.
    pub(super) fn look_up(&self, setup: &Setup) -> Option<BookEntry> {
        let records = self.records_of(setup).take(MAX_MOVES);
        let mut entry = BookEntry::default();
        records.filter_map(read_move).for_each(|mv| _ = entry.add(mv));
        entry.sort();
        Some(entry).filter(|entry| !entry.moves.is_empty())
    }

    /// See [`Book::for_each`](super::Book::for_each). Visits the positions that are reached by
    /// legal moves from the initial position through positions of the book.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<Message> {
        let mut seen = HashSet::new();
        let (mut reached, mut moves) = (0, 0);
        let start = Position::startpos();
        let mut open = VecDeque::from([start.setup()]);
        seen.insert(start.key());
        while let Some(setup) = open.pop_front() {
            let Some(mut entry) = self.look_up(&setup) else { continue };
            let Ok(mut position) = Position::from_setup(&setup) else { continue };
            for mv in position.legal_moves().moves().collect::<Vec<_>>() {
                position.do_move(mv);
                let next = position.setup();
                if self.look_up(&next).is_some() && seen.insert(position.key()) {
                    open.push_back(next);
                }
                position.undo_move(mv);
            }
            entry.ply = Some(setup.game_ply);
            reached += self.records_of(&setup).count();
            moves += entry.moves.len();
            visit(&setup, entry);
        }
        let unreached = self.records().len().saturating_sub(reached);
        let of_unreached = (unreached > 0).then(|| {
            let moves = counted(unreached as u64, "move");
            message!(
                "{moves} of positions that no line of the book reaches left out",
                "定跡のどの手順でもたどり着けない局面の{unreached}手を省きました"
            )
        });
        let unusable = unusable_moves(reached.saturating_sub(moves) as u64);
        of_unreached.into_iter().chain(unusable).collect()
    }
}

fn key_in(record: &[u8; RECORD_BYTES]) -> u64 {
    u64::from_le_bytes(*record.first_chunk().expect("a record is longer"))
}

/// The move, unless its code is invalid.
fn read_move(record: &[u8; RECORD_BYTES]) -> Option<BookMove> {
    let code = u16::from_le_bytes([record[8], record[9]]);
    let mv = PackedFormat::Apery.mv(code).filter(|mv| mv.is_some())?;
    let count = u16::from_le_bytes([record[10], record[11]]);
    let score = i32::from_le_bytes([record[12], record[13], record[14], record[15]]);
    let (eval, count) = (Some(score), Some(count.into()));
    Some(BookMove { eval, count, ..BookMove::new(mv) })
}

/// Writes a book in this format.
pub(super) fn write(book: &MemoryBook, out: &mut dyn Write) -> io::Result<WriteLosses> {
    let mut losses = WriteLosses::default();
    let mut records: Vec<(u64, &BookMove)> = Vec::new();
    for (setup, entry) in book.positions() {
        if entry.moves.is_empty() {
            losses.positions += 1;
            continue;
        }
        losses.plies += u64::from(entry.ply.is_some());
        let key = key_of(&setup);
        records.extend(entry.moves.iter().map(|mv| (key, mv)));
    }
    records.sort_by_key(|record| record.0);
    for (key, mv) in records {
        let count = mv.weight().min(u16::MAX.into()) as u16;
        losses.replies += u64::from(mv.reply.is_some());
        losses.depths += u64::from(mv.depth.is_some());
        losses.counts += u64::from(mv.weight() != u64::from(count));
        losses.evals += u64::from(mv.eval.is_none());
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&PackedFormat::Apery.move_code(mv.mv).to_le_bytes())?;
        out.write_all(&count.to_le_bytes())?;
        out.write_all(&mv.eval.unwrap_or(0).to_le_bytes())?;
    }
    Ok(losses)
}

#[cfg(test)]
mod tests;
