//! Positions as text, a line each: openings for other games.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::writer::place;
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::position::{Position, Setup};
use crate::sys::sync_file;
use crate::tools::game_file::Replay;

/// Writes every scored position of these files once, as `sfen ...`, to a new file; the lines are
/// openings as `gauntlet` and `selfplay generate` read them.
///
/// # Errors
/// If a file cannot be read or written.
pub fn positions(
    inputs: &[PathBuf],
    out: &Path,
    trouble: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let inputs = DatasetFile::open_all(inputs)?;
    let blame = |error| DatasetError::writing(out, error);
    let (place, file) = place(out)?;
    let mut list = PositionList { file: BufWriter::new(file), out, seen: HashSet::new() };
    let mut counts = DatasetCounts::default();
    for input in inputs {
        input.read(trouble, &mut |item| list.take(item, &mut counts))?;
    }
    let file = list.file.into_inner().map_err(|error| blame(error.into_error()))?;
    sync_file(&file).and_then(|()| place.put(out)).map_err(blame)?;
    Ok(counts)
}

struct PositionList<'a> {
    file: BufWriter<File>,
    out: &'a Path,
    /// Keys of the positions that are written already.
    seen: HashSet<u64>,
}

impl PositionList<'_> {
    fn take(&mut self, item: DatasetItem<'_>, counts: &mut DatasetCounts) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(game) => {
                counts.games.add(1, 0);
                let mut scored = Vec::with_capacity(game.scored());
                let mut replay = Replay::new(&game).map_err(ItemError::skip)?;
                while let Some(sample) = replay.advance().map_err(ItemError::skip)? {
                    if sample.score().is_some() {
                        scored.push((sample.position.key(), sample.position.setup()));
                    }
                }
                scored.iter().try_for_each(|(key, setup)| self.put(*key, setup, counts))?;
                counts.games.add(0, 1);
            }
            DatasetItem::Position(bytes, form) => {
                let record = form.read(bytes).map_err(ItemError::skip)?;
                let position = Position::from_setup(&record.setup).map_err(ItemError::skip)?;
                self.put(position.key(), &record.setup, counts)?;
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        key: u64,
        setup: &Setup,
        counts: &mut DatasetCounts,
    ) -> Result<(), ItemError> {
        let is_new = self.seen.insert(key);
        counts.positions.add(1, usize::from(is_new));
        if is_new {
            let written = writeln!(self.file, "sfen {setup}");
            written.map_err(|error| DatasetError::writing(self.out, error))?;
        }
        Ok(())
    }
}
